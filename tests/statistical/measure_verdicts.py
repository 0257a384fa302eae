"""Measure what the rules and intervals of the verdict do, and write the tables of docs/methods/verdicts.md.

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
from .populations import GAUSSIAN, NORMAL_NOISE, RARE, TREE_RULE
from .rule_regret import Regret, regrets
from .verdict_coverage import verdict_coverage

PAGE = PAGES / "verdicts.md"
CHOSEN_FROM = (GAUSSIAN, TREE_RULE, RARE)


def regret_table(found: Sequence[Regret]) -> list[str]:
    """Each rule, with its mean regret over the populations and the share of bad choices."""
    lines = []
    for rule in dict.fromkeys(each.rule for each in found):
        cells = [f"**{rule}**" if "default)" in rule else rule]
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


def main() -> None:
    """Measure, then write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    share = parser.parse_args().share
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
        lost = [
            row
            for population in CHOSEN_FROM
            for n_rows, n_sets in ((100, 400), (500, 150))
            for row in regrets(population, n_rows, int(n_sets * share))
        ]
    replace(PAGE, "regret", regret_table(lost))
    replace(PAGE, "places", regret_places(lost))


if __name__ == "__main__":
    main()
