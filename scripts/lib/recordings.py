"""The recordings below results/ that documents quote, and the values in them.

A table in JSON names the files (`files`, relative to results/), and its values say where they are recorded. A value has `from`, one of
the files or several, and one of

    "sql"    a query of a database that gives one value
    "at"     a path in JSON, in which an object selects the element of a list that has these members
    "find"   an expression with one group in a text
    "ratio"  true: how many times as long as ours the strongest peer of each problem takes, of a file of scripts/peers

`pick`, `least` or `most`, chooses one of several.
"""

import gzip
import json
import pathlib
import re
import sqlite3
import tempfile


class QuoteError(Exception):
    """A document, a table of quotes or a recording is not as it must be; the message says where and how to fix it."""


class Recordings:
    """Files below results/ by the names that a table gives them, each read once. `table` is the table's path, for messages."""

    def __init__(self, root, files, table):
        self.root = root
        self.files = files
        self.table = table
        self.read = {}
        self.folder = tempfile.TemporaryDirectory(prefix="recordings")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for content in self.read.values():
            if isinstance(content, sqlite3.Connection):
                content.close()
        self.folder.cleanup()

    def path(self, name):
        """A file as messages name it."""
        if name not in self.files:
            raise QuoteError(f"{self.table}: 'files' has no '{name}'; there are {', '.join(self.files)}")
        return f"results/{self.files[name]}"

    def get(self, name):
        if name not in self.read:
            path = self.path(name)
            try:
                self.read[name] = self._open(path)
            except (OSError, EOFError, ValueError, sqlite3.Error) as error:
                reason = getattr(error, "strerror", None) or error
                raise QuoteError(f"{path}: cannot be read: {reason}; restore the recording, or name another in {self.table}") from None
        return self.read[name]

    def _open(self, path):
        content = (self.root / path).read_bytes()
        content = gzip.decompress(content) if path.endswith(".gz") else content
        kind = path.removesuffix(".gz").rsplit(".", 1)[-1]
        if kind == "json":
            return json.loads(content)
        if kind != "db":
            return content.decode("utf-8")
        file = pathlib.Path(self.folder.name) / f"{len(self.read)}.db"
        file.write_bytes(content)
        return sqlite3.connect(file)

    def select(self, name, steps):
        """What a path leads to in the JSON of a recording."""
        value, path = self.get(name), self.path(name)
        for step in steps:
            if isinstance(step, dict):
                found = [element for element in value if holds(element, step)] if isinstance(value, list) else []
                if len(found) != 1:
                    raise QuoteError(f"{path}: {len(found)} entries have {json.dumps(step)}, expected one; correct it in {self.table}")
                value = found[0]
            elif isinstance(value, dict) and step in value:
                value = value[step]
            else:
                raise QuoteError(f"{path}: no member '{step}' on the way {json.dumps(steps)}; correct it in {self.table}")
        return value

    def query(self, name, sql):
        database, path = self.get(name), self.path(name)
        try:
            rows = database.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise QuoteError(f"{path}: `{sql}`: {error}; correct it in {self.table}") from None
        if len(rows) != 1 or len(rows[0]) != 1 or rows[0][0] is None:
            raise QuoteError(f"{path}: `{sql}` gives {rows[:3]}, expected one value; correct it in {self.table}")
        return rows[0][0]

    def find(self, name, expression):
        found = re.findall(expression, self.get(name))
        if len(found) != 1:
            raise QuoteError(f"{self.path(name)}: {len(found)} places match `{expression}`, expected one; correct it in {self.table}")
        return found[0]

    def timed_peers(self, name, result):
        """(name, estimate) of the peers that were timed, the fastest first."""
        where = f"{self.path(name)}: '{result['problem_text']}'"
        if not result["ours"] or result["compared"] != "corrected":
            raise QuoteError(f"{where} has no time of ours less its floor; quote another in {self.table}")
        peers = sorted((estimate["median_us"], peer) for peer, estimate in result["peers"].items() if estimate)
        if not peers:
            raise QuoteError(f"{where} has no time of a peer; quote another recording in {self.table}")
        return [(peer, result["peers"][peer]) for _, peer in peers]

    def ratios(self, name):
        """How many times as long as ours the strongest peer takes, of all problems that have a peer."""
        results = [result for result in self.get(name)["results"] if any(result["peers"].values())]
        return [self.timed_peers(name, result)[0][1]["median_us"] / result["ours"]["median_us"] for result in results]

    def _values_in(self, quote, name):
        if "ratio" in quote:
            return self.ratios(name)
        if "sql" in quote:
            return [self.query(name, quote["sql"])]
        return [self.select(name, quote["at"]) if "at" in quote else self.find(name, quote["find"])]

    def value(self, quote):
        """The value that a table quotes, as it is recorded."""
        names = quote["from"] if isinstance(quote["from"], list) else [quote["from"]]
        values = [value for name in names for value in self._values_in(quote, name)]
        pick = {"least": min, "most": max}.get(quote.get("pick"))
        if not values or not pick and len(values) > 1:
            raise QuoteError(f"{self.path(names[0])}: {len(values)} values, expected one; correct `pick` of {json.dumps(quote)} in "
                             f"{self.table}")
        return pick(values) if pick else values[0]


def holds(value, wanted):
    """Whether `value` has all members of `wanted`."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(name in value and holds(value[name], member) for name, member in wanted.items())
    return value == wanted


def first_difference(found, wanted):
    """(line number, found, wanted) of the first line that differs."""
    found, wanted = found.splitlines(), wanted.splitlines()
    number = next((i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), min(len(found), len(wanted)))
    return number + 1, *("".join(lines[number:number + 1]) for lines in (found, wanted))
