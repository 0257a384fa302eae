"""Words by their definition, character by character, with Python's own Unicode data."""

from __future__ import annotations

import unicodedata

from hypothesis import strategies as st

from heldout.native.text import UNICODE_VERSION

# A later Python knows letters that the core does not; those of Latin, Greek and Cyrillic are long complete.
IS_SAME_UNICODE = unicodedata.unidata_version == UNICODE_VERSION
CHARACTERS = st.characters(exclude_categories=["Cs"], max_codepoint=None if IS_SAME_UNICODE else 0x52F)
APOSTROPHES = "'\u2019"


def plain_words(text: str, lowercase: bool = True) -> list[str]:
    """The words of a text."""
    text = unicodedata.normalize("NFC", text)
    if lowercase:
        text = unicodedata.normalize("NFC", text.lower())
    words: list[str] = []
    word = ""
    for place, character in enumerate(text):
        if _belongs(character, word) or _is_inner_apostrophe(text, place, word):
            word += "'" if character in APOSTROPHES else character
            continue
        words += [word] if word else []
        word = ""
    return words + ([word] if word else [])


def _belongs(character: str, word: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LN" or category == "Pc" or (category[0] == "M" and word != "")


def _is_inner_apostrophe(text: str, place: int, word: str) -> bool:
    if text[place] not in APOSTROPHES or place + 1 == len(text) or word == "":
        return False
    follows = unicodedata.category(text[place - 1])[0] in "LM"
    return follows and unicodedata.category(text[place + 1])[0] == "L"
