"""The coefficients of least squares with what is known of their errors, as a table that prints itself."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout.learners.parameters import Parameter

Floats = NDArray[np.float64]

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
    """A coefficient in four digits that count, a large one as the whole number.

    >>> coefficient_text(0.12345), coefficient_text(-16114.2), coefficient_text(float("nan"))
    ('0.1235', '-16,114', '-')
    """
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e12 else f"{value:.4g}"


def _p_value(value: float) -> str:
    if math.isnan(value):
        return "-"
    return "<1e-16" if value < 1e-16 else f"{value:.3g}"
