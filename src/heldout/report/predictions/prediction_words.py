"""Words for numbers of the answers: shares, bands, and names that may be very long."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.report.predictions import fold_band
from heldout.text.numbers import number_text, number_texts
from heldout.text.words import shorten

LONGEST_WORD = 40


def percent(share: float | None) -> str:
    """A share in a sentence."""
    if share is None:
        return "an unknown share"
    if 0 < share < 0.0005:
        return "less than 0.1%"
    if 0.9995 <= share < 1:
        return "more than 99.9%"
    # Rounded as the share itself is shown elsewhere.
    return f"{100 * round(share, 3):.1f}%".replace(".0%", "%")


def scaled(numbers: Sequence[float | None]) -> list[str]:
    """Numbers of one measure, with as many decimals as the largest of them needs for three digits."""
    known = [abs(number) for number in numbers if number is not None and math.isfinite(number)]
    largest = max(known, default=0.0)
    if not 0.01 <= largest < 1e7:
        return ["unknown" if number is None else number_text(number) for number in numbers]
    decimals = min(max(2 - math.floor(math.log10(largest)), 0), 3)
    # A negative number that is rounded to nothing has no sign.
    found = [None if number is None else round(number, decimals) + 0.0 for number in numbers]
    return ["unknown" if number is None else f"{number:,.{decimals}f}" for number in found]


def scaled_levels(numbers: Sequence[float | None]) -> list[str]:
    """Target values as `scaled` shows them; those of four digits, which may be years, have no comma."""
    texts = zip(numbers, scaled(numbers), strict=True)
    return [
        text.replace(",", "") if number is not None and abs(number) < 10_000 else text
        for number, text in texts
    ]


def word(name: object) -> str:
    """A name in a sentence, cut where it is very long."""
    return shorten(str(name), LONGEST_WORD)


def spread_words(spread: Mapping[str, Any]) -> str:
    """The middle of the folds behind a number; nothing where folds are too few."""
    if not fold_band.is_spread(spread):
        return ""
    low, high = number_texts([spread["low"], spread["high"]])
    return f" (middle 80% of folds: {low} to {high})"


def spread_cell(spread: Mapping[str, Any]) -> str:
    """The same in a cell of a table."""
    return " to ".join(number_texts([spread["low"], spread["high"]])) if fold_band.is_spread(spread) else ""


def band_words(band: Mapping[str, Any], predictions: Mapping[str, Any], what: str = "band") -> str:
    """What a band of these answers shows, and what it does not.

    answers: as `predictions_summary` gives them
    """
    return fold_band.band_words(band, predictions["n_folds"], predictions["rows_of_a_fold"], what)


def rows_words(n_rows: float) -> str:
    """A number of rows, which is no whole one where it is a mean over repeats."""
    return f"{n_rows:,.0f}" if abs(n_rows - round(n_rows)) < 1e-6 else f"{n_rows:,.1f}"
