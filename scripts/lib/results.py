"""Our numbers, as `warpwright show KERNEL --json` prints them."""

import json
import subprocess

from .sweeps import UserError


def read_leaderboards(warpwright, kernel, database=None):
    """The list of leaderboards of a kernel; empty when the database holds none.

    This is the only code that runs this query. best_entry() uses these members of the answer, and nothing else does:

        {"leaderboards": [{"kernel": "my_kernel",
                           "problem": {"rows": 8192, "d": 14336, "dtype": "bf16"},
                           "device": {"name": "NVIDIA H200"},
                           "modelled": false,
                           "ranking": {"headline": {"cold": {"median_us": 163.2, ...}}},
                           "entries": [{"configuration_text": "flat THREADS=256", "variant": "flat", "status": "ok",
                                        "median_us": 163.1, "ci_low_us": 163.0, "ci_high_us": 163.3,
                                        "raw_median_us": 166.2, "floor_us": 3.1}]}]}

    An older result without raw_median_us has the raw median in median_us.
    """
    command = [str(warpwright), "show", kernel, "--json"]
    if database:
        command += ["--db", str(database)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UserError(f"cannot run {warpwright}: {error.strerror}; build it or name it with --warpwright") from None
    if done.returncode != 0:
        # No results of this kernel is an answer: the table then shows the peers alone.
        if "no results" in done.stderr:
            return []
        raise UserError(f"`{' '.join(command)}` failed:\n{done.stderr.strip()}")
    try:
        return json.loads(done.stdout)["leaderboards"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UserError(f"`{' '.join(command)}` did not print leaderboards as JSON ({error!r})") from None


def best_entry(leaderboards, kernel, problem, device_name):
    """Our best measured configuration of the problem on this kind of device, or None.

    Where a final ranking chose it, with the time that was measured for it afterwards. Modelled times are not times, and
    another GPU's say nothing about this one.
    """
    best = None
    for board in leaderboards:
        if board.get("kernel") != kernel or board.get("problem") != problem or board.get("modelled"):
            continue
        if board.get("device", {}).get("name") != device_name:
            continue
        headline = (board.get("ranking") or {}).get("headline") or {}
        if headline.get("cold") and board.get("entries"):
            return board["entries"][0] | headline["cold"]
        for entry in board.get("entries", []):
            if entry.get("status", "ok") != "ok" or entry.get("median_us") is None:
                continue
            if best is None or entry["median_us"] < best["median_us"]:
                best = entry
    return best


def configuration_text(entry):
    """"flat THREADS=256 UNROLL=4", from the text if there is one."""
    if entry.get("configuration_text"):
        return entry["configuration_text"]
    configuration = entry.get("configuration") or {}
    values = [f"{name}={value}" for name, value in sorted(configuration.items()) if name != "variant"]
    return " ".join([entry.get("variant", "")] + values).strip()
