"""What is said beside an estimate: what it is of, and what it rests on."""

from __future__ import annotations

from heldout.stats.out_of_fold import estimand, folds_in_words
from heldout.table.describe import plural
from heldout.verdict.judged_rows import FEWEST_BLOCKS, JudgedRows

NOT_SPLIT = "One split: how much other training rows would change the score is not seen."
INFINITE = "A probability of 0 was given to something that happened, so the score is infinite."


def estimand_of(rows: JudgedRows) -> str:
    """What the mean over these splits estimates.

    >>> import numpy as np
    >>> print(estimand_of(JudgedRows(np.arange(3.0), np.array([[0, -1, -1]]), test_share=1 / 3)))
    Expected score when trained on 67% of these rows, about 2; one fitted model may do better or worse.
    """
    if rows.is_in_time:
        return (
            "Expected score in blocks of time like these, each predicted from what lies before it; what"
            " changes from then on is not in it."
        )
    if rows.test_share is None and rows.n_folds > 1:
        return estimand(rows.n_units, rows.n_folds, rows.unit)
    share = 1 - rows.held_share
    n_all = rows.n_units if rows.groups is not None else rows.n_rows
    return (
        f"Expected score when trained on {100 * share:.0f}% of these {rows.unit}s, about"
        f" {round(share * n_all):,}; one fitted model may do better or worse."
    )


def splits_in_words(rows: JudgedRows) -> str:
    """The splits as they stand behind the name of a method.

    >>> import numpy as np
    >>> splits_in_words(JudgedRows(np.arange(2.0), np.array([[0, 1], [1, 0]])))
    '2 × 2 folds'
    """
    if rows.is_in_time:
        return plural(rows.n_units, "block") + " of time"
    if rows.test_share is None and rows.n_folds > 1:
        return folds_in_words(rows.n_repeats, rows.n_folds)
    return plural(rows.n_repeats, "hold-out")


def too_few_blocks(rows: JudgedRows) -> str:
    """Why there is no interval, where blocks of time are too few to show how they differ.

    >>> import numpy as np
    >>> too_few_blocks(JudgedRows(np.arange(3.0), np.array([[-1, 0, 1]]), is_in_time=True))[:45]
    'There is no interval: 2 blocks of time are to'
    """
    if not rows.is_in_time or rows.n_units >= FEWEST_BLOCKS:
        return ""
    few = "one block of time is" if rows.n_units == 1 else f"{rows.n_units} blocks of time are"
    return (
        f"There is no interval: {few} too few to show how blocks differ;"
        f" with {FEWEST_BLOCKS} or more there is one."
    )
