"""The fingerprint of code that has no version: of its source, or, where no file holds it, of what it does."""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any


def code_fingerprint(named: type | Callable[..., Any]) -> str | None:
    """16 hexadecimal digits that change with the code; None where it cannot be seen, as in a compiled module.

    Of a class its own bases are part of it, of what its methods call nothing.
    """
    parts = [base for base in named.__mro__ if _is_own(base)] if isinstance(named, type) else [named]
    seen = [_seen(part) for part in parts]
    if not seen or None in seen:
        return None
    return hashlib.sha256("\n".join(map(str, seen)).encode()).hexdigest()[:16]


def version_of(named: Any) -> str | None:
    """The version of the package that holds a class or function; None where it has none."""
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
        return _function_seen(part)
    return _class_seen(part) if isinstance(part, type) else None


def _class_seen(part: type) -> str | None:
    """Its functions and its constants; None where it has no functions, as a compiled class."""
    lines, n_functions = [], 0
    for name, value in sorted(vars(part).items()):
        functions = _functions_in(value)
        n_functions += len(functions)
        if functions:
            lines += [f"{name} {_function_seen(function)}" for function in functions]
        elif not name.startswith("__"):
            lines.append(f"{name} {_shown(value)}")
    return "\n".join(lines) if n_functions else None


def _functions_in(member: Any) -> list[FunctionType]:
    """The functions of a member: itself, or those of a property, a class method, a cached property."""
    parts: list[Any] = [member, getattr(member, "__func__", None), getattr(member, "func", None)]
    parts += [getattr(member, name, None) for name in ("fget", "fset", "fdel")]
    return [part for part in parts if isinstance(part, FunctionType)]


def _function_seen(function: FunctionType) -> str:
    defaults = f"{_shown(function.__defaults__)} {_shown(function.__kwdefaults__)}"
    return f"{_done_by(function.__code__)} {defaults}"


def _done_by(code: CodeType) -> str:
    """The instructions with their names and constants, without line numbers and files."""
    constants = [_shown(value) for value in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {constants}"


def _shown(value: Any) -> str:
    """A constant, so that it is the same in every process: sets have no order, and objects no address."""
    if isinstance(value, CodeType):
        return _done_by(value)
    if isinstance(value, set | frozenset):
        return f"{{{sorted(map(_shown, value))}}}"
    if isinstance(value, tuple | list):
        return f"{type(value).__name__} {[_shown(entry) for entry in value]}"
    if isinstance(value, dict):
        return f"{{{[(_shown(key), _shown(entry)) for key, entry in value.items()]}}}"
    is_plain = value is None or isinstance(value, bool | int | float | complex | str | bytes)
    return repr(value) if is_plain else f"a {type(value).__qualname__}"


def digest_of(record: Any, about: str) -> str:
    """64 hexadecimal digits over a record of plain values.

    record: what JSON can hold; the order of keys leaves no trace, the order of lists does
    about:  what is digested, so that a plan and a contender never have the same digest
    """
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(f"heldout {about} 1\n{text}".encode()).hexdigest()
