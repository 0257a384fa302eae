"""What every transformer obeys, for texts, which scikit-learn's own checks do not hand over."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

import heldout as ho

DOCUMENTS = ["good film, good fun", "bad film", "Not bad, not good", "é fun", "a bad, bad joke", "fun"]
NEW = ["good new fun", "", "joke of a film"]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"ngrams": (1, 2), "min_count": 2, "log": True, "unit_length": True},
    {"stop_words": "english", "lowercase": False, "binary": True, "max_words": 4, "sparse": False},
]

pytestmark = pytest.mark.parametrize("settings", SETTINGS)


def plain(output: Any) -> list[list[float]]:
    """The output as numbers, sparse or not."""
    listed: list[list[float]] = (output if isinstance(output, np.ndarray) else output.toarray()).tolist()
    return listed


def test_fit_returns_itself_and_changes_nothing_else(settings: dict[str, Any]) -> None:
    """Neither the documents nor the parameters change."""
    bag, documents = ho.BagOfWords(**settings), list(DOCUMENTS)
    before = copy.deepcopy(bag.get_params())
    assert bag.fit(documents, y=[0] * len(documents)) is bag
    assert documents == DOCUMENTS
    assert bag.get_params() == before


def test_nothing_is_known_before_fit(settings: dict[str, Any]) -> None:
    """Every answer before fit is a NotFittedError."""
    bag = ho.BagOfWords(**settings)
    questions = (
        lambda: bag.transform(DOCUMENTS),
        lambda: bag.unseen_words(DOCUMENTS),
        bag.get_feature_names_out,
        bag.description_bits,
        bag.to_text,
        lambda: bag.vocabulary_,
        lambda: bag.document_counts_,
        lambda: bag.dropped_,
    )
    for question in questions:
        with pytest.raises(NotFittedError):
            question()
    assert not hasattr(bag, "vocabulary_")
    check_is_fitted(bag.fit(DOCUMENTS))


def test_parameters_can_be_asked_and_set(settings: dict[str, Any]) -> None:
    """get_params, set_params and clone agree, and a clone is not fitted."""
    bag = ho.BagOfWords().set_params(**settings)
    assert {name: bag.get_params()[name] for name in settings} == settings
    other = clone(bag.fit(DOCUMENTS))
    assert other.get_params() == bag.get_params()
    with pytest.raises(NotFittedError):
        other.transform(NEW)


def test_fit_transform_is_fit_and_transform(settings: dict[str, Any]) -> None:
    """Both ways give the same numbers, bit for bit."""
    once = ho.BagOfWords(**settings).fit_transform(DOCUMENTS)
    twice = ho.BagOfWords(**settings).fit(DOCUMENTS).transform(DOCUMENTS)
    assert type(once) is type(twice)
    assert plain(once) == plain(twice)


def test_pickles_and_copies_answer_alike(settings: dict[str, Any]) -> None:
    """A pickled or copied bag transforms alike, whether it has been used before or not."""
    bag = ho.BagOfWords(**settings).fit(DOCUMENTS)
    unused = pickle.dumps(bag)
    expected = plain(bag.transform(NEW))
    assert pickle.dumps(bag) == unused
    for other in (pickle.loads(unused), copy.deepcopy(bag), copy.copy(bag)):
        assert plain(other.transform(NEW)) == expected
        assert other.vocabulary_ == bag.vocabulary_


def test_a_second_fit_forgets_the_first(settings: dict[str, Any]) -> None:
    """Fitting again gives what a new bag would have, from a table to documents too."""
    table = ho.Table([ho.Column("note", "text", np.array(DOCUMENTS, dtype=object))])
    bag = ho.BagOfWords(**settings).fit(table)
    assert bag.n_features_in_ == 1
    bag.fit(DOCUMENTS[::-1])
    assert not hasattr(bag, "n_features_in_")
    assert plain(bag.transform(NEW)) == plain(ho.BagOfWords(**settings).fit(DOCUMENTS).transform(NEW))


def test_the_order_of_rows_does_not_matter(settings: dict[str, Any]) -> None:
    """The same documents in another order have the same vocabulary, and rows move with them."""
    forward, back = ho.BagOfWords(**settings), ho.BagOfWords(**settings)
    rows = plain(forward.fit_transform(DOCUMENTS))
    assert plain(back.fit_transform(DOCUMENTS[::-1])) == rows[::-1]
    assert forward.vocabulary_ == back.vocabulary_


def test_held_out_rows_change_nothing(settings: dict[str, Any]) -> None:
    """New words in new rows leave what was learned as it is, a row alone becomes what it is among others."""
    bag = ho.BagOfWords(**settings).fit(DOCUMENTS)
    before = pickle.dumps(bag)
    together = plain(bag.transform(NEW))
    assert [plain(bag.transform([document]))[0] for document in NEW] == together
    assert plain(bag.transform([*NEW, "never heard of zebras"]))[:-1] == together
    assert pickle.dumps(bag) == before


def test_settings_of_fit_stay_in_force(settings: dict[str, Any]) -> None:
    """What is set after fit does not change how texts are read."""
    bag = ho.BagOfWords(**settings).fit(DOCUMENTS)
    expected = plain(bag.transform(NEW))
    bag.set_params(lowercase=not bag.lowercase, ngrams=3, stop_words=["good"], binary=True, log=True)
    assert plain(bag.transform(NEW)) == expected


def test_no_rows(settings: dict[str, Any]) -> None:
    """No new documents give no rows, with all columns."""
    bag = ho.BagOfWords(**settings).fit(DOCUMENTS)
    assert bag.transform([]).shape == (0, len(bag.vocabulary_))


@pytest.mark.parametrize(
    "learner", [ho.Perceptron(), ho.RidgeRegressor(), ho.NeighborsClassifier(), ho.TreeClassifier()]
)
def test_learners_behind_it(settings: dict[str, Any], learner: Any) -> None:
    """In a Pipeline words reach every learner, sparse where that is set."""
    y = [1, 0, 0, 1, 0, 1]
    pipeline = make_pipeline(ho.BagOfWords(**settings), clone(learner)).fit(DOCUMENTS, y)
    assert pipeline.predict(NEW).shape == (3,)
    assert pipeline.score(DOCUMENTS, y) > 0.6


def test_tags(settings: dict[str, Any]) -> None:
    """The tags say that strings come, in one dimension."""
    tags = get_tags(ho.BagOfWords(**settings))
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array
