"""Tests of scripts/sweep_agreement on databases made here, whose views are tables with the columns that it reads."""

import contextlib
import io
import itertools
import json
import math
import pathlib
import random
import runpy
import sqlite3
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "sweep_agreement"), run_name="sweep_agreement")
tau_b = SCRIPT["kendall_tau_b"]


def tau_b_by_definition(pairs):
    """From the counts in the textbook's formula."""
    concordant = discordant = ties_x = ties_y = 0
    for (x1, y1), (x2, y2) in itertools.combinations(pairs, 2):
        ties_x += x1 == x2
        ties_y += y1 == y2
        if x1 != x2 and y1 != y2:
            concordant += (x1 < x2) == (y1 < y2)
            discordant += (x1 < x2) != (y1 < y2)
    total = len(pairs) * (len(pairs) - 1) // 2
    return (concordant - discordant) / math.sqrt((total - ties_x) * (total - ties_y))


class KendallTest(unittest.TestCase):
    def test_same_and_reversed_order(self):
        self.assertEqual(tau_b([(1, 10), (2, 20), (3, 30)]), 1.0)
        self.assertEqual(tau_b([(1, 30), (2, 20), (3, 10)]), -1.0)

    def test_one_swap_of_four(self):
        self.assertAlmostEqual(tau_b([(1, 1), (2, 2), (3, 4), (4, 3)]), 4 / 6)

    def test_ties_shrink_the_denominator(self):
        # Three pairs; one tied in x: 2 concordant of sqrt(2 * 3).
        self.assertAlmostEqual(tau_b([(1, 1), (1, 2), (2, 3)]), 2 / math.sqrt(6))

    def test_undefined_without_an_order(self):
        self.assertIsNone(tau_b([]))
        self.assertIsNone(tau_b([(1, 1)]))
        self.assertIsNone(tau_b([(1, 1), (1, 2)]))

    def test_infinity_ties_with_itself(self):
        self.assertAlmostEqual(tau_b([(1, 1), (math.inf, math.inf), (math.inf, math.inf)]), 1.0)

    def test_random_pairs_agree_with_the_definition_and_with_scipy(self):
        generator = random.Random(1)
        for _ in range(20):
            pairs = [(generator.randrange(8), generator.randrange(8)) for _ in range(30)]
            self.assertAlmostEqual(tau_b(pairs), tau_b_by_definition(pairs))
            with contextlib.suppress(ImportError):
                from scipy.stats import kendalltau

                self.assertAlmostEqual(tau_b(pairs), kendalltau(*zip(*pairs)).statistic)


class AgreementTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def database(self, name, times, ties=(), pruned=(), **changes):
        """One board of {configuration: us}; `changes` replace its kernel, problem, fingerprint and so on."""
        path = pathlib.Path(self.folder.name) / name
        board = {"kernel": "swiglu", "problem": "rows=1", "device": "NVIDIA H200", "protocol": "cold-1",
                 "fingerprint": "f", "contract_hash": "c", **changes}
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE IF NOT EXISTS v_leaderboard (rank, tied_with_best, kernel, problem, device, "
                               "protocol, configuration, median_us, contract_hash, fingerprint, trial)")
            connection.execute("CREATE TABLE IF NOT EXISTS v_trial (trial INTEGER PRIMARY KEY, kernel, contract_hash, "
                               "problem, fingerprint, configuration, status, protocol)")
            tried = [(name, "ok") for name in sorted(times, key=times.get)] + [(name, "pruned") for name in pruned]
            for rank, (configuration, status) in enumerate(tried, start=1):
                trial = connection.execute(
                    "INSERT INTO v_trial (kernel, contract_hash, problem, fingerprint, configuration, status, protocol) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (board["kernel"], board["contract_hash"], board["problem"], board["fingerprint"], configuration, status,
                     board["protocol"])).lastrowid
                if status == "ok":
                    connection.execute(
                        "INSERT INTO v_leaderboard VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (rank, configuration in ties, board["kernel"], board["problem"], board["device"], board["protocol"],
                         configuration, times[configuration], board["contract_hash"], board["fingerprint"], trial))
        return path

    def run_script(self, *arguments):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = SCRIPT["main"]([str(argument) for argument in arguments])
        return code, output.getvalue(), errors.getvalue()

    def compared(self, *databases):
        code, output, errors = self.run_script(*databases, "--json")
        self.assertEqual(code, 0, errors)
        return json.loads(output)["boards"][0]

    def test_a_database_agrees_with_itself(self):
        path = self.database("a.db", {"A": 1.0, "B": 2.0, "C": 3.0}, ties=["A"])
        result = self.compared(path, path)
        self.assertEqual((result["tau_b"], result["tau_b_with_pruned"], result["tie_sets"]), (1.0, 1.0, "equal"))
        self.assertEqual((result["same_winner"], result["first_winner_in_second"]), (True, 1.0))

    def test_only_configurations_timed_in_both_are_ordered(self):
        first = self.database("a.db", {"A": 1.0, "B": 2.0, "C": 3.0, "only here": 0.5})
        second = self.database("b.db", {"A": 2.0, "B": 1.0, "C": 3.0})
        result = self.compared(first, second)
        self.assertEqual((result["timed"], result["timed_in_both"]), ([4, 3], 3))
        self.assertAlmostEqual(result["tau_b"], 1 / 3)

    def test_pruned_configurations_tie_at_the_bottom(self):
        first = self.database("a.db", {"A": 1.0, "B": 2.0}, pruned=["C", "D"])
        second = self.database("b.db", {"A": 1.0, "B": 2.0, "C": 3.0, "D": 4.0})
        result = self.compared(first, second)
        self.assertEqual((result["timed_in_both"], result["known_in_both"], result["pruned"]), (2, 4, [2, 0]))
        self.assertAlmostEqual(result["tau_b_with_pruned"], 5 / math.sqrt(5 * 6))

    def test_a_configuration_timed_later_is_not_pruned(self):
        path = self.database("a.db", {"A": 1.0}, pruned=["B"])
        self.database("a.db", {"B": 2.0})
        self.assertEqual(self.compared(path, path)["pruned"], [0, 0])

    def test_pruned_under_other_sources_does_not_count(self):
        path = self.database("a.db", {"A": 1.0})
        self.database("a.db", {}, pruned=["B"], contract_hash="older")
        self.assertEqual(self.compared(path, path)["pruned"], [0, 0])

    def test_tie_sets(self):
        times = {"A": 1.0, "B": 1.0, "C": 1.0}
        for number, (mine, theirs, relation) in enumerate(
            [("AB", "AB", "equal"), ("AB", "BC", "overlapping"), ("A", "BC", "disjoint")]):
            first = self.database(f"a{number}.db", times, ties=mine)
            second = self.database(f"b{number}.db", times, ties=theirs)
            self.assertEqual(self.compared(first, second)["tie_sets"], relation)

    def test_what_each_winner_costs_in_the_other(self):
        first = self.database("a.db", {"A": 1.0, "B": 1.1})
        second = self.database("b.db", {"A": 2.5, "B": 2.0})
        result = self.compared(first, second)
        self.assertEqual((result["winners"], result["same_winner"]), (["A", "B"], False))
        self.assertAlmostEqual(result["first_winner_in_second"], 1.25)
        self.assertAlmostEqual(result["second_winner_in_first"], 1.1)

    def test_a_winner_that_the_other_pruned_has_no_cost(self):
        first = self.database("a.db", {"A": 1.0, "B": 1.1})
        second = self.database("b.db", {"B": 2.0}, pruned=["A"])
        self.assertIsNone(self.compared(first, second)["first_winner_in_second"])
        self.assertRegex(self.run_script(first, second)[1], r"differs +pruned +1\.1000x")

    def test_the_newest_of_two_boards_of_one_device_counts(self):
        path = self.database("a.db", {"A": 1.0})
        self.database("a.db", {"A": 2.0, "B": 3.0}, fingerprint="newer driver")
        self.assertEqual(self.compared(path, path)["timed"], [2, 2])

    def test_boards_of_one_side_are_named(self):
        first = self.database("a.db", {"A": 1.0})
        second = self.database("b.db", {"A": 1.0})
        self.database("b.db", {"A": 1.0}, problem="rows=2")
        self.assertIn(f"only in {second}: swiglu rows=2 NVIDIA H200 cold-1", self.run_script(first, second)[1])

    def test_other_kernels_are_left_out_on_request(self):
        path = self.database("a.db", {"A": 1.0})
        self.database("a.db", {"A": 1.0}, kernel="geglu")
        code, output, _ = self.run_script(path, path, "--kernel", "geglu", "--json")
        self.assertEqual((code, [board["kernel"] for board in json.loads(output)["boards"]]), (0, ["geglu"]))

    def test_nothing_in_common_is_refused(self):
        first = self.database("a.db", {"A": 1.0})
        second = self.database("b.db", {"A": 1.0}, protocol="hot-1")
        code, _, errors = self.run_script(first, second)
        self.assertEqual(code, 2)
        self.assertIn("no board in common", errors)
        self.assertIn("b.db has swiglu rows=1 NVIDIA H200 hot-1", errors)

    def test_a_missing_database_is_refused(self):
        code, _, errors = self.run_script("/no/such.db", "/no/such.db")
        self.assertEqual((code, errors), (2, "error: /no/such.db: no such file; give two databases that sweeps wrote with --db\n"))

    def test_another_kind_of_database_is_refused(self):
        path = pathlib.Path(self.folder.name) / "other.db"
        sqlite3.connect(path).close()
        path.write_bytes(b"not a database, and long enough that nobody takes it for an empty one" * 4)
        code, _, errors = self.run_script(path, path)
        self.assertEqual(code, 2)
        self.assertIn("expected a results database of warpwright", errors)


if __name__ == "__main__":
    unittest.main()
