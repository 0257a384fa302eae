"""Linear models are fitted where NumPy's decomposition gives up, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heldout as ho


def _gives_up(*args: Any, **options: Any) -> None:
    raise np.linalg.LinAlgError("SVD did not converge")


def _dependent_columns() -> tuple[np.ndarray, np.ndarray]:
    """Levels of two categories that go together, and a number."""
    draws = np.random.default_rng(3)
    levels = np.eye(5)[draws.integers(0, 5, 60)]
    X = np.hstack([levels, levels[:, ::-1], draws.normal(size=(60, 1))])
    return X, X @ np.arange(11.0) + draws.normal(size=60)


@pytest.mark.filterwarnings("ignore:6 of 11 columns depend")
@pytest.mark.parametrize(
    "model", [ho.RidgeRegressor(alpha=0.1), ho.LinearRegressor(solver="svd")], ids=["ridge", "linear"]
)
def test_a_fit_survives_a_decomposition_that_does_not_converge(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slower decomposition gives the same predictions."""
    X, y = _dependent_columns()
    expected = model.fit(X, y).predict(X)
    monkeypatch.setattr(np.linalg, "svd", _gives_up)
    np.testing.assert_allclose(model.fit(X, y).predict(X), expected, rtol=1e-9)
