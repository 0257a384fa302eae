"""The slow judge: one row at a time down a tree, with exact fractions, by the rules of the guide."""

from __future__ import annotations

import datetime
import math
from fractions import Fraction
from typing import Any

from heldout.inputs.input_schema import InputColumn
from heldout.learners.class_shares import TIE

EPOCH = datetime.datetime(1970, 1, 1)
MEANINGS = [("false", "no", "n", "f", "off", "0"), ("true", "yes", "y", "t", "on", "1")]

Row = dict[str, Any]


def number_of(value: Any) -> float:
    """A number, or the days since 1970 of a moment."""
    if isinstance(value, datetime.datetime):
        return float((value - EPOCH) // datetime.timedelta(microseconds=1)) / 86_400_000_000
    return float(value)


def known(column: InputColumn, value: Any) -> float | None:
    """The number or the position of the level; what fills it; or None if it is unknown."""
    fill = column.fill
    if value is None or value != value:
        return fill
    if not column.is_category:
        return number_of(value)
    if column.level_values is not None:
        found = [k for k, level in enumerate(column.level_values.tolist()) if level == number_of(value)]
        return found[0] if found else fill
    word = value if isinstance(value, str) else str(value).lower()
    if word in column.levels:
        return column.levels.index(word)
    if column.kind == "boolean":
        for meaning in MEANINGS:
            matches = [k for k, level in enumerate(column.levels) if level.lower() in meaning]
            if word.lower() in meaning and matches:
                return matches[-1]
    return fill


def fragments(model: Any, row: Row) -> list[tuple[int, Fraction]]:
    """The nodes where the row ends, with the part of it that ends there."""
    structure, grown = model.tree_, model.tree_.grown
    values = [known(column, row.get(column.name)) for column in model.inputs_.columns]
    going, ended = [(0, Fraction(1))], []
    while going:
        node, share = going.pop()
        children = list(structure.children(node))
        if not children:
            ended.append((node, share))
            continue
        value = values[int(grown.feature[node])]
        if value is None and structure.splits_unknown:
            total = sum(Fraction(float(grown.weight[child])) for child in children)
            parts = [Fraction(float(grown.weight[child])) / total for child in children]
            going.extend((child, share * part) for child, part in zip(children, parts, strict=True))
        elif value is None:
            going.append((int(grown.default_child[node]), share))
        elif grown.split_kind[node] == 1:
            going.append((children[0] if value <= grown.threshold[node] else children[1], share))
        elif grown.split_kind[node] == 3:
            going.append((children[0] if value in structure.levels_in_set(node) else children[1], share))
        else:
            matching = [child for child in children if grown.branch_level[child] == value]
            if matching:
                going.append((matching[0], share))
            else:
                ended.append((node, share))
    return ended


def reference_numbers(model: Any, row: Row) -> list[Fraction]:
    """The probabilities of the classes, or the mean in a list of one."""
    value = model.tree_.grown.value
    totals = [Fraction(0)] * value.shape[1]
    for node, share in fragments(model, row):
        numbers = (
            _probabilities(model, node) if hasattr(model, "classes_") else [Fraction(float(value[node, 0]))]
        )
        totals = [total + share * number for total, number in zip(totals, numbers, strict=True)]
    return totals


def _probabilities(model: Any, node: int) -> list[Fraction]:
    """Shares of rows without class weights, and of imaginary rows like the root, times the class factors."""
    weights = [Fraction(float(weight)) for weight in model.class_weights_]
    counts, root = (
        [
            Fraction(float(count)) / weight
            for count, weight in zip(model.tree_.grown.value[k], weights, strict=True)
        ]
        for k in (node, 0)
    )
    smoothing = Fraction(float(model.smoothing))
    added = [count + smoothing * own / sum(root) for count, own in zip(counts, root, strict=True)]
    factors = [Fraction(float(factor)) for factor in model.class_factors_]
    products = [count * factor for count, factor in zip(added, factors, strict=True)]
    return [product / sum(products) for product in products]


def reference_label(model: Any, row: Row) -> Any:
    """The first class that no other exceeds in weight; in a row of parts those are tied that nearly are."""
    ends = fragments(model, row)
    if len(ends) == 1:
        return model.classes_[model.tree_.grown.value[ends[0][0]].argmax()]
    sums = [Fraction(0)] * len(model.classes_)
    for node, share in ends:
        weights = [Fraction(float(weight)) for weight in model.tree_.grown.value[node]]
        sums = [total + share * weight / sum(weights) for total, weight in zip(sums, weights, strict=True)]
    largest = max(sums)
    best = next(k for k, total in enumerate(sums) if total + Fraction(TIE) >= largest)
    return model.classes_.tolist()[best]


def assert_same(model: Any, rows: list[Row], answers: list[tuple[Any, list[float]]]) -> None:
    """The answers of an export (label or mean, probabilities) are those of the tree."""
    assert len(rows) == len(answers)
    for row, (answer, probabilities) in zip(rows, answers, strict=True):
        numbers = [float(number) for number in reference_numbers(model, row)]
        if not hasattr(model, "classes_"):
            assert math.isclose(answer, numbers[0], rel_tol=1e-12, abs_tol=1e-300), row
            continue
        expected = reference_label(model, row)
        assert answer == expected, row
        assert len(probabilities) == len(numbers)
        for number, probability in zip(numbers, probabilities, strict=True):
            assert abs(number - probability) <= 1e-12, row
