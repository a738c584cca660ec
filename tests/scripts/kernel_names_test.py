"""Scripts find kernels by their files: none is named there, so that adding a kernel edits nothing under scripts/.

The harness's own instruments (kernels/harness_*) are exempt: some scripts exist to use them.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTRUMENTS = "harness_"


def names():
    """Names of kernels, and of sweeps in configs/; configs/gpus has GPUs, which scripts may name."""
    kernels = [file.parent.name for file in (ROOT / "kernels").glob("*/kernel.yaml")]
    sweeps = [file.stem for file in (ROOT / "configs").rglob("*.yaml") if file.parent.name != "gpus"]
    return {name for name in [*kernels, *sweeps] if not name.startswith(INSTRUMENTS)}


class KernelNames(unittest.TestCase):
    def test_no_script_names_a_kernel_or_a_sweep(self):
        self.assertTrue(names())
        named = re.compile(r"(?<![A-Za-z0-9])(" + "|".join(map(re.escape, sorted(names()))) + r")(?![A-Za-z0-9])")
        found = []
        for file in sorted((ROOT / "scripts").rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                    found += [f"{file.relative_to(ROOT)}:{number}: {match[0]}" for match in named.finditer(line)]
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
