"""What a model file holds of a bag of words: the vocabulary of each text column, as the core wants it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from itertools import pairwise
from typing import Any

import numpy as np

from heldout.errors import HeldoutError
from heldout.features.bag_of_words import MOST_WORDS, term_rules
from heldout.features.text.documents import DOCUMENTS
from heldout.features.text.vocabulary import DroppedWords, WordList
from heldout.features.transformer import Transformer
from heldout.inputs.input_schema import InputSchema
from heldout.models.model_archive import ArrayMembers, Forms, damaged, read_arrays, short, write_arrays
from heldout.models.records.learner_record import check_columns, check_count
from heldout.models.records.transformer_record import TransformerRecord
from heldout.models.records.tree_record import require
from heldout.native.text import TermRules

_COUNTS: Forms = {"document_counts": ("<i8", ("n_words",))}
_LIST = {"words", "dropped"}
_RULES = {field.name for field in fields(TermRules)}
_DROPPED = {field.name for field in fields(DroppedWords)}


class WordsRecord(TransformerRecord):
    """A BagOfWords: the words of each text column as JSON, and in how many documents each was."""

    shaped = frozenset({"word_lists_", "rules_"})
    parts = frozenset({"word_lists", "rules"})
    plain = TransformerRecord.plain | {"stop_words_", "takes_documents_"}

    def check_parameters(self, model: Transformer) -> None:
        try:
            term_rules(model)
        except HeldoutError as error:
            raise damaged(error.what, error.where) from error

    def check_columns(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        takes_documents = attributes.get("takes_documents_")
        if type(takes_documents) is not bool:
            raise damaged("takes_documents_ is neither true nor false", short(takes_documents))
        if not takes_documents:
            check_columns(attributes, schema)
            return
        is_text = [(column.name, column.kind) for column in schema.columns] == [(DOCUMENTS, "text")]
        if not is_text or {"n_features_in_", "feature_names_in_"} & set(attributes):
            raise damaged("documents have no columns", "attribute takes_documents_")

    def check_plain(self, attributes: dict[str, Any], schema: InputSchema) -> None:
        super().check_plain(attributes, schema)
        if not len(attributes["columns_"]):
            raise damaged("no column is a text", "attribute columns_")
        stop_words: Any = attributes.get("stop_words_")
        is_words = type(stop_words) is tuple and all(map(is_word, stop_words))
        if not is_words or not are_rising(stop_words):
            raise damaged("the stop words are no words, or not in order", short(stop_words))

    def write_parts(self, model: Transformer) -> tuple[dict[str, Any], dict[str, bytes]]:
        members: dict[str, bytes] = {}
        for index, word_list in enumerate(model.word_lists_):
            members |= write_arrays(_folder(index), vars(word_list), _COUNTS)
        lists = [
            {"words": list(word_list.words), "dropped": asdict(word_list.dropped)}
            for word_list in model.word_lists_
        ]
        return {"word_lists": lists, "rules": asdict(model.rules_)}, members

    def read_parts(self, model: Transformer, parts: dict[str, Any], members: ArrayMembers) -> None:
        super().read_parts(model, parts, members)
        model.rules_ = _rules(parts["rules"])
        lists = parts["word_lists"]
        if type(lists) is not list or len(lists) != len(model.columns_):
            raise damaged("there are not words for each text column", short(lists))
        model.word_lists_ = tuple(
            [_word_list(record, index, model, members) for index, record in enumerate(lists)]
        )


def is_word(text: object) -> bool:
    """Whether the core can take this for one word: in UTF-8, without a space and without an end of line."""
    return type(text) is str and text != "" and " " not in text and "\n" not in text and _has_bytes(text)


def are_rising(words: Sequence[str]) -> bool:
    """Whether each word comes after the one before it, by code point."""
    return all(one < two for one, two in pairwise(words))


def _has_bytes(text: str) -> bool:
    return text.isascii() or not any(0xD800 <= ord(letter) <= 0xDFFF for letter in text)


def _folder(index: int) -> str:
    return f"words{index}"


def _word_list(record: object, index: int, model: Transformer, members: ArrayMembers) -> WordList:
    where = f"text column {index + 1}"
    if type(record) is not dict or set(record) != _LIST or type(record["words"]) is not list:
        raise damaged("the words of a column are not described as they should be", where)
    words, rules = tuple(record["words"]), model.rules_
    for term in words:
        parts = term.split(" ") if type(term) is str else []
        if not rules.n_least <= len(parts) <= rules.n_most or not all(map(is_word, parts)):
            raise damaged("a term of the vocabulary is none", f"{where}: {short(term)}")
    if not words or not are_rising(words):
        raise damaged("the vocabulary is empty, or its words are not in order", where)
    arrays = read_arrays(_folder(index), _COUNTS, {"n_words": len(words)}, members)
    counts = arrays["document_counts"]
    require((counts >= 1) & (counts <= np.float64(model.n_rows_)), "a word is in no document, or in too many")
    return WordList(words, counts, _dropped(record["dropped"], where))


def _dropped(record: object, where: str) -> DroppedWords:
    if type(record) is not dict or set(record) != _DROPPED:
        raise damaged("what was dropped is not described as it should be", where)
    for name, count in record.items():
        check_count(count, name)
    return DroppedWords(**record)


def _rules(record: object) -> TermRules:
    if type(record) is not dict or set(record) != _RULES:
        raise damaged("the rules of the words are not described as they should be", short(record))
    for name in ("n_least", "n_most"):
        check_count(record[name], name, lowest=1)
    if not record["n_least"] <= record["n_most"] <= MOST_WORDS:
        raise damaged("a run of words has an impossible length", f"at most {MOST_WORDS}")
    for name in _RULES - {"n_least", "n_most"}:
        if type(record[name]) is not bool:
            raise damaged(f"{name} is neither true nor false", short(record[name]))
    return TermRules(**record)
