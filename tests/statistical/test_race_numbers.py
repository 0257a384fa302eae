"""The number of a verdict is the true score of the winner that it names, where contenders really differ.

The bounds are those that docs/methods/corrected-choice.md promises, with a thousand sets each.
"""

from __future__ import annotations

from functools import cache

import pytest

from .race_numbers import NEAR_GUESSING, RACES, RaceNumbers, RaceOf, race_numbers

N_SETS = 1000
MOST_POINTS, MOST_PERCENT = 0.5, {"mse": 1.0, "rmse": 0.5}
# One race in 25 passes the baseline gate, by luck that no resample can see: 0.8% were measured.
MOST_NEAR_GUESSING = 1.2


@cache
def measured(race: RaceOf) -> RaceNumbers:
    return race_numbers(race, N_SETS)


def called(race: RaceOf) -> str:
    return f"{race.name}, {race.metric}, {race.n_rows}"


@pytest.mark.parametrize("race", RACES, ids=called)
def test_the_number_is_the_winners_on_average(race: RaceOf) -> None:
    """The mean of number minus true score is within half a point, 1% of an MSE, half of that of its root."""
    most = MOST_PERCENT.get(race.metric, MOST_POINTS)
    if race == NEAR_GUESSING:
        most = MOST_NEAR_GUESSING
    assert abs(measured(race).too_good.mean()) <= most


@pytest.mark.parametrize("race", RACES, ids=called)
def test_the_interval_holds_the_winners_score(race: RaceOf) -> None:
    """At least 94% of the intervals hold the true score of the winner that they stand beside."""
    assert measured(race).is_held.mean() >= 0.94


@pytest.mark.parametrize("race", RACES, ids=called)
def test_the_number_stays_on_its_side(race: RaceOf) -> None:
    """Never better than the winner's own score, which the interval holds; no end at the edge of the range."""
    assert not measured(race).is_broken.any()


def test_the_own_score_of_a_winner_is_too_good() -> None:
    """Of six ties with 100 rows the winner's own score promises more than two points too much."""
    ties = next(race for race in RACES if race.name == "six ties" and race.n_rows == 100)
    assert measured(ties).own.mean() > 2
