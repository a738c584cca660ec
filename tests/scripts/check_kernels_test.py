"""scripts/dev/check_kernels on a tree of one small kernel, with the built program: a seeded slowdown is caught and its twin passes,
and only kernels that a change touches are checked."""
import contextlib
import io
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import loaded_script

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WARPWRIGHT_PROGRAM", ROOT / "build" / "release" / "warpwright"))
SCRIPT = loaded_script.load("dev/check_kernels")
FIXTURE = ROOT / "tests" / "fixtures" / "baselines" / "square" / "kernels" / "square"
READ = "y[at] = x[at] * x[at];"
SLOWER = "y[at] = x[at] * x[at] + 0.0f * x[n - 1 - at];"
OTHER_VARIANT = """  large:
    source: large.cu
    launches: [{entry: square, grid: ["ceil_div(n, THREADS * PER_THREAD)"], block: [THREADS]}]
    parameters: [THREADS, PER_THREAD]
    constraints: [n > 8000]
"""
RENAMED = "/* one product */\n      y[at] = x[at] *\n              x[at];"


class Tree(unittest.TestCase):
    """A copy of the tree that setUpClass made, with the program where a test wants it."""

    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.made = pathlib.Path(made.name)
        shutil.copytree(FIXTURE, cls.made / "kernels" / "square")
        (cls.made / "kernels" / "common").mkdir()
        shutil.copy(ROOT / "kernels" / "common" / "reference.h", cls.made / "kernels" / "common")
        (cls.made / "configs").mkdir()
        (cls.made / "configs" / "square.yaml").write_text("kernel: square\nproblems: [{n: 100000}]\nemulated: [{n: 5000}]\n")
        cls.accepted = loaded_script.run(SCRIPT, "--accept", "square", "--root", cls.made, "--program", PROGRAM)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve() / "tree"
        shutil.copytree(self.made, self.root)

    def check(self, *arguments, program=PROGRAM):
        return loaded_script.run(SCRIPT, *arguments, "--root", self.root, "--program", program)

    def edit(self, before, after):
        source = self.root / "kernels" / "square" / "plain.cu"
        text = source.read_text()
        self.assertIn(before, text)
        source.write_text(text.replace(before, after))

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", "-C", self.root, *arguments], check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")


class Slowdown(Tree):
    def test_a_baseline_is_made_of_the_sweeps(self):
        self.assertEqual(self.accepted, (0, "square: 1 entries; review the difference of results/baselines/square/baseline.yaml\n"))

    def test_a_seeded_slowdown_fails_with_its_count_its_line_and_the_way_to_accept_it(self):
        self.edit(READ, SLOWER)
        code, said = self.check()
        self.assertEqual(code, 1, said)
        self.assertIn("REGRESSION square n=5000 plain PER_THREAD=1 THREADS=128\n", said)
        self.assertRegex(said, r"plain\.cu:11: global_load_sectors 625 -> 1,25\d \(\+10\d %\); also global_load_requests \+100 %")
        self.assertTrue(said.endswith(
            "error: kernel 'square' fails against results/baselines/square; if the change is meant, accept its figures: "
            "scripts/dev/check_kernels --accept square\n"), said)
        self.assertEqual(self.check("--accept", "square")[0], 0)
        self.assertEqual(self.check("square")[0], 0)

    def test_a_variant_that_the_kernels_sweep_leaves_out_is_taken_from_its_other_sweeps(self):
        contract = self.root / "kernels" / "square" / "kernel.yaml"
        contract.write_text(contract.read_text().replace("reference:", OTHER_VARIANT + "reference:"))
        shutil.copy(self.root / "kernels" / "square" / "plain.cu", self.root / "kernels" / "square" / "large.cu")
        code, said = self.check("--accept", "square")
        self.assertEqual(code, 0, said)
        self.assertIn("note: kernels/square/large.cu has no entry: no small problem of the sweeps of square suits it\nsquare: 1 entries", said)
        self.assertEqual(self.check(program=self.root / "none")[0], 0, "a source without an entry does not count")
        (self.root / "configs" / "square_large.yaml").write_text("kernel: square\nproblems: [{n: 1}]\nemulated: [{n: 9000}]\n")
        self.assertIn("square: 3 entries", self.check("--accept", "square")[1])

    def test_its_twin_with_the_same_machine_code_passes(self):
        self.edit(READ, RENAMED)
        code, said = self.check()
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"^note: this clone has no earlier commit: .*\nsquare: 1 entry: 1 SAME; in [0-9.]+ s\n"
                               r"note: square differs from its baseline without getting worse; `scripts/dev/check_kernels --accept square` ")

    def test_a_baseline_whose_sources_were_exchanged_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "kernels" / "square"
            shutil.copytree(self.root / "kernels", other.parent)
            (other / "plain.cu").write_text((other / "plain.cu").read_text().replace(READ, SLOWER))
            shutil.copy(self.root / "results" / "baselines" / "square" / "baseline.yaml", folder)
            SCRIPT.baselines.pack(pathlib.Path(folder), self.root / "results" / "baselines" / "square")
        code, said = self.check("square")
        self.assertEqual(code, 1)
        self.assertIn("plain.cu: not the file that the baseline was made with: ", said)


class Choice(Tree):
    """Without a program, a kernel that is chosen ends with exit code 3."""

    def chosen(self, *arguments):
        code, said = self.check(*arguments, program=self.root / "none")
        self.assertIn(code, (0, 3), said)
        return code == 3

    def test_an_untouched_tree_needs_no_program(self):
        self.git("init", "-q")
        self.commit()
        self.git("commit", "-q", "--allow-empty", "-m", "nothing")
        self.assertEqual(self.check(program=self.root / "none"), (0, "no shipped kernel differs from its baseline\n"))

    def test_without_an_earlier_commit_only_files_count(self):
        self.git("init", "-q")
        self.commit()
        self.assertEqual(self.check(program=self.root / "none"), (
            0, "note: this clone has no earlier commit: baselines that were made anew are not checked, only kernels that differ from "
            "theirs\nno shipped kernel differs from its baseline\n"))

    def test_any_file_that_it_was_made_of_counts(self):
        for file in ("square/plain.cu", "square/kernel.yaml", "common/reference.h"):
            path = self.root / "kernels" / file
            before = path.read_text()
            path.write_text(before + "\n")
            self.assertTrue(self.chosen(), file)
            path.write_text(before)
        self.assertFalse(self.chosen())

    def test_a_baseline_that_was_made_anew_is_checked(self):
        self.git("init", "-q")
        self.commit()
        text = self.root / "results" / "baselines" / "square" / "baseline.yaml"
        text.write_text(text.read_text().replace("registers: ", "registers: 1"))
        self.commit()
        self.assertTrue(self.chosen())
        self.git("commit", "-q", "--allow-empty", "-m", "later")
        self.assertFalse(self.chosen())
        self.assertTrue(self.chosen("--since", "HEAD~2"))

    def test_a_kernel_without_a_baseline_fails(self):
        shutil.rmtree(self.root / "results")
        code, said = self.check()
        self.assertEqual(code, 1)
        self.assertTrue(said.endswith("error: kernel 'square' has no baseline; make it: scripts/dev/check_kernels --accept square\n"), said)

    def test_instruments_of_the_harness_need_none(self):
        shutil.copytree(self.root / "kernels" / "square", self.root / "kernels" / "harness_square")
        (self.root / "configs" / "harness_square.yaml").write_text("kernel: harness_square\nemulated: [{n: 1}]\n")
        self.assertFalse(self.chosen())

    def test_an_unknown_kernel_is_refused_with_its_neighbour(self):
        self.assertEqual(self.check("squared"),
                         (2, "error: 'squared' is not a shipped kernel with a sweep; did you mean 'square'?\n"))

    def test_accepting_nothing_is_refused(self):
        self.assertEqual(self.check("--accept"), (2, "error: --accept: expected the names of kernels, or --all\n"))

    def test_a_commit_that_is_not_there_is_refused(self):
        self.git("init", "-q")
        self.commit()
        self.assertEqual(self.check("--since", "nowhere"), (2, "error: --since nowhere: no such commit\n"))


class Packed(Tree):
    def test_the_same_baseline_packs_into_the_same_bytes(self):
        folder = self.root / "results" / "baselines" / "square"
        before = (folder / "sources.tar.gz").read_bytes()
        SCRIPT.baselines.unpack(folder, self.root / "unpacked")
        self.assertEqual(SCRIPT.baselines.pack(self.root / "unpacked", folder), 1)
        self.assertEqual((folder / "sources.tar.gz").read_bytes(), before)

    def test_a_packed_path_cannot_leave_the_folder(self):
        with tarfile.open(self.root / "results" / "baselines" / "square" / "sources.tar.gz", "w:gz") as archive:
            member = tarfile.TarInfo("../outside")
            archive.addfile(member, io.BytesIO(b""))
        code, said = self.check("square")
        self.assertEqual(code, 2)
        self.assertIn("sources.tar.gz: expected files below kernels/, got '../outside'\n", said)
        with contextlib.suppress(FileNotFoundError):
            self.fail((self.root / "outside").read_text())


if __name__ == "__main__":
    unittest.main()
