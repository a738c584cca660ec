"""Sweeps over the ranks of an MPI job on this machine, by Open MPI and by MPICH: the leaderboard is the same as with one process, and
the end of a rank, or of all of them, costs no trial that was committed."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WARPWRIGHT_PROGRAM", ROOT / "build" / "release" / "warpwright"))
CONFIG = ROOT / "tests" / "fixtures" / "slurm" / "sweep.yaml"
# One trial after another on each rank, so that there is time to disturb them.
SWEEP = ["sweep", CONFIG, "--device", "emu:sm_90a", "--set", "STORE_HINT=none", "--emulator-workers", "1", "--json"]
LONG_S = 120


def programs():
    """Library name -> the program built for it."""
    found = {}
    for program in sorted(PROGRAM.parent.glob("warpwright-mpi*")):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
        found["openmpi" if "Open MPI" in said else "mpich"] = program
    return found


def stored(database):
    """Trials in it, each counted as often as it was measured."""
    if not database.exists() or database.stat().st_size == 0:
        return []
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10) as connection:
        if not connection.execute("select count(*) from sqlite_master where name = 'trial'").fetchone()[0]:
            return []
        return [key for key, in connection.execute("select key from trial")]


def leaderboard(swept):
    return [(board["problem_text"], entry["rank"], entry["configuration_text"], entry["median_us"], entry["status"])
            for board in swept["leaderboards"] for entry in board["entries"]]


class MpiSweeps:
    """The tests that every MPI must pass; the classes below name them."""
    library = ""
    launcher_options = []

    @classmethod
    def setUpClass(cls):
        cls.launcher = shutil.which("mpirun." + cls.library)
        cls.program = programs().get(cls.library)
        if cls.launcher is None or cls.program is None:
            raise unittest.SkipTest(f"no mpirun.{cls.library}, or no program that was built for it")
        cls.own = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.own.name)
        cls.addClassCleanup(cls.own.cleanup)
        cls.environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                           "WARPWRIGHT_RANK_SILENCE": "3s"}
        alone = subprocess.run([PROGRAM, *SWEEP, "--db", cls.folder / "alone.db", "--quiet"], capture_output=True, text=True,
                               check=True, timeout=LONG_S)
        cls.expected = leaderboard(json.loads(alone.stdout))
        cls.trials = len(stored(cls.folder / "alone.db"))

    def start(self, database, *options):
        self.errors = tempfile.TemporaryFile("w+")
        return subprocess.Popen([self.launcher, *self.launcher_options, *options, "-n", "3", self.program, *SWEEP, "--db", database],
                                env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors,
                                text=True)

    def end(self, job):
        out, _ = job.communicate(timeout=LONG_S)
        self.errors.seek(0)
        self.said = self.errors.read()
        self.errors.close()
        return out

    def complete(self, database, *options):
        job = self.start(database, *options)
        out = self.end(job)
        self.assertEqual(job.returncode, 0, self.said)
        return json.loads(out)

    def wait_for_trials(self, database, count, job):
        while len(stored(database)) < count:
            self.assertIsNone(job.poll(), "the sweep ended before it could be disturbed")
            time.sleep(0.005)

    def process_of(self, rank, job):
        """The process of that rank of the job, which is a descendant of the launcher."""
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                variables = (folder / "environ").read_bytes().split(b"\0")
                command = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            names = {f"OMPI_COMM_WORLD_RANK={rank}".encode(), f"PMI_RANK={rank}".encode()}
            if names & set(variables) and command[:2] == [os.fsencode(self.program), b"sweep"] and self.database in command:
                return int(folder.name)
        self.fail(f"no process of rank {rank}: {job.poll()}")

    def kill(self, rank, database, job):
        self.database = os.fsencode(database)
        os.kill(self.process_of(rank, job), signal.SIGKILL)

    def test_the_leaderboard_is_that_of_one_process(self):
        swept = self.complete(self.folder / "whole.db")
        self.assertEqual(leaderboard(swept), self.expected)
        self.assertIn("2 ranks on 1 host work on emu:sm_90a (2 times)", self.said)

    def test_what_ends_the_job_costs_no_trial(self):
        folder = self.folder / "small"
        folder.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], capture_output=True, check=False)
        if mounted.returncode == 0:
            self.addCleanup(subprocess.run, ["umount", "--lazy", folder], check=False)
        database = folder / "x.db"
        for rank in (2, 0):
            with self.subTest(f"rank {rank} is killed"):
                job = self.start(database)
                before = len(stored(database))
                self.wait_for_trials(database, before + 3, job)
                self.kill(rank, database, job)
                self.end(job)
                self.assertNotEqual(job.returncode, 0)
                self.assertGreaterEqual(len(stored(database)), before + 3)
        if mounted.returncode == 0:
            with self.subTest("the disk of rank 0 is full"):
                # Before it starts, but for some room: a job whose kernels are compiled already is done sooner than a disk is filled.
                with open(folder / "ballast", "wb", buffering=0) as ballast:
                    try:
                        while ballast.write(b"x" * 4096):
                            pass
                    except OSError:
                        pass
                    ballast.truncate(ballast.tell() - 64 * 1024)
                job = self.start(database)
                self.end(job)
                (folder / "ballast").unlink()
                self.assertIn("disk is full: ", self.said)
                self.assertIn("the same command goes on from there", self.said)
        kept = stored(database)
        self.assertLess(len(kept), self.trials, "nothing was left to resume")
        swept = self.complete(database)
        self.assertEqual(leaderboard(swept), self.expected)
        self.assertEqual(swept["sweep"]["resumed"], len(kept))
        self.assertEqual(len(stored(database)), self.trials, "a trial was lost, or measured twice")


class OpenMpiTest(MpiSweeps, unittest.TestCase):
    library = "openmpi"
    launcher_options = ["--oversubscribe"]

    def test_a_sweep_outlives_a_rank_where_the_launcher_does(self):
        database = self.folder / "recovered.db"
        job = self.start(database, "--enable-recovery")
        self.wait_for_trials(database, 3, job)
        self.kill(2, database, job)
        swept = json.loads(self.end(job))
        self.assertEqual(self.said.count("is lost: "), 1, self.said)
        self.assertEqual(leaderboard(swept), self.expected)
        self.assertEqual(len(stored(database)), self.trials)


class MpichTest(MpiSweeps, unittest.TestCase):
    library = "mpich"


class OtherVerbsTest(unittest.TestCase):
    def test_other_verbs_run_at_rank_0_alone(self):
        found = programs()
        launcher = shutil.which("mpirun.mpich")
        if "mpich" not in found or launcher is None:
            self.skipTest("no mpirun.mpich, or no program that was built for it")
        ran = subprocess.run([launcher, "-n", "2", found["mpich"], "kernels"], capture_output=True, text=True, check=False,
                             timeout=LONG_S, stdin=subprocess.DEVNULL)
        alone = subprocess.run([PROGRAM, "kernels"], capture_output=True, text=True, check=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stdout, alone.stdout)
        self.assertEqual(ran.stderr, "warpwright: only `sweep` is spread over ranks; `kernels` runs at rank 0 alone\n")


if __name__ == "__main__":
    unittest.main()
