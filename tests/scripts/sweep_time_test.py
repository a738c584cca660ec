"""The evaluation of a sweep's output by scripts/record/sweep_time; running it needs a GPU."""
import pathlib
import subprocess
import unittest

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "record" / "sweep_time"


def load():
    return loaded_script.load("record/sweep_time")


class SweepTimeTest(unittest.TestCase):
    def test_parts_add_up_to_the_sweep(self):
        sweep = {"wall_seconds": 10.0, "measure_busy_seconds": 9.0, "case_seconds": 1.0, "input_seconds": 0.5, "validate_seconds": 2.0,
                 "trial_measure_seconds": 3.0, "ranking_seconds": 1.5}
        parts = load().parts_of(sweep)
        self.assertAlmostEqual(sum(parts.values()), 10.0)
        self.assertAlmostEqual(parts["loading"], 1.0)
        self.assertAlmostEqual(parts["waiting"], 1.0)

    def test_a_device_of_several_processes_is_refused(self):
        ran = subprocess.run([SCRIPT, "/nonexistent", "x.yaml", "--device", "emu:sm_90a"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("emu:sm_90a is shared by several processes", ran.stderr)


if __name__ == "__main__":
    unittest.main()
