"""The tables that scripts/record/simulate_sweeps makes of simulated sweeps; tests/sweep/simulated_sweep_test.cpp tests these."""
import unittest

import loaded_script


def load():
    return loaded_script.load("record/simulate_sweeps")


def result(**figures):
    engine = {"strategy": 1.0, "jobs": 30.0, "records": 2.0, "lookups": 3.0, "adding": 4.0, "commits": 20.0}
    return {"gpus": 8, "makespan_s": 100.0, "engine_s": 70.0, "engine_of_s": engine, "busy": 0.5, "useful": 0.25, "compile_workers": 4,
            "compiler_busy_s": 40.0, "busiest_gpu_s": 60.0, "trials": 2000, "commits": 500, "to_compile": 1.4, "to_measure": 9.6, **figures}


class SimulateSweepsTest(unittest.TestCase):
    def test_a_sweep_is_held_by_what_is_busy_all_the_time(self):
        module = load()
        self.assertEqual(module.held_by(result()), "no one alone")
        self.assertEqual(module.held_by(result(engine_s=95.0)), "engine: bookkeeping")
        self.assertEqual(module.held_by(result(engine_s=95.0, engine_of_s={"jobs": 80.0, "commits": 10.0})), "engine: jobs")
        self.assertEqual(module.held_by(result(compiler_busy_s=390.0)), "compilers")
        self.assertEqual(module.held_by(result(busy=0.95)), "GPUs")
        self.assertEqual(module.held_by(result(busiest_gpu_s=90.0)), "one GPU")

    def test_shares_are_of_what_was_busy(self):
        row = load().scaling([result()]).splitlines()[2].split()
        self.assertEqual(row[:9], ["8", "2,000", "100.0", "20", "50.0", "%", "50", "%", "1"])
        self.assertEqual(row[9:21], ["10", "5", "70", "%", "1", "%", "43", "%", "3", "%", "39", "%"])

    def test_only_what_was_measured_stands_beside_the_prediction(self):
        rows = load().prediction([result(gpus=1), result(gpus=2, makespan_s=60.0), result(gpus=4, makespan_s=40.0)], {1: 53.9, 2: 34.8}).splitlines()
        self.assertEqual(rows[3].split(), ["2", "60.0", "1.67", "34.8", "1.55"])
        self.assertEqual(rows[4].split(), ["4", "40.0", "2.50", "not", "measured", "-"])


if __name__ == "__main__":
    unittest.main()
