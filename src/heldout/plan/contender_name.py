"""What a contender may be called: a name that a table, a page and a terminal can show as it is."""

from __future__ import annotations

import unicodedata
from typing import Any

from heldout.errors import KindError, RequestError

LONGEST_NAME = 60


def checked_name(name: Any) -> str:
    """The name; one that cannot be shown, or would not be recognized, is refused.

    >>> checked_name("tree")
    'tree'
    >>> checked_name("tree\\n")
    Traceback (most recent call last):
    heldout.errors.RequestError: the name of a contender has a character that cannot be shown
      where: Contender('tree\\n')
      fix:   did you mean 'tree'?
    """
    if not isinstance(name, str):
        raise KindError(
            "a contender has a name",
            where=f"Contender({name!r:.60}, …), the first is a {type(name).__name__}",
            fix='write the name first: ho.Contender("tree", ho.TreeClassifier())',
        )
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    cleaned = " ".join(shown.split())[:LONGEST_NAME].rstrip()
    fix = f"did you mean {cleaned!r}?" if cleaned else "give it a short name, such as 'tree'"
    where = f"Contender({name!r:.60})"
    if not name.isprintable():
        raise RequestError(
            "the name of a contender has a character that cannot be shown", where=where, fix=fix
        )
    if not cleaned:
        raise RequestError("the name of a contender is empty", where=where, fix=fix)
    if len(name) > LONGEST_NAME:
        raise RequestError(
            f"the name of a contender has at most {LONGEST_NAME} characters",
            where=f"{where}, {len(name):,} characters",
            fix=fix,
        )
    if name != name.strip():
        raise RequestError("the name of a contender begins or ends with a space", where=where, fix=fix)
    return str(name)


def look_of(name: str) -> str:
    """Equal for names that a reader would not tell apart.

    >>> look_of("Tree") == look_of("tree")
    True
    """
    return unicodedata.normalize("NFKC", name).casefold()
