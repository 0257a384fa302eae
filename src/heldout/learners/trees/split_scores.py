"""What a tree sees when it looks for a split: the score of every column, and the impurity of counts.

The numbers come from the core itself, which grows a tree of one split on each column alone. So they are
what a tree compares, and a textbook's example can be checked against them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heldout import native
from heldout.errors import DataError
from heldout.inputs.input_schema import InputColumn, InputSchema
from heldout.inputs.targets import check_lengths, class_codes
from heldout.inputs.training_inputs import TrainingRows, coded_rows
from heldout.learners.parameters import Parameter, check_parameters, refusal
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.trees.tree_structure import MULTIWAY, TreeStructure
from heldout.learners.trees.tree_text import branch_text, shown_label, shown_level
from heldout.table.codes import CodedColumn
from heldout.types import CategoryChoice, TableLike

_MISSING = Parameter("missing", choices=("fractional", "node_mode"))


@dataclass(frozen=True)
class AttributeScore:
    """How good the best split on one column is.

    Attributes
    ----------
    name
        the column
    gain
        the decrease of impurity: bits for "entropy" and "gain_ratio", a share for the others
    split_info
        the entropy of the branches' sizes, in bits; with missing="fractional" the rows of missing value
        are a branch of their own
    gain_ratio
        gain over split_info, 0 where there is only one branch
    errors
        the weight of the rows that the majority of their branch gets wrong
    cut
        the branches, "" if the column has only one value
    """

    name: str
    gain: float
    split_info: float
    gain_ratio: float
    errors: float
    cut: str


def score_attributes(
    X: TableLike,
    y: ArrayLike,
    criterion: str = "entropy",
    *,
    categorical: CategoryChoice = "auto",
    categorical_splits: str = "multiway",
    missing: str = "fractional",
) -> list[AttributeScore]:
    """The best split on each column by itself, in the order of the columns.

    Parameters
    ----------
    X, y
        as for TreeClassifier.fit
    criterion
        "entropy", "gain_ratio", "gini" or "error"; chooses the cut and is what is gained
    categorical
        as for TreeClassifier
    categorical_splits
        as for TreeClassifier
    missing
        "fractional" counts the gain of the known rows as a part of all, "node_mode" the unknown rows in
        the largest branch

    Examples
    --------
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> [(score.name, score.gain) for score in score_attributes(X, [0, 0, 1, 1])]
    [('x0', 1.0), ('x1', 0.0)]
    """
    tree = TreeClassifier(
        criterion=criterion,
        categorical=categorical,
        categorical_splits=categorical_splits,
        average_gain=False,
    )
    check_parameters(tree, TreeClassifier._parameters)
    if not _MISSING.allows(missing):
        raise refusal("score_attributes", _MISSING, missing)
    classes, codes = class_codes(tree, y)
    rows = coded_rows(tree, X, categorical, 1).compact()
    check_lengths(rows.n_rows, codes)
    options = one_split(criterion, categorical_splits, missing)
    return [_score(rows, column, coded, codes, len(classes), options) for column, coded in rows.pairs]


def entropy(counts: Sequence[float]) -> float:
    """The entropy of class counts, in bits.

    Examples
    --------
    >>> round(entropy([9, 5]), 6)
    0.940286
    """
    return _impurity(counts, "entropy")


def gini(counts: Sequence[float]) -> float:
    """The Gini impurity of class counts: the probability that two draws differ in class.

    Examples
    --------
    >>> round(gini([9, 5]), 6)
    0.459184
    """
    return _impurity(counts, "gini")


def error_share(counts: Sequence[float]) -> float:
    """The share of rows that the majority class gets wrong.

    Examples
    --------
    >>> error_share([3, 1])
    0.25
    """
    return _impurity(counts, "error")


def one_split(criterion: str, categorical_splits: str, missing: str = "node_mode") -> native.GrowOptions:
    """One split, made whatever it gains."""
    return native.GrowOptions(
        criterion=criterion,
        categorical_splits=categorical_splits,
        max_depth=1,
        min_leaf=float(np.finfo(np.float64).tiny),
        missing=missing,
    )


def _impurity(counts: Sequence[float], criterion: str) -> float:
    weights = np.asarray(counts, dtype=np.float64)
    if weights.ndim != 1 or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise DataError(
            "counts are numbers of at least 0, one per class, not all 0",
            where=f"counts of shape {weights.shape}",
            fix="give one count per class, such as [9, 5]",
        )
    present = np.flatnonzero(weights)
    constant = CodedColumn(np.zeros(len(present), dtype=np.uint8), 1, np.zeros(len(present)))
    grown = native.grow_tree(
        (constant,),
        None,
        present.astype(np.uint32),
        len(weights),
        None,
        weights[present],
        one_split(criterion, "multiway"),
    )
    return float(grown.impurity[0])


def _score(
    rows: TrainingRows,
    column: InputColumn,
    coded: CodedColumn,
    codes: NDArray[np.uint32],
    n_classes: int,
    options: native.GrowOptions,
) -> AttributeScore:
    grown = native.grow_tree((coded,), rows.row_index, codes, n_classes, None, None, options)
    structure = TreeStructure(grown)
    ends = list(structure.children(0)) or [0]
    n_unknown = (
        int(np.count_nonzero(rows.codes(coded) == coded.n_codes)) if options.missing == "fractional" else 0
    )
    split_info = _split_info(grown.weight[ends], n_unknown)
    gain = float(grown.gain[0])
    errors = float(sum(grown.value[end].sum() - grown.value[end].max() for end in ends))
    ratio = gain / split_info if split_info > 0 else 0.0
    return AttributeScore(column.name, gain, split_info, ratio, errors, _cut(structure, column))


def _split_info(weights: NDArray[np.float64], n_unknown: int) -> float:
    """The entropy of the branches, of which rows of missing value, that are in all of them, are one more.

    weights: of the branches, with the parts of rows that they were given
    """
    if len(weights) == 1:
        return 0.0
    total = weights.sum()
    return entropy([*(weights * ((total - n_unknown) / total)).tolist(), float(n_unknown)])


def _cut(structure: TreeStructure, column: InputColumn) -> str:
    children = structure.children(0)
    if not children:
        return ""
    if structure.grown.split_kind[0] != MULTIWAY:
        return branch_text(structure, InputSchema((column,)), children[0])
    levels = [column.levels[int(structure.grown.branch_level[child])] for child in children]
    return f"{shown_label(column.name)} = {' | '.join(shown_level(level) for level in levels)}"
