"""What PyTorch offers for layernorm: functional.layer_norm, after an addition where there is a residual. Read by
scripts/peers."""

import torch
import torch.nn.functional as functional

from peers_lib.base import DTYPES, Rows, normal

EPS = 1e-5


class Peers(Rows):
    def inputs(self, problem):
        shape = (problem["rows"], problem["d"])
        width = (problem["d"],)
        tensors = [normal(shape, problem["dtype"]), normal(width, problem["dtype"], 1.0, 0.2),
                   normal(width, problem["dtype"], 0.0, 0.5)]
        return tensors + ([normal(shape, problem["dtype"])] if problem["residual"] else [])

    def run(self, problem, inputs):
        x, w, b, *residual = inputs
        z = x + residual[0] if residual else x
        y = functional.layer_norm(z, (z.shape[-1],), w, b, EPS)
        return (y, z) if residual else y

    def exact(self, problem, inputs):
        x, w, b, *residual = (tensor.double() for tensor in inputs)
        z = x + residual[0] if residual else x
        distance = z - z.mean(dim=-1, keepdim=True)
        y = distance * torch.rsqrt(distance.square().mean(dim=-1, keepdim=True) + EPS) * w + b
        return [y, z] if residual else [y]

    # PyTorch rounds the sum to its dtype before the norm, and the bias may cancel what is left: an element may be off by a
    # share of its row's scale, however small it is itself.
    def scale(self, want):
        return want.abs() + 0.2 * want.abs().amax(dim=-1, keepdim=True)

    def bytes(self, problem):
        element = DTYPES[problem["dtype"]].itemsize
        return ((2 + 2 * problem["residual"]) * problem["rows"] + 2) * problem["d"] * element
