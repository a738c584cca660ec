"""Scripts, which have no ending in .py, as modules that tests can call."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load(script):
    """The module of a script below scripts/, such as "record/claims"."""
    path = ROOT / "scripts" / script
    loader = importlib.machinery.SourceFileLoader(path.name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.name, loader))
    loader.exec_module(module)
    return module


def run(module, *arguments):
    """Calls main() with the arguments as texts; (exit code, the printed text)."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = module.main([str(argument) for argument in arguments])
    return code, printed.getvalue()
