"""Reports of timers -> the table and the JSON of scripts/record/compare_timers. Pure functions."""

import math

from lib.statistics import median
from lib.table import format_table, format_us

HEADER = ["kernel", "aim us", "timer", "truth us", "mean us", "bias us", "bias %", "vs ours %", "CV %", "wall ms", "n"]
OURS = "warpwright"


def mean(values):
    return math.fsum(values) / len(values)


def cv_percent(values):
    """The sample standard deviation as per cent of the mean; None of fewer than two values."""
    if len(values) < 2:
        return None
    middle = mean(values)
    variance = math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1)
    return 100 * math.sqrt(variance) / middle


def rotated(names, round_index):
    """The order of round `round_index`: no timer is always first, none always follows the heat of the same one."""
    shift = round_index % len(names)
    order = names[shift:] + names[:shift]
    return order[::-1] if (round_index // len(names)) % 2 else order


def size_for(target_us, slope_us):
    """Steps or rows whose true time is nearest to the target."""
    return max(1, round(target_us / slope_us))


def report_truth_us(row, report):
    """A report that contains the true time of what it timed is compared with that, any other with the measured slope."""
    given = report.get("truth_us")
    return row["truth_us"] if given is None or row["truth_us"] is None else given


def summarise(row):
    """{"timer", "truth_us", "mean_us", "bias_us", "bias_percent", "cv_percent", "wall_ms", "count", "failed"}

    A row is {"kernel", "target_us", "timer", "truth_us" (None where there is none), "reports": [{"reported_us", "wall_ms"}
    or {"error"}]}. Bias is the mean of reported - truth.
    """
    good = [report for report in row["reports"] if "error" not in report]
    result = {"kernel": row["kernel"], "target_us": row["target_us"], "timer": row["timer"], "truth_us": None,
              "mean_us": None, "bias_us": None, "bias_percent": None, "cv_percent": None, "wall_ms": None,
              "count": len(good), "failed": len(row["reports"]) - len(good)}
    if not good:
        return result
    values = [report["reported_us"] for report in good]
    result.update(mean_us=mean(values), cv_percent=cv_percent(values),
                  wall_ms=median([report["wall_ms"] for report in good]))
    if row["truth_us"] is not None:
        truths = [report_truth_us(row, report) for report in good]
        truth_us = mean(truths)
        bias_us = mean([value - truth for value, truth in zip(values, truths)])
        result.update(truth_us=truth_us, bias_us=bias_us, bias_percent=100 * bias_us / truth_us)
    return result


def with_differences(summaries):
    """Adds "vs_ours_percent": how far a timer's mean is from ours on the same kernel and size."""
    ours = {(one["kernel"], one["target_us"]): one["mean_us"] for one in summaries if one["timer"] == OURS}
    for one in summaries:
        reference = ours.get((one["kernel"], one["target_us"]))
        known = reference is not None and one["mean_us"] is not None and one["timer"] != OURS
        one["vs_ours_percent"] = 100 * (one["mean_us"] / reference - 1) if known else None
    return summaries


def signed(value, digits):
    return "-" if value is None else f"{value:+.{digits}f}"


def table_row(one):
    return [
        one["kernel"], f"{one['target_us']:g}", one["timer"], format_us(one["truth_us"]), format_us(one["mean_us"]),
        signed(one["bias_us"], 3), signed(one["bias_percent"], 2), signed(one["vs_ours_percent"], 2),
        "-" if one["cv_percent"] is None else f"{one['cv_percent']:.2f}",
        "-" if one["wall_ms"] is None else f"{one['wall_ms']:.1f}",
        f"{one['count']}" + (f" ({one['failed']} failed)" if one["failed"] else ""),
    ]


def first_errors(rows):
    """One line for each timer and size that failed at all."""
    lines = []
    for row in rows:
        error = next((report["error"] for report in row["reports"] if "error" in report), None)
        if error:
            lines.append(f"  {row['kernel']} {row['target_us']:g} us, {row['timer']}: {error}")
    return lines


def text(result):
    environment = result["environment"]
    lines = [f"{key.ljust(12)}{value}" for key, value in environment.items()]
    lines += ["", format_table(HEADER, [table_row(one) for one in result["summaries"]])]
    return "\n".join(lines + [""] + first_errors(result["rows"])).rstrip()
