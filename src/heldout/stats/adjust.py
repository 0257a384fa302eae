"""Many tests at once: p-values adjusted so that discoveries among them can be believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from heldout.arrays import Floats
from heldout.charts.interval_picture import PictureInterval, interval_svg
from heldout.checks.values import check_choice
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.stats.interval import Result
from heldout.text.numbers import p_value_text, percent_text
from heldout.text.words import plural

METHODS = {"holm": "Holm", "bonferroni": "Bonferroni", "benjamini_hochberg": "Benjamini-Hochberg"}
SYNONYMS = {
    "bh": "benjamini_hochberg",
    "fdr": "benjamini_hochberg",
    "fdr_bh": "benjamini_hochberg",
    "holm_bonferroni": "holm",
}
_MOST_SHOWN = 12


@dataclass(frozen=True)
class Adjusted(Result):
    """Several p-values, adjusted together.

    Attributes
    ----------
    method
        "holm", "bonferroni" or "benjamini_hochberg"
    level
        what is a discovery: an adjusted p-value of at most this
    names
        of the tests
    p_values
        as they were
    adjusted
        the smallest level at which each would be a discovery
    is_rejected
        whether each is one at this level
    """

    method: str
    level: float
    names: tuple[str, ...]
    p_values: tuple[float, ...]
    adjusted: tuple[float, ...]
    is_rejected: tuple[bool, ...]

    @property
    def n_discoveries(self) -> int:
        return sum(self.is_rejected)

    @property
    def discoveries(self) -> tuple[str, ...]:
        """The names of the tests that are discoveries."""
        return tuple(name for name, is_one in zip(self.names, self.is_rejected, strict=True) if is_one)

    def __str__(self) -> str:
        found = plural(self.n_discoveries, "discovery", "discoveries")
        level = percent_text(self.level)
        first = f"{plural(len(self.names), 'test')}, {found} at {level} ({METHODS[self.method]})."
        lines = [
            f"{name}: {p_value_text(p)},"
            f" adjusted {p_value_text(adjusted).removeprefix('p ').removeprefix('= ')}."
            for name, p, adjusted in zip(self.names, self.p_values, self.adjusted, strict=True)
        ]
        if len(lines) > _MOST_SHOWN:
            lines = [*lines[:_MOST_SHOWN], f"And {len(lines) - _MOST_SHOWN:,} more."]
        return " ".join([first, *lines, _promise(self.method, level)])

    def to_svg(self) -> str:
        """Each p-value with a line to what it is adjusted to, and the level."""
        lines = [
            PictureInterval(
                name, adjusted, p, adjusted, f"{name}: {p_value_text(p)}, adjusted {adjusted:.3g}", index
            )
            for name, p, adjusted, index in zip(
                self.names,
                self.p_values,
                self.adjusted,
                (int(not each) for each in self.is_rejected),
                strict=True,
            )
        ]
        title = f"p-values of {plural(len(self.names), 'test')}, adjusted by {METHODS[self.method]}"
        return interval_svg(lines, title, reference=self.level, ends=(0.0, 1.0), axis="adjusted p-value")


def adjust(p_values: Any, method: str = "holm", level: float = 0.05, names: Any = None) -> Adjusted:
    """p-values of several tests, adjusted for how many there are.

    Parameters
    ----------
    p_values
        numbers from 0 to 1; or results of tests; or a dict of either, by name
    method
        "holm": at most 5% of such families have a false discovery at all, however the tests depend on
        each other; "bonferroni": the same, with less power; "benjamini_hochberg": of the discoveries at
        most 5% are false on average, for tests that are independent or lean the same way
    level
        what is a discovery
    names
        of the tests; left out, their numbers

    Examples
    --------
    >>> found = adjust([0.010, 0.022, 0.025, 0.039, 0.20], "benjamini_hochberg")
    >>> found.n_discoveries, [round(p, 5) for p in found.adjusted]
    (4, [0.04167, 0.04167, 0.04167, 0.04875, 0.2])
    """
    check_choice("method", method, tuple(METHODS), SYNONYMS)
    if not isinstance(level, Real) or isinstance(level, bool) or not 0 < float(level) < 1:
        raise RequestError(
            "level must be a number above 0 and below 1", where=f"level={level!r:.60}", fix="use 0.05"
        )
    if isinstance(p_values, Mapping):
        names, p_values = (
            [str(name) for name in p_values] if names is None else names,
            list(p_values.values()),
        )
    numbers = _p_values(p_values)
    labels = _names(names, len(numbers))
    adjusted = adjusted_p(numbers, method)
    # An adjusted p of 0.05 may end in a digit of rounding.
    is_rejected = adjusted <= float(level) * (1 + 1e-12)
    return Adjusted(
        method,
        float(level),
        labels,
        tuple(numbers.tolist()),
        tuple(adjusted.tolist()),
        tuple(is_rejected.tolist()),
    )


def adjusted_p(p_values: Floats, method: str) -> Floats:
    """The smallest level at which each test would be a discovery."""
    n_tests = len(p_values)
    if not n_tests:
        return p_values
    if method == "bonferroni":
        return np.minimum(p_values * n_tests, 1.0)
    if method == "benjamini_hochberg":
        from scipy.stats import false_discovery_control

        return np.asarray(false_discovery_control(p_values), dtype=np.float64)
    order = np.argsort(p_values, kind="stable")
    # The smallest counts for all tests, the next for all but one, and none is below one before it.
    stepped = np.maximum.accumulate(p_values[order] * np.arange(n_tests, 0, -1))
    adjusted = np.empty(n_tests)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def _p_values(p_values: Any) -> Floats:
    given = [getattr(each, "p_value", each) for each in _listed(p_values)]
    try:
        numbers = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(
            "p_values must be numbers, or results of tests",
            where=f"{plural(len(given), 'entry', 'entries')}, first {given[0]!r:.40}",
            fix="give one p-value per test",
        ) from error
    if numbers.ndim != 1:
        raise DataError(
            "p_values must have one dimension",
            where=f"p_values has the shape {numbers.shape}",
            fix="give one p-value per test, such as p_values.ravel()",
        )
    is_wrong = ~((numbers >= 0) & (numbers <= 1))
    if is_wrong.any():
        index = int(np.flatnonzero(is_wrong)[0])
        raise DataError(
            "a p-value lies between 0 and 1",
            where=f"{is_wrong.sum()} of {len(numbers)} tests, first {numbers[index]:g} in test {index + 1}",
            fix="leave tests without a p-value out, or count them with p = 1",
        )
    return numbers


def _listed(p_values: Any) -> list[Any]:
    try:
        return list(p_values)
    except TypeError as error:
        raise InputTypeError(
            "p_values must be a list", where=f"p_values={p_values!r:.60}", fix="give one p-value per test"
        ) from error


def _names(names: Any, n_tests: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"test {number}" for number in range(1, n_tests + 1))
    listed = [str(name) for name in names]
    if len(listed) != n_tests:
        raise DataError(
            "there must be a name for every test",
            where=f"{plural(len(listed), 'name')} for {plural(n_tests, 'test')}",
            fix="give as many names as p-values, or none",
        )
    return tuple(listed)


def _promise(method: str, level: str) -> str:
    if method == "benjamini_hochberg":
        return (
            f"Of such lists of discoveries on average at most {level} are false, if the tests are independent"
            " or lean the same way; which ones is not said, and what is no discovery is not shown to be"
            " nothing."
        )
    return (
        f"Of families judged this way at most {level} hold a false discovery;"
        " what is no discovery is not shown to be nothing."
    )
