"""What PyTorch offers for irope_scale: the formula of Llama 4, which computes the factor in f32 and multiplies in q's type.
Read by scripts/peers."""

import torch

from peers_lib.base import DTYPES, Rows, normal


def factor_of(positions, floor_scale, attn_scale):
    """As models write it."""
    return torch.log1p(torch.floor((positions + 1.0) / floor_scale)) * attn_scale + 1.0


class Peers(Rows):
    def inputs(self, problem):
        positions = torch.randint(0, 262143, (problem["tokens"],), dtype=torch.int32, device="cuda")
        return [normal((problem["tokens"], problem["heads"], problem["d"]), problem["dtype"]), positions]

    def run(self, problem, inputs):
        q, positions = inputs
        factor = factor_of(positions.float(), problem["floor_scale"], problem["attn_scale"])
        return (q * factor[:, None, None]).to(q.dtype)

    def exact(self, problem, inputs):
        q, positions = inputs
        factor = factor_of(positions.double(), problem["floor_scale"], problem["attn_scale"])
        return [q.double() * factor[:, None, None]]

    # The first and last tokens.
    def compared(self, problem, inputs, outputs, tokens=4):
        count = problem["tokens"]
        index = torch.tensor(sorted({*range(min(tokens, count)), *range(max(0, count - tokens), count)}), device="cuda")
        yield "output 0", outputs[index], self.exact(problem, [tensor[index] for tensor in inputs])[0]

    def bytes(self, problem):
        elements = problem["tokens"] * problem["heads"] * problem["d"]
        return 2 * elements * DTYPES[problem["dtype"]].itemsize + 4 * problem["tokens"]
