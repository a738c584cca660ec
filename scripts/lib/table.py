"""Tables of scripts, and the numbers in them."""


def format_us(value):
    """Microseconds with four significant digits, whole from 1000 on: 1.234, 12.34, 123.4, 1234."""
    if value is None:
        return "-"
    if value >= 1000:
        return f"{value:.0f}"
    if value >= 100:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 10 else f"{value:.3f}"


def format_interval(estimate):
    """"163.1 [163.0, 163.3]" of {median_us, ci_low_us, ci_high_us}; "-" of None."""
    if estimate is None:
        return "-"
    text = format_us(estimate["median_us"])
    low, high = estimate.get("ci_low_us"), estimate.get("ci_high_us")
    if low is None or high is None:
        return text
    return f"{text} [{format_us(low)}, {format_us(high)}]"


def is_raw(ours):
    """Whether our entry still includes the floor: results from before it was subtracted do not record a raw median."""
    return ours is not None and ours.get("raw_median_us") is None


def raw(estimate):
    """An estimate of a peer with the floor back in, to compare with an entry that includes it too."""
    if estimate is None or estimate.get("raw_median_us") is None:
        return estimate
    floor_us = estimate["floor_us"]
    bounds = {bound: estimate[bound] + floor_us for bound in ("ci_low_us", "ci_high_us") if estimate.get(bound) is not None}
    return {**estimate, **bounds, "median_us": estimate["raw_median_us"]}


def format_peer(estimate, ours):
    """"171.3 (1.05x)": the peer's time, and how many times ours it is."""
    if estimate is None:
        return "-"
    text = format_us(estimate["median_us"])
    if ours is not None:
        text += f" ({estimate['median_us'] / ours['median_us']:.2f}x)"
    return text


def format_ceiling(byte_count, estimate, gb_per_s, held_floor_us):
    """Per cent of the read ceiling that `estimate` reaches, or why that would be meaningless.

    Below 10 us what is timed is latency, not memory; more than 100 % means a wrong count or data in L2.
    `held_floor_us` is the part of a raw estimate that is not the kernel, 0 of a corrected one.
    """
    if estimate is None:
        return "-"
    if estimate["median_us"] - held_floor_us < 10:
        return "latency"
    percent = 100 * floor_us(byte_count, gb_per_s) / estimate["median_us"]
    return f"{percent:.1f} %" if percent <= 100 else f"{percent:.1f} % (!)"


def floor_us(byte_count, gb_per_s):
    """The time that the compulsory bytes take at the ceiling."""
    return byte_count / gb_per_s / 1e3


def format_table(header, rows):
    """Columns padded to their widest cell, all aligned on the left: numbers are text here."""
    widths = [max(len(row[column]) for row in [header] + rows) for column in range(len(header))]
    lines = []
    for row in [header, ["-" * width for width in widths]] + rows:
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    return "\n".join(lines)


def format_figures(rows):
    """Lines of a table whose first row is the header: names on the left, figures aligned on the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True)))
             for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "".join(line.rstrip() + "\n" for line in lines)


def format_tflops(flops, estimate):
    """TFLOP/s of `estimate`, to three digits."""
    if estimate is None or not flops or estimate["median_us"] <= 0:
        return "-"
    tflops = flops / estimate["median_us"] / 1e6
    return f"{tflops:.0f}" if tflops >= 100 else f"{tflops:.1f}" if tflops >= 10 else f"{tflops:.2f}"


def peer_names(results):
    """The peers that any of a kernel's results has, in their order."""
    return list(dict.fromkeys(name for result in results for name in result["peers"]))


def header(names, counts_flops):
    """The header for the rows of result_row()."""
    tflops = [f"{name} TFLOP/s" for name in ["ours"] + names] if counts_flops else []
    return ["problem", "ours us [95 %]", "configuration"] + [f"{name} us (of ours)" for name in names] + tflops + [
        "bytes us", "% of read"]


def result_row(result, names, counts_flops, read_gb_per_s, event_floor_us):
    """A row of the table from one result of scripts/peers (see its --json)."""
    ours = result["ours"]
    compare_raw = is_raw(ours)
    peers = {name: raw(peer) if compare_raw else peer for name, peer in result["peers"].items()}
    # Without ours, the peer that comes last: the more a peer does to be fast, the later it is listed.
    shown = ours or next((peers[name] for name in reversed(names) if peers.get(name)), None)
    ceiling = format_ceiling(result["bytes"], shown, read_gb_per_s, event_floor_us if compare_raw else 0.0)
    if ours is None and ceiling != "-":
        ceiling += " (peer)"
    tflops = [format_tflops(result.get("flops"), timed) for timed in [ours] + [peers.get(name) for name in names]]
    return [
        result["problem_text"],
        format_interval(ours) + (" raw" if compare_raw else ""),
        result["configuration"] or "-",
        *(format_peer(peers.get(name), ours) for name in names),
        *(tflops if counts_flops else []),
        format_us(floor_us(result["bytes"], read_gb_per_s)),
        ceiling,
    ]
