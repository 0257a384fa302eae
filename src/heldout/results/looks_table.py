"""Every recorded use of rows, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from heldout.ledger.study_facts import LookFact
from heldout.results.printed_table import PrintedTable
from heldout.table.column import Column
from heldout.text.words import plural

if TYPE_CHECKING:
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
    looks = [LookFact.read(fact) for fact in facts]
    texts = {
        "at": [fact.at[:19].replace("T", " ") for fact in facts],
        "what": [look.what for look in looks],
        "by": [look.by for look in looks],
        "rows": [look.rows[:SHORT] for look in looks],
        "role": [look.role for look in looks],
    }
    numbers = {
        "number": [float(fact.number) for fact in facts],
        "n_rows": [float(look.n_rows) for look in looks],
        "bits": [look.bits for look in looks],
    }
    # A look at every row gives away what there is to give.
    words = ["all" if look.gives_all else f"{look.bits:.1f}" for look in looks]
    columns = [
        _numbers(name, numbers[name]) if name in numbers else _texts(name, texts[name]) for name in COLUMNS
    ]
    shown = texts | {name: [f"{value:.0f}" for value in values] for name, values in numbers.items()}
    n_held = sum(role == "held" for role in texts["role"])
    messages = f"{plural(len(facts), 'look')} at rows, {n_held:,} of them at held rows."
    printed = {name: (shown | {"bits": words})[name] for name in COLUMNS}
    return PrintedTable(columns, [messages], printed, _printed_digits(texts["role"]))


def _printed_digits(roles: Sequence[str]) -> list[int]:
    """Which looks are printed, in their order."""
    held = [index for index, role in enumerate(roles) if role == "held"][-MOST_PRINTED:]
    others = [index for index, role in enumerate(roles) if role != "held"]
    n_others = MOST_PRINTED - len(held)
    return sorted([*held, *(others[-n_others:] if n_others else [])])


def _numbers(name: str, values: list[float]) -> Column:
    return Column(name, "number", np.array(values, dtype=np.float64))


def _texts(name: str, values: list[Any]) -> Column:
    return Column(name, "text", np.array(values, dtype=object))
