"""Files of forests, neighbors, linear models and baselines that were edited are refused, with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.learners.neighbors_classifier import NeighborsClassifier
from heldout.learners.ridge_regressor import RidgeRegressor
from heldout.learners.trees.tree_structure import LEAF, LEVEL_SET, MULTIWAY, THRESHOLD

from .learner_samples import samples
from .model_samples import edited_array, edited_manifest, saved_bytes
from .test_damaged_files import drop, put, refusal


def content_of(kind: str, name: str, tmp_path: Path) -> bytes:
    return saved_bytes(samples(kind)[name][0], tmp_path)


def at(place: Any, value: Any) -> Any:
    """An edit that puts a value at a place of an array."""

    def change(array: np.ndarray) -> None:
        array[place] = value

    return change


FOREST_EDITS = [
    ("tree_begin", at(0, 1), "do not hold all nodes"),
    ("tree_begin", at(-1, 3), "."),
    ("tree_begin", at(1, -1), "outside the nodes"),
    ("tree_begin", at(1, 0), "a tree has no node"),
    ("tree_begin", at(1, 3), "."),
    ("feature", at(0, 99), "on no column"),
    ("feature", at(0, -1), "on no column"),
    ("split_kind", at(0, 9), "unknown kind"),
    ("split_kind", at(0, LEAF), "a leaf has a split"),
    ("first_child", at(0, 0), "after their parent"),
    ("first_child", at(0, -5), "after their parent"),
    ("first_child", at(0, 2), "do not make a tree"),
    ("first_child", at(0, 2**31 - 1), "do not make a tree"),
    ("n_children", at(0, 1), "two children"),
    ("n_children", at(0, 2**31 - 1), "."),
    ("default_child", at(0, -1), "default child"),
    ("default_child", at(0, 9), "default child"),
    ("set_begin", at(0, -1), "outside its pool"),
    ("set_end", at(0, 2**31 - 1), "outside its pool"),
    ("threshold", at(slice(None), np.inf), "threshold"),
    ("threshold", at(slice(None), 1e300), "no date"),
    ("weight", at(0, -1.0), "a weight is negative"),
    ("weight", at(0, np.nan), "a weight is negative"),
    ("value", at(0, np.nan), "finite"),
    ("value", at(0, -1.0), "no weight"),
    ("value", at(slice(None), 0.0), "no weight"),
    ("branch_level", at(slice(None), 99), "branches"),
    ("branch_level", at(slice(None), -1), "branches"),
]


@pytest.mark.parametrize("place", range(len(FOREST_EDITS)))
def test_arrays_that_make_no_forest_are_refused(place: int, tmp_path: Path) -> None:
    """Every index is checked: trees, children, columns, levels; and every number."""
    name, change, words = FOREST_EDITS[place]
    content = content_of("forests", "votes", tmp_path)
    assert words in f"{refusal(edited_array(content, f'forest/{name}.npy', change), tmp_path).what}."


def test_levels_of_a_forest_are_checked(tmp_path: Path) -> None:
    """The sets of levels ascend and name levels that are there."""
    content = content_of("forests", "forest", tmp_path)
    for change in (at(slice(None), 99), at(slice(None), -1)):
        assert (
            "a set of levels"
            in refusal(edited_array(content, "forest/set_levels.npy", change), tmp_path).what
        )


def test_the_samples_have_every_kind_of_split() -> None:
    """What is edited has thresholds, branches and sets to edit."""
    kinds = {
        int(kind)
        for name in ("forest", "votes")
        for kind in np.unique(samples("forests")[name][0].forest_.split_kind)
    }
    assert kinds == {LEAF, THRESHOLD, MULTIWAY, LEVEL_SET}


ROW_EDITS = [
    ("gower", "numbers", at((0, 0), np.inf), "a number that is none"),
    ("l2", "numbers", at((0, 0), np.nan), "a number that is none"),
    ("gower", "levels", at((0, 0), 99), "a level that its column has not"),
    ("gower", "levels", at((0, 0), -2), "a level that its column has not"),
    ("hamming", "levels", at((0, 0), -1), "a level that its column has not"),
    ("gower", "class_codes_", at(0, 3), "a class that is none"),
    ("gower", "class_codes_", at(0, -1), "a class that is none"),
    ("gower mean", "targets_", at(0, np.nan), "finite"),
    ("gower", "ranges_", at(0, -1.0), "range of a column"),
    ("gower", "ranges_", at(0, np.nan), "range of a column"),
    ("l2", "feature_weights_", at(0, -1.0), "no weights"),
    ("l2", "feature_weights_", at(slice(None), 0.0), "no weights"),
    ("mahalanobis", "center_", at(0, np.inf), "not finite"),
    ("mahalanobis", "factor_", at((0, 0), 0.0), "no factor"),
    ("mahalanobis", "factor_", at((0, 1), 1.0), "no factor"),
    ("sparse", "columns", at(0, 3), "in no column"),
    ("sparse", "columns", at(0, -1), "in no column"),
    ("sparse", "columns", at(slice(None), 0), "in the order of the columns"),
    ("sparse", "row_begin", at(0, 1), "."),
    ("sparse", "row_begin", at(-1, 2), "."),
    ("sparse", "row_begin", at(3, 10**9), "outside the cells"),
    ("sparse", "row_begin", at(3, 0), "."),
    ("sparse", "stored", at(0, np.nan), "a number that is none"),
]


@pytest.mark.parametrize("place", range(len(ROW_EDITS)))
def test_rows_that_are_none_are_refused(place: int, tmp_path: Path) -> None:
    """Rows, answers and what the metric has learned are held against the columns and each other."""
    sample, name, change, words = ROW_EDITS[place]
    content = content_of("neighbors", sample, tmp_path)
    assert words in f"{refusal(edited_array(content, f'rows/{name}.npy', change), tmp_path).what}."


VOTE_EDITS = [
    ("values", at(0, np.inf), "not finite"),
    ("votes", at(0, -1.0), "no vote"),
    ("votes", at(slice(None), 0.0), "nothing has a vote"),
    ("votes", at(slice(None), 1e308), "nothing has a vote"),
    ("row", at(0, 2**32 - 1), "a row that is not there"),
    ("raised", at(0, 3), "a class that is none"),
    ("lowered", at(0, 2**32 - 1), "a class that is none"),
    ("raised", at(slice(None), 0), "from which it subtracts"),
    ("columns", at(0, 3), "in no column"),
    ("columns", at(slice(None), 0), "in the order of the columns"),
    ("ends", at(0, 1), "do not hold all cells"),
    ("ends", at(1, -1), "outside the cells"),
]


@pytest.mark.parametrize("place", range(len(VOTE_EDITS)))
def test_updates_that_do_not_fit_are_refused(place: int, tmp_path: Path) -> None:
    """The votes of a perceptron are held against its rows, columns and classes."""
    name, change, words = VOTE_EDITS[place]
    content = content_of("perceptrons", "voted", tmp_path)
    assert words in refusal(edited_array(content, f"perceptron/{name}.npy", change), tmp_path).what


MANIFEST_EDITS = [
    ("forests", "forest", put("forest", "n_nodes", value=10**12), "impossible size"),
    ("forests", "forest", put("forest", "n_nodes", value=2**31 - 1), "type or size"),
    ("forests", "forest", put("forest", "n_trees", value=0), "impossible size"),
    ("forests", "forest", put("forest", "n_outputs", value=2), "number of classes"),
    ("forests", "forest", put("forest", "n_judged_rows", value=0), "out-of-bag"),
    ("forests", "forest", drop("attributes", "oob_score_"), "out-of-bag"),
    ("forests", "votes", put("attributes", "oob_score_", value=0.5), "out-of-bag"),
    ("forests", "forest", put("forest", value=[]), "described"),
    ("forests", "forest", put("attributes", "seed_", value=-1), "seed_"),
    ("forests", "forest", put("attributes", "n_draws_", value=0), "n_draws_"),
    ("forests", "forest", put("attributes", "max_features_", value=99), "drawn"),
    ("forests", "forest", drop("attributes", "n_values_"), "drawn"),
    ("forests", "forest", put("attributes", "is_bootstrap_", value=1), "neither true"),
    ("forests", "forest", put("attributes", "data_mark_", value=1), "no text"),
    ("forests", "forest", put("attributes", "gain_shares_", value=-1.0), "another version"),
    ("forests", "forest", put("attributes", "oob_score_", value="good"), "no number"),
    ("forests", "forest", put("parameters", "n_trees", value=0), "n_trees must be"),
    ("neighbors", "l2", put("attributes", "metric_", value="l7"), "the metric is none"),
    ("neighbors", "l2", put("attributes", "metric_", value="gower"), "."),
    ("neighbors", "sparse", put("attributes", "metric_", value="linf"), "sparse rows"),
    ("neighbors", "l2", put("parameters", "k", value=0), "k must be"),
    ("neighbors", "l2", put("parameters", "weights", value="mine"), "weights must be"),
    ("neighbors", "l2", put("rows", "dtype", value="|O"), "unknown form"),
    ("neighbors", "l2", put("rows", "dtype", value="<f4"), "type or size"),
    ("neighbors", "l2", put("rows", "is_sparse", value=1), "unknown form"),
    ("neighbors", "l2", put("rows", "is_sparse", value=True), "other parts"),
    ("neighbors", "l2", put("rows", "sizes", "n_rows", value=2**31 - 1), "type or size"),
    ("neighbors", "l2", put("rows", "sizes", "n_rows", value=0), "impossible size"),
    ("neighbors", "l2", put("rows", "sizes", "n_stored", value=5), "unknown form"),
    ("neighbors", "sparse", put("rows", "sizes", "n_stored", value=5), "type or size"),
    ("neighbors", "l2", put("rows", value=3), "described"),
    ("neighbors", "l2", put("attributes", "n_classes_", value=2), "list of labels"),
    ("linear", "ridge", put("attributes", "alpha_", value=-1.0), "alpha_"),
    ("linear", "ridge", put("attributes", "intercept_", value={"float": "nan"}), "intercept_"),
    ("linear", "ridge", drop("attributes", "df_"), "df_"),
    ("linear", "ridge", put("attributes", "rank_", value=1), "another version"),
    ("linear", "ridge", put("attributes", "n_rows_", value=0), "n_rows_"),
    ("linear", "least squares", drop("attributes", "r_squared_"), "r_squared_"),
    ("linear", "least squares", put("attributes", "rank_", value=1.5), "rank_"),
    ("linear", "least squares", put("attributes", "rank_", value=99), "more columns are independent"),
    ("linear", "least squares", put("attributes", "residual_variance_", value=-0.5), "residual_variance_"),
    ("linear", "least squares", put("attributes", "r_squared_", value=1.5), "r_squared_"),
    ("perceptrons", "voted", put("updates", value=None), "other parts"),
    ("perceptrons", "averaged", put("updates", value={}), "described"),
    ("perceptrons", "voted", put("updates", "has_intercept", value=1), "neither true"),
    ("perceptrons", "voted", put("updates", "sizes", "n_updates", value=2**31 - 1), "type or size"),
    ("perceptrons", "voted", put("attributes", "n_mistakes_", value=1), "than mistakes"),
    ("perceptrons", "plain", put("attributes", "is_separated_", value=1), "neither true"),
    ("perceptrons", "plain", put("attributes", "n_epochs_", value=0), "n_epochs_"),
    ("perceptrons", "plain", put("attributes", "classes_", "array", value=3), "unknown form"),
    ("perceptrons", "plain", put("attributes", "classes_", value="ab"), "list of labels"),
    ("baselines", "prior", put("attributes", "class_prior_", "array", "values", 0, value=2.0), "shares"),
    ("baselines", "prior", put("attributes", "class_prior_", "array", "values", 0, value=0.0), "together"),
    ("baselines", "prior", put("attributes", "classes_", "array", "values", value=["a", "b", "b"]), "twice"),
    ("baselines", "prior", drop("attributes", "classes_"), "list of labels"),
    ("baselines", "mean", put("attributes", "constant_", value="x"), "constant_"),
    ("baselines", "majority", put("columns", 1, "kind", value="picture"), "unknown kind"),
]


@pytest.mark.parametrize("place", range(len(MANIFEST_EDITS)))
def test_manifests_that_do_not_fit_are_refused(place: int, tmp_path: Path) -> None:
    """The JSON is held against what this version writes, against the columns and against the arrays."""
    kind, name, change, words = MANIFEST_EDITS[place]
    error = refusal(edited_manifest(content_of(kind, name, tmp_path), change), tmp_path)
    assert words in f"{error.what}."


def test_coefficients_are_checked(tmp_path: Path) -> None:
    """They are finite, and their errors are not negative."""
    content = content_of("linear", "least squares", tmp_path)
    for name, value, words in (("coef_", np.nan, "not finite"), ("standard_errors_", -1.0, "negative")):
        error = refusal(edited_array(content, f"linear/{name}.npy", at(0, value)), tmp_path)
        assert words in error.what


def test_weights_that_are_a_function_are_refused(tmp_path: Path) -> None:
    """A file holds nothing that is executed; the error says so, and what to use."""
    model = NeighborsClassifier(k=1, weights=np.ones_like).fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(ho.RequestError, match="nothing that is executed") as caught:
        ho.save(model, tmp_path / "a.model")
    assert '"gaussian"' in caught.value.fix
    assert not (tmp_path / "a.model").exists()


def test_coefficients_that_are_no_numbers_are_refused_at_once(tmp_path: Path) -> None:
    """What could not be loaded is not saved."""
    model = RidgeRegressor().fit([[1.0], [2.0]], [1.0, 2.0])
    model.coef_ = np.array([np.inf])
    with pytest.raises(ho.RequestError, match="not a finite number"):
        ho.save(model, tmp_path / "a.model")
