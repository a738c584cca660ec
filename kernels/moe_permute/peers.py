"""PyTorch's counterpart of moe_permute: a stable sort and a count. Read by scripts/peers."""

import torch

from peers_lib.base import Rows


class Peers(Rows):
    def inputs(self, problem):
        shape = (problem["tokens"], problem["k"])
        ids = torch.randint(problem["experts"], shape, dtype=torch.int32, device="cuda")
        return [ids, torch.rand(shape, device="cuda")]

    def run(self, problem, inputs):
        ids, weights = inputs
        flat = ids.flatten()
        order = torch.sort(flat, stable=True).indices
        position = torch.empty_like(order).scatter_(0, order, torch.arange(len(order), device=order.device))
        counts = torch.bincount(flat, minlength=problem["experts"])
        offsets = torch.cat([torch.zeros_like(counts[:1]), counts.cumsum(0)])
        return weights.flatten()[order], order.int(), position.int(), counts.int(), offsets.int()

    # All of it: stable sorts have one result.
    def compared(self, problem, inputs, outputs):
        ids, weights = (tensor.cpu() for tensor in inputs)
        for number, (got, want) in enumerate(zip(outputs, self.run(problem, [ids, weights]))):
            yield f"output {number}", got, want.double().to(got.device)

    # Integers are not rounded.
    def scale(self, want):
        return want.abs().clamp(max=1)

    def bytes(self, problem):
        return 20 * problem["tokens"] * problem["k"] + 8 * problem["experts"] + 4
