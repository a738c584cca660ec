"""Installing, and completion in shells: the files of `cmake --install` work from anywhere, without the checkout, and can be removed."""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WARPWRIGHT_PROGRAM", ROOT / "build" / "release" / "warpwright"))
TYPED = str(PROGRAM).replace(" ", "\\ ")  # as one types it
BUILD = PROGRAM.parent

SWEEP = """kernel: rmsnorm_residual
problems: [{rows: 8, d: 4096}]
emulated: [{rows: 2, d: 1024}]
space: {variant: all}
budget: {trials: 1}
"""


def setUpModule():
    if not PROGRAM.exists():
        raise RuntimeError(f"{PROGRAM} is missing; build it first, or set WARPWRIGHT_PROGRAM")


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())


class Installed(unittest.TestCase):
    """Installed once; each test runs it in a folder of its own, for a user who has nothing yet."""

    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.root.name) / "a prefix"
        cls.install(cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.root.cleanup()

    @classmethod
    def install(cls, prefix):
        done = subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(done.stderr + done.stdout)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("WARPWRIGHT_", "XDG_"))}
        self.environment["HOME"] = str(self.folder / "home")
        (self.folder / "home").mkdir()

    def command(self, *words, wrap=()):
        return subprocess.run([*wrap, *map(str, words)], capture_output=True, text=True, cwd=self.folder, env=self.environment)

    def run_installed(self, *arguments, wrap=()):
        done = self.command(self.prefix / "bin" / "warpwright", *arguments, wrap=wrap)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done.stdout

    def test_kernels_are_those_that_were_installed(self):
        kernels = json.loads(self.run_installed("kernels", "--json"))["kernels"]
        self.assertIn("softmax_topk", [kernel["kernel"] for kernel in kernels])
        for kernel in kernels:
            self.assertTrue(kernel["file"].startswith(str(self.prefix / "lib" / "warpwright" / "kernels")), kernel["file"])

    def assert_sweeps(self, wrap=()):
        (self.folder / "mine.yaml").write_text(SWEEP)
        swept = json.loads(self.run_installed("sweep", "mine.yaml", "--device", "emu:sm_90a", "--json", "--quiet", wrap=wrap))
        self.assertEqual(swept["sweep"]["statuses"], {"ok": 1})
        self.assertEqual(swept["sweep"]["database"], str(self.folder / "home" / ".local" / "share" / "warpwright" / "warpwright.db"))

    def test_a_sweep_runs_from_elsewhere_and_keeps_its_results_with_the_user(self):
        self.assert_sweeps()
        shown = json.loads(self.run_installed("show", "rmsnorm_residual", "--json"))
        self.assertEqual(len(shown["leaderboards"]), 1)

    def test_a_sweep_runs_where_the_checkout_is_gone(self):
        # In a mount namespace of its own, so that the checkout stays visible to all other processes.
        gone = ["unshare", "--mount", "--map-root-user", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(ROOT)]
        if shutil.which("unshare") is None or self.command("test", "!", "-e", ROOT / "README.md", wrap=gone).returncode:
            self.skipTest("this machine allows no mount namespace (unshare --mount --map-root-user)")
        self.assert_sweeps(wrap=gone)

    def test_configs_of_the_program_are_found_by_the_names_that_the_readme_uses(self):
        spaces = json.loads(self.run_installed("space", "configs/softmax_topk_quick.yaml", "--json"))
        self.assertGreater(spaces["spaces"][0]["count"], 0)
        missing = self.command(self.prefix / "bin" / "warpwright", "space", "configs/softmax_topkk.yaml")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("configs/softmax_topkk.yaml", missing.stderr)

    def test_runs_are_marked_with_the_commit_that_was_installed(self):
        self.assert_sweeps()
        commit = (self.prefix / "lib" / "warpwright" / "installed_commit").read_text().strip()
        runs = json.loads(self.run_installed("report", "--json"))["databases"][0]["runs"]
        self.assertTrue(runs[0]["program"].endswith(f"(commit {commit})") if commit else "commit" not in runs[0]["program"], runs)

    def test_installing_again_drops_what_is_no_longer_part_and_keeps_what_is_not_ours(self):
        prefix = self.folder / "again"
        self.install(prefix)
        before = files_below(prefix)
        home = prefix / "lib" / "warpwright"
        old, foreign = home / "kernels" / "retired.cu", prefix / "bin" / "other"
        old.write_text("// of an older version\n")
        foreign.write_text("")
        with (home / "installed_files").open("a") as listed:
            listed.write("lib/warpwright/kernels/retired.cu\n")
        self.install(prefix)
        self.assertEqual(files_below(prefix), sorted([*before, "bin/other"]))

    def test_uninstalling_leaves_nothing_but_what_others_put_there(self):
        prefix = self.folder / "short"
        self.install(prefix)
        (prefix / "share" / "zsh" / "other").write_text("")
        done = self.command(prefix / "lib" / "warpwright" / "uninstall")
        self.assertEqual((done.returncode, done.stdout), (0, f"removed warpwright from {prefix}\n"), done.stderr)
        self.assertEqual(files_below(prefix), ["share/zsh/other"])
        self.assertFalse((prefix / "lib").exists())

    def test_every_shell_has_its_completion_where_it_looks(self):
        for shell, place in (("bash", "bash-completion/completions/warpwright"), ("zsh", "zsh/site-functions/_warpwright"),
                             ("fish", "fish/vendor_completions.d/warpwright.fish")):
            with self.subTest(shell=shell):
                self.assertEqual((self.prefix / "share" / place).read_text(), self.run_installed("completion", shell))


class Answers(unittest.TestCase):
    """The possible continuations, by the program's own completion."""

    def complete(self, *words):
        done = subprocess.run([PROGRAM, "complete", *words], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line.partition("\t")[0] for line in done.stdout.splitlines()]

    def test_verbs_are_those_of_the_help_and_no_hidden_one(self):
        verbs = self.complete("")
        shown = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout
        listed = [line.split()[0] for line in shown[shown.index("Subcommands:"):].splitlines()[1:] if line.startswith("  ") and line[2] != " "]
        self.assertGreater(len(verbs), 20)
        self.assertEqual(verbs, [verb for verb in listed if verb in verbs])
        self.assertNotIn("worker", verbs)
        self.assertEqual(self.complete("sw"), ["sweep"])

    def test_options_are_those_of_the_verb(self):
        self.assertIn("--budget", self.complete("sweep", "--"))
        self.assertNotIn("--budget", self.complete("show", "--"))
        self.assertEqual(self.complete("sweep", "--no-c"), ["--no-compile-cache"])

    def test_kernels_follow_where_a_kernel_is_wanted(self):
        listed = json.loads(subprocess.run([PROGRAM, "kernels", "--json"], capture_output=True, text=True).stdout)["kernels"]
        names = sorted(kernel["kernel"] for kernel in listed)
        self.assertEqual(sorted(self.complete("kernels", "")), names)
        self.assertEqual(self.complete("profile", "--lines", "3", "softmax_"), ["softmax_topk"])

    def test_kernels_of_further_folders_are_among_them(self):
        broken = ROOT / "tests" / "fixtures" / "broken_kernels"
        self.assertIn("union_race", self.complete("vet", "--kernels", str(broken), "union"))
        self.assertNotIn("union_race", self.complete("vet", "union"))

    def test_values_of_an_option_follow_it_with_a_space_or_an_equals_sign(self):
        self.assertIn("emu:sm_90a", self.complete("sweep", "--device", "emu:"))
        self.assertIn("--device=emu:sm_90a", self.complete("sweep", "--device=emu:"))
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])

    def test_paths_are_left_to_the_shell(self):
        self.assertEqual(self.complete("sweep", ""), [":files"])
        self.assertEqual(self.complete("sweep", "--kernels", "x"), [":folders"])

    def test_what_cannot_be_completed_is_no_error(self):
        for words in ((), ("nonsense", ""), ("sweep", "--nonsense", ""), ("--", "-"), ("completion", "bash", "")):
            with self.subTest(words=words):
                self.assertNotIn("sweep", self.complete(*words) if words else [])


class Shells(unittest.TestCase):
    def script(self, shell):
        return subprocess.run([PROGRAM, "completion", shell], capture_output=True, text=True, check=True).stdout

    def test_the_scripts_parse(self):
        for shell, check in (("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
            with self.subTest(shell=shell), tempfile.NamedTemporaryFile("w", suffix=f".{shell}") as file:
                if shutil.which(shell) is None:
                    continue
                file.write(self.script(shell))
                file.flush()
                done = subprocess.run([*check, file.name], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def in_bash(self, line, folder=ROOT):
        """The words that bash would insert at the end of `line`, which it splits itself."""
        asked = self.script("bash") + (
            f"\nCOMP_LINE={shlex.quote(line)} COMP_POINT=${{#COMP_LINE}}\ncompopt() {{ :; }}\n_warpwright\n"
            "printf '%s\\n' \"${COMPREPLY[@]}\"\n")
        done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, cwd=folder)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_completes_verbs_options_and_kernels(self):
        self.assertEqual(self.in_bash(f"{TYPED} swe"), ["sweep"])
        self.assertEqual(self.in_bash(f"{TYPED} sweep --no-c"), ["--no-compile-cache"])
        self.assertEqual(self.in_bash(f"{TYPED} kernels softmax_"), ["softmax_topk"])

    def test_bash_gets_only_what_follows_its_own_break_of_a_word(self):
        self.assertIn("sm_90a", self.in_bash(f"{TYPED} sweep --device emu:sm_9"))
        self.assertIn("sm_90a", self.in_bash(f"{TYPED} sweep --device=emu:sm_9"))

    def test_bash_takes_a_blank_after_a_backslash_for_part_of_the_word(self):
        with tempfile.TemporaryDirectory() as folder:
            blank = pathlib.Path(folder, "a place", "warpwright")
            blank.parent.mkdir()
            blank.symlink_to(PROGRAM)
            typed = str(blank).replace(" ", "\\ ")
            self.assertEqual(self.in_bash(f"{typed} swe"), ["sweep"])
            self.assertIn("show", self.in_bash(f"{typed} "))
            pathlib.Path(folder, "my sweep.yaml").touch()
            self.assertEqual(self.in_bash(f"{typed} sweep my\\ ", folder), ["my", "sweep.yaml"])

    def test_bash_completes_files(self):
        self.assertEqual(self.in_bash(f"{TYPED} sweep configs/softmax_topk_q"), ["configs/softmax_topk_quick.yaml"])

    def test_zsh_knows_the_function(self):
        if shutil.which("zsh") is None:
            self.skipTest("no zsh")
        with tempfile.TemporaryDirectory() as folder:
            asked = f"autoload -Uz compinit && compinit -u -d {folder}/dump && source /dev/stdin && print $_comps[warpwright]"
            done = subprocess.run(["zsh", "-f", "-c", asked], input=self.script("zsh"), capture_output=True, text=True)
        self.assertEqual((done.stdout.strip(), done.stderr), ("_warpwright", ""))

    def test_fish_completes_verbs(self):
        if shutil.which("fish") is None:
            self.skipTest("no fish")
        asked = self.script("fish") + f"\ncomplete -C '{TYPED} swe'\n"
        done = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True)
        self.assertTrue(done.stdout.startswith("sweep\t"), done.stdout + done.stderr)


class Quickstart(unittest.TestCase):
    def quickstart(self, *arguments):
        return subprocess.run([ROOT / "scripts" / "quickstart", *arguments], capture_output=True, text=True)

    def test_help_names_installing(self):
        self.assertIn("--install[=PREFIX]", self.quickstart("--help").stdout)

    def test_a_missing_folder_and_further_arguments_are_refused_before_anything_is_built(self):
        empty, more = self.quickstart("--install="), self.quickstart("--install=/x", "--device")
        self.assertEqual((empty.returncode, more.returncode), (3, 3))
        self.assertEqual(empty.stderr, "error: --install=: expected a folder, got nothing; leave the = out for ~/.local\n")
        self.assertEqual(more.stderr, "error: --install: expected nothing after it, got '--device'; sweep with the installed warpwright\n")

    def say_of_install(self, prefix, path):
        asked = f". scripts/lib/setup.sh; cmake() {{ :; }}; install_into release {prefix}"
        return subprocess.run(["bash", "-c", asked], capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PATH": path}).stderr

    def test_it_says_when_the_folder_is_not_on_path(self):
        with tempfile.TemporaryDirectory() as prefix:
            path = os.environ["PATH"]
            self.assertIn(f"{prefix}/bin is not on PATH", self.say_of_install(prefix, path))
            self.assertNotIn("not on PATH", self.say_of_install(prefix, f"{prefix}/bin:{path}"))


if __name__ == "__main__":
    unittest.main()
