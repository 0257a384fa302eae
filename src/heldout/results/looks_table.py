"""Every recorded use of rows, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.results.printed_table import PrintedTable
from heldout.stats.looks import shown_bits
from heldout.table.column import Column
from heldout.text.words import plural, times

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger


SHORT = 12


# So many are printed: of a long list those at held rows, and the newest.
MOST_PRINTED = 30


COLUMNS = ("number", "at", "what", "by", "rows", "n_rows", "role", "bits")


def looks_table(ledger: Ledger) -> PrintedTable:
    """One row for each look: its fact's number, when, what was done, by what, with which rows, for how much.

    ledger: of the study
    """
    facts = ledger.facts("look")
    bits = [float(fact.body.get("bits") or 0.0) for fact in facts]
    texts = {
        "at": [fact.at[:19].replace("T", " ") for fact in facts],
        "what": [_of(fact, "what") for fact in facts],
        "by": [_of(fact, "by") for fact in facts],
        "rows": [_of(fact, "rows")[:SHORT] for fact in facts],
        "role": [_of(fact, "role") for fact in facts],
    }
    numbers = {
        "number": [float(fact.number) for fact in facts],
        "n_rows": [float(fact.body.get("n_rows") or 0) for fact in facts],
        "bits": bits,
    }
    # A look at every row gives away what there is to give.
    words = [
        "all" if fact.body.get("gives_all") else f"{bit:.1f}" for fact, bit in zip(facts, bits, strict=True)
    ]
    columns = [
        _numbers(name, numbers[name]) if name in numbers else _texts(name, texts[name]) for name in COLUMNS
    ]
    shown = texts | {name: [f"{value:.0f}" for value in values] for name, values in numbers.items()}
    n_held = sum(role == "held" for role in texts["role"])
    said = f"{plural(len(facts), 'look')} at rows, {n_held:,} of them at held rows."
    printed = {name: (shown | {"bits": words})[name] for name in COLUMNS}
    return PrintedTable(columns, [said], printed, _printed_places(texts["role"]))


def _printed_places(roles: Sequence[str]) -> list[int]:
    """Which looks are printed, in their order."""
    held = [place for place, role in enumerate(roles) if role == "held"][-MOST_PRINTED:]
    others = [place for place, role in enumerate(roles) if role != "held"]
    n_others = MOST_PRINTED - len(held)
    return sorted([*held, *(others[-n_others:] if n_others else [])])


def seal_state(ledger: Ledger, n_held: int) -> str:
    """In a few words how often the held rows were looked at, and what that gave away.

    n_held: how many rows are held
    """
    if not n_held:
        return "not there, because no rows are held back"
    scores = ledger.facts("unseal")
    if not scores:
        return "never opened"
    if any(fact.body["detail"] == "full" for fact in scores):
        return f"opened {times(len(scores))}, and all labels were given away"
    bits = sum(float(fact.body["bits"]) for fact in scores)
    return f"opened {times(len(scores))}, at most {shown_bits(bits)} of the held labels were given away"


def _of(fact: Fact, name: str) -> str:
    return str(fact.body.get(name) or "")


def _numbers(name: str, values: list[float]) -> Column:
    return Column(name, "number", np.array(values, dtype=np.float64))


def _texts(name: str, values: list[Any]) -> Column:
    return Column(name, "text", np.array(values, dtype=object))
