"""How good the picks are, as a table and as a summary."""

from lib.table import format_us

GOOD = 1 / 1.1   # of the best: a pick within 10 %
TARGET = 0.8     # of the problems
HEADER = ["kernel", "problem", "best us", "picked us", "best/picked", "match", "distance", "expected", "picked configuration"]


def judge(board, pick):
    """One row; `fraction` is best / picked, None where the pick was not timed, and `bound` says that it is at most that."""
    best = min(board["times"].values())
    time = board["times"].get(pick["text"])
    bound = time is None and pick["text"] in board["at_least"]
    if bound:
        time = board["at_least"][pick["text"]]
    return {"kernel": board["kernel"], "problem": board["problem_text"], "device": board["device"], "protocol": board["protocol"],
            "modelled": board["modelled"], "best_us": best,
            "best_configuration": min(board["times"], key=lambda text: (board["times"][text], text)),
            "tried": len(board["times"]) + len(board["at_least"]), "picked_us": time, "bound": bound,
            "fraction": None if time is None else best / time if time > 0 else 1.0, "match": pick["match"],
            "distance": pick["distance"], "expected": pick["score"], "picked_configuration": pick["text"]}


def is_good(row):
    return row["fraction"] is not None and not (row["bound"] and row["fraction"] < GOOD) and row["fraction"] >= GOOD


def summarise(rows):
    """Counts over all problems and by kernel. A pick that could not be timed is a bad one."""
    kernels = {}
    for row in rows:
        counts = kernels.setdefault(row["kernel"], {"good": 0, "problems": 0})
        counts["problems"] += 1
        counts["good"] += is_good(row)
    good = sum(counts["good"] for counts in kernels.values())
    fractions = [row["fraction"] for row in rows if row["fraction"] is not None]
    return {"good": good, "problems": len(rows), "met": bool(rows) and good >= TARGET * len(rows), "by_kernel": kernels,
            "mean_fraction": sum(fractions) / len(fractions) if fractions else None,
            "worst_fraction": min(fractions, default=None), "modelled": any(row["modelled"] for row in rows)}


def cells(row):
    time = "not timed" if row["picked_us"] is None else (">= " if row["bound"] else "") + format_us(row["picked_us"])
    fraction = "-" if row["fraction"] is None else ("<= " if row["bound"] else "") + f"{row['fraction']:.3f}"
    return [row["kernel"], row["problem"], format_us(row["best_us"]), time, fraction + ("" if is_good(row) else " *"), row["match"],
            f"{row['distance']:.2f}", f"{row['expected']:.3f}", row["picked_configuration"]]


def text(rows, summary):
    table = [HEADER] + [cells(row) for row in rows]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADER))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in table]
    lines.insert(1, "  ".join("-" * width for width in widths))
    kernels = ", ".join(f"{name} {counts['good']} of {counts['problems']}" for name, counts in summary["by_kernel"].items())
    verdict = "met" if summary["met"] else "MISSED"
    kind = "modelled times, which only test the plumbing" if summary["modelled"] else "measured times"
    lines += ["", f"within 10 % of the best: {summary['good']} of {summary['problems']} held problems ({kernels}); "
                  f"target {TARGET:.0%}: {verdict}; {kind}"]
    if summary["mean_fraction"] is not None:
        lines.append(f"best / picked: mean {summary['mean_fraction']:.3f}, worst {summary['worst_fraction']:.3f}; * is a miss")
    return "\n".join(lines)
