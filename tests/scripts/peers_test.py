"""Tests of the parts of scripts/peers that need neither PyTorch nor a GPU."""

import contextlib
import importlib
import io
import math
import pathlib
import runpy
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from lib import results, statistics, sweeps, table  # noqa: E402  (the path comes first)
from peers_lib import kernels, rounds  # noqa: E402

PEERS = runpy.run_path(str(ROOT / "scripts" / "peers"), run_name="peers")

CONTRACT = {
    "kernel": "swiglu",
    "problem": {"rows": {"doc": "tokens"}, "d": None, "dtype": {"values": ["f32", "bf16"], "default": "bf16"}},
}


def estimate(median, low=None, high=None, floor=3.0):
    return {"median_us": median, "ci_low_us": low, "ci_high_us": high, "raw_median_us": median + floor, "floor_us": floor}


def without_floor(entry):
    """An entry of ours as it was stored before floors were subtracted."""
    return {key: value for key, value in entry.items() if key != "raw_median_us"}


class ProblemsTest(unittest.TestCase):
    def test_lists_multiply_out_last_fastest(self):
        self.assertEqual(
            sweeps.expand_problem({"rows": [64, 128], "V": 10, "dtype": ["f32", "bf16"]}),
            [
                {"rows": 64, "V": 10, "dtype": "f32"},
                {"rows": 64, "V": 10, "dtype": "bf16"},
                {"rows": 128, "V": 10, "dtype": "f32"},
                {"rows": 128, "V": 10, "dtype": "bf16"},
            ])

    def test_a_problem_without_lists_is_itself(self):
        self.assertEqual(sweeps.expand_problem({"rows": 1}), [{"rows": 1}])

    def test_a_problem_listed_twice_is_timed_once(self):
        self.assertEqual(sweeps.expand_problems([{"rows": [1, 2]}, {"rows": 2}]), [{"rows": 1}, {"rows": 2}])

    def test_defaults_complete_a_problem_in_the_contracts_order(self):
        completed = sweeps.complete_problem(CONTRACT, {"d": 8, "rows": 4})
        self.assertEqual(list(completed.items()), [("rows", 4), ("d", 8), ("dtype", "bf16")])

    def test_an_unknown_size_is_refused(self):
        with self.assertRaisesRegex(sweeps.UserError, "unknown size 'row'; swiglu has rows, d, dtype"):
            sweeps.complete_problem(CONTRACT, {"row": 4, "d": 8})

    def test_a_missing_size_is_refused(self):
        with self.assertRaisesRegex(sweeps.UserError, "size 'd' is missing"):
            sweeps.complete_problem(CONTRACT, {"rows": 4})

    def test_text(self):
        self.assertEqual(sweeps.problem_text({"rows": 4, "dtype": "bf16"}), "rows=4 dtype=bf16")


class StatisticsTest(unittest.TestCase):
    def test_median(self):
        self.assertEqual(statistics.median([3, 1, 2]), 2)
        self.assertEqual(statistics.median([4, 1, 3, 2]), 2.5)

    def test_known_ranks(self):
        # From tables of the sign test: n = 50 keeps the 18th and the 33rd, n = 20 the 6th and the 15th.
        self.assertEqual(statistics.interval_ranks(50), (17, 32))
        self.assertEqual(statistics.interval_ranks(20), (5, 14))

    def test_few_samples_keep_the_extremes(self):
        for count in range(1, 7):
            self.assertEqual(statistics.interval_ranks(count), (0, count - 1))

    def test_coverage_is_at_least_nominal_and_no_wider_than_needed(self):
        for count in range(6, 200):
            low, high = statistics.interval_ranks(count)
            outside = 2 * sum(math.comb(count, k) for k in range(low + 1)) / 2**count
            self.assertLessEqual(outside, 0.05, count)
            narrower = 2 * sum(math.comb(count, k) for k in range(low + 2)) / 2**count
            self.assertGreater(narrower, 0.05, count)
            self.assertEqual(low + high, count - 1)

    def test_interval_encloses_the_median(self):
        self.assertEqual(statistics.median_interval([5.0] * 10), (5.0, 5.0, 5.0))
        middle, low, high = statistics.median_interval(range(100))
        self.assertEqual((middle, low, high), (49.5, 39, 60))

    def test_the_floor_is_subtracted_and_the_raw_median_kept(self):
        self.assertEqual(
            statistics.estimate([13.0] * 10, 3.0),
            {"median_us": 10.0, "ci_low_us": 10.0, "ci_high_us": 10.0, "raw_median_us": 13.0, "floor_us": 3.0, "samples": 10})

    def test_no_time_is_negative(self):
        self.assertEqual(statistics.estimate([2.5] * 10, 3.0)["median_us"], 0.0)

    def test_no_samples(self):
        with self.assertRaises(ValueError):
            statistics.median_interval([])


class ResultsTest(unittest.TestCase):
    problem = {"rows": 1, "d": 4096, "dtype": "bf16"}

    def board(self, **changes):
        board = {
            "kernel": "swiglu",
            "problem": dict(self.problem),
            "device": {"name": "NVIDIA H200"},
            "modelled": False,
            "entries": [
                {"variant": "flat", "configuration_text": "flat THREADS=64", "status": "ok", "median_us": 2.5},
                {"variant": "flat", "configuration_text": "flat THREADS=128", "status": "ok", "median_us": 2.25},
            ],
        }
        board.update(changes)
        return board

    def best(self, *boards):
        return results.best_entry(boards, "swiglu", self.problem, "NVIDIA H200")

    def test_the_fastest_entry_of_all_boards(self):
        faster = self.board(entries=[{"variant": "scalar", "status": "ok", "median_us": 2.0}])
        self.assertEqual(self.best(self.board(), faster)["variant"], "scalar")
        self.assertEqual(self.best(self.board())["configuration_text"], "flat THREADS=128")

    def test_other_boards_do_not_count(self):
        self.assertIsNone(self.best(self.board(kernel="geglu")))
        self.assertIsNone(self.best(self.board(problem={"rows": 2, "d": 4096, "dtype": "bf16"})))
        self.assertIsNone(self.best(self.board(device={"name": "NVIDIA H100"})))
        self.assertIsNone(self.best(self.board(modelled=True)))

    def test_failed_and_untimed_entries_do_not_count(self):
        entries = [{"status": "wrong_result", "median_us": 1.0}, {"status": "ok", "median_us": None}]
        self.assertIsNone(self.best(self.board(entries=entries)))

    def test_configuration_text(self):
        self.assertEqual(results.configuration_text({"configuration_text": "flat THREADS=64"}), "flat THREADS=64")
        entry = {"variant": "flat", "configuration": {"UNROLL": 2, "THREADS": 64}}
        self.assertEqual(results.configuration_text(entry), "flat THREADS=64 UNROLL=2")

    def fake_warpwright(self, folder, script):
        program = pathlib.Path(folder) / "warpwright"
        program.write_text("#!/bin/sh\n" + script)
        program.chmod(0o755)
        return program

    def test_reads_what_the_program_prints(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.fake_warpwright(folder, 'echo "{\\"leaderboards\\": [\\"$*\\"]}"\n')
            self.assertEqual(results.read_leaderboards(program, "swiglu", "x.db"), ["show swiglu --json --db x.db"])

    def test_no_results_is_an_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.fake_warpwright(folder, "echo \"error: x.db: no results of kernel 'swiglu'\" >&2; exit 2\n")
            self.assertEqual(results.read_leaderboards(program, "swiglu"), [])

    def test_other_failures_are_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.fake_warpwright(folder, "echo 'error: x.db: is not a database' >&2; exit 2\n")
            with self.assertRaisesRegex(sweeps.UserError, "is not a database"):
                results.read_leaderboards(program, "swiglu")
            program = self.fake_warpwright(folder, "echo hello\n")
            with self.assertRaisesRegex(sweeps.UserError, "did not print leaderboards as JSON"):
                results.read_leaderboards(program, "swiglu")

    def test_a_missing_program_is_reported(self):
        with self.assertRaisesRegex(sweeps.UserError, "cannot run /no/warpwright: No such file"):
            results.read_leaderboards("/no/warpwright", "swiglu")


class TableTest(unittest.TestCase):
    def test_microseconds_keep_four_digits(self):
        self.assertEqual([table.format_us(value) for value in (1.23456, 12.3456, 123.456, 6258.4, None)],
                         ["1.235", "12.35", "123.5", "6258", "-"])

    def test_interval(self):
        self.assertEqual(table.format_interval(estimate(163.11, 163.0, 163.3)), "163.1 [163.0, 163.3]")
        self.assertEqual(table.format_interval(estimate(163.11)), "163.1")
        self.assertEqual(table.format_interval(None), "-")

    def test_a_peer_is_shown_as_a_multiple_of_ours(self):
        self.assertEqual(table.format_peer(estimate(20.0), estimate(10.0)), "20.00 (2.00x)")
        self.assertEqual(table.format_peer(estimate(20.0), None), "20.00")
        self.assertEqual(table.format_peer(None, estimate(10.0)), "-")

    def test_time_of_the_bytes(self):
        self.assertAlmostEqual(table.floor_us(4.43e9, 4430), 1000)

    def test_share_of_the_ceiling(self):
        self.assertEqual(table.format_ceiling(4.0e8, estimate(110.0), 4000, 2.0), "90.9 %")
        self.assertEqual(table.format_ceiling(4.0e8, estimate(80.0), 4000, 2.0), "125.0 % (!)")
        self.assertEqual(table.format_ceiling(2.0e4, estimate(4.0), 4000, 2.0), "latency")
        self.assertEqual(table.format_ceiling(2.0e4, None, 4000, 2.0), "-")

    def test_ten_microseconds_are_of_the_kernel_alone(self):
        self.assertEqual(table.format_ceiling(2.0e7, estimate(11.0), 4000, 2.0), "latency")
        self.assertEqual(table.format_ceiling(2.0e7, estimate(11.0), 4000, 0.0), "45.5 %")

    def test_an_entry_without_a_raw_median_is_raw(self):
        self.assertFalse(table.is_raw(None))
        self.assertFalse(table.is_raw(estimate(110.0)))
        self.assertTrue(table.is_raw(without_floor(estimate(110.0))))

    def test_a_raw_peer_has_its_floor_back(self):
        corrected = estimate(20.0, 19.0, 21.0, floor=3.0)
        self.assertEqual(table.format_interval(table.raw(corrected)), "23.00 [22.00, 24.00]")
        self.assertIsNone(table.raw(None))

    def test_a_raw_result_is_compared_with_raw_peers(self):
        result = {
            "problem_text": "rows=1", "bytes": 4.0e8, "configuration": "flat THREADS=64",
            "ours": without_floor(estimate(113.0)), "peers": {"eager": estimate(223.0), "compile": None},
        }
        self.assertEqual(table.result_row(result, ["eager", "compile"], False, 4000, 3.0),
                         ["rows=1", "113.0 raw", "flat THREADS=64", "226.0 (2.00x)", "-", "100.0", "88.5 %"])

    def test_columns_line_up(self):
        self.assertEqual(table.format_table(["a", "bb"], [["ccc", "d"], ["e", "ff"]]),
                         "a    bb\n---  --\nccc  d\ne    ff")

    def test_rows_with_and_without_ours(self):
        result = {
            "problem_text": "rows=1", "bytes": 4.0e8, "configuration": "flat THREADS=64",
            "ours": estimate(110.0, 109.0, 111.0), "peers": {"eager": estimate(220.0), "compile": estimate(121.0)},
        }
        self.assertEqual(
            table.result_row(result, ["eager", "compile"], False, 4000, 2.0),
            ["rows=1", "110.0 [109.0, 111.0]", "flat THREADS=64", "220.0 (2.00x)", "121.0 (1.10x)", "100.0", "90.9 %"])
        result.update(ours=None, configuration=None, peers={"eager": estimate(200.0), "compile": None})
        self.assertEqual(table.result_row(result, ["eager", "compile"], False, 4000, 2.0),
                         ["rows=1", "-", "-", "200.0", "-", "100.0", "50.0 % (peer)"])


    def test_tflops_keep_three_digits(self):
        texts = [table.format_tflops(flops, estimate(100.0)) for flops in (6.123e10, 4.5678e9, 1.234e8)]
        self.assertEqual(texts, ["612", "45.7", "1.23"])
        self.assertEqual(table.format_tflops(6e10, None), "-")
        self.assertEqual(table.format_tflops(None, estimate(100.0)), "-")
        self.assertEqual(table.format_tflops(6e10, estimate(0.0)), "-")

    def test_peers_are_named_in_their_order_by_any_result(self):
        rows = [{"peers": {"fa2": None, "cudnn": None}}, {"peers": {"fa2": estimate(1.0), "more": None}}]
        self.assertEqual(table.peer_names(rows), ["fa2", "cudnn", "more"])

    def test_tflops_have_columns_of_their_own(self):
        result = {
            "problem_text": "q_len=1", "bytes": 4.0e8, "flops": 6.0e10, "configuration": "tma STAGES=2",
            "ours": estimate(110.0), "peers": {"fa2": estimate(220.0), "cudnn": None},
        }
        names = ["fa2", "cudnn"]
        row = dict(zip(table.header(names, True), table.result_row(result, names, True, 4000, 2.0), strict=True))
        self.assertEqual(row, {
            "problem": "q_len=1", "ours us [95 %]": "110.0", "configuration": "tma STAGES=2",
            "fa2 us (of ours)": "220.0 (2.00x)", "cudnn us (of ours)": "-",
            "ours TFLOP/s": "545", "fa2 TFLOP/s": "273", "cudnn TFLOP/s": "-",
            "bytes us": "100.0", "% of read": "90.9 %"})

    def test_the_last_peer_stands_in_for_ours(self):
        result = {"problem_text": "q_len=1", "bytes": 4.0e8, "configuration": None, "ours": None,
                  "peers": {"fa2": estimate(200.0), "cudnn": estimate(400.0)}}
        self.assertEqual(table.result_row(result, ["fa2", "cudnn"], False, 4000, 2.0)[-1], "25.0 % (peer)")


class SweepFilesTest(unittest.TestCase):
    def files(self, kernel, **texts):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                (pathlib.Path(folder) / f"{name}.yaml").write_text(text)
            return [path.name for path in sweeps.sweep_files(kernel, pathlib.Path(folder))]

    def test_the_file_of_that_name_is_the_one(self):
        self.assertEqual(self.files("softmax_topk", softmax_topk="kernel: softmax_topk\n",
                                    softmax_topk_quick="kernel: softmax_topk\n"), ["softmax_topk.yaml"])

    def test_else_all_that_name_the_kernel(self):
        self.assertEqual(
            self.files("attention_prefill", attention_full="# full\nkernel: attention_prefill  # square\n",
                       attention="kernel: 'attention_prefill'\nproblems: []\n",
                       decode="kernel: attention_prefill_decode\n", other="doc:\n  kernel: attention_prefill\n"),
            ["attention.yaml", "attention_full.yaml"])

    def test_there_may_be_none(self):
        self.assertEqual(self.files("attention_prefill", swiglu="kernel: swiglu\n"), [])


def fake_torch():
    """Modules of a PyTorch that can be imported and does nothing, by name."""
    names = ("torch", "torch.nn", "torch.nn.functional", "torch.nn.attention")
    modules = {name: types.ModuleType(name) for name in names}
    torch, nn, functional, attention = modules.values()
    torch.nn, nn.functional, nn.attention = nn, functional, attention
    torch.float32 = torch.bfloat16 = torch.float16 = None
    torch.cuda = types.SimpleNamespace(OutOfMemoryError=MemoryError)
    functional.silu = functional.gelu = None
    attention.SDPBackend = types.SimpleNamespace(FLASH_ATTENTION="FLASH", CUDNN_ATTENTION="CUDNN")
    attention.sdpa_kernel = None
    return modules


@contextlib.contextmanager
def loaded(kernel, modules, root=ROOT / "kernels"):
    """The module of a kernel's peers.py, on the PyTorch that is given."""
    with unittest.mock.patch.dict(sys.modules, modules):
        sys.modules.pop("peers_lib.base", None)
        yield sys.modules[type(kernels.load(kernel, [root])).__module__]
    sys.modules.pop("peers_lib.base", None)


class KernelsTest(unittest.TestCase):
    """How kernels and their peers are found."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def kernel(self, name, peers=None):
        (self.root / name).mkdir()
        (self.root / name / "kernel.yaml").write_text(f"kernel: {name}\nproblem: {{n: {{}}}}\n")
        if peers is not None:
            (self.root / name / "peers.py").write_text(peers)

    def test_kernels_with_peers_are_found_by_their_files(self):
        self.kernel("b", "")
        self.kernel("a", "")
        self.kernel("without")
        (self.root / "no_kernel").mkdir()
        (self.root / "no_kernel" / "peers.py").write_text("")
        self.assertEqual(kernels.with_peers([self.root]), ["a", "b"])

    def test_the_first_folder_that_has_the_kernel_counts(self):
        self.kernel("softmax_topk", "")
        self.assertEqual(kernels.file_of("softmax_topk", [self.root, ROOT / "kernels"]).parent, self.root / "softmax_topk")

    def test_a_kernel_without_peers_is_told_what_is_missing(self):
        self.kernel("mine")
        self.kernel("other", "")
        with self.assertRaisesRegex(sweeps.UserError, r"mine/peers.py: no such file, so nothing says how PyTorch computes mine; "
                                                      r"write it \(kernels/README.md, \"Peers\"\) or name .*: other$"):
            kernels.file_of("mine", [self.root])

    def test_an_unknown_kernel_is_refused(self):
        with self.assertRaisesRegex(sweeps.UserError, f"no kernel 'mine' in {self.root}; name the folder that its folder is in"):
            kernels.file_of("mine", [self.root])

    def test_what_a_file_lacks_is_said(self):
        self.kernel("empty", "")
        with self.assertRaisesRegex(sweeps.UserError, "empty/peers.py: has no class `Peers`"):
            kernels.load("empty", [self.root])
        self.kernel("half", "class Peers:\n    peers = ('eager',)\n    def inputs(self, problem): pass\n")
        with self.assertRaisesRegex(sweeps.UserError, "half/peers.py: class Peers has no incomparable, operation, compared, "
                                                      "scale, bytes; inherit peers_lib.base.Rows"):
            kernels.load("half", [self.root])
        self.kernel("broken", "import no_such_module\n")
        with self.assertRaisesRegex(sweeps.UserError, "broken/peers.py: cannot be loaded: No module named 'no_such_module'"):
            kernels.load("broken", [self.root])

    def test_a_module_is_found_by_its_name_and_leaves_nothing_in_the_folder(self):
        # torch.compile imports the modules of functions that it follows.
        self.kernel("mine", "class Peers:\n    peers = incomparable = inputs = operation = compared = scale = bytes = None\n")
        module = type(kernels.load("mine", [self.root])).__module__
        self.assertIs(importlib.import_module(module), sys.modules[module])
        self.assertEqual(sorted(path.name for path in (self.root / "mine").iterdir()), ["kernel.yaml", "peers.py"])

    def test_every_peers_file_here_can_be_loaded(self):
        found = kernels.with_peers([ROOT / "kernels"])
        self.assertTrue(found)
        for kernel in found:
            with self.subTest(kernel=kernel), loaded(kernel, fake_torch()) as module:
                self.assertTrue(module.Peers.peers)


class AttentionTest(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.module = stack.enter_context(loaded("attention_prefill", fake_torch()))

    def problem(self, q_len=4, kv_len=4, causal=True, **more):
        return {"batch": 2, "heads": 8, "kv_heads": 2, "q_len": q_len, "kv_len": kv_len, "d": 64, "causal": causal,
                "dtype": "bf16", **more}

    def test_visible_pairs_are_those_of_the_mask(self):
        for queries in range(1, 7):
            for keys in range(1, 7):
                counted = sum(key <= query + keys - queries for query in range(queries) for key in range(keys))
                self.assertEqual(self.module.visible_pairs(self.problem(queries, keys)), counted, (queries, keys))
                self.assertEqual(self.module.visible_pairs(self.problem(queries, keys, causal=False)), queries * keys)

    def test_flops_are_of_the_visible_pairs_of_all_heads(self):
        self.assertEqual(self.module.flop_count(self.problem()), 4 * 2 * 8 * 64 * 10)
        self.assertEqual(self.module.flop_count(self.problem(causal=False)), 4 * 2 * 8 * 64 * 16)

    def test_bytes_count_shared_keys_once(self):
        self.assertEqual(self.module.byte_count(self.problem(q_len=3, kv_len=5), 2), 2 * 2 * 64 * 2 * (8 * 3 + 2 * 5))

    def test_only_causal_problems_with_a_past_are_incomparable(self):
        self.assertEqual(self.module.why_incomparable(self.problem()), "")
        self.assertEqual(self.module.why_incomparable(self.problem(kv_len=8, causal=False)), "")
        self.assertIn("only q_len = kv_len can be compared", self.module.why_incomparable(self.problem(kv_len=8)))

    def test_sampled_rows_are_rows_and_hold_both_ends(self):
        for count in (1, 2, 3, 64, 65, 200, 16384):
            rows = self.module.sampled_rows(count)
            self.assertEqual(rows, sorted(set(rows)))
            self.assertEqual((rows[0], rows[-1]), (0, count - 1))

    def test_sampled_heads_see_where_keys_change(self):
        self.assertEqual(self.module.sampled_heads(self.problem()),
                         [(batch, head, head // 4) for batch in (0, 1) for head in (0, 3, 4, 7)])
        self.assertEqual(self.module.sampled_heads(self.problem(batch=1, heads=1, kv_heads=1)), [(0, 0, 0)])


class FakeTimer:
    def samples_us(self, operation):
        operation()
        return [13.0] * 10


class FakeEquivalent:
    """Two peers, "a" and "b", which give their names. `notes` and `failures` are by peer."""

    peers = ("a", "b")

    def __init__(self, reason="", notes=None, failures=None):
        self.reason = reason
        self.notes = notes or {}
        self.failures = failures or {}

    def incomparable(self, problem):
        return self.reason

    def inputs(self, problem):
        return []

    def bytes(self, problem):
        return 100

    def operation(self, peer, problem, inputs):
        if peer in self.failures:
            raise RuntimeError(self.failures[peer])
        return lambda: peer, self.notes.get(peer, "")


class RoundsTest(unittest.TestCase):
    def time(self, equivalent, wrong=None, repeat=2):
        difference = lambda equivalent, problem, inputs, outputs: (wrong or {}).get(outputs, "")
        return rounds.time_peers(equivalent, {}, FakeTimer(), difference, repeat, 3.0)

    def test_every_peer_is_timed_in_every_round(self):
        result = self.time(FakeEquivalent())
        self.assertEqual(list(result["peers"]), ["a", "b"])
        self.assertEqual([peer["median_us"] for peer in result["peers"].values()], [10.0, 10.0])
        self.assertEqual(result["peers"]["a"]["samples"], 20)
        self.assertEqual((result["bytes"], result["notes"]), (100, []))
        self.assertNotIn("flops", result)

    def test_flops_are_told_where_they_are_counted(self):
        equivalent = FakeEquivalent()
        equivalent.flops = lambda problem: 7
        self.assertEqual(self.time(equivalent)["flops"], 7)

    def test_a_wrong_peer_has_no_time_and_a_note(self):
        result = self.time(FakeEquivalent(), wrong={"a": "output 0 differs"})
        self.assertIsNone(result["peers"]["a"])
        self.assertIsNotNone(result["peers"]["b"])
        self.assertEqual(result["notes"], ["a: output 0 differs"])

    def test_a_failing_peer_does_not_stop_the_next(self):
        result = self.time(FakeEquivalent(failures={"a": "out of memory\n  at line 3"}))
        self.assertIsNone(result["peers"]["a"])
        self.assertIsNotNone(result["peers"]["b"])
        self.assertEqual(result["notes"], ["a: out of memory"])

    def test_a_note_stands_beside_its_time(self):
        result = self.time(FakeEquivalent(notes={"b": "keys were repeated"}))
        self.assertIsNotNone(result["peers"]["b"])
        self.assertEqual(result["notes"], ["b: keys were repeated"])

    def test_what_cannot_be_compared_is_said_once_and_not_timed(self):
        result = self.time(FakeEquivalent(reason="other mask", failures={"a": "not reached", "b": "not reached"}))
        self.assertEqual(result["peers"], {"a": None, "b": None})
        self.assertEqual(result["notes"], ["a, b: other mask"])


class FakeTensor:
    def __init__(self, heads):
        self.heads = heads

    def repeat_interleave(self, count, dim):
        assert dim == 1
        return FakeTensor(self.heads * count)


class SdpaTest(unittest.TestCase):
    """The choice of backends and what becomes of groups, on a PyTorch that only notes how it was called."""

    def setUp(self):
        self.calls = []
        self.refuses_groups = False
        modules = fake_torch()
        modules["torch.nn.functional"].scaled_dot_product_attention = self.attend
        modules["torch.nn.attention"].sdpa_kernel = self.select
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.sdpa = stack.enter_context(loaded("attention_prefill", modules))

    @contextlib.contextmanager
    def select(self, backends):
        self.backend = backends
        yield
        self.backend = None

    def attend(self, q, k, v, is_causal, **options):
        if options and self.refuses_groups:
            raise RuntimeError("No available kernel. Aborting execution.")
        self.calls.append((self.backend, q.heads, k.heads, v.heads, is_causal, options))

    def note_of(self, peer, heads, kv_heads, causal=True):
        problem = {"heads": heads, "kv_heads": kv_heads, "causal": causal}
        inputs = [FakeTensor(heads), FakeTensor(kv_heads), FakeTensor(kv_heads)]
        operation, note = self.sdpa.Peers().operation(peer, problem, inputs)
        self.calls.clear()
        operation()
        return note

    def test_peers_are_backends(self):
        self.assertEqual(self.sdpa.Peers.peers, ("fa2", "cudnn"))
        self.assertEqual(self.note_of("fa2", 8, 8), "")
        self.assertEqual(self.calls, [(["FLASH"], 8, 8, 8, True, {})])
        self.assertEqual(self.note_of("cudnn", 8, 8, causal=False), "")
        self.assertEqual(self.calls, [(["CUDNN"], 8, 8, 8, False, {})])

    def test_groups_are_left_to_the_backend(self):
        self.assertEqual(self.note_of("fa2", 8, 2), "")
        self.assertEqual(self.calls, [(["FLASH"], 8, 2, 2, True, {"enable_gqa": True})])

    def test_keys_are_repeated_for_a_backend_that_knows_no_groups(self):
        self.refuses_groups = True
        self.assertEqual(self.note_of("cudnn", 8, 2), "refuses enable_gqa: k and v were repeated 4 times beforehand")
        self.assertEqual(self.calls, [(["CUDNN"], 8, 8, 8, True, {})])


class ProgramTest(unittest.TestCase):
    def refusal(self, *arguments):
        errors = io.StringIO()
        with self.assertRaises(SystemExit) as raised, contextlib.redirect_stderr(errors):
            PEERS["parse_arguments"](list(arguments))
        self.assertEqual(raised.exception.code, 2)
        return errors.getvalue()

    def test_problems_need_one_kernel(self):
        self.assertIn("--problems needs exactly one KERNEL", self.refusal("--problems", "x.yaml"))

    def test_rounds_are_positive(self):
        self.assertIn("--repeat 0: expected at least 1", self.refusal("--repeat", "0"))

    def test_report_names_the_ceilings_and_the_notes(self):
        measured = {
            "environment": {"device": "NVIDIA H200", "torch": "2.11.0", "cuda": "13.0", "read_gb_per_s": 4000,
                            "copy_gb_per_s": 3900,
                            "floor": {"floor_us": 3.1, "operation": "sleep", "readings_us": {"sleep": 3.1, "fill": 3.4}}},
            "results": [{"kernel": "swiglu", "problem_text": "rows=1", "bytes": 4.0e8, "ours": None,
                         "configuration": None, "peers": {"eager": None, "compile": estimate(125.0)},
                         "notes": ["eager: out of memory"]}],
        }
        text = PEERS["report"](measured)
        self.assertIn("NVIDIA H200, PyTorch 2.11.0, CUDA 13.0", text)
        self.assertIn("read 4000 GB/s (torch reductions), copy 3900 GB/s\n", text)
        self.assertIn("cold, floor 3.1 us subtracted: the smallest of sleep 3.10 us, fill 3.40 us", text)
        self.assertNotIn("raw:", text)
        self.assertIn("80.0 % (peer)", text)
        self.assertIn("  rows=1: eager: out of memory", text)

    def test_report_says_when_results_are_raw(self):
        measured = {
            "environment": {"device": "NVIDIA H200", "torch": "2.11.0", "cuda": "13.0", "read_gb_per_s": 4000,
                            "copy_gb_per_s": 3900, "floor": {"floor_us": 3.1, "operation": "sleep", "readings_us": {}}},
            "results": [{"kernel": "swiglu", "problem_text": "rows=1", "bytes": 4.0e8,
                         "ours": without_floor(estimate(113.0)), "configuration": "flat", "peers": {}, "notes": []}],
        }
        self.assertIn("raw: our result is from before floors were subtracted; its peers are shown raw as well",
                      PEERS["report"](measured))

    def run_without_pytorch(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            # A torch that cannot be imported stands before any that can.
            (pathlib.Path(folder) / "torch.py").write_text("raise ModuleNotFoundError('No module named torch')\n")
            return subprocess.run([sys.executable, str(ROOT / "scripts" / "peers"), *map(str, arguments)], capture_output=True,
                                  text=True, env={"PYTHONPATH": folder, "PATH": "/usr/bin:/bin"}, check=False)

    def test_without_pytorch_it_says_so_and_exits_3(self):
        done = self.run_without_pytorch("rmsnorm_residual")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, "error: (PyTorch|PyYAML) is not installed; get it with `python3 -m pip install")

    def test_a_kernel_of_another_folder_needs_a_peers_file_and_problems(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "mine").mkdir()
            (folder / "mine" / "kernel.yaml").write_text("kernel: mine\nproblem: {n: {}}\n")
            (folder / "mine.yaml").write_text("kernel: mine\nproblems: [{n: 1}]\n")
            asked = ("mine", "--kernels", folder, "--problems", folder / "mine.yaml")
            done = self.run_without_pytorch(*asked)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("mine/peers.py: no such file, so nothing says how PyTorch computes mine", done.stderr)
            (folder / "mine" / "peers.py").write_text("")
            done = self.run_without_pytorch(*asked[:3])
            self.assertIn("configs/ holds no sweep of mine; name a file with --problems", done.stderr)
            # All that needs no PyTorch is in order now.
            self.assertEqual(self.run_without_pytorch(*asked).returncode, 3)


if __name__ == "__main__":
    unittest.main()
