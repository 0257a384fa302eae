"""The metric of a recorded plan: built in, or one of the user's that is defined in this session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from heldout.errors import HeldoutError, RequestError
from heldout.metrics.builtin_metrics import BUILT_IN
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import METRICS

_PLAIN = (bool, int, float, str)


def recorded_metric(form: Any) -> Metric:
    """The metric that was written down; one of the user's own is known by its name and its code.

    form: as the plan's fact has it

    >>> recorded_metric("accuracy").name
    'accuracy'
    """
    known = _plain_metric(form)
    if known is not None:
        return known
    # What a plan may hold is known to a room that takes a second to import; a page seldom needs it.
    from heldout.plan.read_values import Reading
    from heldout.plan.written_metric import read_metric

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


def _plain_metric(form: Any) -> Metric | None:
    """One that is built in, with options that are plain values; None for any other."""
    built_in = {each.name: each for each in BUILT_IN}
    if isinstance(form, str):
        return built_in.get(form)
    if not isinstance(form, dict) or set(form) != {"metric", "name", "options"}:
        return None
    known, options = built_in.get(form["metric"]), form["options"]
    if known is None or not isinstance(form["name"], str) or not isinstance(options, dict):
        return None
    are_plain = all(value is None or type(value) in _PLAIN for value in options.values())
    if not are_plain or not all(known.takes(option) for option in options):
        return None
    return replace(known, name=form["name"], options=tuple(options.items()))


def _is_same(known: Metric, form: dict[str, Any]) -> bool:
    from heldout.plan.written_metric import written_metric

    try:
        written = written_metric(replace(known, options=tuple(form["options"].items())))
    except HeldoutError:
        return False
    return bool(written == form)
