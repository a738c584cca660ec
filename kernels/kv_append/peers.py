"""What PyTorch offers for kv_append: rotation as models write it and an assignment by index, eagerly and through torch.compile.
Read by scripts/peers."""

import torch

from peers_lib.base import DTYPES, Rows, normal

CACHES = {**DTYPES, "i8": torch.int8}


def quantised(problem):
    return problem["cache"] == "i8"


def rotated(problem):
    return problem["rope"] != "none"


def places(problem, lengths, page_table):
    """[batch, q_len], counted over the whole cache."""
    positions = lengths[:, None] + torch.arange(problem["q_len"], device=lengths.device)
    if problem["page"]:
        page = problem["page"]
        return page_table.gather(1, positions // page) * page + positions % page, positions
    first = torch.arange(problem["batch"], device=lengths.device)[:, None] * problem["capacity"]
    return first + positions, positions


def rotate(problem, x, cosines, sines):
    if problem["rope"] == "halves":
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * cosines - b * sines, b * cosines + a * sines), dim=-1)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cosines - b * sines, b * cosines + a * sines), dim=-1).flatten(-2)


class Peers(Rows):
    def incomparable(self, problem):
        return "outputs of peers are judged in 16 bits" if problem["cache"] == "e4m3" else ""

    def inputs(self, problem):
        batch, capacity, d = problem["batch"], problem["capacity"], problem["d"]
        tokens = (batch, problem["q_len"])
        pages = capacity // problem["page"] if problem["page"] else 1
        frequency = problem["base"] ** (-torch.arange(0, d, 2, device="cuda", dtype=torch.float64) / d)
        angles = torch.arange(capacity, device="cuda", dtype=torch.float64)[:, None] * frequency
        cache = (batch * capacity, problem["kv_heads"], d)
        return [
            normal((*tokens, problem["kv_heads"], d), problem["dtype"]),
            normal((*tokens, problem["kv_heads"], d), problem["dtype"]),
            normal((*tokens, problem["heads"], d), problem["dtype"]),
            torch.randint(0, capacity - problem["q_len"] + 1, (batch,), device="cuda"),
            torch.randperm(batch * pages, device="cuda").view(batch, pages),
            angles.cos().float(),
            angles.sin().float(),
            torch.zeros(cache, dtype=CACHES[problem["cache"]], device="cuda"),
            torch.zeros(cache, dtype=CACHES[problem["cache"]], device="cuda"),
            torch.zeros(cache[:2], device="cuda"),
            torch.zeros(cache[:2], device="cuda"),
        ]

    def run(self, problem, inputs):
        k, v, q, lengths, page_table, cosines, sines, k_cache, v_cache, k_scale, v_scale = inputs
        place, positions = places(problem, lengths, page_table)
        q_out = None
        if rotated(problem):
            cosine, sine = (table[positions][:, :, None] for table in (cosines, sines))
            q_out = rotate(problem, q.float(), cosine, sine).to(q.dtype)
            k = rotate(problem, k.float(), cosine, sine).to(k.dtype)
        for rows, cache, scales in ((k, k_cache, k_scale), (v, v_cache, v_scale)):
            if quantised(problem):
                amax = rows.float().abs().amax(dim=-1)
                divisor = torch.where(amax > 0, amax, 1.0)
                scales[place] = amax / 127
                rows = torch.round(rows.float() * 127 / divisor[..., None]).to(torch.int8)
            cache[place] = rows
        return tuple(tensor for tensor in (k_cache, v_cache, q_out) if tensor is not None)

    def compared(self, problem, inputs, outputs):
        k, v, q, lengths, page_table, cosines, sines, _, _, k_scale, v_scale = inputs
        place, positions = places(problem, lengths, page_table)
        cosine, sine = (table[positions][:, :, None].double() for table in (cosines, sines))
        k, v, q = (tensor.double() for tensor in (k, v, q))
        if rotated(problem):
            yield "q_out", outputs[2], rotate(problem, q, cosine, sine)
            k = rotate(problem, k, cosine, sine)
        for name, want, cache, scales in (("k", k, outputs[0], k_scale), ("v", v, outputs[1], v_scale)):
            got = cache[place].double()
            yield name, got * scales[place][..., None] if quantised(problem) else got, want

    def exact(self, problem, inputs):
        raise NotImplementedError("compared() knows where the rows went")

    # A step of int8 follows the largest of its row.
    def scale(self, want):
        return want.abs() + want.square().mean(dim=-1, keepdim=True).sqrt()

    def bytes(self, problem):
        tokens = problem["batch"] * problem["q_len"]
        element, kept = DTYPES[problem["dtype"]].itemsize, CACHES[problem["cache"]].itemsize
        rows = 2 * problem["kv_heads"] * problem["d"] * (element + kept)
        scales = 8 * problem["kv_heads"] if quantised(problem) else 0
        turned = 2 * problem["heads"] * problem["d"] * element + 4 * problem["d"] if rotated(problem) else 0
        return tokens * (rows + scales + turned) + 4 * problem["batch"]
