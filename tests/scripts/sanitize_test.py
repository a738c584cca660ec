"""scripts/sanitize: what it makes of a sweep, and of the tool's words."""

import pathlib
import runpy
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "sanitize"), run_name="sanitize")


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


if __name__ == "__main__":
    unittest.main()
