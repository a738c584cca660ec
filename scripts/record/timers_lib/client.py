"""Talks to server.py."""

import json
import pathlib
import subprocess
import sys

from lib.sweeps import MissingModule

SERVER = pathlib.Path(__file__).resolve().parent / "server.py"


class ServerFailed(Exception):
    """The server ended, or a child of it failed at something that everything else depends on."""


class Client:
    """with Client() as client: client.ask({"do": "slopes"})"""

    def __init__(self, command=None):
        self.process = subprocess.Popen(command or [sys.executable, str(SERVER)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        try:
            self._read()
        except (MissingModule, ServerFailed):
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, request):
        """The answer; one with "error" is for the caller to judge. MissingModule when the machine lacks something."""
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # reading says how it ended
        return self._read()

    def must(self, request):
        answer = self.ask(request)
        if "error" in answer:
            raise ServerFailed(f"{request['do']}: {answer['error']}")
        return answer

    def _read(self):
        line = self.process.stdout.readline()
        if not line:
            raise ServerFailed(f"the timing process ended with status {self.process.wait()}")
        answer = json.loads(line)
        if "missing" in answer:
            raise MissingModule(answer["missing"])
        return answer
