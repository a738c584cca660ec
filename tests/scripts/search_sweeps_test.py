"""The evaluation of the output of sweeps by scripts/record/search_sweeps; running it needs a GPU."""
import pathlib
import subprocess
import unittest

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "record" / "search_sweeps"


def load():
    return loaded_script.load("record/search_sweeps")


def board(problem, *times):
    return {"problem_text": problem, "entries": [{"configuration_text": f"v A={i}", "median_us": us} for i, us in enumerate(times)]}


class SearchSweepsTest(unittest.TestCase):
    def test_a_board_is_its_winner_and_everybodys_times(self):
        found = load().boards({"leaderboards": [board("n=1", 10.0, 12.0), board("n=2")]})
        self.assertEqual(list(found), ["n=1"], "where nothing passed there is nothing to compare with")
        self.assertEqual(found["n=1"]["configuration"], "v A=0")
        self.assertEqual(found["n=1"]["us"], {"v A=0": 10.0, "v A=1": 12.0})

    def test_the_worst_problem_is_named_and_what_was_not_timed(self):
        self.assertEqual(load().summary({"a": 1.01, "b": 1.2, "c": None}, 3), ["1.200 (1 not timed)", "1.105", "1 of 3"])
        self.assertEqual(load().summary({"a": 1.0, "b": 1.02}, 2), ["1.020", "1.010", "2 of 2"])
        self.assertEqual(load().summary({"a": None}, 1), ["-", "-", "0 of 1"])

    def test_a_budget_is_asked_for_one_way_or_the_other_and_a_model_is_no_device(self):
        ran = subprocess.run([SCRIPT, "/nonexistent", "--sweep", "x.yaml"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("expected either --share or --budget", ran.stderr)
        ran = subprocess.run([SCRIPT, "/nonexistent", "--sweep", "x.yaml", "--budget", "5", "--device", "emu:sm_90a"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("a model's best is not a measurement", ran.stderr)


if __name__ == "__main__":
    unittest.main()
