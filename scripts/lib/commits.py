#!/usr/bin/env python3
"""The commit that results are marked with. As a program it prints the commit of this checkout; with --require-clean it fails where
results would belong to no commit.

Git is asked first, so that nothing can be recorded under a name that the sources do not have. Only where there is no checkout
to ask, as on a machine that got a copy of the files, WARPWRIGHT_COMMIT counts.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commit_of(root=ROOT):
    """The full hash, with "-dirty" where tracked files differ from it; else WARPWRIGHT_COMMIT, else "unknown"."""
    if _git(root, "rev-parse", "--show-toplevel") == str(pathlib.Path(root).resolve()):  # not a repository further up
        described = _git(root, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
        if described:
            return described
    return os.environ.get("WARPWRIGHT_COMMIT") or "unknown"


def refusal(root=ROOT):
    """The reason, as a message, why nothing should be recorded here; "" where results belong to a commit. Untracked files are
    ignored."""
    commit = commit_of(root)
    if commit.endswith("-dirty"):
        return (f"tracked files differ from commit {commit.removesuffix('-dirty')[:12]}, so results would belong to no commit; commit "
                "first, or say --allow-dirty, which marks them")
    if commit == "unknown":
        return ("there is no commit to mark results with; record in a checkout, name it in WARPWRIGHT_COMMIT, or say --allow-dirty, "
                "which marks them")
    return ""


def _git(root, *arguments):
    try:
        done = subprocess.run(["git", "--no-optional-locks", "-C", str(root), *arguments], capture_output=True, text=True,
                              check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    why = refusal() if "--require-clean" in sys.argv[1:] else ""
    if why:
        sys.exit(f"error: {why}")
    print(commit_of())
