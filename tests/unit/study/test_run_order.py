"""The order of cells: everybody early, nothing long at the end, and every cell once."""

from __future__ import annotations

from collections.abc import Sequence
from operator import length_hint

from hypothesis import given
from hypothesis import strategies as st

from heldout.study.cells.cell import CellKey
from heldout.study.runs.run_plan import CellQueue


def made_cells(names: Sequence[str], n_folds: int) -> list[CellKey]:
    return [CellKey(name, 0, fold, f"{name}:{fold}") for fold in range(n_folds) for name in names]


def simulated(seconds: dict[str, float], n_folds: int, n_workers: int) -> tuple[list[CellKey], float]:
    """The order in which cells are taken, and when the last worker is done, if cells take so long."""
    queue = CellQueue(made_cells(list(seconds), n_folds), n_workers)
    order: list[CellKey] = []
    ends: list[tuple[float, int, CellKey]] = []
    now = 0.0
    while True:
        while len(ends) < n_workers and (key := next(queue, None)) is not None:
            order.append(key)
            ends.append((now + seconds[key.contender], len(order), key))
        if not ends:
            return order, now
        ends.sort()
        now, _, done = ends.pop(0)
        queue.is_done(done.contender, seconds[done.contender])


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0.001, 100), min_size=1),
    st.integers(1, 12),
    st.integers(1, 4),
)
def test_every_cell_comes_once_and_the_folds_of_a_contender_in_order(
    seconds: dict[str, float], n_folds: int, n_workers: int
) -> None:
    """Whatever cells take, each is handed out once, and no contender skips a fold."""
    order, _ = simulated(seconds, n_folds, n_workers)
    assert sorted(key.text for key in order) == sorted(key.text for key in made_cells(list(seconds), n_folds))
    for name in seconds:
        assert [key.fold for key in order if key.contender == name] == list(range(n_folds))


@given(st.dictionaries(st.sampled_from("abcdef"), st.floats(0.001, 100), min_size=1), st.integers(2, 12))
def test_everybody_has_a_first_result_early(seconds: dict[str, float], n_folds: int) -> None:
    """No contender gets a third cell before all have had their first."""
    order, _ = simulated(seconds, n_folds, n_workers=2)
    firsts = [next(place for place, key in enumerate(order) if key.contender == name) for name in seconds]
    early = [key.contender for key in order[: max(firsts)]]
    assert all(early.count(name) <= 2 for name in seconds)


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0.001, 100), min_size=2),
    st.integers(5, 12),
    st.integers(2, 4),
)
def test_workers_end_together(seconds: dict[str, float], n_folds: int, n_workers: int) -> None:
    """The last worker is done at most one longest cell after the best that could be."""
    _, end = simulated(seconds, n_folds, n_workers)
    total = sum(seconds.values()) * n_folds
    assert end <= total / n_workers + max(seconds.values()) * (1 - 1 / n_workers) + 1e-9


def test_the_longest_are_not_last() -> None:
    """With one contender that takes a hundred times as long, its cells end in the last stretch, not after."""
    order, end = simulated({"tree": 0.1, "baseline": 0.01, "forest": 10.0}, 10, 2)
    assert [key.contender for key in order[-10:]].count("forest") == 0
    assert end <= 50.0 + 1.2


def test_a_failed_cell_teaches_nothing_but_is_no_longer_waited_for() -> None:
    """Without seconds nothing is known of the time left; a failure takes its cell out of it."""
    queue = CellQueue(made_cells(["tree"], 2), 1)
    assert (length_hint(queue), queue.seconds_left()) == (2, None)
    next(queue)
    queue.is_done("tree", None)
    assert queue.seconds_left() is None
    next(queue)
    assert queue.seconds_left() is None
    queue.is_done("tree", 3.0)
    assert (length_hint(queue), queue.seconds_left()) == (0, 0.0)


def test_the_time_left_counts_what_is_left_and_what_is_running() -> None:
    """Two workers share what is left; the longest cell is the least it can take."""
    queue = CellQueue(made_cells(["tree", "forest"], 3), 2)
    next(queue), next(queue)
    queue.is_done("tree", 1.0)
    queue.is_done("forest", 5.0)
    assert queue.seconds_left() == (2 * 1.0 + 2 * 5.0) / 2
    next(queue)
    assert queue.seconds_left() == (2 * 1.0 + 2 * 5.0) / 2
