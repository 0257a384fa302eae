"""What is not as one might expect of a split, in sentences."""

from __future__ import annotations

import numpy as np

from heldout.arrays import Rows
from heldout.split.assign_folds import n_units
from heldout.split.forward_blocks import forward_blocks
from heldout.split.row_facts import Codes, RowFacts, dense
from heldout.text.words import first_few, plural, shorten


def folds_in_words(k: int, repeats: int, is_stratified: bool) -> str:
    """What was asked for."""
    repeated = f", {repeats} repeats" if repeats > 1 else ""
    return f"{k} folds{repeated}{', stratified' if is_stratified else ''}"


def few_units_notes(facts: RowFacts, requested: int, k: int, repeats: int = 1) -> tuple[str, ...]:
    """Fewer folds than asked, or repeats that would all be alike."""
    count, unit = n_units(facts)
    notes = []
    if k < requested:
        notes.append(f"{k} folds instead of {requested}: there are no more than {plural(count, unit)}.")
    if facts.time is None and repeats > 1:
        if count == k:
            one_way = f"{plural(count, unit)} fall into {k} folds in one way only"
            notes.append(f"One repeat instead of {repeats}: {one_way}.")
        elif facts.groups is not None and count < 3 * k:
            notes.append(f"Repeats are much alike: {plural(count, unit)} fall into {k} folds in few ways.")
    return tuple(notes)


def class_notes(facts: RowFacts, k: int) -> tuple[str, ...]:
    """Classes that are too small for every fold to have some."""
    if not facts.is_classification or not (facts.y_codes != facts.y_codes[:1]).any():
        return constant_note(facts)
    counts, unit = _units_of_classes(facts)
    single, few = np.flatnonzero(counts == 1), np.flatnonzero((counts > 1) & (counts < k))
    notes = []
    if len(single):
        notes.append(
            f"{classes_in_words(facts, single)} {has_or_have(single)} one {unit}: "
            "it is judged by a model that never saw its class."
        )
    if len(few):
        notes.append(
            f"{classes_in_words(facts, few)} {has_or_have(few)} fewer {unit}s than there are folds ({k}): "
            "some folds judge none of them."
        )
    return tuple(notes)


def _units_of_classes(facts: RowFacts) -> tuple[Codes, str]:
    """In how many rows, or groups, each class occurs."""
    codes, n_classes = dense(facts.y_codes)
    if facts.groups is None:
        return np.bincount(codes, minlength=n_classes), "row"
    groups, _ = dense(facts.group_codes)
    return np.bincount(np.unique(groups * n_classes + codes) % n_classes, minlength=n_classes), "group"


def group_notes(facts: RowFacts, k: int) -> tuple[str, ...]:
    """What groups do to the folds."""
    groups, n_groups = dense(facts.group_codes)
    largest = int(np.bincount(groups).max())
    notes = [f"{plural(n_groups, 'group')} stay whole, and are dealt so that folds are as alike as can be."]
    if largest * k > 2 * facts.n_rows:
        share = f"{100 * largest / facts.n_rows:.0f}% of the rows"
        notes.append(f"The largest group has {share}, so folds differ in size.")
    return tuple(notes)


def time_notes(facts: RowFacts, k: int, repeats: int = 1, n_before: int = 1) -> tuple[str, ...]:
    """What time does to the folds."""
    never = "The first block is never judged" if n_before == 1 else "The first two blocks are never judged"
    unbalanced = ", and classes are not balanced" if facts.is_classification else ""
    notes = [
        f"Time only looks forward: {k} blocks are judged one after the other, each by what came before it. "
        f"{never}{unbalanced}.",
        *repeat_notes(repeats),
    ]
    if facts.groups is not None:
        notes.append("Groups never straddle: nothing is learned from earlier rows of a group that is judged.")
    return (*notes, *(constant_note(facts) or _one_class_notes(facts, k, n_before)))


def _one_class_notes(facts: RowFacts, k: int, n_before: int) -> tuple[str, ...]:
    """That the first folds know one class only, where groups do not make it hard to say."""
    if not facts.is_classification or facts.groups is not None:
        return ()
    blocks = forward_blocks(facts, k, n_before)
    first = int(facts.y_codes[blocks.argmin()])
    n_folds = min(int(blocks[facts.y_codes != first].min()), k)
    if n_folds == 0:
        return ()
    which = "fold 1" if n_folds == 1 else f"folds 1 to {n_folds}"
    return (f"What {which} can learn from has one class only: the others come later.",)


def repeat_notes(repeats: int) -> tuple[str, ...]:
    """That time leaves no room for repeats."""
    return (f"One repeat instead of {repeats}: time can be cut in one way only.",) if repeats > 1 else ()


def holdout_notes(facts: RowFacts, is_stratified: bool) -> tuple[str, ...]:
    """What holds for a share set apart at random, whatever the seed."""
    if facts.groups is not None:
        return (
            f"{plural(facts.n_groups, 'group')} stay whole; the share that is judged is as near as can be.",
            *constant_note(facts),
        )
    if not (facts.is_classification and is_stratified):
        return constant_note(facts)
    single = np.flatnonzero(_units_of_classes(facts)[0] == 1)
    if not len(single) or facts.n_rows == 1:
        return constant_note(facts)
    return (f"{classes_in_words(facts, single)} {has_or_have(single)} one row, which is never judged.",)


def share_notes(facts: RowFacts, share: float, stays: Rows, apart: Rows) -> tuple[str, ...]:
    """What groups, time and small classes did to a share that was set apart.

    facts: of all rows
    share: that was asked for
    stays: rows that are learned from
    apart: rows that were set apart
    """
    return (*size_notes(facts, share, stays, apart), *_one_sided_notes(facts, stays, apart))


def size_notes(facts: RowFacts, share: float, stays: Rows, apart: Rows) -> tuple[str, ...]:
    """The part of `share_notes` that tells nothing of what the rows hold."""
    n_rows, notes = facts.n_rows, []
    n_left_out = n_rows - len(stays) - len(apart)
    if n_left_out:
        notes.append(
            f"{plural(n_left_out, 'row')} left out: earlier rows of groups that come among the latest again."
        )
    if abs(len(apart) / n_rows - share) > 0.02 and abs(len(apart) - share * n_rows) >= 1:
        why = "ties in time" if facts.time is not None else "groups"
        shares = f"{100 * len(apart) / n_rows:.1f}% of the rows instead of {100 * share:.1f}%"
        notes.append(f"{shares}: {why} are not split apart.")
    return tuple(notes)


def _one_sided_notes(facts: RowFacts, stays: Rows, apart: Rows) -> tuple[str, ...]:
    """Classes that are on one side only."""
    if not facts.is_classification:
        return constant_note(facts)
    codes, n_classes = dense(facts.y_codes)
    learned = np.bincount(codes[stays], minlength=n_classes) > 0
    judged = np.bincount(codes[apart], minlength=n_classes) > 0
    not_judged, not_learned = np.flatnonzero(learned & ~judged), np.flatnonzero(judged & ~learned)
    notes = list(constant_note(facts))
    if len(not_judged):
        why = f"nothing of {it_or_them(not_judged)} is set apart"
        notes.append(f"{classes_in_words(facts, not_judged)} cannot be judged: {why}.")
    if len(not_learned):
        why = f"all of {it_or_them(not_learned)} is set apart"
        notes.append(f"{classes_in_words(facts, not_learned)} cannot be learned: {why}.")
    return tuple(notes)


_SHOWN = 3


def classes_in_words(facts: RowFacts, which: Codes) -> str:
    """Some classes by name, those beyond the third by number.

    facts: of the rows
    which: places among the sorted classes that occur
    """
    names = class_names(facts)
    shown = first_few([repr(names[index]) for index in which.tolist()], _SHOWN)
    return f"Class {shown}" if len(which) == 1 else f"Classes {shown}"


def class_names(facts: RowFacts) -> list[str]:
    """The classes that occur, in sorted order."""
    codes, n_classes = dense(facts.y_codes)
    row_of_class = np.zeros(n_classes, dtype=np.intp)
    row_of_class[codes] = np.arange(len(codes))
    return [shorten(str(name), 24) for name in facts.y[row_of_class].tolist()]


def has_or_have(which: Codes) -> str:
    """The verb for one or several."""
    return "has" if len(which) == 1 else "have each"


def it_or_them(which: Codes) -> str:
    """The pronoun for one or several."""
    return "it" if len(which) == 1 else "them"


def constant_note(facts: RowFacts) -> tuple[str, ...]:
    """That there is nothing to learn, where every target is the same."""
    if not facts.n_rows or (facts.y_codes != facts.y_codes[0]).any():
        return ()
    return ("The target is the same in every row, so there is nothing to learn.",)
