"""What PyTorch offers for each kernel: inputs, the same operation, and what it should give.

An equivalent has
    peers                                 the names of the ways to compute it, in the order of the table
    incomparable(problem)                 why none of them computes this problem, or an empty string
    inputs(problem)                       the tensors, random, on the GPU
    operation(peer, problem, inputs)      what is timed, and a note on it or an empty string
    compared(problem, inputs, outputs)    (place, output, exact value in float64) of what is judged
    scale(want)                           what the error of each element is relative to
    bytes(problem)                        compulsory traffic: every input once, every output once
and, where arithmetic is what limits it,
    flops(problem)
Operations on rows inherit most of it and have run() and exact(), with the outputs in one order.
"""

import torch
import torch.nn.functional as functional

from .equivalents_base import DTYPES, Rows, normal
from .sdpa import AttentionPrefill

RMSNORM_EPS = 1e-6


class SoftmaxTopk(Rows):
    def inputs(self, problem):
        return [normal((problem["rows"], problem["V"]), problem["dtype"])]

    def run(self, problem, inputs):
        return torch.topk(torch.softmax(inputs[0], dim=-1, dtype=torch.float32), problem["K"], dim=-1)

    # Indices are left out: ties may be ordered differently.
    def judged(self, outputs):
        return [outputs[0]]

    def exact(self, problem, inputs):
        return [torch.topk(torch.softmax(inputs[0].double(), dim=-1), problem["K"], dim=-1).values]

    def bytes(self, problem):
        element = DTYPES[problem["dtype"]].itemsize
        return problem["rows"] * (problem["V"] * element + problem["K"] * 8)


class Gated(Rows):
    def inputs(self, problem):
        shape = (problem["rows"], problem["d"])
        return [normal(shape, problem["dtype"]), normal(shape, problem["dtype"])]

    def run(self, problem, inputs):
        return self.gate(inputs[0]) * inputs[1]

    def exact(self, problem, inputs):
        return [self.gate(inputs[0].double()) * inputs[1].double()]

    def bytes(self, problem):
        return 3 * problem["rows"] * problem["d"] * DTYPES[problem["dtype"]].itemsize


class Swiglu(Gated):
    def gate(self, g):
        return functional.silu(g)


class Geglu(Gated):
    def gate(self, g):
        return functional.gelu(g, approximate="tanh")


class RmsnormResidual(Rows):
    def inputs(self, problem):
        shape = (problem["rows"], problem["d"])
        return [
            normal(shape, problem["dtype"]),
            normal(shape, problem["dtype"]),
            normal((problem["d"],), problem["dtype"], 1.0, 0.2),
        ]

    def run(self, problem, inputs):
        x, r, w = inputs
        z = x + r
        y = functional.rms_norm(z, (z.shape[-1],), w, RMSNORM_EPS)
        return (y, z) if problem["write_z"] else y

    def exact(self, problem, inputs):
        x, r, w = (tensor.double() for tensor in inputs)
        z = x + r
        y = z * torch.rsqrt(z.square().mean(dim=-1, keepdim=True) + RMSNORM_EPS) * w
        return [y, z] if problem["write_z"] else [y]

    def bytes(self, problem):
        element = DTYPES[problem["dtype"]].itemsize
        return (3 + problem["write_z"]) * problem["rows"] * problem["d"] * element + problem["d"] * element


EQUIVALENTS = {
    "softmax_topk": SoftmaxTopk(),
    "swiglu": Swiglu(),
    "geglu": Geglu(),
    "rmsnorm_residual": RmsnormResidual(),
    "attention_prefill": AttentionPrefill(),
}
