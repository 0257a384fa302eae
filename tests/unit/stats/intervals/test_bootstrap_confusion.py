"""The bootstrap of a confusion matrix."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.bootstrap import bootstrap, bootstrap_confusion, drawn_counts

COUNTS = np.array([[50, 7], [12, 31]])
Y, PREDICTED = np.repeat([0, 0, 1, 1], COUNTS.ravel()), np.repeat([0, 1, 0, 1], COUNTS.ravel())


def f1(counts):
    """F1 of each matrix."""
    hits = counts[:, 1, 1]
    return 2 * hits / (2 * hits + counts[:, 0, 1] + counts[:, 1, 0])


def f1_of_rows(y, predicted):
    """F1 of one set of rows."""
    hits = np.sum((y == 1) & (predicted == 1))
    return 2 * hits / (np.sum(y == 1) + np.sum(predicted == 1))


@pytest.mark.slow
@pytest.mark.parametrize("is_stratified", [False, True])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_it_is_the_bootstrap_of_the_rows(method, is_stratified):
    """The interval agrees with that of drawn rows, as far as 20,000 and 3,000 resamples can."""
    ours = bootstrap_confusion(f1, COUNTS, method, n_resamples=20_000, is_stratified=is_stratified)
    stratify = Y if is_stratified else None
    rows = bootstrap(f1_of_rows, Y, PREDICTED, method=method, n_resamples=3000, stratify=stratify)
    assert ours.estimate == rows.estimate
    assert (ours.low, ours.high) == pytest.approx((rows.low, rows.high), abs=0.1 * ours.width)


def test_bca_from_the_same_resamples_as_by_scipy():
    """SciPy's BCa over the single rows, from the same values, has the same ends."""
    values = []

    def recorded(counts):
        values.append(f1(counts))
        return values[-1]

    found = bootstrap_confusion(recorded, COUNTS, "bca", n_resamples=700)
    options = {"paired": True, "vectorized": False}
    given = stats.bootstrap((Y, PREDICTED), f1_of_rows, n_resamples=2, method="percentile", **options)
    given.bootstrap_distribution = values[1]
    wanted = stats.bootstrap(
        (Y, PREDICTED), f1_of_rows, n_resamples=0, bootstrap_result=given, method="BCa", **options
    )
    assert (found.low, found.high) == pytest.approx(tuple(map(float, wanted.confidence_interval)), rel=1e-12)


def test_draws_keep_sizes_and_empty_cells():
    """Every draw has all rows, per true class if stratified, and none in an empty cell."""
    matrix = np.array([[30, 0, 5], [0, 0, 0], [1, 2, 3]])
    for is_stratified in (False, True):
        drawn = drawn_counts(matrix, 400, np.random.default_rng(0), is_stratified)
        assert (drawn.sum(axis=(1, 2)) == matrix.sum()).all()
        assert not drawn[:, matrix == 0].any()
        assert ((drawn.sum(axis=2) == matrix.sum(axis=1)).all()) == is_stratified
        assert np.abs(drawn.mean(axis=0) - matrix).max() < 1


def test_degenerate_matrices():
    """No rows give no value, all in one cell no interval, and 0/0 in some resamples is counted."""
    none = bootstrap_confusion(f1, np.zeros((2, 2)))
    assert math.isnan(none.estimate)
    assert math.isnan(none.low)
    perfect = bootstrap_confusion(f1, [[0, 0], [0, 9]])
    assert perfect.estimate == 1.0
    assert "Every resample gave the same value" in str(perfect)
    few = bootstrap_confusion(f1, [[30, 1], [0, 2]], n_resamples=1000)
    assert "gave no value" in str(few)
    single = bootstrap_confusion(f1, [[30, 1], [0, 2]], "bca", n_resamples=1000, is_stratified=True)
    assert math.isfinite(single.low)


def test_it_takes_what_has_counts():
    """A result that keeps its matrix as `counts` is as good as the matrix."""
    assert bootstrap_confusion(f1, SimpleNamespace(counts=COUNTS)) == bootstrap_confusion(f1, COUNTS.tolist())


@pytest.mark.parametrize(
    ("statistic", "counts", "error", "word"),
    [
        (f1, [1, 2], InputTypeError, "matrix"),
        (f1, [["a", "b"], ["c", "d"]], InputTypeError, "matrix"),
        (f1, [[1.5, 2], [3, 4]], DataError, "cell (0, 0)"),
        (f1, [[1, -2], [3, 4]], DataError, "cell (0, 1)"),
        (lambda counts: counts.sum(), [[1, 2], [3, 4]], InputTypeError, "one number per resample"),
        (lambda counts: counts[:, 5, 5], [[1, 2], [3, 4]], RequestError, "IndexError"),
    ],
)
def test_what_makes_no_sense_is_refused(statistic, counts, error, word):
    """Every wrong argument gets a three-part error."""
    with pytest.raises(error) as caught:
        bootstrap_confusion(statistic, counts)
    assert word in str(caught.value)
    assert caught.value.where
    assert caught.value.fix
