"""Time of forests to answer for 100,000 rows with 100 trees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.accelerated import accelerated
from benchmarks.forest_programs import HeldoutForest, IntelexForest, ScikitLearnForest
from benchmarks.forest_rows import ACCURACY_SLACK, shown_apart, wide_and_plain_goals
from benchmarks.outcome import OURS, Entry, Outcome, score_goal
from benchmarks.plain_process import PlainProcess, has_wide_vectors, plain_name
from benchmarks.problem import Numbers, Problem, numbers_problem
from benchmarks.program import Run, clocked, judged
from benchmarks.ranger_program import Ranger
from benchmarks.ydf_forest import YdfForest
from benchmarks.ydf_program import columns_of, silent_ydf

N_TREES = 100
N_NEW_ROWS = 100_000
N_ROUNDS = 7
PATIENCE_SECONDS = 3
Work = dict[str, Callable[[], Run]]


def forest_predict() -> Outcome:
    """One thread."""
    return _predict_outcome(numbers_problem(10_000, 20), N_NEW_ROWS, 1)


def forest_predict_2_threads() -> Outcome:
    """Two threads."""
    return _predict_outcome(numbers_problem(10_000, 20), N_NEW_ROWS, 2)


def _predict_outcome(problem: Problem, n_new_rows: int, n_threads: int) -> Outcome:
    """All start from the same float64 array; with "(own form)" the conversion is not on the clock."""
    n_copies = -(-n_new_rows // len(problem.X_test))
    X = np.random.default_rng(3).permutation(np.tile(problem.X_test, (n_copies, 1))[:n_new_rows])
    work, scores, notes = _askers(problem, X, n_threads)
    runs: dict[str, list[Run]] = {name: [] for name in work}
    for round_index in range(N_ROUNDS + 1):
        for name, ask in work.items():
            if sum(run.wall_seconds for run in runs[name]) > PATIENCE_SECONDS:
                continue
            run = ask()
            if round_index:
                runs[name].append(run)
    ranger = Ranger(N_TREES)
    reason = ranger.missing()
    if reason is None:
        grown, asked = ranger.grown_and_asked(problem, n_threads, X, N_ROUNDS)
        runs[ranger.name], scores[ranger.name] = list(asked), grown.score
    else:
        notes.append(f"ranger is left out: {reason}")
    entries = shown_apart(
        tuple(
            Entry(name, _seconds(rounds, n_threads), scores[name], is_shown_only="own form" in name)
            for name, rounds in runs.items()
        )
    )
    clock = "CPU seconds, 1 thread" if n_threads == 1 else f"seconds on the wall, {n_threads} threads"
    title = f"forest of {N_TREES} trees answers for {len(X):,} x {X.shape[1]} numbers"
    goals = (*wide_and_plain_goals(entries, {}, 1.8, 1), score_goal(entries, ACCURACY_SLACK))
    return Outcome(title, clock, entries, goals, tuple(notes))


def _askers(problem: Problem, X: Numbers, n_threads: int) -> tuple[Work, dict[str, float | None], list[str]]:
    """What each program does for one round, its accuracy, and why others don't take part."""
    work: Work = {}
    scores: dict[str, float | None] = {}
    notes = []
    for prepare in (_heldout, _plain, _sklearn, _intelex, _ydf):
        try:
            pieces, score = prepare(problem, X, n_threads)
        except ImportError as failure:
            notes.append(f"left out: {failure}")
            continue
        work |= pieces
        scores |= dict.fromkeys(pieces, score)
    return work, scores, notes


def _heldout(problem: Problem, X: Numbers, n_threads: int) -> tuple[Work, float]:
    program = HeldoutForest(N_TREES)
    model = program.prepare(problem, n_threads)()
    return {OURS: lambda: _run(lambda: model.predict(X))}, program.score(model, problem)


def _plain(problem: Problem, X: Numbers, n_threads: int) -> tuple[Work, float]:
    if not has_wide_vectors():
        return {}, 0.0
    process = PlainProcess()
    score = process.call(_grow_here, problem, X, n_threads)
    return {plain_name(OURS): lambda: process.call(_ask_here)}, score


_here: dict[str, Any] = {}


def _grow_here(problem: Problem, X: Numbers, n_threads: int) -> float:
    """Keep a forest and the new rows in this process, the plain one."""
    work, score = _heldout(problem, X, n_threads)
    _here["ask"] = work[OURS]
    return score


def _ask_here() -> Run:
    run: Run = _here["ask"]()
    return run


def _sklearn(problem: Problem, X: Numbers, n_threads: int) -> tuple[Work, float]:
    program = ScikitLearnForest(N_TREES)
    model = program.prepare(problem, n_threads)()
    own = X.astype(np.float32)
    work = {
        program.name: lambda: _run(lambda: model.predict(X)),
        f"{program.name} (own form)": lambda: _run(lambda: model.predict(own)),
    }
    return work, program.score(model, problem)


def _intelex(problem: Problem, X: Numbers, n_threads: int) -> tuple[Work, float]:
    """oneDAL computes in the type that it is given: float64, and float32 as its own form."""
    program = IntelexForest(N_TREES)
    with accelerated():
        model = program.learner()(N_TREES, n_jobs=n_threads, random_state=0).fit(problem.X, problem.y)
        model.predict(X)
    model_32 = program.prepare(problem, n_threads)()
    own = X.astype(np.float32)
    work = {
        program.name: lambda: _run(lambda: model.predict(X)),
        f"{program.name} (own form)": lambda: _run(lambda: model_32.predict(own)),
    }
    return work, judged(model.predict(problem.X_test), problem)


def _ydf(problem: Problem, X: Numbers, n_threads: int) -> tuple[Work, float]:
    program = YdfForest(N_TREES)
    model = program.prepare(problem, n_threads)()
    inputs = columns_of(X, problem)
    own = silent_ydf().create_vertical_dataset(
        inputs, data_spec=model.data_spec(), required_columns=list(inputs)
    )
    work = {
        "ydf": lambda: _run(lambda: model.predict(columns_of(X, problem), num_threads=n_threads)),
        "ydf (own form)": lambda: _run(lambda: model.predict(own, num_threads=n_threads)),
    }
    return work, program.score(model, problem)


def _run(work: Callable[[], Any]) -> Run:
    _, wall, cpu = clocked(work)
    return Run(wall, cpu)


def _seconds(runs: list[Run], n_threads: int) -> tuple[float, ...]:
    return tuple(run.cpu_seconds if n_threads == 1 else run.wall_seconds for run in runs)
