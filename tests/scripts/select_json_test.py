"""Tests of scripts/examples/select_json, on the JSON that tests/output keeps as a golden file."""

import pathlib
import runpy
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "examples" / "select_json"), run_name="select_json")
evaluate, Fault = SCRIPT["evaluate"], SCRIPT["Fault"]
GOLDEN = ROOT / "tests" / "golden" / "selection.json"


class SelectTest(unittest.TestCase):
    def setUp(self):
        self.selector = SCRIPT["load"](GOLDEN)

    def select(self, device="NVIDIA H200", arch="sm_90a", limits=None, **problem):
        return self.selector.select(device, arch, problem, limits)

    def test_tuned_problems_get_their_winners(self):
        for board in self.selector.data["boards"]:
            device = self.selector.data["devices"][board["device"]]
            choice = self.selector.select(device["name"], device["arch"], board["problem"])
            self.assertEqual(choice["match"], "exact")
            self.assertIs(choice["configuration"], self.selector.data["configurations"][board["winner"]])

    def test_the_kinds_of_match(self):
        self.assertEqual(self.select(rows=24, K=64)["match"], "nearest_same_device")
        self.assertEqual(self.select("NVIDIA GH200", "sm_90", rows=24, K=64)["match"], "nearest_same_arch")
        self.assertEqual(self.select("", "gfx942", rows=16, K=16)["match"], "default")
        self.assertEqual(self.select("NVIDIA H200", "sm_80", rows=16, K=64)["match"], "default")
        self.assertEqual(self.select(rows=16, K=64, write_z=0)["match"], "nearest_other_choice")
        self.assertEqual(self.select(rows=0, K=64)["match"], "none")
        self.assertEqual(self.select(rows=16)["match"], "none")
        self.assertEqual(self.select(rows=16, K=64, eps=float("nan"))["match"], "none")
        self.assertEqual(self.select(rows=16, K=64, dtype="f64")["match"], "none")

    def test_limits_are_those_of_the_architecture(self):
        self.assertEqual(self.selector.limits("NVIDIA H100", "sm_90a", {})["sm_count"], 114)
        self.assertEqual(self.selector.limits("NVIDIA H100", "sm_80", {})["sm_count"], 4)
        self.assertEqual(self.selector.limits("any", "sm_89", {"sm_count": 0})["max_shared"], 101376)
        self.assertEqual(self.selector.limits("any", "sm_80", {"compute_capability": 90})["compute_capability"], 80)

    def test_constraints_hold_on_the_asked_problem(self):
        self.assertEqual(self.select(rows=5000, K=8)["configuration"]["variant"], "warp")
        self.assertEqual(self.select(rows=5000, K=33)["configuration"]["variant"], "wide")
        self.assertNotEqual(self.select(rows=16, K=64, limits={"max_shared": 4096})["configuration"]["parameters"]["THREADS"], 1024)

    def test_a_committed_selection_follows_the_sequence(self):
        selector = SCRIPT["load"](ROOT / "results" / "nvidia-h200" / "headers" / "attention_prefill.json")
        problem = {"batch": 1, "heads": 32, "kv_heads": 32, "d": 128, "causal": True, "dtype": "bf16", "sms": 0}

        def groups(length):
            choice = selector.select("NVIDIA H200", "sm_90a", {**problem, "q_len": length, "kv_len": length})
            return choice["configuration"]["parameters"]["CONSUMER_GROUPS"]

        # One warpgroup and two blocks per SM, two, and three, as the tuned lengths around them.
        self.assertEqual([groups(length) for length in (400, 3000, 20000)], [1, 2, 3])

    def test_another_format_is_refused(self):
        with self.assertRaisesRegex(ValueError, "expected format warpwright-select-2, got 'other'"):
            SCRIPT["Selector"]({"format": "other"})


class EvaluateTest(unittest.TestCase):
    def test_division_truncates_as_in_c(self):
        self.assertEqual(evaluate(["/", -7, 2], {}), -3)
        self.assertEqual(evaluate(["%", -7, 2], {}), -1)
        self.assertEqual(evaluate(["ceil_div", -7, 2], {}), -3)
        self.assertEqual(evaluate(["/", 7, 2.0], {}), 3.5)

    def test_short_circuits_hide_faults(self):
        self.assertFalse(evaluate(["&&", 0, ["/", 1, 0]], {}))
        self.assertTrue(evaluate(["||", 1, ["/", 1, 0]], {}))
        self.assertEqual(evaluate(["?:", 1, 5, ["/", 1, 0]], {}), 5)

    def test_faults(self):
        for tree in (["/", 1, 0], ["%", 1, 0], ["*", 2**62, 4], ["<<", 1, 64], ["+", "a", 1], ["==", "a", 1], ["sizeof", "x9"],
                     ["log2", 0], ["align_up", 5, 0], ["~", 1.5], ["*", 1e308, 10.0], ["negate", -2**63]):
            with self.assertRaises(Fault, msg=tree):
                evaluate(tree, {})

    def test_functions(self):
        self.assertEqual(evaluate(["min", 3, ["name", "A"], 2], {"A": 1}), 1)
        self.assertEqual(evaluate(["max", 3, 0.5], {}), 3.0)
        self.assertEqual(evaluate(["align_up", 5, 4], {}), 8)
        self.assertTrue(evaluate(["is_pow2", 64], {}))
        self.assertEqual(evaluate(["sizeof", ["name", "dtype"]], {"dtype": "bf16"}), 2)
        self.assertEqual(evaluate(["log2", 1024], {}), 10)
        self.assertEqual(evaluate(["!", 0], {}), True)


if __name__ == "__main__":
    unittest.main()
