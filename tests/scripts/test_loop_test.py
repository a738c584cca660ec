"""The developer's loop: the tests that a pattern selects, the refusals of scripts/test, the output of a build, the files for clang-tidy."""
import os
import pathlib
import runpy
import stat
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SELECT = runpy.run_path(str(ROOT / "scripts" / "lib" / "select_tests"), run_name="select_tests")


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class Selection(Folder):
    def setUp(self):
        super().setUp()
        self.write("tests/spec/budget_test.cpp", "TEST(Budget, ATimeHasAUnit) {}\nTEST_F(Budget, Both) {}\n")
        self.write("tests/core/bounds_test.cpp",
                   "TEST_P(Bounds, AreTight) {}\nINSTANTIATE_TEST_SUITE_P(\n    Cases, Bounds, x);\n"
                   "TYPED_TEST(Half, Rounds) {}\n")
        self.write("tests/support/budget_test.cpp", "TEST(Budget, IsNoProgram) {}\n")
        self.write("tests/scripts/peers_test.py",
                   "class Budget(unittest.TestCase):\n    def test_reads(self): pass\n    def test_writes(self): pass\n")
        self.write("tests/browser/page_test.py", "import pages\nclass Page(unittest.TestCase):\n    def test_sorts(self): pass\n")
        self.write("tests/browser/pages.py", 'PROGRAM = ROOT / "build" / "release" / "warpwright"\n')

    def select(self, pattern):
        return SELECT["select"](self.folder, pattern)

    def test_a_folder_is_all_of_its_tests_and_nothing_else(self):
        self.assertEqual(self.select("spec"), [("cpp", "spec_tests", "*")])
        self.assertEqual(self.select("tests/spec/"), [("cpp", "spec_tests", "*")])
        self.assertEqual(self.select("spec_tests"), [("cpp", "spec_tests", "*")])

    def test_a_name_is_found_in_every_language(self):
        self.assertEqual(self.select("^Budget"), [("cpp", "spec_tests", "Budget.ATimeHasAUnit:Budget.Both"),
                                                  ("script", "scripts/peers_test.py", "Budget.test_reads Budget.test_writes")])

    def test_one_test_is_run_alone(self):
        self.assertEqual(self.select("Budget.Both"), [("cpp", "spec_tests", "Budget.Both")])
        self.assertEqual(self.select("test_writes"), [("script", "scripts/peers_test.py", "Budget.test_writes")])

    def test_a_source_is_all_of_its_tests(self):
        self.assertEqual(self.select("budget_test.cpp"), [("cpp", "spec_tests", "Budget.ATimeHasAUnit:Budget.Both")])

    def test_tests_with_parameters_are_run_with_all_of_them(self):
        for pattern in ("AreTight", "Cases/Bounds", "Cases/Bounds.AreTight/3"):
            self.assertEqual(self.select(pattern), [("cpp", "core_tests", "Cases/Bounds.AreTight/*")])

    def test_tests_with_types_are_found(self):
        self.assertEqual(self.select("Half"), [("cpp", "core_tests", "Half/*.Rounds:*/Half/*.Rounds")])

    def test_what_runs_the_program_says_so(self):
        self.assertEqual(self.select("browser"), [("browser", "browser/page_test.py", "-", "program")])

    def test_no_field_is_empty(self):
        # A shell that splits at tabs takes two of them for one.
        for pattern in ["scripts", "browser", "core", "page_test"]:
            for fields in self.select(pattern):
                self.assertNotIn("", fields)
        self.assertEqual(self.select("scripts"), [("script", "scripts/peers_test.py", "-")])

    def test_what_comes_near_is_said(self):
        self.assertEqual(self.select("Buget"), [])
        self.assertIn("budget_test", SELECT["suggestions"](self.folder, "buget_test"))

    def test_every_folder_of_the_repository_has_a_program(self):
        cmake = (ROOT / "tests" / "CMakeLists.txt").read_text() + (ROOT / "tests" / "fuzz" / "CMakeLists.txt").read_text()
        layers = cmake[cmake.index("set(unit_layers"):].split(")")[0].split()
        for folder in SELECT["Sources"](ROOT).folders():
            self.assertTrue(folder in layers or f"add_executable({folder}_tests" in cmake, folder)


class Arguments(unittest.TestCase):
    """A refusal comes before anything is installed or built."""

    def refused(self, *arguments):
        done = subprocess.run([ROOT / "scripts" / "test", *arguments], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_an_unknown_option(self):
        self.assertEqual(self.refused("--fast"), "error: unknown option --fast; see scripts/test --help\n")

    def test_two_patterns(self):
        self.assertEqual(self.refused("a", "b"), "error: two patterns, 'a' and 'b'; join them as 'a|b'\n")

    def test_a_pattern_that_matches_nothing_names_what_comes_near(self):
        message = self.refused("speec")
        self.assertTrue(message.startswith("error: no test matches 'speec'; near it: spec"), message)
        self.assertIn("a folder below tests/ is all of its tests: across analysis ", message)

    def test_a_pattern_that_is_none(self):
        self.assertEqual(self.refused("a("), "error: 'a(' is not a regular expression: missing ), unterminated subpattern at position 1\n")


class Build(Folder):
    """build() of setup.sh with a scripted cmake."""

    def build(self, cmake, seen=lambda line: None):
        path = self.write("bin/cmake", "#!/bin/sh\n" + cmake)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        environment = {**os.environ, "PATH": f"{path.parent}:{os.environ['PATH']}", "TMPDIR": str(self.folder),
                       "WARPWRIGHT_PROGRESS_SECONDS": "1"}
        lines = []
        with subprocess.Popen(["bash", "-c", ". scripts/lib/setup.sh; build release core_tests"], cwd=ROOT, env=environment,
                              stderr=subprocess.PIPE, text=True) as process:
            for line in process.stderr:
                lines.append(line)
                seen(line)
        return process.returncode, "".join(lines)

    def test_a_long_build_counts_its_steps(self):
        # Lasts until its steps were shown, however slow the machine is.
        shown = self.folder / "shown"
        code, said = self.build(f"echo '[3/40, 1.5s] Building'\nuntil [ -e {shown} ]; do sleep 0.1; done\n",
                                lambda line: shown.touch())
        self.assertEqual(code, 0)
        self.assertIn("building [3/40, 1.5s]", said)

    def test_a_failed_build_shows_what_the_compiler_said(self):
        code, said = self.build("echo '[1/2, 0.1s] Building'\necho 'FAILED: a.o'\necho 'a.cpp:1: error: no'\nexit 1\n")
        self.assertEqual(code, 3)
        self.assertIn("FAILED: a.o\na.cpp:1: error: no\n", said)
        self.assertIn("error: the build failed; the whole log is in ", said)


class Tidy(Folder):
    def setUp(self):
        super().setUp()
        self.git("init", "-q", "-b", "main")
        self.write("tuner/core/a.cpp", "int a;\n" * 20)
        self.write("tuner/core/b.cpp", '#include "core/only.h"\n')
        self.write("tuner/core/only.h", "int c;\n")
        self.commit()

    def git(self, *arguments):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.folder, check=True,
                              capture_output=True, text=True).stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def changed(self):
        script = f". '{ROOT}/scripts/lib/setup.sh'; . '{ROOT}/scripts/lib/tidy.sh'; tidy_changed \"$(tidy_base)\""
        return subprocess.run(["bash", "-c", script], cwd=self.folder, check=True, capture_output=True, text=True).stdout.split()

    def test_the_first_commit_is_all_new(self):
        self.assertEqual(self.changed(), ["tuner/core/a.cpp", "tuner/core/b.cpp"])

    def test_the_last_commit_and_what_is_not_committed(self):
        self.write("tuner/core/d.cpp", "int d;\n")
        self.commit()
        self.write("tuner/core/e.cpp", "int e;\n")
        self.assertEqual(self.changed(), ["tuner/core/d.cpp", "tuner/core/e.cpp"])

    def test_a_header_stands_for_a_source_that_includes_it(self):
        self.write("tuner/core/only.h", "int c, d;\n")
        self.commit()
        self.assertEqual(self.changed(), ["tuner/core/b.cpp"])

    def test_what_was_only_moved_did_not_change(self):
        (self.folder / "tuner" / "base").mkdir()
        self.git("mv", "tuner/core/a.cpp", "tuner/base/a.cpp")
        self.commit()
        self.assertEqual(self.changed(), [])


if __name__ == "__main__":
    unittest.main()
