"""How many answers there are, and how many bits they give away."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.errors import DataError, HeldoutError, InputTypeError, RequestError
from heldout.stats.looks import Looks, bits_of_answers, earlier_looks, n_answers, shown_bits


@pytest.mark.parametrize("n_rows", [1, 2, 3, 4, 5, 6])
def test_answers_of_rates_and_f1_are_counted(n_rows: int) -> None:
    """A model's possible answers over all labellings are as many as is said, for the worst model there is."""
    most_rates = most_pairs = 0
    for called in product([0, 1], repeat=n_rows):
        pairs = list(product([0, 1], repeat=n_rows))
        hits = {sum(a == b for a, b in zip(called, truth, strict=True)) for truth in pairs}
        counts = {(sum(a & b for a, b in zip(called, truth, strict=True)), sum(truth)) for truth in pairs}
        most_rates, most_pairs = max(most_rates, len(hits)), max(most_pairs, len(counts))
    assert n_answers("rate", n_rows) == most_rates
    assert n_answers("f1", n_rows) == most_pairs


@pytest.mark.parametrize(("n_rows", "n_positives"), [(4, 2), (5, 2), (6, 3), (6, 1)])
def test_answers_with_a_known_number_of_positives(n_rows: int, n_positives: int) -> None:
    """With known positives F1 has at most their number plus 1 answers, an AUC each number of half pairs."""
    truths = [truth for truth in product([0, 1], repeat=n_rows) if sum(truth) == n_positives]
    most_f1 = max(
        len({sum(a & b for a, b in zip(called, truth, strict=True)) for truth in truths})
        for called in product([0, 1], repeat=n_rows)
    )
    # Without the number of negatives a model cannot hit more often than there are of either.
    assert most_f1 == min(n_positives, n_rows - n_positives) + 1 <= n_answers("f1", n_rows, n_positives)
    scores = np.array(list(product(range(n_rows), repeat=n_rows)))
    halves: set[int] = set()
    for truth in np.array(truths[:1], dtype=bool):
        won = np.sign(scores[:, truth][:, :, np.newaxis] - scores[:, ~truth][:, np.newaxis, :])
        halves |= set((1 + won).sum(axis=(1, 2)).tolist())
    assert len(halves) == n_answers("auc", n_rows, n_positives)


def test_answers_of_an_auc_with_unknown_classes() -> None:
    """Unknown class sizes add up the answers of every possible size."""
    for n_rows in range(12):
        wanted = sum(n_answers("auc", n_rows, positives) for positives in range(n_rows + 1))
        assert n_answers("auc", n_rows) == wanted


def test_rounded_answers_are_fewer() -> None:
    """Two digits after the point leave 101 answers, and never more than there are without rounding."""
    assert n_answers("f1", 1000, digits=2) == 101
    assert n_answers("rate", 10, digits=2) == 11
    assert n_answers("auc", 50, digits=0) == 2


@given(st.lists(st.integers(1, 10**6), max_size=8))
def test_bits_add_up(answers: list[int]) -> None:
    """Bits of several looks are the logarithm of the product, and the models in all are counted by a tree."""
    looks = Looks(tuple(answers))
    assert looks.bits == pytest.approx(math.log2(math.prod(answers)), abs=1e-9)
    tree = sum(math.prod(answers[:depth]) for depth in range(len(answers) + 1))
    assert looks.bits_of_any == pytest.approx(math.log2(tree))
    assert looks.bits_of_any >= looks.bits - 1e-9
    assert len(looks.and_one(7)) == len(answers) + 1


def test_a_look_at_everything() -> None:
    """Seeing all labels of 5,000 rows gives away 5,000 bits."""
    assert bits_of_answers(2**5000) == 5000
    assert str(Looks((2**5000,))) == "1 look gave away at most 5,000 bits of the labels."
    assert str(Looks()) == "No look has given away anything of the labels."
    assert shown_bits(0.5) == "0.5 bits"


def test_earlier_looks_from_their_number() -> None:
    """A number of looks counts the present one, which has given nothing away yet."""
    assert earlier_looks(1, "rate", 100) == Looks()
    assert earlier_looks(np.int64(3), "rate", 100) == Looks((101, 101))
    assert earlier_looks(Looks((5,)), "rate", 100) == Looks((5,))


@pytest.mark.parametrize(
    ("call", "error", "word"),
    [
        (lambda: n_answers("acuracy", 5), RequestError, "rate"),
        (lambda: n_answers("accuracy", 5), RequestError, "'rate'"),
        (lambda: n_answers("f1", 5, n_positives=6), DataError, "n_positives=6"),
        (lambda: n_answers("f1", -1), RequestError, "n_rows=-1"),
        (lambda: bits_of_answers(0), RequestError, "n_answers=0"),
        (lambda: Looks("abc"), InputTypeError, "tuple"),  # type: ignore[arg-type]
        (lambda: Looks((0,)), RequestError, "answers=0"),
        (lambda: earlier_looks(0, "rate", 5), RequestError, "looks=0"),
        (lambda: earlier_looks(2, "f1", None), RequestError, "tn"),
    ],
)
def test_nonsense_is_refused(call: object, error: type[HeldoutError], word: str) -> None:
    """What is no count, kind or record is refused with a way out."""
    with pytest.raises(error) as caught:
        call()  # type: ignore[operator]
    assert word in str(caught.value)
    assert caught.value.where
    assert caught.value.fix
