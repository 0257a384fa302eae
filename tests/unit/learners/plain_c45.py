"""C4.5 as its author describes it, slow and plain, as the judge of the fast one.

Rows are lists, a node is a list of (row, weight), and everything recurses. Quinlan, "C4.5: Programs for
Machine Learning" (1993), with release 8's charge for numeric cuts (JAIR 4, 1996).
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import NormalDist
from typing import Any

from heldout.native import GrownTree

CLOSE = 1e-12
Fragment = tuple[int, float]


@dataclass
class PlainData:
    """columns: per column a number or a level for each row, None if unknown."""

    columns: list[list[Any]]
    is_category: list[bool]
    classes: list[int]
    n_classes: int


@dataclass
class PlainSettings:
    criterion: str = "gain_ratio"
    average_gain: bool = True
    charges_cuts: bool = True
    min_leaf: float = 2


@dataclass
class PlainNode:
    """A leaf, or a split on `feature`: at a number (`gap`: the values around it), or into its levels."""

    counts: list[float]
    n_rows: int
    feature: int = -1
    gap: tuple[float, float] | None = None
    gain: float = 0.0
    children: dict[Any, PlainNode] = field(default_factory=dict)
    rows: list[Fragment] = field(default_factory=list)

    @property
    def weight(self) -> float:
        return sum(self.counts)

    @property
    def errors(self) -> float:
        return self.weight - max(self.counts)

    def branch(self, data: PlainData, row: int) -> Any:
        """The key of the branch that a row takes, None if its value is unknown."""
        value = data.columns[self.feature][row]
        if value is None or self.gap is None:
            return value
        return value > (self.gap[0] + self.gap[1]) / 2


def counts_of(data: PlainData, rows: list[Fragment]) -> list[float]:
    counts = [0.0] * data.n_classes
    for row, weight in rows:
        counts[data.classes[row]] += weight
    return counts


def entropy(weights: list[float]) -> float:
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


@dataclass
class Offer:
    """The best split of one column."""

    feature: int
    gain: float
    ratio: float
    gap: tuple[float, float] | None = None


def offer_of(data: PlainData, settings: PlainSettings, rows: list[Fragment], feature: int) -> Offer | None:
    known = [(row, w) for row, w in rows if data.columns[feature][row] is not None]
    total, known_weight = sum(w for _, w in rows), sum(w for _, w in known)
    if not known:
        return None
    before = entropy(counts_of(data, known))

    def judged(groups: list[list[Fragment]], charge: float = 0.0) -> tuple[float, float]:
        weights = [sum(w for _, w in group) for group in groups]
        after = sum(w * entropy(counts_of(data, g)) for w, g in zip(weights, groups, strict=True))
        gain = known_weight / total * (before - after / known_weight) - charge
        info = entropy([*weights, total - known_weight if total - known_weight > CLOSE else 0.0])
        return gain, gain / info if info > 0 else 0.0

    if data.is_category[feature]:
        groups: dict[Any, list[Fragment]] = defaultdict(list)
        for row, w in known:
            groups[data.columns[feature][row]].append((row, w))
        n_large = sum(sum(w for _, w in g) >= settings.min_leaf * (1 - 1e-9) for g in groups.values())
        if len(groups) < 2 or n_large < 2:
            return None
        return Offer(feature, *judged([groups[level] for level in sorted(groups)]))

    smallest = settings.min_leaf
    if settings.charges_cuts:
        smallest = max(settings.min_leaf, min(25.0, 0.1 * known_weight / data.n_classes))
    smallest *= 1 - 1e-9
    values = sorted({data.columns[feature][row] for row, _ in known})
    cuts = []
    for below, above in pairwise(values):
        left = [(row, w) for row, w in known if data.columns[feature][row] <= below]
        right = [(row, w) for row, w in known if data.columns[feature][row] >= above]
        if min(sum(w for _, w in left), sum(w for _, w in right)) >= smallest:
            cuts.append(((below, above), [left, right]))
    if not cuts:
        return None
    charge = math.log2(len(cuts)) / total if settings.charges_cuts else 0.0
    best: Offer | None = None
    for gap, groups_of_cut in cuts:
        gain, ratio = judged(groups_of_cut, charge)
        if best is None or gain > best.gain + CLOSE:
            best = Offer(feature, gain, ratio, gap)
    assert best is not None
    return None if settings.charges_cuts and best.gain <= CLOSE else best


def grow(data: PlainData, settings: PlainSettings, rows: list[Fragment] | None = None) -> PlainNode:
    """The tree before pruning."""
    if rows is None:
        rows = [(row, 1.0) for row in range(len(data.classes))]
    node = PlainNode(counts_of(data, rows), len(rows), rows=rows)
    if node.weight < 2 * settings.min_leaf * (1 - 1e-9) or sum(c > 0 for c in node.counts) < 2:
        return node
    offers = [offer_of(data, settings, rows, feature) for feature in range(len(data.columns))]
    possible = [offer for offer in offers if offer is not None]
    least = -math.inf
    if settings.criterion == "gain_ratio" and settings.average_gain and possible:
        few = [o for o in possible if not has_many_levels(data, o.feature)] or possible
        least = sum(offer.gain for offer in few) / len(few) - 1e-3
    best, best_worth = None, 0.0
    for offer in possible:
        worth = offer.ratio if settings.criterion == "gain_ratio" else offer.gain
        if offer.gain >= least and (best is None or worth > best_worth + CLOSE):
            best, best_worth = offer, worth
    if best is None or best.gain <= CLOSE:
        return node
    node.feature, node.gap, node.gain = best.feature, best.gap, best.gain
    for key, members in fall(data, node, rows).items():
        node.children[key] = grow(data, settings, members)
    return node


def has_many_levels(data: PlainData, feature: int) -> bool:
    levels = {value for value in data.columns[feature] if value is not None}
    return data.is_category[feature] and len(levels) >= 0.3 * len(data.classes)


def fall(data: PlainData, node: PlainNode, rows: list[Fragment]) -> dict[Any, list[Fragment]]:
    """The fragments of each branch; one that has none is there if the node has it."""
    groups: dict[Any, list[Fragment]] = {key: [] for key in node.children}
    unknown = []
    for row, weight in rows:
        key = node.branch(data, row)
        if key is None:
            unknown.append((row, weight))
        else:
            groups.setdefault(key, []).append((row, weight))
    weights = {key: sum(w for _, w in group) for key, group in groups.items()}
    known = sum(weights.values())
    for key in groups:
        share = weights[key] / known if known > 0 else 1 / len(groups)
        if share > 0:
            groups[key] += [(row, weight * share) for row, weight in unknown]
    return dict(sorted(groups.items()))


def limit_of_errors(counts: list[float], confidence: float) -> float:
    """The errors of a leaf and those to expect beyond them."""
    weight = sum(counts)
    return weight - max(counts) + added(weight, weight - max(counts), confidence) if weight > 0 else 0.0


def added(n: float, e: float, confidence: float) -> float:
    if e < 1e-6:
        return n * (1 - confidence ** (1 / n))
    if e < 1:
        none = n * (1 - confidence ** (1 / n))
        return none + e * (added(n, 1.0, confidence) - none)
    if e + 0.5 >= n:
        return 0.67 * max(n - e, 0.0)
    z = NormalDist().inv_cdf(1 - confidence)
    f = (e + 0.5) / n
    upper = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return upper * n - e


def collapse(node: PlainNode) -> float:
    """Turn splits that get no more rows right into leaves; gives the training errors."""
    below = sum(collapse(child) for child in node.children.values())
    if not node.children or below >= node.errors - 1e-3:
        node.children = {}
        return node.errors
    return below


def prune(data: PlainData, node: PlainNode, confidence: float, raises: bool) -> float:
    """C4.5's pruning, in place; gives the errors to expect."""
    as_leaf = limit_of_errors(node.counts, confidence)
    if not node.children:
        return as_leaf
    as_tree = sum(prune(data, child, confidence, raises) for child in node.children.values())
    heaviest = next(iter(node.children.values()))
    for child in node.children.values():
        if child.weight > heaviest.weight * (1 + 1e-9):
            heaviest = child
    as_branch = errors_with(data, heaviest, node.rows, confidence) if raises else math.inf
    if as_leaf <= as_tree + 0.1 and as_leaf <= as_branch + 0.1:
        node.children = {}
        return as_leaf
    if as_branch <= as_tree + 0.1:
        node.feature, node.gap, node.children = heaviest.feature, heaviest.gap, heaviest.children
        settle(data, node, node.rows)
        return prune(data, node, confidence, raises)
    return as_tree


def errors_with(data: PlainData, node: PlainNode, rows: list[Fragment], confidence: float) -> float:
    if not node.children:
        return limit_of_errors(counts_of(data, rows), confidence)
    total = 0.0
    for key, members in fall(data, node, rows).items():
        child = node.children.get(key)
        if child is None:
            total += limit_of_errors(counts_of(data, members), confidence)
        else:
            total += errors_with(data, child, members, confidence)
    return total


def settle(data: PlainData, node: PlainNode, rows: list[Fragment]) -> None:
    node.rows, node.counts, node.n_rows = rows, counts_of(data, rows), len(rows)
    if not node.children:
        return
    children = {}
    for key, members in fall(data, node, rows).items():
        children[key] = node.children.get(key) or PlainNode([], 0)
        settle(data, children[key], members)
    node.children = children


def difference(plain: PlainNode, grown: GrownTree) -> str:
    """Where the two trees differ first, "" if nowhere."""
    waiting = [(plain, 0)]
    while waiting:
        node, place = waiting.pop()
        value = grown.value[place].tolist()
        if any(abs(a - b) > 1e-6 * (1 + a) for a, b in zip(node.counts, value, strict=True)):
            return f"node {place}: counts {node.counts} and {value}"
        if node.n_rows != grown.n_rows[place]:
            return f"node {place}: {node.n_rows} and {grown.n_rows[place]} rows"
        if len(node.children) != grown.n_children[place]:
            return f"node {place}: {len(node.children)} and {grown.n_children[place]} branches"
        if not node.children:
            continue
        if node.feature != grown.feature[place]:
            return f"node {place}: features {node.feature} and {grown.feature[place]}"
        gap = (float(grown.gap_below[place]), float(grown.gap_above[place]))
        if node.gap is not None and node.gap != gap:
            return f"node {place}: gaps {node.gap} and {gap}"
        first = int(grown.first_child[place])
        for position, key in enumerate(sorted(node.children)):
            if node.gap is None and grown.branch_level[first + position] != key:
                return f"node {first + position}: levels {key} and {grown.branch_level[first + position]}"
            waiting.append((node.children[key], first + position))
    return ""
