"""Fractional rows, C4.5's numeric cuts and its pruning, against a plain C4.5."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout import native
from heldout.native import GrownTree, GrowOptions
from heldout.table.codes import CodedColumn, code_numbers

from . import plain_c45
from .plain_c45 import PlainData, PlainSettings, difference
from .same_tree import differing_fields

SETTINGS = [
    PlainSettings(),
    PlainSettings(average_gain=False, charges_cuts=False, min_leaf=1),
    PlainSettings(criterion="entropy", average_gain=False, charges_cuts=False),
    PlainSettings(average_gain=False, min_leaf=3.5),
]


def options_of(settings: PlainSettings, n_threads: int = 1) -> GrowOptions:
    """The same settings for the core."""
    return GrowOptions(
        settings.criterion,
        average_gain=settings.average_gain,
        min_leaf=settings.min_leaf,
        min_gain=0.0,
        missing="fractional",
        numeric_cuts="c45" if settings.charges_cuts else "plain",
        n_threads=n_threads,
    )


class Sample:
    """A random mixed table with gaps, as the core and as the plain C4.5 want it."""

    def __init__(self, seed: int, n_rows: int, gaps: float) -> None:
        self.draw = np.random.default_rng(seed)
        n_columns, n_classes = int(self.draw.integers(1, 5)), int(self.draw.integers(2, 4))
        self.coded: list[CodedColumn] = []
        columns: list[list[float | int | None]] = []
        for _ in range(n_columns):
            values = self._category(n_rows) if self.draw.integers(2) else self._numbers(n_rows)
            columns.append(self._with_gaps(values, gaps))
        hints = [int((value or 0) > 0) for value in columns[0]]
        noise = self.draw.integers(0, n_classes, n_rows) * (self.draw.random(n_rows) < 0.3)
        self.classes = ((np.array(hints) + noise) % n_classes).astype(np.uint32)
        self.plain = PlainData(
            columns, [column.is_category for column in self.coded], self.classes.tolist(), n_classes
        )

    def _category(self, n_rows: int) -> np.ndarray:
        return self.draw.integers(0, int(self.draw.integers(1, 6)), n_rows)

    def _numbers(self, n_rows: int) -> np.ndarray:
        return np.round(self.draw.normal(size=n_rows), int(self.draw.integers(0, 4)))

    def _with_gaps(self, values: np.ndarray, gaps: float) -> list[float | int | None]:
        is_gap = self.draw.random(len(values)) < gaps
        if values.dtype.kind == "f":
            numbers = np.where(is_gap, np.nan, values)
            self.coded.append(code_numbers(numbers))
            return [None if np.isnan(number) else number + 0.0 for number in numbers.tolist()]
        levels, codes = np.unique(values[~is_gap], return_inverse=True)
        level_of = np.full(len(values), len(levels), dtype=np.uint8)
        level_of[~is_gap] = codes
        self.coded.append(CodedColumn(level_of, len(levels)))
        return [None if level == len(levels) else level for level in level_of.tolist()]

    def grow(self, settings: PlainSettings, n_threads: int = 1) -> GrownTree:
        options = options_of(settings, n_threads)
        return native.grow_tree(self.coded, None, self.classes, self.plain.n_classes, None, None, options)

    def prune(
        self, tree: GrownTree, settings: PlainSettings, confidences: list[float], raises: bool
    ) -> list[GrownTree]:
        return native.prune_pessimistic(
            self.coded,
            None,
            self.classes,
            self.plain.n_classes,
            None,
            tree,
            settings.criterion,
            confidences,
            raises,
            splits_unknown=True,
        )


samples = st.builds(
    Sample,
    seed=st.integers(0, 10**9),
    n_rows=st.integers(4, 50),
    gaps=st.sampled_from([0.0, 0.1, 0.3]),
)


@given(samples, st.sampled_from(SETTINGS))
def test_growth_is_that_of_a_plain_c45(sample: Sample, settings: PlainSettings) -> None:
    """Rows with missing values are shared out as the definition says."""
    assert difference(plain_c45.grow(sample.plain, settings), sample.grow(settings)) == ""


@given(samples, st.sampled_from(SETTINGS), st.sampled_from([0.05, 0.25, 0.5]), st.booleans())
def test_pruning_is_that_of_a_plain_c45(
    sample: Sample, settings: PlainSettings, confidence: float, raises: bool
) -> None:
    """Splits collapse, become leaves and give way to their branches as the definition says."""
    plain = plain_c45.grow(sample.plain, settings)
    plain_c45.collapse(plain)
    plain_c45.prune(sample.plain, plain, confidence, raises)
    [pruned] = sample.prune(sample.grow(settings), settings, [confidence], raises)
    assert difference(plain, pruned) == ""


def test_a_row_may_fall_to_a_question_that_it_cannot_answer() -> None:
    """Raising brings a row to a split whose value it lacks, though no row lacked it there before."""
    columns: list[list[float | int | None]] = [[0, 1, None, 0], [-0.9, -0.8, -1.7, 0.3]]
    plain_data = PlainData(columns, [True, False], [0, 2, 1, 0], 3)
    coded = [CodedColumn(np.array([0, 1, 2, 0], np.uint8), 2), code_numbers(np.array(columns[1], float))]
    settings = PlainSettings(average_gain=False, charges_cuts=False, min_leaf=1)
    plain = plain_c45.grow(plain_data, settings)
    plain_c45.prune(plain_data, plain, 0.25, True)
    classes = np.array(plain_data.classes, np.uint32)
    options = GrowOptions("gain_ratio", min_gain=0.0, missing="fractional")
    tree = native.grow_tree(coded, None, classes, 3, None, None, options)
    [pruned] = native.prune_pessimistic(
        coded, None, classes, 3, None, tree, "gain_ratio", [0.25], True, splits_unknown=True
    )
    assert difference(plain, pruned) == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_cells_that_stay_closed_lose_nothing(seed: int) -> None:
    """A node that is large enough for cells is cut where the plain C4.5 cuts it."""
    sample = Sample(seed + 100, 300, 0.07)
    for settings in SETTINGS[:2]:
        assert difference(plain_c45.grow(sample.plain, settings), sample.grow(settings)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS[:2])
def test_threads_change_nothing(settings: PlainSettings) -> None:
    """The tree is the same to the last bit with three threads."""
    sample = Sample(5, 20_000, 0.1)
    assert differing_fields(sample.grow(settings), sample.grow(settings, n_threads=3)) == []


@given(samples, st.booleans())
def test_several_confidences_are_as_one_by_one(sample: Sample, raises: bool) -> None:
    """Pruning for many confidences at once gives the tree of each."""
    tree = sample.grow(SETTINGS[0])
    confidences = [0.4, 0.05, 0.25]
    together = sample.prune(tree, SETTINGS[0], confidences, raises)
    for confidence, pruned in zip(confidences, together, strict=True):
        [alone] = sample.prune(tree, SETTINGS[0], [confidence], raises)
        assert differing_fields(pruned, alone) == []


@given(samples)
def test_a_row_that_is_split_counts_as_one(sample: Sample) -> None:
    """However rows are split, the leaves hold their weight and the shares of a split add up."""
    tree = sample.grow(SETTINGS[1])
    is_leaf = tree.split_kind == 0
    np.testing.assert_allclose(tree.value[is_leaf].sum(axis=0), tree.value[0], rtol=1e-9)
    np.testing.assert_allclose(tree.weight, tree.value.sum(axis=1), rtol=1e-12)


@pytest.mark.parametrize("splits", ["multiway", "subset", "one_vs_rest"])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio"])
def test_a_share_that_underflows_is_no_row(splits: str, criterion: str) -> None:
    """A row of the smallest weight, parted by missing values, leaves every number finite."""
    draw = np.random.default_rng(0)
    first, second = draw.integers(0, 2, 400), draw.integers(0, 4, 400)
    classes = np.append(np.where(first == 1, second >= 1, second == 3), [0, 1]).astype(np.uint32)
    columns = [
        CodedColumn(np.append(first, [2, 2]).astype(np.uint8), 2),
        CodedColumn(np.append(second, [4, 4]).astype(np.uint8), 5),
    ]
    weights = np.append(np.ones(400), [5e-324] * 2)
    options = GrowOptions(criterion, categorical_splits=splits, missing="fractional")
    tree = native.grow_tree(columns, None, classes, 2, None, weights, options)
    assert len(tree.feature) > 5
    for numbers in (tree.weight, tree.impurity, tree.gain, tree.value):
        assert np.isfinite(numbers).all()


@given(samples, st.sampled_from(SETTINGS[:3]), st.booleans(), st.integers(0, 10**6))
def test_a_weight_counts_as_that_many_rows(
    sample: Sample, settings: PlainSettings, raises: bool, luck: int
) -> None:
    """Growing, pruning and raising with weights of 1 to 3 is the same as with each row so often."""
    counts = np.random.default_rng(luck).integers(1, 4, len(sample.classes))
    rows = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
    n_classes = sample.plain.n_classes
    pruned = []
    for chosen, classes, weights in (
        (None, sample.classes, counts.astype(np.float64)),
        (rows, sample.classes[rows], None),
    ):
        tree = native.grow_tree(sample.coded, chosen, classes, n_classes, None, weights, options_of(settings))
        pruned += native.prune_pessimistic(
            sample.coded,
            chosen,
            classes,
            n_classes,
            weights,
            tree,
            settings.criterion,
            [0.25],
            raises,
            splits_unknown=True,
        )
    weighted, repeated = pruned
    np.testing.assert_array_equal(weighted.feature, repeated.feature)
    np.testing.assert_array_equal(weighted.threshold, repeated.threshold)
    np.testing.assert_allclose(weighted.value, repeated.value, rtol=1e-7, atol=1e-9)
