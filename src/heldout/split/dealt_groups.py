"""Whole groups dealt to parts, so that every part gets its share of rows and of each stratum.

Groups come in random order, those of many rows before those of few, and each goes where it does least harm:
harm is the squared distance of a part's counts from its share of each stratum and of all rows, relative to
the size of the stratum. It is a heuristic: the best way to deal cannot be found in reasonable time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.split.row_facts import Codes, RowFacts, dense
from heldout.split.shuffled import shuffled
from heldout.split.strata import strata_of

Counts = NDArray[np.int64]


def dealt_groups(
    facts: RowFacts, shares: NDArray[np.float64], is_stratified: bool, key: tuple[int, ...]
) -> Codes:
    """The part of each row; rows of one group share it, and no part is empty.

    facts:         of the rows; there are at least as many groups as parts
    shares:        of the rows that each part should get
    is_stratified: False only balances the number of rows
    key:           of the random order

    >>> facts = RowFacts(np.array([0, 1] * 4), "classification", groups=np.array([7, 7, 5, 5, 3, 3, 1, 1]))
    >>> dealt_groups(facts, np.array([0.5, 0.5]), True, key=(0,)).tolist()
    [0, 0, 1, 1, 0, 0, 1, 1]
    """
    groups, n_groups = dense(facts.group_codes)
    strata, n_strata = strata_of(facts, len(shares), is_stratified)
    counts = np.bincount(groups * n_strata + strata, minlength=n_groups * n_strata)
    contents = counts.reshape(n_groups, n_strata)
    # Groups of 2^b to 2^(b+1) − 1 rows count as equally large, or else chance would have no say in the order.
    sizes = np.frexp(contents.sum(axis=1))[1]
    order = shuffled(dense(sizes.max() - sizes.astype(np.intp))[0], len(np.unique(sizes)), key)
    return _with_no_part_empty(_dealt(contents, shares, order), contents, len(shares), order)[groups]


def _dealt(contents: Counts, shares: NDArray[np.float64], order: Codes) -> Codes:
    """The part of each group."""
    kinds, kind_of_group = _kinds(contents)
    # Groups with the same contents are dealt together, where the first of them stands.
    first = np.empty(len(kinds), dtype=np.intp)
    first[kind_of_group[order[::-1]]] = np.arange(len(order))[::-1]
    order = order[np.argsort(first[kind_of_group[order]], kind="stable")]
    n_alike = np.bincount(kind_of_group, minlength=len(kinds)).tolist()
    amounts = np.column_stack([kinds, kinds.sum(axis=1)]).astype(np.float64)
    weighted = amounts / np.append(contents.sum(axis=0), contents.sum())
    steps = 2 * np.add.accumulate(weighted * amounts, axis=1)[:, -1]
    filled = np.zeros((amounts.shape[1], len(shares)))
    parts: list[Codes | list[int]] = []
    for kind in np.argsort(first).tolist():
        # Summed stratum by stratum, which is the same on every processor; a product of matrices is not.
        harm = (weighted[kind][:, np.newaxis] * filled).sum(axis=0)
        harm = (2 * harm + steps[kind] / 2) / shares
        if n_alike[kind] == 1:
            part = int(harm.argmin())
            filled[:, part] += amounts[kind]
            parts.append([part])
            continue
        chosen = _cheapest(harm, steps[kind] / shares, n_alike[kind])
        filled += amounts[kind][:, np.newaxis] * np.bincount(chosen, minlength=len(shares))
        parts.append(chosen)
    part_of_group = np.empty(len(order), dtype=np.intp)
    part_of_group[order] = np.concatenate(parts)
    return part_of_group


def _kinds(contents: Counts) -> tuple[Counts, Codes]:
    """The distinct contents, and the number of those of each group."""
    radix = contents.max(axis=0) + 1
    if float(np.prod(radix.astype(np.float64))) < 2**62:  # then one number holds them, and is sorted faster
        places = np.append(np.cumprod(radix[:0:-1])[::-1], 1)
        first, kind_of_group = np.unique(
            (contents * places).sum(axis=1), return_index=True, return_inverse=True
        )[1:]
        return contents[first], kind_of_group
    kinds, kind_of_group = np.unique(contents, axis=0, return_inverse=True)
    return kinds, kind_of_group.reshape(-1)


def _cheapest(harm: NDArray[np.float64], step: NDArray[np.float64], n_alike: int) -> Codes:
    """Where equal groups go: one by one to the part of least harm, which then grows by a step."""
    ladder = harm + step * np.arange(n_alike)[:, np.newaxis]
    return np.argsort(ladder, axis=None, kind="stable")[:n_alike] % len(harm)


def _with_no_part_empty(part_of_group: Codes, contents: Counts, n_parts: int, order: Codes) -> Codes:
    """An empty part gets the smallest group of the part that has most groups."""
    n_groups = np.bincount(part_of_group, minlength=n_parts)
    for part in np.flatnonzero(n_groups == 0).tolist():
        richest = int(n_groups.argmax())
        last = order[::-1][part_of_group[order[::-1]] == richest]
        smallest = last[contents[last].sum(axis=1).argmin()]
        part_of_group[smallest] = part
        n_groups[richest] -= 1
        n_groups[part] += 1
    return part_of_group
