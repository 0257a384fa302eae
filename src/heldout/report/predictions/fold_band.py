"""How far folds scatter: of curves, shares or means of each fold the middle part, place by place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.report.predictions.short_numbers import rounded
from heldout.text.numbers import percent_text
from heldout.text.words import plural

# Of the folds so many lie between the edges of a band.
SHARE = 0.8
# With fewer folds no band is drawn.
FEWEST_FOLDS = 5


def fold_band(lines: NDArray[np.float64]) -> dict[str, Any]:
    """The edges of the band, and of how many folds; no edges where folds are too few.

    lines: folds × places; NaN where a fold has no value
    """
    known = lines[~np.isnan(lines).all(axis=1)] if lines.size else lines
    n_folds = len(known)
    if n_folds < FEWEST_FOLDS:
        return {"low": [], "high": [], "n_folds": n_folds}
    # A place that too few folds know has no edges; the mean of none is not asked for.
    is_known = (~np.isnan(known)).sum(axis=0) >= FEWEST_FOLDS
    edges = np.full((2, lines.shape[1]), np.nan)
    edges[:, is_known] = np.nanquantile(known[:, is_known], [(1 - SHARE) / 2, (1 + SHARE) / 2], axis=0)
    return {"low": rounded(edges[0]), "high": rounded(edges[1]), "n_folds": n_folds}


def fold_spread(values: Sequence[float] | NDArray[np.float64]) -> dict[str, Any]:
    """The same for one number of each fold; None where it is not known."""
    band = fold_band(np.asarray(values, dtype=np.float64).reshape(-1, 1))
    ends = {name: band[name][0] if band[name] else None for name in ("low", "high")}
    return ends | {"n_folds": band["n_folds"]}


def band_words(band: Mapping[str, Any], n_folds: int, rows_of_a_fold: int, what: str = "band") -> str:
    """What a band shows, and what it does not.

    n_folds:        all that there are; some may lack a class, and have no line
    rows_of_a_fold: how many each tests, about
    what:           which part of the picture it is
    """
    drawn = band["n_folds"]
    if not band["low"]:
        few = f"{plural(drawn, 'fold')} of {n_folds}" if drawn < n_folds else plural(drawn, "fold")
        return f"No {what} is drawn: {few} cannot tell how far folds scatter."
    lacking = f" {n_folds - drawn} more have no line, for want of a class." if drawn < n_folds else ""
    return (
        f"The {what} holds the middle {percent_text(SHARE)} of {drawn} folds of about"
        f" {plural(rows_of_a_fold, 'row')} each: so far do test sets of that size scatter."
        f" It is no interval for the line, which rests on all of them.{lacking}"
    )


def is_spread(spread: Mapping[str, Any]) -> bool:
    """Whether folds were enough to tell how far they scatter."""
    low = spread.get("low")
    return low is not None and not math.isnan(low)
