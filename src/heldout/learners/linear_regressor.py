"""Least squares: a sum of columns, with the errors of its coefficients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout.arrays import Floats
from heldout.checks.warn import warn_user
from heldout.learners.linear.coefficient_table import INTERCEPT, CoefficientTable, coefficient_table
from heldout.learners.linear.least_squares import NOTHING, LeastSquares, least_squares
from heldout.learners.linear.linear_model import LinearData, LinearModel
from heldout.learners.linear.weighted_rows import DenseRows, WeightedTargets, dense_rows, weighted_targets
from heldout.learners.parameters import Parameter, check_parameters, refusal
from heldout.learners.sweep import SeparateSweep, separate_sweep
from heldout.text.words import plural
from heldout.types import PerRow, SettingsSpace, TableLike

CONFIDENCE = Parameter("confidence", number="number", lowest=0, is_above=True, highest=1, is_below=True)
# Beyond these sizes the squares of a column leave the range of a float.
LARGEST, SMALLEST = 1e100, 1e-100


class LinearRegressor(LinearModel):
    """Least squares, by an orthogonal decomposition; numbers only, without missing values.

    Where columns depend on each other, the solution of least norm is taken and a warning names them. A column
    depends on others if they, and the intercept, leave less of it than about 1e-13 of its length (32 eps
    times the root of the number of rows or columns): its unit does not matter.

    Parameters
    ----------
    fit_intercept
        whether a constant is added; else the fit goes through 0
    solver
        "qr" (with column pivoting), "svd" (slower, tells the rank more surely), or "auto": "qr", and
        "svd" where QR leaves the rank in doubt

    Attributes
    ----------
    coef_
    intercept_
    standard_errors_
    intercept_standard_error_
        NaN where not known
    residual_variance_
    residual_degrees_
    r_squared_
        of the training rows; without an intercept it compares with 0, and not with the mean of y as
        `score` does
    rank_
    n_rows_
    n_features_in_
    feature_names_in_

    Examples
    --------
    >>> model = LinearRegressor().fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 4.0, 6.0])
    >>> print(model.coefficients())
                 estimate  std. error      t        p     95% interval
    (intercept)       1.1      0.2646   4.16   0.0533  -0.03837  2.238
    x0                1.6      0.1414  11.31  0.00772    0.9915  2.208
    residual variance 0.1 on 2 degrees of freedom, R² 0.9846 on the training rows
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("fit_intercept", choices=(True, False)),
        Parameter("solver", choices=("auto", "qr", "svd")),
    )
    _consequence = "few degrees of freedom are left and the standard errors are too large"

    # Set by fit.
    standard_errors_: Floats
    intercept_standard_error_: float
    residual_variance_: float
    residual_degrees_: float
    r_squared_: float
    rank_: int

    def __init__(self, *, fit_intercept: bool = True, solver: str = "auto") -> None:
        self.fit_intercept = fit_intercept
        self.solver = solver

    def fit(self, X: TableLike, y: ArrayLike, sample_weight: PerRow = None) -> Self:
        """Find the coefficients of the least sum of squared errors.

        Parameters
        ----------
        X
            a Table, a pandas, polars or Arrow frame, or an array, of numbers and booleans
        y
            one number per row; classes are refused
        sample_weight
            how many rows each row stands for: a weight of 3 is the same as the row three times, for the
            standard errors too
        """
        check_parameters(self, self._parameters)
        data = self._enter(X, y, sample_weight)
        targets = weighted_targets(data.targets, data.weights, self.fit_intercept)
        matrix, exponents = _in_range(data.matrix)
        rows = dense_rows(matrix, targets, self.fit_intercept)
        solved = least_squares(rows.matrix, targets.values, _lengths(rows, targets), self.solver)
        if solved.rank < len(solved.coef):
            text = dependence_warning(solved, rows.means, data.schema.names, targets.n_rows)
            warn_user(text)
        self._remember(data, targets, rows, solved, exponents)
        return self

    def coefficients(self, confidence: float = 0.95) -> CoefficientTable:
        """The coefficients with standard errors, t-tests and confidence intervals.

        They hold if the errors of y are independent, of one variance and about normal. Beside an intercept,
        the coefficient of a constant column is 0 and its error unknown; the others are given as if it were
        left out.

        Parameters
        ----------
        confidence
            the level of the intervals, between 0 and 1
        """
        self._check_is_fitted()
        if not CONFIDENCE.allows(confidence):
            raise refusal("coefficients", CONFIDENCE, confidence)
        first = [INTERCEPT] if self.fit_intercept else []
        return coefficient_table(
            (*first, *self.inputs_.names),
            np.append([self.intercept_] * len(first), self.coef_),
            np.append([self.intercept_standard_error_] * len(first), self.standard_errors_),
            float(confidence),
            self.residual_variance_,
            self.residual_degrees_,
            self.r_squared_,
        )

    def sweep(
        self, X: TableLike, y: ArrayLike, space: SettingsSpace, sample_weight: PerRow = None
    ) -> SeparateSweep:
        """Fit many settings, each by itself; this model is not changed.

        Parameters
        ----------
        X, y, sample_weight
            as for `fit`
        space
            parameters with lists of values, such as {"fit_intercept": [True, False]}; or a list of
            settings, each a dict
        """
        return separate_sweep(self, X, y, space, sample_weight=sample_weight)

    def to_text(self) -> str:
        """The table of the coefficients."""
        return str(self.coefficients())

    def _remember(
        self,
        data: LinearData,
        targets: WeightedTargets,
        rows: DenseRows,
        solved: LeastSquares,
        exponents: NDArray[np.int32] | int,
    ) -> None:
        residuals = targets.values - rows.matrix @ solved.coef
        squares, whole = float(residuals @ residuals), float(targets.values @ targets.values)
        degrees = targets.total - solved.rank - bool(self.fit_intercept)
        variance = squares / degrees if degrees > 0 else math.nan
        spread = (solved.inverse_root**2).sum(axis=1)
        spread[~solved.is_determined] = np.nan
        # A constant column is as good as left out: nothing else depends on it.
        means = np.where(np.isnan(spread) & ~rows.matrix.any(axis=0), 0.0, rows.means)
        of_intercept = 1 / targets.total + float(((means @ solved.inverse_root) ** 2).sum())
        if not self.fit_intercept:
            of_intercept = 0.0
        elif not solved.determines(means):
            of_intercept = math.nan
        self.inputs_, self.n_rows_, self.rank_ = data.schema, data.n_rows, solved.rank
        with np.errstate(over="ignore", under="ignore"):
            self.coef_ = np.ldexp(solved.coef, targets.exponent - exponents)
            self.intercept_ = float(
                np.ldexp(targets.mean - float(rows.means @ solved.coef), targets.exponent)
            )
            self.standard_errors_ = np.ldexp(np.sqrt(variance * spread), targets.exponent - exponents)
            of_intercept = math.sqrt(variance * of_intercept)
            self.intercept_standard_error_ = float(np.ldexp(of_intercept, targets.exponent))
            self.residual_variance_ = float(np.ldexp(variance, 2 * targets.exponent))
        self.residual_degrees_ = float(degrees)
        self.r_squared_ = 1 - squares / whole if whole > 0 else math.nan


def _in_range(matrix: Floats) -> tuple[Floats, NDArray[np.int32] | int]:
    """The matrix, with columns times 2^-exponent where squares would overflow or vanish, and exponents."""
    sizes = np.maximum(matrix.max(axis=0), -matrix.min(axis=0))
    is_far = (sizes > LARGEST) | ((sizes < SMALLEST) & (sizes > 0))
    if not is_far.any():
        return matrix, 0
    exponents = np.where(is_far, np.frexp(sizes)[1], 0).astype(np.int32)
    return np.ldexp(matrix, -exponents), exponents


def _lengths(rows: DenseRows, targets: WeightedTargets) -> Floats:
    """The lengths of the weighted columns before their means were subtracted."""
    return np.asarray(np.sqrt((rows.matrix**2).sum(axis=0) + targets.total * rows.means**2))


MOST_NAMED = 5
MOST_TERMS = 3


def dependence_warning(solved: LeastSquares, means: Floats, names: Sequence[str], n_rows: int) -> str:
    """What is wrong with the columns, what was done about it, and what can be done.

    means: of the columns, where an intercept is fitted; zeros else
    """
    n_dependent = len(names) - solved.rank
    if n_rows <= len(names):
        what = f"X has {plural(n_rows, 'row')} for {plural(len(names), 'column')}"
    else:
        verb = "depend" if n_dependent > 1 else "depends"
        what = f"{n_dependent} of {plural(len(names), 'column')} {verb} on the others"
    listed = ""
    if solved.unseen is not None:
        # With fewer rows than columns every column is a combination of many others, which says nothing.
        words = [
            _relation_words(index, row, solved.lengths, means, names)
            for index, row in relations(solved.unseen)
            if n_rows > len(names) or len(_others(index, row)) <= MOST_TERMS
        ]
        more = f"; and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
        listed = f": {'; '.join(words[:MOST_NAMED])}{more}" if words else ""
    return (
        f"{what}, so not all coefficients are determined{listed}. Of all solutions that fit equally well the"
        " one of least norm is taken; leave such columns out to give the coefficients a meaning"
    )


def relations(unseen: Floats) -> list[tuple[int, Floats]]:
    """Each dependent column with what sums to 0 with it: 1 times itself, and other columns to the left."""
    rows = unseen.T.copy()
    found: list[int] = []
    for index in range(rows.shape[1] - 1, -1, -1):
        done = len(found)
        if done == len(rows):
            break
        largest = done + int(np.abs(rows[done:, index]).argmax())
        if abs(rows[largest, index]) <= NOTHING:
            continue
        rows[[done, largest]] = rows[[largest, done]]
        rows[done] /= rows[done, index]
        factors = rows[:, index].copy()
        factors[done] = 0.0
        rows -= np.outer(factors, rows[done])
        found.append(index)
    return sorted(zip(found, rows, strict=True), key=lambda pair: pair[0])


def _relation_words(index: int, row: Floats, lengths: Floats, means: Floats, names: Sequence[str]) -> str:
    """One relation as a formula in the units of the columns, if it is short."""
    others = _others(index, row)
    if not others:
        return f"'{names[index]}' is constant"
    if len(others) > MOST_TERMS:
        return f"'{names[index]}' is a combination of {len(others)} columns"
    factors = [-float(row[other] * lengths[index] / lengths[other]) for other in others]
    rest = float(means[index] - sum(f * means[o] for f, o in zip(factors, others, strict=True)))
    terms = [_term(factor, f"'{names[other]}'") for factor, other in zip(factors, others, strict=True)]
    size = max(abs(float(means[index])), *(abs(f * means[o]) for f, o in zip(factors, others, strict=True)))
    if abs(rest) > NOTHING * size:
        terms.append(f"{'-' if rest < 0 else '+'} {abs(rest):.4g}")
    return f"'{names[index]}' = {' '.join(terms).removeprefix('+ ')}"


def _others(index: int, row: Floats) -> list[int]:
    """The columns that a relation has besides this one."""
    return [other for other in np.flatnonzero(np.abs(row) > NOTHING).tolist() if other != index]


def _term(factor: float, name: str) -> str:
    size = f"{abs(factor):.4g}"
    return f"{'-' if factor < 0 else '+'} {name if size == '1' else f'{size} · {name}'}"
