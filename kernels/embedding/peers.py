"""PyTorch's counterpart of embedding: two lookups and a sum. Read by scripts/peers."""

import torch
import torch.nn.functional as functional

from peers_lib.base import DTYPES, Rows, normal


class Peers(Rows):
    def inputs(self, problem):
        numbers = [torch.randint(problem[rows], (problem["tokens"],), device="cuda", dtype=torch.int32) for rows in ("vocabulary", "length")]
        return [*numbers, *(normal((problem[rows], problem["d"]), problem["dtype"]) for rows in ("vocabulary", "length"))]

    def run(self, problem, inputs):
        ids, places, table, positions = inputs
        return functional.embedding(ids, table) + functional.embedding(places, positions)

    # Only the first and last tokens; the tables stay whole.
    def compared(self, problem, inputs, outputs):
        count = problem["tokens"]
        index = torch.tensor(sorted({*range(min(4, count)), *range(max(0, count - 4), count)}), device="cuda")
        ids, places, table, positions = inputs
        yield "out", outputs[index], table[ids[index].long()].double() + positions[places[index].long()].double()

    def bytes(self, problem):
        rows = problem["tokens"] + sum(min(problem["tokens"], problem[rows]) * 3 // 5 for rows in ("vocabulary", "length"))
        return rows * problem["d"] * DTYPES[problem["dtype"]].itemsize + 8 * problem["tokens"]
