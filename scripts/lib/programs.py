"""The location of the built program."""

from .sweeps import UserError


def find_warpwright(root, given):
    """The program that our results are read with: `given`, else the newest in root/build, else None."""
    if given:
        if not given.exists():
            raise UserError(f"{given}: no such file; build it or leave --warpwright out")
        return given.resolve()
    found = [path for path in root.glob("build/**/warpwright") if path.is_file()]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)
