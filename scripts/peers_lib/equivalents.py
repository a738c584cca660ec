"""What PyTorch offers for each kernel: inputs, the same operation as people write it, and what it should give.

An equivalent has
    inputs(problem)             the tensors, random, on the GPU
    run(problem, inputs)        the operation, eager; torch.compile is given the same function
    exact(problem, inputs)      its outputs from float64, in the order that run() returns them
    bytes(problem)              compulsory traffic: every input once, every output once
"""

import torch
import torch.nn.functional as functional

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
# Relative error that eager arithmetic in each dtype may have; it rounds after every operation.
TOLERANCE = {"f32": 1e-4, "bf16": 3e-2, "f16": 4e-3}
RMSNORM_EPS = 1e-6


def normal(shape, dtype, mean=0.0, deviation=1.0):
    tensor = torch.empty(shape, dtype=DTYPES[dtype], device="cuda")
    return tensor.normal_(mean, deviation)


class SoftmaxTopk:
    def inputs(self, problem):
        return [normal((problem["rows"], problem["V"]), problem["dtype"])]

    def run(self, problem, inputs):
        return torch.topk(torch.softmax(inputs[0], dim=-1, dtype=torch.float32), problem["K"], dim=-1)

    # Indices are left out: ties may be ordered differently.
    def compared(self, outputs):
        return [outputs[0]]

    def exact(self, problem, inputs):
        return [torch.topk(torch.softmax(inputs[0].double(), dim=-1), problem["K"], dim=-1).values]

    def bytes(self, problem):
        element = DTYPES[problem["dtype"]].itemsize
        return problem["rows"] * (problem["V"] * element + problem["K"] * 8)


class Gated:
    def inputs(self, problem):
        shape = (problem["rows"], problem["d"])
        return [normal(shape, problem["dtype"]), normal(shape, problem["dtype"])]

    def run(self, problem, inputs):
        return self.gate(inputs[0]) * inputs[1]

    def compared(self, outputs):
        return [outputs]

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


class RmsnormResidual:
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

    def compared(self, outputs):
        return list(outputs) if isinstance(outputs, tuple) else [outputs]

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
}


def difference(equivalent, problem, inputs, outputs, rows=4):
    """Why the outputs are not the operation that we define, or an empty string. The first and last rows are compared."""
    count = problem["rows"]
    sample = sorted({*range(min(rows, count)), *range(max(0, count - rows), count)})
    index = torch.tensor(sample, device="cuda")
    sampled = [tensor[index] if tensor.dim() == 2 else tensor for tensor in inputs]
    exact = equivalent.exact(problem, sampled)
    tolerance = TOLERANCE[problem["dtype"]]
    for number, (got, want) in enumerate(zip(equivalent.compared(outputs), exact)):
        got = got[index].double()
        if not torch.isfinite(got).all():
            return f"output {number} has a value that is not finite"
        # Positively: a NaN in the comparison is a failure too. An element may be tiny because terms cancel; the scale of
        # its row bounds its error then.
        scale = want.abs() + 0.01 * want.abs().amax(dim=-1, keepdim=True)
        if not ((got - want).abs() <= tolerance * scale + 1e-30).all():
            worst = ((got - want).abs() / (scale + 1e-30)).max().item()
            return f"output {number} differs by {worst:.2g} of its scale, more than {tolerance:.0e}"
    return ""
