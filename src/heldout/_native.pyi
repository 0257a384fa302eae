"""The compiled kernels. Use heldout.native, which checks what enters."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


source_digest: str = ...

def rank_columns(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int) -> list[tuple[NDArray[Any], int]]:
    """
    Dense ranks of every column and how many there are; NaN has the rank behind the last.
    """

class GrowOptions:
    """Everything that decides how a tree grows."""

    def __init__(self, criterion: str, categorical_splits: str, average_gain: bool, max_depth: int, min_leaf: float, min_gain: float, max_leaves: int, cost_rule: str, cost_exponent: float, missing: str, numeric_cuts: str, n_threads: int) -> None: ...

def grow_trees(columns: Sequence[tuple[Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], int, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None]], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: GrowOptions, min_leafs: Sequence[float]) -> list[dict[str, NDArray[Any]]]:
    """
    Grows an exact tree for each min_leaf and gives its nodes, breadth-first, as arrays.
    """

def apply_tree(tree: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int) -> NDArray[numpy.int32]:
    """The node in which each row ends."""

def predict_tree(tree: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], splits_unknown: bool, is_regression: bool, n_threads: int) -> NDArray[numpy.float64]:
    """
    What the tree predicts for each row, rows with missing values in fragments.
    """

def weakest_links(tree: dict[str, NDArray[Any]], costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    For each split the smallest alpha at which cost-complexity pruning makes it a leaf.
    """

def reduced_error(tree: dict[str, NDArray[Any]], costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], best_first: bool, prune_ties: bool) -> NDArray[numpy.uint8]:
    """Which splits become leaves, given what each node loses as a leaf."""

def cut_tree(tree: dict[str, NDArray[Any]], is_cut: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict[str, NDArray[Any]]:
    """The tree in which the marked nodes are leaves."""

def node_losses(tree: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], splits_unknown: bool, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> NDArray[numpy.float64]:
    """What each node would lose as a leaf on the rows that come to it."""

def prune_pessimistic(columns: Sequence[tuple[Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], int, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None]], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tree: dict[str, NDArray[Any]], criterion: str, confidences: Sequence[float], deviates: Sequence[float], raise_subtrees: bool, splits_unknown: bool) -> list[dict[str, NDArray[Any]]]:
    """C4.5's pruning: collapse, replace by a leaf, raise a branch."""

def grow_forests(columns: Sequence[tuple[Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], int, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None, Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | None]], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, criterion: str, categorical_splits: str, max_depth: int, min_leafs: Sequence[float], min_gain: float, max_features: int, seed: int, is_bootstrap: bool, n_draws: int, groups: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, first_tree: int, n_trees: int, n_threads: int) -> list[dict[str, NDArray[Any]]]:
    """Grows a forest for each min_leaf and gives its nodes as arrays."""

def in_bag_counts(seed: int, is_bootstrap: bool, n_draws: int, groups: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tree: int, n_rows: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> NDArray[numpy.uint32]:
    """How often each row is in the bag of a tree."""

def cut_forest(forest: dict[str, NDArray[Any]], max_depth: int) -> dict[str, NDArray[Any]]:
    """The forest in which every node at this depth is a leaf."""

def predict_forest(forest: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], prefixes: Sequence[int], is_vote: bool, is_regression: bool, n_threads: int) -> NDArray[numpy.float64]:
    """What the first trees predict together: prefix x row x output."""

def apply_forest(forest: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], n_threads: int) -> NDArray[numpy.int32]:
    """The node in which each row ends in each tree: row x tree."""

def predict_out_of_bag(forest: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], seed: int, is_bootstrap: bool, n_draws: int, groups: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, is_vote: bool, is_regression: bool, n_threads: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int32]]:
    """
    The sums of the predictions of the trees that did not see a row, and how many these are.
    """

def permuted_losses(forest: dict[str, NDArray[Any]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], number_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, targets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, seed: int, is_bootstrap: bool, n_draws: int, groups: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int) -> NDArray[numpy.float64]:
    """
    Tree x column: by how much the loss out of the bag grows when a column is shuffled.
    """

def nearest_single(references: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], queries: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], k: int, metric: str, leaves_own_out: bool, column_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, method: str, n_threads: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
    """The k nearest references of every query, and how far they are."""

def nearest_double(references: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], queries: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], k: int, metric: str, leaves_own_out: bool, column_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, method: str, n_threads: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
    """The k nearest references of every query, and how far they are."""

def nearest_mixed(reference_numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], reference_levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], query_numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], query_levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], ranges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], number_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], level_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], k: int, leaves_own_out: bool, n_threads: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
    """The k nearest references of every query by Gower's distance."""

def nearest_sparse(reference_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], reference_numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], query_begin: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], query_columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], query_numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_columns: int, k: int, metric: str, leaves_own_out: bool, column_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
    """
    The k nearest references of every query, of rows with few columns stored.
    """

def nearest_listed(positions: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], distances: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], index_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], queries: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], k: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.uint8]]:
    """
    The k nearest members of every query, by lists of the neighbors of all rows.
    """

def train_perceptron(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_rows: int, n_columns: int, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, snapshots: Sequence[int], shuffles: bool, fits_intercept: bool, keeps_sums: bool, keeps_updates: bool, seed: int) -> dict[str, NDArray[Any]]:
    """
    Weights after the wanted epochs, mistakes of each epoch, and every update.
    """

def linear_scores(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_rows: int, n_columns: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], intercepts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """Rows × functions: the intercept and the products in column order."""

def count_votes(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_rows: int, n_columns: int, update_values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], update_columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], update_ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], row: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], raised: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], lowered: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_votes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, has_intercept: bool) -> NDArray[numpy.float64]:
    """Rows × classes: the votes of all weights that a perceptron had."""

unicode_version: str = '14.0.0'

class WordIndex:
    """Finds the columns of the words of a vocabulary."""

    def __init__(self, terms: bytes) -> None: ...

    def __len__(self) -> int: ...

def learn_words(text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowers: bool, n_least: int, n_most: int, stop_words: bytes, min_documents: int, max_documents: int, max_terms: int, is_binary: bool, is_log: bool, is_unit_length: bool) -> tuple[bytes, dict[str, NDArray[Any]]]:
    """
    The vocabulary of documents, each word ended by a line feed, and the counts by row.
    """

def count_words(index: WordIndex, text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowers: bool, stop_words: bytes, is_binary: bool, is_log: bool, is_unit_length: bool) -> dict[str, NDArray[Any]]:
    """How often each document has each word of a vocabulary."""

def distinct_words(text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], lowers: bool) -> bytes:
    """The distinct words of documents, sorted, each ended by a line feed."""

def steps(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], is_positive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int) -> tuple[dict[str, NDArray[Any]], float]:
    """
    The distinct scores, descending, what lies at or above each of them, and the area.
    """

def area_under_curve(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], is_positive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int) -> float:
    """The share of pairs in the right order."""

def placements(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], is_positive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int) -> dict[str, NDArray[Any]]:
    """Where the rows of each class lie among those of the other."""

def bootstrap_auc(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], is_positive: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], n_resamples: int, seed: int, is_stratified: bool, n_threads: int) -> NDArray[numpy.float64]:
    """The area under the curve of each resample of the rows."""

def code_records(bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], bytes_per_record: int) -> dict[str, NDArray[Any]]:
    """
    Codes of records in the order in which they appear, and where each first appears.
    """

def count_close_pairs(rows: Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> tuple[int, NDArray[numpy.int64]]:
    """
    The least label and the counts of pairs, if there are not more labels than these.
    """

def count_pairs(rows: Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], row_low: int, column_low: int, n_rows: int, n_columns: int) -> NDArray[numpy.int64]:
    """How often each pair of whole numbers occurs."""

def weigh_pairs(rows: Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[Any], dict(shape=(None,), order='C', device='cpu', writable=False)], row_low: int, column_low: int, n_rows: int, n_columns: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """The weight of each pair of whole numbers."""
