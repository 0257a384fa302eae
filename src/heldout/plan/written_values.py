"""Parameters as JSON: numbers and words as they are, everything else as an object that says what it is.

What changes how long a learner takes and not what it learns (threads, messages, caches) is not written.
"""

from __future__ import annotations

import inspect
import math
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from heldout.errors import RequestError
from heldout.plan.trusted_names import NUMPY_FUNCTIONS, name_of, origin_of, parameter_classes
from heldout.split.split import Split

# A path to a cache would be worse than useless: whoever reads the plan would load pickles from there.
NOT_WRITTEN = frozenset({"n_jobs", "verbose", "memory", "pre_dispatch"})
MOST_NESTING = 20
MOST_ENTRIES = 10_000
PLAIN_TYPES = (bool, int, float, str, object)
# Kinds of columns, as make_column_selector takes them; they are no types of arrays.
NUMPY_KINDS: tuple[type, ...] = (
    np.number,
    np.integer,
    np.signedinteger,
    np.unsignedinteger,
    np.inexact,
    np.floating,
    np.object_,
    np.str_,
    np.datetime64,
)


def written(value: Any, where: str, depth: int = 0) -> Any:
    """A value as JSON can hold it, so that `read` gives back the same.

    where: whose value it is, for the error
    """
    if depth > MOST_NESTING:
        raise not_written(value, where, "it is nested too deeply")
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) is list:
        return [written(entry, where, depth + 1) for entry in value]
    if type(value) in (tuple, set, frozenset):
        return {type(value).__name__: _entries(value, where, depth)}
    if type(value) is dict:
        return _written_dict(value, where, depth)
    if isinstance(value, np.generic | np.ndarray | np.dtype):
        return _written_numpy(value, where, depth)
    if type(value) is slice:
        return {"slice": [written(end, where, depth + 1) for end in (value.start, value.stop, value.step)]}
    if isinstance(value, type):
        return _written_type(value, where)
    if isinstance(value, Split):
        return value.to_dict()
    if isinstance(value, np.ufunc) or getattr(np, getattr(value, "__name__", ""), None) is value:
        return _written_numpy_function(value, where)
    if isinstance(value, FunctionType | BuiltinFunctionType):
        return {"function": name_of(value, where), **origin_of(value, where)}
    return written_estimator(value, where, depth)


def written_estimator(estimator: Any, where: str, depth: int = 0) -> dict[str, Any]:
    """An estimator by its qualified name, its version and its parameters."""
    cls = type(estimator)
    if isinstance(estimator, BaseEstimator):
        parameters = estimator.get_params(deep=False)
    elif isinstance(estimator, parameter_classes(f"{cls.__module__}.")):
        parameters = _constructor_arguments(estimator, where)
    else:
        raise not_written(estimator, where, "it is a live object")
    kept = {name: value for name, value in sorted(parameters.items()) if not changes_nothing(name, value)}
    return {
        "class": name_of(cls, where),
        **origin_of(cls, where),
        "parameters": {key: written(value, f"{where}, {key}", depth + 1) for key, value in kept.items()},
    }


def changes_nothing(name: str, value: Any) -> bool:
    """If a parameter is only about threads, messages or caches; a memory that is a number is no cache."""
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return name in NOT_WRITTEN and not (name == "memory" and is_number)


def not_written(value: Any, where: str, why: str) -> RequestError:
    """The error for a value that cannot be written down.

    why: what is the matter with it
    """
    is_random = isinstance(value, np.random.RandomState | np.random.Generator)
    return RequestError(
        f"a {type(value).__name__} cannot be written into a plan: {why}",
        where=f"{where}: {value!r:.60}",
        fix="give random_state a whole number, or leave it out: it then follows from the seed of the plan"
        if is_random
        else "use numbers, words, lists, small arrays, estimators, and functions of a module",
    )


def _entries(value: Any, where: str, depth: int) -> list[Any]:
    if type(value) is tuple:
        return [written(entry, where, depth + 1) for entry in value]
    if len({type(entry) for entry in value}) > 1 or not all(type(entry) in (str, int) for entry in value):
        raise not_written(
            value, where, "only sets of words or of whole numbers have an order to be written in"
        )
    return sorted(value)


def _written_dict(value: dict[Any, Any], where: str, depth: int) -> dict[str, Any]:
    if all(type(key) is str for key in value):
        return {"dict": {key: written(entry, where, depth + 1) for key, entry in value.items()}}
    pairs = [[written(k, where, depth + 1), written(v, where, depth + 1)] for k, v in value.items()]
    return {"pairs": pairs}


def _written_numpy(value: Any, where: str, depth: int) -> Any:
    if isinstance(value, np.dtype):
        return {"dtype": _dtype_name(value, where)}
    if isinstance(value, np.bool | np.integer | np.float64 | np.str_):
        return written(value.item(), where, depth)  # the same number, and the same digest
    array = np.asarray(value)
    if array.size > MOST_ENTRIES or type(value) not in (np.ndarray, type(array[()])):
        raise not_written(value, where, f"only plain arrays of at most {MOST_ENTRIES:,} entries are")
    return {"array" if isinstance(value, np.ndarray) else "scalar": _written_array(array, where, depth)}


def _written_array(array: NDArray[Any], where: str, depth: int) -> dict[str, Any]:
    name = _dtype_name(array.dtype, where, also="O")
    entries = array.ravel().tolist()
    if not all(entry is None or type(entry) in (bool, int, float, str) for entry in entries):
        raise not_written(array, where, "an array may hold words and numbers only")
    values = [written(entry, where, depth + 1) for entry in entries]
    return {"dtype": name, "shape": list(array.shape), "values": values}


def _dtype_name(dtype: np.dtype[Any], where: str, also: str = "") -> str:
    """Without the byte order, which is the machine's."""
    if dtype.kind not in "biufU" + also or dtype.names is not None or dtype.itemsize > 1 << 16:
        raise not_written(dtype, where, "it is of an unusual type")
    return f"U{dtype.itemsize // 4}" if dtype.kind == "U" else dtype.newbyteorder("=").name


def _written_type(value: type, where: str) -> dict[str, str]:
    if value in PLAIN_TYPES:
        return {"type": value.__name__}
    if value in NUMPY_KINDS:
        return {"numpy_type": value.__name__}
    if issubclass(value, np.bool | np.integer | np.floating):
        return {"numpy_type": np.dtype(value).name}
    if issubclass(value, BaseEstimator):
        raise RequestError(
            f"{value.__name__} is a class", where=where, fix=f"hand over a learner: {value.__name__}()"
        )
    raise not_written(value, where, "it is a class")


def _written_numpy_function(value: Any, where: str) -> dict[str, str]:
    name, is_ufunc = str(value.__name__), isinstance(value, np.ufunc)
    if vars(np).get(name) is not value or not (is_ufunc or name in NUMPY_FUNCTIONS):
        raise not_written(value, where, "it is none of NumPy's functions that a plan may name")
    return {"ufunc" if is_ufunc else "numpy_function": name}


def _constructor_arguments(value: Any, where: str) -> dict[str, Any]:
    """What the constructor was given: scikit-learn keeps every argument under its name, or among `cvargs`."""
    if hasattr(value, "get_params"):
        return dict(value.get_params(deep=False))
    kept = getattr(value, "cvargs", {}) | vars(value)
    names = list(inspect.signature(type(value)).parameters)
    if not set(names) <= set(kept):
        raise not_written(value, where, "it does not tell what it was made of")
    return {name: kept[name] for name in names}
