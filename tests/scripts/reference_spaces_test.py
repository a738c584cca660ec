"""`warpwright space` agrees with published search spaces: exact counts and checksums, within 60 s and 2 GiB each.

The spaces are found through WARPWRIGHT_PUBLIC_DATA and converted to sweep YAML by scripts/dev/convert_space.
"""
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "warpwright"
DATA = os.environ.get("WARPWRIGHT_PUBLIC_DATA")
SECONDS = 60
BYTES = 2 << 30


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


@unittest.skipUnless(DATA, "WARPWRIGHT_PUBLIC_DATA is not set: the published spaces are not here")
@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class ReferenceSpaces(unittest.TestCase):
    def test_every_space_has_its_count_and_checksums_and_can_be_sampled(self):
        files = sorted((pathlib.Path(DATA) / "spaces").glob("*.json"))
        self.assertGreaterEqual(len(files), 21)
        for file in files:
            with self.subTest(space=file.stem), tempfile.TemporaryDirectory() as folder:
                expected = json.loads(file.read_text())
                sweep = pathlib.Path(folder) / "space.yaml"
                subprocess.run([ROOT / "scripts" / "dev" / "convert_space", file, "-o", sweep], check=True)
                done = subprocess.run([PROGRAM, "space", sweep, "--checksum", "--sample", "50", "--json"],
                                      capture_output=True, text=True, timeout=SECONDS, preexec_fn=limit_memory)
                self.assertEqual(done.returncode, 0, done.stderr)
                space = json.loads(done.stdout)["spaces"][0]
                self.assertEqual(space["count"], expected["valid_count"])
                self.assertEqual(space["cartesian"], float(expected["cartesian_size"]))
                self.assertEqual(space["sha256"], expected["valid_sha256"])
                self.assertEqual(space["fnv64_sum"], expected["valid_fnv64_sum"])
                sampled = [tuple(sorted(c["values"].items())) for c in space["configurations"]]
                self.assertEqual(len(set(sampled)), 50)


if __name__ == "__main__":
    unittest.main()
