"""Measure what the prunings do, and write the tables of docs/methods/prunings.md.

    .venv/bin/python -m tests.statistical.measure_prunings

It takes some minutes on one core; `--share 0.1` takes a tenth of the data sets.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from threadpoolctl import threadpool_limits

from .methods_pages import PAGES, replace, shown_share, table
from .populations import GAUSSIAN, NORMAL_NOISE, RARE, TREE_RULE, Population
from .pruning_errors import (
    GROWN_BY_C45,
    GROWN_TO_THE_END,
    NOISE,
    NUMBERS,
    OF_NUMBERS,
    TUNED,
    PrunedTrees,
    Way,
    pruned_trees,
)

PAGE = PAGES / "prunings.md"
SIZES = ((50, 400), (200, 400), (1000, 150))
TUNED_SIZES = ((100, 200), (500, 60))


def places_table(found: Sequence[PrunedTrees], scale: float, digits: int) -> list[str]:
    """Each place: error ± standard error, and in brackets the mean number of leaves."""
    ways = list(dict.fromkeys(each.way for each in found))
    lines = []
    for place in dict.fromkeys((each.population, each.n_rows) for each in found):
        here = {each.way: each for each in found if (each.population, each.n_rows) == place}
        cells = [
            f"{scale * here[way].error:.{digits}f} ± {scale * here[way].standard_error:.{digits}f}"
            f" ({here[way].mean_leaves:.1f})"
            for way in ways
        ]
        lines.append([place[0], f"{place[1]:,}", str(len(here[ways[0]].errors)), *cells])
    return table(["population", "n", "sets", *ways], lines)


def noise_table(found: Sequence[PrunedTrees]) -> list[str]:
    """How often a tree of noise has any split left, and how many leaves it then has with the others."""
    ways = list(dict.fromkeys(each.way for each in found))
    lines = []
    for n_rows in dict.fromkeys(each.n_rows for each in found):
        here = {each.way: each for each in found if each.n_rows == n_rows}
        cells = [
            f"{shown_share(here[way].n_with_splits, len(here[way].leaves))} ({here[way].mean_leaves:.1f})"
            for way in ways
        ]
        lines.append([f"{n_rows:,}", str(len(here[ways[0]].leaves)), *cells])
    return table(["n", "sets", *ways], lines)


def measured(
    populations: Sequence[Population],
    ways: Sequence[Way],
    share: float,
    sizes: Sequence[tuple[int, int]] = SIZES,
) -> list[PrunedTrees]:
    """All places of these populations."""
    return [
        row
        for population in populations
        for n_rows, n_sets in sizes
        for row in pruned_trees(population, n_rows, max(int(n_sets * share), 2), ways)
    ]


def write_tuned(share: float) -> None:
    """The table of what one standard error in the tuning does."""
    tuned = measured((GAUSSIAN, TREE_RULE, NOISE), TUNED, share, TUNED_SIZES)
    numbers = measured((NORMAL_NOISE,), TUNED, share, TUNED_SIZES)
    replace(PAGE, "tuned", places_table(tuned, 100, 1))
    replace(PAGE, "tuned numbers", places_table(numbers, 1, 3))


def main() -> None:
    """Measure, then write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    share = parser.parse_args().share
    known = (GAUSSIAN, TREE_RULE, RARE)
    with threadpool_limits(1):
        to_the_end, by_c45 = (measured(known, ways, share) for ways in (GROWN_TO_THE_END, GROWN_BY_C45))
        noise = [measured([NOISE], ways, share) for ways in (GROWN_TO_THE_END, GROWN_BY_C45)]
        numbers = measured([NORMAL_NOISE, *NUMBERS], OF_NUMBERS, share)
        write_tuned(share)
    replace(PAGE, "plain", places_table(to_the_end, 100, 1))
    replace(PAGE, "c45", places_table(by_c45, 100, 1))
    replace(PAGE, "noise", noise_table(noise[0]))
    replace(PAGE, "noise by c45", noise_table(noise[1]))
    replace(PAGE, "numbers", places_table(numbers, 1, 3))


if __name__ == "__main__":
    main()
