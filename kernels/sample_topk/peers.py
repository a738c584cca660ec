"""PyTorch's counterpart of sample_topk: top-k, a softmax of it, top-p, and a draw by multinomial. Read by scripts/peers."""

import torch

from peers_lib.base import DTYPES, Rows, normal


class Peers(Rows):
    def inputs(self, problem):
        temperature, top_p = normal((problem["rows"],), "f32").abs() + 0.5, torch.full((problem["rows"],), 0.9, device="cuda")
        return [normal((problem["rows"], problem["V"]), problem["dtype"], deviation=2), temperature, top_p]

    def run(self, problem, inputs):
        logits, temperature, top_p = inputs
        best, indices = torch.topk(logits.float(), problem["K"], dim=-1)
        probs = torch.softmax(best / temperature[:, None], dim=-1)
        kept = probs.masked_fill(probs.cumsum(dim=-1) - probs >= top_p[:, None], 0)
        return best, indices.gather(1, torch.multinomial(kept, 1))

    # Tokens are not judged: the random numbers are PyTorch's own.
    def judged(self, outputs):
        return [outputs[0]]

    def exact(self, problem, inputs):
        return [torch.topk(inputs[0].double(), problem["K"], dim=-1).values]

    def bytes(self, problem):
        return problem["rows"] * (problem["V"] * DTYPES[problem["dtype"]].itemsize + 16)
