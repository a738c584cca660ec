"""What PyTorch offers for moe_router: a linear layer, then the definition of the choice; and the linear layer alone (cuBLAS), to
which activation_topk would have to be added. Read by scripts/peers."""

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
    peers = (*Rows.peers, "product")

    def operation(self, peer, problem, inputs):
        if peer != "product":
            return super().operation(peer, problem, inputs)
        hidden, gate, _ = inputs
        return lambda: functional.linear(hidden, gate), "the linear layer alone, nothing chosen"

    def inputs(self, problem):
        return [normal((problem["tokens"], problem["hidden_size"]), problem["dtype"]),
                normal((problem["experts"], problem["hidden_size"]), problem["dtype"], deviation=0.018),
                torch.zeros(problem["experts"], device="cuda")]

    # The linear layer rounds its logits to bf16, as it does in models; ours stay f32.
    def run(self, problem, inputs):
        hidden, gate, bias = inputs
        return route(problem, functional.linear(hidden, gate).float(), bias)

    # Only the first and last tokens. Weights are compared in order of size: rounded logits change the order of experts, and which of
    # nearly equal ones is chosen.
    def compared(self, problem, inputs, outputs):
        hidden, gate, bias = inputs
        count = problem["tokens"]
        index = torch.tensor(sorted({*range(min(4, count)), *range(max(0, count - 4), count)}), device="cuda")
        logits = hidden[index].double() @ gate.double().T
        if torch.is_tensor(outputs):
            yield "logits", outputs[index], logits
            return
        want = route(problem, logits, bias.double())[0]
        yield "weights", outputs[0][index].sort(dim=-1).values, want.sort(dim=-1).values

    def bytes(self, problem):
        words = problem["hidden_size"] * (problem["tokens"] + problem["experts"])
        return 2 * words + 4 * problem["experts"] + 8 * problem["tokens"] * problem["k"]

    def flops(self, problem):
        return 2 * problem["tokens"] * problem["experts"] * problem["hidden_size"]
