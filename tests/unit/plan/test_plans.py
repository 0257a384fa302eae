"""A plan: what it takes, what it refuses, its digest, and its way through JSON."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.ensemble import VotingClassifier
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder
from sklearn.svm import SVC

import heldout as ho
from heldout.errors import HeldoutError
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named

from .small_tasks import OWN_SHARE, OwnClassifier

TREE = ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [2, 10]})
HERE = OwnClassifier.__module__


class OwnMemory(OwnClassifier):
    """A learner that looks so many rows back, and calls it memory."""

    def __init__(self, memory: Any = 1) -> None:
        self.memory = memory


def plan_of(learner: Any, space: Any = None, prepare: Any = "auto", **choices: Any) -> ho.Plan:
    """A plan with one contender."""
    return ho.Plan([ho.Contender("one", learner, space, prepare)], **choices)


def again(plan: ho.Plan, *allow: str) -> ho.Plan:
    """The plan after a way through JSON."""
    return ho.Plan.from_json(plan.to_json(), allow)


def refused(*arguments: Any, **choices: Any) -> HeldoutError:
    """The error of a plan that cannot be, which has all three parts."""
    with pytest.raises(HeldoutError) as caught:
        ho.Plan(*arguments, **choices)
    assert caught.value.what
    assert caught.value.where
    assert caught.value.fix
    return caught.value


def test_a_plan_is_as_the_issue_says() -> None:
    """The defaults are 3 × 10 folds, 5 for tuning, and the simplest within noise."""
    plan = ho.Plan([TREE])
    assert (plan.folds, plan.tuning) == (ho.KFold(10, repeats=3), ho.KFold(5))
    assert (plan.rule, plan.seed, plan.metrics, plan.choose_by) == (ho.SimplestWithinNoise(), None, (), None)


def test_the_three_rigors() -> None:
    """Quick has the tuning folds only, standard 3 × 10 and thorough 10 × 10 folds."""
    quick, standard, thorough = (make([TREE]) for make in (ho.Plan.quick, ho.Plan.standard, ho.Plan.thorough))
    assert (quick.rigor, quick.folds) == ("quick", ho.KFold(5))
    assert (standard.rigor, standard.folds) == ("standard", ho.KFold(10, repeats=3))
    assert (thorough.rigor, thorough.folds) == ("thorough", ho.KFold(10, repeats=10))
    assert ho.Plan.quick([TREE], tuning=ho.KFold(7)).folds == ho.KFold(7)
    with pytest.raises(HeldoutError, match="no folds but those of tuning"):
        ho.Plan.quick([TREE], folds=ho.KFold(3))


def test_changes_make_another_plan() -> None:
    """A plan with changes is a new one; from quick to standard the usual folds come back."""
    plan = ho.Plan.quick([TREE])
    assert plan.with_changes(rigor="standard").digest == ho.Plan([TREE]).digest
    assert plan.with_changes(tuning=ho.KFold(3)).folds == ho.KFold(3)
    assert plan.rigor == "quick"
    with pytest.raises(HeldoutError, match="did you mean 'folds'"):
        plan.with_changes(fold=ho.KFold(3))


def test_a_plan_is_frozen() -> None:
    """No field of a plan can be set."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        ho.Plan([TREE]).seed = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("choices", "advice"),
    [
        ({"contenders": []}, "default_contenders"),
        ({"contenders": None}, "ho.Contender"),
        ({"contenders": "tree"}, "ho.Contender"),
        ({"contenders": {"tree": ho.TreeClassifier()}}, "ho.Contender"),
        ({"contenders": [ho.TreeClassifier()]}, 'ho.Contender("tree"'),
        ({"contenders": [ho.TreeClassifier]}, 'ho.Contender("tree"'),
        ({"contenders": [TREE, TREE]}, "'tree 2'"),
        ({"contenders": [TREE, ho.Contender("Tree", SVC())]}, "'Tree 2'"),
        ({"contenders": [TREE] * 1001}, "space"),
        ({"folds": 10}, "ho.KFold(10)"),
        ({"folds": ho.KFold}, "hand over ho.KFold()"),
        ({"folds": RepeatedStratifiedKFold()}, "ho.KFold(10)"),
        ({"tuning": None}, "ho.KFold(10)"),
        ({"tuning": ho.RotatingValidation(5)}, "folds="),
        ({"metrics": ("acuracy",)}, "did you mean 'accuracy'?"),
        ({"metrics": ("auc", "auc")}, "once"),
        ({"metrics": 3}, "metrics="),
        ({"metrics": [metric_named("f1").using(name="f1\x1b[2J")]}, "name="),
        ({"metrics": [metric_named("f1").using(name="f" * 101)]}, "name="),
        ({"metrics": ("fit_seconds",)}, "recorded"),
        ({"choose_by": "roc_auc"}, "did you mean 'auc'?"),
        ({"choose_by": "n_leaves"}, "recorded"),
        ({"choose_by": OWN_SHARE, "metrics": [metric_named("error").using(name="own_share")]}, "name="),
        ({"rule": "best"}, "use one of these"),
        ({"rule": ho.BestMean}, "BestMean()"),
        ({"seed": -1}, "use 0"),
        ({"seed": 1.5}, "use 0"),
        ({"seed": True}, "use 0"),
        ({"rigor": "quik"}, "did you mean 'quick'?"),
        ({"rigor": "quick", "folds": ho.KFold(3)}, "tuning="),
    ],
)
def test_plans_that_are_refused(choices: dict[str, Any], advice: str) -> None:
    """Whatever a plan cannot be made of is refused with what was probably meant."""
    assert advice in refused(**({"contenders": [TREE]} | choices)).fix


def test_one_contender_or_metric_needs_no_list() -> None:
    """A single contender, and a single metric, are taken as lists of one."""
    plan = ho.Plan(TREE, metrics="auc")
    assert plan.names == ("tree",)
    assert [metric.name for metric in plan.metrics] == ["auc"]


FOREIGN: dict[str, Any] = {
    "nested": make_pipeline(SimpleImputer(), SelectKBest(chi2, k=2), LogisticRegression(C=0.5)),
    "columns": Pipeline(
        [
            (
                "columns",
                ColumnTransformer(
                    [
                        ("words", OneHotEncoder(handle_unknown="ignore"), make_column_selector(pattern="^c")),
                        ("numbers", "passthrough", make_column_selector(dtype_include=np.number)),
                        ("rest", "passthrough", slice(0, 2)),
                        ("none", "drop", [3]),
                    ]
                ),
            ),
            ("logarithm", FunctionTransformer(np.log1p)),
            ("learn", SVC(class_weight={0: 1.0, 1: np.float32(2.5)}, random_state=3)),
        ]
    ),
    "voting": VotingClassifier([("a", SVC(probability=False)), ("b", LogisticRegression())], weights=[1, 2]),
    "search": GridSearchCV(SVC(), {"C": np.array([1.0, 2.0])}, cv=RepeatedStratifiedKFold(n_splits=3)),
    "our search": GridSearchCV(SVC(), [{"C": (1.0,)}, {"kernel": ["linear", None]}], cv=ho.KFold(3, seed=1)),
    "kernel": GaussianProcessRegressor(RBF(2.0) + WhiteKernel(), alpha=np.array([1e-9, np.inf])),
    "target": TransformedTargetRegressor(Ridge(), func=np.log1p, inverse_func=np.expm1),
    "ours": ho.TreeClassifier(class_weight={"a": 1.0}, feature_costs=np.array([1.0, 2.0])),
}


@pytest.mark.parametrize("learner", FOREIGN.values(), ids=FOREIGN.keys())
def test_foreign_estimators_come_back(learner: Any) -> None:
    """A learner of any nesting has the same parameters of the same types after a way through JSON."""
    plan = plan_of(learner, prepare=None)
    found = again(plan)
    assert found.digest == plan.digest
    assert found.notes == ()
    shown = [re.sub(r"at 0x\w+", "", repr(each.contenders[0].learner)) for each in (found, plan)]
    assert shown[0] == shown[1]
    assert type(found.contenders[0].learner) is type(learner)


def test_everything_else_comes_back() -> None:
    """Splits, metrics with options, rule, seed, rigor, preparation and spaces are kept by JSON."""
    prepare = make_pipeline(ho.FillMissing(numbers="median"), ho.Scale())
    one = ho.Contender("one", ho.NeighborsClassifier(), {"weights": ["inverse"], "k": [3, 1]}, prepare, "up")
    two = ho.Contender("two", SVC(), [{"C": 2.0}, {"gamma": "auto", "kernel": "rbf"}], prepare=None)
    macro = metric_named("f1").using(average="macro")
    plan = ho.Plan(
        [one, two],
        folds=ho.RotatingValidation(7),
        tuning=ho.Holdout(0.25, repeats=4),
        metrics=["auc", macro, metric_named("log_loss").using(name="clipped", clip=1e-6)],
        choose_by=macro,
        rule=ho.SimplestWithinNoise(se=2, margin=None),
        seed=2**70,
        rigor="thorough",
    )
    found = again(plan)
    assert found.digest == plan.digest
    assert (found.folds, found.tuning, found.rule) == (plan.folds, plan.tuning, plan.rule)
    assert (found.metrics, found.choose_by, found.seed) == (plan.metrics, macro, 2**70)
    assert (
        found.contenders[0].settings() == one.settings() == [{"weights": "inverse", "k": k} for k in (3, 1)]
    )
    assert found.contenders[1].settings() == two.settings()
    assert (found.contenders[0].resample, found.contenders[1].prepare) == ("up", None)
    assert repr(found.contenders[0].prepare) == repr(prepare)


def test_an_order_survives_those_who_sort_keys() -> None:
    """The order of settings decides ties, and is the same if someone writes the JSON with sorted keys."""
    plan = plan_of(ho.TreeClassifier(), {"min_leaf": [2, 5], "max_depth": [3, 1]})
    found = ho.Plan.from_json(json.dumps(json.loads(plan.to_json()), sort_keys=True))
    assert found.contenders[0].settings() == plan.contenders[0].settings()
    other = plan_of(ho.TreeClassifier(), {"max_depth": [3, 1], "min_leaf": [2, 5]})
    assert other.digest != plan.digest


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@given(PLAIN)
def test_plain_parameters_come_back(value: Any) -> None:
    """Whatever plain value a parameter has, JSON gives back one that prints the same."""
    plan = plan_of(OwnClassifier(value))
    found = again(plan, HERE)
    assert repr(found.contenders[0].learner.answer) == repr(value)
    assert found.digest == plan.digest


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.5, np.nan, -np.inf]),
        np.arange(6, dtype=np.int16).reshape(2, 3),
        np.array([["a", "bcd"]]),
        np.array([True, False]),
        np.array(["a", None, 2.5, np.nan], dtype=object),
        np.zeros((0, 4), dtype=np.float32),
        np.array(3.5),
        np.float32(0.1),
        np.float16(2.0),
        np.dtype("int32"),
        np.float64,
        np.number,
        np.floating,
        np.object_,
        np.mean,
        float,
        slice(None, 3),
        {3},
        frozenset({"a"}),
    ],
    ids=lambda value: getattr(value, "__name__", repr(value)),
)
def test_arrays_come_back(array: Any) -> None:
    """Arrays and NumPy's types come back with their types, shapes and values."""
    found = again(plan_of(OwnClassifier(array)), HERE).contenders[0].learner.answer
    assert type(found) is type(array)
    assert repr(found) == repr(array)


def test_numbers_of_numpy_are_plain_numbers() -> None:
    """A learner with NumPy's 5 is the learner with 5."""
    digests = {plan_of(SVC(C=c)).digest for c in (0.5, np.float64(0.5))}
    digests |= {plan_of(SVC(C=0.5, random_state=None)).digest}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("answer", "advice"),
    [
        (lambda row: row, "def or class"),
        (np.random.RandomState(3), "whole number"),
        (np.random.default_rng(3), "whole number"),
        (object(), "numbers, words"),
        (np.zeros(10_001), "small arrays"),
        (np.array([1j]), "small arrays"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "small arrays"),
        (np.array([[1], None], dtype=object), "small arrays"),
        (SVC, "SVC()"),
        (1j, "numbers, words"),
        ({1, "a"}, "numbers, words"),
        (b"bytes", "numbers, words"),
        (open, "module of your own"),
    ],
)
def test_what_cannot_be_written_is_refused_late(answer: Any, advice: str) -> None:
    """Live objects may stand in a contender, but its digest and JSON are refused with advice."""
    plan = plan_of(OwnClassifier(answer))
    with pytest.raises(HeldoutError) as caught:
        _ = plan.digest
    assert advice in caught.value.fix
    assert caught.value.where
    with pytest.raises(HeldoutError):
        plan.to_json()


def test_endless_parameters_are_refused() -> None:
    """A list that holds itself is nested too deeply, and not followed for ever."""
    plan = plan_of(OwnClassifier(nested := [[[]]]))
    for _ in range(40):
        nested = [nested]
    with pytest.raises(HeldoutError, match="nested too deeply"):
        _ = plan_of(OwnClassifier(nested)).digest
    assert plan.digest


def test_own_metrics_come_back_by_name() -> None:
    """A metric of the user's is found again where the user allows its module, and refused elsewhere."""
    plan = ho.Plan([TREE], metrics=[OWN_SHARE, OWN_SHARE.using(name="again")])
    assert again(plan, HERE).metrics == plan.metrics
    with pytest.raises(HeldoutError, match="not from heldout or sklearn"):
        again(plan)


def test_metrics_that_no_one_finds_again_are_refused() -> None:
    """A metric with a lambda is refused when it is to be written, with what to do."""
    plan = ho.Plan([TREE], metrics=[Metric("mine", lambda y, answers: 0.5)])
    with pytest.raises(HeldoutError) as caught:
        plan.to_json()
    assert "at the top of a module" in caught.value.fix


def test_a_metric_is_more_than_its_name() -> None:
    """Two metrics of one name with other options make other plans."""
    f1 = metric_named("f1")
    plans = [ho.Plan([TREE], metrics=[f1.using(name="f1", beta=beta)]) for beta in (1.0, 2.0)]
    assert len({plan.digest for plan in plans} | {ho.Plan([TREE], metrics=["f1"]).digest}) == 3


@pytest.mark.parametrize(
    "changed",
    [
        ho.Plan([TREE], seed=1),
        ho.Plan([TREE], folds=ho.KFold(10, repeats=2)),
        ho.Plan([TREE], tuning=ho.KFold(6)),
        ho.Plan([TREE], metrics=["auc"]),
        ho.Plan([TREE], choose_by="auc"),
        ho.Plan([TREE], rule=ho.BestMean()),
        ho.Plan([TREE], rigor="thorough"),
        ho.Plan([ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [10, 2]})]),
        ho.Plan([ho.Contender("tree", ho.TreeClassifier(missing="node_mode"), {"min_leaf": [2, 10]})]),
        ho.Plan([ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [2, 10]}, prepare=None)]),
        ho.Plan([ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [2, 10]}, prepare=ho.Scale())]),
        ho.Plan([ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [2, 10]}, resample="up")]),
        ho.Plan([ho.Contender("a tree", ho.TreeClassifier(), {"min_leaf": [2, 10]})]),
        ho.Plan([TREE, ho.Contender("other", ho.TreeClassifier())]),
    ],
)
def test_the_digest_hears_every_change(changed: ho.Plan) -> None:
    """Whatever changes results or what they are called changes the digest."""
    assert changed.digest != ho.Plan([TREE]).digest


def test_the_digest_does_not_hear_threads() -> None:
    """Threads, messages and caches change no result, and neither the digest nor the JSON."""
    quiet = plan_of(make_pipeline(ho.Scale(), ho.ForestClassifier()))
    loud = plan_of(
        make_pipeline(ho.Scale(), ho.ForestClassifier(n_jobs=2), memory="/tmp/cache", verbose=True)
    )
    assert quiet.to_json() == loud.to_json()


def test_a_memory_that_is_a_number_is_heard() -> None:
    """A learner of the user's may call a setting memory: it is written, digested and tuned as any other."""
    plans = [plan_of(OwnMemory(length)) for length in (3, 4)]
    assert plans[0].digest != plans[1].digest
    assert again(plans[1], __name__).contenders[0].learner.memory == 4
    tuned = plan_of(OwnMemory(), {"memory": [3, 4]})
    assert again(tuned, __name__).contenders[0].settings() == [{"memory": 3}, {"memory": 4}]
    assert plan_of(OwnMemory("/tmp/cache")).digest == plan_of(OwnMemory(None)).digest


def test_the_digest_is_the_same_in_another_process() -> None:
    """Another process, with another order of hashes, has the same digest."""
    code = (
        "import heldout as ho; from sklearn.svm import SVC;"
        "print(ho.Plan([ho.Contender('svm', SVC(class_weight={'b': 2, 'a': 1}))], seed=5).digest)"
    )
    plan = ho.Plan([ho.Contender("svm", SVC(class_weight={"b": 2, "a": 1}))], seed=5)
    environment = {"PYTHONHASHSEED": "123", "PATH": ""}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert ran.stdout.strip() == plan.digest


def test_the_digest_hears_other_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of a library, or another source of a class without a version, is another contender."""
    import sklearn

    own, foreign = plan_of(OwnClassifier()), plan_of(SVC())
    before = own.contenders[0].to_dict()["learner"], foreign.digest
    assert set(before[0]) == {"class", "source", "parameters"}
    text = foreign.to_json()
    monkeypatch.setattr(sklearn, "__version__", "0.1.alpha")
    assert plan_of(SVC()).digest != before[1]
    found = ho.Plan.from_json(text)
    assert "here it is '0.1.alpha'" in found.notes[0]
    assert found.digest != before[1]
    assert "0.1.alpha" in str(found)


def test_another_source_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class that has changed since the plan was written is named in the notes of the plan."""
    text = plan_of(OwnClassifier()).to_json()
    monkeypatch.setattr("inspect.getsource", lambda named: "class OwnClassifier: another")
    assert ho.Plan.from_json(text, [HERE]).notes == (
        f"the code of {HERE}.OwnClassifier has changed since the plan was written",
    )


def test_a_plan_travels_to_workers() -> None:
    """A plan comes out of a pickle as it went in."""
    plan = ho.Plan([TREE], metrics=["auc", OWN_SHARE])
    assert pickle.loads(pickle.dumps(plan)).digest == plan.digest


def test_a_plan_says_what_it_is() -> None:
    """A printed plan names its contenders, folds, metrics, rule and seed."""
    text = str(ho.Plan([TREE], metrics=("auc",), choose_by="auc"))
    for word in (
        "tree",
        "2 settings of min_leaf",
        "KFold(k=10, repeats=3)",
        "KFold(k=5)",
        "auc",
        "that of the study",
    ):
        assert word in text
