"""Bounds that hold for every sample size: how far an error on rows may lie from the true one.

Hoeffding's for models that were fixed before they saw the rows, the bound of Vapnik and Chervonenkis for
those that were fitted to them. Both hold whatever the data are, and are therefore wide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.checks.values import check_confidence, check_count
from heldout.errors import RequestError
from heldout.stats.interval import Result
from heldout.text.numbers import number_text, percent_text
from heldout.text.words import plural

NOT_SAID = "It is not said whether this sample is one of the others."


@dataclass(frozen=True)
class Bound(Result):
    """How far an error on rows may lie from the true error.

    Attributes
    ----------
    deviation
        the largest distance that is not excluded; 1 or more excludes nothing
    n_rows
        on how many rows the error is measured
    m
        from how many models, or ways to label the rows, one is chosen; infinite where a float is
    confidence
        in so many samples at least the bound holds
    words
        what it holds for

    Examples
    --------
    >>> print(Bound(0.0429, 1000, 1.0, 0.95, "1 model fixed before it saw them (Hoeffding)"))
    Over 1,000 rows and for 1 model fixed before it saw them (Hoeffding), the error on the rows and the true \
error lie at most 0.043 apart in at least 95% of samples. It is not said whether this sample is one of the \
others.
    """

    deviation: float
    n_rows: int
    m: float
    confidence: float
    words: str

    @property
    def is_empty(self) -> bool:
        """Whether it excludes nothing."""
        return self.deviation >= 1

    def __str__(self) -> str:
        about = f"Over {plural(self.n_rows, 'row')} and for {self.words}"
        if self.is_empty:
            return (
                f"{about}, the bound ({number_text(self.deviation)}) excludes nothing: the rows are too few."
            )
        share = percent_text(self.confidence)
        apart = f"the error on the rows and the true error lie at most {number_text(self.deviation)} apart"
        return f"{about}, {apart} in at least {share} of samples. {NOT_SAID}"

    def to_svg(self) -> str:
        """The distances that are not excluded, around 0."""
        end = min(self.deviation, 1.0)
        line = PictureInterval(label="true error − error", estimate=0.0, low=-end, high=end, title=str(self))
        return interval_svg([line], title="distance from the true error", caption=self.words, reference=0.0)


def hoeffding(n_rows: int, m: int = 1, confidence: float = 0.95) -> Bound:
    """Hoeffding's bound for m models that were fixed before they saw the rows: √(ln(2m/δ) / 2n).

    δ = 1 − confidence. It holds for both sides and for all m at once, hence also for the one that looks best
    on the rows.

    Parameters
    ----------
    n_rows
        how many rows the errors are measured on
    m
        how many models there are
    confidence
        in so many samples at least it holds

    Examples
    --------
    >>> round(hoeffding(1000).deviation, 4), round(hoeffding(1000, m=100).deviation, 4)
    (0.0429, 0.0644)
    """
    confidence = check_confidence(confidence)
    n_rows = check_count("n_rows", n_rows)
    m = check_count("m", m, lowest=1)
    log_misses = math.log(2) + math.log(m) - math.log(1 - confidence)
    deviation = math.sqrt(log_misses / (2 * n_rows)) if n_rows else math.inf
    models = "1 model fixed before it saw" if m == 1 else f"{m:,} models fixed before they saw"
    size = float(m) if m < 1e300 else math.inf
    return Bound(deviation, n_rows, size, confidence, f"{models} them (Hoeffding)")


def vc_bound(n_rows: int, d: int, confidence: float = 0.95) -> Bound:
    """The VC bound for whatever was fitted to the rows: √(8/n · ln(4 · growth(2n) / δ)), δ = 1 − confidence.

    Of the forms that exist this is Vapnik and Chervonenkis' own, as in "Learning from Data" (Abu-Mostafa,
    Magdon-Ismail & Lin): `P(|E_in − E_out| > ε)` is at most 4 · growth(2n) · exp(−ε²n/8). The growth function
    is replaced by Sauer's bound, the sum of the first d + 1 binomial coefficients, at most that book's
    (2n)^d + 1.

    Parameters
    ----------
    n_rows
        how many rows were fitted
    d
        the VC dimension: 3 for lines in a plane, inputs + 1 for a linear model

    Examples
    --------
    >>> round(vc_bound(10_000, d=3).deviation, 3), vc_bound(100, d=3).is_empty
    (0.161, True)
    """
    confidence = check_confidence(confidence)
    n_rows = check_count("n_rows", n_rows)
    d = check_dimension(d)
    log_size = log_growth(2 * n_rows, d)
    log_misses = math.log(4) + log_size - math.log(1 - confidence)
    deviation = math.sqrt(8 * log_misses / n_rows) if n_rows else math.inf
    size = math.exp(log_size) if log_size < 690 else math.inf
    return Bound(
        deviation, n_rows, size, confidence, f"whatever model of VC dimension {d:,} was fitted to them (VC)"
    )


def growth_function(n_rows: int, d: int) -> int:
    """In how many ways at most models of VC dimension d can label so many rows (Sauer).

    The sum of C(n, i) for i = 0 … d; up to d rows that is every way, 2^n.

    Examples
    --------
    >>> growth_function(3, 3), growth_function(4, 3), growth_function(100, 3)
    (8, 15, 166751)
    """
    n_rows = check_count("n_rows", n_rows)
    d = check_dimension(d)
    if d >= n_rows:
        return 1 << n_rows
    total = term = 1
    for index in range(1, d + 1):
        term = term * (n_rows - index + 1) // index
        total += term
    return total


def log_growth(n_rows: int, d: int) -> float:
    """The logarithm of the growth function, for numbers of rows and dimensions of any size."""
    if d >= n_rows:
        return n_rows * math.log(2)
    import numpy as np
    from scipy.special import gammaln, logsumexp

    indices = np.arange(d + 1)
    terms = gammaln(n_rows + 1) - gammaln(indices + 1) - gammaln(n_rows - indices + 1)
    # Rounding may not lift it above 2^n.
    return min(float(logsumexp(terms)), n_rows * math.log(2))


def chance_to_fit(n_rows: int, d: int) -> float:
    """How often at most labels drawn by a fair coin can be fitted without an error: growth(n) / 2^n.

    The smaller it is, the more a perfect fit says.

    Examples
    --------
    >>> chance_to_fit(3, 3), round(chance_to_fit(20, 3), 6)
    (1.0, 0.001288)
    """
    n_rows = check_count("n_rows", n_rows)
    return min(math.exp(log_growth(n_rows, check_dimension(d)) - n_rows * math.log(2)), 1.0)


def check_dimension(d: Any) -> int:
    """A VC dimension as an int of at least 0; more than 100 million are refused."""
    dimension = check_count("d", d)
    if dimension > 100_000_000:
        raise RequestError(
            "no bound is computed for so large a VC dimension",
            where=f"d={dimension}",
            fix="with d as large as the number of rows every labelling can be fitted, and the bound is empty",
        )
    return dimension
