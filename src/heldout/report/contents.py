"""The table of contents: the sections that this page has, in the reader's order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def contents(page: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Pairs of an id and a name, of the sections that have something to show.

    page: what the templates get

    >>> contents({"standings": [], "models": [], "answers": [], "curves": [], "tuned": [], "data": {},
    ...           "limits": []})
    [('verdict', 'Verdict'), ('seal', 'The seal'), ('method', 'Method')]
    """
    sections = [
        ("verdict", "Verdict", True),
        ("seal", "The seal", True),
        ("contenders", "Contenders", page["standings"]),
        ("model", "The model", page["models"]),
        ("answers", "Predictions", page["answers"]),
        ("curves", "Curves", page["curves"]),
        ("tuned", "Tuning", page["tuned"]),
        ("data", "The data", page["data"]),
        ("method", "Method", True),
        ("limits", "Limits", page["limits"]),
    ]
    return [(name, title) for name, title, is_there in sections if is_there]
