"""A plan for a task: what is decided and said, and what is refused before anything runs."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import heldout as ho
from heldout.errors import HeldoutError
from heldout.metrics.metric import Metric
from heldout.metrics.metric_registry import metric_named
from heldout.plan.random_states import contender_seed, with_random_states
from heldout.plan.resolved_plan import ResolvedPlan, resolve_plan

from .small_tasks import class_task, number_task

TREE = ho.Contender("tree", ho.TreeClassifier(), {"min_leaf": [2, 10]})
RIDGE = ho.Contender("ridge", ho.RidgeRegressor())
TWO = class_task({"no": 30, "yes": 30})
THREE = class_task({"a": 20, "b": 20, "c": 20})
NUMBERS = number_task()


def refused(plan: ho.Plan, task: ho.Task) -> HeldoutError:
    """The error of a plan that could not run on the task, which has all three parts."""
    with pytest.raises(HeldoutError) as caught:
        resolve_plan(plan, task, 0)
    assert caught.value.what
    assert caught.value.where
    assert caught.value.fix
    return caught.value


def names(found: ResolvedPlan) -> list[str]:
    """What contenders are scored by."""
    return [metric.name for metric in found.metrics]


def test_the_usual_metrics() -> None:
    """Two classes, more classes and numbers each have their metrics where the plan names none."""
    assert names(resolve_plan(ho.Plan(TREE), TWO)) == [
        "accuracy",
        "balanced_accuracy",
        "log_loss",
        "auc",
        "f1",
    ]
    assert names(resolve_plan(ho.Plan(TREE), THREE)) == ["accuracy", "balanced_accuracy", "log_loss", "auc"]
    assert names(resolve_plan(ho.Plan(RIDGE), NUMBERS)) == ["rmse", "r2", "mae"]


@pytest.mark.parametrize(
    ("task", "name", "words"),
    [
        (class_task({"no": 70, "yes": 30}), "accuracy", "the largest, no, has 70%"),
        (class_task({"no": 71, "yes": 29}), "auc", "the class no has 71%"),
        (class_task({"a": 71, "b": 19, "c": 10}), "balanced_accuracy", "the class a has 71%"),
        (THREE, "accuracy", "has 33%"),
        (NUMBERS, "rmse", "in the unit of the target"),
    ],
)
def test_what_is_chosen_by(task: ho.Task, name: str, words: str) -> None:
    """Accuracy, above 70% AUC or with more classes balanced accuracy, RMSE: each with its reason."""
    found = resolve_plan(ho.Plan(RIDGE if task.kind == "regression" else TREE), task)
    assert found.choose_by.name == name
    assert words in found.choose_reason
    assert found.choose_by in found.metrics


def test_weights_count_in_the_share_of_a_class() -> None:
    """A class of few rows with large weights can be the one that holds more than 70%."""
    weights = [1.0] * 50 + [9.0] * 10
    task = class_task({"no": 50, "yes": 10}, weights=weights)
    assert resolve_plan(ho.Plan(TREE), task).choose_by.name == "accuracy"
    assert resolve_plan(ho.Plan(TREE), class_task({"no": 50, "yes": 10})).choose_by.name == "auc"


def test_what_is_asked_for_is_kept() -> None:
    """Metrics that are named stand in their order, and the one to choose by joins them."""
    found = resolve_plan(ho.Plan(TREE, metrics=["auc", "recall"], choose_by="f1"), TWO)
    assert names(found) == ["f1", "auc", "recall"]
    assert found.choose_reason == "Chosen by f1, as the plan says."
    assert names(resolve_plan(ho.Plan(TREE, metrics=["auc", "f1"], choose_by="f1"), TWO)) == ["auc", "f1"]


def test_metrics_spot_the_class_of_the_task() -> None:
    """The class that the task spots is the one whose F1 and AUC are taken, even if it is the first."""
    task = ho.Task(TWO.table, target="target", positive="no")
    found = {metric.name: metric for metric in resolve_plan(ho.Plan(TREE), task).metrics}
    generator = np.random.default_rng(1)
    truth, answers = generator.choice(["no", "yes"], (2, 40))
    scores = generator.random(40)
    assert found["f1"](truth, answers) == pytest.approx(f1_score(truth, answers, pos_label="no"), abs=1e-12)
    assert found["auc"](truth, scores) == pytest.approx(roc_auc_score(truth == "no", scores), abs=1e-12)


def test_a_baseline_is_added() -> None:
    """A plan without a baseline gets one, and says so; a plan with one gets none."""
    found = resolve_plan(ho.Plan(TREE), TWO)
    assert found.names == ("baseline", "tree")
    assert found.baseline.is_baseline
    assert "baseline was added" in found.notes[0]
    own = ho.Contender("guess", ho.BaselineClassifier())
    found = resolve_plan(ho.Plan([TREE, own]), TWO)
    assert found.names == ("tree", "guess")
    assert found.baseline is own
    assert not any("baseline" in note for note in found.notes)


def test_the_baseline_suits_the_metric() -> None:
    """Absolute errors have to beat the median, squared ones the mean."""
    assert resolve_plan(ho.Plan(RIDGE, choose_by="mae"), NUMBERS).baseline.learner.strategy == "median"
    assert resolve_plan(ho.Plan(RIDGE), NUMBERS).baseline.learner.strategy == "mean"


def test_a_false_baseline_is_refused() -> None:
    """A contender that is called baseline and is none would mislead every reader of the verdict."""
    assert "call it otherwise" in refused(ho.Plan(ho.Contender("Baseline", ho.TreeClassifier())), TWO).fix


@pytest.mark.parametrize(
    ("learner", "task", "advice"),
    [
        (ho.TreeClassifier(), NUMBERS, "ho.TreeRegressor()"),
        (ho.RuleClassifier(), NUMBERS, "ho.TreeRegressor()"),
        (ho.Perceptron(), NUMBERS, "ho.RidgeRegressor()"),
        (ho.RidgeRegressor(), TWO, "ho.Perceptron()"),
        (ho.ForestRegressor(), TWO, "ho.ForestClassifier()"),
        (SVC(), NUMBERS, "sklearn.svm.SVR()"),
        (SVR(), TWO, "sklearn.svm.SVC()"),
        (RandomForestClassifier(), NUMBERS, "sklearn.ensemble.RandomForestRegressor()"),
        (make_pipeline(StandardScaler(), LinearRegression()), TWO, "kind='regression'"),
    ],
)
def test_the_wrong_kind_of_learner_is_refused(learner: Any, task: ho.Task, advice: str) -> None:
    """A classifier for numbers, or a regressor for classes, is refused with the learner that was meant."""
    error = refused(ho.Plan(ho.Contender("one", learner)), task)
    assert advice in error.fix
    assert "ho.Task(" in error.fix


@pytest.mark.parametrize(
    ("metric", "task", "advice"),
    [
        ("mse", TWO, "'accuracy'"),
        ("accuracy", NUMBERS, "'rmse'"),
        ("auc", NUMBERS, "'rmse'"),
        ("f1", THREE, 'using(average="macro")'),
        ("recall", THREE, 'using(average="macro")'),
        ("pr_area", THREE, "'accuracy'"),
    ],
)
def test_metrics_that_do_not_suit_the_task(metric: str, task: ho.Task, advice: str) -> None:
    """A metric that cannot judge answers of the task is refused, whether named or chosen by."""
    contender = RIDGE if task.kind == "regression" else TREE
    assert advice in refused(ho.Plan(contender, metrics=[metric]), task).fix
    assert advice in refused(ho.Plan(contender, choose_by=metric), task).fix


def test_averages_suit_more_classes() -> None:
    """What the advice says is then taken."""
    macro = metric_named("f1").using(average="macro")
    assert resolve_plan(ho.Plan(TREE, choose_by=macro), THREE).choose_by == macro
    assert "positive" not in dict(resolve_plan(ho.Plan(TREE, choose_by=macro), TWO).choose_by.options)


def test_an_area_of_several_classes_takes_no_weights() -> None:
    """With weighted rows of three classes the AUC is left out, and refused where it is asked for."""
    task = class_task({"a": 20, "b": 20, "c": 20}, weights=[2.0] * 60)
    assert names(resolve_plan(ho.Plan(TREE), task)) == ["accuracy", "balanced_accuracy", "log_loss"]
    assert "weighted" in refused(ho.Plan(TREE, metrics=["auc"]), task).what


def test_own_metrics_are_taken_as_they_are() -> None:
    """A metric of the user's is not tried out; a lambda is refused, as the plan could not be written down."""
    plan = ho.Plan(TREE, metrics=[Metric("mine", lambda y, answers: 0.5)])
    assert "at the top of a module" in refused(plan, TWO).fix


def test_learners_without_probabilities() -> None:
    """They cannot be chosen by what judges probabilities; as one score of several it is missing."""
    perceptron = ho.Contender("perceptron", ho.Perceptron())
    assert "accuracy" in refused(ho.Plan(perceptron, choose_by="log_loss"), TWO).fix
    assert resolve_plan(ho.Plan(perceptron, choose_by="auc"), TWO).choose_by.name == "auc"
    assert "gives no scores" in refused(ho.Plan(perceptron, choose_by="auc"), THREE).what
    found = resolve_plan(ho.Plan([TREE, perceptron, ho.Contender("svm", SVC())]), TWO)
    assert "No log_loss for perceptron and svm: no probabilities to judge." in found.notes


def test_resampling_is_for_classes() -> None:
    """Numbers have no classes to be made equally frequent."""
    assert (
        "leave resample out"
        in refused(ho.Plan(ho.Contender("r", ho.RidgeRegressor(), resample="up")), NUMBERS).fix
    )


def test_a_space_reaches_into_the_automatic_preparation() -> None:
    """Names within the automatic preparation are known only with the task, and then checked."""
    good = ho.Contender("n", ho.NeighborsClassifier(), {"prepare__fill__numbers": ["mean", "median"]})
    assert resolve_plan(ho.Plan(good), TWO).contenders[1].n_settings == 2
    bad = ho.Contender("n", ho.NeighborsClassifier(), {"prepare__fill__numbes": ["mean"]})
    assert "did you mean 'fill__numbers'?" in refused(ho.Plan(bad), TWO).fix
    wrong = ho.Contender("n", ho.NeighborsClassifier(), {"prepare__fill__numbers": ["meen"]})
    assert "did you mean 'mean'?" in refused(ho.Plan(wrong), TWO).fix


def test_weights_that_no_one_hears_are_named() -> None:
    """Learners that cannot weigh rows are named where rows have weights."""
    task = class_task({"no": 30, "yes": 30}, weights=np.ones(60))
    found = resolve_plan(ho.Plan([TREE, ho.Contender("n", ho.NeighborsClassifier())]), task)
    assert any("n cannot hear them" in note for note in found.notes)
    assert not any("cannot hear" in note for note in resolve_plan(ho.Plan(TREE), task).notes)


def test_seeds() -> None:
    """The plan's seed comes first, then the study's; folds and digest follow it."""
    first, second = resolve_plan(ho.Plan(TREE), TWO, seed=1), resolve_plan(ho.Plan(TREE), TWO, seed=2)
    assert (first.seed, second.seed) == (1, 2)
    assert resolve_plan(ho.Plan(TREE, seed=2), TWO, seed=1).digest == second.digest != first.digest
    assert [fold.digest for fold in first.folds] != [fold.digest for fold in second.folds]


def test_a_resolved_plan_resolves_to_itself() -> None:
    """What was decided can be written down, read, and resolved again, with the same digests and folds."""
    first = resolve_plan(ho.Plan(TREE), ho.Task(TWO.table, target="target", positive="no"), seed=5)
    again = resolve_plan(
        ho.Plan.from_json(first.plan.to_json()), ho.Task(TWO.table, target="target", positive="no")
    )
    assert again.digest == first.digest
    assert again.protocol_digest == first.protocol_digest
    assert [fold.digest for fold in again.folds] == [fold.digest for fold in first.folds]


def test_folds_of_a_quick_plan() -> None:
    """A quick plan has the tuning folds of all rows."""
    found = resolve_plan(ho.Plan.quick(TREE, tuning=ho.KFold(4)), TWO, seed=3)
    assert found.is_quick
    assert len(found.folds) == 4
    expected = ho.KFold(4).folds(found.facts, 3)
    assert [fold.digest for fold in found.folds] == [fold.digest for fold in expected]


def test_the_protocol_is_what_cells_share() -> None:
    """Contenders, rule and outer folds do not change the protocol; tuning, metrics and seed do."""
    base = resolve_plan(ho.Plan(TREE), TWO).protocol_digest
    other = ho.Contender("other", ho.ForestClassifier())
    for same in (
        ho.Plan([TREE, other]),
        ho.Plan(TREE, rule=ho.BestMean()),
        ho.Plan(TREE, folds=ho.KFold(3)),
        ho.Plan(TREE, metrics=["f1", "auc", "log_loss", "balanced_accuracy", "accuracy"]),
        ho.Plan(TREE, rigor="thorough"),
    ):
        assert resolve_plan(same, TWO).protocol_digest == base
    for changed in (
        ho.Plan(TREE, tuning=ho.KFold(4)),
        ho.Plan(TREE, choose_by="auc"),
        ho.Plan(TREE, metrics=["accuracy"]),
        ho.Plan(TREE, seed=1),
        ho.Plan.quick(TREE),
    ):
        assert resolve_plan(changed, TWO).protocol_digest != base


def test_splits_say_what_is_unusual() -> None:
    """What folds do because of groups or small classes is among the notes of the plan."""
    task = class_task({"no": 30, "yes": 30}, groups=np.repeat(np.arange(12), 5))
    found = resolve_plan(ho.Plan(TREE), task)
    assert any("12 groups" in note for note in found.notes)
    assert len(set(found.notes)) == len(found.notes)
    for fold in found.folds:
        assert set(task.groups[fold.train]).isdisjoint(task.groups[fold.test])


def test_folds_that_cannot_be_made_are_refused() -> None:
    """Fewer groups than folds is said before anything runs."""
    task = class_task({"no": 30, "yes": 30}, groups=np.repeat(np.arange(4), 15))
    assert "4 groups" in str(refused(ho.Plan(TREE), task))


@pytest.mark.parametrize("roles", [{}, {"groups": np.arange(120) // 2}])
def test_tuning_that_cannot_be_done_is_refused_before_anything_runs(roles: dict[str, Any]) -> None:
    """With ten months, eight folds leave one month to tune in; the folds that are named instead will do."""
    task = class_task({"no": 60, "yes": 60}, time=np.repeat(np.arange(10), 12), **roles)
    error = refused(ho.Plan(TREE, folds=ho.KFold(8)), task)
    assert "settings cannot be chosen within a fold: 2 folds need at least 3 distinct times" in str(error)
    assert error.fix == "use folds=ho.KFold(k=2)"
    assert resolve_plan(ho.Plan(TREE, folds=ho.KFold(2)), task).n_cells == 4
    without = ho.Contender("tree", ho.TreeClassifier())
    assert resolve_plan(ho.Plan(without, folds=ho.KFold(8)), task).n_cells == 16


def test_tuning_within_groups_is_asked_of_the_fold_with_fewest() -> None:
    """Two groups of three are learned from, which two folds can be made of; one of two can't be halved."""
    three = class_task({"no": 30, "yes": 30}, groups=np.arange(60) % 3)
    assert resolve_plan(ho.Plan(TREE, folds=ho.KFold(3)), three).n_cells == 6
    error = refused(ho.Plan(TREE, folds=ho.KFold(2)), three)
    assert "2 folds need at least 2 groups" in error.what
    assert error.fix == "use contenders without a space: they have nothing to choose"


def test_contenders_are_found_by_name_and_digest() -> None:
    """A name, a digest or a contender leads to the contender; a wrong name to the one that was meant."""
    found = resolve_plan(ho.Plan(TREE), TWO)
    assert (
        found.contender("tree")
        is found.contender(TREE.digest)
        is found.contender(TREE)
        is found.contenders[1]
    )
    with pytest.raises(HeldoutError, match="did you mean 'tree'"):
        found.contender("treee")
    with pytest.raises(HeldoutError, match="no contender 'new'"):
        found.contender(ho.Contender("new", ho.TreeClassifier()))


def test_notes_of_a_read_plan_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of a library is still said when the plan is resolved."""
    text = ho.Plan(ho.Contender("svm", SVC())).to_json()
    monkeypatch.setattr("sklearn.__version__", "0.1")
    assert any("here it is '0.1'" in note for note in resolve_plan(ho.Plan.from_json(text), TWO).notes)


def test_a_resolved_plan_travels_to_workers() -> None:
    """A resolved plan comes out of a pickle with the same digests and folds."""
    found = resolve_plan(ho.Plan(TREE), TWO)
    again = pickle.loads(pickle.dumps(found))
    assert (again.digest, again.protocol_digest) == (found.digest, found.protocol_digest)
    assert [fold.digest for fold in again.folds] == [fold.digest for fold in found.folds]


@pytest.mark.parametrize("arguments", [(TREE, TWO), (ho.Plan(TREE), TWO.table), (None, None)])
def test_only_plans_and_tasks_are_resolved(arguments: tuple[Any, Any]) -> None:
    """Anything but a plan and a task is refused in three parts."""
    with pytest.raises(HeldoutError) as caught:
        resolve_plan(*arguments)
    assert caught.value.fix


def test_random_states_follow_the_seed() -> None:
    """Every random_state that is None becomes a number, at any depth, in a copy; others stay."""
    learner = make_pipeline(StandardScaler(), RandomForestClassifier())
    contender = ho.Contender("forest", learner)
    seed = contender_seed(contender, 7)
    first, second = (with_random_states(contender.learner, seed) for _ in range(2))
    assert first[-1].random_state == second[-1].random_state
    assert isinstance(first[-1].random_state, int)
    assert learner[-1].random_state is None
    assert with_random_states(RandomForestClassifier(random_state=0), seed).random_state == 0
    assert contender_seed(contender, 8) != seed != contender_seed(ho.Contender("other", learner), 7)


def test_a_seeded_forest_answers_the_same() -> None:
    """A foreign forest with the derived random state gives the same probabilities every time."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    contender = ho.Contender("forest", RandomForestClassifier(n_estimators=5))
    seeded = with_random_states(contender.learner, contender_seed(contender, 7))
    first, second = (clone(seeded).fit(X, TWO.y).predict_proba(X) for _ in range(2))
    assert np.array_equal(first, second)


def test_a_learner_without_a_kind_is_taken() -> None:
    """Logistic regression and others that say what they are pass; the digest is 64 digits."""
    found = resolve_plan(ho.Plan(ho.Contender("logistic", LogisticRegression(), {"C": [0.1, 1.0]})), TWO)
    assert len(found.digest) == 64
    assert found.n_cells == 2 * 30
    assert found.to_dict()["contenders"] == [contender.digest for contender in found.contenders]
