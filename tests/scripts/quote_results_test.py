"""README.md and results/README.md quote the numbers of the recordings, and scripts/record/quote_results says where they differ."""
import contextlib
import gzip
import json
import pathlib
import re
import sqlite3
import tempfile
import unittest

from loaded_script import ROOT, load
from loaded_script import run as run_script

SECTIONS = {"README.md": ["## Results"], "results/README.md": ["## Reference results", "### How true a time is"]}
FIGURE = re.compile(r"\d[\d,.]*\s*(?:µs|us|ms|s|%|x|times|of \d+|GB/s|TFLOP/s|configurations|trials|problems)(?!\w)")


MODULE = load("record/quote_results")


def run(*arguments):
    return run_script(MODULE, *arguments)


def estimate(us, half=0.1):
    return {"median_us": us, "ci_low_us": us - half, "ci_high_us": us + half}


def result(rows, ours, **peers):
    return {"kernel": "sums", "problem": {"rows": rows, "d": 4}, "problem_text": f"rows={rows} d=4", "compared": "corrected",
            "ours": estimate(ours) | {"protocol": "cold-graph-9"}, "bytes": 8e6 * rows, "flops": 4e9,
            "peers": {name: us and estimate(us) for name, us in peers.items()}}


class Documents(unittest.TestCase):
    def test_they_say_what_the_recordings_say(self):
        self.assertEqual(run(), (0, ""))

    def test_a_changed_digit_of_the_readme_is_found(self):
        quoted = json.loads((ROOT / "results" / "quoted.json").read_text())
        quoted["blocks"] = [block for block in quoted["blocks"] if block["document"] == "README.md"]
        begin, rest = (ROOT / "README.md").read_text().split("<!-- quoted: results -->")
        time = re.search(r"\*\*(\d+)\.\d\*\*", rest)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "results").mkdir()
            for recordings in (path for path in (ROOT / "results").iterdir() if path.is_dir()):
                (root / "results" / recordings.name).symlink_to(recordings)
            (root / "results" / "quoted.json").write_text(json.dumps(quoted))
            changed = rest[:time.start(1)] + str(int(time[1]) + 1) + rest[time.end(1):]
            (root / "README.md").write_text(f"{begin}<!-- quoted: results -->{changed}")
            code, printed = run("--root", root)
        self.assertEqual(code, 1)
        self.assertRegex(printed, r"README\.md:\d+: 'results' is not what the recordings say")
        self.assertRegex(printed, rf"\n  found .*\n  expected .*{re.escape(time[0])}")

    def test_no_measured_number_is_outside_the_markers(self):
        for document, headings in SECTIONS.items():
            text = re.sub(r"<!-- quoted: (.*) -->\n.*?<!-- end of quoted: \1 -->\n", "", (ROOT / document).read_text(), flags=re.DOTALL)
            for heading in headings:
                section = re.split(r"^#", text.split(f"\n{heading}\n")[1], flags=re.MULTILINE)[0]
                self.assertEqual(FIGURE.findall(section), [], f"{document}, {heading}")


class Quotes(unittest.TestCase):
    """A small checkout: one document, a recording of peers, a database."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "results" / "gpu").mkdir(parents=True)
        self.peers = {"environment": {"read_gb_per_s": 1000.0}, "results": [
            result(1, 20.0, eager=41.0, compile=30.0, other=None), result(2, 30.0, eager=24.0, compile=30.1)]}
        self.quoted = {
            "files": {"peers": "gpu/peers.json", "trials": "gpu/trials.db.gz", "study": "gpu/study.txt"},
            "labels": {"eager": "Eager", "compile": "Compiled"},
            "blocks": [{
                "document": "README.md", "name": "sums",
                "values": {"trials": {"from": "trials", "sql": "SELECT count(*) FROM trial", "as": ",d"},
                           "caught": {"from": "study", "find": "caught +([0-9]+ of [0-9]+)"},
                           "least": {"from": "peers", "ratio": True, "pick": "least", "as": ".2f"}},
                "parts": ["{trials} trials, {caught} caught, {least} at least.",
                          {"columns": [["problem", "{label}"], ["ours", "{ours}"], ["read", "{read}"], ["peer", "{strongest}"],
                                       ["others", "{others}"], ["from", "{recording} {protocol}"]],
                           "rows": [{"peers": "peers", "problem": {"rows": 1}, "label": "one"},
                                    {"peers": "peers", "problem": {"rows": 2}, "label": "two", "cells": {"read": "{tflops} TFLOP/s"}}]}]}]}
        (self.root / "README.md").write_text("before\n<!-- quoted: sums -->\n<!-- end of quoted: sums -->\nafter\n")
        (self.root / "results" / "gpu" / "study.txt").write_text("alarms  0 of 9\ncaught  7 of 9\n")
        database = self.root / "trials.db"
        with contextlib.closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("CREATE TABLE trial (i)")
            connection.executemany("INSERT INTO trial VALUES (?)", [(i,) for i in range(1, 1235)])
        (self.root / "results" / "gpu" / "trials.db.gz").write_bytes(gzip.compress(database.read_bytes()))

    def quote(self, *arguments):
        (self.root / "results" / "quoted.json").write_text(json.dumps(self.quoted))
        (self.root / "results" / "gpu" / "peers.json").write_text(json.dumps(self.peers))
        return run("--root", self.root, *arguments)

    def refused(self, *arguments):
        code, printed = self.quote(*arguments)
        self.assertEqual((code, printed.count("\n")), (1, 1), printed)
        return printed

    def test_a_block_is_written_and_then_agrees(self):
        self.assertEqual(self.quote("--write"), (0, "README.md: rewritten\n"))
        self.assertEqual((self.root / "README.md").read_text(), "\n".join([
            "before", "<!-- quoted: sums -->", "1,234 trials, 7 of 9 caught, 0.80 at least.", "",
            "| problem | ours | read | peer | others | from |", "|---|---|---|---|---|---|",
            "| one | **20.00** | 40.0 % | Compiled 30.00 (1.50x) | Eager 41.00 | [gpu](results/gpu/) cold-graph-9 |",
            "| two | 30.00 | 133 TFLOP/s | **Eager 24.00** (0.80x) | Compiled 30.10 | [gpu](results/gpu/) cold-graph-9 |",
            "<!-- end of quoted: sums -->", "after", ""]))
        self.assertEqual(self.quote(), (0, ""))

    def test_a_changed_digit_is_found_and_named(self):
        self.quote("--write")
        document = self.root / "README.md"
        document.write_text(document.read_text().replace("**20.00**", "**19.00**"))
        code, printed = self.quote()
        self.assertEqual(code, 1)
        self.assertIn("README.md:7: 'sums' is not what the recordings say; run scripts/record/quote_results --write", printed)
        self.assertRegex(printed, r"found     \| one \| \*\*19\.00\*\*.*\n  expected  \| one \| \*\*20\.00\*\*")

    def test_a_changed_recording_is_found(self):
        self.quote("--write")
        self.peers["results"][1]["peers"]["eager"] = estimate(23.0)
        self.assertIn("README.md:3: 'sums'", self.quote()[1])

    def test_a_missing_marker_is_named(self):
        document = self.root / "README.md"
        document.write_text("<!-- quoted: sums -->\n")
        self.assertIn("README.md: 0 lines are `<!-- end of quoted: sums -->`, expected one; put it around", self.refused())

    def test_a_marker_that_nothing_fills_is_named(self):
        document = self.root / "README.md"
        document.write_text(document.read_text() + "<!-- quoted: products -->\n<!-- end of quoted: products -->\n")
        self.assertIn("README.md: nothing fills `<!-- quoted: products -->`; add 'products'", self.refused())

    def test_a_missing_recording_is_named(self):
        (self.root / "results" / "gpu" / "trials.db.gz").unlink()
        self.assertIn("results/gpu/trials.db.gz: cannot be read: No such file or directory; restore the recording", self.refused())

    def test_a_problem_that_the_recording_lacks_is_named(self):
        self.quoted["blocks"][0]["parts"][1]["rows"][0]["problem"] = {"rows": 3}
        self.assertIn('results/gpu/peers.json: 0 entries have {"problem": {"rows": 3}}, expected one', self.refused("--write"))

    def test_a_problem_without_a_peer_cannot_be_quoted(self):
        self.peers["results"][0]["peers"] = {"other": None}
        self.assertIn("results/gpu/peers.json: 'rows=1 d=4' has no time of a peer", self.refused())

    def test_a_peer_without_a_label_is_named(self):
        self.quoted["labels"].pop("compile")
        self.assertIn("results/quoted.json: 'labels' has none for 'compile'; add it", self.refused())

    def test_a_query_must_give_one_value(self):
        self.quoted["blocks"][0]["values"]["trials"]["sql"] = "SELECT i FROM trial WHERE i < 3"
        self.assertIn("`SELECT i FROM trial WHERE i < 3` gives [(1,), (2,)], expected one value", self.refused())


if __name__ == "__main__":
    unittest.main()
