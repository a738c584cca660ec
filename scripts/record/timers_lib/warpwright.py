"""Our own timer, each report from one fresh process of the program.

The program is asked `selftest --report-one KERNEL --target-us X`; an older one without that verb sweeps one configuration of
the same kernel instead. This is the only code that makes this request.
"""

import json
import pathlib
import subprocess
import tempfile

from lib.sweeps import UserError

SELFTEST_KEYS = ("truth_us", "reported_us", "raw_us", "slope_us", "interval_us", "wall_ms")
SPACES = {"spin": ("harness_spin", "{{n: 32}}", "{{variant: plain, STEPS: {size}}}"),
          "stream": ("harness_stream", "{{rows: {size}}}", "{{THREADS: 512, BLOCKS_PER_SM: 2, EXTRA: 0}}")}


def parse_selftest(text):
    """{"reported_us": ..., ...} of what `selftest --report-one ... --json` prints; ValueError when it is not that."""
    try:
        report = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON ({error})") from None
    if not isinstance(report, dict) or not isinstance(report.get("reported_us"), (int, float)):
        raise ValueError("has no number 'reported_us'")
    if not isinstance(report.get("wall_ms"), (int, float)):
        raise ValueError("has no number 'wall_ms'")
    return {key: report.get(key) for key in SELFTEST_KEYS}


def parse_sweep(text):
    """The same from the JSON of a sweep of one configuration."""
    try:
        boards = json.loads(text)["leaderboards"]
        entries = [entry for board in boards for entry in board["entries"]]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"holds no leaderboards ({error!r})") from None
    if len(entries) != 1 or not isinstance(entries[0].get("median_us"), (int, float)):
        reasons = [failure.get("reason") for board in boards for failure in board.get("failures", [])]
        raise ValueError(f"times no configuration: {'; '.join(filter(None, reasons)) or 'no reason given'}")
    entry = entries[0]
    interval = [entry.get("ci_low_us"), entry.get("ci_high_us")]
    return {"truth_us": None, "reported_us": entry["median_us"], "raw_us": entry.get("raw_median_us"), "slope_us": None,
            "interval_us": interval, "wall_ms": 1e3 * entry["measure_seconds"]}


def run(command):
    try:
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    except OSError as error:
        raise UserError(f"cannot run {command[0]}: {error.strerror}; build it or name it with --warpwright") from None


def has_selftest(program):
    # An older program answers an unknown verb's --help with its own.
    return "--report-one" in run([program, "selftest", "--help"]).stdout


def report(program, selftest, kernel, target_us, size, device):
    """One report; {"error": ...} when the program failed or printed something else."""
    if selftest:
        done = run([program, "selftest", "--report-one", kernel, "--target-us", target_us, "--size", size,
                    "--device", device, "--json"])
        return parsed(done, parse_selftest)
    name, problem, space = (part.format(size=size) for part in SPACES[kernel])
    with tempfile.TemporaryDirectory() as folder:
        sweep = pathlib.Path(folder) / "one.yaml"
        sweep.write_text(f"kernel: {name}\nproblems: [{problem}]\nspace: {space}\n", encoding="utf-8")
        database = pathlib.Path(folder) / "one.db"
        done = run([program, "sweep", sweep, "--device", device, "--db", database, "--json", "--quiet"])
        return parsed(done, parse_sweep)


def parsed(done, parse):
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return {"error": lines[0]}
    try:
        return parse(done.stdout)
    except ValueError as error:
        return {"error": f"the program's JSON {error}"}
