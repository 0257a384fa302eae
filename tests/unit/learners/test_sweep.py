"""Sweeps: every setting gives the tree and the answers that fitting it by itself gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import clone

from heldout import InputTypeError, RequestError, RidgeRegressor, Table, TreeClassifier, TreeRegressor, native
from heldout.learners.trees.growth import stop_at
from heldout.learners.trees.pruned_trees import PRUNING_WITH
from heldout.table.column import category_column

from .same_tree import differing_fields
from .tables import as_table, mixed_answers, mixed_cells

LIMITS = {
    "max_depth": st.sampled_from([None, None, 0, 1, 2, 3, 6]),
    "min_leaf": st.sampled_from([1, 2, 2.5, 5]),
    "min_gain": st.sampled_from([0.0, 0.0, None, 0.02, 0.1]),
}
BOTH = {
    "prune_alpha": st.sampled_from(["cv", 0, 0.001, 0.02, 0.1, 1]),
    "prune_order": st.sampled_from(["best_first", "bottom_up"]),
    "prune_ties": st.booleans(),
    "validation_fraction": st.sampled_from([0.25, 0.4]),
    "random_state": st.sampled_from([None, 1]),
    "max_leaves": st.sampled_from([None, None, None, 4]),
    "categorical_splits": st.sampled_from(["multiway", "subset"]),
}
CLASSES = {
    **LIMITS,
    **BOTH,
    "prune": st.sampled_from([None, "reduced_error", "cost_complexity", "pessimistic", "chi_square"]),
    "prune_confidence": st.sampled_from([0.05, 0.25, 0.5]),
    "prune_significance": st.sampled_from([0.01, 0.2, 0.6]),
    "raise_subtrees": st.booleans(),
    "missing": st.sampled_from(["fractional", "node_mode", "column_mode", "class_mode"]),
    "criterion": st.sampled_from(["gain_ratio", "gini", "entropy", "error"]),
    "numeric_cuts": st.sampled_from(["c45", "plain"]),
    "class_weight": st.sampled_from([None, "balanced"]),
}
NUMBERS = {
    **LIMITS,
    **BOTH,
    "prune": st.sampled_from([None, "reduced_error", "cost_complexity"]),
    "missing": st.sampled_from(["fractional", "node_mode", "column_mode"]),
    "min_gain": st.sampled_from([0.0, None, 2.0, 30.0]),
}


def spaces(values):
    """A list of settings, each of a pruning and some of the other parameters; one of them uses each."""
    others = {name: value for name, value in values.items() if name != "prune"}
    setting = st.fixed_dictionaries({"prune": values["prune"]}, optional=others)
    return st.lists(setting, min_size=1, max_size=6).map(without_unused)


def without_unused(space):
    """The settings without the parameters that a sweep refuses because no setting prunes by them."""
    prunings = {setting["prune"] for setting in space}
    unused = [name for name, pruning in PRUNING_WITH.items() if pruning not in prunings]
    return [{name: value for name, value in setting.items() if name not in unused} for setting in space]


def table_of(seed, n_rows=70):
    """Numbers and categories with gaps, a target that depends on them, weights and groups."""
    draw = np.random.default_rng(seed)
    cells = mixed_cells(n_rows, seed)
    answers = mixed_answers(cells, seed)
    score = np.array([float(age or 40) for age in cells["age"]]) + 10 * (answers == "stays")
    weights = [None, draw.integers(0, 4, n_rows), draw.choice([0.5, 1.0, 2.0], n_rows)][seed % 3]
    groups = draw.integers(0, 12, n_rows) if seed % 2 else None
    return as_table(cells), answers, score + draw.normal(size=n_rows), weights, groups


def assert_equal_to_fitting_each(learner, space, X, y, weights, groups, new):
    """Trees bit for bit, chosen alphas, predictions and probabilities."""
    sweep = learner.sweep(X, y, space, weights, groups=groups)
    found = sweep.predict(new)
    shares = None if isinstance(learner, TreeRegressor) else sweep.predict_proba(new)
    for place, setting in enumerate(sweep.settings):
        alone = clone(learner).set_params(**setting).fit(X, y, weights, groups=groups)
        model = sweep.model(place)
        assert differing_fields(model.tree_.grown, alone.tree_.grown) == []
        assert model.tree_.splits_unknown == alone.tree_.splits_unknown
        assert getattr(model, "prune_alpha_", None) == getattr(alone, "prune_alpha_", None)
        assert [column.fill for column in model.inputs_.columns] == [
            column.fill for column in alone.inputs_.columns
        ]
        assert np.array_equal(found[place], alone.predict(new))
        assert np.array_equal(model.predict(new), alone.predict(new))
        assert shares is None or np.array_equal(shares[place], alone.predict_proba(new))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*filled by the mode of", "ignore:.* has no effect")
@given(spaces(CLASSES), st.integers(0, 5))
@settings(max_examples=100)
def test_a_sweep_of_a_classifier_equals_fitting_each_setting(space, seed):
    """Whatever the settings, together they give what each gives alone."""
    X, y, _, weights, groups = table_of(seed)
    new = as_table(mixed_cells(40, seed + 100))
    assert_equal_to_fitting_each(TreeClassifier(), space, X, y, weights, groups, new)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* has no effect")
@given(spaces(NUMBERS), st.integers(0, 5))
@settings(max_examples=40)
def test_a_sweep_of_a_regressor_equals_fitting_each_setting(space, seed):
    """The same for numbers to predict."""
    X, _, y, weights, groups = table_of(seed)
    new = as_table(mixed_cells(40, seed + 100))
    assert_equal_to_fitting_each(TreeRegressor(), space, X, y, weights, groups, new)


@pytest.mark.filterwarnings("ignore:.* has no effect")
def test_validation_rows_serve_every_setting():
    """Rows given to validate on are used by the settings that prune by them."""
    X, y, *_ = table_of(0)
    held, answers, *_ = table_of(2)
    space = {"prune": [None, "reduced_error"], "max_depth": [2, None], "prune_ties": [True, False]}
    sweep = TreeClassifier().sweep(X, y, space, validation=(held, answers))
    for place, setting in enumerate(sweep.settings):
        tree = TreeClassifier(**setting)
        validation = (held, answers) if setting["prune"] else None
        alone = tree.fit(X, y, validation=validation)
        assert differing_fields(sweep.model(place).tree_.grown, alone.tree_.grown) == []


def counted(monkeypatch, name):
    """How often a kernel was called."""
    calls, kernel = [], getattr(native, name)
    monkeypatch.setattr(native, name, lambda *args: calls.append(name) or kernel(*args))
    return calls


def test_one_tree_is_grown_for_depth_gain_and_every_pruning(monkeypatch):
    """Twenty settings of depth, gain, alpha and significance need one growing and one path each."""
    X, y, *_ = table_of(0)
    growings, links = counted(monkeypatch, "grow_trees"), counted(monkeypatch, "weakest_links")
    space = [{"prune": None, "max_depth": depth} for depth in (1, 2, 3, 4, None)]
    space += [{"prune": None, "min_gain": gain} for gain in (0.0, 0.01, 0.1)]
    space += [{"prune": "cost_complexity", "prune_alpha": alpha} for alpha in np.linspace(0, 0.1, 6)]
    space += [{"prune": "chi_square", "prune_significance": level} for level in np.linspace(0, 1, 6)]
    TreeClassifier().sweep(X, y, space)
    assert (len(growings), len(links)) == (1, 1)


def test_min_leaf_values_are_grown_from_one_sorting(monkeypatch):
    """Several values of min_leaf are grown by one call, whose rows are sorted once."""
    X, y, *_ = table_of(0)
    together = counted(monkeypatch, "grow_trees")
    TreeClassifier(prune=None).sweep(X, y, {"min_leaf": [1, 2, 5], "max_depth": [2, None]})
    assert len(together) == 1


def test_parameters_of_another_pruning_make_no_work(monkeypatch):
    """What a pruning does not ask for does not multiply its work."""
    X, y, *_ = table_of(0)
    prunings = counted(monkeypatch, "prune_pessimistic")
    prunes = ["pessimistic", "cost_complexity", "chi_square"]
    space = {"prune": prunes, "prune_alpha": [0, 0.1, "cv"], "prune_significance": [0.1, 0.2]}
    sweep = TreeClassifier().sweep(X, y, space)
    assert (len(sweep), len(prunings)) == (18, 1)


def test_rows_walk_each_grown_tree_once(monkeypatch):
    """Fifty alphas are answered by one walk."""
    X, y, *_ = table_of(0)
    sweep = TreeClassifier(prune="cost_complexity", missing="node_mode").sweep(
        X, y, {"prune_alpha": np.linspace(0, 0.2, 50)}
    )
    walks = counted(monkeypatch, "apply_tree")
    assert sweep.predict(X).shape == (50, 70)
    assert len(walks) == 1


def test_settings_are_all_combinations_in_order():
    """The last name changes fastest; a list of settings is taken as it is."""
    X, y, *_ = table_of(0)
    sweep = TreeClassifier().sweep(X, y, {"max_depth": [1, 2], "min_leaf": (1, 5)})
    pairs = [(setting["max_depth"], setting["min_leaf"]) for setting in sweep.settings]
    assert pairs == [(1, 1), (1, 5), (2, 1), (2, 5)]
    assert repr(sweep) == "<Sweep of 4 settings over max_depth, min_leaf>"
    given_list = [{"max_depth": 3}, {}]
    assert TreeClassifier().sweep(X, y, given_list).settings == given_list


def test_the_learner_itself_is_not_changed():
    """A sweep is asked of a tree and leaves it as it was."""
    X, y, *_ = table_of(0)
    tree = TreeClassifier(min_leaf=7)
    tree.sweep(X, y, {"max_depth": [1, 2]})
    assert tree.get_params() == TreeClassifier(min_leaf=7).get_params()
    assert not tree.__sklearn_is_fitted__()


def test_a_sparse_matrix_is_swept():
    """Rows that come in blocks give the answers of a dense array."""
    draw = np.random.default_rng(0)
    X = np.where(draw.random((60, 5)) < 0.5, 0.0, draw.normal(size=(60, 5)))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    sweep = TreeClassifier(prune=None).sweep(csr_array(X), y, {"max_depth": [1, 3, None]})
    assert np.array_equal(sweep.predict(csr_array(X)), sweep.predict(X))


def test_categorical_may_be_swept():
    """Columns enter once for each way of reading them."""
    X = np.array([[3.0, 0.1], [1.0, 0.4], [2.0, 0.2], [1.0, 0.9], [3.0, 0.8], [2.0, 0.6]] * 5)
    y = [0, 1, 0, 1, 0, 1] * 5
    space = {"categorical": ["auto", [0]], "prune": [None, "chi_square"]}
    assert_equal_to_fitting_each(TreeClassifier(), space, X, y, None, None, X)


@pytest.mark.parametrize(
    ("space", "error", "where"),
    [
        ({"depth": [1]}, RequestError, "max_depth"),
        ({"max_depth": 3}, InputTypeError, "max_depth"),
        ({"prune": "chi_square"}, InputTypeError, "prune"),
        ({"prune": ["chi_squared"]}, RequestError, "prune"),
        ({"max_depth": []}, RequestError, "max_depth"),
        ({"max_depth": {1, 2}}, InputTypeError, "write {'max_depth': [1, 2]}"),
        ({"class_weight": {0: 1}}, InputTypeError, "write {'class_weight': [{0: 1}]}"),
        ([], RequestError, "no setting"),
        ("max_depth", RequestError, "str"),
    ],
    ids=str,
)
def test_a_space_that_is_none_is_refused(space, error, where):
    """Unknown names and values are refused before anything is grown, with what is allowed."""
    X, y, *_ = table_of(0)
    with pytest.raises(error) as caught:
        TreeClassifier().sweep(X, y, space)
    assert all([caught.value.what, caught.value.where, caught.value.fix])
    assert where in str(caught.value)


def test_the_example_of_a_space_is_one_of_the_learner():
    """What is to be written names a parameter that this learner has."""
    for learner, name in ((TreeClassifier(), "criterion"), (RidgeRegressor(), "alpha")):
        with pytest.raises(RequestError) as caught:
            learner.sweep([[1.0], [2.0]], [1, 2], None)
        assert f"{{'{name}': [" in caught.value.fix


def test_an_array_of_values_gives_plain_values():
    """Learners take True and False, which an array has as values of NumPy's own."""
    space = {"fit_intercept": np.array([True, False]), "alpha": np.array([0.5])}
    sweep = RidgeRegressor().sweep([[1.0], [2.0]], [1.0, 3.0], space)
    assert sweep.settings[1] == {"fit_intercept": False, "alpha": 0.5}
    assert [type(value) for value in sweep.settings[0].values()] == [bool, float]


def test_values_that_run_out_are_to_be_put_into_a_list():
    """An iterator is not shown as if it could be written down."""
    with pytest.raises(InputTypeError) as caught:
        TreeClassifier().sweep(*table_of(0)[:2], {"max_depth": iter([1, 2])})
    assert caught.value.fix == "put the values of 'max_depth' into a list"


def test_a_misspelt_name_is_told_from_the_ones_there_are():
    """The nearest parameter is named."""
    with pytest.raises(RequestError, match="did you mean 'max_depth'") as caught:
        TreeClassifier().sweep(*table_of(0)[:2], {"maxdepth": [1]})
    assert "prune_significance" in caught.value.where


@pytest.mark.parametrize(
    ("place", "error"), [(3, RequestError), (-4, RequestError), ("a", InputTypeError)], ids=str
)
def test_a_setting_that_is_not_there_is_refused(place, error):
    """A place beyond the last, or a name, is told from those that there are."""
    X, y, *_ = table_of(0)
    sweep = TreeClassifier().sweep(X, y, {"max_depth": [1, 2, 3]})
    with pytest.raises(error) as caught:
        sweep.model(place)
    assert caught.value.where == f"model({place!r}) of <Sweep of 3 settings over max_depth>"
    assert "from 0 to 2" in caught.value.fix
    assert sweep.model(-1) is sweep.model(np.int64(2))


def test_filling_is_told_once():
    """However many trees are grown, and however many blocks of rows there are, one call warns once."""
    X = np.array([[1.0, 2.0], [np.nan, 0.0], [8.0, 1.0], [9.0, np.nan]] * 5)
    space = {"criterion": ["gini", "entropy"], "missing": ["class_mode", "node_mode"], "min_leaf": [1, 2]}
    sweep = TreeClassifier().sweep(X, [0, 0, 1, 1] * 5, space)
    for predict in (sweep.predict, sweep.predict_proba):
        with pytest.warns(UserWarning, match="^10 missing values were filled by the mode") as caught:
            predict(X)
        assert [warning.filename for warning in caught] == [__file__]


def test_a_regression_has_no_probabilities():
    """The sweep of a regressor refuses to give them."""
    X, _, y, *_ = table_of(0)
    with pytest.raises(RequestError, match="no probabilities"):
        TreeRegressor().sweep(X, y, {"max_depth": [1]}).predict_proba(X)


def test_a_tree_that_is_cut_to_its_root_answers_as_the_root():
    """The strongest pruning and no depth at all give the majority, beside settings that keep the tree."""
    X, y, *_ = table_of(0)
    space = [{"max_depth": 0}, {"max_depth": 1}, {"max_depth": None}]
    space += [{"prune": "cost_complexity", "prune_alpha": alpha} for alpha in (0, 1)]
    for missing in ("fractional", "node_mode"):
        assert_equal_to_fitting_each(TreeClassifier(prune=None, missing=missing), space, X, y, None, None, X)


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=30), st.data())
def test_the_topmost_cut_answers(parents, data):
    """For every node the walk up from it finds the same."""
    above = np.array([-1] + [parent % (node + 1) for node, parent in enumerate(parents)], dtype=np.int32)
    masks = data.draw(st.lists(st.lists(st.booleans(), min_size=len(above), max_size=len(above)), min_size=1))
    found = stop_at(above, np.array(masks))
    for mask, stops in zip(masks, found, strict=True):
        for node, stop in enumerate(stops):
            way = [node]
            while way[-1] > 0:
                way.append(int(above[way[-1]]))
            assert stop == next((up for up in reversed(way) if mask[up]), node)


@pytest.mark.slow
def test_a_deep_tree_is_swept():
    """A chain of 20,000 levels is cut at any depth without recursion."""
    X = np.arange(20_001.0)[:, None]
    sweep = TreeClassifier.cart(prune=None).sweep(X, np.arange(20_001) % 2, {"max_depth": [5, 10_000, None]})
    assert [sweep.model(place).depth_ for place in range(3)] == [5, 10_000, 20_000]
    assert (sweep.predict(X[:50])[2] == np.arange(50) % 2).all()


def test_rows_of_an_empty_branch_stop_where_the_cut_tree_stops_them():
    """A level without a branch stops at its node, or above it where that is cut."""
    towns, skins = ["a", "a", "b", "b", "c", "c"] * 4, ["x", "y", "x", "z", "y", "z"] * 4
    table = Table([category_column("town", towns), category_column("skin", skins)])
    y = [0, 1, 0, 1, 1, 0] * 4
    new = Table([category_column("town", list("abcabc")), category_column("skin", list("zyxyyx"))])
    space = {"max_depth": [0, 1, 2], "prune": [None]}
    assert_equal_to_fitting_each(TreeClassifier(min_leaf=1, min_gain=None), space, table, y, None, None, new)
