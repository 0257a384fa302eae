"""A slow tree grower straight from the definitions, as the judge of the fast one.

It looks at every split of every column, in fractions where the criterion allows it (entropy needs a
logarithm), and says whether the best split was unique: only then must another grower agree on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

CLOSE = 1e-9
LEAF, THRESHOLD, MULTIWAY, LEVEL_SET = range(4)

Number = Fraction | float


@dataclass(frozen=True)
class ReferenceProblem:
    """columns: per column the value of each row, None if unknown; answers: classes or targets."""

    columns: list[list[float | int | None]]
    is_category: list[bool]
    answers: list[Any]
    n_classes: int
    weights: list[Fraction]
    options: Any

    def weight(self, rows: list[int]) -> Fraction:
        return sum((self.weights[row] for row in rows), Fraction(0))


@dataclass
class ReferenceSplit:
    """One way to split a node; `children` holds the rows of each branch, unknown ones included."""

    feature: int
    kind: int
    children: list[list[int]]
    threshold: float = math.nan
    branch_levels: list[int] = field(default_factory=list)
    level_set: list[int] = field(default_factory=list)
    default: int = 0
    gain: Number = Fraction(0)
    score: Number = Fraction(0)


@dataclass
class ReferenceNode:
    """One node of the grown tree."""

    rows: list[int]
    parent: int
    depth: int
    branch_level: int = -1
    split: ReferenceSplit | None = None
    first_child: int = -1


def class_weights(problem: ReferenceProblem, rows: list[int]) -> list[Fraction]:
    totals = [Fraction(0)] * problem.n_classes
    for row in rows:
        totals[problem.answers[row]] += problem.weights[row]
    return totals


def mean(problem: ReferenceProblem, rows: list[int]) -> Fraction:
    return sum((problem.weights[row] * Fraction(problem.answers[row]) for row in rows), Fraction(0)) / (
        problem.weight(rows)
    )


def impurity(problem: ReferenceProblem, rows: list[int]) -> Number:
    """Entropy in bits, Gini, the share of errors, or the variance."""
    criterion = problem.options.criterion
    if criterion == "squared_error":
        centre = mean(problem, rows)
        spread = sum(problem.weights[row] * (Fraction(problem.answers[row]) - centre) ** 2 for row in rows)
        return spread / problem.weight(rows)
    total = problem.weight(rows)
    shares = sorted(weight / total for weight in class_weights(problem, rows))
    if criterion == "gini":
        return 1 - sum(share * share for share in shares)
    if criterion == "error":
        return 1 - shares[-1]
    return math.fsum(-float(share) * math.log2(share) for share in shares if share)


def gain_of(problem: ReferenceProblem, rows: list[int], children: list[list[int]]) -> Number:
    """The impurity of the node less the weighted impurity of its branches."""
    total = problem.weight(rows)
    parts = [problem.weight(child) / total * impurity(problem, child) for child in children]
    if any(isinstance(part, float) for part in parts):
        return float(impurity(problem, rows)) - math.fsum(sorted(float(part) for part in parts))
    return impurity(problem, rows) - sum(parts)


def split_information(problem: ReferenceProblem, children: list[list[int]]) -> float:
    sizes = [problem.weight(child) for child in children]
    total = sum(sizes)
    return math.fsum(sorted(-float(size / total) * math.log2(size / total) for size in sizes))


def candidate_splits(problem: ReferenceProblem, rows: list[int], feature: int) -> list[ReferenceSplit]:
    """Every admissible split on one column, in the order in which ties are decided."""
    values = problem.columns[feature]
    present = sorted({values[row] for row in rows if values[row] is not None})
    if len(present) < 2:
        return []
    if not problem.is_category[feature]:
        found = _thresholds(problem, rows, feature, present)
    elif problem.options.categorical_splits == "multiway":
        found = iter([_multiway(problem, rows, feature, present)])
    else:
        found = _level_sets(problem, rows, feature, present)
    admissible = [split for split in found if _holds_min_leaf(problem, split)]
    for split in admissible:
        split.gain = gain_of(problem, rows, split.children)
    return admissible


def all_subsets(levels: list[int]) -> Iterator[set[int]]:
    """Every way to cut levels into two groups, once: the group with the first level."""
    first, others = levels[0], levels[1:]
    for mask in range(2 ** len(others) - 1):
        yield {first} | {level for place, level in enumerate(others) if mask >> place & 1}


def level_set_split(
    problem: ReferenceProblem, rows: list[int], feature: int, group: set[int]
) -> ReferenceSplit:
    """The rows whose level is in the group against the others.

    One level against the rest is named by itself; of two groups the lighter is named, of two equally
    heavy ones that with the lowest level.
    """
    values = problem.columns[feature]
    known = [row for row in rows if values[row] is not None]
    inside = [row for row in known if values[row] in group]
    outside = [row for row in known if values[row] not in group]
    lowest = min(values[row] for row in known)
    weights = problem.weight(inside), problem.weight(outside)
    is_heavier = weights[1] < weights[0] or (weights[0] == weights[1] and lowest not in group)
    if is_heavier and problem.options.categorical_splits != "one_vs_rest":
        inside, outside = outside, inside
    split = ReferenceSplit(feature, LEVEL_SET, [inside, outside])
    split.level_set = sorted({values[row] for row in inside})
    return _with_unknown(problem, rows, split)


def _thresholds(
    problem: ReferenceProblem, rows: list[int], feature: int, present: list[Any]
) -> Iterator[ReferenceSplit]:
    values = problem.columns[feature]
    for below, above in pairwise(present):
        middle = below + (above - below) / 2
        threshold = middle if below <= middle < above else below
        known = [row for row in rows if values[row] is not None]
        sides = [
            [row for row in known if values[row] <= threshold],
            [row for row in known if values[row] > threshold],
        ]
        yield _with_unknown(problem, rows, ReferenceSplit(feature, THRESHOLD, sides, threshold))


def _multiway(problem: ReferenceProblem, rows: list[int], feature: int, present: list[Any]) -> ReferenceSplit:
    values = problem.columns[feature]
    branches = [[row for row in rows if values[row] == level] for level in present]
    split = ReferenceSplit(feature, MULTIWAY, branches, branch_levels=list(present))
    return _with_unknown(problem, rows, split)


def _level_sets(
    problem: ReferenceProblem, rows: list[int], feature: int, present: list[Any]
) -> Iterator[ReferenceSplit]:
    if problem.options.categorical_splits == "one_vs_rest":
        for level in present:
            yield level_set_split(problem, rows, feature, {level})
        return
    for order in _level_orders(problem, rows, feature, present):
        for cut in range(1, len(order)):
            yield level_set_split(problem, rows, feature, set(order[:cut]))


def _level_orders(
    problem: ReferenceProblem, rows: list[int], feature: int, present: list[Any]
) -> Iterator[list[Any]]:
    values = problem.columns[feature]
    rows_of = {level: [row for row in rows if values[row] == level] for level in present}
    if not problem.n_classes:
        yield sorted(present, key=lambda level: (mean(problem, rows_of[level]), level))
        return

    def share(position: int) -> Callable[[Any], tuple[Fraction, Any]]:
        return lambda level: (
            class_weights(problem, rows_of[level])[position] / problem.weight(rows_of[level]),
            level,
        )

    for position in [1] if problem.n_classes == 2 else range(problem.n_classes):
        yield sorted(present, key=share(position))


def _with_unknown(problem: ReferenceProblem, rows: list[int], split: ReferenceSplit) -> ReferenceSplit:
    """Unknown values go to the branch with the most known weight, the first of equals."""
    weights = [problem.weight(child) for child in split.children]
    split.default = weights.index(max(weights))
    values = problem.columns[split.feature]
    split.children[split.default] += [row for row in rows if values[row] is None]
    return split


def _holds_min_leaf(problem: ReferenceProblem, split: ReferenceSplit) -> bool:
    holding = sum(problem.weight(child) >= Fraction(problem.options.min_leaf) for child in split.children)
    return holding >= 2


def chosen_split(problem: ReferenceProblem, rows: list[int]) -> tuple[ReferenceSplit | None, bool]:
    """The best split of a node, or None, and whether no other is as good."""
    options = problem.options
    best_of_column: list[ReferenceSplit] = []
    is_unique = True
    for feature in range(len(problem.columns)):
        candidates = candidate_splits(problem, rows, feature)
        if candidates:
            is_unique &= not _is_order_open(problem, rows, feature)
            best = max(candidates, key=lambda split: split.gain)
            rivals = [split for split in candidates if split is not best]
            is_unique &= all(abs(split.gain - best.gain) > CLOSE for split in rivals)
            best_of_column.append(best)
    gained = [split for split in best_of_column if split.gain > options.min_gain + 1e-12]
    is_unique &= all(abs(float(split.gain) - options.min_gain) > CLOSE for split in best_of_column)
    if not gained:
        return None, is_unique
    if options.criterion == "gain_ratio":
        gained, is_clear = _of_average_gain(problem, best_of_column, gained)
        is_unique &= is_clear
    for split in gained:
        split.score = score_of(problem, split)
    winner = max(gained, key=lambda split: split.score)
    is_unique &= all(abs(split.score - winner.score) > CLOSE for split in gained if split is not winner)
    return winner, is_unique


def _is_order_open(problem: ReferenceProblem, rows: list[int], feature: int) -> bool:
    """Whether levels with equal means could be ordered either way, and unknown rows make it matter."""
    values = problem.columns[feature]
    is_sorted = problem.is_category[feature] and problem.options.categorical_splits == "subset"
    if problem.n_classes or not is_sorted or all(values[row] is not None for row in rows):
        return False
    levels = {values[row] for row in rows} - {None}
    means = {mean(problem, [row for row in rows if values[row] == level]) for level in levels}
    return len(means) < len(levels)


def score_of(problem: ReferenceProblem, split: ReferenceSplit) -> Number:
    """What columns are compared by: the gain, its ratio, or what is left of it after costs."""
    options = problem.options
    score = split.gain
    if options.criterion == "gain_ratio":
        score = float(split.gain) / split_information(problem, split.children)
    if options.cost_rule == "none":
        return score
    cost = float(options.costs[split.feature])
    if options.cost_rule == "tan_schlimmer":
        return float(score) ** 2 / cost
    return (2.0 ** float(score) - 1) / (cost + 1) ** options.cost_exponent


def _of_average_gain(
    problem: ReferenceProblem, every: list[ReferenceSplit], gained: list[ReferenceSplit]
) -> tuple[list[ReferenceSplit], bool]:
    if not problem.options.average_gain:
        return gained, True
    gains = [float(split.gain) for split in every]
    if not gains:
        return gained, True
    least = math.fsum(gains) / len(gains) - 1e-3
    is_clear = all(abs(float(split.gain) - least) > CLOSE for split in gained)
    return [split for split in gained if split.gain >= least], is_clear


def grow_reference(problem: ReferenceProblem) -> tuple[list[ReferenceNode], bool]:
    """The nodes, breadth-first, and whether the best split was unique everywhere."""
    nodes = [ReferenceNode(list(range(len(problem.answers))), -1, 0)]
    is_unique = True
    position = 0
    while position < len(nodes):
        node = nodes[position]
        if not _is_finished(problem, node):
            node.split, is_clear = chosen_split(problem, node.rows)
            is_unique &= is_clear
            if node.split is not None:
                node.first_child = len(nodes)
                levels = node.split.branch_levels or [-1] * len(node.split.children)
                nodes += [
                    ReferenceNode(child, position, node.depth + 1, level)
                    for child, level in zip(node.split.children, levels, strict=True)
                ]
        position += 1
    return nodes, is_unique


def _is_finished(problem: ReferenceProblem, node: ReferenceNode) -> bool:
    is_pure = len({problem.answers[row] for row in node.rows}) == 1
    return is_pure or 0 <= problem.options.max_depth <= node.depth
