"""The newest recording of a kernel on a kind of GPU among the databases below results/."""

import contextlib
import gzip
import pathlib
import re
import shutil
import sqlite3
import tempfile

NEWEST = """SELECT max(trial.started_utc) FROM trial JOIN kernel ON kernel.id = trial.kernel_id JOIN device ON device.id = trial.device_id
            WHERE kernel.name = ? AND device.name = ? AND trial.status = 'ok'"""


def folder_of(device_name):
    """The name of a device's folder: "NVIDIA H200" is nvidia-h200."""
    return re.sub(r"[^a-z0-9]+", "-", device_name.lower()).strip("-")


def unpack(packed, target):
    with gzip.open(packed, "rb") as source, open(target, "wb") as plain:
        shutil.copyfileobj(source, plain)


def newest(results, device_name, kernels):
    """{kernel: path of the packed database whose trials of it on such a device are the newest}, without kernels that none has."""
    found = {}
    for packed in sorted((results / folder_of(device_name)).rglob("*.db.gz")):
        with tempfile.TemporaryDirectory() as folder:
            plain = pathlib.Path(folder) / "recorded.db"
            unpack(packed, plain)
            with contextlib.closing(sqlite3.connect(plain)) as database:
                for kernel in kernels:
                    when = database.execute(NEWEST, (kernel, device_name)).fetchone()[0]
                    if when and when > found.get(kernel, ("",))[0]:
                        found[kernel] = (when, packed)
    return {kernel: packed for kernel, (_, packed) in found.items()}
