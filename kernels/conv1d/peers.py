"""What PyTorch offers for conv1d: its convolution (cuDNN), then GELU, eagerly and through torch.compile. Channels first is its
own layout; channels last goes through it with the transpositions that it then needs, of x and of the result, and with weights
that were transposed beforehand. Read by scripts/peers."""

import math

import torch
import torch.nn.functional as functional

from peers_lib.base import DTYPES, Rows, normal


def out_length(problem):
    return (problem["length"] + 2 * problem["pad"] - problem["width"]) // problem["stride"] + 1


def terms(problem):
    return problem["c_in"] * problem["width"]


class Peers(Rows):
    def inputs(self, problem):
        sequence = (problem["c_in"], problem["length"])
        if not self.first(problem):
            sequence = sequence[::-1]
        return [normal((problem["batch"], *sequence), problem["dtype"]),
                normal((problem["c_out"], problem["c_in"], problem["width"]), problem["dtype"],
                       deviation=1 / math.sqrt(terms(problem))),
                normal((problem["c_out"],), problem["dtype"])]

    def first(self, problem):
        return problem["layout"] == "channels_first"

    def run(self, problem, inputs):
        x, w, bias = inputs
        if not self.first(problem):
            x = x.transpose(1, 2).contiguous()
        out = functional.conv1d(x, w, bias, stride=problem["stride"], padding=problem["pad"])
        if problem["activation"] == "gelu":
            out = functional.gelu(out)  # the form with the error function
        return out if self.first(problem) else out.transpose(1, 2).contiguous()

    # All channels of the first and last times, and of some in the middle, of the first and last sequence.
    def compared(self, problem, inputs, outputs):
        x, w, bias = inputs
        if not self.first(problem):
            x, outputs = x.transpose(1, 2), outputs.transpose(1, 2)
        count = out_length(problem)
        times = sorted({t for t in (0, 1, 2, count // 2, count - 2, count - 1) if 0 <= t < count})
        for b in sorted({0, problem["batch"] - 1}):
            padded = functional.pad(x[b].double(), (problem["pad"], problem["pad"]))
            for t in times:
                start = t * problem["stride"]
                window = padded[:, start:start + problem["width"]]
                want = (w.double() * window).sum(dim=(1, 2)) + bias.double()
                if problem["activation"] == "gelu":
                    want = functional.gelu(want)
                yield f"time {t} of sequence {b}", outputs[b, :, t], want

    # Sums cancel; their error follows the size of all of a time's.
    def scale(self, want):
        return want.abs() + want.square().mean(dim=-1, keepdim=True).sqrt()

    def bytes(self, problem):
        elements = (problem["batch"] * problem["c_in"] * problem["length"] + problem["c_out"] * (terms(problem) + 1)
                    + problem["batch"] * problem["c_out"] * out_length(problem))
        return elements * DTYPES[problem["dtype"]].itemsize

    def flops(self, problem):
        return 2 * problem["batch"] * out_length(problem) * problem["c_out"] * terms(problem)
