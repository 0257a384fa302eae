"""Rows of all sorts for property tests: classes or amounts, with and without groups and times."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from heldout.errors import DataError
from heldout.split import Fold, RowFacts, SealedSplit, Split, seal_rows


@st.composite
def some_facts(
    draw: st.DrawFn,
    with_groups: bool | None = None,
    with_time: bool | None = None,
    kind: str | None = None,
) -> RowFacts:
    """12 to 80 rows of at least 6 groups and 8 times; None leaves it to chance whether they have any."""
    n_rows = draw(st.integers(12, 80))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = kind or draw(st.sampled_from(["classification", "regression"]))
    y = generator.integers(draw(st.integers(1, 6)), size=n_rows).astype(float)
    if kind == "regression":
        y = np.where(generator.random(n_rows) < 0.3, y, generator.normal(size=n_rows))
    groups: np.ndarray | None = None
    time: np.ndarray | None = None
    if draw(st.booleans()) if with_groups is None else with_groups:
        groups = generator.integers(draw(st.integers(1, 40)), size=n_rows)
        groups[:6] = np.arange(6)
        groups = np.array([f"{'bad'[number % 3]}{number}" for number in generator.permutation(groups)])
    if draw(st.booleans()) if with_time is None else with_time:
        time = generator.integers(draw(st.integers(1, 60)), size=n_rows)
        time[:8] = np.arange(8)
        time = generator.permutation(time) / 4
    return RowFacts(y, kind, groups, time)


def folds_or_none(split: Split, facts: RowFacts, seed: int) -> tuple[Fold, ...]:
    """The folds; none where groups and time together leave nothing to learn from."""
    try:
        return split.folds(facts, seed=seed)
    except DataError as error:
        if facts.groups is None or facts.time is None or "groups and time together" not in error.what:
            raise
        return ()


def seal_or_none(facts: RowFacts, held: float, seed: int) -> SealedSplit | None:
    """The seal; None where groups and time together leave nothing to learn from."""
    try:
        return seal_rows(facts, held, seed)
    except DataError as error:
        if facts.groups is None or facts.time is None or "groups and time together" not in error.what:
            raise
        return None


def parts_of(fold: Fold) -> list[np.ndarray]:
    """The parts of a fold that exist."""
    return [rows for rows in (fold.train, fold.validation, fold.test) if rows is not None]


def assert_sound(folds: tuple[Fold, ...], facts: RowFacts) -> None:
    """Parts are ascending, not empty, without common rows or groups, and later parts are later in time."""
    for fold in folds:
        for rows in parts_of(fold):
            assert rows.dtype == np.intp
            assert len(rows) > 0
            assert (np.diff(rows) > 0).all()
            assert rows[0] >= 0
            assert rows[-1] < facts.n_rows
        for place, earlier in enumerate(parts_of(fold)):
            for later in parts_of(fold)[place + 1 :]:
                assert not set(earlier.tolist()) & set(later.tolist())
                if facts.groups is not None:
                    assert not set(facts.groups[earlier].tolist()) & set(facts.groups[later].tolist())
                if facts.time is not None:
                    assert facts.time[earlier].max() < facts.time[later].min()
