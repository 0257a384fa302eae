"""One try at a cell: results pass, errors become words, global streams are the cell's own."""

from __future__ import annotations

import random

import numpy as np
import pytest

from heldout.errors import RequestError
from heldout.study.cells.cell import CellKey, CellResult
from heldout.study.cells.work import Work
from heldout.study.runners.attempt import attempt, failure_of
from heldout.study.runners.runner import CellFailure

from .made_cells import behaving, keys_of, made_result, made_work

WORK = made_work("tree")
KEY = keys_of(WORK, "tree")[0]


def raised_by(error: BaseException) -> CellFailure:
    def fail(key: CellKey) -> None:
        raise error

    outcome = attempt(behaving(tree=fail), WORK, KEY)
    assert isinstance(outcome, CellFailure)
    return outcome


def test_a_result_is_handed_on() -> None:
    """What a cell gives comes out as it is."""
    outcome = attempt(made_result, WORK, KEY)
    assert isinstance(outcome, CellResult)
    assert outcome.scores == made_result(WORK, KEY).scores


def test_an_error_keeps_its_type_its_message_and_its_last_lines() -> None:
    """A learner's error is told by type and message, with the lines that led to it."""
    failure = raised_by(ZeroDivisionError("no rows left"))
    assert failure.error == "ZeroDivisionError: no rows left"
    assert failure.lines[-1] == "ZeroDivisionError: no rows left"
    assert any("raise error" in line for line in failure.lines)
    assert (failure.key, failure.attempts, failure.is_crash) == (KEY, 1, False)


def test_an_error_of_ours_shows_the_lines_of_its_cause() -> None:
    """Where we say of a learner's error where it was, the lines are still those of the learner."""
    try:
        try:
            raise KeyError("age")
        except KeyError as cause:
            raise RequestError("a learner failed: KeyError: 'age'", "contender 'tree'", "see why") from cause
    except RequestError as error:
        failure = failure_of(error, KEY)
    assert failure.error == "a learner failed: KeyError: 'age'. contender 'tree'"
    assert failure.lines[-1] == "KeyError: 'age'"


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), MemoryError()])
def test_a_learner_cannot_end_the_run(error: BaseException) -> None:
    """Whatever a learner raises, even what would end Python, is a failure of its cell alone."""
    assert raised_by(error).error.startswith(type(error).__name__)


def test_an_error_that_cannot_be_printed_is_told_by_its_type() -> None:
    """An error whose message raises itself does no harm."""

    class OddError(Exception):
        def __str__(self) -> str:
            raise ValueError("no words")

    assert raised_by(OddError()).error == "OddError"


def test_endless_messages_are_cut() -> None:
    """A message of a million letters does not fill the study file."""
    failure = raised_by(ValueError("long " * 200_000))
    assert len(failure.error) <= 2000
    assert raised_by(RecursionError("deep " * 9)).error.startswith("RecursionError: deep")


def test_ctrl_c_is_no_failure() -> None:
    """KeyboardInterrupt goes through: it is the user's and not the learner's."""
    with pytest.raises(KeyboardInterrupt):
        raised_by(KeyboardInterrupt())


def test_global_streams_follow_from_the_cell_and_are_given_back() -> None:
    """A learner that draws from the global streams draws by its cell, and the user's streams do not move."""
    drawn: list[tuple[float, float]] = []

    def draw(key: CellKey) -> None:
        drawn.append((float(np.random.random()), random.random()))  # noqa: NPY002

    first, second = keys_of(WORK, "tree")[:2]
    before = np.random.get_state()[1].tolist(), random.getstate()  # type: ignore[union-attr, index]  # noqa: NPY002
    for key in (first, second, first):
        attempt(behaving(tree=draw), WORK, key)
    assert drawn[0] == drawn[2] != drawn[1]
    after = np.random.get_state()[1].tolist(), random.getstate()  # type: ignore[union-attr, index]  # noqa: NPY002
    assert before == after


def test_another_seed_gives_other_draws() -> None:
    """The seed of the plan is part of what a learner draws by."""
    from dataclasses import replace

    drawn: list[float] = []

    def run(work: Work, key: CellKey) -> CellResult:
        drawn.append(random.random())
        return made_result(work, key)

    other = replace(WORK.resolved, plan=WORK.resolved.plan.with_changes(seed=2))
    attempt(run, WORK, KEY)
    attempt(run, replace(WORK, resolved=other), KEY)
    assert drawn[0] != drawn[1]
