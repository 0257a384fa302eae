"""Which columns are combinations of others, and of which: the words of a warning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heldout.learners.linear.least_squares import NOTHING, LeastSquares
from heldout.table.describe import plural

Floats = NDArray[np.float64]

MOST_NAMED = 5
MOST_TERMS = 3


def dependence_warning(solved: LeastSquares, means: Floats, names: Sequence[str], n_rows: int) -> str:
    """What is wrong with the columns, what was done about it, and what can be done.

    means: of the columns, where an intercept is fitted; zeros else
    """
    n_dependent = len(names) - solved.rank
    if n_rows <= len(names):
        what = f"X has {plural(n_rows, 'row')} for {plural(len(names), 'column')}"
    else:
        verb = "depend" if n_dependent > 1 else "depends"
        what = f"{n_dependent} of {plural(len(names), 'column')} {verb} on the others"
    listed = ""
    if solved.unseen is not None:
        found = [
            _relation_words(place, row, solved.lengths, means, names)
            for place, row in relations(solved.unseen)
        ]
        words = [word for word in found if n_rows > len(names) or not word.endswith(" columns")]
        more = f"; and {len(words) - MOST_NAMED} more" if len(words) > MOST_NAMED else ""
        listed = f": {'; '.join(words[:MOST_NAMED])}{more}" if words else ""
    return (
        f"{what}, so not all coefficients are determined{listed}. Of all answers that fit equally well the"
        " one of least norm is taken; leave such columns out to give the coefficients a meaning"
    )


def relations(unseen: Floats) -> list[tuple[int, Floats]]:
    """Each dependent column with what sums to 0 with it: 1 times itself, and other columns to the left.

    >>> place, row = relations(np.array([[1.0], [0.0], [-1.0]]) / 2**0.5)[0]
    >>> place, (row + 0.0).tolist()
    (2, [-1.0, 0.0, 1.0])
    """
    rows = unseen.T.copy()
    found: list[int] = []
    for place in range(rows.shape[1] - 1, -1, -1):
        done = len(found)
        if done == len(rows):
            break
        largest = done + int(np.abs(rows[done:, place]).argmax())
        if abs(rows[largest, place]) <= NOTHING:
            continue
        rows[[done, largest]] = rows[[largest, done]]
        rows[done] /= rows[done, place]
        factors = rows[:, place].copy()
        factors[done] = 0.0
        rows -= np.outer(factors, rows[done])
        found.append(place)
    return sorted(zip(found, rows, strict=True), key=lambda pair: pair[0])


def _relation_words(place: int, row: Floats, lengths: Floats, means: Floats, names: Sequence[str]) -> str:
    """One relation as a formula in the units of the columns, if it is short."""
    others = [other for other in np.flatnonzero(np.abs(row) > NOTHING).tolist() if other != place]
    if not others:
        return f"'{names[place]}' is constant"
    if len(others) > MOST_TERMS:
        return f"'{names[place]}' is a combination of {len(others)} columns"
    factors = [-float(row[other] * lengths[place] / lengths[other]) for other in others]
    rest = float(means[place] - sum(f * means[o] for f, o in zip(factors, others, strict=True)))
    terms = [_term(factor, f"'{names[other]}'") for factor, other in zip(factors, others, strict=True)]
    size = max(abs(float(means[place])), *(abs(f * means[o]) for f, o in zip(factors, others, strict=True)))
    if abs(rest) > NOTHING * size:
        terms.append(f"{'-' if rest < 0 else '+'} {abs(rest):.4g}")
    return f"'{names[place]}' = {' '.join(terms).removeprefix('+ ')}"


def _term(factor: float, name: str) -> str:
    size = f"{abs(factor):.4g}"
    return f"{'-' if factor < 0 else '+'} {name if size == '1' else f'{size} · {name}'}"
