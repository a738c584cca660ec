"""The tables that scripts/record/record_step makes of graphs and decode steps; measuring them needs a GPU."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "record" / "record_step"


def load():
    return loaded_script.load("record/record_step")


def operation(name, kernel, problem, us, idle=(), source="measured", covered_by=None, ceiling_us=1.0, tuned_us=None):
    known = {"name": kernel, "problem": problem, "idle": list(idle)} if kernel else None
    return {"name": name, "kernel": known, "us": us, "source": source, "covered_by": covered_by, "ceiling_us": ceiling_us,
            "tuned_us": tuned_us}


def graph_run(*steps, whole=100.0, gap=1.0):
    return {"whole": {"median_us": whole}, "steps": [{"name": name, "kernel": kernel, "problem": problem} for name, kernel, problem in steps],
            "launches": len(steps), "gap_us": gap, "sum_us": 90.0, "left_out": [{"name": "missing_one"}]}


DECODE_STEP = {"batch": 1, "context": 8, "operations": [
    operation("turn", None, {}, 0.0, source="covered", covered_by="append"),
    operation("append", "appender", {"n": 1, "room": 8, "base": 1.0}, 30.0, idle=["room", "base"], tuned_us=29.0),
    operation("norm", "normer", {"n": 1}, 20.0, source="interpolated"),
    operation("other", "normer", {"n": 2}, 99.0)]}


class RecordStepTest(unittest.TestCase):
    def test_a_step_is_the_operation_of_its_kernel_and_problem(self):
        module = load()
        found = module.operation_of({"kernel": "normer", "problem": {"n": 2}}, DECODE_STEP["operations"])
        self.assertEqual(found["name"], "other")
        self.assertIsNone(module.operation_of({"kernel": "normer", "problem": {"n": 3}}, DECODE_STEP["operations"]))

    def test_sizes_that_move_no_byte_may_differ(self):
        step = {"kernel": "appender", "problem": {"n": 1, "room": 512, "base": 2.0}}
        self.assertEqual(load().operation_of(step, DECODE_STEP["operations"])["name"], "append")

    def test_the_sum_is_of_the_steps_that_the_graph_holds(self):
        row = load().compare(graph_run(("a", "appender", {"n": 1, "room": 8, "base": 1.0}), ("b", "normer", {"n": 1}),
                                       ("c", "normer", {"n": 1})), DECODE_STEP)
        self.assertEqual(row["by_kernels_us"], 70.0)
        self.assertEqual(row["with_gaps_us"], 71.0, "times as they were measured, and two gaps")
        self.assertEqual(row["by_ceilings_us"], 4.0, "the additional work of the appending kernel has a ceiling of its own")
        self.assertEqual(row["sources"], {"measured": 1, "interpolated": 2})
        self.assertEqual(row["left_out"], ["missing_one"])

    def test_a_step_that_no_operation_is_leaves_no_sum(self):
        row = load().compare(graph_run(("a", "stranger", {})), DECODE_STEP)
        self.assertIsNone(row["by_kernels_us"])
        self.assertEqual(row["missing"], ["a"])

    def test_the_table_says_how_far_sums_are_from_the_graph(self):
        module = load()
        text = module.table([module.compare(graph_run(("a", "normer", {"n": 1}), whole=16.0), DECODE_STEP)])
        self.assertIn("+25.0 %", text)
        self.assertIn("1 interpolated", text)

    def test_a_folder_with_a_database_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "warpwright.db").write_text("")
            ran = subprocess.run([SCRIPT, folder, "--program", "/bin/true", "--allow-dirty"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("holds a database already; name a new folder", ran.stderr)

    def test_a_run_that_failed_is_told_and_the_others_are_kept(self):
        graph = {"graph": "g", "model": None, "modelled": True, "runs": [
            {"status": "wrong_result", "reason": "step 'a': no", "sizes": {"batch": 1}},
            {"status": "ok", "sizes": {"batch": 2}, "steps": [], "hot": None, "without_hot": "modelled", "launches": 0,
             "whole": {"median_us": 5.0}}]}
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text(f"#!/usr/bin/env python3\nimport sys\nif 'bench' in sys.argv: print({json.dumps(json.dumps(graph))}); sys.exit(1)\n")
            program.chmod(0o755)
            ran = subprocess.run([SCRIPT, f"{folder}/out", "--device", "emu:sm_90a", "--program", program], capture_output=True,
                                 text=True, check=False)
            told = (pathlib.Path(folder) / "out" / "step.txt").read_text()
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn("wrong_result: step 'a': no", told)
        self.assertIn("all 0 launches 5.000 us modelled", told)

    def test_what_a_program_said_is_shown_when_it_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run([SCRIPT, f"{folder}/out", "--device", "emu:sm_90a", "--program", "/bin/false"], capture_output=True,
                                 text=True, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("exit code 1", ran.stderr)


if __name__ == "__main__":
    unittest.main()
