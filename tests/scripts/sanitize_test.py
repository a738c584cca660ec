"""scripts/dev/sanitize: its evaluation of a sweep, and of the tool's output."""

import os
import pathlib
import runpy
import stat
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "dev" / "sanitize"), run_name="sanitize")

ALONE = "sweep.yaml without a tool: 1 ok (1 configuration)\n"


class SmallSweep(unittest.TestCase):
    def write(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "sweep.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def test_runs_the_emulated_problems(self):
        sweep = SCRIPT["small_sweep"](self.write("kernel: k\nproblems: [{n: 4096}]\nemulated: [{n: 4}]\n"))
        self.assertEqual(sweep["problems"], [{"n": 4}])

    def test_a_sweep_without_any_is_refused(self):
        with self.assertRaisesRegex(Exception, "has no `emulated` problems"):
            SCRIPT["small_sweep"](self.write("kernel: k\nproblems: [{n: 4096}]\n"))


class Summary(unittest.TestCase):
    def test_adds_the_processes(self):
        text = "========= ERROR SUMMARY: 0 errors\nfine\n========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"
        self.assertEqual(SCRIPT["summary_of"](text), (0, None))

    def test_names_the_first_report(self):
        text = ("========= COMPUTE-SANITIZER\n========= Invalid __global__ read of size 4 bytes\n"
                "=========     at kernel+0x10\n========= ERROR SUMMARY: 2 errors\n")
        self.assertEqual(SCRIPT["summary_of"](text), (2, "Invalid __global__ read of size 4 bytes"))

    def test_counts_hazards(self):
        text = "========= Error: Race reported\n========= RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)\n"
        self.assertEqual(SCRIPT["summary_of"](text)[0], 3)

    def test_a_warning_that_does_not_count_is_no_report(self):
        text = "========= Warning: some feature is not supported\n========= ERROR SUMMARY: 0 errors\n"
        self.assertEqual(SCRIPT["summary_of"](text), (0, None))


class Verdict(unittest.TestCase):
    def test_clean(self):
        line, clean = SCRIPT["verdict"]("racecheck", "========= ERROR SUMMARY: 0 errors\n", 0, ({"ok": 1, "pruned": 6}, 2), 60)
        self.assertEqual((line, clean), ("0 errors; 1 ok, 6 pruned (2 configurations)", True))

    def test_a_configuration_that_is_not_ok_is_not_clean(self):
        line, clean = SCRIPT["verdict"]("racecheck", "========= ERROR SUMMARY: 0 errors\n", 0, ({"ok": 1, "wrong": 1}, 2), 60)
        self.assertEqual((line, clean), ("0 errors; 1 ok, 1 wrong (2 configurations)", False))

    def test_a_report_without_a_summary_is_not_clean(self):
        # A process that dies sums nothing up.
        line, clean = SCRIPT["verdict"]("racecheck", "========= Invalid __global__ read\n", 0, ({"ok": 1}, 1), 60)
        self.assertEqual((line, clean), ("0 errors; 1 ok (1 configuration); first: Invalid __global__ read", False))

    def test_no_results_are_not_clean(self):
        self.assertEqual(SCRIPT["verdict"]("racecheck", "", 3, ({}, 0), 60), ("0 errors; no results, exit code 3", False))

    def test_a_sweep_that_ended_early_is_not_clean(self):
        line, clean = SCRIPT["verdict"]("racecheck", "========= ERROR SUMMARY: 0 errors\n", 3, ({"ok": 1}, 1), 60)
        self.assertEqual((line, clean), ("0 errors; 1 ok (1 configuration), exit code 3", False))

    def test_at_its_limit_it_says_how_far_it_came(self):
        self.assertEqual(SCRIPT["verdict"]("racecheck", "", None, ({"ok": 2}, 2), 60), ("not finished within 60 s: 2 ok (2 configurations) until then", False))

    def test_without_a_tool_there_are_no_errors_to_count(self):
        self.assertEqual(SCRIPT["verdict"](None, "said =========\n", 0, ({"ok": 1}, 1), 60), ("1 ok (1 configuration)", True))


class Limit(unittest.TestCase):
    def test_ends_the_children_too(self):
        with tempfile.TemporaryDirectory() as name:
            mark = pathlib.Path(name) / "pid"
            text, code = SCRIPT["run_with_limit"](["sh", "-c", f"sleep 600 & echo $! >{mark}; echo said; wait"], 2)
            self.assertEqual((text, code), ("said\n", None))
            child = pathlib.Path("/proc") / mark.read_text().strip()
            for _ in range(1000):
                if not child.exists() or "\tZ" in (child / "status").read_text():
                    return
                time.sleep(0.01)
            self.fail("the child lives on")


class Run(unittest.TestCase):
    """The whole script, with a compute-sanitizer that runs the program and gives a scripted report."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("sweep.yaml", "kernel: k\nproblems: [{n: 4096}]\nemulated: [{n: 4}]\n")
        # $7 and on: --print-limit 5 PROGRAM sweep ...; memcheck has two words more.
        self.program("compute-sanitizer", 'case "$*" in *"--tool memcheck"*) shift 2;; esac\nshift 6\n"$@"\n'
                                          'echo "========= ERROR SUMMARY: ${REPORTS:-0} errors"\n')
        self.program("warpwright", f'exec {sys.executable} {self.folder}/sweep.py "$@"\n')
        self.write("sweep.py", "import json, sqlite3, sys\n"
                               "assert json.load(open(sys.argv[2]))['problems'] == [{'n': 4}]\n"
                               "db = sqlite3.connect(sys.argv[sys.argv.index('--db') + 1])\n"
                               "db.execute('CREATE TABLE IF NOT EXISTS trial (status TEXT, configuration_id INTEGER)')\n"
                               "db.execute(\"INSERT INTO trial VALUES ('ok', 7)\")\n"
                               "db.commit()\n")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def program(self, name, text):
        self.write(name, "#!/bin/sh\n" + text)
        (self.folder / name).chmod(stat.S_IRWXU)

    def sanitize(self, *arguments, sweeps=("sweep.yaml",), **environment):
        return subprocess.run([sys.executable, ROOT / "scripts" / "dev" / "sanitize", *[self.folder / name for name in sweeps], "--warpwright",
                               self.folder / "warpwright", *arguments], capture_output=True, text=True, check=False,
                              env=os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"} | environment)

    def test_a_line_for_each_tool_in_their_order(self):
        done = self.sanitize("--jobs", "4")
        lines = [f"sweep.yaml {tool}: 0 errors; 1 ok (1 configuration)\n" for tool in SCRIPT["TOOLS"]]
        self.assertEqual(done.stdout, ALONE + "".join(lines), done.stderr)
        self.assertEqual(done.returncode, 0)

    def test_a_report_is_exit_code_1(self):
        done = self.sanitize("--tools", "racecheck", REPORTS="2")
        self.assertEqual((done.stdout, done.returncode), (ALONE + "sweep.yaml racecheck: 2 errors; 1 ok (1 configuration)\n", 1), done.stderr)

    def test_what_is_kept_is_added_to(self):
        keep = ["--tools", "memcheck", "--keep", self.folder / "kept" / "here"]
        self.assertEqual(self.sanitize(*keep).stdout, ALONE + "sweep.yaml memcheck: 0 errors; 1 ok (1 configuration)\n")
        self.assertEqual(self.sanitize(*keep).stdout, ALONE.replace("1 ok", "2 ok") + "sweep.yaml memcheck: 0 errors; 2 ok (1 configuration)\n")
        said = (self.folder / "kept" / "here" / "sweep.memcheck.txt").read_text(encoding="utf-8")
        self.assertEqual(said, "========= ERROR SUMMARY: 0 errors\n" * 2)

    def test_a_program_that_fails_after_its_first_trial_is_not_clean(self):
        self.program("warpwright", f'{sys.executable} {self.folder}/sweep.py "$@"; exit 3\n')
        self.program("compute-sanitizer", 'shift 6\n"$@"\n')
        done = self.sanitize("--tools", "racecheck")
        lines = ("sweep.yaml without a tool: 1 ok (1 configuration), exit code 3\n"
                 "sweep.yaml racecheck: 0 errors; 1 ok (1 configuration), exit code 3\n")
        self.assertEqual((done.stdout, done.returncode), (lines, 1), done.stderr)

    def test_all_sweeps_are_compiled_before_a_tool_runs(self):
        # This tool wants to find the databases of both runs without one.
        self.write("other.yaml", (self.folder / "sweep.yaml").read_text(encoding="utf-8"))
        self.program("compute-sanitizer", f'test -e {self.folder}/kept/sweep.db -a -e {self.folder}/kept/other.db || exit 9\nshift 6\n"$@"\n')
        done = self.sanitize("--tools", "racecheck", "--keep", self.folder / "kept", sweeps=["sweep.yaml", "other.yaml"])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([line.split(":")[0] for line in done.stdout.splitlines()],
                         ["sweep.yaml without a tool", "other.yaml without a tool", "sweep.yaml racecheck", "other.yaml racecheck"])

    def test_a_configuration_that_fails_without_a_tool_is_not_clean(self):
        self.write("sweep.py", (self.folder / "sweep.py").read_text(encoding="utf-8").replace("'ok'", "'compile_failed'"))
        done = self.sanitize("--tools", "racecheck")
        self.assertEqual(done.stdout.splitlines()[0], "sweep.yaml without a tool: 1 compile_failed (1 configuration)", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_a_sweep_that_does_not_end_without_a_tool_is_not_clean(self):
        self.program("warpwright", "sleep 600\n")
        done = self.sanitize("--tools", "racecheck", "--limit", "1")
        self.assertEqual((done.stdout.splitlines()[0], done.returncode), ("sweep.yaml without a tool: not finished within 1 s: no results until then", 1))

    def test_two_sweeps_of_one_name_are_refused(self):
        done = self.sanitize(sweeps=["sweep.yaml", "sweep.yaml"])
        self.assertEqual(done.returncode, 2)
        self.assertIn("two sweeps are called 'sweep.yaml'", done.stderr)

    def test_an_unknown_tool_is_refused(self):
        done = self.sanitize("--tools", "valgrind")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no tool 'valgrind'; there are memcheck", done.stderr)


if __name__ == "__main__":
    unittest.main()
