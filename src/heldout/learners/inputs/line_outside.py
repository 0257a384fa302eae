"""Where a warning belongs: the line of the user that called the package."""

from __future__ import annotations

import sys


def level_outside() -> int:
    """How many calls up the first line stands that is not the package's: the `stacklevel` of a warning.

    Lines of scikit-learn and of joblib, which stand between a user and a step of a pipeline that is
    cross-validated, are none of the user's.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(
        ("heldout.", "sklearn.", "joblib.")
    ):
        level, frame = level + 1, frame.f_back
    return level
