"""Which rows a resample draws: single rows, rows within strata, whole groups, or blocks of time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, RequestError
from heldout.stats.choices import check_count
from heldout.stats.two_classes import label_array
from heldout.table.describe import first_of_rows, plural

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class ResamplePlan:
    """How rows are drawn, and which of them are left out together by the jackknife.

    unit:    what is drawn: "row", "group", "block"
    n_units: how many of them there are
    parts:   the rows of each unit
    strata:  the units of each stratum; drawn as many as there are, from each by itself
    order:   for blocks the rows in the order of time, otherwise None
    block:   rows in a block
    words:   how it was drawn, for the sentence
    """

    unit: str
    n_units: int
    parts: list[Rows] | None
    strata: list[Rows]
    order: Rows | None
    block: int
    words: str

    def draws(self, generator: np.random.Generator, n_resamples: int) -> Iterator[Rows]:
        """The rows of each resample."""
        for _ in range(n_resamples):
            yield self._drawn_blocks(generator) if self.order is not None else self._drawn_units(generator)

    def _drawn_units(self, generator: np.random.Generator) -> Rows:
        drawn = [units[generator.integers(len(units), size=len(units))] for units in self.strata]
        units = drawn[0] if len(drawn) == 1 else np.concatenate(drawn)
        if self.parts is None:
            return units
        return np.concatenate([self.parts[unit] for unit in units])

    def _drawn_blocks(self, generator: np.random.Generator) -> Rows:
        # The rows are bent to a circle, so that the first and the last are drawn as often as all others.
        assert self.order is not None
        n_rows = len(self.order)
        starts = generator.integers(n_rows, size=math.ceil(n_rows / self.block))
        places: Rows = (starts[:, np.newaxis] + np.arange(self.block)).ravel()[:n_rows] % n_rows
        return np.asarray(self.order[places])

    def left_out(self) -> list[Rows]:
        """The rows of each unit, to be left out together; blocks of time lie side by side."""
        if self.order is not None:
            return [self.order[start : start + self.block] for start in range(0, len(self.order), self.block)]
        if self.parts is not None:
            return self.parts
        return [np.array([row]) for row in range(self.n_units)]


def resample_plan(
    n_rows: int, stratify: Any = None, groups: Any = None, time: Any = None, block: Any = None
) -> ResamplePlan:
    """The plan for rows of these strata and groups, or of these times.

    >>> plan = resample_plan(4, stratify=["a", "b", "b", "a"])
    >>> rows = next(plan.draws(np.random.default_rng(0), 1))
    >>> sorted("abba"[row] for row in rows)
    ['a', 'a', 'b', 'b']
    """
    if time is not None or block is not None:
        if stratify is not None or groups is not None:
            raise RequestError(
                "blocks of time cannot be drawn within strata or groups",
                where="time or block beside stratify or groups",
                fix="leave stratify and groups out; to draw whole days or weeks, give them as groups alone",
            )
        return _blocks(n_rows, time, block)
    if groups is not None:
        return _groups(_codes(groups, n_rows, "groups"), stratify)
    strata, words = _strata(np.arange(n_rows), stratify, n_rows)
    return ResamplePlan("row", n_rows, None, strata, None, 0, f"rows{words}")


def _blocks(n_rows: int, time: Any, block: Any) -> ResamplePlan:
    order = np.arange(n_rows)
    if time is not None:
        moments = label_array(time, "time")
        _check_length(len(moments), n_rows, "time")
        order = np.argsort(moments, kind="stable")
    if block is None:
        length = max(min(math.ceil(n_rows ** (1 / 3) - 1e-9), n_rows // 2), 1)
    else:
        length = check_count("block", block, lowest=1)
    if length > max(n_rows // 2, 1):
        raise RequestError(
            "a block holds more than half of the rows",
            where=f"block={length} of {plural(n_rows, 'row')}",
            fix="use shorter blocks, such that rows a block apart have little to do with each other",
        )
    words = f"circular blocks of {length} consecutive rows"
    return ResamplePlan("block", math.ceil(n_rows / length), None, [], order, length, words)


def _groups(codes: Rows, stratify: Any) -> ResamplePlan:
    n_groups = int(codes.max(initial=-1)) + 1
    by_group = np.argsort(codes, kind="stable")
    parts = np.split(by_group, np.cumsum(np.bincount(codes, minlength=n_groups))[:-1])
    if stratify is None:
        return ResamplePlan("group", n_groups, parts, [np.arange(n_groups)], None, 0, "whole groups")
    labels = label_array(stratify, "stratify")
    _check_length(len(labels), len(codes), "stratify")
    firsts = np.array([part[0] for part in parts])
    is_mixed = labels != labels[firsts][codes]
    if is_mixed.any():
        raise DataError(
            "a group lies in several strata, so it cannot be drawn whole from one",
            where=first_of_rows(is_mixed),
            fix="leave stratify out, or give one stratum per group",
        )
    strata, words = _strata(np.arange(n_groups), labels[firsts], n_groups)
    return ResamplePlan("group", n_groups, parts, strata, None, 0, f"whole groups{words}")


def _strata(units: Rows, stratify: Any, n_units: int) -> tuple[list[Rows], str]:
    if stratify is None:
        return [units], ""
    codes = _codes(stratify, n_units, "stratify")
    strata = [np.flatnonzero(codes == stratum) for stratum in range(int(codes.max(initial=-1)) + 1)]
    return strata, f" of each of {plural(len(strata), 'stratum', 'strata')} by itself"


def coded_groups(groups: Any, n_rows: int) -> Rows:
    """A number from 0 on for the group of each row.

    >>> coded_groups(["b", "a", "b"], 3).tolist()
    [1, 0, 1]
    """
    return _codes(groups, n_rows, "groups")


def _codes(labels: Any, n_rows: int, name: str) -> Rows:
    values = label_array(labels, name)
    _check_length(len(values), n_rows, name)
    try:
        return np.asarray(np.unique(values, return_inverse=True)[1], dtype=np.intp)
    except TypeError as error:
        raise DataError(
            f"{name} holds labels of several types, which have no order",
            where=f"{name}, such as {values[0]!r:.40}",
            fix="make them all words or all numbers",
        ) from error


def _check_length(n_given: int, n_rows: int, name: str) -> None:
    if n_given != n_rows:
        raise DataError(
            f"{name} does not fit the arrays",
            where=f"{name} has {plural(n_given, 'entry', 'entries')}, the arrays {plural(n_rows, 'row')}",
            fix="give one per row",
        )
