"""The kernels that have peers, and the contents of their peers.py.

<kernels>/<name>/peers.py defines a class `Peers` with

    peers                                 the names of the ways to compute it, in the order of the table
    incomparable(problem)                 why none of them computes this problem, or an empty string
    inputs(problem)                       the tensors, random, on the GPU
    operation(peer, problem, inputs)      what is timed, and a note on it or an empty string
    compared(problem, inputs, outputs)    (place, output, exact value in float64) of what is judged
    scale(want)                           what the error of each element is relative to
    bytes(problem)                        compulsory traffic: every input once, every output once
    flops(problem)                        optional, where arithmetic is the limit

An operation on rows inherits most of it from peers_lib.base.Rows and adds inputs(), run(), exact() and bytes().
"""

import importlib.util
import sys

from lib.sweeps import UserError

FILE = "peers.py"
CONTRACT = "kernel.yaml"
METHODS = ("peers", "incomparable", "inputs", "operation", "compared", "scale", "bytes")


def with_peers(roots):
    """Names of all kernels in the folders `roots` that have a peers.py, sorted."""
    return sorted({file.parent.name for root in roots for file in root.glob(f"*/{FILE}")
                   if (file.parent / CONTRACT).is_file()})


def folder_of(kernel, roots):
    """The kernel's folder, in the first of `roots` that has it."""
    for root in roots:
        if (root / kernel / CONTRACT).is_file():
            return root / kernel
    raise UserError(f"no kernel '{kernel}' in {', '.join(map(str, roots))}; name the folder that its folder is in with --kernels")


def file_of(kernel, roots):
    """The kernel's peers.py."""
    folder = folder_of(kernel, roots)
    if not (folder / FILE).is_file():
        found = ", ".join(with_peers(roots)) or "none"
        raise UserError(f"{folder / FILE}: no such file, so nothing says how PyTorch computes {kernel}; write it "
                        f"(kernels/README.md, \"Peers\") or name a kernel that has one: {found}")
    return folder / FILE


def load(kernel, roots):
    """An instance of the kernel's class `Peers`. Needs PyTorch, which every peers.py imports."""
    file = file_of(kernel, roots)
    # A module with a unique name: torch.compile looks functions of other files up by the names of their modules.
    name = f"warpwright_peers_of_{kernel}"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # a kernel's folder holds its sources alone
    try:
        spec.loader.exec_module(module)
    except (ImportError, SyntaxError) as error:
        del sys.modules[name]
        raise UserError(f"{file}: cannot be loaded: {error}") from None
    finally:
        sys.dont_write_bytecode = writes_bytecode
    if not hasattr(module, "Peers"):
        raise UserError(f"{file}: has no class `Peers`; kernels/README.md, \"Peers\", says what it holds")
    missing = [method for method in METHODS if not hasattr(module.Peers, method)]
    if missing:
        raise UserError(f"{file}: class Peers has no {', '.join(missing)}; inherit peers_lib.base.Rows or define them")
    return module.Peers()
