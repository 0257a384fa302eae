"""Measure intervals, tests and bounds for independent rows, and write their tables in docs/methods/.

    .venv/bin/python -m tests.statistical.measure_row_methods

It takes some minutes on one core; `--share 0.1` takes a tenth of the data sets.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

import numpy as np
from threadpoolctl import threadpool_limits

from heldout.stats import selection_bias_corrected

from .methods_pages import PAGES, replace, shown_share, table
from .populations import GAUSSIAN, RARE, TREE_RULE
from .row_intervals import (
    DRAWN,
    ENDS,
    Held,
    auc_coverage,
    f1_coverage,
    grouped_coverage,
    rate_coverage,
    resampled_coverage,
)
from .row_tests import NULLS, alarms, families, found_differences, largest_deviation, occam_place
from .test_looks import noise_predictions

Count = Callable[[int], int]
FAMILIES = {
    "none": "none",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "benjamini_hochberg": "Benjamini-Hochberg",
}


def rates() -> None:
    """Exact, without drawing."""
    lines = []
    for n_rows in (10, 20, 50, 100, 500):
        found = [rate_coverage(method, n_rows) for method in ENDS]
        lines.append([str(n_rows), *(f"{100 * least:.1f}, {100 * mean:.1f}" for least, mean in found)])
    replace(PAGES / "rates.md", "rates", table(["n", *(f"{name}: least, mean, %" for name in ENDS)], lines))


def side_by_side(found: Sequence[Held], first: str) -> list[str]:
    """A line for each place, a column for each method."""
    methods = list(dict.fromkeys(each.method for each in found))
    lines = []
    for place in dict.fromkeys(each.place for each in found):
        here = {each.method: shown_share(each.n_held, each.n_sets) for each in found if each.place == place}
        n_sets = next(each.n_sets for each in found if each.place == place)
        lines.append([place, f"{n_sets:,}", *(here[method] for method in methods)])
    return table([first, "sets", *(f"{method}, %" for method in methods)], lines)


def intervals(count: Count) -> None:
    """AUC, F1, bootstrap and jackknife."""
    places = [
        *(
            (auc, sizes, 1.0)
            for sizes in ((100, 100), (20, 20), (10, 90), (3, 30))
            for auc in (0.6, 0.8, 0.95)
        ),
        (0.6, (20, 180), 2.0),
        (0.6, (180, 20), 2.0),
    ]
    found = [row for place in places for row in auc_coverage(*place, count(2000))]
    replace(PAGES / "auc.md", "auc", side_by_side(found, "truth"))
    shares = ((0.10, 0.05, 0.05, 0.80), (0.07, 0.04, 0.03, 0.86), (0.35, 0.10, 0.15, 0.40))
    found = [row for each in shares for n in (50, 200) for row in f1_coverage(each, n, count(1000))]
    replace(PAGES / "f1.md", "f1", side_by_side(found, "truth"))
    found = [row for each in DRAWN for n in (20, 80) for row in resampled_coverage(each, n, count(500))]
    replace(PAGES / "bootstrap.md", "resampled", side_by_side(found, "statistic"))
    found = [row for n_groups in (10, 40) for row in grouped_coverage(n_groups, 10, count(500))]
    replace(PAGES / "bootstrap.md", "groups", side_by_side(found, "rows"))


def tests(count: Count) -> None:
    """False alarms, families, planned power."""
    found = [alarms(null, count(2000)) for null in NULLS]
    lines = [
        [each.method, each.place, f"{each.n_sets:,}", shown_share(each.n_held, each.n_sets)] for each in found
    ]
    replace(PAGES / "tests.md", "alarms", table(["test at 5%", "where", "sets", "alarms, %"], lines))
    lines = []
    for method, name in FAMILIES.items():
        each = families(method, count(2000))
        cells = (
            shown_share(each.n_false, each.n_sets),
            f"{100 * each.false_share:.1f}",
            f"{100 * each.found:.1f}",
        )
        lines.append([name, f"{each.n_sets:,}", *cells])
    heads = [
        "adjusted by",
        "sets",
        "sets with a false discovery, %",
        "false among discoveries, %",
        "of six found, %",
    ]
    replace(PAGES / "many-tests.md", "families", table(heads, lines))
    planned = (
        (0.80, 0.82, 0.10, 500),
        (0.80, 0.82, 0.10, 2043),
        (0.80, 0.90, 0.20, 100),
        (0.6, 0.7, 0.4, 400),
    )
    lines = []
    for share_a, share_b, differing, n_rows in planned:
        held = found_differences(n_rows, (share_a, share_b), differing, count(4000))
        lines.append([held.place, f"{held.n_sets:,}", held.method, shown_share(held.n_held, held.n_sets)])
    replace(PAGES / "planning.md", "power", table(["truth", "sets", "planned, %", "found, %"], lines))


def bounds(count: Count) -> None:
    """Hoeffding's and Occam's."""
    lines = []
    for n_rows, m in ((100, 1), (100, 100), (1000, 1), (1000, 100)):
        mean, bound, n_beyond = largest_deviation(n_rows, m, count(4000))
        beyond = shown_share(n_beyond, count(4000))
        lines.append([f"{n_rows:,}", str(m), f"{count(4000):,}", f"{mean:.3f}", f"{bound:.3f}", beyond])
    heads = ["n", "models", "sets", "largest deviation, mean", "Hoeffding's bound", "beyond it, %"]
    replace(PAGES / "bounds.md", "hoeffding", table(heads, lines))
    lines = []
    for population in (GAUSSIAN, TREE_RULE, RARE):
        for n_rows in (200, 1000):
            each = occam_place(population, n_rows, count(200))
            numbers = [f"{number:.3f}" for number in (each.train, each.truth, each.tighter, each.upper)]
            held = shown_share(each.n_held, each.n_sets)
            lines.append(
                [each.population, f"{n_rows:,}", str(each.n_sets), f"{each.bits:.0f}", *numbers, held]
            )
    heads = [
        "population",
        "n",
        "sets",
        "bits",
        "training error",
        "true error",
        "bound",
        "by Hoeffding",
        "held, %",
    ]
    replace(PAGES / "bounds.md", "occam", table(heads, lines))


def choices(count: Count) -> None:
    """The best of forty settings on noise."""
    lines = []
    for n_rows in (60, 200):
        rows = []
        for seed in range(count(400)):
            predicted, y = noise_predictions(n_rows, seed)
            found = selection_bias_corrected(predicted, y, "error", n_bootstraps=300)
            rows.append((found.best_score, found.corrected, 0.5 in found.interval))
        best, corrected, held = np.mean(rows, axis=0)
        errors = np.std(rows, axis=0, ddof=1) / np.sqrt(len(rows))
        cells = [f"{best:.3f} ± {errors[0]:.3f}", f"{corrected:.3f} ± {errors[1]:.3f}"]
        lines.append([str(n_rows), str(len(rows)), *cells, shown_share(round(held * len(rows)), len(rows))])
    heads = ["n", "sets", "best error", "corrected error", "its interval holds ½, %"]
    replace(PAGES / "corrected-choice.md", "choices", table(heads, lines))


def main() -> None:
    """Measure, and write page by page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    share = parser.parse_args().share

    def count(n_sets: int) -> int:
        return max(int(n_sets * share), 2)

    with threadpool_limits(1):
        rates()
        for measure in (intervals, tests, bounds, choices):
            measure(count)


if __name__ == "__main__":
    main()
