"""From a name in a plan file back to the class or function, which no one but the user can vouch for.

A plan file may come from anyone. A name leads nowhere but into heldout, into scikit-learn, and into what the
user allows; modules are imported only there; what is found must be defined there, and be of a kind that a
plan needs.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from heldout.errors import HeldoutError, InputTypeError, RequestError
from heldout.metrics.metric import Metric
from heldout.plan.code_fingerprint import code_fingerprint, version_of
from heldout.text.words import suggestion

LONGEST_NAME = 200
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+")
# Parts of scikit-learn that hold no learners, and that do something when they are imported or called.
_CLOSED = frozenset({"tests", "conftest", "externals", "experimental", "datasets", "utils", "__main__"})
# Functions of scikit-learn that estimators take as parameters: scores of features, kernels, distances.
_FUNCTION_ROOMS = ("sklearn.feature_selection", "sklearn.metrics", "sklearn.preprocessing")
# Of NumPy's other functions those that sum up or mend numbers, as estimators take them.
NUMPY_FUNCTIONS = ("max", "mean", "median", "min", "nan_to_num", "std", "sum", "var")


def checked_allow(allow: Any) -> tuple[str, ...]:
    """The packages, modules or names that the user allows besides heldout and scikit-learn."""
    listed = [allow] if isinstance(allow, str) else allow
    is_list = isinstance(listed, list | tuple | set | frozenset)
    if not is_list or not all(isinstance(name, str) and name.strip(".") for name in listed):
        raise InputTypeError(
            "allow is a list of packages, modules or qualified names",
            where=f"allow={allow!r:.60}",
            fix='write for instance allow=["xgboost"]',
        )
    return tuple(sorted(listed))


def class_named(name: Any, allow: Sequence[str] = ()) -> type:
    """The class of a learner, a transformer or another parameter of these.

    allow: what the user vouches for besides heldout and scikit-learn
    """
    found = _found(name, allow)
    if not isinstance(found, type) or not issubclass(found, parameter_classes(name)):
        raise _refused(name, "is no learner and no transformer")
    return found


def function_named(name: Any, allow: Sequence[str] = ()) -> Callable[..., Any]:
    """A function that a learner takes as a parameter, or a metric of the user's."""
    found = _found(name, allow)
    if isinstance(found, Metric):
        return found.function
    is_trusted = _is_below(name, allow) or _is_public_function(name, found)
    if isinstance(found, type) or not callable(found) or not is_trusted:
        raise _refused(name, "is no function that a plan may name")
    function: Callable[..., Any] = found
    return function


def _is_public_function(name: str, found: Any) -> bool:
    """Whether it is at home in one of the rooms, and not one of scikit-learn's tools that lie about there.

    Some of those call any method by its name, which may be one that writes a file.
    """
    is_public = not any(part.startswith("_") for part in name.split("."))
    is_there = _is_below(name, _FUNCTION_ROOMS) and _is_below(str(found.__module__), _FUNCTION_ROOMS)
    return is_public and is_there


def ufunc_named(name: Any) -> np.ufunc:
    """One of NumPy's functions of single numbers, such as log1p; no other function of NumPy."""
    found = vars(np).get(name) if isinstance(name, str) else None
    if not isinstance(found, np.ufunc):
        raise _refused(name, "is no ufunc of NumPy")
    return found


def numpy_function_named(name: str) -> Callable[..., Any]:
    """One of the few other functions of NumPy that a plan may name."""
    if name not in NUMPY_FUNCTIONS:
        raise _refused(name, "is no function of NumPy that a plan may name")
    function: Callable[..., Any] = getattr(np, name)
    return function


def _found(name: Any, allow: Sequence[str]) -> Any:
    """What stands under the name in the module that it names; no attribute of anything else is followed."""
    if not isinstance(name, str) or len(name) > LONGEST_NAME or _NAME.fullmatch(name) is None:
        raise _refused(name, "is no qualified name")
    root = name.partition(".")[0]
    module, _, last = name.rpartition(".")
    is_allowed = _is_below(name, allow)
    if root == "heldout" and not is_allowed:
        return _ours(name)
    if root != "sklearn" and not is_allowed:
        raise RequestError(
            f"the plan names {name!r:.120}, which is not from heldout or sklearn",
            where=repr(name)[:120],
            fix=f"if you trust it, say so with allow=[{root!r}]",
        )
    if not is_allowed and _CLOSED.intersection(module.split(".")):
        raise _refused(name, "is in a part of scikit-learn that holds no learners")
    found = vars(_imported(module, name)).get(last)
    defined = found.function if isinstance(found, Metric) else found
    if defined is None:
        raise _refused(name, "does not exist")
    # A module holds what it has imported as well, and sklearn.x.os.system is not scikit-learn's.
    if str(getattr(defined, "__module__", "")).partition(".")[0] != root:
        raise _refused(name, f"is not defined in {root}")
    return found


def _ours(name: str) -> Any:
    """A public name of Heldout."""
    package = importlib.import_module("heldout")
    last = name.removeprefix("heldout.")
    if last in package.__all__:
        return getattr(package, last)
    raise RequestError(
        f"heldout has no {last!r:.120}", where=repr(name)[:120], fix=suggestion(last, package.__all__)
    )


def _imported(module: str, name: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise RequestError(
            f"{name!r:.120} cannot be imported",
            where=f"{error!s:.120}",
            fix="install the package in the version that the plan names, or leave the contender out",
        ) from error


def _is_below(name: str, allow: Sequence[str]) -> bool:
    return any(name == entry or name.startswith(f"{entry}.") for entry in allow)


def parameter_classes(name: str) -> tuple[type, ...]:
    """What may be a parameter of an estimator: another one; for some a split, a kernel, a choice of columns.

    Those classes cost time to import, and are looked for only where the name leads to them.
    """
    classes: list[type] = [BaseEstimator]
    if name.startswith("sklearn.model_selection."):
        from sklearn.model_selection import BaseCrossValidator, BaseShuffleSplit, RepeatedKFold

        classes += [BaseCrossValidator, BaseShuffleSplit, RepeatedKFold.__mro__[1]]
    if name.startswith("sklearn.gaussian_process."):
        from sklearn.gaussian_process.kernels import Kernel

        classes.append(Kernel)
    if name.startswith("sklearn.compose."):
        from sklearn.compose import make_column_selector

        classes.append(make_column_selector)
    return tuple(classes)


def _refused(name: Any, why: str) -> HeldoutError:
    return RequestError(
        f"the plan names something that {why}",
        where=repr(name)[:120],
        fix="name an estimator of heldout or scikit-learn, or allow the package that holds yours",
    )


def name_of(named: type | Callable[..., Any], where: str = "") -> str:
    """The name by which a class or function can be found again, without private modules where it can be.

    where: whose it is, for the error
    """
    module, name = str(getattr(named, "__module__", "")), str(getattr(named, "__qualname__", ""))
    if not module or not name.isidentifier() or not _is_behind(module, name, named):
        raise _not_found_again(named, where or f"{module}.{name}", name)
    for shorter in _public_modules(module):
        if _is_behind(shorter, name, named):
            return f"{shorter}.{name}"
    return f"{module}.{name}"


def origin_of(named: type | Callable[..., Any], where: str = "") -> dict[str, str]:
    """What tells one state of a class or function from another: its version, else a fingerprint of it.

    Code without a version, such as a class of a notebook, is changed and run again; a plan that named it
    alone would take results of the old code for those of the new.

    where: whose it is, for the error
    """
    version = version_of(named)
    if version is not None:
        return {"version": version}
    fingerprint = code_fingerprint(named)
    if fingerprint is None:
        raise RequestError(
            f"{named.__qualname__} has neither version nor source, so that no one could tell if it changes",
            where=where or f"{named.__module__}.{named.__qualname__}",
            fix="put it into a file, a module of your own, and import it from there",
        )
    return {"source": fingerprint}


def _public_modules(module: str) -> list[str]:
    """The modules above, from the top, down to where the path becomes private."""
    parts = module.split(".")
    public = next((index for index, part in enumerate(parts) if part.startswith("_")), len(parts))
    return [".".join(parts[:length]) for length in range(1, public + 1)]


def _is_behind(module: str, name: str, named: Any) -> bool:
    """Whether the module holds the object under the name; a metric stands for the function below it."""
    found = getattr(sys.modules.get(module), name, None)
    return found is named or (found is not None and getattr(found, "function", None) is named)


def _not_found_again(named: Any, where: str, name: str) -> RequestError:
    shown = name or f"a {type(named).__name__}"
    return RequestError(
        f"{shown} cannot be found again by its name, so that a plan cannot be written down with it",
        where=f"{where}: {named!r:.60}",
        fix="define it with def or class at the top of a module, not inside a function, and not as a lambda",
    )
