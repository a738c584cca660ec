"""scripts/record/compare_programs, with programs that only print what bench would."""
import json
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "record" / "compare_programs"


def load():
    return loaded_script.load("record/compare_programs")


class CompareProgramsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.database = self.folder / "winners.db"
        with sqlite3.connect(self.database) as connection:
            connection.execute("CREATE TABLE ranking (kernel_name TEXT)")
            connection.execute("INSERT INTO ranking VALUES ('gemv'), ('gemv')")

    def program(self, name, benchmarks):
        file = self.folder / name
        (self.folder / f"{name}.json").write_text(json.dumps({"benchmarks": benchmarks}))
        file.write_text(f"#!/bin/sh\ncat {self.folder / name}.json\n")
        file.chmod(0o755)
        return file

    def run_with(self, before, after):
        return subprocess.run([SCRIPT, self.database, "--before", self.program("before", before), "--after", self.program("after", after)],
                              capture_output=True, text=True, check=False)

    def test_equal_times_have_not_moved(self):
        ran = self.run_with([{"name": "gemv/1", "median_us": 50.0}], [{"name": "gemv/1", "median_us": 50.1}])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("    50.00     50.10 us   +0.20 %  rounds within  0.00 %  gemv/1\n", ran.stdout)
        self.assertIn("1 winners, 0 moved by more than 0.5 %, the rounds and 0.18 us", ran.stdout)

    def test_a_winner_that_moved_is_marked(self):
        ran = self.run_with([{"name": "gemv/1", "median_us": 50.0}], [{"name": "gemv/1", "median_us": 51.0}])
        self.assertEqual(ran.returncode, 1)
        self.assertIn("+2.00 %  rounds within  0.00 %  gemv/1  MOVED", ran.stdout)

    def test_a_failure_of_either_program_is_told(self):
        ran = self.run_with([{"name": "gemv/1", "median_us": 50.0}],
                            [{"name": "gemv/1", "error_occurred": True, "error_message": "wrong_result: why"}])
        self.assertEqual(ran.returncode, 1)
        self.assertIn("failed after: gemv/1: wrong_result: why", ran.stdout)

    def test_what_short_kernels_drift_by_and_what_rounds_differ_by_is_no_move(self):
        judge = load().judge
        self.assertFalse(judge([5.0, 5.0], [5.1, 5.1], 0.5)[2])
        self.assertFalse(judge([50.0, 52.0], [51.9, 52.1], 0.5)[2])
        self.assertTrue(judge([50.0, 50.1], [51.0, 51.1], 0.5)[2])

    def test_a_missing_program_is_wrong_input(self):
        ran = subprocess.run([SCRIPT, self.database, "--before", "/nonexistent", "--after", "/bin/true"], capture_output=True, text=True,
                             check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(ran.stderr, "compare_programs: /nonexistent: no such file\n")


if __name__ == "__main__":
    unittest.main()
