"""scripts/record/report_pictures: the page's charts without a browser, and the page's own formatting."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "record" / "report_pictures"
PROGRAM = ROOT / "build" / "release" / "warpwright"
BROKEN = ROOT / "tests" / "fixtures" / "broken_kernels"

pictures = loaded_script.load("record/report_pictures")


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True)


@unittest.skipUnless((ROOT / ".deps/charts/py_mini_racer").exists(), "no JavaScript engine: scripts/dev/fetch_charts --pictures")
class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.database = cls.folder / "small.db"
        subprocess.run([PROGRAM, "sweep", BROKEN / "configs" / "mixed_ends.yaml", "--kernels", BROKEN, "--device", "emu:sm_90a",
                        "--db", cls.database, "--quiet"], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def test_a_database_gives_svg_files_with_a_ground_of_their_own(self):
        done = run(self.database, "-o", self.folder / "svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = sorted((self.folder / "svg").iterdir())
        names = [file.name for file in files]
        self.assertIn("overview.svg", names)
        self.assertIn("mixed-0-progress.svg", names)
        self.assertIn("mixed-0-landscape.svg", names)
        self.assertEqual(sorted(done.stdout.split()), [str(file) for file in files])
        for file in files:
            root = xml.fromstring(file.read_text())
            self.assertTrue(root.tag.endswith("svg"), file)
            self.assertIn('fill="#ffffff"', file.read_text()[:600], file)
            if file.name.startswith("mixed"):
                self.assertIn("modelled", file.read_text(), file)

    def test_only_some_and_as_png(self):
        done = run(self.database, "-o", self.folder / "png", "--only", "progress", "--format", "png")
        self.assertEqual(done.returncode, 0, done.stderr)
        (file,) = (self.folder / "png").iterdir()
        self.assertEqual(file.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_a_page_gives_the_same_as_its_database(self):
        page = self.folder / "page.html"
        subprocess.run([PROGRAM, "report", "--db", self.database, "-o", page], check=True, capture_output=True)
        self.assertEqual(run(page, "-o", self.folder / "a", "--only", "landscape").returncode, 0)
        self.assertEqual(run(self.database, "-o", self.folder / "b", "--only", "landscape").returncode, 0)
        name = "mixed-0-landscape.svg"
        self.assertEqual((self.folder / "a" / name).read_text(), (self.folder / "b" / name).read_text())

    def test_a_name_that_nothing_has_lists_the_names(self):
        done = run(self.database, "-o", self.folder / "none", "--only", "absent")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no chart matches 'absent'; it has overview, ", done.stderr)

    def test_what_is_no_report_is_refused(self):
        other = self.folder / "other.html"
        other.write_text("<html></html>")
        done = run(other, "-o", self.folder / "none")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, f"report_pictures: {other}: this is not a page of `warpwright report`\n")

    def test_what_the_program_says_of_other_files_is_handed_on(self):
        other = self.folder / "other.txt"
        other.write_text("neither")
        done = run(other, "-o", self.folder / "none")
        self.assertEqual(done.returncode, 2)
        self.assertIn(str(other), done.stderr)

    def test_numbers_read_as_on_the_terminal(self):
        racer, _ = pictures.libraries()
        page = self.folder / "format.html"
        subprocess.run([PROGRAM, "report", "--db", self.database, "-o", page], check=True, capture_output=True)
        _, charts = pictures.parts_of(page.read_text(), page)
        context = racer.MiniRacer()
        context.eval(charts)

        def js(expression):
            return json.loads(context.eval(f"JSON.stringify(warpwrightReport.{expression} ?? null)"))

        for us, text in ((0.25, "0.250"), (4.49, "4.49"), (49.41, "49.41"), (372.1, "372.1"), (999.96, "1,000"), (12345, "12,345"),
                         ("NaN", "n/a"), ("Infinity", "n/a"), ("null", "n/a")):
            self.assertEqual(js(f"formatUs({us})"), text)
        self.assertEqual(js("formatHalfWidth(100, 99.9, 100.2)"), "±0.20 %")
        self.assertEqual(js("formatHalfWidth(100, null, 100.2)"), "")
        self.assertEqual([js(f"formatRatio({ratio})") for ratio in (1, 0.045, 16.84, 242.1)], ["1.00x", "0.045x", "16.8x", "242x"])
        self.assertEqual([js(f"formatRate({rate})") for rate in (3.472, 43.71, 4425)], ["3.47", "43.7", "4,425"])
        self.assertEqual([js(f"formatBytes({size})") for size in (512, 232448, 62914560, 151397597184)],
                         ["512 B", "227 KiB", "60 MiB", "141 GiB"])
        self.assertEqual([js(f"formatPercent({share})") for share in (0.0312, 0.512, 0.9965, 1)], ["3.1 %", "51 %", "99.7 %", "100 %"])
        self.assertEqual(js("medianOf([3, 1, 2, 10])"), 2.5)

    def test_the_colours_of_text_and_marks_have_contrast(self):
        racer, _ = pictures.libraries()
        page = self.folder / "colours.html"
        subprocess.run([PROGRAM, "report", "--db", self.database, "-o", page], check=True, capture_output=True)
        _, charts = pictures.parts_of(page.read_text(), page)
        context = racer.MiniRacer()
        context.eval(charts)
        palettes = json.loads(context.eval("JSON.stringify(warpwrightReport.palettes)"))
        for palette in palettes.values():
            marks = [*palette["series"], *(palette[name] for name in ("accent", "soft", "good", "bad", "bound"))]
            for colour, least in [(palette["text"], 4.5), (palette["muted"], 4.5), *((mark, 3) for mark in marks)]:
                contrast = context.eval(f"warpwrightReport.contrast('{colour}', '{palette['card']}')")
                self.assertGreaterEqual(contrast, least, f"{colour} in {palette['name']}")


class Missing(unittest.TestCase):
    def test_a_missing_file_is_named(self):
        done = run("absent.html", "-o", "anywhere")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "report_pictures: absent.html: no such file\n")


if __name__ == "__main__":
    unittest.main()
