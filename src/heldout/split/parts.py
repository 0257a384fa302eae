"""The part of each row: rows or groups dealt like cards, or in the order of the table."""

from __future__ import annotations

import numpy as np

from heldout.split.dealt_groups import dealt_groups
from heldout.split.row_facts import Codes, RowFacts, dense
from heldout.split.shuffled import shuffled
from heldout.split.strata import strata_of


def dealt_parts(facts: RowFacts, k: int, is_stratified: bool, key: tuple[int, ...]) -> Codes:
    """The part of each row, 0 to k − 1, at random.

    Rows lie stratum by stratum and are dealt in turn, so the parts' sizes differ by at most one, in all and
    in every stratum. Groups are dealt whole.

    facts:         of the rows; at least k rows, or k groups
    k:             how many parts
    is_stratified: whether every part gets its share of each class or bin
    key:           of the random order

    >>> facts = RowFacts(np.array([0, 0, 1, 0, 1, 0]), "classification")
    >>> dealt_parts(facts, 2, True, key=(0,)).tolist()
    [0, 1, 0, 0, 1, 1]
    """
    if facts.groups is not None:
        return dealt_groups(facts, np.full(k, 1 / k), is_stratified, key)
    strata, n_strata = strata_of(facts, k, is_stratified)
    parts = np.empty(facts.n_rows, dtype=np.min_scalar_type(-k))  # few bytes, which are compared quickly
    in_turn = np.tile(np.arange(k, dtype=parts.dtype), facts.n_rows // k + 1)
    parts[shuffled(strata, n_strata, key)] = in_turn[: facts.n_rows]
    return parts


def units_in_order(facts: RowFacts) -> Codes:
    """The number of each row, from 0; with groups that of its group, by first appearance.

    >>> units_in_order(RowFacts(np.zeros(4), "regression", groups=np.array(["b", "a", "b", "c"]))).tolist()
    [0, 1, 0, 2]
    """
    if facts.groups is None:
        return np.arange(facts.n_rows)
    groups, n_groups = dense(facts.group_codes)
    first = np.full(n_groups, facts.n_rows)
    np.minimum.at(first, groups, np.arange(facts.n_rows))
    return np.argsort(np.argsort(first))[groups]
