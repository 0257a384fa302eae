"""The interval of nested cross-validation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.nested_cv_interval import nested_cv_interval

GENERATOR = np.random.default_rng(8)
X = np.column_stack([np.ones(40), GENERATOR.normal(size=(40, 5))])
Y = GENERATOR.normal(size=40)


def squared(train, test):
    """The squared errors of least squares."""
    coefficients, *_ = np.linalg.lstsq(X[train], Y[train], rcond=None)
    return (Y[test] - X[test] @ coefficients) ** 2


def by_the_paper(losses, n_rows, n_folds, repeats, seed):
    """Algorithm 1 of the paper as it stands there: inner folds by a loop of their own, one fit for each."""
    generator = np.random.default_rng(seed)
    a, b, inner_losses, outer_losses = [], [], [], []
    for _ in range(repeats):
        folds = np.array_split(generator.permutation(n_rows), n_folds)
        for k in range(n_folds):
            inside = [fold for j, fold in enumerate(folds) if j != k]
            e_in = []
            for j, fold in enumerate(inside):
                train = np.concatenate([other for i, other in enumerate(inside) if i != j])
                e_in.extend(losses(train, fold))
            e_out = losses(np.concatenate(inside), folds[k])
            a.append((np.mean(e_in) - np.mean(e_out)) ** 2)
            b.append(np.var(e_out, ddof=1) / len(folds[k]))
            inner_losses.extend(e_in)
            outer_losses.extend(e_out)
    error_nested, error_plain = np.mean(inner_losses), np.mean(outer_losses)
    mse = np.mean(a) - np.mean(b)
    bias = (1 + (n_folds - 2) / n_folds) * (error_nested - error_plain)
    least = np.std(inner_losses, ddof=1) / math.sqrt(n_rows)
    error = math.sqrt(max(mse, 0) * (n_folds - 1) / n_folds)
    return error_nested - bias, min(max(error, least), math.sqrt(n_folds) * least), error / least


@pytest.mark.parametrize(("n_folds", "n_rows"), [(3, 40), (5, 40), (7, 38)])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_the_algorithm_of_the_paper(n_folds, n_rows, seed):
    """A transcription of Algorithm 1 gives the same estimate and error, also for folds of two sizes."""
    found = nested_cv_interval(squared, n_rows, n_folds, repeats=4, seed=seed)
    estimate, error, _ = by_the_paper(squared, n_rows, n_folds, 4, seed)
    assert found.estimate == pytest.approx(estimate, rel=1e-9)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    half = 1.959963984540054 * error
    assert (found.low, found.high) == pytest.approx((estimate - half, estimate + half), rel=1e-9)


def test_the_lower_bound_holds():
    """Where fold and rest differ by less than the rows explain, the error is that of independent losses."""
    # Every fold holds as many zeros as ones, so all means agree and the estimate of the square is below 0.
    found = nested_cv_interval(lambda train, test: np.arange(len(test)) % 2, 40, 5, repeats=3)
    assert found.inflation == 1
    assert math.isnan(found.raw_inflation)
    assert found.standard_error == pytest.approx(0.5 * math.sqrt(480 / 479 / 40), rel=1e-12)
    assert (found.nested, found.cross_validated, found.bias) == (0.5, 0.5, 0)


def test_the_upper_bound_holds():
    """Where fold and rest differ by far more than the rows explain, the error is √K times the least."""
    calls = []

    def erratic(train, test):
        calls.append(len(test))
        # Ten rows are an outer fold of 50, twenty a pair of folds: the outer ones are far off.
        return np.random.default_rng(len(calls)).normal(size=len(test)) + 100 * (len(test) == 10)

    found = nested_cv_interval(erratic, 50, 5, repeats=2)
    assert found.inflation == pytest.approx(math.sqrt(5))
    assert found.raw_inflation > 10
    assert len(calls) == 2 * (5 + 10)


def test_losses_that_do_not_depend_on_training():
    """For such losses cross-validation is a mean of independent rows, and the estimate is that mean."""
    losses = np.random.default_rng(2).gamma(2, size=60)
    found = nested_cv_interval(lambda train, test: losses[test], 60, 6, repeats=40)
    assert found.estimate == pytest.approx(losses.mean())
    assert found.inflation < 1.15


def test_the_same_seed_gives_the_same_answer():
    """The folds come from the seed alone."""
    first, again = (nested_cv_interval(squared, 40, 5, 3, seed=4) for _ in range(2))
    other = nested_cv_interval(squared, 40, 5, 3, seed=5)
    assert first == again
    assert first.estimate != other.estimate


def test_rows_are_learned_from_or_judged():
    """No row is in both lists, and none beyond the number of rows; inner models learn from K − 2 folds."""
    sizes = set()

    def losses(train, test):
        assert not set(train.tolist()) & set(test.tolist())
        assert set(train.tolist()) | set(test.tolist()) == set(range(20))
        sizes.add((len(train), len(test)))
        return np.arange(20.0)[test]

    nested_cv_interval(losses, 20, 5, 2)
    assert sizes == {(12, 8), (16, 4)}


def test_equal_losses_have_no_interval():
    """Without a spread there is an estimate, and a sentence in the place of the ends."""
    found = nested_cv_interval(lambda train, test: np.zeros(len(test)), 20, 5, 2)
    assert found.estimate == 0
    assert math.isnan(found.low)
    assert "no interval" in str(found)


def test_the_sentence_says_what_is_estimated():
    """Unlike the others it estimates models that learn from all rows, and says so."""
    text = str(nested_cv_interval(squared, 40, 5, 3, what="mean squared error"))
    assert "(nested cross-validation, 3 × 5 folds, 40 rows)" in text
    assert "trained on as many rows as these, 40" in text


@pytest.mark.parametrize(
    ("losses", "n_rows", "options", "error"),
    [
        ("losses", 40, {}, InputTypeError),
        (lambda train, test: 0.5, 40, {}, DataError),
        (lambda train, test: np.zeros(len(train)), 40, {}, DataError),
        (lambda train, test: ["a"] * len(test), 40, {}, InputTypeError),
        (lambda train, test: np.full(len(test), np.nan), 40, {}, DataError),
        (squared, 40, {"n_folds": 2}, RequestError),
        (squared, 5, {"n_folds": 3}, RequestError),
        (squared, 1, {}, RequestError),
        (squared, 0, {}, RequestError),
        (squared, 40, {"repeats": 0}, RequestError),
        (squared, 40, {"seed": -1}, InputTypeError),
        (squared, 40, {"confidence": 2}, RequestError),
    ],
)
def test_what_is_refused(losses, n_rows, options, error):
    """Wrong losses, too few rows or folds, and senseless settings are refused."""
    with pytest.raises(error):
        nested_cv_interval(losses, n_rows, **options)
