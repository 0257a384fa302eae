"""However an array lies in memory, and however many blocks it is taken in, its rows get the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.features.log_transform import NUMBERS_PER_BLOCK
from heldout.features.transformer_inputs import ROWS_PER_BLOCK, in_column_order

N_ROWS = NUMBERS_PER_BLOCK // 3 + 100
X = np.random.default_rng(8).lognormal(size=(N_ROWS, 3)) * [1.0, 1e-180, 1e9]
STEPS = [ho.Scale(), ho.Scale(center=False, by="max"), ho.UnitLength(), ho.LogTransform()]


def strided(matrix: np.ndarray) -> np.ndarray:
    """The same numbers with others between them."""
    return np.repeat(matrix, 2, axis=1)[:, ::2]


@pytest.mark.parametrize("step", STEPS, ids=str)
@pytest.mark.parametrize("order", [np.ascontiguousarray, np.asfortranarray, strided])
def test_every_order_gives_the_same_bits(step: Any, order: Any) -> None:
    """Learned numbers and rows are those of a table, all together and alone, and so is the way back."""
    given = order(X)
    fitted = step.fit(given)
    learned = {name: value.tobytes() for name, value in vars(fitted).items() if name in ("center_", "scale_")}
    made = fitted.transform(given)
    table = step.fit(ho.read_table({f"x{place}": X[:, place] for place in range(3)}))
    assert all(getattr(table, name).tobytes() == value for name, value in learned.items())
    assert (
        np.asarray(table.transform(ho.Table(list(_columns(given))))).astype(float).tobytes() == made.tobytes()
    )
    for row in (0, 777, N_ROWS - 1):
        assert fitted.fit(X).transform(given[row : row + 1]).tobytes() == made[row].tobytes()
    if hasattr(fitted, "inverse_transform"):
        back = fitted.inverse_transform(made)
        assert back.tobytes() == fitted.inverse_transform(np.ascontiguousarray(made)).tobytes()
        np.testing.assert_allclose(back, X, rtol=1e-9)


def _columns(matrix: np.ndarray) -> Any:
    return (ho.Column(f"x{place}", "number", matrix[:, place]) for place in range(matrix.shape[1]))


def test_rows_stay_rows_in_memory() -> None:
    """An array leaves in the order in which it came, so that the next step reads it as fast."""
    for step in STEPS:
        assert step.fit(X).transform(X).flags.c_contiguous
        assert step.transform(np.asfortranarray(X)).flags.f_contiguous


def test_columns_in_one_piece() -> None:
    """A matrix is turned block by block, and one that lies right already is not copied."""
    wide = np.arange(float(ROWS_PER_BLOCK * 2 + 6)).reshape(-1, 2)
    turned = in_column_order(wide)
    assert turned.flags.f_contiguous
    np.testing.assert_array_equal(turned, wide)
    assert in_column_order(turned) is turned
