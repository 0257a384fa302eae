"""Conjunctions along the branches of a tree as columns, by which a linear learner sees what a tree sees."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from heldout.arrays import Floats
from heldout.errors import DataError
from heldout.features.path_tree import Path, branch_runs, path_tree
from heldout.features.transformer import Transformer
from heldout.features.transformer_inputs import Entry
from heldout.features.transformer_outputs import leaving_columns, unique_names
from heldout.inputs.input_schema import InputSchema
from heldout.learners.parameters import Parameter, refusal
from heldout.learners.rules.condition import Condition, Cut
from heldout.learners.rules.rule_rows import column_values, matching_rows
from heldout.learners.tree_classifier import TreeClassifier
from heldout.learners.tree_regressor import TreeRegressor
from heldout.learners.trees.tree_base import TreeBase
from heldout.learners.trees.tree_walk import walked_blocks
from heldout.table.column import LEVEL_KINDS, NUMERIC_KINDS, Column
from heldout.table.table import Table
from heldout.text.words import plural, shorten
from heldout.types import PerRow, SparseMatrix, TableLike

# Characters of a conjunction in the text.
MOST_SHOWN = 400
MAX_PATHS = Parameter("max_paths", choices=(None,), number="integer", lowest=0)


class TreePaths(Transformer):
    """Adds a column of 0 and 1 for each conjunction of conditions along the branches of a tree.

    A tree is grown from the training rows. Every run of `length` branches that follow each other, from
    whatever node, is a conjunction, "Outlook = Sunny ∧ Humidity = High"; a way from the root to a leaf that
    is shorter is one as well. So a linear learner is given the combinations of columns that matter, and not
    all that there are: with them the perceptron learns XOR.

    Parameters
    ----------
    length
        how many branches make a conjunction; 1 gives single conditions, None the whole way to each leaf.
        What is asked of one column is one condition, "3 < size ≤ 7"; each conjunction comes once
    tree
        a TreeClassifier or TreeRegressor; a copy of it is fitted, also if it was fitted before. None is a
        tree of 32 leaves at most that splits until rows are of one class, even where a single split gains
        nothing, and is not pruned: by entropy, with a branch per level (two groups of levels if a
        category has more than 10), or a regression tree, where y is floating-point numbers that are not
        all whole, or of which there are more than ten
    keep
        whether the columns of X stay, before those of the paths
    columns
        names or positions of the columns that the tree may ask for; None for all numbers, dates,
        categories and booleans. Texts and identifiers pass

    Attributes
    ----------
    tree_
        fitted
    paths_
        the conditions of each path
    n_features_in_
    feature_names_in_

    Notes
    -----
    A row whose value is unknown, or a level that was not there at fit, meets a condition as the tree's
    `missing` has it: of our own tree by the share of the rows that did, a number between 0 and 1.

    Examples
    --------
    >>> import heldout as ho
    >>> xor = ho.read_table({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    >>> paths = TreePaths(keep=False).fit(xor, [0, 1, 1, 0])
    >>> print(paths)
    4 conjunctions along the branches of a tree with 4 leaves
    a ≤ 0.5 ∧ b ≤ 0.5
    a ≤ 0.5 ∧ b > 0.5
    a > 0.5 ∧ b ≤ 0.5
    a > 0.5 ∧ b > 0.5
    >>> ho.Perceptron().fit(paths.transform(xor), [0, 1, 1, 0]).is_separated_
    True
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("length", choices=(None,), number="integer", lowest=1),
        Parameter("keep", choices=(True, False)),
    )
    _acts_on = (*NUMERIC_KINDS, *LEVEL_KINDS)
    _takes_sparse = True
    _takes_words = True

    tree_: TreeBase
    paths_: tuple[Path, ...]

    def __init__(
        self,
        length: int | None = 2,
        tree: TreeClassifier | TreeRegressor | None = None,
        *,
        keep: bool = True,
        columns: Sequence[str | int] | None = None,
    ) -> None:
        self.length = length
        self.tree = tree
        self.keep = keep
        self.columns = columns

    def description_bits(self) -> float:
        """How many bits it takes to write down what was learned: those of the tree, which says it all."""
        self._check_is_fitted()
        return self.tree_.description_bits()

    def to_text(self, max_paths: int | None = 30) -> str:
        """The conjunctions, one in a line.

        Parameters
        ----------
        max_paths
            how many are shown; None shows all
        """
        self._check_is_fitted()
        if not MAX_PATHS.allows(max_paths):
            raise refusal("to_text", MAX_PATHS, max_paths)
        found = plural(len(self.paths_), "conjunction")
        leaves = plural(self.tree_.n_leaves_, "leaf", "leaves")
        shown = [shorten(name, MOST_SHOWN) for name in self._path_names(self.inputs_.names)[:max_paths]]
        n_more = len(self.paths_) - len(shown)
        end = [f"… ({n_more:,} more)"] if n_more else []
        return "\n".join([f"{found} along the branches of a tree with {leaves}", *shown, *end])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        tree = path_tree(self.tree, y, [entry.schema.columns[index] for index in chosen])
        self._refuse_nothing(y, entry, chosen)
        assert y is not None
        tree.fit(_tree_inputs(entry, chosen), y)
        length = None if self.length is None else int(self.length)
        paths = of_whole_table(branch_runs(tree.tree_, tree.inputs_, length), entry.schema, chosen)
        if not paths and not self.keep:
            raise DataError(
                "the tree has no split, so no column would be left",
                where=f"TreePaths(keep=False), n_samples={entry.n_rows}",
                fix="say keep=True, which keeps the columns of X, or hand over a tree that splits",
            )
        self.tree_ = tree
        self.paths_ = paths

    def _refuse_nothing(self, y: PerRow, entry: Entry, chosen: NDArray[np.intp]) -> None:
        if y is None:
            raise DataError(
                "TreePaths requires y to be passed, but the target y is None",
                where="TreePaths.fit(X)",
                fix="hand over the answers of the training rows; in a Pipeline, as pipeline.fit(X, y)",
            )
        if not len(chosen):
            raise DataError(
                "there is no column that a tree could ask for",
                where=f"{plural(len(entry.schema.columns), 'column')}, no number, date, category or boolean",
                fix="make numbers of texts first, with BagOfWords for instance, or drop this step",
            )

    def _leave(self, X: TableLike, entry: Entry) -> Any:
        indices = {position: index for index, position in enumerate(self.columns_.tolist())}
        blocks = path_shares(self.tree_, _tree_inputs(entry, self.columns_), self.paths_, indices)
        if entry.form == "sparse":
            return self._sparse(entry.matrix, blocks)
        (shares,) = blocks
        names = self._path_names(self.inputs_.names)
        made = [
            Column(name, "number", shares[:, index], reason="a path of a tree")
            for index, name in enumerate(names)
        ]
        kept = entry.columns if self.keep else ()
        return leaving_columns(self, X, entry.form, [*kept, *made])

    def _sparse(self, matrix: SparseMatrix, blocks: Iterable[Floats]) -> SparseMatrix:
        from scipy.sparse import csr_array, hstack, vstack  # takes 0.1 s

        made = vstack([csr_array(shares) for shares in blocks], format="csr")
        whole = hstack([matrix, made], format="csr") if self.keep else made
        return cast("SparseMatrix", csr_array(whole))

    def _names_out(self, names: list[str]) -> list[str]:
        return [*(names if self.keep else []), *self._path_names(names)]

    def _path_names(self, names: list[str]) -> list[str]:
        return path_names(self.paths_, names, taken=names if self.keep else ())


def _tree_inputs(entry: Entry, chosen: NDArray[np.intp]) -> Any:
    """The columns that the tree may ask for, in the form in which they came."""
    if entry.matrix is None:
        return Table([entry.given[index] for index in chosen.tolist()])
    return entry.matrix if len(chosen) == entry.matrix.shape[1] else entry.matrix[:, chosen]


def of_whole_table(paths: Sequence[Path], schema: InputSchema, chosen: NDArray[np.intp]) -> tuple[Path, ...]:
    """Paths of a tree of some columns, with the names and the places that these have in X."""
    names, positions = schema.names, chosen.tolist()
    columns = {}
    for path in paths:
        for each in path:
            columns[each.position] = replace(each.column, name=names[positions[each.position]])
    return tuple(
        tuple(
            replace(each, column=columns[each.position], position=positions[each.position]) for each in path
        )
        for path in paths
    )


def path_names(paths: Sequence[Path], names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """A name for each conjunction, in the names of the columns.

    Thresholds are rounded, as in the text of a tree, except where two conjunctions would then have one name:
    these have all digits. What still is alike, or like a column that is there, gets a number.

    names: of the columns of X
    taken: names that are given away already
    """
    shown = [_formula(path, names) for path in paths]
    n_alike = Counter(shown)
    exact = [
        _formula([_with_all_digits(condition) for condition in path], names) if n_alike[name] > 1 else name
        for path, name in zip(paths, shown, strict=True)
    ]
    [found] = unique_names([exact], sources=[""], taken=taken)
    return found


def _formula(path: Sequence[Condition], names: Sequence[str]) -> str:
    return " ∧ ".join(
        replace(condition, column=replace(condition.column, name=names[condition.position])).formula()
        for condition in path
    )


def _with_all_digits(condition: Condition) -> Condition:
    return replace(condition, low=_exact(condition.low), high=_exact(condition.high))


def _exact(cut: Cut | None) -> Cut | None:
    """The same threshold in a gap that holds no other number, so that it is shown as it is."""
    if cut is None:
        return None
    return Cut(cut.threshold, cut.threshold, math.nextafter(cut.threshold, math.inf))


def path_shares(
    tree: TreeBase, X: TableLike, paths: Sequence[Path], indices: Mapping[int, int]
) -> Iterator[NDArray[np.float64]]:
    """Rows × conjunctions; a sparse X comes in several blocks of rows.

    tree:   fitted; it says what a missing value counts as
    X:      the columns that the tree was fitted on
    places: where the columns that the conditions ask for stand among those of the tree
    """
    schema = tree.inputs_
    for inputs in walked_blocks(tree, X, schema):
        everything = np.arange(len(inputs.numbers))
        requested = {condition.position for path in paths for condition in path}
        values = {position: column_values(inputs, schema, indices[position]) for position in requested}
        shares = np.zeros((len(everything), len(paths)), order="F")
        for index, path in enumerate(paths):
            rows, parts = matching_rows(path, values.__getitem__, everything)
            shares[rows, index] = parts
        yield shares
