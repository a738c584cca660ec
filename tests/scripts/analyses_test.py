"""kernels/<kernel>/ANALYSIS.md says what `warpwright account` says, and scripts/record/analyses where it differs."""
import json
import os
import pathlib
import shutil
import tempfile
import unittest

from loaded_script import ROOT, load
from loaded_script import run as run_script


MODULE = load("record/analyses")
PROGRAM = pathlib.Path(os.environ.get("WARPWRIGHT_PROGRAM", ROOT / "build" / "release" / "warpwright"))


def run(*arguments):
    return run_script(MODULE, "--warpwright", PROGRAM, *arguments)


class CommittedPages(unittest.TestCase):
    def test_they_say_what_the_sources_and_the_formulas_say(self):
        self.assertEqual(run(), (0, ""))


class Differences(unittest.TestCase):
    """On a copy of what belongs to one kernel; nothing is counted anew."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        table = json.loads((ROOT / MODULE.PROBLEMS).read_text())
        table["kernels"] = table["kernels"][:1]
        self.name = table["kernels"][0]["kernel"]
        for path in ("kernels/common", f"kernels/{self.name}", "configs/gpus"):
            shutil.copytree(ROOT / path, self.root / path)
        (self.root / MODULE.FOLDER).mkdir(parents=True)
        (self.root / MODULE.PROBLEMS).write_text(json.dumps(table))
        self.counts = self.root / MODULE.FOLDER / f"{self.name}.json"
        shutil.copy(ROOT / MODULE.FOLDER / self.counts.name, self.counts)
        self.page = self.root / "kernels" / self.name / "ANALYSIS.md"
        environment = dict(os.environ)
        self.addCleanup(os.environ.update, environment)
        os.environ["WARPWRIGHT_HOME"] = str(self.root)

    def tearDown(self):
        os.environ.pop("WARPWRIGHT_HOME")

    def check(self):
        return run("--root", self.root)

    def test_an_edited_page_is_named_with_the_line(self):
        text = self.page.read_text()
        self.page.write_text(text.replace("# The work", "# The play", 1))
        self.assertEqual(self.check(), (1, f"error: kernels/{self.name}/ANALYSIS.md:1: is not what the accounts give\n"
                                           f"  found:    # The play of the variants of {self.name}\n"
                                           f"  expected: # The work of the variants of {self.name}\n"
                                           "run `scripts/record/analyses --write`\n"))

    def test_counts_of_other_sources_are_named(self):
        counts = json.loads(self.counts.read_text())
        title = counts[0]["variants"][0]["title"]
        counts[0]["variants"][0]["sources"] = "0"
        self.counts.write_text(json.dumps(counts))
        self.assertEqual(self.check(), (1, f"error: results/accounting/{self.name}.json: variant '{title}' was counted with other sources; "
                                           "run `scripts/record/analyses --write`\n"))

    def test_a_formula_that_is_off_is_named_with_both_figures(self):
        counts = json.loads(self.counts.read_text())
        variant = counts[0]["variants"][0]
        formula = variant["counted"]["reads"]
        variant["counted"]["reads"] = 2 * formula
        self.counts.write_text(json.dumps(counts))
        code, printed = self.check()
        self.assertEqual(code, 1)
        self.assertRegex(printed, rf"^error: kernels/{self.name}/kernel.yaml: accounting.{variant['title']}.reads: the formula gives "
                                  rf"{formula:,.0f} for .*, the emulator counted {2 * formula:,.0f}; correct the formula\n$")

    def test_a_kernel_without_counts_is_named(self):
        self.counts.unlink()
        self.assertEqual(self.check(), (1, f"error: results/accounting/{self.name}.json: no such file; run `scripts/record/analyses --write`\n"))


if __name__ == "__main__":
    unittest.main()
