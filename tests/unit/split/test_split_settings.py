"""Settings of splits: checked, printed, kept as plain dicts."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout.errors import DataError, InputTypeError, RequestError
from heldout.split import (
    EveryKth,
    Holdout,
    KFold,
    LeaveOneOut,
    RotatingValidation,
    RowFacts,
    Split,
    split_from_dict,
)

SPLITS: list[Split] = [
    KFold(),
    KFold(5, repeats=3, stratified=False, seed=7),
    Holdout(),
    Holdout(0.2, repeats=4, seed=0),
    EveryKth(3),
    LeaveOneOut(),
    RotatingValidation(4, repeats=2),
]


@pytest.mark.parametrize("split", SPLITS, ids=repr)
def test_settings_survive_json_copies_and_pickles(split: Split) -> None:
    """A split comes back equal from JSON, a copy and a pickle, and gives the same folds."""
    again = split_from_dict(json.loads(json.dumps(split.to_dict())))
    assert again == split
    assert copy.deepcopy(split) == split
    assert pickle.loads(pickle.dumps(split)) == split
    facts = RowFacts(np.arange(40) % 2, "classification")
    assert [fold.digest for fold in again.folds(facts)] == [fold.digest for fold in split.folds(facts)]


def test_dicts_name_the_split() -> None:
    """The dict holds the name and all settings."""
    assert KFold(10, repeats=3).to_dict() == {
        "split": "KFold",
        "k": 10,
        "repeats": 3,
        "stratified": True,
        "seed": None,
    }
    assert LeaveOneOut().to_dict() == {"split": "LeaveOneOut"}


@pytest.mark.parametrize(
    ("record", "fix"),
    [
        ({"split": "KFolds"}, "did you mean 'KFold'?"),
        ({"k": 5}, "it is one of 'KFold', 'Holdout', 'EveryKth', 'LeaveOneOut', 'RotatingValidation'"),
        ({"split": ["KFold"]}, "did you mean 'KFold'?"),
        ({"split": "KFold", "repeat": 3}, "did you mean 'repeats'?"),
        ({"split": "LeaveOneOut", "k": 3}, "leave it out"),
        ("KFold", "write {'split': 'KFold', 'k': 10}"),
    ],
)
def test_dicts_that_name_no_split_are_refused(record: Any, fix: str) -> None:
    """Unknown names and settings are refused with what was probably meant."""
    with pytest.raises((RequestError, InputTypeError)) as caught:
        split_from_dict(record)
    assert caught.value.fix == fix
    assert caught.value.where


@pytest.mark.parametrize(
    ("ask", "error", "where"),
    [
        (lambda: KFold(1), RequestError, "k=1"),
        (lambda: KFold(0), RequestError, "k=0"),
        (lambda: KFold(-3), RequestError, "k=-3"),
        (lambda: KFold(2.0), InputTypeError, "k=2.0"),
        (lambda: KFold(True), InputTypeError, "k=True"),
        (lambda: KFold("10"), InputTypeError, "k='10'"),
        (lambda: KFold(None), InputTypeError, "k=None"),
        (lambda: KFold(5, repeats=0), RequestError, "repeats=0"),
        (lambda: KFold(5, repeats=1.5), InputTypeError, "repeats=1.5"),
        (lambda: KFold(5, stratified="yes"), InputTypeError, "stratified='yes'"),
        (lambda: KFold(5, stratified=1), InputTypeError, "stratified=1"),
        (lambda: KFold(5, seed=-1), InputTypeError, "seed=-1"),
        (lambda: KFold(5, seed=0.5), InputTypeError, "seed=0.5"),
        (lambda: Holdout(0), RequestError, "fraction=0"),
        (lambda: Holdout(1), RequestError, "fraction=1"),
        (lambda: Holdout(-0.1), RequestError, "fraction=-0.1"),
        (lambda: Holdout(float("nan")), RequestError, "fraction=nan"),
        (lambda: Holdout(float("inf")), RequestError, "fraction=inf"),
        (lambda: Holdout(True), InputTypeError, "fraction=True"),
        (lambda: Holdout("1/3"), InputTypeError, "fraction='1/3'"),
        (lambda: Holdout(repeats=0), RequestError, "repeats=0"),
        (lambda: EveryKth(1), RequestError, "k=1"),
        (lambda: RotatingValidation(2), RequestError, "k=2"),
        (lambda: KFold(3).folds(RowFacts(np.zeros(9), "regression"), seed=True), InputTypeError, "seed=True"),
        (lambda: KFold(3).folds(np.zeros(9)), InputTypeError, "got ndarray"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    ask: Callable[[], Any], error: type[Exception], where: str
) -> None:
    """Each wrong setting is refused in three parts that show it."""
    with pytest.raises(error) as caught:
        ask()
    assert f"where: {where}" in str(caught.value)
    assert "fix:" in str(caught.value)


def test_a_share_in_percent_is_understood() -> None:
    """Whoever says 20 is told to say 0.2."""
    with pytest.raises(RequestError, match=r"say 0\.2 for 20%"):
        Holdout(20)


def test_numbers_of_numpy_are_fine() -> None:
    """NumPy's whole numbers, floats and booleans become those of Python, also in JSON."""
    split = KFold(np.int64(5), repeats=np.int8(2), stratified=np.True_, seed=np.uint32(3))  # type: ignore[arg-type]
    assert split == KFold(5, repeats=2, stratified=True, seed=3)
    assert json.dumps(split.to_dict())
    assert json.dumps(Holdout(np.float32(0.25)).to_dict())  # type: ignore[arg-type]


def test_splits_say_what_they_are() -> None:
    """A split prints what was asked for in a few words."""
    assert [str(split) for split in SPLITS] == [
        "10 folds, stratified",
        "5 folds, 3 repeats",
        "hold-out of 33.3%, stratified",
        "hold-out of 20%, 4 repeats, stratified",
        "3 folds, the number of a row modulo 3",
        "leave one out",
        "4 folds, 2 repeats, stratified, the next fold to choose by",
    ]


def test_counts_of_folds_are_known() -> None:
    """n_folds, n_repeats and get_n_splits say what was asked for."""
    assert (KFold(5, repeats=3).n_folds, KFold(5, repeats=3).n_repeats) == (5, 3)
    assert KFold(5, repeats=3).get_n_splits() == 15
    assert (EveryKth(4).n_folds, EveryKth(4).n_repeats, EveryKth(4).get_n_splits()) == (4, 1, 4)
    assert RotatingValidation(4, repeats=2).get_n_splits() == 8
    assert KFold().test_share is None


def test_the_splits_are_public() -> None:
    """ho.KFold and the others are those of the room."""
    public = (ho.KFold, ho.Holdout, ho.EveryKth, ho.LeaveOneOut, ho.RotatingValidation)
    assert public == (KFold, Holdout, EveryKth, LeaveOneOut, RotatingValidation)


def test_no_rows_have_nothing_to_say() -> None:
    """Notes of no rows are empty, or an error in words."""
    facts = RowFacts(np.array([], dtype="U1"), "classification")
    assert LeaveOneOut().notes(facts) == ()
    with pytest.raises(DataError, match="2 folds need at least 2 rows"):
        KFold(5).folds(facts, shrink=True)
    with pytest.raises(DataError, match="y must be one value per row"):
        list(KFold(2).split(np.zeros((6, 1)), 5))
