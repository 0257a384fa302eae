"""Whole preparations, and steps that read files, use nothing of rows that they were not fitted on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from sklearn.base import BaseEstimator, clone

from heldout import (
    LinearRegressor,
    NeighborsClassifier,
    PatchFeatures,
    Perceptron,
    PixelFeatures,
    ShapeFeatures,
    Table,
    TreeClassifier,
    prepare_for,
    read_table,
)

from .fitted_state import rows_of, state_of
from .made_rows import answers, made_rows

N_ROWS = 60
HELD = np.arange(N_ROWS) % 3 == 1
TRAINING, ASIDE = np.flatnonzero(~HELD), np.flatnonzero(HELD)
NO_OTHERS = np.zeros(N_ROWS, dtype=np.bool_)

pytestmark = pytest.mark.filterwarnings("ignore::heldout.features.level_encoder.UnseenLevelWarning")


def assert_nothing_leaks(transformer: Any, plain: Any, changed: Any, half_changed: Any) -> None:
    """Held-out rows move neither what is fitted nor what other rows become.

    half_changed: X in which every second of the held-out rows is as in plain
    """
    one = clone(transformer).fit(plain[TRAINING], answers(N_ROWS)[TRAINING])
    other = clone(transformer).fit(changed[TRAINING], answers(N_ROWS)[TRAINING])
    assert state_of(plain[ASIDE]) != state_of(changed[ASIDE])
    assert state_of(one) == state_of(other)
    before = state_of(one)
    among_plain = rows_of(one.transform(plain[ASIDE]))
    among_changed = rows_of(one.transform(half_changed[ASIDE]))
    assert among_changed[::2] == among_plain[::2]
    assert among_changed[1::2] != among_plain[1::2]
    assert [rows_of(one.transform(plain[[row]]))[0] for row in ASIDE[:4].tolist()] == among_plain[:4]
    assert state_of(one) == before


@pytest.mark.parametrize(
    "learner",
    [Perceptron(), NeighborsClassifier(), LinearRegressor(), TreeClassifier()],
    ids=lambda learner: type(learner).__name__,
)
def test_a_whole_preparation_uses_training_rows_alone(learner: BaseEstimator) -> None:
    """Fills, scales, levels and words, dense and sparse, of all kinds of columns at once."""
    is_half = HELD.copy()
    is_half[ASIDE[::2]] = False
    plain, changed, half = (made_rows("table", N_ROWS, other) for other in (NO_OTHERS, HELD, is_half))
    assert_nothing_leaks(prepare_for(learner, plain), plain, changed, half)


def images_of(folder: Path, is_other: np.ndarray[Any, Any]) -> Table:
    """A table of files; others are brighter and hold another shape."""
    draws = np.random.default_rng(5).integers(0, 120, (N_ROWS, 9, 9))
    names = []
    for row, pixels in enumerate(draws):
        shown = pixels.copy()
        shown[2:6, 3:7] = 200
        if is_other[row]:
            shown[:, 4:] = 255
        names.append(f"{row}{'b' if is_other[row] else 'a'}.png")
        Image.fromarray(shown.astype(np.uint8)).save(folder / names[-1])
    return read_table({"photo": names, "age": np.arange(N_ROWS).tolist()}, kinds={"photo": "text"})


@pytest.mark.parametrize(
    "transformer",
    [PixelFeatures(size=4), PatchFeatures(3, 8), ShapeFeatures()],
    ids=lambda transformer: type(transformer).__name__,
)
def test_files_that_are_held_out_teach_nothing(transformer: BaseEstimator, tmp_path: Path) -> None:
    """Other images behind the held-out rows of a table leave the rest as it is."""
    is_half = HELD.copy()
    is_half[ASIDE[::2]] = False
    plain, changed, half = (images_of(tmp_path, other) for other in (NO_OTHERS, HELD, is_half))
    assert_nothing_leaks(transformer.set_params(folder=str(tmp_path)), plain, changed, half)
