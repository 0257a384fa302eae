"""What a plan calls a class or a function: its qualified name, and the version or source behind it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from heldout.errors import RequestError
from heldout.plan.code_fingerprint import code_fingerprint, version_of


def name_of(named: type | Callable[..., Any], where: str = "") -> str:
    """The name by which a class or function can be found again, without private modules where it can be.

    where: whose it is, for the error

    >>> from sklearn.svm import SVC
    >>> name_of(SVC)
    'sklearn.svm.SVC'
    >>> import heldout as ho
    >>> name_of(ho.TreeClassifier)
    'heldout.TreeClassifier'
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

    >>> import heldout as ho
    >>> origin_of(ho.TreeClassifier) == {"version": ho.__version__}
    True
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
    public = next((place for place, part in enumerate(parts) if part.startswith("_")), len(parts))
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
