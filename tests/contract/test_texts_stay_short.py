"""However many columns, levels, words and pixels there are, a transformer's text fits on a page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from heldout import (
    BagOfWords,
    Discretize,
    DropLowVariance,
    DropRare,
    FillMissing,
    LogTransform,
    OneHot,
    Ordinal,
    PatchFeatures,
    PixelFeatures,
    Scale,
    ShapeFeatures,
    TreePaths,
    UnitLength,
    read_table,
)

WIDEST = 110
MOST_LINES = 60
RANDOM = np.random.default_rng(0)
ANSWERS = RANDOM.integers(0, 2, 80)
NUMBERS = RANDOM.lognormal(size=(80, 300)) * 1e6
CATEGORIES = read_table(
    {
        f"a column with many words in its name, number {place} of thirty": [
            f"a long level, {value}" for value in RANDOM.integers(0, 70, 80)
        ]
        for place in range(30)
    }
)
TEXTS = [" ".join(f"word{'x' * 90}{word}" for word in RANDOM.integers(0, 2000, 30)) for _ in range(80)]
IMAGES = RANDOM.random((80, 9, 9))


@pytest.mark.parametrize(
    ("transformer", "X"),
    [
        (Scale(), NUMBERS),
        (UnitLength(), NUMBERS),
        (LogTransform(), NUMBERS),
        (Discretize(), NUMBERS),
        (Discretize(1000), NUMBERS),
        (FillMissing(indicators=True), NUMBERS),
        (FillMissing(), CATEGORIES),
        (OneHot(), NUMBERS),
        (OneHot(drop_first=True), CATEGORIES),
        (Ordinal(), CATEGORIES),
        (DropRare(), np.eye(80, 300) + (np.arange(300) == 200)),
        (DropLowVariance(4e13), NUMBERS),
        (TreePaths(None), NUMBERS),
        (BagOfWords(), TEXTS),
        (PixelFeatures(), IMAGES),
        (PatchFeatures(3, 500, stride=1), IMAGES),
        (ShapeFeatures(), IMAGES),
    ],
    ids=lambda value: repr(value) if isinstance(value, BaseEstimator) else type(value).__name__,
)
def test_a_text_fits_on_a_page(transformer: BaseEstimator, X: Any) -> None:
    """No line is wider than a screen, and there are not more lines than one looks through."""
    lines = str(transformer.fit(X, ANSWERS)).split("\n")
    assert max(map(len, lines)) <= WIDEST
    assert len(lines) <= MOST_LINES
