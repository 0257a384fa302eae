"""What to expect of a model: the scores that its file remembers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heldout.report.standing_rows import with_interval


def expected_scores(provenance: Mapping[str, Any]) -> list[str]:
    """A line for each score that is known: on the open rows, and on the held ones if they were looked at.

    Where a study has several races, one more says of which the scores are.

    provenance: of the model file

    >>> score = {"estimate": 0.9, "low": 0.8, "high": 0.95}
    >>> expected_scores({"metric": "accuracy", "corrected": score, "estimate": score | {"estimate": 0.92}})
    ['accuracy 0.900 (0.800 to 0.950) on the open rows, corrected for the choosing']
    """
    places = {"final_score": "on the held rows"}
    if provenance.get("corrected"):
        places = {"corrected": "on the open rows, corrected for the choosing"} | places
    else:
        places = {"estimate": "on the open rows, cross-validated; not corrected for the choosing"} | places
    race = [str(provenance["race"])] if provenance.get("race") else []
    scores = [
        f"{provenance.get('metric')} {with_interval(provenance[name])} {where}"
        for name, where in places.items()
        if provenance.get(name)
    ]
    return [*scores, *race]
