"""PyTorch's counterpart of topk_select: torch.topk. Read by scripts/peers."""

import torch

from peers_lib.base import DTYPES, Rows, normal


class Peers(Rows):
    def inputs(self, problem):
        return [normal((problem["tokens"], problem["experts"]), problem["dtype"])]

    def run(self, problem, inputs):
        return torch.topk(inputs[0], problem["k"], dim=-1)

    # `compared` counts rows by this size.
    def compared(self, problem, inputs, outputs, rows=4):
        return super().compared({**problem, "rows": problem["tokens"]}, inputs, outputs, rows)

    # Experts are not judged: PyTorch may order ties differently.
    def judged(self, outputs):
        return [outputs[0]]

    def exact(self, problem, inputs):
        return [torch.topk(inputs[0].double(), problem["k"], dim=-1).values]

    def bytes(self, problem):
        element = DTYPES[problem["dtype"]].itemsize
        return problem["tokens"] * (problem["experts"] * element + problem["k"] * (4 + element))
