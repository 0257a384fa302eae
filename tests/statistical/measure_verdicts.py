"""Measure what the rules and intervals of the verdict do, and write the tables of docs/methods/verdicts.md.

That of races is in docs/methods/corrected-choice.md, and `--races` measures it alone.

    .venv/bin/python -m tests.statistical.measure_verdicts

It takes about half an hour on one core; `--share 0.1` takes a tenth of the data sets.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from threadpoolctl import threadpool_limits

from .baseline_alarms import BALANCED, RARE_NOISE, Alarms, quick_alarms, standard_alarms
from .cross_validations import NEIGHBORS, RIDGE, TREE, TREE_OF_NUMBERS
from .interval_coverage import Coverage
from .methods_pages import PAGES, replace, shown_share, table
from .populations import CLEAN_RULE, FAR_APART, GAUSSIAN, NORMAL_NOISE, RARE, TREE_RULE, Population
from .race_numbers import RACES, RaceNumbers, race_numbers
from .rule_regret import Regret, regrets
from .verdict_coverage import verdict_coverage

PAGE = PAGES / "verdicts.md"
CHOSEN_FROM = (GAUSSIAN, TREE_RULE, RARE)
NEAR_THE_TOP = (FAR_APART, CLEAN_RULE)


def regret_table(found: Sequence[Regret]) -> list[str]:
    """Each rule, with its mean regret over the populations and the share of bad choices."""
    lines = []
    for rule in dict.fromkeys(each.rule for each in found):
        cells = [f"**{rule}**" if rule.endswith("(default)") else rule]
        for n_rows in (100, 500):
            here = [each for each in found if each.rule == rule and each.n_rows == n_rows]
            error = float(np.sqrt(np.mean([each.error**2 for each in here]) / len(here)))
            cells.append(f"{np.mean([each.mean for each in here]):.2f} ± {error:.2f}")
            cells.append(f"{100 * np.mean([each.bad for each in here]):.1f}")
        lines.append(cells)
    heads = ["rule", "regret, n = 100", "> 5 points, %", "regret, n = 500", "> 5 points, %"]
    return table(heads, lines)


def regret_places(found: Sequence[Regret]) -> list[str]:
    """The mean regret of each rule in each place."""
    rules = list(dict.fromkeys(each.rule for each in found))
    lines = []
    for place in dict.fromkeys((each.population, each.n_rows, len(each.losses)) for each in found):
        here = {each.rule: each for each in found if (each.population, each.n_rows) == place[:2]}
        cells = [f"{here[rule].mean:.2f} ± {here[rule].error:.2f}" for rule in rules]
        lines.append([place[0], str(place[1]), str(place[2]), *cells])
    return table(["population", "n", "sets", *rules], lines)


def alarm_table(found: Sequence[Alarms]) -> list[str]:
    """How often noise was said to beat guessing."""
    lines = [
        [
            each.population,
            str(each.n_rows),
            each.plan,
            str(each.n_sets),
            shown_share(each.n_alarms, each.n_sets),
        ]
        for each in found
    ]
    return table(["population", "n", "plan", "sets", "something beats guessing, %"], lines)


def coverage_table(found: Sequence[Coverage]) -> list[str]:
    """Every metric in every place."""
    lines = [
        [
            each.method,
            each.population,
            each.contender,
            str(each.n_rows),
            shown_share(each.n_held, each.n_sets),
        ]
        for each in sorted(found, key=lambda each: each.method)
    ]
    return table(["metric", "population", "learner", "n", "held, %"], lines)


def write_regrets(share: float) -> None:
    """The tables of what the rules lose."""

    def lost(populations: Sequence[Population]) -> list[Regret]:
        return [
            row
            for population in populations
            for n_rows, n_sets in ((100, 150), (500, 50))
            for row in regrets(population, n_rows, int(n_sets * share))
        ]

    usual, near = lost(CHOSEN_FROM), lost(NEAR_THE_TOP)
    replace(PAGE, "regret", regret_table(usual))
    replace(PAGE, "near the top", regret_table(near))
    replace(PAGE, "places", regret_places([*usual, *near]))


def race_table(found: Sequence[RaceNumbers]) -> list[str]:
    """How far the number lies from the true score of the winner, and how often its interval holds it."""
    lines = []
    for each in found:
        n_sets = len(each.too_good)
        lines.append(
            [
                each.race.name,
                each.race.metric,
                str(each.race.n_rows),
                f"{each.own.mean():+.2f}",
                f"{each.too_good.mean():+.2f} ± {each.too_good.std() / np.sqrt(n_sets):.2f}",
                shown_share(int(each.is_held.sum()), n_sets),
            ]
        )
    return table(["race", "metric", "n", "winner's own score", "the number", "its interval holds, %"], lines)


def main() -> None:
    """Measure, then write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--races", action="store_true", help="the table of races alone, five minutes")
    asked = parser.parse_args()
    share = asked.share
    with threadpool_limits(1):
        races = [race_numbers(race, int(1000 * share)) for race in RACES]
    replace(PAGES / "corrected-choice.md", "races", race_table(races))
    if asked.races:
        return
    with threadpool_limits(1):
        covered = [
            row
            for population, contenders in (
                (GAUSSIAN, (TREE, NEIGHBORS)),
                (RARE, (TREE, NEIGHBORS)),
                (NORMAL_NOISE, (RIDGE, TREE_OF_NUMBERS)),
            )
            for contender in contenders
            for n_rows in (50, 200)
            for row in verdict_coverage(contender, population, n_rows, int(300 * share))
        ]
        replace(PAGE, "coverage", coverage_table(covered))
        alarms = [
            *(standard_alarms(each, 100, int(300 * share)) for each in (BALANCED, RARE_NOISE)),
            standard_alarms(BALANCED, 500, int(80 * share)),
            *(quick_alarms(60, int(200 * share), is_balanced) for is_balanced in (True, False)),
            quick_alarms(200, int(100 * share), is_balanced=False),
        ]
        replace(PAGE, "alarms", alarm_table(alarms))
        write_regrets(share)


if __name__ == "__main__":
    main()
