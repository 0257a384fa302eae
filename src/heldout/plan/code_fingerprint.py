"""The fingerprint of code that has no version: of its source, or, where no file holds it, of what it does."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any


def code_fingerprint(named: type | Callable[..., Any]) -> str | None:
    """16 hexadecimal digits that change with the code; None where it cannot be seen, as in a compiled module.

    Of a class its own bases are part of it, of what its methods call nothing.

    >>> def one():
    ...     return 1
    >>> def other():
    ...     return 2
    >>> code_fingerprint(one) == code_fingerprint(one) != code_fingerprint(other)
    True
    """
    parts = [base for base in named.__mro__ if _is_own(base)] if isinstance(named, type) else [named]
    seen = [_seen(part) for part in parts]
    if not seen or None in seen:
        return None
    return hashlib.sha256("\n".join(map(str, seen)).encode()).hexdigest()[:16]


def version_of(named: Any) -> str | None:
    """The version of the package that holds a class or function; None where it has none.

    >>> from sklearn.svm import SVC
    >>> import sklearn
    >>> version_of(SVC) == sklearn.__version__
    True
    """
    root = str(getattr(named, "__module__", "")).partition(".")[0]
    version = getattr(sys.modules.get(root), "__version__", None)
    is_version = root != "__main__" and isinstance(version, str) and 0 < len(version) <= 60
    return version if is_version else None


def _is_own(base: type) -> bool:
    """Whether a class is the user's: neither Python's nor that of a package with a version."""
    root = base.__module__.partition(".")[0]
    return (root not in sys.stdlib_module_names or root == "__main__") and version_of(base) is None


def _seen(part: Any) -> str | None:
    """The source; where there is none, as for a class of a notebook, what its functions do."""
    try:
        return inspect.getsource(part)
    except (OSError, TypeError):
        pass
    if isinstance(part, FunctionType):
        return _done_by(part.__code__)
    if not isinstance(part, type):
        return None
    own = {name: getattr(value, "__func__", value) for name, value in sorted(vars(part).items())}
    functions = {name: value for name, value in own.items() if isinstance(value, FunctionType)}
    return "\n".join(f"{name} {_done_by(value.__code__)}" for name, value in functions.items()) or None


def _done_by(code: CodeType) -> str:
    """The instructions with their names and constants, without line numbers and files."""
    constants = [_shown(value) for value in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def _shown(value: Any) -> str:
    """A constant; the order of a set is not the same in every process."""
    if isinstance(value, CodeType):
        return _done_by(value)
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)
