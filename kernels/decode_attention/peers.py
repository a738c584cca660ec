"""What PyTorch offers for decode_attention: scaled_dot_product_attention by one backend at a time, FlashAttention-2 (fa2) and
cuDNN, with one query a sequence over a cache that is full; and FlashInfer's decode kernels where that is installed, which know
pages and lengths. A cache of 8 bits is dequantised by what torch.compile makes of it and given to the same attention, in one
function. Read by scripts/peers."""

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
QUANTISED = {"i8": ("int8", 127), "e4m3": ("float8_e4m3fn", 448)}  # PyTorch's names, and their largest numbers


def lengths_of(problem):
    """Keys of each sequence: all of them, or in equal steps up to that. The kernel's own are shuffled, which changes no work."""
    batch, kv_len = problem["batch"], problem["kv_len"]
    return [kv_len * (i + 1) // batch if problem["lengths_are"] == "spread" else kv_len for i in range(batch)]


def scale_of(problem):
    return problem["d"] ** -0.5 if problem["scale"] < 0 else problem["scale"]


def quantised(cache, problem):
    """(elements, scales) with the largest number of each key, or of each head, at the end of the type's range."""
    name, largest = QUANTISED[problem["cache"]]
    # Scales of heads are over all sequences, as the kernel's are.
    axes = (-1,) if problem["scales"] == "token" else (0, 2, 3)
    scales = cache.abs().amax(dim=axes, keepdim=True).float() / largest
    elements = cache.float() / scales
    return (elements.round() if name == "int8" else elements).to(getattr(torch, name)), scales


def exact(cache, scales, batch, kv_head, length):
    """The keys or values of a head, in float64."""
    rows = cache[batch, kv_head, :length].double()
    if scales is None:
        return rows
    return rows * scales.expand(*cache.shape[:3], 1)[batch, kv_head, :length].double()


class Peers:
    peers = (*BACKENDS, "flashinfer", "dequantise")

    def incomparable(self, problem):
        if problem["q_len"] != 1:
            return "only one query a sequence is compared: PyTorch aligns causal masks at the top left"
        if problem["window"]:
            return "windows are not compared"
        return ""

    # As libraries would have them: heads before keys, so that the keys of a head lie together; FlashInfer takes them as this
    # kernel does, and gets copies in that order. Of 8 bits with their scales.
    def inputs(self, problem):
        queries = (problem["batch"], problem["heads"], 1, problem["d"])
        shape = (problem["batch"], problem["kv_heads"], problem["kv_len"], problem["d"])
        caches = [normal(shape, problem["dtype"]), normal(shape, problem["dtype"])]
        if problem["cache"] in QUANTISED:
            caches = [tensor for cache in caches for tensor in quantised(cache, problem)]
        return [normal(queries, problem["dtype"]), *caches]

    def operation(self, peer, problem, inputs):
        if (problem["cache"] in QUANTISED) != (peer == "dequantise"):
            raise RuntimeError("for caches of 8 bits" if peer == "dequantise" else "for caches of 16 bits")
        if peer == "dequantise":
            return self._dequantise(problem, inputs)
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
        except (RuntimeError, TypeError):  # this backend, or this PyTorch, does not support groups
            keys, values = (tensor.repeat_interleave(group, dim=1) for tensor in (k, v))
            return operation_on(keys, values), f"refuses enable_gqa: k and v were repeated {group} times beforehand"

    def _dequantise(self, problem, inputs):
        if problem["lengths_are"] != "full" or problem["page"]:
            raise RuntimeError("PyTorch's attention knows neither pages nor lengths")
        scale, dtype = scale_of(problem), DTYPES[problem["dtype"]]

        def attention(q, k, k_scale, v, v_scale):
            keys, values = (cache.to(dtype) * scales.to(dtype) for cache, scales in ((k, k_scale), (v, v_scale)))
            return functional.scaled_dot_product_attention(q, keys, values, scale=scale, enable_gqa=True)

        torch.compiler.reset()
        compiled = torch.compile(attention, dynamic=False)
        return lambda: compiled(*inputs), ""

    # A cache without pages is one of pages in order. Planning, which its users do once for all layers, is not timed.
    def _flashinfer(self, problem, inputs):
        if flashinfer is None:
            raise RuntimeError("not installed")
        page = problem["page"] or 16
        batch, pages = problem["batch"], -(-problem["kv_len"] // page)
        if problem["kv_len"] % page:
            raise RuntimeError(f"kv_len is not a multiple of its pages of {page}")
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
        if problem["cache"] in QUANTISED:
            q, k, k_scale, v, v_scale = inputs
            caches = ((k, k_scale), (v, v_scale))
        else:
            q, k, v = inputs
            caches = ((k, None), (v, None))
        group = problem["heads"] // problem["kv_heads"]
        for batch in sorted({0, problem["batch"] - 1}):
            length = lengths_of(problem)[batch]
            for head in sorted({0, group - 1, problem["heads"] - 1}):
                keys, values = (exact(cache, scales, batch, head // group, length) for cache, scales in caches)
                scores = q[batch, head].double() @ keys.T * scale_of(problem)
                yield f"head {head} of sequence {batch}", outputs[batch, head], torch.softmax(scores, dim=-1) @ values

    # Averages over many keys are small, and so is all that may be wrong with them.
    def scale(self, want):
        return want.abs() + want.square().mean(dim=-1, keepdim=True).sqrt()

    def bytes(self, problem):
        queries, keys = problem["batch"] * problem["heads"], sum(lengths_of(problem)) * problem["kv_heads"]
        quantised_cache = problem["cache"] in QUANTISED
        width = 1 if quantised_cache else DTYPES[problem["dtype"]].itemsize
        scales = 4 if quantised_cache and problem["scales"] == "token" else 0
        return 2 * queries * problem["d"] * DTYPES[problem["dtype"]].itemsize + 2 * keys * (problem["d"] * width + scales)
