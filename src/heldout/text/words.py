"""Words as they stand in sentences: counted nouns, lists of names, what a user may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a mistyped command is answered without NumPy
    import numpy as np
    from numpy.typing import NDArray


def join_names(names: Sequence[str], before_last: str = "and", most: int | None = 6) -> str:
    """Names with commas and an "and" before the last; of more than `most` the others are counted."""
    shown = list(names[:most])
    if len(names) > len(shown):
        shown.append(f"{len(names) - len(shown)} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {before_last} {shown[-1]}"


def first_few(items: Sequence[object], most: int = 5) -> str:
    """Items with commas between them and no "and"; of more than `most` the others are counted."""
    shown = ", ".join(map(str, items[:most]))
    return shown if len(items) <= most else f"{shown} and {len(items) - most:,} more"


def first_upper(sentence: str) -> str:
    """The sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


def suggestion(wanted: str, known: Sequence[str]) -> str:
    """The nearest of the known names, or a list of them."""
    near = nearest_name(wanted, known, cutoff=0.6)
    return f"did you mean {near!r}?" if near else f"it is one of {first_few([*map(repr, known)], 10)}"


def nearest_name(wanted: object, known: Sequence[str], cutoff: float = 0.5) -> str | None:
    """The known name that was probably meant, whatever the case of its letters; None if none is near."""
    by_lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(str(wanted).lower(), list(by_lower), n=1, cutoff=cutoff)
    return by_lower[close[0]] if close else None


def plural(count: int, singular: str, several: str = "") -> str:
    """A counted noun."""
    return f"{count:,} {singular if count == 1 else several or singular + 's'}"


def times(count: int) -> str:
    """How often."""
    return "once" if count == 1 else f"{count:,} times"


def first_of_rows(mask: NDArray[np.bool_], example: str = "") -> str:
    """How many rows a mask marks and which is the first, for the second part of an error."""
    first = f"{example} in" if example else "in"
    return f"{int(mask.sum()):,} of {plural(len(mask), 'row')}, first {first} row {int(mask.argmax()) + 1:,}"


def shorten(text: str, width: int) -> str:
    """One printable line of at most `width` characters."""
    printable = "".join(character if character.isprintable() else "�" for character in text)
    return printable if len(printable) <= width else printable[: width - 1] + "…"


def short_repr(value: object, width: int = 60) -> str:
    """A value as Python writes it, cut with three dots where it is long."""
    text = repr(value)
    return text if len(text) <= width else f"{text[: width - 3]}..."


def quote(text: str, width: int = 40) -> str:
    """A text in quotes; a long one is cut before the closing quote."""
    return repr(text if len(text) <= width else f"{text[: width - 3]}...")
