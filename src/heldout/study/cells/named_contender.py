"""A contender by its name: as the newest verdict has it, or else the newest of that name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from heldout.errors import KindError, RequestError
from heldout.plan.contender import Contender, contender_of_dict
from heldout.table.suggestion import suggestion

if TYPE_CHECKING:
    from heldout.ledger.ledger import Ledger


def contender_of(ledger: Ledger, contender: Any, allow: Sequence[str] = ()) -> Contender:
    """The contender that is meant.

    ledger:    of the study
    contender: a Contender, which is taken as it is, or the name of one that ran in this study
    allow:     packages besides heldout and scikit-learn from which its learner may come

    >>> from heldout import BaselineClassifier
    >>> contender_of(None, Contender("guess", BaselineClassifier())).name
    'guess'
    """
    if isinstance(contender, Contender):
        return contender
    if not isinstance(contender, str):
        raise KindError(
            "a contender is asked for by its name",
            where=f"got {type(contender).__name__}",
            fix="give the name of a contender that ran in this study, or a Contender",
        )
    facts = ledger.facts("contender")
    found = {str(record["name"]): record for record in map(_record, facts)}
    meant = standing_named(ledger, contender)
    if meant is not None:
        found[contender] = next(_record(fact) for fact in facts if fact.key == meant["contender"])
    if contender not in found:
        raise RequestError(
            f"no contender {contender!r} ran in this study",
            where=f"the study file knows {', '.join(map(repr, found)) or 'none'}",
            fix=suggestion(contender, list(found)) if found else "run a plan first, or give a Contender",
        )
    return contender_of_dict(found[contender], allow)


def standing_named(ledger: Ledger, name: str) -> Mapping[str, Any] | None:
    """The standing of that name in the newest verdict, which knows the digests of its contender and plan.

    A name that stands for one of several, such as "tree (plan 2)", is found in earlier verdicts too; any
    other is then that of the newest contender. None where no verdict tells.
    """
    verdicts = [fact.body["standings"] for fact in reversed(ledger.facts("verdict"))]
    is_plain = any(fact.body["name"] == name for fact in ledger.facts("contender"))
    for standings in verdicts[:1] if is_plain else verdicts:
        for each in standings:
            if each["name"] == name:
                found: Mapping[str, Any] = each
                return found
    return None


def _record(fact: Any) -> dict[str, Any]:
    nested = fact.body.get("contender")
    return dict(nested) if isinstance(nested, dict) else dict(fact.body)
