"""Occam's bound: how often a model that takes few bits to describe, and fits its rows, may err in truth."""

from __future__ import annotations

import math
from dataclasses import dataclass

from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.checks.values import check_amount, check_confidence, check_count, check_share
from heldout.stats.interval import Result
from heldout.stats.looks import level_after_bits, upper_rate
from heldout.text.numbers import number_text, percent_text
from heldout.text.words import plural


@dataclass(frozen=True)
class OccamBound(Result):
    """An upper bound of the true error of a model that was fitted to rows.

    Attributes
    ----------
    train_error
        on the rows it was fitted to
    bits
        how long its description is
    n_rows
        how many rows they are
    confidence
        in so many samples at least the bound holds, for all models at once
    upper
        the bound of the lectures: train_error + deviation (Hoeffding)
    tighter
        the same from the tail of the binomial itself; never wider
    deviation
        √((bits · ln 2 + ln(1/δ)) / 2n)

    Examples
    --------
    >>> print(occam_bound(0.02, bits=40, n_rows=1000))
    A model of 40 bits with a training error of 0.020 on 1,000 rows has a true error of at most 0.073 by the \
tail of the binomial (0.144 by Hoeffding), in at least 95% of samples and for all models at once, if the \
code was fixed before the rows were seen. It is no estimate: the true error is usually far lower.
    """

    train_error: float
    bits: float
    n_rows: int
    confidence: float
    upper: float
    tighter: float
    deviation: float

    def __str__(self) -> str:
        size = f"A model of {self.bits:,.4g} bits" if self.bits != 1 else "A model of 1 bit"
        fit = (
            f"{size} with a training error of {number_text(self.train_error)} on {plural(self.n_rows, 'row')}"
        )
        if self.tighter >= 1:
            reason = "it has every row wrong" if self.train_error >= 1 else "it is too long for so few rows"
            return f"{fit}: the bound excludes nothing, because {reason}."
        hoeffding = (
            f"{number_text(self.upper)} by Hoeffding" if self.upper < 1 else "Hoeffding excludes nothing"
        )
        share = percent_text(self.confidence)
        return (
            f"{fit} has a true error of at most {number_text(self.tighter)} by the tail of the binomial"
            f" ({hoeffding}), in at least {share} of samples and for all models at once, if the code was"
            " fixed before the rows were seen. It is no estimate: the true error is usually far lower."
        )

    def to_svg(self) -> str:
        """The training error and both bounds."""
        ends = [("tail of the binomial", self.tighter), ("Hoeffding", min(self.upper, 1.0))]
        lines = [
            PictureInterval(
                label, self.train_error, self.train_error, end, f"{label}: at most {number_text(end)}", index
            )
            for index, (label, end) in enumerate(ends)
        ]
        return interval_svg(
            lines, title="true error, at most", caption=f"{self.bits:,.4g} bits", ends=(0.0, 1.0)
        )


def occam_bound(train_error: float, bits: float, n_rows: int, confidence: float = 0.95) -> OccamBound:
    """At most how often a model of so many bits errs, in truth: error + √((bits · ln 2 + ln(1/δ)) / 2n).

    There are 2^bits models of so many bits, and Hoeffding's bound holds for all of them at once. It is the
    one-sided form (ln(1/δ), not ln(2/δ)), because only errors above the training error are to be excluded.
    For a code of which no word begins another, each model may have its own length (Kraft: Σ 2^−bits ≤ 1).

    Parameters
    ----------
    train_error
        share of the training rows that it has wrong
    bits
        the length of its description in a code that was fixed before the rows were seen, such as
        `TreeClassifier.fixed_code_bits`; `description_bits` depends on the rows and is none
    n_rows
        how many training rows there are
    confidence
        in so many samples at least the bound holds

    Examples
    --------
    >>> found = occam_bound(0.02, bits=40, n_rows=1000)
    >>> round(found.upper, 4), round(found.tighter, 4)
    (0.1439, 0.073)
    """
    train_error = check_share("train_error", train_error)
    bits = check_amount(
        "bits",
        bits,
        fix="use tree.fixed_code_bits(n_values), with a grid that was fixed before the rows were seen",
    )
    n_rows = check_count("n_rows", n_rows)
    confidence = check_confidence(confidence)
    log_tail = level_after_bits(confidence, bits)
    if not n_rows:
        return OccamBound(train_error, bits, 0, confidence, 1.0, 1.0, math.inf)
    deviation = math.sqrt(-log_tail / (2 * n_rows))
    # A share that is no whole number of rows (weights) is rounded up: more errors, a higher bound.
    n_errors = math.ceil(train_error * n_rows - 1e-6)
    upper = min(train_error + deviation, 1.0)
    tighter = min(upper_rate(n_errors, n_rows, log_tail), upper)
    return OccamBound(train_error, bits, n_rows, confidence, upper, tighter, deviation)
