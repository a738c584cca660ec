"""PyTorch's counterpart of gated_activation: an activation of g times u. Read by scripts/peers."""

import torch.nn.functional as functional

from peers_lib.base import DTYPES, Rows, normal

ACTIVATIONS = {
    "silu": functional.silu,
    "gelu_tanh": lambda g: functional.gelu(g, approximate="tanh"),
    "gelu_erf": functional.gelu,
}


class Peers(Rows):
    def inputs(self, problem):
        shape = (problem["rows"], problem["d"])
        return [normal(shape, problem["dtype"]), normal(shape, problem["dtype"])]

    def run(self, problem, inputs):
        return ACTIVATIONS[problem["activation"]](inputs[0]) * inputs[1]

    def exact(self, problem, inputs):
        return [ACTIVATIONS[problem["activation"]](inputs[0].double()) * inputs[1].double()]

    def bytes(self, problem):
        return 3 * problem["rows"] * problem["d"] * DTYPES[problem["dtype"]].itemsize
