"""The parts that the peers.py of kernels are made of, and the judgement of their outputs."""

import torch

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
# Relative error that arithmetic in each dtype may have; eager arithmetic rounds after every operation.
TOLERANCE = {"f32": 1e-4, "bf16": 3e-2, "f16": 4e-3}


def normal(shape, dtype, mean=0.0, deviation=1.0):
    tensor = torch.empty(shape, dtype=DTYPES[dtype], device="cuda")
    return tensor.normal_(mean, deviation)


class Rows:
    """An operation on rows, as people write it, and the same through torch.compile. Its subclasses have run() and exact()."""

    peers = ("eager", "compile")

    def incomparable(self, problem):
        return ""

    def operation(self, peer, problem, inputs):
        if peer == "eager":
            return lambda: self.run(problem, inputs), ""
        torch.compiler.reset()
        compiled = torch.compile(lambda *tensors: self.run(problem, tensors), dynamic=False)
        return lambda: compiled(*inputs), ""

    # The first and last rows.
    def compared(self, problem, inputs, outputs, rows=4):
        count = problem["rows"]
        sample = sorted({*range(min(rows, count)), *range(max(0, count - rows), count)})
        index = torch.tensor(sample, device="cuda")
        sampled = [tensor[index] if tensor.dim() == 2 else tensor for tensor in inputs]
        exact = self.exact(problem, sampled)
        for number, (got, want) in enumerate(zip(self.judged(outputs), exact)):
            yield f"output {number}", got[index], want

    # The outputs that have an exact value.
    def judged(self, outputs):
        return list(outputs) if isinstance(outputs, tuple) else [outputs]

    # An element may be tiny because terms cancel; the scale of its row bounds its error then.
    def scale(self, want):
        return want.abs() + 0.01 * want.abs().amax(dim=-1, keepdim=True)


def difference(equivalent, problem, inputs, outputs):
    """Why the outputs are not the operation that we define, or an empty string."""
    tolerance = TOLERANCE[problem["dtype"]]
    for place, got, want in equivalent.compared(problem, inputs, outputs):
        got = got.double()
        if not torch.isfinite(got).all():
            return f"{place} has a value that is not finite"
        scale = equivalent.scale(want)
        # Not by `>`, so that a NaN in the comparison is a failure too.
        if not ((got - want).abs() <= tolerance * scale + 1e-30).all():
            worst = ((got - want).abs() / (scale + 1e-30)).max().item()
            return f"{place} differs by {worst:.2g} of its scale, more than {tolerance:.0e}"
    return ""
