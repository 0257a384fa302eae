"""What happened to the held rows: sealed, looked at, used up, or given away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from heldout.ledger.fact_body import json_form
from heldout.ledger.study_facts import LookFact, SealFact
from heldout.ledger.verdict_facts import Ends, UnsealFact
from heldout.stats.interval import Interval
from heldout.stats.looks import shown_bits
from heldout.text.words import plural

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger


class SealCondition(Enum):
    """How the seal is; the value is what a summary says."""

    NO_SEAL = "no seal"
    CLOSED = "closed"
    OPENED = "opened"
    USED_UP = "used up"
    GIVEN_AWAY = "given away"


@dataclass(frozen=True)
class SealLook:
    """A look at the held rows, with an interval that allows for all looks that came after it.

    `fixed` is the interval for models that were fixed before the first look.
    """

    number: int
    contender: str
    metric: str
    score: Interval
    fixed: Interval
    reason: str
    text: str
    bits: float
    is_full: bool
    is_used_up: bool
    at: str


@dataclass(frozen=True)
class SealState:
    """The seal of a study, and every look at its held rows.

    `n_open_looks` is how often open rows were used, by fits, scores and curves.
    """

    seal: SealFact
    looks: tuple[SealLook, ...]
    n_open_looks: int

    @property
    def condition(self) -> SealCondition:
        if not self.seal.n_held:
            return SealCondition.NO_SEAL
        if any(look.is_full for look in self.looks):
            return SealCondition.GIVEN_AWAY
        if any(look.is_used_up for look in self.looks[1:]):  # nothing is used up by the first
            return SealCondition.USED_UP
        return SealCondition.OPENED if self.looks else SealCondition.CLOSED

    @property
    def n_bits(self) -> float:
        """How much of the held labels was given away, at most."""
        return math.fsum(look.bits for look in self.looks)

    @property
    def words(self) -> str:
        """How often the held rows were looked at, and what that gave away, behind "the seal was"."""
        if self.condition is SealCondition.NO_SEAL:
            return "not there, because no rows are held back"
        if self.condition is SealCondition.CLOSED:
            return "never opened"
        opened = "opened once" if len(self.looks) == 1 else f"opened {len(self.looks):,} times"
        if self.condition is SealCondition.GIVEN_AWAY:
            return f"{opened}, and all labels were given away"
        return f"{opened}, at most {shown_bits(self.n_bits)} of the held labels were given away"

    @property
    def sentence(self) -> str:
        """The same in a sentence for a page."""
        rows = plural(self.seal.n_held, "held row")
        sentences = {
            SealCondition.NO_SEAL: "No rows were held back, so nothing here was confirmed on rows that played"
            " no part in choosing.",
            SealCondition.CLOSED: f"The seal is closed: no number on this page comes from the {rows}.",
            SealCondition.GIVEN_AWAY: f"The {rows} were given away: a look showed them one by one, so that"
            " whatever is judged on them from then on proves nothing.",
            SealCondition.USED_UP: f"The {rows} are used up: after {plural(len(self.looks), 'look')} an"
            " interval on them that allows for all that was seen can no longer show that a good model beats"
            " guessing.",
            SealCondition.OPENED: f"The seal was opened once: one score of one model on the {rows} was shown."
            if len(self.looks) == 1
            else f"The seal was opened {len(self.looks):,} times. Each look gave a little of the {rows} away."
            " The intervals below allow for all looks, so that they hold together, and for the best of them.",
        }
        return sentences[self.condition]

    @property
    def bits_sentence(self) -> str:
        """How much was given away; empty before the first look."""
        if not self.looks:
            return ""
        return f"At most {shown_bits(self.n_bits)} of the held labels were given away so far."

    def to_dict(self) -> dict[str, Any]:
        """The state as JSON can hold it, with its sentences."""
        return {
            "state": self.condition.value,
            "sentence": self.sentence,
            "bits": self.bits_sentence,
            "how": self.seal.by.words,
            "seed": self.seal.seed,
            "n_held": self.seal.n_held,
            "n_open": self.seal.n_open,
            "n_left_out": self.seal.n_left_out,
            "digest": self.seal.digest,
            "notes": list(self.seal.notes),
            "looks": [json_form(look) for look in self.looks],
            "n_open_looks": self.n_open_looks,
        }


def read_seal_state(ledger: Ledger) -> SealState:
    """The state of the seal of a study file."""
    looks = [LookFact.read(fact) for fact in ledger.facts("look")]
    openings = [(UnsealFact.read(fact), fact.at) for fact in ledger.facts("unseal")]
    n_open_looks = sum(look.role == "open" for look in looks)
    return SealState(SealFact.read(ledger.only("seal")), seal_looks(openings), n_open_looks)


def seal_looks(openings: Sequence[tuple[UnsealFact, str]]) -> tuple[SealLook, ...]:
    """The looks with intervals as of the last one: those hold for all models that were scored, at once.

    `openings` has each look with when it was.
    """
    looks = [_seal_look(opening, at) for opening, at in openings]
    if not looks:
        return ()
    bits = openings[-1][0].bits_before
    earlier = zip(looks[:-1], openings, strict=False)
    return (*(_widened(look, opening, bits, len(looks)) for look, (opening, _) in earlier), looks[-1])


def _widened(look: SealLook, opening: UnsealFact, bits: float, n_looks: int) -> SealLook:
    """The look with its intervals as of the last one; where it did not reckon with so many, it has none."""
    unknown = Ends(math.nan, math.nan)
    score = next((Ends(ends.low, ends.high) for ends in opening.later if ends.bits >= bits - 1e-9), unknown)
    fixed = next((ends.fixed for ends in opening.later if ends.n_looks >= n_looks), unknown)
    return replace(
        look,
        score=replace(look.score, low=score.low, high=score.high),
        fixed=replace(look.fixed, low=fixed.low, high=fixed.high),
    )


def _seal_look(opening: UnsealFact, at: str) -> SealLook:
    return SealLook(
        number=opening.look_number,
        contender=opening.contender,
        metric=opening.metric,
        score=opening.score,
        fixed=opening.fixed,
        reason=opening.reason,
        text=opening.text,
        bits=opening.bits,
        is_full=opening.shows_rows or opening.was_given_away,
        is_used_up=opening.is_used_up,
        at=at,
    )
