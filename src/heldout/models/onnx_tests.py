"""The splits of a tree as tests `value <= limit`, the only kind that each ONNX runtime has.

A split divides the values of its column into stretches that go the same way: below and above a
threshold, or runs of levels by position. A stretch is found by halving, so a split into a thousand levels
costs ten tests.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from heldout.learners.trees.tree_structure import LEVEL_SET, THRESHOLD
from heldout.models.tree_answers import TreeAnswers

NOWHERE = -1


@dataclass
class OnnxTests:
    """The tests of one tree in the form of TreeEnsemble; `leaves` holds the number of each end.

    An entry of `if_true` or `if_false` is the place of a test, or of a leaf where the list beside says so.
    """

    features: list[int] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    unknown_is_true: list[int] = field(default_factory=list)
    if_true: list[int] = field(default_factory=list)
    true_is_leaf: list[int] = field(default_factory=list)
    if_false: list[int] = field(default_factory=list)
    false_is_leaf: list[int] = field(default_factory=list)
    leaves: list[int] = field(default_factory=list)
    depth: int = 0


@dataclass(frozen=True)
class _Stretches:
    """Where the values of one split go.

    limits:  ascending; a value up to limits[k], and above the one before, goes to targets[k]
    targets: nodes, one more than limits; the last for what is above all limits
    unknown: where NaN goes
    """

    limits: list[float]
    targets: list[int]
    unknown: int


@dataclass(frozen=True)
class _Part:
    """Some neighbouring stretches of a split, and the test whose branch they become."""

    stretches: _Stretches
    feature: int
    node: int
    begin: int
    end: int
    above: int
    is_true: bool
    depth: int


def onnx_tests(answers: TreeAnswers) -> OnnxTests:
    """All tests, the root's first; a tree of one leaf gets a test whose branches agree."""
    tests = OnnxTests()
    waiting = [_whole(answers, 0, NOWHERE, True, 1)]
    while waiting:
        part = waiting.pop()
        if part.begin == part.end:
            target = part.stretches.targets[part.begin]
            is_end = target == part.node or target >= answers.structure.n_nodes or answers.is_leaf(target)
            if is_end:
                _add_leaf(tests, target, part)
            else:
                waiting.append(_whole(answers, target, part.above, part.is_true, part.depth))
            continue
        middle = (part.begin + part.end - 1) // 2
        place = _add_test(tests, part, middle)
        for begin, end, is_true in ((part.begin, middle, True), (middle + 1, part.end, False)):
            waiting.append(
                _Part(part.stretches, part.feature, part.node, begin, end, place, is_true, part.depth + 1)
            )
    return tests


def _whole(answers: TreeAnswers, node: int, above: int, is_true: bool, depth: int) -> _Part:
    """All stretches of a node's split."""
    if answers.is_leaf(node):
        stretches, feature = _Stretches([0.0], [node, node], node), 0
    else:
        stretches, feature = _stretches(answers, node), int(answers.structure.grown.feature[node])
    return _Part(stretches, feature, node, 0, len(stretches.limits), above, is_true, depth)


def _stretches(answers: TreeAnswers, node: int) -> _Stretches:
    column, grown = answers.column(node), answers.structure.grown
    unknown = answers.unknown_goes(node)
    if unknown is None:
        unknown = answers.structure.n_nodes  # past the end of the tables: an error
    if int(grown.split_kind[node]) == THRESHOLD:
        first = int(grown.first_child[node])
        return _with_unknown([float(grown.threshold[node])], [first, first + 1], unknown)
    ways = _ways_of_levels(answers, node)
    if column.level_values is None:
        limits = [place - 0.5 for place in range(len(ways) + 1)]
        return _merged(limits, [unknown, *ways, unknown], unknown)
    limits, targets = [], []
    for value, way in zip(column.level_values.tolist(), ways, strict=True):
        limits += [math.nextafter(value, -math.inf), value]
        targets += [unknown, way]
    return _merged(limits, [*targets, unknown], unknown)


def _ways_of_levels(answers: TreeAnswers, node: int) -> list[int]:
    """Per level of the column the node that follows, which is the node itself where no child has it."""
    structure, n_levels = answers.structure, len(answers.column(node).levels)
    children = structure.children(node)
    if int(structure.grown.split_kind[node]) == LEVEL_SET:
        ways = np.full(n_levels, children[1])
        ways[structure.levels_in_set(node)] = children[0]
    else:
        ways = np.full(n_levels, node)
        ways[structure.grown.branch_level[children.start : children.stop]] = list(children)
    return [int(way) for way in ways]


def _merged(limits: list[float], targets: list[int], unknown: int) -> _Stretches:
    """Neighbours that go the same way become one stretch."""
    kept_limits: list[float] = []
    kept_targets = [targets[0]]
    for limit, target in zip(limits, targets[1:], strict=True):
        if target != kept_targets[-1]:
            kept_limits.append(limit)
            kept_targets.append(target)
    return _with_unknown(kept_limits, kept_targets, unknown)


def _with_unknown(limits: list[float], targets: list[int], unknown: int) -> _Stretches:
    """Stretches of which at least one goes where NaN goes."""
    if unknown not in targets:
        limits, targets = [*limits, math.inf], [*targets, unknown]
    if not limits:
        limits, targets = [0.0], [targets[0], targets[0]]
    return _Stretches(limits, targets, unknown)


def _add_test(tests: OnnxTests, part: _Part, middle: int) -> int:
    place = len(tests.features)
    stretches = part.stretches
    tests.features.append(part.feature)
    tests.limits.append(stretches.limits[middle])
    tests.unknown_is_true.append(int(stretches.unknown in stretches.targets[part.begin : middle + 1]))
    for entries in (tests.if_true, tests.true_is_leaf, tests.if_false, tests.false_is_leaf):
        entries.append(0)
    _link(tests, part, place, is_leaf=False)
    tests.depth = max(tests.depth, part.depth)
    return place


def _add_leaf(tests: OnnxTests, node: int, part: _Part) -> None:
    tests.leaves.append(node)
    _link(tests, part, len(tests.leaves) - 1, is_leaf=True)


def _link(tests: OnnxTests, part: _Part, place: int, is_leaf: bool) -> None:
    if part.above == NOWHERE:
        return
    if part.is_true:
        tests.if_true[part.above], tests.true_is_leaf[part.above] = place, int(is_leaf)
    else:
        tests.if_false[part.above], tests.false_is_leaf[part.above] = place, int(is_leaf)
