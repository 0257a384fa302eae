"""Words as they stand in sentences: counted nouns, lists of names, what a user may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a mistyped command is answered without NumPy
    import numpy as np
    from numpy.typing import NDArray


_MOST = 6


def join_names(names: Sequence[str], before_last: str = "and") -> str:
    """Names with commas and an "and" before the last; of many the rest is counted.

    before_last: another word than "and"
    """
    shown = list(names[:_MOST])
    if len(names) > _MOST:
        shown.append(f"{len(names) - _MOST} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {before_last} {shown[-1]}"


def first_upper(sentence: str) -> str:
    """The sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


def suggestion(wanted: str, known: Sequence[str]) -> str:
    """The nearest of the known names, or a list of them."""
    by_lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(wanted.lower(), list(by_lower), n=1, cutoff=0.6)
    if close:
        return f"did you mean {by_lower[close[0]]!r}?"
    shown = ", ".join(repr(name) for name in known[:10])
    return f"it is one of {shown}" + (f" and {len(known) - 10} more" if len(known) > 10 else "")


def plural(count: int, singular: str, several: str = "") -> str:
    """A counted noun."""
    return f"{count:,} {singular if count == 1 else several or singular + 's'}"


def first_of_rows(mask: NDArray[np.bool_], example: str = "") -> str:
    """How many rows a mask marks and which is the first, for the second part of an error."""
    first = f"{example} in" if example else "in"
    return f"{int(mask.sum()):,} of {plural(len(mask), 'row')}, first {first} row {int(mask.argmax()) + 1:,}"


def shorten(text: str, width: int) -> str:
    """One printable line of at most `width` characters."""
    printable = "".join(character if character.isprintable() else "�" for character in text)
    return printable if len(printable) <= width else printable[: width - 1] + "…"
