"""Tests of scripts/record/check_study: its requests to the program, and its evaluation of the answers, with a program that gives
scripted answers."""

import contextlib
import io
import json
import os
import pathlib
import runpy
import stat
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "record" / "check_study"), run_name="check_study")

# Stands in for warpwright: notes its arguments, makes an empty baseline, and reports one entry per problem of the baseline's
# sweeps, with the verdict that VERDICT_<kind> names.
PROGRAM = """#!/usr/bin/env python3
import json, os, pathlib, sys
arguments = sys.argv[1:]
with open(os.environ["LOG"], "a") as log:
    log.write(json.dumps(arguments) + "\\n")
if arguments == ["--version"]:
    print("warpwright 9.9")
elif arguments[0] == "baseline":
    folder = pathlib.Path(arguments[arguments.index("-o") + 1])
    folder.mkdir(parents=True, exist_ok=True)
    files = arguments[1:arguments.index("-o")]
    count = sum(len(json.loads(pathlib.Path(file).read_text())["problems"]) for file in files)
    (folder / "count").write_text(str(count))
else:
    folder = pathlib.Path(arguments[1])
    kind = "aa" if "--race-identical" in arguments else pathlib.Path(arguments[arguments.index("--kernels") + 1]).name
    verdicts = json.loads(os.environ["VERDICTS"])[kind]
    count = int((folder / "count").read_text())
    race = {"change": 0.03, "counts_from": 0.02}
    entries = [{"verdict": verdicts[i % len(verdicts)], "race": race} for i in range(count)]
    measured = os.environ.get("MEASURED", "yes") == "yes"
    print(json.dumps({"check": {"measured": measured, "device": "cuda:0", "device_name": "NVIDIA H200", "driver": "580",
                                "nvrtc": "13.0"}, "entries": entries}))
    sys.exit(int(os.environ.get("EXIT", "1")))
"""


class StudyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "warpwright"
        self.program.write_text(PROGRAM, encoding="utf-8")
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def run_study(self, verdicts, *more, **environment):
        out, err = io.StringIO(), io.StringIO()
        settings = {"LOG": str(self.folder / "log"), "VERDICTS": json.dumps(verdicts), **environment}
        with mock.patch.dict(os.environ, settings), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = SCRIPT["main"]([str(self.folder / "out"), "--warpwright", str(self.program), *more])
        return code, out.getvalue(), err.getvalue()

    def asked(self):
        return [json.loads(line) for line in (self.folder / "log").read_text(encoding="utf-8").splitlines()]

    GOOD = {"aa": ["SAME"], "slower_30": ["REGRESSION"], "slower_50": ["REGRESSION"]}

    def test_all_targets_met(self):
        code, text, _ = self.run_study(self.GOOD)
        self.assertEqual(code, 0)
        self.assertIn("A/A, false alarms", text)
        self.assertIn("0 of 200", text)
        self.assertIn("100 of 100", text)
        self.assertIn("3 of 3 targets met", text)
        self.assertEqual((self.folder / "out" / "check_study.txt").read_text(encoding="utf-8"), text)
        rows = json.loads((self.folder / "out" / "check_study.json").read_text(encoding="utf-8"))["rows"]
        self.assertEqual([row["entries"] for row in rows], [200, 100, 100])

    def test_too_many_false_alarms_are_a_miss(self):
        two = ["REGRESSION"] + ["SAME"] * 98 + ["IMPROVED"]
        code, text, _ = self.run_study({**self.GOOD, "aa": two})
        self.assertEqual(code, 1)
        self.assertIn("4 of 200", text)
        self.assertIn("MISSED", text)

    def test_two_false_alarms_are_within_the_target(self):
        code, _, _ = self.run_study({**self.GOOD, "aa": ["REGRESSION"] + ["SAME"] * 99})
        self.assertEqual(code, 0)

    def test_a_slowdown_that_hides_is_a_miss(self):
        code, _, _ = self.run_study({**self.GOOD, "slower_30": ["OK"] + ["REGRESSION"] * 7})
        self.assertEqual(code, 1)
        code, _, _ = self.run_study({**self.GOOD, "slower_50": ["INCONCLUSIVE"] + ["REGRESSION"] * 49})
        self.assertEqual(code, 1)

    def test_identical_code_is_raced_and_slower_code_lies_in_a_copy(self):
        self.run_study(self.GOOD)
        checks = [arguments for arguments in self.asked() if arguments[0] == "check"]
        self.assertEqual(len(checks), 3)
        self.assertIn("--race-identical", checks[0])
        for arguments in checks[1:]:
            self.assertNotIn("--race-identical", arguments)
            source = pathlib.Path(arguments[arguments.index("--kernels") + 1]) / "harness_spin" / "spin.cu"
            self.assertIn("asked_steps", source.read_text(encoding="utf-8"))

    def test_a_device_without_a_clock_is_refused(self):
        code, _, err = self.run_study(self.GOOD, MEASURED="no")
        self.assertEqual(code, 3)
        self.assertIn("has no clock; this study needs a GPU", err)

    def test_a_program_that_fails_is_named_with_its_message(self):
        code, _, err = self.run_study(self.GOOD, EXIT="2")
        self.assertEqual(code, 3)
        self.assertIn("exit code 2", err)

    def test_wrong_numbers_are_refused(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            self.run_study(self.GOOD, "--aa", "3")


class PartsTest(unittest.TestCase):
    def test_the_source_in_the_tree_can_be_slowed_down(self):
        source = (ROOT / "kernels" / "harness_spin" / "spin.cu").read_text(encoding="utf-8")
        slower = SCRIPT["slower_source"](source, 30)
        self.assertIn("static_cast<i64>(asked_steps) * 30 + 500) / 1000", slower)
        self.assertEqual(slower.count("asked_steps"), 3)

    def test_an_unknown_source_is_refused(self):
        with self.assertRaises(SCRIPT["Failed"]):
            SCRIPT["slower_source"]("__global__ void spin() {}", 30)

    def test_the_entries_are_as_many_as_asked_and_all_different(self):
        for total in (10, 40, 200):
            sweeps = SCRIPT["aa_sweeps"](total)
            entries = [(sweep["kernel"], json.dumps(sweep["space"]), json.dumps(problem))
                       for sweep in sweeps for problem in sweep["problems"]]
            self.assertEqual(len(entries), total)
            self.assertEqual(len(set(entries)), total)

    def test_real_kernels_are_those_with_held_problems_in_turn(self):
        held = sorted(file.stem for file in (ROOT / "configs" / "held").glob("*.yaml"))
        self.assertEqual([sweep["kernel"] for sweep in SCRIPT["real_sweeps"](len(held))], held)

    def test_the_interval_of_a_share(self):
        low, high = SCRIPT["wilson"](0, 200)
        self.assertAlmostEqual(low, 0)
        self.assertAlmostEqual(high, 1.88, places=2)
        self.assertEqual(SCRIPT["wilson"](0, 0), (0.0, 100.0))


if __name__ == "__main__":
    unittest.main()
