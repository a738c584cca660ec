"""Problems of the sweeps of a kernel, completed with the defaults of kernels/<kernel>/kernel.yaml."""

import itertools
import re

INSTRUMENTS = "harness_"  # names of kernels by which the harness proves itself begin so; they are not shipped for use


class UserError(Exception):
    """Something the user can fix; the message says how."""


class MissingModule(Exception):
    """A Python package that is not installed."""


def read_yaml(path):
    """The parsed file. MissingModule without PyYAML, UserError when it cannot be read."""
    try:
        import yaml
    except ModuleNotFoundError:
        raise MissingModule("PyYAML is not installed; get it with `python3 -m pip install pyyaml`") from None
    try:
        with open(path, encoding="utf-8") as file:
            return yaml.safe_load(file)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise UserError(f"{path}: {error}") from None


def sweep_files(kernel, configs, every=False):
    """The sweeps of a kernel in a folder: <kernel>.yaml, else, or if `every`, every file whose `kernel:` it is, by name.

    Needs no PyYAML: `kernel:` is a key of the outermost map.
    """
    own = configs / f"{kernel}.yaml"
    if own.exists() and not every:
        return [own]
    named = re.compile(rf"""^kernel:[ \t]*["']?{re.escape(kernel)}["']?[ \t]*(#.*)?$""", re.MULTILINE)
    return sorted(path for path in configs.glob("*.yaml") if named.search(path.read_text(encoding="utf-8")))


def expand_problem(problem):
    """One dictionary for each combination of the values that are lists; the last key varies fastest.

    {rows: [64, 128], V: 10} -> {rows: 64, V: 10}, {rows: 128, V: 10}
    """
    choices = [value if isinstance(value, list) else [value] for value in problem.values()]
    return [dict(zip(problem.keys(), values)) for values in itertools.product(*choices)]


def expand_problems(problems):
    """expand_problem of each, in order, every problem once."""
    expanded = []
    for problem in problems:
        for one in expand_problem(problem):
            if one not in expanded:
                expanded.append(one)
    return expanded


def complete_problem(contract, given, where="problem"):
    """`given` in the contract's order, with defaults; UserError on a size that is unknown or missing."""
    sizes = contract["problem"]
    for name in given:
        if name not in sizes:
            raise UserError(f"{where}: unknown size '{name}'; {contract['kernel']} has {', '.join(sizes)}")
    completed = {}
    for name, size in sizes.items():
        size = size or {}
        if name in given:
            completed[name] = given[name]
        elif "default" in size:
            completed[name] = size["default"]
        else:
            raise UserError(f"{where}: size '{name}' is missing and {contract['kernel']} has no default for it")
    return completed


def problem_text(problem):
    """rows=8192 d=4096 dtype=bf16"""
    return " ".join(f"{name}={value}" for name, value in problem.items())
