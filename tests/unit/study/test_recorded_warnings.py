"""A warning that comes in every fold is one note."""

from __future__ import annotations

import warnings

from heldout.features import UnseenLevelWarning
from heldout.study.cells.guarded_fit import Notes, record_warnings


def test_a_warning_in_many_folds_is_said_once() -> None:
    """Its numbers and examples differ from fold to fold; one of them stands for all."""
    notes = Notes()
    with record_warnings(notes):
        for fold in range(5):
            text = f"OneHot makes zeros of {80 + fold} values of 7 levels: city = {'abcde'[fold]}"
            warnings.warn(text, UnseenLevelWarning, stacklevel=1)
        warnings.warn("OneHot has other worries", UserWarning, stacklevel=1)
    first, other = notes.sentences
    assert first.endswith("80 values of 7 levels: city = a (and 4 notes like it)")
    assert other == "UserWarning: OneHot has other worries"
