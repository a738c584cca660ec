"""Baselines of kernels as git keeps them: the text, whose differences people review, and the sources as they were, packed.

    results/baselines/<kernel>/baseline.yaml      as `warpwright baseline` writes it
    results/baselines/<kernel>/sources.tar.gz     its folder kernels/; the text has the hash of every file

The same baseline packs into the same bytes.
"""

import gzip
import hashlib
import io
import re
import tarfile

TEXT, SOURCES = "baseline.yaml", "sources.tar.gz"
DEFAULT_ARCH = "sm_90a"
# `warpwright baseline` writes this in place of a source whose variant has no entry.
LEFT_OUT = hashlib.sha256(b"// Of another variant: not a part of this baseline.\n").hexdigest()


class DamagedBaseline(Exception):
    """A baseline that cannot be read; the message says how to mend it."""


def sources(folder):
    """{path: SHA-256} of the files that it was made of; empty without a baseline."""
    return {file: sha256 for file, sha256 in _listed(folder) if sha256 != LEFT_OUT}


def left_out(folder):
    """The sources whose variants have no entry."""
    return [file for file, sha256 in _listed(folder) if sha256 == LEFT_OUT]


def arch(folder):
    """The architecture that its figures are of; the default one without a baseline."""
    found = re.search(r'^arch: "(\w+)"$', _text(folder), re.MULTILINE)
    return found[1] if found else DEFAULT_ARCH


def pack(made, folder):
    """Into `folder` what `warpwright baseline` made. Returns the number of entries."""
    folder.mkdir(parents=True, exist_ok=True)
    text = (made / TEXT).read_text(encoding="utf-8")
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as zipped, \
            tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file in sorted((made / "kernels").rglob("*")):
            if file.is_file():
                member = tarfile.TarInfo(file.relative_to(made).as_posix())
                member.size = file.stat().st_size
                archive.addfile(member, io.BytesIO(file.read_bytes()))
    (folder / SOURCES).write_bytes(packed.getvalue())
    (folder / TEXT).write_text(text, encoding="utf-8")
    return len(re.findall(r"^  - kernel:", text, re.MULTILINE))


def unpack(folder, target):
    """The folder that `warpwright check` takes. The hashes of the text say whether the sources are those that it was made of."""
    target.mkdir(parents=True)
    (target / TEXT).write_text(_text(folder), encoding="utf-8")
    try:
        with tarfile.open(folder / SOURCES) as archive:
            for member in archive:
                path = (target / member.name).resolve()
                if not member.isfile() or not path.is_relative_to(target.resolve()):
                    raise DamagedBaseline(f"{folder / SOURCES}: expected files below kernels/, got '{member.name}'")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.extractfile(member).read())
    except (OSError, EOFError, tarfile.TarError) as error:
        raise DamagedBaseline(f"{folder / SOURCES}: cannot be read: {error}; take it from git, or make the baseline anew") from None


def _listed(folder):
    return re.findall(r'^  - \{file: "([^"]+)", sha256: ([0-9a-f]{64})\}$', _text(folder), re.MULTILINE)


def _text(folder):
    try:
        return (folder / TEXT).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise DamagedBaseline(f"{folder / TEXT}: cannot be read: {error}; take it from git, or make the baseline anew") from None
