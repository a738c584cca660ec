"""What PyTorch offers for decode_attention: scaled_dot_product_attention by one backend at a time, FlashAttention-2 (fa2) and
cuDNN, with one query a sequence over a cache that is full; and FlashInfer's decode kernels where that is installed, which know
pages and lengths. Read by scripts/peers."""

import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from peers_lib.base import DTYPES, normal

try:
    import flashinfer
except ImportError:
    flashinfer = None

BACKENDS = {"fa2": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION}
WORKSPACE_BYTES = 256 << 20  # of FlashInfer


def lengths_of(problem):
    """Keys of each sequence: all of them, or in equal steps up to that. The kernel's own are shuffled, which changes no work."""
    batch, kv_len = problem["batch"], problem["kv_len"]
    return [kv_len * (i + 1) // batch if problem["lengths_are"] == "spread" else kv_len for i in range(batch)]


def scale_of(problem):
    return problem["d"] ** -0.5 if problem["scale"] < 0 else problem["scale"]


class Peers:
    peers = (*BACKENDS, "flashinfer")

    def incomparable(self, problem):
        if problem["q_len"] != 1:
            return "only one query a sequence is compared: PyTorch aligns causal masks at the top left"
        if problem["window"]:
            return "windows are not compared"
        return ""

    # As libraries would have them: heads before keys, so that the keys of a head lie together; FlashInfer takes them as this
    # kernel does, and gets copies in that order.
    def inputs(self, problem):
        queries = (problem["batch"], problem["heads"], 1, problem["d"])
        keys = (problem["batch"], problem["kv_heads"], problem["kv_len"], problem["d"])
        return [normal(queries, problem["dtype"]), normal(keys, problem["dtype"]), normal(keys, problem["dtype"])]

    def operation(self, peer, problem, inputs):
        if peer == "flashinfer":
            return self._flashinfer(problem, inputs)
        if problem["lengths_are"] != "full" or problem["page"]:
            raise RuntimeError("PyTorch's attention knows neither pages nor lengths")
        q, k, v = inputs

        def operation_on(keys, values, **options):
            def operation():
                with sdpa_kernel([BACKENDS[peer]]):
                    return functional.scaled_dot_product_attention(
                        q, keys, values, is_causal=False, scale=scale_of(problem), **options)
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

    # A cache without pages is one of pages in order. Planning, which its users do once for all layers, is not timed.
    def _flashinfer(self, problem, inputs):
        if flashinfer is None:
            raise RuntimeError("not installed")
        page = problem["page"] or 16
        batch, pages = problem["batch"], -(-problem["kv_len"] // page)
        if problem["kv_len"] % page:
            raise RuntimeError(f"kv_len is no multiple of its pages of {page}")
        q, k, v = inputs
        order = torch.randperm(batch * pages, device="cuda") if problem["page"] else torch.arange(batch * pages, device="cuda")

        def paged(cache):
            rows = cache.transpose(1, 2).reshape(batch * pages, page, problem["kv_heads"], problem["d"])
            pool = torch.empty_like(rows)
            pool[order] = rows
            return pool

        used = [-(-length // page) for length in lengths_of(problem)]
        table = order.reshape(batch, pages)
        indices = torch.cat([table[i, :count] for i, count in enumerate(used)]).int()
        starts = torch.tensor([0, *used], device="cuda").cumsum(0).int()
        last = torch.tensor([(length - 1) % page + 1 for length in lengths_of(problem)], device="cuda").int()
        workspace = torch.empty(WORKSPACE_BYTES, dtype=torch.uint8, device="cuda")
        group = problem["heads"] // problem["kv_heads"]
        wrapper = flashinfer.BatchDecodeWithPagedKVCacheWrapper(workspace, "NHD", use_tensor_cores=group >= 4)
        wrapper.plan(starts, indices, last, problem["heads"], problem["kv_heads"], problem["d"], page,
                     q_data_type=q.dtype, kv_data_type=k.dtype, sm_scale=scale_of(problem))
        caches, rows = (paged(k), paged(v)), q.squeeze(2)
        return lambda: wrapper.run(rows, caches).unsqueeze(2), ""

    def compared(self, problem, inputs, outputs):
        q, k, v = inputs
        group = problem["heads"] // problem["kv_heads"]
        for batch in sorted({0, problem["batch"] - 1}):
            length = lengths_of(problem)[batch]
            for head in sorted({0, group - 1, problem["heads"] - 1}):
                keys, values = (cache[batch, head // group, :length].double() for cache in (k, v))
                scores = q[batch, head].double() @ keys.T * scale_of(problem)
                yield f"head {head} of sequence {batch}", outputs[batch, head], torch.softmax(scores, dim=-1) @ values

    # Averages over many keys are small, and so is all that may be wrong with them.
    def scale(self, want):
        return want.abs() + want.square().mean(dim=-1, keepdim=True).sqrt()

    def bytes(self, problem):
        width = DTYPES[problem["dtype"]].itemsize
        rows = 2 * problem["batch"] * problem["heads"] + 2 * sum(lengths_of(problem)) * problem["kv_heads"]
        return rows * problem["d"] * width
