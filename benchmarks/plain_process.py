"""Heldout without its wide vectors: it decides once in a process, so this takes a process of its own."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

from benchmarks.problem import Problem
from benchmarks.program import Program, Run

Given = ParamSpec("Given")
Made = TypeVar("Made")

SWITCH = "HELDOUT_PLAIN"
PROCESSOR = Path("/proc/cpuinfo")


class PlainProcess:
    """One process that stays, in which functions run with HELDOUT_PLAIN=1."""

    def __init__(self) -> None:
        self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))

    def call(self, function: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> Made:
        """Call a function of a module there; what it is given and returns is copied."""
        with _switched():
            return self._pool.submit(function, *given, **named).result()


class PlainTwin(Program):
    """The same program with plain vectors."""

    def __init__(self, twin: Program) -> None:
        self.twin = twin
        self.name = plain_name(twin.name)
        self._process = PlainProcess()

    def missing(self) -> str | None:
        return None if has_wide_vectors() else "this processor has no wide vectors: Heldout is plain anyway"

    def run(self, problem: Problem, n_threads: int, is_judged: bool) -> Run:
        return self._process.call(self.twin.run, problem, n_threads, is_judged)


def plain_name(name: str) -> str:
    """What a program is called where it runs without wide vectors."""
    return f"{name} (plain)"


def has_wide_vectors() -> bool:
    """Whether Heldout uses them in this process, by the rule of native/core/base/processor.cpp."""
    if os.environ.get(SWITCH, "0") not in ("", "0") or not PROCESSOR.exists():
        return False
    flags = next((line for line in PROCESSOR.read_text().splitlines() if line.startswith("flags")), "")
    return {"avx512f", "avx512dq", "avx512bw", "avx512vl"} <= set(flags.split())


@contextmanager
def _switched() -> Iterator[None]:
    """The process starts with the first call, and takes the environment of that moment."""
    before = os.environ.get(SWITCH)
    os.environ[SWITCH] = "1"
    try:
        yield
    finally:
        os.environ.pop(SWITCH)
        if before is not None:
            os.environ[SWITCH] = before
