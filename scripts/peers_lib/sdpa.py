"""Attention as PyTorch offers it: scaled_dot_product_attention, by one backend at a time."""

import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from . import attention
from .equivalents_base import DTYPES, normal

BACKENDS = {"fa2": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}


class AttentionPrefill:
    peers = tuple(BACKENDS)

    def incomparable(self, problem):
        return attention.incomparable(problem)

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
        except (RuntimeError, TypeError):  # this backend, or this PyTorch, knows no groups
            keys, values = (tensor.repeat_interleave(group, dim=1) for tensor in (k, v))
            return operation_on(keys, values), f"refuses enable_gqa: k and v were repeated {group} times beforehand"

    # Float64 scores of all heads would not fit in memory, so whole rows of a few heads are computed.
    def compared(self, problem, inputs, outputs):
        q, k, v = inputs
        rows = torch.tensor(attention.sampled_rows(problem["q_len"]), device="cuda")
        for batch, head, kv_head in attention.sampled_heads(problem):
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
        return attention.byte_count(problem, DTYPES[problem["dtype"]].itemsize)

    def flops(self, problem):
        return attention.flops(problem)
