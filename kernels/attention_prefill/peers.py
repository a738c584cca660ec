"""What PyTorch offers for attention_prefill: scaled_dot_product_attention by one backend at a time, FlashAttention-2 (fa2)
and cuDNN. Read by scripts/peers."""

import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from peers_lib.base import DTYPES, normal

BACKENDS = {"fa2": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}


def visible_pairs(problem):
    """(query, key) pairs that the mask lets through, of one head. The last query sees every key: causal masks are aligned
    at the bottom right, so that queries after a past see all of it."""
    queries, keys = problem["q_len"], problem["kv_len"]
    if not problem["causal"]:
        return queries * keys
    # Query i sees keys 0 to keys - queries + i; where that is negative it sees none.
    blind = max(0, queries - keys)
    seeing = queries - blind
    first, last = keys - queries + blind + 1, keys
    return seeing * (first + last) // 2


def flop_count(problem):
    """Multiplications and additions of both products over the visible pairs alone."""
    return 4 * problem["batch"] * problem["heads"] * problem["d"] * visible_pairs(problem)


def byte_count(problem, element_bytes):
    """Compulsory traffic: q, k and v once, the output once."""
    queries = problem["heads"] * problem["q_len"]
    keys = problem["kv_heads"] * problem["kv_len"]
    return 2 * problem["batch"] * problem["d"] * (queries + keys) * element_bytes


def why_incomparable(problem):
    """Why PyTorch does not compute this problem, or an empty string."""
    if problem["causal"] and problem["q_len"] != problem["kv_len"]:
        return ("PyTorch aligns causal masks at the top left, this kernel at the bottom right: only q_len = kv_len can be "
                "compared")
    return ""


def sampled_rows(count):
    """Queries whose output is compared, ascending: both ends, both sides of the borders of usual tiles, the middle."""
    wanted = {0, 1, 63, 64, 127, 128, count // 2, count - 129, count - 65, count - 2, count - 1}
    return sorted(row for row in wanted if 0 <= row < count)


def sampled_heads(problem):
    """(batch, head, kv_head) whose output is compared: the first, the last, and both sides of where kv heads change."""
    group = problem["heads"] // problem["kv_heads"]
    heads = sorted({0, group - 1, min(group, problem["heads"] - 1), problem["heads"] - 1})
    batches = sorted({0, problem["batch"] - 1})
    return [(batch, head, head // group) for batch in batches for head in heads]


class Peers:
    peers = tuple(BACKENDS)

    def incomparable(self, problem):
        return why_incomparable(problem)

    def inputs(self, problem):
        queries = (problem["batch"], problem["heads"], problem["q_len"], problem["d"])
        keys = (problem["batch"], problem["kv_heads"], problem["kv_len"], problem["d"])
        return [normal(queries, problem["dtype"]), normal(keys, problem["dtype"]), normal(keys, problem["dtype"])]

    def operation(self, peer, problem, inputs):
        backend = BACKENDS[peer]
        q, k, v = inputs

        def operation_on(keys, values, **options):
            def operation():
                with sdpa_kernel([backend]):
                    return functional.scaled_dot_product_attention(
                        q, keys, values, is_causal=problem["causal"], **options)
            return operation

        group = problem["heads"] // problem["kv_heads"]
        if group == 1:
            return operation_on(k, v), ""
        grouped = operation_on(k, v, enable_gqa=True)
        try:
            grouped()
            return grouped, ""
        except torch.cuda.OutOfMemoryError:
            raise
        except (RuntimeError, TypeError):  # this backend, or this PyTorch, does not support groups
            keys, values = (tensor.repeat_interleave(group, dim=1) for tensor in (k, v))
            return operation_on(keys, values), f"refuses enable_gqa: k and v were repeated {group} times beforehand"

    # Float64 scores of all heads would not fit in memory, so whole rows of a few heads are computed.
    def compared(self, problem, inputs, outputs):
        q, k, v = inputs
        rows = torch.tensor(sampled_rows(problem["q_len"]), device="cuda")
        for batch, head, kv_head in sampled_heads(problem):
            scores = q[batch, head, rows].double() @ k[batch, kv_head].double().T / problem["d"] ** 0.5
            if problem["causal"]:
                last = rows + problem["kv_len"] - problem["q_len"]
                hidden = torch.arange(problem["kv_len"], device="cuda") > last[:, None]
                scores.masked_fill_(hidden, float("-inf"))
            want = torch.softmax(scores, dim=-1) @ v[batch, kv_head].double()
            yield f"head {head} of batch {batch}", outputs[batch, head, rows], want

    # Averages over many keys are small, and so is all that may be wrong with them; the error of each element follows the
    # size of its row.
    def scale(self, want):
        return want.abs() + want.square().mean(dim=-1, keepdim=True).sqrt()

    def bytes(self, problem):
        return byte_count(problem, DTYPES[problem["dtype"]].itemsize)

    def flops(self, problem):
        return flop_count(problem)
