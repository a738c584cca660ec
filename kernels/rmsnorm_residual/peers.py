"""PyTorch's counterpart of rmsnorm_residual: an addition and functional.rms_norm. Read by scripts/peers."""

import torch
import torch.nn.functional as functional

from peers_lib.base import DTYPES, Rows, normal

EPS = 1e-6


class Peers(Rows):
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
        y = functional.rms_norm(z, (z.shape[-1],), w, EPS)
        return (y, z) if problem["write_z"] else y

    def exact(self, problem, inputs):
        x, r, w = (tensor.double() for tensor in inputs)
        z = x + r
        y = z * torch.rsqrt(z.square().mean(dim=-1, keepdim=True) + EPS) * w
        return [y, z] if problem["write_z"] else [y]

    def bytes(self, problem):
        element = DTYPES[problem["dtype"]].itemsize
        return (3 + problem["write_z"]) * problem["rows"] * problem["d"] * element + problem["d"] * element
