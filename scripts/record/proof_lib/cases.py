"""The cases of tests/emu/proof: inputs from an integer hash, so that every language makes the same ones, and outputs abridged."""

import array
import base64
import hashlib
import json
import struct

TYPE_CODES = {"f32": "f", "f64": "d", "u8": "B", "u32": "I", "f16": "e", "bf16": "bf16"}
WHOLE_BYTES = 1024  # outputs up to this size are stored as they are
HEAD_BYTES = 256  # the leading part that is stored of larger ones, with their SHA-256


def load(root):
    return json.loads((root / "tests/emu/proof/cases.json").read_text())


def ptx(root, case):
    return (root / f"tests/emu/proof/{case['module']}.ptx").read_bytes()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def mix(seed, index):
    """32 well mixed bits; tests/emu/proof_cases.cpp has the same three lines."""
    x = (index * 0x9E3779B1 + seed * 0x85EBCA77) & 0xFFFFFFFF
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
    x = ((x ^ (x >> 15)) * 0x846CA68B) & 0xFFFFFFFF
    return x ^ (x >> 16)


def values(argument):
    """`signed` has 16 bits in [-1, 1), `small` 8, so that sums of products stay exact; `below` is an integer."""
    fill, count, seed = argument["fill"], argument["count"], argument.get("seed", 0)
    if fill == "zero":
        return [0] * count
    if fill == "signed":
        return [((mix(seed, i) & 0xFFFF) - 32768) / 32768 for i in range(count)]
    if fill == "small":
        return [((mix(seed, i) & 0xFF) - 128) / 128 for i in range(count)]
    if fill == "below":
        return [mix(seed, i) % argument["below"] for i in range(count)]
    raise ValueError(f"unknown fill '{fill}'")


def buffer_bytes(argument):
    code = TYPE_CODES[argument["type"]]
    numbers = values(argument)
    if code == "e":
        return struct.pack(f"<{len(numbers)}e", *numbers)
    if code == "bf16":  # the upper half of a float; these values need no rounding
        return b"".join(struct.pack("<f", number)[2:] for number in numbers)
    return array.array(code, numbers).tobytes()


def outputs_of(case, buffers):
    """`buffers` is bytes by name; whole where they are few or only nearly right, else a checksum and the beginning."""
    result = {}
    for argument in case["arguments"]:
        if not argument.get("output"):
            continue
        data = buffers[argument["buffer"]]
        whole = len(data) <= WHOLE_BYTES or case["relative_bound"] > 0
        kept = data if whole else data[:HEAD_BYTES]
        result[argument["buffer"]] = {
            "bytes": len(data),
            "sha256": sha256(data),
            "whole" if whole else "head": base64.b64encode(kept).decode(),
        }
    return result


def dump(report):
    """One line per case, so that a difference between two recordings can be read."""
    rows = report["cases"]
    head = json.dumps({key: value for key, value in report.items() if key != "cases"}, indent=1)
    body = ",\n".join("  " + json.dumps(row) for row in rows)
    return f'{head[:-2]},\n "cases": [\n{body}\n ]\n}}\n'
