"""Measure what whole studies do, and write the tables of docs/methods/studies.md.

    .venv/bin/python -m tests.statistical.measure_studies

It takes about a quarter of an hour on one core; `--share 0.1` takes a tenth of the data sets.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence

from threadpoolctl import threadpool_limits

import heldout as ho

from .grouped_studies import RIDGE, STUMP, GroupedCoverage, grouped_coverage
from .methods_pages import PAGES, replace, shown_share, table
from .noise_studies import Numbers, VerdictNoise, nested_noise, verdict_noise
from .seal_looks import (
    ACCURACY,
    AUC,
    BALANCED,
    F1,
    GROUPED,
    SURE,
    Judged,
    SealCoverage,
    attacked,
    fixed_beforehand,
)

PAGE = PAGES / "studies.md"
NEIGHBORS = ho.Contender("neighbors", ho.NeighborsClassifier(), {"k": list(range(1, 41))}, prepare=None)
EPOCHS = ho.Contender("perceptron", ho.Perceptron(), {"epochs": list(range(1, 41))}, prepare=None)


def shown_mean(values: Numbers) -> str:
    """A mean with its standard error.

    >>> import numpy as np
    >>> shown_mean(np.array([0.4, 0.6, 0.5, 0.5]))
    '.500 ± .041'
    """
    error = values.std(ddof=1) / math.sqrt(len(values))
    return f"{values.mean():.3f} ± {error:.3f}".replace("0.", ".")


def nested_lines(share: float) -> list[str]:
    """The nested estimate of 40 settings beside the best inner score."""
    places = [
        ("40 settings of neighbors", 60, 5, 4, 2_000, None, True),
        ("k = 1..40", 60, 10, 5, 2_000, NEIGHBORS, True),
        ("40 numbers of epochs", 60, 5, 4, 2_000, EPOCHS, True),
        ("k = 1..40", 200, 10, 5, 400, NEIGHBORS, True),
        ("k = 1..40, labels drawn at random", 60, 10, 5, 1_000, NEIGHBORS, False),
    ]
    lines = []
    for name, n_rows, k, inner, n_sets, contender, is_balanced in places:
        asked = {} if contender is None else {"contender": contender}
        folds, tuning = ho.KFold(k), ho.KFold(inner)
        n_made = max(int(n_sets * share), 3)
        found = nested_noise(n_made, n_rows, folds, tuning, is_balanced=is_balanced, **asked)
        shown = [shown_mean(found.nested), f"{found.nested.std(ddof=1):.3f}"[1:], shown_mean(found.inner)]
        lines.append([name, str(n_rows), f"{k} × {inner}", f"{n_made:,}", *shown])
    heads = ["tried", "rows", "folds", "sets", "nested estimate", "its scatter", "best inner score"]
    return table(heads, lines)


def verdict_lines(found: Sequence[VerdictNoise]) -> list[str]:
    """The verdict's number beside the scores that it is corrected from."""
    lines = [
        [
            str(each.n_open),
            str(len(each.default)),
            shown_mean(each.default),
            shown_mean(each.best_mean),
            shown_share(each.n_sure, len(each.default)),
            shown_mean(each.best),
            shown_mean(each.inner),
            str(each.n_winners),
        ]
        for each in found
    ]
    heads = [
        "open rows",
        "studies",
        "verdict's number",
        "number under BestMean",
        "its interval holds ½, %",
        "best nested score",
        "best inner score",
        "beat guessing",
    ]
    return table(heads, lines)


def seal_lines(found: Sequence[SealCoverage], is_attack: bool) -> list[str]:
    """How often each interval held the truth after so many looks."""
    lines = []
    for each in found:
        shares = [shown_share(n, each.n_sets) for n in (each.n_adaptive, each.n_shared)]
        if not is_attack:
            shares.append(shown_share(each.n_recorded, each.n_sets))
        start = [each.metric, str(each.n_rows), str(each.n_looks), str(each.n_sets)]
        lines.append([*start, *shares, f"{each.score:.3f}", f"{each.width:.2f}"])
    heads = ["judged", "held rows", "looks", "sets", "by bits, %", "at α / looks, %"]
    more = ["score", "width by bits"] if is_attack else ["at α / its own look, %", "score", "width by bits"]
    return table([*heads, *more], lines)


def grouped_lines(found: Sequence[GroupedCoverage]) -> list[str]:
    """Coverage with groups declared, and with the same answers judged row by row."""
    lines = [
        [
            each.metric,
            each.learner,
            f"{each.n_groups} of {each.n_each}",
            str(each.n_sets),
            f"{each.truth:.3f}",
            f"{each.mean:.3f}",
            shown_share(each.n_by_groups, each.n_sets),
            shown_share(each.n_by_rows, each.n_sets),
        ]
        for each in found
    ]
    heads = ["metric", "learner", "groups", "sets", "truth", "mean", "by groups, %", "row by row, %"]
    return table(heads, lines)


def measured_seals(
    made: Callable[..., list[SealCoverage]], n_sets: int, places: Sequence[tuple[Judged, int]]
) -> list[SealCoverage]:
    """All looks at all places."""
    return [row for judged, n_rows in places for row in made(judged, n_rows, n_sets)]


def main() -> None:
    """Measure, then write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    share = parser.parse_args().share
    places = [(ACCURACY, 100), (ACCURACY, 400), (F1, 100), (BALANCED, 100), (AUC, 100)]
    grouped = [(GROUPED, 100), (GROUPED, 200), (GROUPED, 500)]
    with threadpool_limits(1):
        fixed = measured_seals(fixed_beforehand, int(2_000 * share), [*places, (SURE, 200), *grouped])
        replace(PAGE, "fixed", seal_lines(fixed, is_attack=False))
        attack = measured_seals(attacked, int(500 * share), [*places, *grouped])
        replace(PAGE, "attack", seal_lines(attack, is_attack=True))
        by_groups = [
            grouped_coverage(contender, n_groups, n_each, int(300 * share))
            for contender in (STUMP, RIDGE)
            for n_groups, n_each in ((40, 5), (20, 20), (30, 20), (60, 20))
        ]
        replace(PAGE, "groups", grouped_lines(by_groups))
        verdicts = [verdict_noise(int(n_sets * share), n_rows) for n_rows, n_sets in ((75, 200), (250, 100))]
        replace(PAGE, "verdict", verdict_lines(verdicts))
        replace(PAGE, "nested", nested_lines(share))


if __name__ == "__main__":
    main()
