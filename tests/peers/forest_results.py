"""The part of the page of results that is about forests."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import numpy as np

from .data_sets import N_FOLDS, SEEDS
from .forest_comparison import N_TREES, OURS, RANGER_NAME, SKLEARN, ForestComparison
from .forest_data import FOREST_SETS, forest_data
from .results_page import FORESTS, PAGE, debian_version, table

PROGRAMS = (OURS, SKLEARN, RANGER_NAME)
HEADINGS = (*PROGRAMS, "out-of-bag error", "left-out error")


def write_forests(found: ForestComparison, path: Path = PAGE) -> None:
    """Put this part in the place of what an earlier run wrote, at the end of the page."""
    written = path.read_text(encoding="utf-8") if path.exists() else ""
    trees = written.partition(FORESTS)[0].rstrip("\n")
    path.write_text(f"{trees}\n\n{forests_text(found)}", encoding="utf-8")


def forests_text(found: ForestComparison) -> str:
    """Heading, words and table."""
    rows = [_cells(found, name) for name in FOREST_SETS]
    means = np.mean([_numbers(found, name) for name in FOREST_SETS], axis=0)
    rows.append(("**all**", *(f"{number:.2f}" for number in means)))
    return "\n".join(
        [
            FORESTS,
            f"{N_TREES} trees each, {N_FOLDS} folds, {len(SEEDS)} seeds: percent of rows answered rightly by",
            f"`ForestClassifier()`, scikit-learn {version('scikit-learn')} (each level became a column) and",
            f"ranger {debian_version('r-cran-ranger')} (levels in the order of their classes). These two",
            "take no gaps, so they got the median or the most frequent level. Then Heldout's error in",
            "percent, out of the bag and on the rows left out in the folds.",
            "",
            *table(HEADINGS, rows),
            "",
        ]
    )


def _cells(found: ForestComparison, name: str) -> tuple[str, ...]:
    data = forest_data(name)
    title = f"{name}, {len(data.y):,} × {len(data.X.columns)}"
    return title, *(f"{number:.2f}" for number in _numbers(found, name))


def _numbers(found: ForestComparison, name: str) -> list[float]:
    bag = found.bags[name]
    errors = [float(bag.out_of_bag.mean()), float(bag.left_out.mean())]
    return [100 * number for number in [found.accuracy(program, name) for program in PROGRAMS] + errors]
