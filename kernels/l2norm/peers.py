"""What PyTorch offers for l2norm: functional.rms_norm without weights. Read by
scripts/peers."""

import torch
import torch.nn.functional as functional

from peers_lib.base import DTYPES, Rows, normal

EPS = 1e-6


class Peers(Rows):
    def inputs(self, problem):
        return [normal((problem["rows"], problem["d"]), problem["dtype"])]

    # The one call is fewer launches than the formula, eagerly; compiled they are the same.
    def run(self, problem, inputs):
        return functional.rms_norm(inputs[0], (problem["d"],), None, EPS)

    def exact(self, problem, inputs):
        x = inputs[0].double()
        return [x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + EPS)]

    def bytes(self, problem):
        return 2 * problem["rows"] * problem["d"] * DTYPES[problem["dtype"]].itemsize
