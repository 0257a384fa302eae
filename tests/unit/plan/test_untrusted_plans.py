"""A plan file may come from anyone: nothing in it is run, and nothing is imported that no one has allowed."""

from __future__ import annotations

import copy
import importlib
import json
import random
import sys
from typing import Any

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

import heldout as ho
from heldout.errors import HeldoutError
from heldout.metrics.metric_registry import metric_named
from heldout.plan.trusted_names import class_named, function_named

from .small_tasks import NoEstimator, OwnClassifier

HERE = OwnClassifier.__module__


def plan_record() -> dict[str, Any]:
    """A plan with a little of everything, as `to_dict` writes it."""
    pipeline = make_pipeline(FunctionTransformer(), SVC(class_weight={0: 1.0}))
    contenders = [
        ho.Contender("one", pipeline, {"svc__C": [1.0, 2.0]}, prepare=ho.Scale()),
        ho.Contender("two", LogisticRegression(), [{"C": 2.0}], resample="up"),
    ]
    metrics = ["auc", metric_named("f1").using(average="macro")]
    return ho.Plan(contenders, metrics=metrics, choose_by="auc", seed=3).to_dict()


def with_learner(form: Any) -> str:
    """The text of a plan in which someone has exchanged a learner."""
    record = plan_record()
    record["contenders"][1] |= {"learner": form, "space": None}
    return json.dumps(record)


def refusal_of(text: Any, *allow: str) -> HeldoutError:
    """The error of a text that is refused, which has all three parts."""
    with pytest.raises(HeldoutError) as caught:
        ho.Plan.from_json(text, allow)
    assert caught.value.what
    assert caught.value.where
    assert caught.value.fix
    return caught.value


@pytest.fixture
def imported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that were asked for while a plan was read."""
    asked: list[str] = []
    real = importlib.import_module

    def watched(name: str, package: str | None = None) -> Any:
        asked.append(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", watched)
    return asked


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "subprocess.Popen",
        "builtins.eval",
        "builtins.object",
        "pickle.loads",
        "numpy.load",
        "antigravity.webbrowser",
        "sklearnx.svm.SVC",
        "heldoutx.TreeClassifier",
        f"{HERE}.OwnClassifier",
        f"{HERE}.NoEstimator",
        "__main__.anything",
    ],
)
def test_other_packages_are_not_imported(name: str, imported: list[str]) -> None:
    """A class of another package is refused before it is imported, and the fix says how to allow it."""
    error = refusal_of(with_learner({"class": name, "parameters": {}}))
    assert "not from heldout or sklearn" in error.what
    assert f"allow=[{name.partition('.')[0]!r}]" in error.fix
    assert {module.partition(".")[0] for module in imported} <= {"heldout", "sklearn"}


@pytest.mark.parametrize(
    "name",
    [
        "sklearn.utils.os.system",
        "sklearn.utils.os",
        "sklearn.base.warnings",
        "sklearn.base.defaultdict",
        "sklearn.os.system",
        "sklearn.svm.SVC.fit",
        "sklearn.svm.SVC.__init__.__globals__",
        "sklearn.svm._base.np.load",
        "sklearn.svm._base.np",
        "sklearn.base.clone",
        "sklearn.utils.Bunch",
        "sklearn.datasets.load_files",
        "sklearn.datasets.clear_data_home",
        "sklearn.externals._packaging.version.Version",
        "sklearn.experimental.enable_halving_search_cv",
        "sklearn.conftest.pytest",
        "sklearn.tests.test_base.MyEstimator",
        "sklearn.pipeline.Parallel",
        "sklearn.model_selection._search.ParameterGrid",
        "sklearn.metrics.accuracy_score",
        "sklearn.nothing.SVC",
        "sklearn.svm.Nothing",
        "sklearn.SVC",
        "heldout.read_table",
        "heldout.Table",
        "heldout.Study",
        "heldout.export",
        "heldout.errors.HeldoutError",
        "heldout.learners.tree_classifier.TreeClassifier",
        "heldout._native",
        "heldout.datasets.load",
        "sklearn",
        "",
        ".",
        "sklearn..svm.SVC",
        ".sklearn.svm.SVC",
        "sklearn.svm.SVC\n",
        "sklearn.svm. SVC",
        "sklearn.svm." + "S" * 300,
        None,
        3,
        ["sklearn.svm.SVC"],
    ],
)
def test_no_way_leads_through_what_is_trusted(name: Any) -> None:
    """Neither scikit-learn's imports nor our own other names can be reached by a plan."""
    refusal_of(with_learner({"class": name, "parameters": {}}))
    if name != "sklearn.metrics.accuracy_score":
        with pytest.raises(HeldoutError):
            function_named(name)


@pytest.mark.parametrize(
    "name", ["numpy.load", "os.system", "sklearn.datasets.load_files", "heldout.load", "builtins.print"]
)
def test_functions_are_refused_too(name: str) -> None:
    """A function is taken only from the parts of scikit-learn that learners get functions from."""
    with pytest.raises(HeldoutError):
        function_named(name)


@pytest.mark.parametrize(
    "name",
    [
        "sklearn.metrics._scorer._get_response_values",  # calls any method of what it is given
        "sklearn.metrics._scorer._cached_call",
        "sklearn.metrics.pairwise._parallel_pairwise",
        "sklearn.metrics.pairwise.check_array",  # scikit-learn's, and at home elsewhere
        "sklearn.feature_selection._rfe.get_scorer",
    ],
)
def test_tools_that_lie_about_are_refused(name: str) -> None:
    """A function has to be public and defined in its room; what a room has imported is not taken."""
    with pytest.raises(HeldoutError, match="no function that a plan may name"):
        function_named(name)


@pytest.mark.parametrize("kind", ["ufunc", "numpy_function"])
def test_few_functions_of_numpy_are_taken(kind: str) -> None:
    """A plan may say log1p or mean, and nothing of NumPy that reads, makes or calls."""
    for name in ("load", "fromfile", "os", "log1p.reduce", "__builtins__", "vectorize", "apply_along_axis"):
        form = {"class": "sklearn.svm.SVC", "parameters": {"C": {kind: name}}}
        assert "of NumPy" in refusal_of(with_learner(form)).what


def test_what_is_allowed_is_still_checked() -> None:
    """In a package that the user allows, only estimators are made that are defined there."""
    allowed = ho.Plan.from_json(with_learner({"class": f"{HERE}.OwnClassifier", "parameters": {}}), [HERE])
    assert type(allowed.contenders[1].learner) is OwnClassifier
    NoEstimator.made.clear()
    refusal_of(with_learner({"class": f"{HERE}.NoEstimator", "parameters": {"x": 1}}), HERE)
    assert NoEstimator.made == []
    refusal_of(with_learner({"class": f"{HERE}.np.load", "parameters": {}}), HERE)
    refusal_of(with_learner({"class": f"{HERE}.np", "parameters": {}}), HERE)
    with pytest.raises(HeldoutError, match="not defined in tests"):
        function_named(f"{HERE}.category_column", [HERE])


def test_allowing_one_name_allows_no_other() -> None:
    """What is allowed is the name itself or what stands below it, not what begins alike."""
    assert class_named(f"{HERE}.OwnClassifier", [f"{HERE}.OwnClassifier"]) is OwnClassifier
    for allow in ([f"{HERE}.Own"], [f"{HERE}.OwnClassifie"], [f"{HERE}.OwnClassifier.x"]):
        with pytest.raises(HeldoutError):
            class_named(f"{HERE}.OwnClassifier", allow)


@pytest.mark.parametrize("allow", [3, None, [3], [""], ["."], {"a": 1}])
def test_what_may_be_allowed(allow: Any) -> None:
    """Names of packages are allowed, and nothing else is understood."""
    with pytest.raises(HeldoutError):
        ho.Plan.from_json(json.dumps(plan_record()), allow=allow)


def test_parameters_that_are_the_runners_are_refused() -> None:
    """No one else's plan says where pickles are cached, or how many threads run."""
    for name, value in (("memory", "/tmp/pickles"), ("verbose", True)):
        form = {"class": "sklearn.pipeline.Pipeline", "parameters": {"steps": [], name: value}}
        assert "who runs" in refusal_of(with_learner(form)).what
    form = {"class": "heldout.ForestClassifier", "parameters": {"n_jobs": 10**9}}
    assert "who runs" in refusal_of(with_learner(form)).what


def test_no_way_leads_to_a_cache() -> None:
    """Neither a space nor a search within a learner can say from which folder pickles are loaded."""
    record = plan_record()
    record["contenders"][0]["space"] = {"grid": [["memory", ["/tmp/pickles"]]]}
    assert "changes no answer" in refusal_of(json.dumps(record)).what
    for grid in ({"dict": {"memory": ["/tmp/x"]}}, {"pairs": [["a__memory", ["/tmp/x"]]]}):
        for given in (grid, [grid]):
            parameters = {"estimator": plan_record()["contenders"][0]["learner"], "param_grid": given}
            form = {"class": "sklearn.model_selection.GridSearchCV", "parameters": parameters}
            assert "memory" in refusal_of(with_learner(form)).what
    weights = {"class_weight": {"dict": {"memory": 2.0, "other": 1.0}}}
    found = ho.Plan.from_json(with_learner({"class": "sklearn.svm.SVC", "parameters": weights}))
    assert found.contenders[1].learner.class_weight == {"memory": 2.0, "other": 1.0}


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"metric": "f1", "name": "f1", "options": {"name": "x"}}, "takes no 'name'"),
        ({"metric": "f1", "name": "f1\u001b[2J", "options": {}}, "printable"),
        ({"metric": "f1", "name": "", "options": {}}, "needs a name"),
        ({"metric": "nothing", "name": "f1", "options": {}}, "no metric 'nothing' built in"),
        ({"metric": "f1", "name": "f1"}, "has a name and options"),
        ("own_share", "no metric 'own_share' built in"),
        ("fit_seconds", "does not judge answers"),
        ({"function": "os.system"}, "has a name and options"),
        (None, "has a name and options"),
    ],
)
def test_odd_metrics_are_refused(form: Any, words: str) -> None:
    """Metrics of a plan file are built in, or of a module that is allowed, with names that can be shown."""
    assert words in refusal_of(json.dumps(plan_record() | {"metrics": [form]})).what


def test_versions_cannot_write_to_a_terminal() -> None:
    """A version in a file is quoted where it is shown."""
    form = {"class": "sklearn.svm.SVC", "version": "1\x1b[2J", "parameters": {}}
    assert all(note.isprintable() for note in ho.Plan.from_json(with_learner(form)).notes)


def test_unknown_parameters_get_a_suggestion() -> None:
    """A misspelt parameter in a file is answered as anywhere else."""
    form = {"class": "sklearn.svm.SVC", "parameters": {"gama": 1.0}}
    assert refusal_of(with_learner(form)).fix == "did you mean 'gamma'?"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "no plan of this form"),
        ("null", "no plan of this form"),
        ("3", "no plan of this form"),
        ('{"heldout_plan": 1}', "a plan has contenders"),
        ('{"heldout_plan": 2}', "no plan of this form"),
        ('{"heldout_plan": 1, "heldout_plan": 1}', "a key occurs twice"),
        ('{"heldout_plan": NaN}', "not finite"),
        ('{"heldout_plan": 1e999}', "too large"),
        ("[" * 100_000, "not JSON"),
        ("1" * 10_000, "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (None, "read from text"),
        (3, "read from text"),
        (["x"], "read from text"),
    ],
    ids=range(16),
)
def test_texts_that_are_no_plans(text: Any, words: str) -> None:
    """Any text that is no plan is refused in three parts, the first of which says what is wrong with it."""
    assert words in refusal_of(text).what


def test_a_text_that_is_too_long_is_refused() -> None:
    """A text of many megabytes is refused before it is read."""
    assert "too long" in refusal_of(" " * ((1 << 24) + 1)).what


def test_deep_values_are_refused() -> None:
    """A value that is nested a thousand times is refused, and does not end the process."""
    text = with_learner({"class": f"{HERE}.OwnClassifier", "parameters": {"answer": "deep"}})
    deep = text.replace('"deep"', '{"tuple": [' * 100 + "1" + "]}" * 100)
    assert "nested too deeply" in refusal_of(deep, HERE).what


ODD_VALUES: list[Any] = [
    {"float": "1e5"},
    {"float": 3},
    {"tuple": 3},
    {"tuple": [], "dict": {}},
    {},
    {"set": [[1]]},
    {"set": [1.5]},
    {"pairs": [[1]]},
    {"pairs": [[[1], 2]]},
    {"type": "eval"},
    {"type": "type"},
    {"numpy_type": "object"},
    {"numpy_type": "U3"},
    {"dtype": "O"},
    {"dtype": "S9"},
    {"dtype": "U999999"},
    {"slice": [1]},
    {"array": {"dtype": "float64", "shape": [2], "values": [1.0]}},
    {"array": {"dtype": "float64", "shape": [-1], "values": [1.0]}},
    {"array": {"dtype": "float64", "shape": [1], "values": ["x"]}},
    {"array": {"dtype": "int8", "shape": [1], "values": [1000]}},
    {"array": {"dtype": "O", "shape": [1], "values": [1]}},
    {"array": {"dtype": "U1", "shape": [1], "values": ["abc"]}},
    {"array": {"dtype": "U99999", "shape": [10000], "values": ["a"] * 10000}},
    {"scalar": {"dtype": "float32", "shape": [1], "values": [1.0]}},
    {"split": "KFold", "k": 1},
    {"split": "Nothing"},
    {"function": "sklearn.metrics.accuracy_score", "more": 1},
    {"class": "sklearn.svm.SVC"},
    {"class": "sklearn.svm.SVC", "parameters": []},
    {"unknown": 1},
]


@pytest.mark.slow
@pytest.mark.parametrize("value", ODD_VALUES, ids=lambda value: json.dumps(value)[:50])
def test_odd_values_are_refused(value: Any) -> None:
    """Whatever `to_json` would not have written is not read."""
    form = {"class": f"{HERE}.OwnClassifier", "parameters": {"answer": value}}
    error = refusal_of(with_learner(form), HERE)
    assert "contender 'two', answer" in error.where or "split" in value or "k" in value


def places(record: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value within a record."""
    found = [path] if path else []
    entries = (
        record.items() if isinstance(record, dict) else enumerate(record) if isinstance(record, list) else ()
    )
    for key, entry in entries:
        found += places(entry, (*path, key))
    return found


STRANGE = (
    None,
    -1,
    1e308,
    "",
    "x",
    "os.system",
    [],
    {},
    [[]],
    {"class": "os.system", "parameters": {}},
    10**30,
    True,
)


@pytest.mark.slow
def test_changed_plans_are_read_or_refused(imported: list[str]) -> None:
    """300 plans with one value exchanged or dropped: each is a plan, or an error in three parts."""
    generator = random.Random(7)
    whole = plan_record()
    ways = places(whole)
    modules = set(sys.modules)
    refusals: list[HeldoutError] = []
    for _ in range(300):
        record = copy.deepcopy(whole)
        way = generator.choice(ways)
        owner = record
        for key in way[:-1]:
            owner = owner[key]
        if generator.random() < 0.2:
            del owner[way[-1]]
        else:
            owner[way[-1]] = copy.deepcopy(generator.choice(STRANGE))
        try:
            assert len(ho.Plan.from_json(json.dumps(record)).digest) == 64
        except HeldoutError as error:
            refusals.append(error)
    assert len(refusals) > 150
    assert all(error.what and error.where and error.fix for error in refusals)
    assert all(name.partition(".")[0] in ("sklearn", "heldout") for name in imported)
    new = {name.partition(".")[0] for name in set(sys.modules) - modules}
    assert new <= {"sklearn", "heldout", "scipy"}
