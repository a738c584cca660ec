"""A source of kernels/ compiles alone with the defaults of its contract: each stands once in the kernel's folder and is kernel.yaml's.

Contracts are read as those of this repository are written, an entry of a section at two spaces, so that no YAML reader is needed.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = sorted(file.parent for file in (ROOT / "kernels").glob("*/kernel.yaml"))
DEFAULT = re.compile(r"^#ifndef (\w+)\n#define \1 (.*)\n#endif$", re.MULTILINE)


def entries(contract, section):
    """The entries of a section, as (name, text)."""
    body = re.search(rf"^{section}:\n((?:(?: .*|#.*)?\n)+)", contract, re.MULTILINE)
    parts = re.split(r"^  (\w+):", body[1], flags=re.MULTILINE)[1:] if body else []
    return list(zip(parts[::2], parts[1::2]))


def key(text, name):
    found = re.search(rf"(?:^|[\s{{,]){name}: (\w[\w.-]*)", re.sub(r'"[^"]*"', '""', text))
    return found and found[1]


def macros(contract):
    """What a macro of the sources is by default; None for a size without a default."""
    found = {}
    for name, text in entries(contract, "problem"):
        if key(text, "macro"):
            found[key(text, "macro")] = key(text, "default")
    for name, text in entries(contract, "parameters"):
        found[key(text, "macro") or name] = key(text, "default")
    found.pop("none", None)
    return {name: {"true": "1", "false": "0"}.get(value, value) for name, value in found.items()}


def words(source):
    """The words of the code, without comments, strings and defaults."""
    return set(re.findall(r"\w+", re.sub(r'//.*|"[^"\n]*"', "", DEFAULT.sub("", source))))


class KernelDefaults(unittest.TestCase):
    def for_each_kernel(self, check):
        self.assertTrue(FOLDERS)
        for folder in FOLDERS:
            known = macros((folder / "kernel.yaml").read_text(encoding="utf-8"))
            files = sorted([*folder.glob("*.cu"), *folder.glob("*.cuh")])
            with self.subTest(folder.name):
                check(known, {file.name: file.read_text(encoding="utf-8") for file in files})

    def test_a_contract_is_read(self):
        contract = ("problem:\n  n: {doc: length}\n  k: {doc: \"of, default: 3\", macro: TOP_K}\n  flag: {default: true, macro: FLAG}\n"
                    "let:\n  half: n/2\nparameters:\n  # A remark.\n  THREADS: {default: 256, doc: threads}\n  HINT:\n    default: none\n"
                    "    values: [none, last]\n  WALK: {default: 1, macro: none}\n  LONG: {default: 2, macro: SHORT}\nvariants:\n")
        self.assertEqual(macros(contract), {"TOP_K": None, "FLAG": "1", "THREADS": "256", "HINT": "none", "SHORT": "2"})

    def test_every_macro_that_sources_use_has_one_default(self):
        def check(known, sources):
            used = set().union(*map(words, sources.values())) & set(known)
            defaults = [name for text in sources.values() for name, _ in DEFAULT.findall(text)]
            self.assertEqual(sorted(defaults), sorted(used))

        self.for_each_kernel(check)

    def test_defaults_are_those_of_the_contract(self):
        def check(known, sources):
            for file, text in sources.items():
                for name, value in DEFAULT.findall(text):
                    if known.get(name) is not None:
                        self.assertEqual((file, name, value), (file, name, known[name]))

        self.for_each_kernel(check)

    def test_a_source_that_uses_a_macro_includes_its_default(self):
        def check(known, sources):
            home = {name: file for file, text in sources.items() for name, _ in DEFAULT.findall(text)}
            for file, text in sources.items():
                for other in {home[name] for name in words(text) & set(home)} - {file}:
                    self.assertIn(f'#include "{other}"\n', text, file)

        self.for_each_kernel(check)

    def test_no_source_defines_a_macro_of_the_contract_otherwise(self):
        def check(known, sources):
            for file, text in sources.items():
                defined = set(re.findall(r"^\s*#\s*define\s+(\w+)", DEFAULT.sub("", text), re.MULTILINE))
                self.assertEqual(defined & set(known), set(), file)

        self.for_each_kernel(check)


if __name__ == "__main__":
    unittest.main()
