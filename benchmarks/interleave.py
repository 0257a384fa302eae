"""Programs take turns, round after round, so that a drifting machine drifts for all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from math import inf

from benchmarks.outcome import Entry
from benchmarks.problem import Problem, missing_problem, mixed_problem, numbers_problem
from benchmarks.program import GaveUpError, Program, Run, clocked


def interleaved_fits(
    programs: Sequence[Program], problem: Problem, n_threads: int, n_rounds: int, patience_seconds: float = 60
) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Fit with each program in turn; return what each took, and why others are missing.

    A program whose rounds together took longer than the patience sits out the remaining ones.
    One thread is measured in CPU seconds, several in seconds on the wall.
    """
    reasons = {program.name: program.missing() for program in programs}
    present = [program for program in programs if reasons[program.name] is None]
    for program in present:
        program.run(_small_like(problem), n_threads, False)
    runs: dict[str, list[Run]] = {program.name: [] for program in present}
    for round_index in range(n_rounds):
        for program in present:
            before = runs[program.name]
            if sum(run.wall_seconds for run in before) > patience_seconds:
                continue
            if reasons[program.name] is not None:
                continue
            try:
                before.append(program.run(problem, n_threads, round_index == 0))
            except GaveUpError as reason:
                reasons[program.name] = str(reason)
                continue
            _tell(program.name, before[-1])
    entries = tuple(_entry(name, made, n_threads) for name, made in runs.items() if made)
    return entries, tuple(f"{name} is left out: {reason}" for name, reason in reasons.items() if reason)


def interleaved_work(
    work: Mapping[str, Callable[[], object]],
    n_rounds: int,
    counts_cpu: bool = False,
    patience_seconds: float = inf,
) -> dict[str, tuple[float, ...]]:
    """Do each piece of work in turn, once untimed; return the seconds by round, on the wall or of the CPU.

    Work whose rounds together took longer than the patience sits out the remaining ones.
    """
    for piece in work.values():
        piece()
    seconds: dict[str, list[float]] = {name: [] for name in work}
    spent = dict.fromkeys(work, 0.0)
    for _ in range(n_rounds):
        for name, piece in work.items():
            if spent[name] > patience_seconds:
                continue
            _, wall, cpu = clocked(piece)
            spent[name] += wall
            seconds[name].append(cpu if counts_cpu else wall)
    return {name: tuple(rounds) for name, rounds in seconds.items()}


def _small_like(problem: Problem) -> Problem:
    """A little problem of the same form: what a program loads at first use is not on the clock."""
    if problem.has_missing:
        return missing_problem.__wrapped__(2_000)
    if problem.has_categories:
        return mixed_problem.__wrapped__(2_000)
    return numbers_problem.__wrapped__(1_000, problem.X.shape[1], problem.is_regression)


def _entry(name: str, runs: Sequence[Run], n_threads: int) -> Entry:
    seconds = tuple(run.cpu_seconds if n_threads == 1 else run.wall_seconds for run in runs)
    return Entry(name, seconds, runs[0].score, runs[0].n_leaves)


def _tell(name: str, run: Run) -> None:
    print(f"  … {name}: {run.wall_seconds:.3f} s, CPU {run.cpu_seconds:.3f} s", file=sys.stderr, flush=True)
