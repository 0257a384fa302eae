"""Metrics in a plan file: built-in ones by name and options, others by the name of their function."""

from __future__ import annotations

import dataclasses
from typing import Any

from heldout.errors import HeldoutError
from heldout.metrics.builtin_metrics import BUILT_IN
from heldout.metrics.metric import Metric
from heldout.plan.qualified_names import name_of, origin_of
from heldout.plan.read_values import Reading, odd
from heldout.plan.written_values import not_written, written

_BUILT_IN = {each.name: each for each in BUILT_IN}
_PLAIN = ("name", "needs", "is_larger_better", "lowest", "highest", "description")


def written_metric(metric: Metric) -> Any:
    """A metric as JSON can hold it.

    >>> from heldout.metrics.metric_registry import metric_named
    >>> written_metric(metric_named("auc"))
    'auc'
    >>> written_metric(metric_named("f1").using(average="macro"))
    {'metric': 'f1', 'name': 'f1 (average=macro)', 'options': {'average': 'macro'}}
    """
    if _BUILT_IN.get(metric.name) == metric:
        return metric.name
    where = f"metric {metric.name!r:.60}"
    options = {key: written(value, where) for key, value in metric.options}
    for known in sorted(BUILT_IN, key=lambda each: not metric.name.startswith(each.name)):
        if known.using(name=metric.name, **dict(metric.options)) == metric:
            return {"metric": known.name, "name": metric.name, "options": options}
    fields = {name: written(getattr(metric, name), where) for name in _PLAIN}
    return {**_function(metric), **fields, "options": options}


def read_metric(form: Any, reading: Reading) -> Metric:
    """The metric that was written.

    >>> read_metric("auc", Reading()).name
    'auc'
    """
    if type(form) is str:
        return _built_in(form)
    if type(form) is not dict or type(form.get("options")) is not dict or type(form.get("name")) is not str:
        raise odd("a metric is a name, or has a name and options", f"{form!r:.60}")
    where = f"metric {form['name']!r:.60}"
    options = {key: reading.value(value, where) for key, value in form["options"].items()}
    if set(form) == {"metric", "name", "options"}:
        return _with_options(_built_in(form["metric"]), form["name"], options)
    if set(form) - {"version", "source"} != {"function", "options", *_PLAIN}:
        raise odd("a metric has an unknown form", where)
    origin = {key: form[key] for key in ("function", "version", "source") if key in form}
    fields = {name: reading.value(form[name], where) for name in _PLAIN}
    try:
        return Metric(function=reading.value(origin, where), options=tuple(options.items()), **fields)
    except HeldoutError:
        raise
    except Exception as error:
        raise odd("a metric has fields that do not fit", f"{where}: {error!s:.80}") from error


def _with_options(metric: Metric, name: str, options: dict[str, Any]) -> Metric:
    for option in options:
        if not metric.takes(option):
            raise odd(f"the metric {metric.name!r} takes no {option!r:.60}", f"metric {name!r:.60}")
    return dataclasses.replace(metric, name=name, options=tuple(options.items()))


def _function(metric: Metric) -> dict[str, str]:
    """The name of a metric's own function; a lambda, or a function within a function, has none."""
    function, where = metric.function, f"metric {metric.name!r:.60}"
    if dataclasses.is_dataclass(function) or not hasattr(function, "__qualname__"):
        raise not_written(function, where, "it is a live object")
    return {"function": name_of(function, where), **origin_of(function, where)}


def _built_in(name: Any) -> Metric:
    if type(name) is str and name in _BUILT_IN:
        return _BUILT_IN[name]
    if type(name) is not str:
        raise odd("a metric has a name", f"{name!r:.60}")
    raise odd(f"there is no metric {name!r:.60} built in", f"metric {name!r:.60}")
