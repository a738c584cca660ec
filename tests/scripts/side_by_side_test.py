"""The page of two devices next to each other is what `warpwright compare` prints, and scripts/record/side_by_side says where it is not."""
import json
import pathlib
import tempfile
import unittest

from loaded_script import ROOT, load
from loaded_script import run as run_script


MODULE = load("record/side_by_side")


def run(*arguments):
    return run_script(MODULE, *arguments)


class CommittedPage(unittest.TestCase):
    def test_it_is_what_compare_prints(self):
        if MODULE.find_warpwright(ROOT, None) is None:
            self.skipTest("there is no program in build/")
        self.assertEqual(run(), (0, ""))

    def test_readme_leads_to_it(self):
        table = json.loads((ROOT / "results" / "side_by_side.json").read_text())
        self.assertIn(f"]({table['document']})", (ROOT / "results" / "README.md").read_text())


class Page(unittest.TestCase):
    """A program that prints its arguments stands in for ours."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "results").mkdir()
        self.program = self.root / "program"
        self.program.write_text('#!/bin/sh\necho "$@"\n[ "$2" != missing.db ] || { echo "missing.db does not exist" >&2; exit 2; }\n')
        self.program.chmod(0o755)
        self.describe({"title": "First", "text": "One sentence.", "contenders": ["a.db", "b.db"]},
                      {"title": "Second", "text": "Another.", "contenders": ["b.db", "c.db"], "options": ["--top", "1"]})

    def describe(self, *sections):
        table = {"document": "page.md", "title": "Two", "introduction": "An introduction.", "sections": list(sections)}
        (self.root / "results" / "side_by_side.json").write_text(json.dumps(table))

    def script(self, *arguments):
        return run("--root", self.root, "--program", self.program, *arguments)

    @property
    def page(self):
        return self.root / "results" / "page.md"

    def test_each_section_has_the_command_and_its_output(self):
        self.assertEqual(self.script("--write"), (0, ""))
        self.assertEqual(self.page.read_text(),
                         "# Two\n\nAn introduction.\n\n"
                         "## First\n\nOne sentence.\n\n    warpwright compare a.db b.db\n\n```\ncompare a.db b.db\n```\n\n"
                         "## Second\n\nAnother.\n\n    warpwright compare b.db c.db --top 1\n\n```\ncompare b.db c.db --top 1\n```\n")
        self.assertEqual(self.script(), (0, ""))

    def test_a_line_that_differs_is_named(self):
        self.script("--write")
        self.page.write_text(self.page.read_text().replace("compare b.db c.db --top 1\n```", "compare b.db\n```"))
        code, printed = self.script()
        self.assertEqual(code, 1)
        self.assertEqual(printed, "error: results/page.md: line 8 of section 'Second' is not what `warpwright compare` gives\n"
                                  "  found:    compare b.db\n  expected: compare b.db c.db --top 1\n"
                                  "run `scripts/record/side_by_side --write`\n")
        self.assertEqual(self.script("--section", "First"), (0, ""))

    def test_a_section_alone_is_rewritten(self):
        self.script("--write")
        before = self.page.read_text()
        self.page.write_text(before.replace("compare b.db c.db --top 1\n```", "x\n```").replace("compare a.db b.db\n```", "y\n```"))
        self.assertEqual(self.script("--write", "--section", "First"), (0, ""))
        self.assertEqual(self.page.read_text(), before.replace("compare b.db c.db --top 1\n```", "x\n```"))

    def test_a_section_that_the_page_lacks_is_named(self):
        self.script("--write")
        self.describe({"title": "Third", "text": "", "contenders": []})
        self.assertEqual(self.script(), (1, "error: results/page.md: has the sections ['First', 'Second'], expected ['Third']; run "
                                            "`scripts/record/side_by_side --write`\n"))
        self.assertEqual(self.script("--section", "Fourth")[0], 1)

    def test_a_failure_of_the_program_is_passed_on(self):
        self.describe({"title": "First", "text": "", "contenders": ["missing.db"]})
        self.assertEqual(self.script("--write"), (1, "error: `warpwright compare missing.db` in results/ failed:\nmissing.db does not exist\n"))


if __name__ == "__main__":
    unittest.main()
