"""The job array for Slurm and its follow-up job, under a Slurm of this machine alone."""
import os
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("WARPWRIGHT_PROGRAM", ROOT / "build" / "release" / "warpwright"))


@unittest.skipUnless(os.geteuid() == 0, "the daemons run as root")
@unittest.skipUnless(shutil.which("slurmctld") and shutil.which("slurmd") and shutil.which("munged"), "no Slurm here")
class SlurmTest(unittest.TestCase):
    def test_an_array_that_lost_a_task_makes_the_leaderboard_of_one_process(self):
        ran = subprocess.run([ROOT / "scripts" / "dev" / "slurm_on_loopback"], env={**os.environ, "WARPWRIGHT": str(PROGRAM)},
                             capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        said = ran.stdout + ran.stderr
        self.assertEqual(ran.returncode, 0, said)
        # The signal may come before the task's run was in its database, in between, or after its last trial.
        self.assertRegex(ran.stdout, "of 4 shards 3 is missing|all 4 shards were begun|it had come to its end")
        self.assertIn("equal to that of one process", ran.stdout)


if __name__ == "__main__":
    unittest.main()
