"""The page of results: what the last run of the comparison found."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np

from .comparison import C45_LEARNERS, C50_ACCURACY, C50_LEAVES, TEN_SETS, Comparison
from .data_sets import N_FOLDS, SEEDS, WITH_FOLDS
from .noise import SHARES

PAGE = Path(__file__).with_name("results.md")
FORESTS = "## Forests\n"


def write_page(found: Comparison, path: Path = PAGE) -> None:
    """Write the tables as Markdown; what an earlier run found about forests stays."""
    path.write_text(page(found) + forests_part(path), encoding="utf-8")


def forests_part(path: Path) -> str:
    """The end of the page, from the heading of the forests on; empty if there is none."""
    written = path.read_text(encoding="utf-8") if path.exists() else ""
    return "\n" + written[written.index(FORESTS) :] if FORESTS in written else ""


def page(found: Comparison) -> str:
    """The whole page."""
    n_fits = N_FOLDS * len(SEEDS)
    return "\n".join(
        [
            "# Against the classics",
            "",
            f"Written by `make peers`: {N_FOLDS} folds, {len(SEEDS)} seeds, the same rows in the same folds",
            "for all. Percent of rows answered rightly, mean number of leaves in brackets. Leaves that no",
            "training row reaches are not counted.",
            "",
            f"heldout {version('heldout')}, scikit-learn {version('scikit-learn')},"
            f" weka {debian_version('weka')}, rpart {debian_version('r-cran-rpart')}.",
            "",
            "## C4.5",
            "",
            "`TreeClassifier.c45()`, Weka's J48 with its defaults, and C5.0 as it was measured elsewhere",
            f"with one seed. The last column counts those of the {n_fits} trees that ask the same questions",
            "as J48's.",
            "",
            *table(("c45", "J48", "C5.0", "same trees"), [_c45_cells(found, name) for name in WITH_FOLDS]),
            *_means(found, ("c45", "J48")),
            "",
            "## CART",
            "",
            "`TreeClassifier.cart()` beside R's rpart, both pruned by one standard error; and without",
            "pruning beside scikit-learn, for which each level became a column.",
            "",
            *table(CART, [(name, *(_cell(found, program, name) for program in CART)) for name in WITH_FOLDS]),
            *_means(found, CART),
            "",
            "## Noise",
            "",
            "The ten sets without weather, when a share of the labels that `TreeClassifier.c45()` learns",
            "from is flipped: as it is and with `prune=None`. The rows left out have their true labels.",
            "",
            *table(("pruned", "unpruned"), [_noise_cells(found, share) for share in SHARES], "flipped"),
            "",
        ]
    )


CART = ("cart", "rpart", "cart unpruned", "scikit-learn")


def _c45_cells(found: Comparison, name: str) -> tuple[str, ...]:
    c50 = f"{100 * C50_ACCURACY[name]:.1f} ({C50_LEAVES[name]})" if name in C50_ACCURACY else ""
    return name, _cell(found, "c45", name), _cell(found, "J48", name), c50, str(found.same_trees[name])


def _cell(found: Comparison, program: str, name: str) -> str:
    standing = found.standings[program][name]
    return f"{100 * standing.accuracy:.2f} ({standing.n_leaves:.1f})"


def _noise_cells(found: Comparison, share: float) -> tuple[str, ...]:
    cells = []
    for kind in C45_LEARNERS:
        standings = [found.noise[kind, share, name] for name in TEN_SETS]
        accuracy = 100 * np.mean([standing.accuracy for standing in standings])
        cells.append(f"{accuracy:.2f} ({np.mean([standing.n_leaves for standing in standings]):.1f})")
    return f"{share:.0%}", *cells


def table(programs: Sequence[str], rows: Sequence[Sequence[str]], first: str = "data set") -> list[str]:
    return [
        f"| {first} | {' | '.join(programs)} |",
        f"|---|{'---:|' * len(programs)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def _means(found: Comparison, programs: Sequence[str]) -> list[str]:
    lines = []
    for title, sets in (("all", WITH_FOLDS), ("without weather", TEN_SETS)):
        cells = [
            f"{100 * found.accuracy(program, sets):.2f} ({found.n_leaves(program, sets):.1f})"
            for program in programs
        ]
        if "J48" in programs:
            c50 = f"{100 * sum(C50_ACCURACY.values()) / len(TEN_SETS):.2f}" if sets is TEN_SETS else ""
            cells += [c50, str(sum(found.same_trees[name] for name in sets))]
        lines.append(f"| **{title}** | {' | '.join(cells)} |")
    return lines


def debian_version(package: str) -> str:
    """The version of an installed package."""
    command = ["dpkg-query", "--show", "--showformat=${Version}", package]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout
