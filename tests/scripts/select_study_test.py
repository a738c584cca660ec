"""Tests of scripts/record/select_study on rows and databases made here, and of configs/held."""

import contextlib
import pathlib
import sqlite3
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "record")]

from lib.sweeps import UserError, expand_problems, read_yaml  # noqa: E402  (the path comes first)
from study_lib import held, picks, report  # noqa: E402

KERNELS = sorted(file.stem for file in (ROOT / "configs" / "held").glob("*.yaml"))


def board(times, at_least=None):
    return {"kernel": "swiglu", "problem": {"rows": 16, "d": 2048, "dtype": "bf16"}, "problem_text": "rows=16 d=2048 dtype=bf16",
            "device": "NVIDIA H200", "arch": "sm_90a", "modelled": False, "protocol": "cold-graph-1", "times": times,
            "at_least": at_least or {}}


def pick(text, match="nearest_same_device"):
    return {"match": match, "distance": 1.5, "score": 0.9, "text": text, "variant": "flat", "parameters": {}}


class JudgeTest(unittest.TestCase):
    def test_a_pick_is_held_against_the_best(self):
        row = report.judge(board({"a": 10.0, "b": 12.5}), pick("b"))
        self.assertEqual((row["best_us"], row["best_configuration"], row["picked_us"], row["fraction"]), (10.0, "a", 12.5, 0.8))
        self.assertFalse(report.is_good(row))

    def test_ten_percent_is_good_and_more_is_not(self):
        self.assertTrue(report.is_good(report.judge(board({"a": 10.0, "b": 11.0}), pick("b"))))
        self.assertFalse(report.is_good(report.judge(board({"a": 10.0, "b": 11.01}), pick("b"))))

    def test_a_pick_stopped_early_is_bounded_and_bad(self):
        row = report.judge(board({"a": 10.0}, {"b": 12.5}), pick("b"))
        self.assertTrue(row["bound"])
        self.assertFalse(report.is_good(row))
        self.assertIn("<= 0.800 *", report.text([row], report.summarise([row])))

    def test_a_pick_without_a_time_is_bad(self):
        row = report.judge(board({"a": 10.0}), pick("elsewhere"))
        self.assertIsNone(row["fraction"])
        self.assertFalse(report.is_good(row))
        self.assertIn("not timed", report.text([row], report.summarise([row])))

    def test_no_pick_at_all_is_bad(self):
        self.assertFalse(report.is_good(report.judge(board({"a": 10.0}), pick("", "none"))))


class SummaryTest(unittest.TestCase):
    def test_sixteen_of_twenty_meet_the_target(self):
        good = report.judge(board({"a": 10.0}), pick("a"))
        bad = report.judge(board({"a": 10.0, "b": 20.0}), pick("b"))
        self.assertTrue(report.summarise([good] * 16 + [bad] * 4)["met"])
        self.assertFalse(report.summarise([good] * 15 + [bad] * 5)["met"])
        self.assertFalse(report.summarise([])["met"])

    def test_modelled_times_are_called_so(self):
        row = report.judge(dict(board({"a": 10.0}), modelled=True), pick("a"))
        self.assertIn("modelled times", report.text([row], report.summarise([row])))


class BoardsTest(unittest.TestCase):
    def test_timed_and_pruned_trials_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "held.db"
            with contextlib.closing(sqlite3.connect(path)) as database, database:
                database.execute("CREATE TABLE v_standing (trial, kernel, problem, problem_json, device, arch, modelled, "
                                 "board_protocol, configuration, status, at_least_us)")
                database.execute("CREATE TABLE v_leaderboard (trial, median_us)")
                database.executemany("INSERT INTO v_leaderboard VALUES (?, ?)", [(1, 5.0), (5, 5.0)])
                rows = [(1, "k", "n=4", '{"n":4}', "D", "sm_90a", 0, "p", "a", "ok", None),
                        (2, "k", "n=4", '{"n":4}', "D", "sm_90a", 0, "p", "b", "pruned", 9.0),
                        (3, "k", "n=4", '{"n":4}', "D", "sm_90a", 0, "p", "c", "wrong_result", None),
                        (4, "k", "n=8", '{"n":8}', "D", "sm_90a", 0, "p", "b", "pruned", 9.0),
                        (5, "other", "n=4", '{"n":4}', "D", "sm_90a", 0, "p", "a", "ok", None)]
                database.executemany("INSERT INTO v_standing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            boards = held.read_boards(path, "k")
        self.assertEqual(len(boards), 1, "a board without any time has no best")
        self.assertEqual((boards[0]["times"], boards[0]["at_least"], boards[0]["problem"]), ({"a": 5.0}, {"b": 9.0}, {"n": 4}))

    def test_a_missing_or_foreign_database_is_the_users_to_mend(self):
        with self.assertRaisesRegex(UserError, "no such file; run without --skip-sweep to make it"):
            held.read_boards("/nowhere/held.db", "k")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.db"
            path.write_text("no database, but long enough to be looked at as one\n" * 20, encoding="utf-8")
            with self.assertRaisesRegex(UserError, "expected a database that `warpwright sweep --db` wrote"):
                held.read_boards(path, "k")


class ProgramTest(unittest.TestCase):
    def test_sizes_are_written_in_the_contracts_order_and_types(self):
        sizes = [{"name": "rows", "values": []}, {"name": "d", "values": []}, {"name": "dtype", "values": ["f32", "bf16"]}]
        text = picks.program_text("swiglu", sizes, [board({"a": 1.0})])
        self.assertIn('  ask({"NVIDIA H200", "sm_90a"}, {16, 2048, WW_SWIGLU_DTYPE_BF16});\n', text)
        self.assertIn("ww_swiglu_select(device, problem)", text)

    def test_a_line_of_its_output_is_read(self):
        known = [{"text": "flat A=1", "variant": "flat", "own_parameters": {"A": 1}}]
        self.assertEqual(picks.parse_pick("exact\t0.0000\t1.0000\tflat A=1", known),
                         {"match": "exact", "distance": 0.0, "score": 1.0, "text": "flat A=1", "variant": "flat", "parameters": {"A": 1}})
        self.assertEqual(picks.parse_pick("none\t0.0000\t0.0000\t", known)["variant"], "")

    def test_a_program_that_fails_is_named_with_what_it_said(self):
        with self.assertRaisesRegex(held.ProgramFailed, r"(?s)exit code 3.*broken"):
            held.run([sys.executable, "-c", "import sys; sys.exit(print('broken', file=sys.stderr) or 3)"])
        with self.assertRaisesRegex(held.ProgramFailed, "No such file"):
            held.run(["/nowhere/program"])


class HeldConfigsTest(unittest.TestCase):
    """The study depends on this: problems that are really held, swept over the very same space."""

    def test_no_held_problem_is_tuned_and_there_are_at_least_twenty(self):
        count = 0
        for kernel in KERNELS:
            contract = read_yaml(ROOT / "kernels" / kernel / "kernel.yaml")
            defaults = {name: size["default"] for name, size in contract["problem"].items() if "default" in size}
            tuned = [{**defaults, **one} for one in expand_problems(read_yaml(ROOT / "configs" / f"{kernel}.yaml")["problems"])]
            asked = [{**defaults, **one} for one in expand_problems(read_yaml(ROOT / "configs" / "held" / f"{kernel}.yaml")["problems"])]
            count += len(asked)
            for problem in asked:
                self.assertNotIn(problem, tuned, kernel)
        self.assertGreaterEqual(count, 20)

    def test_the_spaces_are_equal(self):
        for kernel in KERNELS:
            tuned = read_yaml(ROOT / "configs" / f"{kernel}.yaml")
            asked = read_yaml(ROOT / "configs" / "held" / f"{kernel}.yaml")
            for section in ("kernel", "space", "constraints", "search"):
                self.assertEqual(tuned.get(section), asked.get(section), f"{kernel}: {section}")


if __name__ == "__main__":
    unittest.main()
