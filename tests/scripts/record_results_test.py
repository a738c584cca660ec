"""scripts/record/record_results with a program, a driver and peers that give scripted answers, and the commit that it names."""

import contextlib
import gzip
import io
import json
import os
import pathlib
import re
import runpy
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "record")]

from lib import commits, last_recording  # noqa: E402  (the path comes first)

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "record" / "record_results"), run_name="record_results")
SWEEP = {"run": 7, "trials": 10, "statuses": {"ok": 8, "pruned": 2}, "wall_seconds": 20.0, "compile_busy_seconds": 32.0,
         "compile_workers": 16, "measure_busy_seconds": 10.0}

PROGRAM = f"""#!{sys.executable}
import json, os, sqlite3, sys
verb = sys.argv[1]
with open(os.environ["LOG"], "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
if verb == os.environ.get("FAILS"):
    print("says why")
    print("warpwright: it fails", file=sys.stderr)
    sys.exit(1)
if "--db" in sys.argv:
    db = sqlite3.connect(sys.argv[sys.argv.index("--db") + 1])
    db.execute("CREATE TABLE IF NOT EXISTS seen (verb TEXT)")
    db.execute("INSERT INTO seen VALUES (?)", (os.getcwd() + "/" + verb,))
    db.commit()
print({{"sweep": json.dumps({{"sweep": {SWEEP}}}), "--version": "warpwright 9.9"}}.get(verb, "says " + verb))
"""


class RecordTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"
        self.program = self.write("warpwright", PROGRAM)
        self.write("nvidia-smi", "#!/bin/sh\necho 'NVIDIA H200, 580, 1980 MHz'\n")

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(stat.S_IRWXU)
        return path

    def record(self, *arguments, race=("--skip-race",), **environment):
        settings = {"LOG": str(self.folder / "log"), "PATH": f"{self.folder}:{os.environ['PATH']}", **environment}
        done = subprocess.run([sys.executable, ROOT / "scripts" / "record" / "record_results", self.out, "--program", self.program,
                               "--allow-dirty", *race, *arguments], capture_output=True, text=True, check=False, env=os.environ | settings)
        log = self.folder / "log"
        self.calls = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return done

    def files(self):
        return sorted(path.name for path in self.out.iterdir())

    def test_one_kernel_without_checks_and_peers(self):
        done = self.record("--kernels", "rmsnorm_residual", "--skip-checks", "--skip-peers")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.files(), ["ceilings.txt", "environment.txt", "gpu.txt", "rmsnorm_residual.txt", "sweeps.txt",
                                        "warpwright.db.gz"])
        self.assertEqual([call[:2] for call in self.calls[1:]], [["calibrate", "--device"], ["gpu", "--device"],
                                                                 ["sweep", "configs/rmsnorm_residual.yaml"], ["show", "rmsnorm_residual"]])
        self.assertEqual((self.out / "sweeps.txt").read_text(),
                         "rmsnorm_residual: 10 trials (8 ok, 2 pruned), 0.50 a second, wall 20.0 s = 2.00 x the larger of compiling "
                         "over 16 workers 2.0 s and measuring 10.0 s\n")
        environment = (self.out / "environment.txt").read_text()
        self.assertIn("device    NVIDIA H200, 580, 1980 MHz\n", environment)
        self.assertIn("command   scripts/record/record_results OUT --program", environment)
        self.assertIn("protocol  cold-graph-3", environment)

    def test_the_database_is_whole_and_holds_no_path_of_this_machine(self):
        self.record("--kernels", "rmsnorm_residual", "--skip-checks", "--skip-peers")
        copy = self.folder / "copy.db"
        copy.write_bytes(gzip.decompress((self.out / "warpwright.db.gz").read_bytes()))
        with contextlib.closing(sqlite3.connect(copy)) as opened:
            self.assertEqual([row[0] for row in opened.execute("SELECT verb FROM seen")], ["calibrate", "gpu", "sweep", "show"])

    def test_all_kernels_with_sweeps_are_recorded_when_none_is_named(self):
        self.record("--skip-checks", "--skip-peers")
        swept = [call[1] for call in self.calls if call[0] == "sweep"]
        shown = [call[1] for call in self.calls if call[0] == "show"]
        self.assertIn("configs/softmax_topk.yaml", swept)
        self.assertIn("attention_prefill", shown)
        self.assertFalse([name for name in shown if name.startswith("harness_")])

    def test_kernels_whose_sweeps_have_presets_get_a_table_of_them(self):
        with_presets = next(file for file in sorted((ROOT / "configs").glob("*.yaml")) if "\npresets:" in file.read_text())
        kernel = re.search(r"^kernel: (\w+)", with_presets.read_text(), re.MULTILINE)[1]
        self.record("--kernels", kernel, "--skip-checks", "--skip-peers")
        self.assertIn(f"{kernel}_versions.txt", self.files())
        self.assertEqual(self.calls[-1][:3], ["show", kernel, "--versions"])

    def test_a_rehearsal_on_the_emulator_measures_nothing(self):
        done = self.record("--kernels", "rmsnorm_residual", "--skip-checks", "--device", "emu:sm_90a")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.files(), ["environment.txt", "rmsnorm_residual.txt", "sweeps.txt", "warpwright.db.gz"])
        self.assertIn("device    emu:sm_90a, modelled\n", (self.out / "environment.txt").read_text())

    def test_a_step_that_fails_is_named_and_the_others_are_done(self):
        done = self.record("--kernels", "rmsnorm_residual", "--skip-checks", "--skip-peers", FAILS="sweep")
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: sweep rmsnorm_residual.yaml\n", done.stderr)
        self.assertIn("warpwright.db.gz", self.files())

    def test_peers_that_fail_leave_what_they_said(self):
        # A torch that cannot be imported stands before any that can.
        self.write("torch.py", "raise ModuleNotFoundError('No module named torch')\n")
        done = self.record("--kernels", "rmsnorm_residual", "--skip-checks", PYTHONPATH=str(self.folder))
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: peers\n", done.stderr)
        self.assertIn("is not installed", (self.out / "peers.err").read_text())

    def race(self, **environment):
        """A rehearsal that races against a recording of this test."""
        recorded = self.folder / "recorded.db.gz"
        recorded.write_bytes(gzip.compress(b""))
        return self.record("--kernels", "rmsnorm_residual", "--skip-checks", "--device", "emu:sm_90a", race=("--race-with", recorded),
                           **environment)

    def test_a_race_checks_against_a_baseline_of_the_last_recording(self):
        done = self.race()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([call[:2] for call in self.calls[-2:]], [["baseline", "rmsnorm_residual"], ["check", self.calls[-2][5]]])
        self.assertEqual(self.calls[-1][2:], ["--device", "emu:sm_90a", "--allow-inconclusive", "--quiet"])
        self.assertEqual((self.out / "race.txt").read_text(), f"rmsnorm_residual against {self.folder.resolve()}/recorded.db.gz\nsays check\n")

    def test_a_kernel_that_got_slower_since_the_last_recording_fails_the_recording(self):
        done = self.race(FAILS="check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: race rmsnorm_residual: it got worse since the last recording; race.txt has the entries\n", done.stderr)
        self.assertIn("says why", (self.out / "race.txt").read_text())
        self.assertIn("warpwright.db.gz", self.files())

    def test_a_recording_that_gives_no_baseline_any_more_costs_a_line(self):
        done = self.race(FAILS="baseline")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.out / "race.txt").read_text().endswith("/recorded.db.gz\nnot raced: it fails\n"))

    def test_a_recording_to_race_with_that_is_not_there_is_refused(self):
        done = self.record("--kernels", "rmsnorm_residual", race=("--race-with", "none.db.gz"))
        self.assertEqual((done.returncode, done.stderr),
                         (2, "error: --race-with none.db.gz: this file does not exist; give a warpwright.db.gz below results/\n"))

    def test_a_kernel_without_a_sweep_is_refused(self):
        done = self.record("--kernels", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("configs/ holds no sweep of 'nothing'; write configs/nothing.yaml", done.stderr)

    def test_a_folder_with_results_is_refused(self):
        self.out.mkdir()
        (self.out / "warpwright.db.gz").write_text("")
        done = self.record("--kernels", "rmsnorm_residual")
        self.assertEqual((done.returncode, self.calls), (2, []))
        self.assertIn("warpwright.db.gz is there already; move it away", done.stderr)

    def test_a_missing_program_is_told(self):
        self.program = self.folder / "none"
        done = self.record()
        self.assertEqual(done.returncode, 3)
        self.assertIn("is not there; build it first", done.stderr)


class LastRecordingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name)

    def write(self, name, *trials):
        """A packed database of (kernel, device, status, when)."""
        plain, packed = self.results / "plain.db", self.results / name
        with contextlib.closing(sqlite3.connect(plain)) as database:
            database.executescript("CREATE TABLE kernel (id INTEGER PRIMARY KEY, name); CREATE TABLE device (id INTEGER PRIMARY KEY, name);"
                                   "CREATE TABLE trial (kernel_id, device_id, status, started_utc);")
            for kernel, device, status, when in trials:
                ids = [database.execute(f"INSERT INTO {table} (name) VALUES (?)", (value,)).lastrowid
                       for table, value in (("kernel", kernel), ("device", device))]
                database.execute("INSERT INTO trial VALUES (?, ?, ?, ?)", (*ids, status, when))
            database.commit()
        packed.parent.mkdir(parents=True, exist_ok=True)
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
        return packed

    def newest(self, device="NVIDIA H200"):
        return last_recording.newest(self.results, device, ["saxpy", "square"])

    def test_each_kernel_has_the_file_with_its_newest_trial_on_such_a_device(self):
        old = self.write("nvidia-h200/b/old.db.gz", ("saxpy", "NVIDIA H200", "ok", "2026-01-01"), ("square", "NVIDIA H200", "ok", "2026-01-01"))
        new = self.write("nvidia-h200/a/new.db.gz", ("saxpy", "NVIDIA H200", "ok", "2026-01-02"), ("square", "NVIDIA H100", "ok", "2026-01-02"))
        self.assertEqual(self.newest(), {"saxpy": new, "square": old})

    def test_failures_and_other_devices_are_no_recording(self):
        self.write("nvidia-h200/a/a.db.gz", ("saxpy", "NVIDIA H200", "timeout", "2026-01-01"))
        self.write("nvidia-h100/a/a.db.gz", ("square", "NVIDIA H100", "ok", "2026-01-01"))
        self.assertEqual(self.newest(), {})

    def test_a_folder_is_named_after_its_device(self):
        self.assertEqual(last_recording.folder_of("NVIDIA RTX PRO 6000 (Blackwell)"), "nvidia-rtx-pro-6000-blackwell")

    def test_a_recording_on_a_gpu_races_by_default(self):
        options = SCRIPT["parse_arguments"](["/nowhere"])
        self.assertEqual((options.skip_race, options.race_with), (False, None))


class PeersTest(unittest.TestCase):
    def test_a_kernel_without_a_peers_file_is_told_and_left_out(self):
        options = SCRIPT["parse_arguments"](["/nowhere"])
        recorder, said = SCRIPT["Recorder"](options), io.StringIO()
        self.addCleanup(recorder.cache.cleanup)
        with contextlib.redirect_stdout(said), mock.patch.object(recorder, "run", side_effect=AssertionError):
            recorder.time_peers(["harness_spin"])
        self.assertEqual(said.getvalue(), "harness_spin: kernels/harness_spin has no peers.py, so there is nothing to compare with\n")


class CommitTest(unittest.TestCase):
    def git(self, folder, *arguments):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", "-C", str(folder), *arguments], check=True,
                       capture_output=True)

    def test_git_wins_where_there_is_a_checkout(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, {"WARPWRIGHT_COMMIT": "given"}):
            folder = pathlib.Path(name).resolve()
            self.git(folder, "init")
            (folder / "file").write_text("1")
            self.git(folder, "add", "file")
            self.git(folder, "commit", "-m", "one")
            self.assertRegex(commits.commit_of(folder), "^[0-9a-f]{40}$")
            (folder / "file").write_text("2")
            self.assertRegex(commits.commit_of(folder), "^[0-9a-f]{40}-dirty$")

    def test_only_a_clean_checkout_or_a_given_commit_is_recorded(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, {"WARPWRIGHT_COMMIT": ""}):
            folder = pathlib.Path(name).resolve()
            self.assertEqual(commits.refusal(folder),
                             "there is no commit to mark results with; record in a checkout, name it in WARPWRIGHT_COMMIT, or say "
                             "--allow-dirty, which marks them")
            os.environ["WARPWRIGHT_COMMIT"] = "1a2b"
            self.assertEqual(commits.refusal(folder), "")
            os.environ["WARPWRIGHT_COMMIT"] = "1a2b-dirty"
            self.assertEqual(commits.refusal(folder),
                             "tracked files differ from commit 1a2b, so results would belong to no commit; commit first, or say "
                             "--allow-dirty, which marks them")
            self.git(folder, "init")
            (folder / "file").write_text("1")
            self.git(folder, "add", "file")
            self.git(folder, "commit", "-m", "one")
            self.assertEqual(commits.refusal(folder), "")
            (folder / "file").write_text("2")
            self.assertIn("tracked files differ from commit ", commits.refusal(folder))

    def test_a_dirty_tree_is_refused_before_anything_runs(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.object(SCRIPT["commits"], "refusal", return_value="nothing is committed"):
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                code = SCRIPT["main"]([name + "/out", "--program", sys.executable])
            self.assertEqual((code, said.getvalue()), (2, "error: nothing is committed\n"))
            self.assertFalse((pathlib.Path(name) / "out").exists())

    def test_a_given_name_counts_where_there_is_none(self):
        with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, {"WARPWRIGHT_COMMIT": "given"}):
            self.assertEqual(commits.commit_of(name), "given")
            # A repository around a copy of the files does not track them.
            self.git(name, "init")
            copy = pathlib.Path(name) / "copy"
            copy.mkdir()
            self.assertEqual(commits.commit_of(copy), "given")
            del os.environ["WARPWRIGHT_COMMIT"]
            self.assertEqual(commits.commit_of(copy), "unknown")

    def test_every_recording_script_asks_the_same(self):
        for script in sorted((ROOT / "scripts").rglob("*")):
            if script.is_file() and script.suffix not in (".pyc", ".md") and script.name != "commits.py":
                self.assertNotIn("WARPWRIGHT_COMMIT", script.read_text(encoding="utf-8"), script.name)


if __name__ == "__main__":
    unittest.main()
