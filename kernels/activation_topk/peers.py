"""PyTorch's counterpart of activation_topk: the definition, operation by operation. Read by scripts/peers."""

import torch
import torch.nn.functional as functional

from peers_lib.base import Rows, normal

SCORING = {
    "sqrt_softplus": lambda x: functional.softplus(x).sqrt(),
    "sigmoid": lambda x: x.sigmoid(),
    "softmax": lambda x: torch.softmax(x, dim=-1),
}


def route(problem, logits, bias):
    """Weights and experts of tokens, in the dtype of the logits."""
    activations = SCORING[problem["scoring"]](logits)
    scores = activations + bias
    if problem["groups"] > 1:
        grouped = scores.view(len(scores), problem["groups"], -1)
        best = grouped.topk(2, dim=-1).values.sum(dim=-1).topk(problem["kept_groups"], dim=-1).indices
        kept = torch.zeros_like(grouped[..., 0], dtype=torch.bool).scatter(1, best, True)
        scores = grouped.masked_fill(~kept[..., None], float("-inf")).flatten(1)
    experts = torch.topk(scores, problem["k"], dim=-1).indices
    weights = activations.gather(1, experts)
    if problem["normalise"]:
        weights = weights / (weights.sum(dim=-1, keepdim=True) + 1e-20)
    return weights * problem["scale"], experts.int()


class Peers(Rows):
    def inputs(self, problem):
        rows = normal((problem["tokens"], problem.get("row_stride") or problem["experts"]), problem["dtype"], deviation=1.5)
        return [rows[:, :problem["experts"]],
                normal((problem["experts"],), "f32", deviation=0.1)]

    def run(self, problem, inputs):
        return route(problem, *inputs)

    # Only the first and last tokens. Weights are compared in order of size: experts whose scores nearly tie may come in either order,
    # as long as they are chosen.
    def compared(self, problem, inputs, outputs):
        count = problem["tokens"]
        index = torch.tensor(sorted({*range(min(4, count)), *range(max(0, count - 4), count)}), device="cuda")
        want = route(problem, inputs[0][index].double(), inputs[1].double())[0]
        yield "weights", outputs[0][index].sort(dim=-1).values, want.sort(dim=-1).values

    def bytes(self, problem):
        return problem["tokens"] * (4 * problem["experts"] + 8 * problem["k"]) + 4 * problem["experts"]
