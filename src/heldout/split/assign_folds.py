"""Whole groups dealt to parts, so that every part gets its share of rows and of each stratum.

Groups come in random order, those of many rows before those of few, and each goes where it does least harm:
harm is the squared distance of a part's counts from its share of each stratum and of all rows, relative to
the size of the stratum. It is a heuristic: the best way to deal cannot be found in reasonable time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Counts
from heldout.errors import DataError
from heldout.split.row_facts import Codes, RowFacts, dense
from heldout.text.words import plural


def assign_groups(
    facts: RowFacts, shares: NDArray[np.float64], is_stratified: bool, key: tuple[int, ...]
) -> Codes:
    """The part of each row; rows of one group share it, and no part is empty.

    facts:         of the rows; there are at least as many groups as parts
    shares:        of the rows that each part should get
    is_stratified: False only balances the number of rows
    key:           of the random order
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
        indices = np.append(np.cumprod(radix[:0:-1])[::-1], 1)
        first, kind_of_group = np.unique(
            (contents * indices).sum(axis=1), return_index=True, return_inverse=True
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


def allowed_folds(facts: RowFacts, k: int, shrink: bool, lowest: int = 2, n_before: int = 1) -> int:
    """k, or fewer where the rows do not suffice and shrinking is allowed.

    facts:    of the rows
    k:        how many folds are wanted
    shrink:   whether fewer will do, down to `lowest`
    lowest:   the fewest folds that make sense
    n_before: with time, how many blocks come before the first that is judged
    """
    count, unit = n_units(facts)
    needed_before = 0 if facts.time is None else n_before
    most = count - needed_before
    if most >= k:
        return k
    if shrink and most >= lowest:
        return most
    requested = min(k, lowest) if shrink else k
    raise DataError(
        f"{requested} folds need at least {requested + needed_before} {unit}s",
        where=f"there {'is' if count == 1 else 'are'} {plural(count, unit)}",
        fix=f"use more {unit}s" if most < lowest else f"use k={most} or less, or more {unit}s",
    )


def n_units(facts: RowFacts) -> tuple[int, str]:
    """How many there are of what cannot be split apart, and what it is called."""
    if facts.time is not None:
        return facts.n_times, "distinct time"
    if facts.groups is not None:
        return facts.n_groups, "group"
    return facts.n_rows, "row"


def assign_parts(facts: RowFacts, k: int, is_stratified: bool, key: tuple[int, ...]) -> Codes:
    """The part of each row, 0 to k − 1, at random.

    Rows lie stratum by stratum and are dealt in turn, so the parts' sizes differ by at most one, in all and
    in every stratum. Groups are dealt whole.

    facts:         of the rows; at least k rows, or k groups
    k:             how many parts
    is_stratified: whether every part gets its share of each class or bin
    key:           of the random order
    """
    if facts.groups is not None:
        return assign_groups(facts, np.full(k, 1 / k), is_stratified, key)
    strata, n_strata = strata_of(facts, k, is_stratified)
    parts = np.empty(facts.n_rows, dtype=np.min_scalar_type(-k))  # few bytes, which are compared quickly
    in_turn = np.tile(np.arange(k, dtype=parts.dtype), facts.n_rows // k + 1)
    parts[shuffled(strata, n_strata, key)] = in_turn[: facts.n_rows]
    return parts


def units_in_order(facts: RowFacts) -> Codes:
    """The number of each row, from 0; with groups that of its group, by first appearance."""
    if facts.groups is None:
        return np.arange(facts.n_rows)
    groups, n_groups = dense(facts.group_codes)
    first = np.full(n_groups, facts.n_rows)
    np.minimum.at(first, groups, np.arange(facts.n_rows))
    return np.argsort(np.argsort(first))[groups]


MOST_BINS = 10


def strata_of(facts: RowFacts, n_parts: int, is_stratified: bool = True) -> tuple[Codes, int]:
    """The stratum of each row from 0, and how many strata there are.

    facts:         of the rows
    n_parts:       how many parts the rows will be dealt to; bins are made for at least so many rows each
    is_stratified: False puts all rows in one stratum

    Classes are strata. A sorted regression target is cut into at most ten bins of equal size; rows with the
    same value share the bin of their middle, so bins may differ in size, and −y has the bins of y.
    """
    if not is_stratified:
        return np.zeros(facts.n_rows, dtype=np.intp), 1
    if facts.is_classification:
        return dense(facts.y_codes)
    return _bins(facts.y_codes, max(1, min(MOST_BINS, facts.n_rows // max(n_parts, 1))))


def _bins(codes: Codes, n_bins: int) -> tuple[Codes, int]:
    if not len(codes):
        return codes, 0
    counts = np.bincount(codes)
    # Twice the mean place of the rows of a value, from 0, so that it is whole; absent values take no part.
    middle = 2 * np.cumsum(counts) - counts - 1
    return dense((np.maximum(middle, 0) * n_bins // (2 * len(codes)))[codes])


def shuffled(strata: Codes, n_strata: int, key: tuple[int, ...]) -> Codes:
    """Positions of all rows, stratum by stratum, random within each.

    strata:   the stratum of each row, from 0 without gaps
    n_strata: how many there are
    key:      the seed and whatever tells this shuffling from others with the same seed
    """
    n_rows = len(strata)
    row_bits = max(n_rows - 1, 1).bit_length()
    stratum_bits = max(n_strata - 1, 0).bit_length()
    random = np.random.PCG64(np.random.SeedSequence(key)).random_raw(n_rows)
    # One number holds stratum, chance and row, from the top: sorting it sorts by all three.
    random >>= np.uint64(row_bits + stratum_bits)
    random <<= np.uint64(row_bits)
    random |= np.arange(n_rows, dtype=np.uint64)
    if stratum_bits:
        random |= strata.astype(np.uint64) << np.uint64(64 - stratum_bits)
    random.sort()
    random &= np.uint64((1 << row_bits) - 1)
    return random.astype(np.intp)
