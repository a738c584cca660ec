"""The table of kinds in tuner/vet/README.md is the one that the pages of `vet --explain` give."""
import pathlib
import tempfile
import unittest

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    return loaded_script.load("dev/vet_kinds")


class VetKinds(unittest.TestCase):
    def test_the_table_is_current(self):
        text = (ROOT / "tuner" / "vet" / "README.md").read_text()
        self.assertEqual(text, load().with_table(text, ROOT / "tuner" / "vet" / "explain" / "pages"))

    def test_a_changed_page_makes_it_stale(self):
        with tempfile.TemporaryDirectory() as folder:
            pages = pathlib.Path(folder)
            (pages / "trap.md").write_text("# trap\n\nIt stopped\nitself.\n\n## Why\n")
            (pages / "shared-race.md").write_text("# shared race\n\nTwo accesses.\n\n## Why\n")
            module = load()
            text = f"a\n{module.BEGIN}{module.END}b\n"
            self.assertEqual(
                module.with_table(text, pages),
                "a\n<!-- kinds -->\n\n| finding | what it means |\n|---|---|\n"
                "| [shared race](explain/pages/shared-race.md) | Two accesses. |\n"
                "| [trap](explain/pages/trap.md) | It stopped itself. |\n\n<!-- end of kinds -->\nb\n")


if __name__ == "__main__":
    unittest.main()
