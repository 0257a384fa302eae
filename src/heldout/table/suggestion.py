"""What a user may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def suggestion(wanted: str, known: Sequence[str]) -> str:
    """The nearest of the known names, or a list of them.

    >>> suggestion("pirce", ["price", "city"])
    "did you mean 'price'?"
    >>> suggestion("x", ["price", "city"])
    "it is one of 'price', 'city'"
    """
    by_lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(wanted.lower(), list(by_lower), n=1, cutoff=0.6)
    if close:
        return f"did you mean {by_lower[close[0]]!r}?"
    shown = ", ".join(repr(name) for name in known[:10])
    return f"it is one of {shown}" + (f" and {len(known) - 10} more" if len(known) > 10 else "")
