"""What the number does not say: sentences that stand on every page, and those that this study calls for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.stats.interval import NOT_SAID
from heldout.stats.shown_number import shown_percent
from heldout.stats.significance import NOT_SAID as P_NOT_SAID


def limits(
    study: Mapping[str, Any],
    plan: Mapping[str, Any],
    verdict: Mapping[str, Any],
    seal: Mapping[str, Any],
) -> list[str]:
    """Sentences about what may not be read into this page.

    study, plan, verdict: the bodies of their facts
    seal:                 as `seal_state` gives it

    >>> seal = {"state": "closed", "looks": []}
    >>> limits({"groups": "patient"}, {}, {}, seal)[0][:60]
    'It is the expected score of the method, tuning included, whe'
    """
    roles = study.get("roles") or {}
    groups, time = study.get("groups") or roles.get("groups"), study.get("time") or roles.get("time")
    found = [
        "It is the expected score of the method, tuning included, when it learns from as many rows as a"
        " training part had. The model that is shipped learns from every row, and its own score was not"
        " measured.",
        "It speaks of new rows that come about as these did. Rows from another place, another time or"
        " another way of measuring may score otherwise.",
        _of_groups(groups),
        *(
            []
            if time
            else ["No column of time was named. If the future differs from the past, it may be too good."]
        ),
        "What a model uses to predict need not be a cause of what it predicts.",
        "The ledger knows what was done with Heldout. Whoever looked at the rows elsewhere, and chose columns"
        " or models by it, knows more than this number allows for.",
    ]
    number = verdict.get("number") or {}
    if number.get("low") is not None and number.get("high") is not None:
        found.append(NOT_SAID.format(share=shown_percent(float(number.get("confidence") or 0.95))))
    if verdict.get("comparisons"):
        found.append(P_NOT_SAID)
    if seal["state"] == "closed":
        found.append(
            "The held rows have not been used yet. One look at them gives a score free of any choice."
        )
    return found


def _of_groups(groups: Any) -> str:
    if groups:
        return f"It holds for rows of a '{groups}' never seen before; those of a known one may score better."
    return (
        "Rows are taken as independent. If several belong to one person, place or thing and no groups were"
        " named, it is too good."
    )
