"""Rows of a task are sealed away: which, and whether they are enough to tell anything."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from heldout.ledger.study_facts import SealFact, StudyFact
from heldout.split.fold import parts_digest
from heldout.split.row_facts import RowFacts
from heldout.split.sealed_split import SealedBy, SealedSplit, seal_rows
from heldout.split.split_notes import size_notes
from heldout.stats.planning import rows_for_width
from heldout.stats.rate_interval import rate_interval
from heldout.table.task import Task
from heldout.text.words import plural


def seal_task(task: Task, held: float, seed: int) -> SealedSplit:
    """The open and the held rows of a task; all are open where nothing is held.

    seed: of the seal
    """
    if held:
        facts = RowFacts.of(task)
        found = seal_rows(facts, held=held, seed=seed)
        notes = found.notes
        if facts.groups is not None or facts.time is not None:
            # Which classes are on one side only is told by the held labels, where no strata say it before.
            notes = size_notes(facts, held, found.open_rows, found.held_rows)
        advice = advice_for_seal(facts, found)
        return replace(found, notes=(advice, *notes) if advice else notes)
    every, none = np.arange(task.n_rows, dtype=np.intp), np.empty(0, dtype=np.intp)
    digest = parts_digest("seal", open=every, held=none, left_out=none)
    return SealedSplit(every, none, seed, digest, SealedBy.NOTHING)


def advice_for_seal(facts: RowFacts, seal: SealedSplit) -> str:
    """What to do instead, where the seal holds too few rows or groups to tell anything; else nothing."""
    if facts.groups is None:
        return seal_advice(facts.n_rows, len(seal.held_rows), "row", facts.is_classification)
    n_held = len(np.unique(facts.group_codes[seal.held_rows]))
    return seal_advice(facts.n_groups, n_held, "group", facts.is_classification)


def sealed_words(study: StudyFact, seal: SealFact) -> str:
    """How many rows are open and held, and how they were drawn."""
    opened = f"{plural(seal.n_open, 'row')} open"
    if not seal.n_held:
        return f"{opened}; {seal.by.words}, so there will be no final score"
    seed = f"seed {study.seed} was given" if study.is_seed_given else "seed from the table"
    others = (
        f", {seal.n_left_out:,} neither, because others of their group are held" if seal.n_left_out else ""
    )
    return f"{opened}, {seal.n_held:,} held{others} ({seal.by.words}; {seed})"


# A score that is known to within 15 points on either side is the least that is worth a seal.
HALF_WIDTH = 0.15
EXPECTED = 0.8


def seal_advice(n_rows: int, n_held: int, unit: str = "row", is_classification: bool = True) -> str:
    """A sentence where the sealed rows are too few to tell anything; empty where they are enough.

    Too few are those on which a share of 80% right has a 95% interval wider than ±15 points. The error of
    numbers is known no better from as few rows.

    n_rows:            all rows, or groups
    n_held:            those of them that would be sealed
    unit:              "row", or "group" where rows of a group are not independent
    is_classification: whether the score is a share of rows
    """
    needed = rows_for_width(EXPECTED, 2 * HALF_WIDTH).n_rows
    if not n_held or n_held >= needed:
        return ""
    counted = plural(n_held, f"sealed {unit}")
    says = "says" if n_held == 1 else "say"
    if is_classification:
        found = rate_interval(round(EXPECTED * n_held), n_held, method="clopper_pearson")
        known = f"{found.estimate:.2g} on them has the 95% interval {found.low:.2f} to {found.high:.2f}"
        wanted = f"to know it within {HALF_WIDTH:g}"
    else:
        known = f"an error is known from them within {_error_of_rmse(n_held):.0%} at best"
        wanted = f"to know it within {_error_of_rmse(needed):.0%}"
    in_all = math.ceil(needed * n_rows / n_held)
    return (
        f"{counted} {says} little: {known}. Without a seal, held=0, nested cross-validation judges by all"
        f" {plural(n_rows, unit)}; {wanted} takes {needed} sealed {unit}s, of {in_all:,}."
    )


def _error_of_rmse(n_rows: int) -> float:
    """Half the 95% interval of a root mean squared error, as a share of it, for normal errors."""
    return 1.96 / math.sqrt(2 * n_rows)
