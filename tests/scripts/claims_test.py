"""results/claims.md sets our figures next to those of the founding documents, and scripts/record/claims says where it differs."""
import contextlib
import json
import pathlib
import re
import sqlite3
import tempfile
import unittest

from loaded_script import ROOT, load
from loaded_script import run as run_script


MODULE = load("record/claims")


def run(*arguments):
    return run_script(MODULE, *arguments)


class CommittedPage(unittest.TestCase):
    def test_it_says_what_the_recordings_say(self):
        self.assertEqual(run(), (0, ""))

    def test_no_figure_of_ours_is_typed_by_hand(self):
        """A number in `ours` stands in {braces}, names a problem, or is that of a kind or a device."""
        table = json.loads((ROOT / "results" / "claims.json").read_text())
        for section in table["sections"]:
            for claim in section["claims"]:
                text = re.sub(r"\{[^}]*\}", "", claim.get("ours", ""))
                self.assertIsNone(re.search(r"\d\.\d", re.sub(r"\([^)]*\)", "", text)), claim["claim"])

    def test_founding_documents_are_named_by_title(self):
        table = json.loads((ROOT / "results" / "claims.json").read_text())
        for section in table["sections"]:
            for claim in section["claims"]:
                self.assertRegex(claim["in"], r"^[a-z ]+$")


class Claims(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "results" / "gpu").mkdir(parents=True)
        (self.root / "results" / "gpu" / "peers.json").write_text(json.dumps({"results": [
            {"problem": {"n": 1, "d": 4}, "problem_text": "n=1 d=4", "ours": {"median_us": 2.0}, "peers": {"eager": {"median_us": 5.0}}}]}))
        (self.root / "results" / "gpu" / "log.txt").write_text("took 1,234 ms\n")
        with contextlib.closing(sqlite3.connect(self.root / "results" / "gpu" / "trials.db")) as database, database:
            database.execute("CREATE TABLE trial (us)")
            database.execute("INSERT INTO trial VALUES (4)")
        self.time = {"from": "peers", "problem": {"n": 1}, "of": "ours"}
        self.claim = {"claim": "at most 3 us", "in": "plan", "values": {"us": self.time}, "ours": "{us:.1f} us", "kind": "measured",
                      "holds": {"value": "us", "at_most": 3}}

    def page(self, *claims):
        """The rows of the page that these claims make."""
        table = {"files": {"peers": "gpu/peers.json", "log": "gpu/log.txt", "trials": "gpu/trials.db"},
                 "sections": [{"title": "Sums", "claims": list(claims)}]}
        (self.root / "results" / "claims.json").write_text(json.dumps(table))
        code, printed = run("--write", "--root", self.root)
        if code != 0:
            return printed
        return (self.root / "results" / "claims.md").read_text().split("|---|---|---|---|---|\n")[1]

    def test_a_claim_within_its_bound_holds(self):
        self.assertEqual(self.page(self.claim), "| at most 3 us | plan | 2.0 us | measured: holds | [gpu](gpu/) |\n")

    def test_a_claim_beyond_its_bound_is_refuted(self):
        self.claim["holds"]["at_most"] = 1.9
        self.assertIn("| measured: **refuted** |", self.page(self.claim))
        self.claim["holds"] = {"value": "us", "at_least": 2.1}
        self.assertIn("| measured: **refuted** |", self.page(self.claim))

    def test_without_a_bound_only_the_kind_is_given(self):
        del self.claim["holds"]
        self.claim["kind"] = "counted"
        self.assertIn("| 2.0 us | counted |", self.page(self.claim))

    def test_without_a_recording_it_is_not_measured_and_says_why(self):
        self.assertEqual(self.page({"claim": "quick", "in": "plan", "why": "there is no such GPU"}),
                         "| quick | plan | there is no such GPU | not measured | |\n")

    def test_values_are_divided_and_come_from_all_kinds_of_files(self):
        self.claim["values"] = {"times": {"divide": [self.time | {"of": "eager"}, self.time]}, "ms": {"from": "log", "find": r"took ([\d,]+) ms"},
                                "db": {"from": "trials", "sql": "SELECT us FROM trial"}, "n": {"divide": [{"number": 3}, {"number": 2}]}}
        self.claim["ours"] = "{times} {ms:.0f} {db} {n}"
        self.claim["holds"] = {"value": "times", "at_least": 2.5}
        self.assertIn("| 2.5 1234 4.0 1.5 | measured: holds | [gpu](gpu/) |", self.page(self.claim))

    def test_a_page_that_differs_names_the_line(self):
        self.page(self.claim)
        page = self.root / "results" / "claims.md"
        page.write_text(page.read_text().replace("2.0 us", "1.0 us"))
        code, printed = run("--root", self.root)
        self.assertEqual(code, 1)
        self.assertRegex(printed, r"^error: results/claims.md:\d+: is not what the recordings give\n"
                                  r"  found:    .*1\.0 us.*\n  expected: .*2\.0 us.*\nrun `scripts/record/claims --write`\n$")

    def test_faults_of_the_table_say_what_was_expected(self):
        self.assertIn("error: results/claims.json: 'at most 3 us' has neither 'values' nor 'why'; say where ours is recorded, or why it is "
                      "not\n", self.page({"claim": "at most 3 us", "in": "plan"}))
        self.assertIn("'kind' of 'at most 3 us' is 'guessed'; expected one of measured, modelled, counted\n",
                      self.page(self.claim | {"kind": "guessed"}))
        self.assertIn("""'holds' of 'at most 3 us' is {"value": "ms", "at_most": 3}; expected a name among its values (us) and one of """
                      "at_least, at_most\n", self.page(self.claim | {"holds": {"value": "ms", "at_most": 3}}))
        self.assertIn("'ours' of 'at most 3 us': '{ms}' needs 'ms'; there are us\n", self.page(self.claim | {"ours": "{ms}"}))
        self.assertIn("gives 'took', expected a number; correct it\n",
                      self.page(self.claim | {"values": {"us": {"from": "log", "find": r"(\w+) 1,234"}}}))
        self.assertIn("results/gpu/peers.json: 0 entries have", self.page(self.claim | {"values": {"us": self.time | {"problem": {"n": 2}}}}))


if __name__ == "__main__":
    unittest.main()
