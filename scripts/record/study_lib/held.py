"""Sweeps of held problems, and their results in the database."""

import contextlib
import json
import pathlib
import sqlite3
import subprocess
import tempfile

from lib.sweeps import UserError


class ProgramFailed(Exception):
    """A program that is needed is missing or failed; the message holds its output."""


def run(command):
    """The standard output of a command. ProgramFailed when it cannot be started or does not end with 0."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ProgramFailed(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        raise ProgramFailed(f"{' '.join(str(word) for word in command)}: exit code {done.returncode}\n{done.stderr.strip()}")
    return done.stdout


def sweep(config, options, extra=()):
    """Screens every configuration and ranks the best: of hundreds of screened times the least is also the luckiest."""
    command = [options.program, "sweep", config, "--db", options.held_db, "--device", options.device, "--quiet", "--json", *extra]
    if options.no_ranking and "--no-ranking" not in extra:
        command.append("--no-ranking")
    if options.kernels:
        command += ["--kernels", options.kernels]
    run(command)


def time_picks(kernel, missing, options):
    """Times each pick alone on its problem, without the sweep's constraints."""
    with tempfile.TemporaryDirectory() as folder:
        for number, (board, pick) in enumerate(missing):
            config = pathlib.Path(folder) / f"pick{number}.yaml"
            space = {"variant": pick["variant"], **pick["parameters"]}
            # JSON is YAML; texts are quoted, and numbers stay numbers.
            config.write_text(json.dumps({"kernel": kernel, "problems": [board["problem"]], "emulated": [board["problem"]],
                                          "space": space}), encoding="utf-8")
            sweep(config, options, ["--no-screening", "--no-ranking"])


def read_boards(database, kernel):
    """One of each held problem, in the order swept, with the times of the final ranking where there is one: {kernel, problem,
    problem_text, device, arch, modelled, protocol, times: {configuration: us}, at_least: {configuration: us}}."""
    if not pathlib.Path(database).is_file():
        raise UserError(f"{database}: no such file; run without --skip-sweep to make it")
    with contextlib.closing(sqlite3.connect(f"{pathlib.Path(database).resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        boards = {}
        try:
            rows = connection.execute(
                "SELECT s.problem, s.problem_json, s.device, s.arch, s.modelled, s.board_protocol, s.configuration, l.median_us, "
                "s.at_least_us FROM v_standing s LEFT JOIN v_leaderboard l ON l.trial = s.trial "
                "WHERE s.kernel = ? AND s.status IN ('ok', 'pruned') ORDER BY s.trial", (kernel,)).fetchall()
        except sqlite3.DatabaseError as error:
            raise UserError(f"{database}: {error}; expected a database that `warpwright sweep --db` wrote") from None
        for row in rows:
            board = boards.setdefault((row["problem"], row["device"], row["board_protocol"]), {
                "kernel": kernel, "problem": json.loads(row["problem_json"]), "problem_text": row["problem"],
                "device": row["device"], "arch": row["arch"], "modelled": bool(row["modelled"]),
                "protocol": row["board_protocol"], "times": {}, "at_least": {}})
            if row["median_us"] is not None:
                board["times"][row["configuration"]] = row["median_us"]
            elif row["at_least_us"] is not None:
                board["at_least"][row["configuration"]] = row["at_least_us"]
    return [board for board in boards.values() if board["times"]]
