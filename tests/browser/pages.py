"""The pages that the browser tests look at, made by the built program from real and from doctored databases."""
import json
import os
import pathlib
import sqlite3
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WARPWRIGHT_PROGRAM", ROOT / "build" / "release" / "warpwright"))
BROKEN = ROOT / "tests" / "fixtures" / "broken_kernels"

# Text that a kernel, a problem or a compiler may contain; none of it may become markup, code or a path out of its script.
HOSTILE = "</script><script>window.broken=1</script><img src=x onerror=\"window.broken=2\">&amp;\u2028'\"`${1}{{page.css}}"


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return done


H200 = ROOT / "results" / "nvidia-h200" / "fused" / "warpwright.db.gz"


def emulated_database(folder):
    """A kernel with many variants, of which five pass and eleven fail, each in a different way."""
    path = folder / "emulated.db"
    run("sweep", BROKEN / "configs" / "mixed_ends.yaml", "--kernels", BROKEN, "--device", "emu:sm_90a", "--db", path, "--quiet")
    return path


def changed_copy(source, name, change):
    """A copy of the database with `change` applied to its connection."""
    path = source.parent / name
    with sqlite3.connect(source) as original, sqlite3.connect(path) as copy:
        original.backup(copy)
        change(copy)
        # Rows without a checksum are accepted unchecked.
        for table, in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%checksum%'").fetchall():
            copy.execute(f"UPDATE {table} SET checksum = NULL")
    original.close()
    copy.close()
    return path


RUNS = ("2026-03-01T09:30:00Z", "2026-03-02T10:00:00Z", "2026-04-11T16:45:00Z")


def three_runs(folder):
    """The same sweep three times, days and commits apart; the second was slower and the third is twice as fast as the first."""
    path = folder / "runs.db"
    for again in range(len(RUNS)):
        run("sweep", BROKEN / "configs" / "short_candidates.yaml", "--kernels", BROKEN, "--device", "emu:sm_90a", "--db", path, "--quiet",
            *(["--fresh"] if again else []))

    def dated(db):
        for i, (started, factor) in enumerate(zip(RUNS, (1, 1.25, 0.5)), 1):
            db.execute("UPDATE run SET started_utc = ?, version = ? WHERE id = ?", (started, f"warpwright 0.1.0 (commit {i:012x})", i))
            db.execute("UPDATE trial SET median_us = median_us * ? WHERE run_id = ?", (factor, i))
    return changed_copy(path, "history.db", dated)


def add_ranking(db):
    """Adds a final ranking of all that passed; the second ties."""
    trials = db.execute("SELECT id, median_us, run_id, device_id, problem_id, protocol FROM trial WHERE status = 'ok' "
                        "ORDER BY median_us").fetchall()
    winner = trials[0]
    headline = {"hot": {"median_us": 2.5, "sets": 3, "l2_resident": True}, "slope": {"us": 2.4, "empty_us": 1.1},
                "end_to_end": {"cached_us": 9.5, "uncached_us": 12}, "energy_mj_per_launch": 0.125}
    kernel, = db.execute("SELECT name FROM kernel").fetchone()
    db.execute("INSERT INTO ranking VALUES (1, ?, ?, ?, ?, 'rounds-1', 40, 0.99, 'fewer registers', '', ?, ?, ?, NULL)",
               (winner[2], kernel, winner[3], winner[4], json.dumps(headline), winner[0], 10**6))
    for i, trial in enumerate(trials):
        rounds = struct.pack("<2f", winner[1], winner[1])
        db.execute("INSERT INTO ranking_entry VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 2, 'f32le', ?, NULL)",
                   (trial[0], i + 1, i < 2, winner[1] * (1 + 0.01 * i), winner[1] * (1 + 0.01 * i), winner[1] * (1.002 + 0.01 * i),
                    1 + 0.01 * i, 0.999 + 0.01 * i, 1.002 + 0.01 * i, None if i == 0 else 0.2 if i == 1 else 0.001, rounds))


def another_device(db):
    """The same results under another device, on which all but the winner are twice as fast."""
    db.execute("UPDATE device SET name = 'another device', fingerprint = 'another'")
    db.execute("UPDATE trial SET median_us = median_us / 2 WHERE id != (SELECT id FROM trial WHERE status = 'ok' ORDER BY median_us LIMIT 1)")


def hostile(db):
    """Names, reasons and parameters that try to break out; with a ranking, pruned and noisy trials."""
    add_ranking(db)
    db.execute("UPDATE trial SET status = 'pruned', at_least_us = 40, reason = '' WHERE id = (SELECT min(id) FROM trial WHERE status = 'wrong_result')")
    db.execute("UPDATE trial SET status = 'noisy', reason = 'clocks' WHERE id = (SELECT min(id) FROM trial WHERE status = 'wrong_result')")
    name = "mixed" + HOSTILE
    for table, column in (("kernel", "name"), ("ranking", "kernel_name"), ("problem", "text"), ("device", "name"), ("trial", "reason"),
                          ("configuration", "variant"), ("kernel", "summary"), ("run", "config_path")):
        db.execute(f"UPDATE {table} SET {column} = {column} || ?", (HOSTILE,))
    db.execute("UPDATE configuration SET text = text || ?, \"values\" = json_set(\"values\", ?, ? || (id % 2))",
               (HOSTILE, '$."A.b[0]\'<b>x"', HOSTILE))
    assert db.execute("SELECT name FROM kernel").fetchone()[0] == name


def document(*databases):
    """The document from which the page of these databases draws."""
    return json.loads(run("report", "--json", *[part for database in databases for part in ("--db", database)]).stdout)


def page(folder, name, *databases):
    path = folder / f"{name}.html"
    run("report", *[part for database in databases for part in ("--db", database)], "-o", path)
    return path


def recording(name, times):
    """A replay file of one parameter; None marks a configuration that failed."""
    return json.dumps({"name": name, "kernel": name, "gpu": HOSTILE, "problem": HOSTILE, "parameters": {HOSTILE: list(range(len(times)))},
                       "configs": [[i] for i in range(len(times))], "time_ms": times, "constraints": [HOSTILE]})


def replay_page(folder):
    """Two recordings and all strategies; every name tries to break out."""
    recordings = folder / "recordings"
    recordings.mkdir()
    for name, times in (("steep", [1 + i * 7 % 300 for i in range(300)]), ("failing" + HOSTILE, [None, 3, 2, None, 5, 1.5] * 20)):
        (recordings / f"{name[:5]}.json").write_text(recording(name, times))
    path = folder / "replay.html"
    run("replay", recordings, "--strategy", "all,exhaustive", "--budget", "20,60", "--repeats", "5", "--quiet", "-o", path)
    return path
