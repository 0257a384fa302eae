"""The coefficients of least squares with what is known of their errors, as a table that prints itself."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.charts.axes import PictureAxis
from heldout.charts.line_picture import MOST_LABELS, PictureLine, PictureLines, line_svg
from heldout.charts.scales import NumberScale, spanning_scale
from heldout.charts.theme import N_CLASS_COLOURS, OTHER
from heldout.learners.linear.ridge_spectrum import RidgeSpectrum
from heldout.learners.parameters import Parameter
from heldout.text.words import plural

INTERCEPT = "(intercept)"
# How many columns a text shows.
MAX_COLUMNS = Parameter("max_columns", number="integer", lowest=0)


@dataclass(frozen=True, eq=False)
class CoefficientTable:
    """One entry for each coefficient, the intercept first if there is one.

    Errors are NaN where they are not known: where no degrees of freedom are left, and for coefficients that
    dependent columns leave undetermined.

    names:             of the columns, and "(intercept)"
    estimates:         the coefficients
    standard_errors:   how much they would vary if the targets were drawn again, all else equal
    t_values:          estimates divided by standard errors
    p_values:          of the t-test that the coefficient is 0, two-sided
    lower, upper:      the confidence interval
    confidence:        its level
    residual_variance: the estimated variance of the targets around the fit
    residual_degrees:  the number of rows, by weight, less the number of independent coefficients
    r_squared:         the part of the training targets' squares that the fit explains, about their mean, or
                       about 0 where there is no intercept
    """

    names: tuple[str, ...]
    estimates: Floats
    standard_errors: Floats
    t_values: Floats
    p_values: Floats
    lower: Floats
    upper: Floats
    confidence: float
    residual_variance: float
    residual_degrees: float
    r_squared: float

    def __str__(self) -> str:
        head = ("", "estimate", "std. error", "t", "p", f"{100 * self.confidence:g}% interval", "")
        columns = (
            [coefficient_text(value) for value in self.estimates],
            [coefficient_text(value) for value in self.standard_errors],
            [f"{value:.2f}" if math.isfinite(value) else coefficient_text(value) for value in self.t_values],
            [_p_value(value) for value in self.p_values],
            [coefficient_text(value) for value in self.lower],
            [coefficient_text(value) for value in self.upper],
        )
        lines = [head, *zip(self.names, *columns, strict=True)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        # The head of the interval stands over both of its columns.
        widths[5] = max(map(len, columns[4]))
        widths[6] = max(max(map(len, columns[5])), len(head[5]) - widths[5] - 2)
        first = [cell.rjust(width) for cell, width in zip(head[1:5], widths[1:5], strict=True)]
        text = ["  ".join([" " * widths[0], *first, head[5].rjust(widths[5] + widths[6] + 2)])]
        for line in lines[1:]:
            cells = [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
            text.append("  ".join([line[0].ljust(widths[0]), *cells]))
        return "\n".join([*text, self._foot()])

    def _foot(self) -> str:
        if self.residual_degrees <= 0:
            return "no degrees of freedom are left: the errors of the coefficients are not known"
        foot = (
            f"residual variance {self.residual_variance:.4g} on {self.residual_degrees:.10g} degrees of"
            f" freedom, R² {self.r_squared:.4g} on the training rows"
        )
        if np.isnan(self.standard_errors).any():
            foot += "\n-: not determined, as columns depend on each other"
        return foot


def coefficient_table(
    names: tuple[str, ...],
    estimates: Floats,
    standard_errors: Floats,
    confidence: float,
    residual_variance: float,
    residual_degrees: float,
    r_squared: float,
) -> CoefficientTable:
    """The table, with t-tests and intervals made from the standard errors."""
    from scipy.special import stdtr, stdtrit  # takes 0.1 s

    unknown = np.full(len(estimates), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        t_values = np.asarray(estimates / standard_errors)
    p_values, reach = unknown, unknown
    if residual_degrees > 0:
        p_values = np.asarray(2.0 * stdtr(residual_degrees, -np.abs(t_values)))
        reach = stdtrit(residual_degrees, 0.5 + confidence / 2) * standard_errors
    return CoefficientTable(
        names,
        estimates,
        standard_errors,
        t_values,
        p_values,
        estimates - reach,
        estimates + reach,
        confidence,
        residual_variance,
        residual_degrees,
        r_squared,
    )


def coefficient_text(value: float) -> str:
    """A coefficient in four digits that count, a large one as the whole number."""
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e12 else f"{value:.4g}"


def _p_value(value: float) -> str:
    if math.isnan(value):
        return "-"
    return "<1e-16" if value < 1e-16 else f"{value:.3g}"


@dataclass(frozen=True, eq=False)
class CoefficientPath:
    """The coefficients at each penalty.

    names:        of the columns
    alphas:       the penalties
    df:           the effective degrees of freedom at each
    coefficients: one row for each penalty, one column for each name
    intercepts:   one for each penalty
    """

    names: tuple[str, ...]
    alphas: Floats
    df: Floats
    coefficients: Floats
    intercepts: Floats

    def __len__(self) -> int:
        return len(self.alphas)

    def to_svg(self) -> str:
        """The path as a picture, SVG, light or dark as the reader's system is, without any script.

        Each line is a coefficient, over the effective degrees of freedom; at 0 all of them are 0. Of many
        columns those with the largest coefficients are named.
        """

        return path_svg(self)

    def _repr_html_(self) -> str:
        from heldout.charts.notebook_piece import NotebookPiece, piece_html

        return piece_html(NotebookPiece("coefficient path", picture=self.to_svg()))


def coefficient_path(spectrum: RidgeSpectrum, alphas: Floats, names: tuple[str, ...]) -> CoefficientPath:
    """The coefficients at each of the penalties."""
    solved = [spectrum.solve(alpha) for alpha in alphas.tolist()]
    return CoefficientPath(
        names,
        alphas,
        np.array([spectrum.df(alpha) for alpha in alphas.tolist()]),
        np.array([coef for coef, _ in solved]),
        np.array([intercept for _, intercept in solved]),
    )


MOST_LINES = 200
# Of more lines than can have a label these have one.
N_NAMED = 12


def path_svg(path: CoefficientPath) -> str:
    """The picture of a coefficient path."""
    order = np.argsort(path.df, kind="stable")
    # Without a degree of freedom every coefficient is 0: there all lines begin.
    df = np.append(0.0, path.df[order])
    coefficients = np.vstack([np.zeros(len(path.names)), path.coefficients[order]])
    across = NumberScale(0.0, float(df[-1]) or 1.0)
    upwards = spanning_scale(coefficients.ravel())
    ranked = np.argsort(-np.abs(coefficients).max(axis=0), kind="stable").tolist()
    drawn = ranked[:MOST_LINES]
    n_labels = len(drawn) if len(drawn) <= MOST_LABELS else N_NAMED
    lines = [
        _line(
            path.names[column], coefficients[:, column], across.positions(df), upwards, rank, rank < n_labels
        )
        for rank, column in enumerate(drawn)
    ]
    return line_svg(
        PictureLines(
            title="How the coefficients shrink",
            caption=_caption(len(path.names), len(drawn), n_labels),
            description=_description(path, drawn, coefficients[-1]),
            x=PictureAxis("effective degrees of freedom", across.ticks),
            y=PictureAxis("coefficient", upwards.ticks),
            lines=lines,
            zero=float(upwards.positions(np.zeros(1))[0]),
        )
    )


def _line(
    name: str,
    values: NDArray[np.float64],
    across: NDArray[np.float64],
    upwards: NumberScale,
    rank: int,
    is_named: bool,
) -> PictureLine:
    points = list(zip(across.tolist(), upwards.positions(values).tolist(), strict=True))
    title = f"{name}: {values[-1]:.4g} at the right end"
    return PictureLine(name if is_named else "", title, points, rank if rank < N_CLASS_COLOURS else OTHER)


def _caption(n_columns: int, n_drawn: int, n_labels: int) -> str:
    caption = f"ridge, {plural(n_columns, 'coefficient')}: the penalty grows from right to left"
    if n_drawn < n_columns:
        caption += f"; the {n_drawn} largest are drawn"
    return f"{caption}; the {n_labels} largest are named" if n_labels < n_drawn else caption


def _description(path: CoefficientPath, drawn: list[int], last: NDArray[np.float64]) -> str:
    ends = ", ".join(f"{path.names[column]} {last[column]:.4g}" for column in drawn[:N_CLASS_COLOURS])
    return (
        f"Lines of {plural(len(drawn), 'coefficient')} over the effective degrees of freedom, from 0 at the"
        f" left to {float(path.df.max()):.4g} at the right, where they are: {ends}."
    )
