"""What a conjunction is called: its conditions as a formula, and no two alike."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from heldout.features.forms.unique_names import unique_names
from heldout.features.paths.branch_runs import Path
from heldout.learners.rules.condition import Condition, Cut


def path_names(paths: Sequence[Path], names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """A name for each conjunction, in the names of the columns.

    Thresholds are rounded, as in the text of a tree, except where two conjunctions would then have one name:
    these have all digits. What still is alike, or like a column that is there, gets a number.

    names: of the columns of X
    taken: names that are given away already

    >>> from heldout.learners.inputs.input_schema import InputColumn
    >>> cuts = [Condition(InputColumn("age"), 0, low=Cut(low, 30.0, 32.0)) for low in (31.0, 31.0000001)]
    >>> path_names([(cut,) for cut in cuts], ["age"])
    ['age > 31', 'age > 31.0000001']
    >>> path_names([(cuts[0],)], ["age"], taken=["age > 31"])
    ['age > 31 (2)']
    """
    shown = [_formula(path, names) for path in paths]
    n_alike = Counter(shown)
    exact = [
        _formula([_with_all_digits(condition) for condition in path], names) if n_alike[name] > 1 else name
        for path, name in zip(paths, shown, strict=True)
    ]
    [found] = unique_names([exact], sources=[""], taken=taken)
    return found


def _formula(path: Sequence[Condition], names: Sequence[str]) -> str:
    return " ∧ ".join(
        replace(condition, column=replace(condition.column, name=names[condition.position])).formula()
        for condition in path
    )


def _with_all_digits(condition: Condition) -> Condition:
    return replace(condition, low=_exact(condition.low), high=_exact(condition.high))


def _exact(cut: Cut | None) -> Cut | None:
    """The same threshold in a gap that holds no other number, so that it is shown as it is."""
    if cut is None:
        return None
    return Cut(cut.threshold, cut.threshold, math.nextafter(cut.threshold, math.inf))
