"""The error of ridge on each row when the row itself was not learned from, for every penalty at once.

Leaving a row out of least squares with a quadratic penalty changes its residual e into e / (1 - h), where h
is the row's own share in its fit. This holds with weights, and with an intercept and means that are
found without the row; so one decomposition gives what as many fits as there are rows would give.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import RequestError
from heldout.learners.linear.linear_model import LinearData
from heldout.learners.linear.ridge_spectrum import EPS, RidgeSpectrum, ridge_spectrum
from heldout.text.words import plural

CELLS_PER_BLOCK = 1_000_000
# A row that leaves less than this to the others is looked at again.
DOUBTFUL = 1e-7
# What is left to the other rows is exactly nothing, and this is rounding.
ROUNDING = 1e-12
# How much rounding may change a prediction, as a part of the largest target.
INEXACT = 1e-11
MOST_LINES = 12


@dataclass(frozen=True, eq=False)
class RidgeLeaveOneOut:
    """What ridge predicts for each row from all others.

    alphas:      the penalties, as they were given
    df:          the effective degrees of freedom at each, with all rows
    errors:      the mean of the squared errors at each, by weight
    predictions: one row for each penalty, one column for each row of X; a row of weight 0 was never learned
                 from, and is predicted from all others
    """

    alphas: Floats
    df: Floats
    errors: Floats
    predictions: Floats

    @property
    def best(self) -> int:
        """The index of the least error; of equal ones that of the largest penalty."""
        indices = np.flatnonzero(self.errors == self.errors.min())
        return int(indices[self.alphas[indices].argmax()])

    @property
    def best_alpha(self) -> float:
        """The penalty of the least error."""
        return float(self.alphas[self.best])

    def __str__(self) -> str:
        n_alphas = len(self.alphas)
        shown = np.linspace(0, n_alphas - 1, min(n_alphas, MOST_LINES)).round().astype(int).tolist()
        lines = [("alpha", "df", "error", "")]
        for index in sorted({*shown, self.best}):
            mark = "  <- least" if index == self.best else ""
            numbers = (self.alphas[index], self.df[index], self.errors[index])
            alpha, df, error = (f"{number:.4g}" for number in numbers)
            lines.append((alpha, df, error, mark))
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        head = f"leave-one-out error over {plural(self.predictions.shape[1], 'row')}"
        table = ["  ".join(map(str.rjust, line[:3], widths)) + line[3] for line in lines]
        return "\n".join([head, *table])


def leave_one_out(
    data: LinearData, spectrum: RidgeSpectrum, alphas: Floats, fit_intercept: bool, penalize_intercept: bool
) -> RidgeLeaveOneOut:
    """What each row is predicted to be without it.

    spectrum: of these data
    """
    if spectrum.targets.n_rows < 2:
        raise RequestError(
            "to leave one row out, there must be two",
            where="leave_one_out, 1 row of weight above 0",
            fix="give more rows",
        )
    targets, exponent = spectrum.targets, spectrum.targets.exponent
    changes, doubtful = _changes(spectrum, alphas)
    if targets.roots is not None:
        changes /= targets.roots[:, np.newaxis]
    kept = np.arange(len(data.targets)) if targets.kept is None else targets.kept
    predictions = np.empty((len(alphas), len(data.targets)))
    predictions[:, kept] = data.targets[kept] - np.ldexp(changes.T, exponent)
    for row in kept[doubtful].tolist():
        predictions[:, row] = _refitted(data, row, alphas, fit_intercept, penalize_intercept)
    if targets.kept is not None:
        outside = np.setdiff1d(np.arange(len(data.targets)), kept)
        predictions[:, outside] = _predicted(spectrum, data.matrix[outside], alphas)
    errors = np.ldexp(predictions[:, kept] - data.targets[kept], -exponent)
    with np.errstate(over="ignore", under="ignore"):
        error = np.ldexp((errors**2) @ targets.weights / targets.total, 2 * exponent)
    df = np.array([spectrum.df(alpha) for alpha in alphas.tolist()])
    return RidgeLeaveOneOut(alphas, df, error, predictions)


def _changes(spectrum: RidgeSpectrum, alphas: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """e / (1 - h) for each row and penalty, and the rows for which it is not exact enough."""
    n_rows, n_columns = spectrum.rows.shape
    is_saturated = spectrum.rank + spectrum.is_centered == n_rows
    changes = np.empty((n_rows, len(alphas)))
    doubtful: list[NDArray[np.intp]] = []
    height = max(1, CELLS_PER_BLOCK // max(n_columns, 1))
    inverses = 1.0 / (spectrum.squares[:, np.newaxis] + alphas)
    for begin in range(0, n_rows, height):
        end = min(begin + height, n_rows)
        shares = _shares(spectrum, begin, end)
        if is_saturated:
            changes[begin:end], is_rough = _of_saturated(shares, spectrum, inverses)
            rows = np.flatnonzero(is_rough)
        else:
            changes[begin:end], rows = _of_free(shares, spectrum, inverses, begin, end)
        doubtful.append(rows + begin)
    return changes, np.concatenate(doubtful)


def _shares(spectrum: RidgeSpectrum, begin: int, end: int) -> Floats:
    """US for some of the rows."""
    if spectrum.left is not None:
        return np.asarray(spectrum.left[begin:end] * np.sqrt(spectrum.squares))
    assert spectrum.right is not None
    return spectrum.rows.times(spectrum.right, begin, end)


def _of_saturated(
    shares: Floats, spectrum: RidgeSpectrum, inverses: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """Where the columns can reach any target, both e and 1 - h vanish with α, and their ratio does not.

    Also tells the rows whose ratio is not exact enough: they are far from all others, and terms cancel.
    """
    roots = np.sqrt(spectrum.squares)
    units, projections = shares / roots, spectrum.scores / roots
    left_over = units**2 @ inverses
    changes = (units @ (projections[:, np.newaxis] * inverses)) / left_over
    rounding = np.abs(projections) @ inverses + 2 * np.abs(changes) * (np.abs(units) @ inverses)
    return changes, np.asarray((EPS * rounding > INEXACT * left_over).any(axis=1))


def _of_free(
    shares: Floats, spectrum: RidgeSpectrum, inverses: Floats, begin: int, end: int
) -> tuple[Floats, NDArray[np.intp]]:
    """The general case; rows on which a coefficient depends alone are computed without cancellation."""
    targets = spectrum.targets
    free = np.ones(end - begin)
    if spectrum.is_centered:
        free -= (1.0 if targets.roots is None else targets.weights[begin:end]) / targets.total
    residuals = shares @ (-spectrum.scores[:, np.newaxis] * inverses)
    residuals += targets.values[begin:end, np.newaxis]
    left_over = (shares * shares) @ -inverses
    left_over += free[:, np.newaxis]
    rows = np.flatnonzero((left_over < DOUBTFUL).any(axis=1))
    left_over[rows] = np.maximum(left_over[rows], ROUNDING)  # what comes of it is replaced
    changes = residuals / left_over
    if len(rows):
        units = (shares[rows] ** 2 / spectrum.squares).sum(axis=1)
        is_alone = free[rows] - units < ROUNDING
        alone, rows = rows[is_alone], rows[~is_alone]
        changes[alone], is_rough = _of_saturated(shares[alone], spectrum, inverses)
        rows = np.append(rows, alone[is_rough])
    return changes, rows


def _refitted(
    data: LinearData, row: int, alphas: Floats, fit_intercept: bool, penalize_intercept: bool
) -> Floats:
    """What a row is predicted to be by fits without it."""
    others = np.delete(np.arange(len(data.targets)), row)
    weights = None if data.weights is None else data.weights[others]
    spectrum = ridge_spectrum(
        data.matrix[others], data.targets[others], weights, fit_intercept, penalize_intercept
    )
    return _predicted(spectrum, data.matrix[[row]], alphas)[:, 0]


def _predicted(spectrum: RidgeSpectrum, matrix: Floats, alphas: Floats) -> Floats:
    solved = [spectrum.solve(alpha) for alpha in alphas.tolist()]
    return np.array([matrix @ coef + intercept for coef, intercept in solved])
