"""The metric of a recorded plan: built in, or one of the user's that is defined in this session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from heldout.errors import HeldoutError, RequestError
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import METRICS
from heldout.plan.read_values import Reading
from heldout.plan.written_metric import read_metric, written_metric


def recorded_metric(form: Any) -> Metric:
    """The metric that was written down; one of the user's own is known by its name and its code.

    form: as the plan's fact has it

    >>> recorded_metric("accuracy").name
    'accuracy'
    """
    try:
        return read_metric(form, Reading(()))
    except HeldoutError as error:
        name = form.get("name", "") if isinstance(form, dict) else str(form)
        known = METRICS.get(name)
        if known is not None and _is_same(known, form):
            return replace(known, options=tuple(form["options"].items()))
        raise RequestError(
            f"the plan is judged by {name!r:.60}, a metric of its own that is not defined here as it was",
            where="the study file names its function, and holds no code",
            fix="define it again with @metric, as it was, and ask again",
        ) from error


def _is_same(known: Metric, form: dict[str, Any]) -> bool:
    try:
        written = written_metric(replace(known, options=tuple(form["options"].items())))
    except HeldoutError:
        return False
    return bool(written == form)
