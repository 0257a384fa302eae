"""Whether settings can be chosen within every fold: asked before anything runs, not by cells that fail."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from heldout.errors import HeldoutError, RequestError
from heldout.plan.plan import Plan
from heldout.plan.plan_text import split_words
from heldout.split.fold import Fold
from heldout.split.row_facts import RowFacts
from heldout.split.split import Split
from heldout.split.unit_counts import n_units


def check_tuning(plan: Plan, folds: Sequence[Fold], facts: RowFacts) -> None:
    """Refuse a plan whose tuning cannot be done within one of its folds, with folds that would do.

    plan:  with contenders that may have settings to choose among
    folds: those of the plan
    facts: of all rows
    """
    if not plan.needs_tuning or plan.rigor == "quick":
        return
    error = _refusal(plan.tuning, folds, facts)
    if error is None:
        return
    fewer = _fewer_folds(plan, facts)
    raise RequestError(
        f"settings cannot be chosen within a fold: {error.what}",
        where=f"{error.where} to learn from in a fold of {split_words(plan.folds)}",
        fix=f"use folds=ho.{split_words(fewer)}"
        if fewer is not None
        else "use contenders without a space: they have nothing to choose",
    )


def _refusal(tuning: Split, folds: Sequence[Fold], facts: RowFacts) -> HeldoutError | None:
    """Why the tuning cannot be done; whether it can does not depend on the seed."""
    for fold in _hardest(folds, facts):
        try:
            tuning.folds(facts.take(fold.train), shrink=True)
        except HeldoutError as error:
            return error
    return None


def _hardest(folds: Sequence[Fold], facts: RowFacts) -> Sequence[Fold]:
    """The fold that learns from the fewest rows, groups or times; all of them where that cannot be told."""
    if facts.time is None:
        return [max(folds, key=lambda fold: n_units(facts.take(fold.test))[0])]
    return folds[:1] if facts.groups is None else folds


def _fewer_folds(plan: Plan, facts: RowFacts) -> Split | None:
    """The plan's split with as many folds as still can be tuned within."""
    for k in range(getattr(plan.folds, "k", 0) - 1, 1, -1):
        fewer: Split = dataclasses.replace(plan.folds, k=k)  # type: ignore[type-var]
        try:
            folds = fewer.folds(facts)
        except HeldoutError:
            continue
        if _refusal(plan.tuning, folds, facts) is None:
            return fewer
    return None
