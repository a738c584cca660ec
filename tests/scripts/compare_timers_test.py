"""Tests of the parts of scripts/record/compare_timers that need neither PyTorch nor a GPU."""

import contextlib
import io
import json
import os
import pathlib
import runpy
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "record")]

from lib.sweeps import MissingModule, UserError  # noqa: E402
from timers_lib import client, summary, warpwright  # noqa: E402

SCRIPT = runpy.run_path(str(ROOT / "scripts" / "record" / "compare_timers"), run_name="compare_timers")


def row(timer="events", truth_us=5.0, reports=(), target_us=5.0, kernel="spin"):
    return {"kernel": kernel, "target_us": target_us, "timer": timer, "truth_us": truth_us, "reports": list(reports)}


def reported(value, wall_ms=1.0, **more):
    return {"reported_us": value, "wall_ms": wall_ms, **more}


class SummaryTest(unittest.TestCase):
    def test_bias_is_mean_minus_truth(self):
        one = summary.summarise(row(reports=[reported(8.0), reported(9.0)]))
        self.assertEqual((one["mean_us"], one["bias_us"], one["bias_percent"]), (8.5, 3.5, 70.0))

    def test_spread_is_the_sample_deviation_over_the_mean(self):
        self.assertAlmostEqual(summary.cv_percent([9.0, 10.0, 11.0]), 10.0)
        self.assertIsNone(summary.cv_percent([9.0]))

    def test_wall_time_is_the_median(self):
        reports = [reported(8.0, wall) for wall in (1.0, 900.0, 2.0)]
        self.assertEqual(summary.summarise(row(reports=reports))["wall_ms"], 2.0)

    def test_a_copy_has_no_bias(self):
        one = summary.summarise(row(truth_us=None, reports=[reported(8.0)]))
        self.assertEqual((one["mean_us"], one["truth_us"], one["bias_us"]), (8.0, None, None))

    def test_a_report_with_its_own_truth_is_held_against_that(self):
        one = summary.summarise(row(truth_us=5.0, reports=[reported(5.2, truth_us=5.1)]))
        self.assertAlmostEqual(one["bias_us"], 0.1)
        self.assertEqual(one["truth_us"], 5.1)

    def test_failures_are_counted_and_leave_the_rest(self):
        one = summary.summarise(row(reports=[reported(8.0), {"error": "no"}]))
        self.assertEqual((one["count"], one["failed"], one["mean_us"]), (1, 1, 8.0))
        self.assertIsNone(summary.summarise(row(reports=[{"error": "no"}]))["mean_us"])

    def test_difference_from_ours_on_the_same_size(self):
        rows = [row("events", reports=[reported(6.0)]), row("warpwright", reports=[reported(5.0)]),
                row("events", target_us=50.0, reports=[reported(60.0)])]
        differences = [one["vs_ours_percent"] for one in summary.with_differences([summary.summarise(one) for one in rows])]
        self.assertAlmostEqual(differences[0], 20.0)
        self.assertEqual(differences[1:], [None, None])

    def test_every_timer_goes_first_once_in_a_cycle(self):
        names = ["a", "b", "c"]
        self.assertEqual([summary.rotated(names, turn)[0] for turn in range(3)], names)
        self.assertEqual([sorted(summary.rotated(names, turn)) for turn in range(6)], [names] * 6)

    def test_the_next_cycle_runs_backwards(self):
        self.assertEqual(summary.rotated(["a", "b", "c"], 3), ["c", "b", "a"])

    def test_size_nearest_to_the_target(self):
        self.assertEqual(summary.size_for(5.0, 0.0147), 340)
        self.assertEqual(summary.size_for(0.001, 0.0147), 1)

    def test_text(self):
        rows = [row("events", reports=[reported(8.0), reported(8.0)]), row("nvbench", reports=[{"error": "skipped"}])]
        result = {"environment": {"device": "NVIDIA H200"}, "rows": rows,
                  "summaries": summary.with_differences([summary.summarise(one) for one in rows])}
        self.assertEqual(summary.text(result).splitlines(), [
            "device      NVIDIA H200",
            "",
            "kernel  aim us  timer    truth us  mean us  bias us  bias %  vs ours %  CV %  wall ms  n",
            "------  ------  -------  --------  -------  -------  ------  ---------  ----  -------  ------------",
            "spin    5       events   5.000     8.000    +3.000   +60.00  -          0.00  1.0      2",
            "spin    5       nvbench  -         -        -        -       -          -     -        0 (1 failed)",
            "",
            "  spin 5 us, nvbench: skipped",
        ])


class AdapterTest(unittest.TestCase):
    selftest = {"truth_us": 5.0, "reported_us": 5.01, "raw_us": 8.1, "slope_us": 5.0, "interval_us": [5.0, 5.02],
                "wall_ms": 12.5}

    def test_a_report_is_read(self):
        self.assertEqual(warpwright.parse_selftest(json.dumps({**self.selftest, "more": 1})), self.selftest)

    def test_what_is_missing_is_named(self):
        for text, complaint in (("oops", "is not JSON"), ("{}", "has no number 'reported_us'"),
                                ('{"reported_us": 1}', "has no number 'wall_ms'")):
            with self.assertRaisesRegex(ValueError, complaint):
                warpwright.parse_selftest(text)

    def test_a_sweep_of_one_configuration_is_read(self):
        entry = {"median_us": 8.3, "ci_low_us": 8.2, "ci_high_us": 8.4, "measure_seconds": 0.007, "status": "ok"}
        read = warpwright.parse_sweep(json.dumps({"leaderboards": [{"entries": [entry]}]}))
        self.assertEqual((read["reported_us"], read["raw_us"], read["interval_us"]), (8.3, None, [8.2, 8.4]))
        self.assertAlmostEqual(read["wall_ms"], 7.0)

    def test_a_sweep_that_timed_nothing_says_why(self):
        boards = {"leaderboards": [{"entries": [], "failures": [{"reason": "out of memory"}]}]}
        with self.assertRaisesRegex(ValueError, "times no configuration: out of memory"):
            warpwright.parse_sweep(json.dumps(boards))

    def fake(self, folder, script):
        program = pathlib.Path(folder) / "warpwright"
        program.write_text("#!/bin/sh\n" + script)
        program.chmod(0o755)
        return program

    def test_the_program_is_asked_for_one_report(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.fake(folder, f"echo \"$*\" > {folder}/asked\necho '{json.dumps(self.selftest)}'\n")
            read = warpwright.report(program, True, "spin", 5.0, 340, "cuda:0")
            asked = (pathlib.Path(folder) / "asked").read_text().strip()
        self.assertEqual(read, self.selftest)
        self.assertEqual(asked, "selftest --report-one spin --target-us 5.0 --size 340 --device cuda:0 --json")

    def test_an_older_program_sweeps_the_same_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.fake(folder, f"cp \"$2\" {folder}/swept\necho '{{\"leaderboards\": []}}'\n")
            warpwright.report(program, False, "spin", 5.0, 340, "cuda:0")
            swept = (pathlib.Path(folder) / "swept").read_text()
        self.assertEqual(swept, "kernel: harness_spin\nproblems: [{n: 32}]\nspace: {variant: plain, STEPS: 340}\n")

    def test_the_verb_is_recognised_by_its_help(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(warpwright.has_selftest(self.fake(folder, "echo '--report-one KERNEL'\n")))
            self.assertFalse(warpwright.has_selftest(self.fake(folder, "echo 'Usage: warpwright'\n")))

    def test_a_failure_is_a_report_with_its_first_line(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.fake(folder, "printf 'error: no GPU\\nmore\\n' >&2; exit 3\n")
            self.assertEqual(warpwright.report(program, True, "spin", 5.0, 340, "cuda:0"), {"error": "error: no GPU"})

    def test_a_missing_program_is_reported(self):
        with self.assertRaisesRegex(UserError, "cannot run /no/warpwright: No such file"):
            warpwright.has_selftest("/no/warpwright")


class ClientTest(unittest.TestCase):
    def server(self, *lines):
        script = "; ".join(f"echo '{json.dumps(line)}'" for line in lines)
        return ["sh", "-c", script + "; cat > /dev/null"]

    def test_answers_come_in_order(self):
        with client.Client(self.server({"ready": True}, {"spin": 1.0}, {"error": "no"})) as timing:
            self.assertEqual(timing.must({"do": "slopes"}), {"spin": 1.0})
            self.assertEqual(timing.ask({"do": "time"}), {"error": "no"})

    def test_what_the_machine_lacks_is_raised(self):
        with self.assertRaisesRegex(MissingModule, "sees no CUDA GPU"):
            with client.Client(self.server({"ready": True}, {"missing": "PyTorch sees no CUDA GPU"})) as timing:
                timing.ask({"do": "environment"})

    def test_an_error_that_everything_rests_on_is_raised(self):
        with client.Client(self.server({"ready": True}, {"error": "no memory"})) as timing:
            with self.assertRaisesRegex(client.ServerFailed, "slopes: no memory"):
                timing.must({"do": "slopes"})

    def test_a_server_that_ends_is_reported(self):
        with self.assertRaisesRegex(client.ServerFailed, "the timing process ended with status 7"):
            client.Client(["sh", "-c", "exit 7"])


class ProgramTest(unittest.TestCase):
    def refusal(self, *arguments):
        errors = io.StringIO()
        with self.assertRaises(SystemExit) as raised, contextlib.redirect_stderr(errors):
            SCRIPT["parse_arguments"](list(arguments))
        self.assertEqual(raised.exception.code, 2)
        return errors.getvalue()

    def test_an_unknown_timer_is_refused(self):
        self.assertIn("got 'stopwatch', expected some of do_bench,do_bench_cudagraph,events,nvbench,warpwright",
                      self.refusal("--timers", "stopwatch"))

    def test_sizes_are_microseconds(self):
        self.assertIn("got '5us', expected microseconds with commas, such as 5,50,1000", self.refusal("--spin-us", "5us"))
        self.assertIn("got '0', expected 1 to 1000000 us each", self.refusal("--stream-us", "0"))

    def test_processes_are_positive(self):
        self.assertIn("--processes 0: expected at least 1", self.refusal("--processes", "0"))

    def test_a_repeated_name_counts_once(self):
        self.assertEqual(SCRIPT["parse_arguments"](["--timers", "events,events"]).timers, ["events"])

    def test_truth_is_known_of_spin_alone(self):
        options = SCRIPT["parse_arguments"](["--spin-us", "5", "--stream-us", "10"])
        plan = SCRIPT["planned"](options, {"spin": 0.01, "stream": 0.002})
        self.assertEqual([(one["kernel"], one["size"], one["truth_us"]) for one in plan],
                         [("spin", 500, 5.0), ("stream", 5000, None)])

    def test_timers_that_are_not_there_are_left_out_with_a_reason(self):
        timers, left_out = SCRIPT["usable_timers"](["events", "nvbench", "warpwright"], {"nvbench": None}, None)
        self.assertEqual(timers, ["events"])
        self.assertIn("not available here: the Python package cuda-bench", left_out["nvbench"])
        self.assertIn("no warpwright in build/", left_out["warpwright"])

    def test_a_program_that_is_not_there_is_refused(self):
        with self.assertRaisesRegex(UserError, "/no/such: no such file; build it or leave --warpwright out"):
            SCRIPT["programs"].find_warpwright(ROOT, pathlib.Path("/no/such"))

    def test_without_pytorch_it_says_so_and_exits_3(self):
        with tempfile.TemporaryDirectory() as folder:
            # A torch that cannot be imported stands before any that can.
            (pathlib.Path(folder) / "torch.py").write_text("raise ModuleNotFoundError('No module named torch')\n")
            done = subprocess.run([sys.executable, str(ROOT / "scripts" / "record" / "compare_timers")], capture_output=True, text=True,
                                  env={"PYTHONPATH": folder, "PATH": os.environ["PATH"]}, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("error: PyTorch is not installed; get it with `python3 -m pip install torch`", done.stderr)


if __name__ == "__main__":
    unittest.main()
