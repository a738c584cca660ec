"""PyTorch's counterpart of hash_router: two gathers and the definition of the weights. Read by scripts/peers."""

import torch
import torch.nn.functional as functional

from peers_lib.base import Rows, normal


class Peers(Rows):
    def inputs(self, problem):
        tokens = torch.randint(problem["vocab"], (problem["count"],), dtype=torch.int32, device="cuda")
        table = torch.randint(problem["experts"], (problem["vocab"], problem["k"]), dtype=torch.int32, device="cuda")
        return [tokens, table, normal((problem["count"], problem["experts"]), problem["dtype"], deviation=1.5)]

    def run(self, problem, inputs):
        tokens, table, gate = inputs
        experts = table[tokens]
        if problem["weighting"] == "uniform":
            return torch.full_like(experts, 1 / problem["k"], dtype=gate.dtype), experts
        weights = functional.softplus(gate.gather(1, experts.long())).sqrt()
        return weights * (problem["scale"] / (weights.sum(dim=-1, keepdim=True) + 1e-20)), experts

    # All of it is small.
    def compared(self, problem, inputs, outputs):
        tokens, table, gate = inputs
        weights, experts = self.run(problem, [tokens, table, gate.double()])
        yield "weights", outputs[0], weights
        yield "ids", outputs[1], experts.double()

    def bytes(self, problem):
        return problem["count"] * (4 + problem["k"] * (16 if problem["weighting"] == "gate" else 12))
