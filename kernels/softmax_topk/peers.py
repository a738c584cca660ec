"""PyTorch's counterpart of softmax_topk: torch.topk of torch.softmax. Read by scripts/peers."""

import torch

from peers_lib.base import DTYPES, Rows, normal


class Peers(Rows):
    def inputs(self, problem):
        return [normal((problem["rows"], problem["V"]), problem["dtype"])]

    def run(self, problem, inputs):
        return torch.topk(torch.softmax(inputs[0], dim=-1, dtype=torch.float32), problem["K"], dim=-1)

    # Indices are not judged: PyTorch may order ties differently.
    def judged(self, outputs):
        return [outputs[0]]

    def exact(self, problem, inputs):
        return [torch.topk(torch.softmax(inputs[0].double(), dim=-1), problem["K"], dim=-1).values]

    def bytes(self, problem):
        element = DTYPES[problem["dtype"]].itemsize
        return problem["rows"] * (problem["V"] * element + problem["K"] * 8)
