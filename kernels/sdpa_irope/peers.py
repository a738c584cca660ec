"""What PyTorch offers for sdpa_irope: q scaled by position through torch.compile, then scaled_dot_product_attention by one
backend at a time, FlashAttention-2 (fa2) and cuDNN. Both launches are timed, as a caller pays them. Read by scripts/peers."""

import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from peers_lib.base import DTYPES, normal

BACKENDS = {"fa2": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}


def factor_of(positions, problem):
    """As models write it."""
    steps = torch.floor((positions + 1.0) / problem["floor_scale"])
    return torch.log1p(steps) * problem["attn_scale"] + 1.0


def visible_pairs(problem):
    """(query, key) pairs that the mask lets through, of one head; the last query sees every key."""
    queries, keys = problem["q_len"], problem["kv_len"]
    if not problem["causal"]:
        return queries * keys
    blind = max(0, queries - keys)
    first, last = keys - queries + blind + 1, keys
    return (queries - blind) * (first + last) // 2


class Peers:
    peers = tuple(BACKENDS)

    def incomparable(self, problem):
        if problem["causal"] and problem["q_len"] != problem["kv_len"]:
            return ("PyTorch aligns causal masks at the top left, this kernel at the bottom right: only q_len = kv_len can be "
                    "compared")
        return ""

    def inputs(self, problem):
        queries = (problem["batch"], problem["heads"], problem["q_len"], problem["d"])
        keys = (problem["batch"], problem["kv_heads"], problem["kv_len"], problem["d"])
        positions = torch.arange(problem["q_len"], dtype=torch.int32, device="cuda")
        return [normal(queries, problem["dtype"]), normal(keys, problem["dtype"]), normal(keys, problem["dtype"]), positions]

    def operation(self, peer, problem, inputs):
        backend = BACKENDS[peer]
        q, k, v, positions = inputs
        torch.compiler.reset()
        scaled = torch.compile(
            lambda q, positions: (q * factor_of(positions.float(), problem)[:, None]).to(q.dtype), dynamic=False)

        def operation_on(keys, values, **options):
            def operation():
                with sdpa_kernel([backend]):
                    return functional.scaled_dot_product_attention(
                        scaled(q, positions), keys, values, is_causal=problem["causal"], **options)
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

    # Float64 scores of all heads would not fit in memory, so rows at both ends and in the middle of a few heads are computed.
    def compared(self, problem, inputs, outputs):
        q, k, v, positions = inputs
        count, group = problem["q_len"], problem["heads"] // problem["kv_heads"]
        wanted = {0, 1, 63, 64, 127, 128, count // 2, count - 129, count - 65, count - 2, count - 1}
        rows = torch.tensor(sorted(row for row in wanted if 0 <= row < count), device="cuda")
        factor = factor_of(positions[rows].double(), problem)
        for batch in sorted({0, problem["batch"] - 1}):
            for head in sorted({0, group - 1, problem["heads"] - 1}):
                scaled = q[batch, head, rows].double() * factor[:, None]
                scores = scaled @ k[batch, head // group].double().T / problem["d"] ** 0.5
                if problem["causal"]:
                    last = rows + problem["kv_len"] - count
                    hidden = torch.arange(problem["kv_len"], device="cuda") > last[:, None]
                    scores.masked_fill_(hidden, float("-inf"))
                want = torch.softmax(scores, dim=-1) @ v[batch, head // group].double()
                yield f"head {head} of batch {batch}", outputs[batch, head, rows], want

    # Averages over many keys are small, and so is all that may be wrong with them; the error of each element follows the
    # size of its row.
    def scale(self, want):
        return want.abs() + want.square().mean(dim=-1, keepdim=True).sqrt()

    def bytes(self, problem):
        queries, keys = problem["heads"] * problem["q_len"], problem["kv_heads"] * problem["kv_len"]
        element = DTYPES[problem["dtype"]].itemsize
        return 2 * problem["batch"] * problem["d"] * (queries + keys) * element + 4 * problem["q_len"]

    def flops(self, problem):
        return 4 * problem["batch"] * problem["heads"] * problem["d"] * visible_pairs(problem)
