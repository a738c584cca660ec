"""What people use instead of attention_fp8: PyTorch's scaled_dot_product_attention in bf16 by cuDNN. PyTorch offers none in fp8.
Read by scripts/peers."""

import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from peers_lib.base import normal

BACKENDS = {"cudnn": SDPBackend.CUDNN_ATTENTION}


def visible_pairs(problem):
    """(query, key) pairs that the mask lets through, of one head; the last query sees every key."""
    queries, keys = problem["q_len"], problem["kv_len"]
    if not problem["causal"]:
        return queries * keys
    blind = max(0, queries - keys)
    first, last = keys - queries + blind + 1, keys
    return (queries - blind) * (first + last) // 2


def sampled_rows(count):
    """Queries whose output is compared, ascending: both ends, both sides of the borders of usual tiles, the middle."""
    wanted = {0, 1, 63, 64, 127, 128, count // 2, count - 129, count - 65, count - 2, count - 1}
    return sorted(row for row in wanted if 0 <= row < count)


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
        return [normal(queries, "bf16"), normal(keys, "bf16"), normal(keys, "bf16")]

    def operation(self, peer, problem, inputs):
        q, k, v = inputs

        def operation_on(keys, values, **options):
            def operation():
                with sdpa_kernel([BACKENDS[peer]]):
                    return functional.scaled_dot_product_attention(q, keys, values, is_causal=problem["causal"], **options)
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
        group = problem["heads"] // problem["kv_heads"]
        for batch in sorted({0, problem["batch"] - 1}):
            for head in sorted({0, problem["heads"] - 1}):
                scores = q[batch, head, rows].double() @ k[batch, head // group].double().T / problem["d"] ** 0.5
                if problem["causal"]:
                    last = rows + problem["kv_len"] - problem["q_len"]
                    hidden = torch.arange(problem["kv_len"], device="cuda") > last[:, None]
                    scores.masked_fill_(hidden, float("-inf"))
                want = torch.softmax(scores, dim=-1) @ v[batch, head // group].double()
                yield f"head {head} of batch {batch}", outputs[batch, head, rows], want

    def scale(self, want):
        return want.abs() + want.square().mean(dim=-1, keepdim=True).sqrt()

    # In bf16: the peer has to move twice the bytes of the kernel.
    def bytes(self, problem):
        queries = problem["heads"] * problem["q_len"]
        keys = problem["kv_heads"] * problem["kv_len"]
        return 4 * problem["batch"] * problem["d"] * (queries + keys)

    def flops(self, problem):
        return 4 * problem["batch"] * problem["heads"] * problem["d"] * visible_pairs(problem)
