"""The evaluation of a contract by scripts/record/compare_tuners; running it needs a GPU and Kernel Tuner."""

import unittest

import loaded_script

SCRIPT = loaded_script.load("record/compare_tuners")
CONTRACT = {"kernel": "blur", "let": {"tile": "BX * TILE", "area": "tile * BY"}, "constraints": ["BX * BY <= 1024"]}


class CompareTuners(unittest.TestCase):
    def variant(self, *grid):
        return {"launches": [{"grid": list(grid)}], "constraints": [{"expr": "area <= n && BY != 3", "because": "so"}]}

    def test_a_grid_is_sizes_and_what_a_block_does(self):
        sizes, divisors = SCRIPT.grid_of(CONTRACT, self.variant("ceil_div(n + 2, tile)", "ceil_div(rows, BY)"), {"n": 98, "rows": 7})
        self.assertEqual(sizes, [100, 7])
        self.assertEqual(divisors, [["(BX * TILE)"], ["BY"], None])

    def test_another_grid_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "the grid 'rows' of blur is not a ceil_div"):
            SCRIPT.grid_of(CONTRACT, self.variant("rows"), {"rows": 7})

    def test_constraints_are_written_out_and_know_the_problem(self):
        texts = SCRIPT.restrictions_of({"constraints": ["TILE > 1 || BX == 1"]}, CONTRACT, self.variant(), {"n": 64})
        self.assertEqual(texts, ["BX * BY <= 1024", "((BX * TILE) * BY) <= 64  and  BY != 3", "TILE > 1  or  BX == 1"])
        values = {"BX": 4, "BY": 2, "TILE": 8}
        self.assertEqual([eval(text, {}, values) for text in texts], [True, True, True])

    def test_columns_align(self):
        self.assertEqual(SCRIPT.format_figures([["sweep", "n"], ["a", "10"]]), "sweep   n\n-----  --\na      10\n")


if __name__ == "__main__":
    unittest.main()
