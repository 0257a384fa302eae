"""The digest of results: the same for any order, number of workers and history of crashes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import product

from heldout.errors import LedgerError
from heldout.ledger.canonical_json import canonical_json
from heldout.ledger.fact import Fact


def results_digest(cells: Iterable[Fact]) -> str:
    """A digest of what cells found, sorted by their keys: without times, numbers in the chain and clocks.

    cells: facts of kind "cell", whose body holds what was found under "result"

    >>> early, late = ({"result": {"score": 0.5}, "clock": {"fit": seconds}} for seconds in (0.1, 9.9))
    >>> one = Fact(7, "cell", "a:b:c", early, "2026-01-01T00:00:00+00:00", "0" * 64, "ab" * 32)
    >>> other = Fact(9, "cell", "a:b:c", late, "2027-01-01T00:00:00+00:00", "cd" * 32, "ef" * 32)
    >>> results_digest([one]) == results_digest([other])
    True
    """
    digest = hashlib.sha256(b"heldout results 1\n")
    for cell in sorted(cells, key=lambda fact: fact.key):
        line = canonical_json([cell.key, cell.body.get("result"), cell.arrays])
        digest.update(line.encode("utf-8") + b"\n")
    return digest.hexdigest()


def cells_of_plan(plan: Fact) -> frozenset[str]:
    """The keys of a plan's cells: its contenders times its folds, under its protocol.

    plan: a fact of kind "plan"; its body, or "cells" in it, has digests of contenders, folds and the protocol
    """
    cells = plan.body.get("cells", plan.body)
    if not isinstance(cells, Mapping) or not {"contenders", "folds", "protocol"} <= set(cells):
        raise LedgerError(
            "the plan does not say which cells are its own",
            where=plan.short,
            fix="record it with cells={'contenders': […], 'folds': […], 'protocol': …}",
        )
    pairs = product(cells["contenders"], cells["folds"])
    return frozenset(f"{contender}:{fold}:{cells['protocol']}" for contender, fold in pairs)
