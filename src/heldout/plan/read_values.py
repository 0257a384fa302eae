"""Parameters from the JSON of a plan. The text is no one's word but its own: whatever is odd is refused."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.metrics.builtin_metrics import BUILT_IN
from heldout.metrics.metric import Metric
from heldout.plan.trusted_names import (
    class_named,
    function_named,
    name_of,
    numpy_function_named,
    origin_of,
    ufunc_named,
)
from heldout.plan.written_values import (
    MOST_ENTRIES,
    MOST_NESTING,
    NUMPY_KINDS,
    PLAIN_TYPES,
    changes_nothing,
    not_written,
    written,
)
from heldout.split.split_from_dict import split_from_dict
from heldout.stats.metric_families import OTHER
from heldout.text.words import suggestion

_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_NUMBER = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)")
_WORD = re.compile(r"U([0-9]{1,5})")


@dataclass
class Reading:
    """What is known while a plan is read.

    allow: packages besides heldout and scikit-learn that the user vouches for
    notes: what differs here from where the plan was written; grows
    """

    allow: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)

    def value(self, form: Any, where: str, depth: int = 0) -> Any:
        """The value that was written."""
        if depth > MOST_NESTING + 1:
            raise odd("a value is nested too deeply", where)
        if form is None or type(form) in (bool, int, float, str):
            return form
        if type(form) is list:
            return [self.value(entry, where, depth + 1) for entry in form]
        if type(form) is not dict:
            raise odd("a value has an unknown form", f"{where}: {form!r:.60}")
        if "class" in form:
            return self.estimator(form, where, depth)
        if "function" in form:
            return self._function(form, where)
        if "split" in form:
            return split_from_dict(form)
        return self._marked(form, where, depth)

    def estimator(self, form: Any, where: str, depth: int = 0) -> Any:
        """The estimator that was written by name, version and parameters, unfitted."""
        if type(form) is not dict or not {"class", "parameters"} <= set(form):
            raise odd("an estimator has a class and parameters", f"{where}: {form!r:.60}")
        cls = class_named(form["class"], self.allow)
        self._compare_origin(form, cls, form["class"])
        given = form["parameters"]
        if type(given) is not dict:
            raise odd("parameters have names", f"{where}: {given!r:.60}")
        known = _parameter_names(cls)
        for name in given:
            if name not in known:
                raise RequestError(
                    f"{cls.__name__} has no parameter {name!r:.60}",
                    where=where,
                    fix=suggestion(name, known) if known else "leave it out",
                )
            if changes_nothing(name, given[name]):
                raise odd(f"{name!r} is for the one who runs a plan to set", where)
        values = {key: self.value(entry, f"{where}, {key}", depth + 1) for key, entry in given.items()}
        try:
            return cls(**values)
        except HeldoutError:
            raise
        except Exception as error:
            raise odd(f"{cls.__name__} refuses its parameters", f"{where}: {error!s:.120}") from error

    def _function(self, form: dict[str, Any], where: str) -> Callable[..., Any]:
        if not set(form) <= {"function", "version", "source"}:
            raise odd("a function has a name and a version", f"{where}: {form!r:.60}")
        found = function_named(form["function"], self.allow)
        self._compare_origin(form, found, form["function"])
        return found

    def _compare_origin(self, form: dict[str, Any], found: Any, name: str) -> None:
        """A sentence where the code here is not the code of then."""
        here = origin_of(found)
        if form.get("version") == here.get("version") and form.get("source") == here.get("source"):
            return
        note = f"the code of {name} has changed since the plan was written"
        if "version" in form:
            now = repr(here["version"]) if "version" in here else "without a version"
            note = f"the plan was written with {name} of version {form['version']!r:.60}; here it is {now}"
        if note not in self.notes:
            self.notes.append(note)

    def _marked(self, form: dict[str, Any], where: str, depth: int) -> Any:
        """What has one key, which says what it is."""
        if len(form) != 1:
            raise odd("a value has an unknown form", f"{where}: {form!r:.60}")
        ((kind, content),) = form.items()
        if kind in ("tuple", "set", "frozenset") and type(content) is list:
            entries = [self.value(entry, where, depth + 1) for entry in content]
            return _collected(kind, entries, where)
        if kind == "dict" and type(content) is dict:
            return self._pairs([[key, entry] for key, entry in content.items()], where, depth)
        if kind == "pairs" and type(content) is list:
            return self._pairs(content, where, depth)
        if kind in ("array", "scalar"):
            return self._array(content, kind, where, depth)
        if kind == "slice" and type(content) is list and len(content) == 3:
            return slice(*[self.value(end, where, depth + 1) for end in content])
        return _named_value(kind, content, where)

    def _pairs(self, content: list[Any], where: str, depth: int) -> dict[Any, Any]:
        if not all(type(pair) is list and len(pair) == 2 for pair in content):
            raise odd("a dict is a list of pairs", where)
        found = {}
        for pair in content:
            key, value = (self.value(entry, where, depth + 1) for entry in pair)
            # A search within a plan sets parameters by such keys, and would load pickles from that folder.
            last = key.rpartition("__")[2] if isinstance(key, str) else ""
            if last == "memory" and changes_nothing(last, value):
                raise odd("'memory' is for the one who runs a plan to set", where)
            try:
                found[key] = value
            except TypeError as error:
                raise odd("a dict has a key that cannot be one", f"{where}: {pair[0]!r:.60}") from error
        return found

    def _array(self, content: Any, kind: str, where: str, depth: int) -> Any:
        if type(content) is not dict or set(content) != {"dtype", "shape", "values"}:
            raise odd("an array has dtype, shape and values", where)
        shape, values = content["shape"], content["values"]
        is_shape = type(shape) is list and all(type(n) is int and n >= 0 for n in shape)
        if not is_shape or type(values) is not list or len(values) > MOST_ENTRIES:
            raise odd("an array has a shape and not too many values", where)
        if len(shape) > 4 or math.prod(shape) != len(values) or (kind == "scalar" and shape):
            raise odd("an array has another shape than it declares", f"{where}: {shape!r:.60}")
        entries = [self.value(entry, where, depth + 1) for entry in values]
        array = _filled(content["dtype"], entries, where).reshape(shape)
        return array if kind == "array" else array[()]


def odd(what: str, where: str) -> RequestError:
    """The error for a plan file that is not as `to_json` writes it."""
    return RequestError(
        f"the plan cannot be read: {what}", where=where, fix="take the text as plan.to_json() wrote it"
    )


def _parameter_names(cls: type) -> list[str]:
    import inspect

    if hasattr(cls, "_get_param_names"):
        return list(cls._get_param_names())
    return [name for name in inspect.signature(cls).parameters if name != "self"]


def _collected(kind: str, entries: list[Any], where: str) -> Any:
    if kind == "tuple":
        return tuple(entries)
    if not all(type(entry) in (str, int) for entry in entries):
        raise odd("a set holds words or whole numbers", where)
    return set(entries) if kind == "set" else frozenset(entries)


def _named_value(kind: str, content: Any, where: str) -> Any:
    """What stands for itself by a word."""
    types = {each.__name__: each for each in PLAIN_TYPES}
    kinds = {each.__name__: each for each in NUMPY_KINDS}
    if type(content) is str:
        if kind == "float" and content in _FLOATS:
            return _FLOATS[content]
        if kind == "type" and content in types:
            return types[content]
        if kind == "ufunc":
            return ufunc_named(content)
        if kind == "numpy_function":
            return numpy_function_named(content)
        if kind == "dtype" and (_NUMBER.fullmatch(content) or _WORD.fullmatch(content)):
            return np.dtype(content)
        if kind == "numpy_type" and (content in kinds or _NUMBER.fullmatch(content)):
            return kinds.get(content) or np.dtype(content).type
    raise odd("a value has an unknown form", f"{where}: {kind!r:.60}")


def _filled(dtype: Any, entries: list[Any], where: str) -> NDArray[Any]:
    """An array of the entries; each has to be of the type that the dtype stands for."""
    word = _WORD.fullmatch(dtype) if type(dtype) is str else None
    allowed: tuple[type, ...] = ()
    if word is not None:
        allowed = (str,) if all(type(e) is str and len(e) <= int(word[1]) for e in entries) else ()
    elif dtype == "object":
        allowed = (bool, int, float, str, type(None))
    elif type(dtype) is str and _NUMBER.fullmatch(dtype):
        allowed = {"b": (bool,), "i": (int,), "u": (int,), "f": (float,)}[np.dtype(dtype).kind]
    if not allowed or not all(type(entry) in allowed for entry in entries):
        raise odd("an array has values that its type does not allow", f"{where}: {dtype!r:.60}")
    if word is not None and (int(word[1]) + 1) * max(len(entries), 1) > 1 << 24:
        raise odd("an array of words is too large", where)
    try:
        made: NDArray[Any] = np.empty(len(entries), dtype=dtype)
        made[:] = entries
    except (OverflowError, ValueError, TypeError) as error:
        raise odd("an array has values that its type does not allow", f"{where}: {dtype!r:.60}") from error
    return made


MOST_CHARACTERS = 1 << 24


def read_json(text: Any) -> Any:
    """Lists, objects, words and finite numbers; a key that occurs twice is refused."""
    if not isinstance(text, str | bytes):
        raise InputTypeError(
            "a plan is read from text",
            where=f"got a {type(text).__name__}",
            fix="hand over what to_json() wrote",
        )
    if len(text) > MOST_CHARACTERS:
        raise odd("it is too long", f"{len(text):,} characters, at most {MOST_CHARACTERS:,}")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:  # HeldoutErrors of ours are ValueErrors as well
        if hasattr(error, "fix"):
            raise
        raise odd("it is not JSON", f"{error!s:.120}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise odd("a key occurs twice in one object", f"keys {[key for key, _ in pairs]!r:.80}")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise odd("a number is too large", f"{text:.60}")
    return number


def _no_constant(name: str) -> Any:
    raise odd("a number is not finite", name)


_BUILT_IN = {each.name: each for each in BUILT_IN}
_PLAIN = ("name", "needs", "is_larger_better", "lowest", "highest", "description")


def written_metric(metric: Metric) -> Any:
    """A metric as JSON can hold it."""
    known = _BUILT_IN.get(metric.built_in)
    if known == metric:
        return metric.name
    where = f"metric {metric.name!r:.60}"
    options = {key: written(value, where) for key, value in metric.options}
    if known is not None and known.using(name=metric.name, **dict(metric.options)) == metric:
        return {"metric": known.name, "name": metric.name, "options": options}
    if metric.plain_family != OTHER:
        raise not_written(metric.plain_family, where, "only built-in metrics have one that can be read")
    fields = {name: written(getattr(metric, name), where) for name in _PLAIN}
    return {**_function(metric), **fields, "options": options}


def read_metric(form: Any, reading: Reading) -> Metric:
    """The metric that was written."""
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
