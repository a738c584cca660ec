"""scripts/version_table: which presets a sweep selects, and what stands in the table."""

import pathlib
import runpy
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "version_table"), run_name="version_table")


def entry(variant, median, tied=False, **values):
    return {"variant": variant, "configuration": values, "configuration_text": f"{variant} {values}", "median_us": median,
            "ci_low_us": median - 1, "ci_high_us": median + 1, "tied_with_best": tied}


def board(problem, *entries):
    return {"problem": problem, "problem_text": " ".join(f"{name}={value}" for name, value in problem.items()),
            "entries": list(entries), "device": {"name": "GPU"}}


class VersionNames(unittest.TestCase):
    def test_numbers_ranges_and_names(self):
        self.assertEqual(SCRIPT["version_names"]([3, "0..1", "wide"]), ["V3", "V0", "V1", "wide"])

    def test_all_presets_without_version(self):
        self.assertEqual(list(SCRIPT["versions_of"]({"presets": {"V0": {}, "wide": {}}}, "x.yaml")), ["V0", "wide"])

    def test_a_sweep_without_presets_is_refused(self):
        with self.assertRaisesRegex(Exception, "x.yaml: has no presets"):
            SCRIPT["versions_of"]({}, "x.yaml")


class Rows(unittest.TestCase):
    def setUp(self):
        self.versions = {"V0": {"TILE": 32}, "V1": {"TILE": 64}, "V2": {"TILE": 128}}
        self.own = [board({"n": 8}, entry("mma", 200, True, TILE=64), entry("mma", 300, TILE=32))]
        self.all = [board({"n": 8}, entry("other", 50, TILE=64), entry("mma", 100, TILE=256), *self.own[0]["entries"])]

    def test_versions_then_the_best_of_their_variant_and_of_all(self):
        rows, configurations = SCRIPT["rows_of"](self.versions, self.own, self.all, [])
        self.assertEqual([row[0] for row in rows], ["V0", "V1", "V2", "best of mma", "best of all", "against the versions"])
        self.assertEqual([row[1] for row in rows], ["300.0 [299.0, 301.0]", "=200.0 [199.0, 201.0]", "-",
                                                    "100.0 [99.00, 101.0]", "50.00 [49.00, 51.00]", "4.00x"])
        self.assertEqual([text for _, text in configurations], ["mma {'TILE': 256}", "other {'TILE': 64}"])

    def test_what_an_earlier_sweep_measured_is_shown_without_its_ties(self):
        self.all[0]["entries"].append(entry("mma", 400, True, TILE=128))
        rows, _ = SCRIPT["rows_of"](self.versions, self.own, self.all, [])
        self.assertEqual(rows[2], ["V2", "400.0 [399.0, 401.0]"])

    def test_peers_have_a_row_each(self):
        peers = [{"problem": {"n": 8}, "peers": {"fa2": {"median_us": 150, "ci_low_us": 149, "ci_high_us": 151}, "cudnn": None}}]
        rows, _ = SCRIPT["rows_of"](self.versions, self.own, self.all, peers)
        self.assertEqual(rows[-2:], [["fa2", "150.0 [149.0, 151.0]"], ["cudnn", "-"]])


if __name__ == "__main__":
    unittest.main()
