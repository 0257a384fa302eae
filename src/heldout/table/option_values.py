"""What may be said with the options of read_table: a value of the wrong sort is refused, not bent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any

from heldout.errors import RequestError


def _is_count(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def _is_list_of_strings(value: Any) -> bool:
    if isinstance(value, str) or not hasattr(value, "__len__") or not hasattr(value, "__getitem__"):
        return False
    return all(isinstance(name, str) for name in value)


# Per option: whether a value may be given, what may be, and an example.
_RULES: dict[str, tuple[Callable[[Any], bool], str, str]] = {
    "header": (lambda value: isinstance(value, bool), "True or False", "True"),
    "day_first": (lambda value: isinstance(value, bool), "True or False", "True"),
    "skip_lines": (_is_count, "a whole number, 0 or more", "1"),
    "decimal": (lambda value: isinstance(value, str) and value in (",", "."), "',' or '.'", "','"),
    "encoding": (lambda value: isinstance(value, str), "a name", "'latin-1'"),
    "comment": (lambda value: isinstance(value, str), "a string, '' for none", "'#'"),
    "names": (_is_list_of_strings, "a list of strings", "['age', 'city']"),
    "sheet": (lambda value: isinstance(value, str) or _is_count(value), "a name, or a position from 0", "0"),
    "table": (lambda value: isinstance(value, str), "the name of a table", "'people'"),
    "query": (lambda value: isinstance(value, str), "a SELECT, as a string", "'SELECT ...'"),
}


def check_option_values(given: Mapping[str, Any]) -> None:
    """A RequestError for the first option whose value is none that it may have.

    >>> check_option_values({"header": False, "skip_lines": 2})
    >>> check_option_values({"header": 0})
    Traceback (most recent call last):
    heldout.errors.RequestError: header= is True or False
      where: header=0
      fix:   say header=True, or leave it out
    """
    for option, value in given.items():
        if option not in _RULES:
            continue
        is_allowed, allowed, example = _RULES[option]
        if not is_allowed(value):
            raise RequestError(
                f"{option}= is {allowed}",
                where=f"{option}={_shown(value)}",
                fix=f"say {option}={example}, or leave it out",
            )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
