"""A script: writers append to one study file, are killed again and again, and tell what was acknowledged.

usage: ledger_writers.py STUDY WRITERS KILLS SEED

Writers are forked from this process, which never opens the file itself, so that a new one starts at once.
Each appends a cell with an array and a score in one transaction, then writes the cell's key to a file: from
then on it counts as acknowledged. Now and then it closes and opens the file. A reader verifies all the while.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

import numpy as np

from heldout.ledger.fact import Entry
from heldout.ledger.ledger import Ledger

STEPS_BEFORE_CLOSING = 5


def write(study: Path, acknowledged: Path, life: str) -> NoReturn:
    """Appends until it is killed."""
    told = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    ledger = Ledger.open(study, timeout=60)
    number = 0
    while True:
        key = f"{life}:{number}:p"
        cell = Entry("cell", key, {"result": {"number": number}}, {"values": np.full(300, number)})
        ledger.append([cell, Entry("score", f"{key}:accuracy", {"metric": "accuracy", "value": 0.5})])
        os.write(told, f"{key}\n".encode())
        number += 1
        if number % STEPS_BEFORE_CLOSING == 0:
            ledger.close()
            ledger = Ledger.open(study, timeout=60)


def read(study: Path, complaints: Path) -> NoReturn:
    """Verifies until it is killed, and writes down what it does not like."""
    while True:
        try:
            with Ledger.open(study, query_only=True, timeout=60) as ledger:
                problems = list(ledger.verify().problems)
        except Exception as error:
            problems = [repr(error)]
        if problems:
            complaints.write_text("\n".join(problems), "utf-8")
            os._exit(1)


def started(work: object, *arguments: object) -> int:
    """The number of a forked process that does the work."""
    process = os.fork()
    if process == 0:
        try:
            work(*arguments)  # type: ignore[operator]
        except BaseException as error:
            sys.stderr.write(f"{error!r}\n")
        os._exit(1)
    return process


def kill(process: int) -> int:
    """Ends a process at once; tells by which signal it went."""
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def main(study: Path, n_writers: int, n_kills: int, seed: int) -> None:
    """Starts, kills and starts again; prints how many were killed while they were at work."""
    drawn = random.Random(seed)
    acknowledged, complaints = study.with_suffix(".acknowledged"), study.with_suffix(".complaints")
    reader = started(read, study, complaints)
    writers = [started(write, study, acknowledged, f"{place}.0") for place in range(n_writers)]
    n_killed = 0
    for turn in range(1, n_kills + 1):
        for place in drawn.sample(range(n_writers), n_writers):
            time.sleep(drawn.uniform(0, 0.05))
            n_killed += kill(writers[place]) == signal.SIGKILL
            if turn < n_kills:
                writers[place] = started(write, study, acknowledged, f"{place}.{turn}")
    is_reader_well = kill(reader) == signal.SIGKILL and not complaints.exists()
    said = complaints.read_text("utf-8") if complaints.exists() else ""
    print(json.dumps({"n_killed": n_killed, "is_reader_well": is_reader_well, "complaints": said}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:5]))
