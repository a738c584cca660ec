"""What PyTorch offers for gemv: functional.linear (cuBLAS), eagerly and through torch.compile; weights in e4m3 are widened and
scaled on the way, which torch.compile may fuse. Read by scripts/peers."""

import torch
import torch.nn.functional as functional

from peers_lib.base import DTYPES, Rows, normal


def is_fp8(problem):
    return problem["weight"] == "e4m3"


class Peers(Rows):
    def inputs(self, problem):
        m, n, k, dtype = (problem[name] for name in ("m", "n", "k", "dtype"))
        w = normal((n, k), dtype)
        tensors = [normal((m, k), dtype), w.to(torch.float8_e4m3fn) if is_fp8(problem) else w]
        if is_fp8(problem):
            tensors.append(torch.empty(n, device="cuda").uniform_(0.5, 2))
        if problem["with_bias"]:
            tensors.append(normal((n,), dtype, 0.0, 30.0))
        return tensors

    # The scale is applied to the sums, as the kernel does it: to the weights would round them.
    def run(self, problem, inputs):
        x, w, rest = inputs[0], inputs[1], list(inputs[2:])
        if not is_fp8(problem):
            return functional.linear(x, w, rest[0] if rest else None)
        y = functional.linear(x, w.to(x.dtype)) * rest[0]
        return (y + rest[1] if problem["with_bias"] else y).to(x.dtype)

    # Float64 weights of a large layer would not fit in memory with it, so the outputs of some rows of w are compared: both ends.
    def compared(self, problem, inputs, outputs):
        n = problem["n"]
        index = torch.tensor(sorted({*range(min(64, n)), *range(max(0, n - 64), n)}), device="cuda")
        x, w, rest = inputs[0].double(), inputs[1][index].double(), list(inputs[2:])
        want = x @ w.T
        if is_fp8(problem):
            want = want * rest.pop(0)[index].double()
        if problem["with_bias"]:
            want = want + rest.pop(0)[index].double()
        yield "y", outputs[:, index], want

    def exact(self, problem, inputs):
        raise NotImplementedError("compared() computes the rows of w that it needs")

    # The error of a sum follows the size of its terms.
    def scale(self, want):
        return want.abs() + want.square().mean(dim=-1, keepdim=True).sqrt()

    def bytes(self, problem):
        m, n, k = problem["m"], problem["n"], problem["k"]
        element = DTYPES[problem["dtype"]].itemsize
        weights = n * k * (1 if is_fp8(problem) else element) + (4 * n if is_fp8(problem) else 0)
        return weights + (m * k + m * n + n * problem["with_bias"]) * element
