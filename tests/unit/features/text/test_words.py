"""What a word is, in many scripts."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import heldout as ho
from heldout.features.text.word_counts import encoded_documents, normal_form
from heldout.native.text import distinct_words

from .plain_words import CHARACTERS, IS_SAME_UNICODE, plain_words

PIECES = st.sampled_from(
    ["a", "É", "e\u0301", "'", "\u2019", " ", "_", "7", "²", "\u0915\u093e", "é", "İ", "Σ"]
)
TEXTS = st.one_of(st.text(CHARACTERS, max_size=40), st.lists(PIECES, max_size=20).map("".join))


def words_of(text: str, lowercase: bool = True) -> list[str]:
    """The distinct words of one document, sorted."""
    return list(distinct_words(encoded_documents([text], lowercase), lowers=lowercase))


@given(TEXTS, st.booleans())
def test_words_are_those_of_the_definition(text: str, lowercase: bool) -> None:
    """The core finds the words that a loop over the characters finds, with capitals or without."""
    assert words_of(text, lowercase) == sorted(set(plain_words(text, lowercase)))


@pytest.mark.skipif(not IS_SAME_UNICODE, reason="Python has other Unicode data")
def test_every_character_is_what_unicode_says() -> None:
    """Between two letters each character joins or parts them as Python says that its category does."""
    points = [*range(0xD800), *range(0xE000, 0x20000), *range(0x20000, sys.maxunicode, 61)]
    characters = [chr(point) for point in points]
    documents = encoded_documents([" ".join(f"x{each}x" for each in characters)], lowercase=False)
    categories = map(unicodedata.category, characters)
    expected = {
        unicodedata.normalize("NFC", f"x{each}x".replace("\u2019", "'"))
        for each, category in zip(characters, categories, strict=True)
        if category[0] in "LMN" or category == "Pc" or each in "'\u2019"
    }
    assert set(distinct_words(documents, lowers=False)) - {"x"} == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't DON\u2019T 'quoted'", ["don't", "quoted"]),
        ("rock'n'roll 90's l'été", ["90", "l'été", "rock'n'roll", "s"]),
        ("I a x", ["a", "i", "x"]),
        ("snake_case __init__ a-b", ["__init__", "a", "b", "snake_case"]),
        ("हिन्दी में", ["में", "हिन्दी"]),
        ("العَرَبِيَّة", ["العَرَبِيَّة"]),
        ("ΟΔΟΣ Straße", ["straße", "οδος"]),
        ("❤️ 👍🏽 ok", ["ok"]),
        ("我们爱北京。我", ["我", "我们爱北京"]),
        ("ไทย ภาษา", ["ภาษา", "ไทย"]),
        ("½ x² Ⅷ", ["x²", "½", "ⅷ"]),
        ("", []),
        ("… — !?", []),
    ],
)
def test_words_of_many_scripts(text: str, words: list[str]) -> None:
    """Marks stay with their letters, pictures are no words, and a run without spaces is one word."""
    assert words_of(text) == words


@given(st.lists(st.text(max_size=12), min_size=1, max_size=5))
def test_composed_and_decomposed_texts_are_the_same(texts: list[str]) -> None:
    """A text and its decomposed form have the same words, small or not."""
    for lowercase in (True, False):
        apart = [words_of(unicodedata.normalize("NFD", text), lowercase) for text in texts]
        assert apart == [words_of(unicodedata.normalize("NFC", text), lowercase) for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize("marks", ["\u0301\u0323", "\u0f73", "\u0345\u0334\u3099"])
def test_endless_marks_take_no_endless_time(marks: str) -> None:
    """Marks beyond 256 in a row stay as they came, as Python would take a minute and more to order them."""
    text = "Été E" + marks * 200_000 + " e\u0301"
    found = normal_form(text, True)
    assert found.startswith(unicodedata.normalize("NFC", "été e" + (marks * 256)[:256]))
    assert found.endswith(marks * 100_000 + " \u00e9")
    assert normal_form(found, True) == found
    assert len(words_of(text)) == 3


@given(st.text(max_size=40), st.integers(250, 256), st.sampled_from(["\u0301\u0323", "\u0323", "\u0f73"]))
def test_as_many_marks_as_python_may_order_are_composed(before: str, n_marks: int, marks: str) -> None:
    """Up to 256 marks in a row a text is composed as a whole, wherever they stand."""
    text = before + "E" + (marks * n_marks)[:n_marks] + " E\u0301"
    assert normal_form(text, False) == unicodedata.normalize("NFC", text)


def test_capitals_without_a_composed_form_meet_their_small_letters() -> None:
    """J with a caron, which is two characters, is the same word as the one character of j with a caron."""
    assert ho.BagOfWords().fit(["J\u030c \u01f0"]).vocabulary_ == ("\u01f0",)
