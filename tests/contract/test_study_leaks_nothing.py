"""Held rows leave no trace: with garbage in them a study learns, chooses and says the same, bit for bit.

Which rows are held follows from a digest of the whole table, also where a seed is given, so other values in
held rows would seal other rows. Time needs no seed: there the latest rows are held whatever they hold, and
the test goes through `Study.create` alone. Elsewhere the second study is handed the seal of the first one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

import heldout as ho
from heldout.plan.resolved_plan import resolve_plan
from heldout.split.sealed_split import SealedSplit
from heldout.study.cells.chosen_on import chosen_on
from heldout.study.cells.work import work_of
from heldout.study.files import create_study
from heldout.study.study import Study

from .fitted_state import state_of
from .marked_rows import NUMBERS, WORD, marked_table, marks_in, marks_in_bytes, reached_from

N_ROWS = 120
NOBODY = np.zeros(N_ROWS, dtype=bool)
FOLDS: dict[str, Any] = {"folds": ho.KFold(3), "tuning": ho.KFold(2)}
TREE = ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 3, None], "min_leaf": [1, 4]})
CLASSIFIERS = (
    TREE,
    ho.Contender("rules", ho.RuleClassifier(), {"min_leaf": [2, 6]}),
    ho.Contender("forest", ho.ForestClassifier(), {"n_trees": [2, 5]}),
    ho.Contender("near", ho.NeighborsClassifier(), {"k": [1, 5], "prepare__scale__by": ["variance", "max"]}),
    ho.Contender("perceptron", ho.Perceptron(), {"epochs": [1, 4]}, resample="up"),
    ho.Contender("logistic", LogisticRegression(max_iter=15), {"C": [0.01, 1.0]}),
)
REGRESSORS = (
    ho.Contender("tree", ho.TreeRegressor(), {"max_depth": [1, 3]}),
    ho.Contender("ridge", ho.RidgeRegressor(), {"alpha": [0.01, 1.0, 100.0]}),
    ho.Contender("near", ho.NeighborsRegressor(), {"k": [1, 7]}),
)
# What differs from run to run, and what says which table it was.
OF_THE_RUN = ("seconds", "clock", "versions")


def new_study(
    folder: Path, table: ho.Table, seal: SealedSplit | None = None, name: str = "a", **roles: Any
) -> Study:
    """A study with a given seed; with a seal, the rows of that seal are held."""
    with pytest.MonkeyPatch.context() as patch:
        if seal is not None:
            patch.setattr(create_study, "seal_task", lambda task, held, seed: seal)
        return Study.create(folder / f"{name}.heldout", table, "answer", seed=7, **roles)


def without(body: Any, names: Sequence[str]) -> Any:
    """JSON without the entries of these names, on every level."""
    if isinstance(body, dict):
        return {key: without(value, names) for key, value in body.items() if key not in names}
    return [without(each, names) for each in body] if isinstance(body, list) else body


def written(study: Study) -> dict[str, list[Any]]:
    """Every fact but the first, which names the table; keys that hold a head are left out."""
    kinds = ("seal", "profile", "plan", "contender", "cell", "score", "look", "model", "curve", "verdict")
    found = {}
    for kind in kinds:
        facts = study.ledger.facts(kind)
        assert facts
        lines: list[Any] = [(fact.key, without(fact.body, OF_THE_RUN), dict(fact.arrays)) for fact in facts]
        # Which cell comes first is a matter of the clock.
        found[kind] = (
            [("", *line[1:]) for line in lines] if kind == "verdict" else sorted(lines, key=lambda x: x[0])
        )
    assert set(found) | {"study"} == {fact.kind for fact in study.ledger.facts()}
    return found


def learned(study: Study, plans: Sequence[ho.Plan]) -> list[Any]:
    """All that a study gets out of its rows: facts, verdicts, digests, and every model of all open rows."""
    found: list[Any] = []
    for plan in plans:
        result = study.run(plan, n_jobs=1, progress=False)
        found += [str(result.verdict), result.digest, study.results_digest()]
        work = work_of(study.task, resolve_plan(plan, study.task, study.seed))
        for contender in plan.contenders:
            chosen = chosen_on(work, contender)
            found.append((contender.name, state_of(chosen.choice.scores), chosen.choice.setting))
            found.append((state_of(chosen.fitted.learner), state_of(chosen.fitted.preparation)))
            found.append(state_of(chosen.fitted.predict(study.task.X)))
    tree = plans[0].contenders[0]
    if study.task.time is None:
        study.learning_curve(tree, fractions=[0.5, 1.0], folds=ho.KFold(2))
    study.validation_curve(tree, "min_leaf", [1, 5], folds=ho.KFold(2))
    study.size_curve(tree, folds=ho.KFold(2))
    return [*found, written(study)]


def is_held(seal: SealedSplit) -> NDArray[np.bool_]:
    found = np.zeros(N_ROWS, dtype=bool)
    found[seal.held_rows] = found[seal.left_out_rows] = True
    return found


def check_nothing_leaks(
    folder: Path, plans: Sequence[ho.Plan], is_regression: bool = False, **roles: str
) -> None:
    """Two studies with the same open rows, the second with garbage in all columns of the held ones."""
    with new_study(folder, marked_table(NOBODY, is_regression), **roles) as study:
        seal = study.seal
        plain = learned(study, plans)
    garbage = marked_table(is_held(seal), is_regression)
    with new_study(folder, garbage, seal, "b", **roles) as other:
        assert other.seal.held_rows.tolist() == seal.held_rows.tolist()
        assert other.digest != study.digest
        assert learned(other, plans) == plain


def test_garbage_in_held_rows_changes_nothing_for_classes(tmp_path: Path) -> None:
    """Every fact, verdict, digest and fitted model of six contenders and of a quick plan is the same."""
    plans = [ho.Plan(CLASSIFIERS, **FOLDS), ho.Plan.quick(CLASSIFIERS[:2], tuning=ho.KFold(2))]
    check_nothing_leaks(tmp_path, plans)


def test_garbage_in_held_rows_changes_nothing_for_numbers(tmp_path: Path) -> None:
    """The same for a regression, where the held targets are garbage of any size."""
    check_nothing_leaks(tmp_path, [ho.Plan(REGRESSORS, **FOLDS)], is_regression=True)


@pytest.mark.parametrize(
    "roles",
    [{"groups": "house"}, {"weights": "times"}, {"groups": "house", "time": "when", "weights": "times"}],
    ids=" ".join,
)
def test_groups_times_and_weights_of_held_rows_leave_no_trace(tmp_path: Path, roles: dict[str, str]) -> None:
    """Held rows with other groups, times and weights change nothing either."""
    check_nothing_leaks(tmp_path, [ho.Plan([TREE], **FOLDS)], **roles)


def test_without_a_given_seal_the_latest_rows_are_held_whatever_they_hold(tmp_path: Path) -> None:
    """With time the two studies are made by `Study.create` alone, and learn the same from their open rows."""
    plans = [ho.Plan(CLASSIFIERS[:4], **FOLDS)]
    with new_study(tmp_path, marked_table(NOBODY), time="when") as study:
        held = is_held(study.seal)
        plain = learned(study, plans)
    garbage = marked_table(held, spares=("when",))
    with new_study(tmp_path, garbage, name="b", time="when") as other:
        assert is_held(other.seal).tolist() == held.tolist()
        found = learned(other, plans)
    for facts in (plain[-1], found[-1]):  # only the seed of the seal is another, which time does not use
        facts["seal"] = without([fact[1] for fact in facts["seal"]], ["seed"])
    assert found == plain


def test_the_open_rows_do_matter(tmp_path: Path) -> None:
    """One other value in one open row, and digest, models and profile differ: the comparison is not blind."""
    with new_study(tmp_path, marked_table(NOBODY)) as study:
        seal, plans = study.seal, [ho.Plan([TREE], **FOLDS)]
        plain = learned(study, plans)
    one = NOBODY.copy()
    one[seal.open_rows[5]] = True
    with new_study(tmp_path, marked_table(one, spares=("answer",)), seal, "b") as other:
        found = learned(other, plans)
    assert [a == b for a, b in zip(found, plain, strict=True)].count(False) >= 4
    assert found[-1]["profile"] != plain[-1]["profile"]


def cells_of(study: Study, fold: int) -> dict[str, Any]:
    """What the cells of a fold learned, by contender: all of it but what was said and scored of test rows."""
    found = {}
    for fact in study.ledger.facts("cell"):
        result = fact.body["result"]
        if result["fold"] == fold:
            kept = without(result, ("scores", "notes"))
            found[result["name"]] = kept, study.ledger.arrays(fact)
    return found


def test_garbage_in_test_rows_changes_no_cell_that_tests_them(tmp_path: Path) -> None:
    """Fold by fold its test rows are garbage, but for three rows, whose predictions stay the same.

    The folds are every other row, which no value can change; the answers are shuffled among the test rows, so
    that the classes of the task stay.
    """
    plan = ho.Plan(CLASSIFIERS, folds=ho.EveryKth(2), tuning=ho.KFold(2), choose_by="accuracy")
    table = marked_table(NOBODY)
    with new_study(tmp_path, table) as study:
        seal = study.seal
        study.run(plan, n_jobs=1, progress=False)
        folds = resolve_plan(plan, study.task, study.seed).folds
        plain = [cells_of(study, fold.number) for fold in folds]
    for fold, before in zip(folds, plain, strict=True):
        asked, spared = seal.open_rows[fold.test], fold.test[:3]
        is_garbage = NOBODY.copy()
        is_garbage[asked[3:]] = True
        garbage = with_other_answers(marked_table(is_garbage, spares=("answer",)), asked)
        with new_study(tmp_path, garbage, seal, f"fold {fold.number}") as other:
            other.run(plan, n_jobs=1, progress=False)
            after = cells_of(other, fold.number)
        assert set(after) == set(before) == {*(each.name for each in CLASSIFIERS), "baseline"}
        for name, (learned_before, said_before) in before.items():
            learned_after, said_after = after[name]
            assert learned_after == learned_before
            assert said_after["rows"].tolist() == said_before["rows"].tolist() == fold.test.tolist()
            for what in set(said_before) - {"rows"}:
                places = np.flatnonzero(np.isin(fold.test, spared))
                assert state_of(said_after[what][places]) == state_of(said_before[what][places])


def with_other_answers(table: ho.Table, rows: NDArray[np.intp]) -> ho.Table:
    """The table with the answers of these rows in another order."""
    answer = table["answer"]
    values = answer.values.copy()
    values[rows] = np.roll(values[rows], 7)
    assert (values != answer.values).any()
    changed = ho.Column("answer", "category", values, answer.levels)
    return ho.Table([changed if each.name == "answer" else each for each in table.columns])


@pytest.mark.parametrize("is_regression", [False, True], ids=["classes", "numbers"])
@pytest.mark.parametrize("roles", [{}, {"groups": "house", "weights": "times"}], ids=["rows", "groups"])
def test_nothing_that_can_be_reached_from_the_task_is_of_held_rows(
    tmp_path: Path, is_regression: bool, roles: dict[str, str]
) -> None:
    """The whole graph of objects behind `study.task` holds no value, level, word or date of a held row."""
    with new_study(tmp_path, marked_table(NOBODY, is_regression), **roles) as first:
        seal = first.seal
    whole = marked_table(is_held(seal), is_regression)
    with new_study(tmp_path, whole, seal, "b", **roles) as study:
        task = study.task
        task.X.drop("note").coded()  # what is made when it is first asked for
        study.run(ho.Plan(REGRESSORS[:1] if is_regression else [TREE], **FOLDS), n_jobs=1, progress=False)
        assert marks_in(reached_from(whole))
        assert not marks_in(reached_from(task))
        for array in (each for each in reached_from(task) if isinstance(each, np.ndarray)):
            assert array.size < 4 * len(seal.open_rows) or array.dtype == np.uint8
        assert task.table.source is None
        assert not any(each is whole or each is study for each in reached_from(task))


def test_what_a_file_said_of_held_rows_is_not_in_the_task(tmp_path: Path) -> None:
    """Why a column has its kind may quote a value of the file; none of a held row is kept."""
    rows = [f"{row % 7},{row % 2}" for row in range(60)]
    lines = [f"{'0' if row == 58 else ''}{row},{text}" for row, text in enumerate(rows)]
    lines[58] = lines[58].replace("058", "0617890")
    (tmp_path / "a.csv").write_text("\n".join(["code,x,answer", *lines]), encoding="utf-8")
    table = ho.read_table(tmp_path / "a.csv")
    assert "0617890" in table["code"].reason
    with new_study(tmp_path, table) as first:
        seal = first.seal
    held = np.union1d(seal.held_rows, [58])
    moved = SealedSplit(np.setdiff1d(np.arange(60), held), held, seal.seed, seal.digest, seal.by)
    with new_study(tmp_path, table, moved, "b") as study:
        said = [each for each in reached_from(study.task) if isinstance(each, str)]
    assert not [each for each in said if "0617890" in each]


def test_nothing_on_disk_tells_of_held_rows_before_the_seal_is_opened(tmp_path: Path) -> None:
    """Study file, page and texts hold none of the marks; the same search finds those of open rows."""
    with new_study(tmp_path, marked_table(NOBODY)) as first:
        seal = first.seal
    table = marked_table(is_held(seal))
    with new_study(tmp_path, table, seal, "b", weights="times") as study:
        result = study.run(ho.Plan(CLASSIFIERS, **FOLDS), n_jobs=1, progress=False)
        study.learning_curve(TREE, fractions=[0.5, 1.0], folds=ho.KFold(2))
        study.report(tmp_path / "b.html")
        texts = [str(study), repr(study), str(result), str(result.table()), str(study.looks())]
        texts += [json.dumps(result.to_dict(), default=str), result.verdict.to_svg()]
    contents = [text.encode() for text in texts]
    contents += [(tmp_path / name).read_bytes() for name in ("b.heldout", "b.html")]
    assert not [mark for content in contents for mark in marks_in_bytes(content)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.heldout", "b.heldout", "b.html"]
    is_open = ~is_held(seal)
    with new_study(tmp_path, marked_table(is_open), seal, "c", weights="times"):
        pass
    found = marks_in_bytes((tmp_path / "c.heldout").read_bytes())
    assert WORD in found
    assert [mark for mark in found if mark.startswith("e+5")]
    assert [mark for mark in found if mark.startswith("b")]


def test_after_the_seal_was_opened_only_the_score_is_there(tmp_path: Path) -> None:
    """A look adds a rounded score and nothing of the rows; detail='full' adds their truths, as it says."""
    with new_study(tmp_path, marked_table(NOBODY, is_regression=True)) as first:
        seal = first.seal
    table = marked_table(is_held(seal), is_regression=True, spares=("size", "count"))
    with new_study(tmp_path, table, seal, "b") as study:
        study.run(ho.Plan([REGRESSORS[0]], **FOLDS), n_jobs=1, progress=False)
        study.unseal("tree")
        study.report(tmp_path / "b.html")
        found = [json.dumps(fact.body) for fact in study.ledger.facts()]
        found += [str(study.ledger.arrays(fact)) for fact in study.ledger.facts()]
        found.append((tmp_path / "b.html").read_text(encoding="utf-8"))
        assert not [mark for text in found for mark in marks_in_bytes(text.encode())]
        full = study.unseal("tree", reason="to see them all", detail="full").full
        assert full is not None
        assert np.isin(full.arrays["truth"], NUMBERS).all()
    assert [mark for mark in marks_in_bytes((tmp_path / "b.heldout").read_bytes()) if mark.startswith("b")]
