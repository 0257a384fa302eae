"""Warnings that point at the user's own line, however deep in the package they are given."""

from __future__ import annotations

import sys
import warnings

# scikit-learn and joblib stand between a user and a step of a pipeline that is cross-validated.
NOT_THE_USERS = ("heldout.", "sklearn.", "joblib.")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line up the stack that is neither ours nor scikit-learn's."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(NOT_THE_USERS):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
