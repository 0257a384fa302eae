"""The seal: rows that are held back, and rows that are open."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np

from heldout.arrays import Rows
from heldout.checks.values import check_seed, check_share
from heldout.split.fold import parts_digest, rows_digest
from heldout.split.holdout import split_rows
from heldout.split.row_facts import RowFacts
from heldout.split.split_notes import share_notes
from heldout.text.layout import note_lines
from heldout.text.words import plural

_TAG = 4


class SealedBy(Enum):
    """By what the held rows were drawn; the value stands in the study file."""

    NOTHING = "nothing"
    CLASSES = "classes"
    BINS = "bins"
    GROUPS_AND_CLASSES = "groups and classes"
    GROUPS_AND_BINS = "groups and bins"
    TIME = "time"
    TIME_AND_GROUPS = "time and groups"

    @property
    def words(self) -> str:
        """How rows were held, as it stands in a sentence."""
        return _WORDS[self]


_WORDS = {
    SealedBy.NOTHING: "no rows are held back",
    SealedBy.CLASSES: "stratified by class",
    SealedBy.BINS: "by bins of the target",
    SealedBy.GROUPS_AND_CLASSES: "by group, stratified by class as well as can be",
    SealedBy.GROUPS_AND_BINS: "by group, by bins of the target as well as can be",
    SealedBy.TIME: "the latest in time",
    SealedBy.TIME_AND_GROUPS: "the latest in time, groups kept whole",
}


@dataclass(frozen=True, eq=False)
class SealedSplit:
    """Positions of a task's rows, ascending: those that may be used, and those that are held back.

    Attributes
    ----------
    open_rows : array
        Everything is learned, tuned and compared on these.
    held_rows : array
        They give the final estimate.
    seed : int
        Of the random order.
    digest : str
        The fingerprint of open, held and left-out rows.
    by : SealedBy
        By what the held rows were drawn: classes, bins of the target, groups, time.
    left_out_rows : array
        With groups and time together, earlier rows of held groups: neither open nor held.
    notes : tuple of str
        What is not as one might expect, in sentences.
    """

    open_rows: Rows
    held_rows: Rows
    seed: int
    digest: str
    by: SealedBy
    left_out_rows: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    notes: tuple[str, ...] = ()

    @property
    def how(self) -> str:
        """By what the held rows were drawn, in words."""
        return self.by.words

    @property
    def held_share(self) -> float:
        """The share of the rows that is held."""
        return len(self.held_rows) / (len(self.open_rows) + len(self.held_rows) + len(self.left_out_rows))

    def __str__(self) -> str:
        n_rows = len(self.open_rows) + len(self.held_rows) + len(self.left_out_rows)
        counts = f"{len(self.held_rows):,} of {plural(n_rows, 'row')} held, {self.how}"
        return "\n".join([f"{counts}; {len(self.open_rows):,} open.", *note_lines(self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Counts, fingerprints and words, without the rows."""
        return {
            "n_open": len(self.open_rows),
            "n_held": len(self.held_rows),
            "n_left_out": len(self.left_out_rows),
            "open_digest": rows_digest(self.open_rows),
            "held_digest": rows_digest(self.held_rows),
            "digest": self.digest,
            "seed": self.seed,
            "by": self.by.value,
            "how": self.how,
            "notes": list(self.notes),
        }


def seal_rows(facts: RowFacts, held: float = 0.2, seed: int = 0) -> SealedSplit:
    """Set rows aside: of every class alike, by whole groups, or the latest in time.

    facts: of all rows
    held:  the share to hold
    seed:  of the random order, which time does not need

    A class of one row stays open. What X holds has no say.
    """
    held, seed = check_share("held", held, is_open=True), check_seed(seed)
    open_rows, held_rows = split_rows(facts, held, True, (seed, 0, _TAG), name="held")
    is_left_out = np.ones(facts.n_rows, dtype=bool)
    is_left_out[open_rows] = is_left_out[held_rows] = False
    left_out = np.flatnonzero(is_left_out)
    digest = parts_digest("seal", open=open_rows, held=held_rows, left_out=left_out)
    notes = share_notes(facts, held, open_rows, held_rows)
    return SealedSplit(open_rows, held_rows, seed, digest, _sealed_by(facts), left_out, notes)


def _sealed_by(facts: RowFacts) -> SealedBy:
    if facts.time is not None:
        return SealedBy.TIME if facts.groups is None else SealedBy.TIME_AND_GROUPS
    if facts.groups is not None:
        return SealedBy.GROUPS_AND_CLASSES if facts.is_classification else SealedBy.GROUPS_AND_BINS
    return SealedBy.CLASSES if facts.is_classification else SealedBy.BINS
