"""Classes by their names, for notes."""

from __future__ import annotations

import numpy as np

from heldout.split.row_facts import Codes, RowFacts, dense
from heldout.table.describe import shortened

_SHOWN = 3


def classes_in_words(facts: RowFacts, which: Codes) -> str:
    """Some classes by name, those beyond the third by number.

    facts: of the rows
    which: places among the sorted classes that occur

    >>> facts = RowFacts(np.array(["no", "yes", "no"]), "classification")
    >>> classes_in_words(facts, np.array([1])), classes_in_words(facts, np.array([0, 1]))
    ("Class 'yes'", "Classes 'no', 'yes'")
    """
    names = class_names(facts)
    shown = ", ".join(repr(names[place]) for place in which[:_SHOWN].tolist())
    more = f" and {len(which) - _SHOWN} more" if len(which) > _SHOWN else ""
    return f"Class {shown}" if len(which) == 1 else f"Classes {shown}{more}"


def class_names(facts: RowFacts) -> list[str]:
    """The classes that occur, in sorted order.

    >>> class_names(RowFacts(np.array([3, 1, 3]), "classification"))
    ['1', '3']
    """
    codes, n_classes = dense(facts.y_codes)
    row_of_class = np.zeros(n_classes, dtype=np.intp)
    row_of_class[codes] = np.arange(len(codes))
    return [shortened(str(name), 24) for name in facts.y[row_of_class].tolist()]


def has_or_have(which: Codes) -> str:
    """The verb for one or several.

    >>> has_or_have(np.array([4]))
    'has'
    """
    return "has" if len(which) == 1 else "have each"


def it_or_them(which: Codes) -> str:
    """The pronoun for one or several.

    >>> it_or_them(np.array([4, 5]))
    'them'
    """
    return "it" if len(which) == 1 else "them"


def constant_note(facts: RowFacts) -> tuple[str, ...]:
    """That there is nothing to learn, where every target is the same.

    >>> constant_note(RowFacts(np.ones(3), "regression"))
    ('The target is the same in every row, so there is nothing to learn.',)
    """
    if not facts.n_rows or (facts.y_codes != facts.y_codes[0]).any():
        return ()
    return ("The target is the same in every row, so there is nothing to learn.",)
