"""What folds share is made from all rows, and yet no fold learns anything from rows that it does not have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier

import heldout as ho
from heldout.learners.neighbors import neighbor_lists
from heldout.split.fold import Fold
from heldout.study.cells import shared_work
from heldout.study.cells.cell import run_cell
from heldout.study.cells.cell_entries import cell_entries
from heldout.study.cells.shared_work import share_between_folds
from heldout.study.cells.work import Work
from heldout.study.runners import local

from ..unit.study.made_work import key_of, made_work

METRICS = ["l2", "l1", "linf", "cosine"]
NEAR = ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 4, 9], "metric": METRICS}, prepare=None)
WEIGHED = ho.Contender(
    "weighed", ho.NeighborsClassifier(weights="inverse", feature_weights=[1.0, 3.0, 0.5]), {"k": [2, 7]}, None
)
RESAMPLED = ho.Contender("resampled", ho.NeighborsClassifier(), {"k": [1, 5]}, prepare=None, resample="up")
LINEAR = ho.Contender("linear", ho.Perceptron(), {"epochs": [1, 3]}, prepare=None)
TREE = ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 3]})


class Sharing(DummyClassifier):  # type: ignore[misc]
    """A foreign learner with a parameter of the same name as our method."""

    def __init__(self, share: float = 0.5) -> None:
        super().__init__()
        self.share = share


def made_table(n_rows: int, seed: int, digits: int = 1) -> ho.Table:
    """Rounded numbers, so that many rows are equally far, and two classes that depend on them."""
    draws = np.random.default_rng(seed)
    numbers = draws.normal(size=(n_rows, 3)).round(digits)
    is_high = numbers[:, 0] + draws.normal(scale=0.5, size=n_rows) > 0
    columns = {name: numbers[:, place] for place, name in enumerate("abc")}
    return ho.read_table(columns | {"kind": np.where(is_high, "high", "low")})


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_study_ends_with_the_same_digest_shared_or_not(
    n_jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neighbor lists and the one matrix leave no trace in the results of a whole study, and are there."""
    table, digests, n_requested = made_table(150, seed=1), [], []
    plan = ho.Plan([NEAR, WEIGHED, RESAMPLED, LINEAR, TREE], folds=ho.KFold(3), tuning=ho.KFold(3))
    for fewest in (shared_work.FEWEST_CELLS, 10**9):
        made: list[Work] = []
        monkeypatch.setattr(shared_work, "FEWEST_CELLS", fewest)

        def share_and_note(work: Work, n_cells: int, n_threads: int, made: list[Work] = made) -> None:
            share_between_folds(work, n_cells, n_threads)
            made.append(work)

        monkeypatch.setattr(local, "share_between_folds", share_and_note)
        with ho.Study.create(tmp_path / f"{fewest}.heldout", table, "kind", seed=3) as study:
            study.run(plan, n_jobs=n_jobs, progress=False)
            digests.append(study.results_digest())
        n_requested.append(len(made[0].X.shared))
    assert n_requested == [6, 0]  # a matrix, lists of four metrics, lists with weights of the columns
    assert digests[0] == digests[1]


def with_garbage(work: Work, rows: Any, how: str) -> Work:
    """The work with other values in these rows: near to all others, far away, equal to one, or opposite."""
    columns = []
    for column in work.X.columns:
        values = column.values.copy()
        others = np.delete(values, rows)
        garbage = {"near": others.mean(), "far": 1e150, "equal": others[0], "opposite": -1e-3 * others[-1]}
        values[rows] = garbage[how]
        columns.append(ho.Column(column.name, column.kind, values))
    y = work.y.copy()
    y[rows] = work.classes[0]
    return replace(work, X=ho.Table(columns), y=y, facts=replace(work.facts, y=y))


def learned(work: Work, name: str, fold: Fold) -> Any:
    """What a cell chooses, scores inside and describes; nothing of its test rows."""
    cell = run_cell(work, key_of(work, name, fold))
    return cell.chosen, cell.choice_scores.tobytes(), cell.bits


@settings(max_examples=20)
@given(
    seed=st.integers(0, 10_000),
    digits=st.sampled_from([0, 1, 6]),
    how=st.sampled_from(["near", "far", "equal", "opposite"]),
)
def test_garbage_among_test_rows_changes_nothing(seed: int, digits: int, how: str) -> None:
    """Lists that garbage of every kind stands in give a fold what it would find by itself."""
    task = ho.Task(made_table(60, seed, digits), "kind")
    place = np.arange(60)
    folds = [Fold(0, part, place[place % 3 != part], place[place % 3 == part]) for part in range(3)]
    work = made_work(task, NEAR, LINEAR, folds=folds, tuning=ho.KFold(2), metrics=["accuracy"])
    fold = folds[seed % 3]
    garbage = with_garbage(work, fold.test, how)
    share_between_folds(garbage, n_cells=99)
    assert garbage.X.shared
    for name in ("near", "linear"):
        assert learned(garbage, name, fold) == learned(work, name, fold)


def test_lists_that_are_too_short_are_completed_by_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the test rows are everybody's nearest, lists hold too few of the training rows; answers stay."""
    task = ho.Task(made_table(90, seed=4), "kind")
    place = np.arange(90)
    folds = [Fold(0, part, place[place % 3 == part], place[place % 3 != part]) for part in range(3)]
    work = made_work(task, NEAR, folds=folds, tuning=ho.KFold(2))
    plain = [cell_entries(run_cell(work, key_of(work, "near", fold)))[0] for fold in folds]
    short: list[int] = []
    among = neighbor_lists.NeighborLists.among

    def counted(*given: Any) -> Any:
        found = among(*given)
        short.append(int(found[2].sum()))
        return found

    monkeypatch.setattr(neighbor_lists.NeighborLists, "among", counted)
    share_between_folds(work, n_cells=99)
    for fold, entry in zip(folds, plain, strict=True):
        shared = cell_entries(run_cell(work, key_of(work, "near", fold)))[0]
        assert shared.body["result"] == entry.body["result"]
        for name, array in entry.arrays.items():
            assert shared.arrays[name].tobytes() == array.tobytes()
    assert sum(short) > 0


def test_what_others_call_share_is_left_alone() -> None:
    """A foreign learner with a parameter of that name is no learner that lists neighbors."""
    work = made_work(ho.Task(made_table(30, 1), "kind"), ho.Contender("odd", Sharing(), prepare=None))
    share_between_folds(work, n_cells=99)
    assert work.X.shared == {}


def test_workers_from_nothing_are_not_prepared_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table travels without what is shared, so nothing is made that nobody would have."""
    called: list[Any] = []
    monkeypatch.setattr(local, "share_between_folds", lambda *given: called.append(given))
    monkeypatch.setattr(local.LocalRunner, "_in_processes", lambda *given: iter(()))
    work = made_work(ho.Task(made_table(30, 1), "kind"), NEAR)
    for method, n_calls in (("spawn", 0), ("fork", 1)):
        runner = local.LocalRunner(2, start_method=method)
        runner.start(work)
        assert list(runner.results([key_of(work, "near", fold) for fold in work.folds])) == []
        assert len(called) == n_calls
