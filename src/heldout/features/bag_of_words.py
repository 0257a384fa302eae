"""TableLike as the counts of their words, in a sparse matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from heldout.errors import DataError, RequestError
from heldout.features.text.documents import (
    DOCUMENTS,
    column_documents,
    least_documents,
    most_documents,
    refuse_empty_range,
    refuse_no_text,
    text_entry_after_fit,
    text_entry_at_fit,
    with_texts,
)
from heldout.features.text.vocabulary import (
    DroppedWords,
    StopWords,
    UnseenCounter,
    UnseenWords,
    WordList,
    bag_text,
    names_with_words,
    occurring_stop_words,
    refuse_same_names,
    stop_words_of,
    word_list,
)
from heldout.features.text.word_counts import encoded_documents, leaving_bags
from heldout.features.transformer import COLUMNS, Transformer
from heldout.features.transformer_inputs import Entry
from heldout.learners.parameters import Parameter, check_parameters, refusal
from heldout.native.text import CountedRows, Documents, LearnedWords, TermRules, learn_words
from heldout.table.column import Column
from heldout.text.words import plural
from heldout.types import PerRow, TableLike

# As many words in a row as the core takes.
MOST_WORDS = 20

NGRAMS = Parameter("ngrams", number="integer", lowest=1, highest=MOST_WORDS, types=(tuple, list))

BAG_PARAMETERS = (
    Parameter("lowercase", choices=(True, False)),
    NGRAMS,
    Parameter("stop_words", choices=(None, "english"), types=(list, tuple, set, frozenset, np.ndarray)),
    Parameter("min_count", number="number", lowest=0, is_above=True),
    Parameter("max_count", choices=(None,), number="number", is_not_0=True),
    Parameter("max_words", choices=(None,), number="integer", lowest=1),
    Parameter("binary", choices=(True, False)),
    Parameter("log", choices=(True, False)),
    Parameter("unit_length", choices=(True, False)),
    Parameter("sparse", choices=(True, False)),
)


def term_rules(transformer: BagOfWords) -> TermRules:
    """The parameters as the core takes them."""
    n_least, n_most = _least_and_most(transformer.ngrams)
    return TermRules(
        bool(transformer.lowercase),
        n_least,
        n_most,
        bool(transformer.binary),
        bool(transformer.log),
        bool(transformer.unit_length),
    )


def _least_and_most(ngrams: int | Sequence[int]) -> tuple[int, int]:
    if isinstance(ngrams, Integral):
        return int(ngrams), int(ngrams)
    assert not isinstance(ngrams, int)
    is_pair = len(ngrams) == 2 and all(isinstance(n, Integral) and NGRAMS.allows(n) for n in ngrams)
    if not is_pair or ngrams[0] > ngrams[1]:
        raise RequestError(
            f"a pair of ngrams is the least and the most words in a row, from 1 to {MOST_WORDS}",
            where=f"BagOfWords(ngrams={ngrams!r:.60})",
            fix="write (1, 2) for single words and pairs, or one number for exactly so many",
        )
    return int(ngrams[0]), int(ngrams[1])


MAX_WORDS = Parameter("max_words", number="integer", lowest=0)


class BagOfWords(Transformer):
    """Each text becomes the counts of its words; their order is forgotten.

    Documents, in a list, a 1-D array, a Series or a Column, become a sparse matrix with a column for each
    word. Of a Table the text columns are replaced by their words where they stand, named "review: happy";
    strings of a frame come as categories, so there `columns` names those that are texts. A missing text has
    no words. A word that no training document had is ignored; `unseen_words` counts.

    A word is a run of letters, marks, numbers and connectors such as _ that does not begin with a mark, of
    one character or more. An apostrophe between letters belongs to it: "don't" is one word. TableLike are
    composed first (Unicode's NFC), so one word has one spelling. Scripts that put no space between words,
    such as Chinese, come as runs between punctuation; part their words before.

    Parameters
    ----------
    lowercase
        whether capital letters are made small first
    ngrams
        how many words in a row make a term: 1, another number, or the least and the most: (1, 2)
    stop_words
        words to leave out before terms are made: None, "english" or a list, capitals or not
    min_count
        in how many documents a term must be: a number, or a share of all between 0 and 1
    max_count
        in how many it may be: a number or a share; -2 is all documents but 2; None is all
    max_words
        of the terms that stay, how many: those in the most documents, of equals the first by code point;
        None is all
    binary
        1 for a term that is there, whatever its count
    log
        log2(count + 1) instead of the count
    unit_length
        divide each row by its Euclidean length over the words of a text column
    sparse
        give a csr_array of all columns, whose others must then be numbers, dates or booleans; else a
        Table for a Table or a frame, and an array for documents
    columns
        names or positions of columns; left out, all texts

    Notes
    -----
    After fit: `vocabulary_` (the terms, sorted by code point), `document_counts_` (in how many documents each
    is) and `dropped_` (how many others there were, and why), of a Table each a dict by column; `word_lists_`
    (the same for each text column), `rules_`, `stop_words_`, `takes_documents_`, `columns_`, `inputs_`,
    `n_rows_`.

    Examples
    --------
    >>> reviews = ["A good film. So good!", "Not good, not bad", "Bad film"]
    >>> bag = BagOfWords().fit(reviews)
    >>> bag.vocabulary_
    ('a', 'bad', 'film', 'good', 'not', 'so')
    >>> bag.transform(["Good, good, truly good"]).toarray()
    array([[0., 0., 0., 3., 0., 0.]])
    >>> print(BagOfWords(min_count=2).fit(reviews))
    3 words in 3 documents, here the documents that have each
    bad   2
    film  2
    good  2
    dropped: 3 too rare
    """

    _acts_on = ("text",)
    _parameters: ClassVar[tuple[Parameter, ...]] = BAG_PARAMETERS

    word_lists_: tuple[WordList, ...]
    rules_: TermRules
    stop_words_: tuple[str, ...]
    takes_documents_: bool

    def __init__(
        self,
        *,
        lowercase: bool = True,
        ngrams: int | tuple[int, int] = 1,
        stop_words: StopWords = None,
        min_count: float = 1,
        max_count: float | None = None,
        max_words: int | None = None,
        binary: bool = False,
        log: bool = False,
        unit_length: bool = False,
        sparse: bool = True,
        columns: Sequence[str | int] | None = None,
    ) -> None:
        self.lowercase = lowercase
        self.ngrams = ngrams
        self.stop_words = stop_words
        self.min_count = min_count
        self.max_count = max_count
        self.max_words = max_words
        self.binary = binary
        self.log = log
        self.unit_length = unit_length
        self.sparse = sparse
        self.columns = columns

    def fit(self, X: TableLike, y: PerRow = None) -> Self:
        """Learn the words of training documents.

        Parameters
        ----------
        X
            a list, a 1-D array, a Series or a Column of strings; or a Table or a pandas, polars or Arrow
            frame
        y
            not looked at
        """
        self._fit(X)
        return self

    def fit_transform(self, X: TableLike, y: PerRow = None, **fit_params: Any) -> Any:
        """The same as `fit` and then `transform`, with the texts read once."""
        entry, counted = self._fit(X)
        return leaving_bags(self, X, entry, counted)

    def transform(self, X: TableLike) -> Any:
        """The counts of the words that were learned; nothing is learned from X.

        Parameters
        ----------
        X
            documents if `fit` had documents, else a table or frame with the same columns
        """
        self._check_is_fitted()
        return self._leave(X, text_entry_after_fit(self, X))

    def unseen_words(self, X: TableLike) -> UnseenWords:
        """What `transform` leaves out of X: words that no training document had, or that were dropped.

        Parameters
        ----------
        X
            as for `transform`
        """
        self._check_is_fitted()
        entry = text_entry_after_fit(self, X)
        plain = replace(self.rules_, is_binary=False, is_log=False, is_unit_length=False)
        counter = UnseenCounter()
        for index, known in zip(self.columns_.tolist(), self.word_lists_, strict=True):
            documents = self._documents(entry.columns[index])
            stop_words = occurring_stop_words(documents, self.stop_words_, plain.lowers)
            found = learn_words(documents, plain, stop_words)
            counter.add(entry.columns[index].name, found, known.words)
        return counter.total()

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> NDArray[Any]:
        """The words, of a table "column: word" among the names of the other columns.

        Parameters
        ----------
        input_features
            names of the columns of a table; left out, those of fit; nothing for documents
        """
        self._check_is_fitted()
        if self.takes_documents_:
            return np.array(self.word_lists_[0].words, dtype=object)
        return super().get_feature_names_out(input_features)

    def description_bits(self) -> float:
        """How many bits it takes to write the vocabulary down: 8 for each byte of a word, and 8 to end it."""
        self._check_is_fitted()
        lengths = [len(word.encode()) + 1 for known in self.word_lists_ for word in known.words]
        return 8.0 * sum(lengths)

    def to_text(self, max_words: int = 20) -> str:
        """The words in the most documents, and how many words were dropped.

        Parameters
        ----------
        max_words
            how many words are shown, of each text column
        """
        self._check_is_fitted()
        if not MAX_WORDS.allows(max_words):
            raise refusal("to_text", MAX_WORDS, max_words)
        names = [None if self.takes_documents_ else self.inputs_.names[index] for index in self.columns_]
        pairs = zip(names, self.word_lists_, strict=True)
        return "\n".join([bag_text(name, known, self.n_rows_, max_words) for name, known in pairs])

    @property
    def vocabulary_(self) -> Any:
        """The terms of the columns, in their order: a tuple, of a table a dict of them by column."""
        return self._by_column([known.words for known in self._known])

    @property
    def document_counts_(self) -> Any:
        """In how many training documents each term is: an array, of a table a dict of them by column."""
        return self._by_column([known.document_counts for known in self._known])

    @property
    def dropped_(self) -> Any:
        """How many words have no column, and why: a record, of a table a dict of them by column."""
        return self._by_column([known.dropped for known in self._known])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    @property
    def _known(self) -> tuple[WordList, ...]:
        self._check_is_fitted()
        return self.word_lists_

    def _by_column(self, values: list[Any]) -> Any:
        if self.takes_documents_:
            return values[0]
        names = [self.inputs_.names[index] for index in self.columns_]
        return dict(zip(names, values, strict=True))

    def _fit(self, X: TableLike) -> tuple[Entry, list[CountedRows]]:
        """Set what is learned; give X as it is inside, and the counts of each text column."""
        check_parameters(self, (*self._parameters, COLUMNS))
        entry = text_entry_at_fit(self, X)
        chosen = self._chosen(entry.schema)
        if len(chosen) == 0:
            refuse_no_text(entry)
        entry = with_texts(entry, chosen)
        counted = self._learn(entry, chosen)
        self.n_rows_ = entry.n_rows
        self.columns_ = chosen
        self.inputs_ = entry.schema
        return entry, counted

    def _learn(self, entry: Entry, chosen: NDArray[np.intp]) -> list[CountedRows]:
        rules, stop_words = term_rules(self), stop_words_of(self.stop_words)
        learned = [self._learned_from(entry.columns[index], rules, stop_words) for index in chosen]
        if entry.form != DOCUMENTS:
            refuse_same_names(entry.schema.names, chosen, [each.terms for each in learned])
        self.word_lists_ = tuple([word_list(each) for each in learned])
        self.rules_ = rules
        self.stop_words_ = stop_words
        self.takes_documents_ = entry.form == DOCUMENTS
        return [each.rows for each in learned]

    def _learn_from(self, entry: Entry, chosen: NDArray[np.intp], y: PerRow) -> None:
        self._learn(entry, chosen)

    def _learned_from(self, column: Column, rules: TermRules, stop_words: tuple[str, ...]) -> LearnedWords:
        documents = encoded_documents(column_documents(column), rules.lowers, _name_in_table(column))
        n_documents = len(column)
        least = least_documents(self.min_count, n_documents)
        most = most_documents(self.max_count, n_documents)
        refuse_empty_range(least, most, n_documents)
        learned = learn_words(
            documents,
            rules,
            occurring_stop_words(documents, stop_words, rules.lowers),
            least,
            most,
            None if self.max_words is None else int(self.max_words),
        )
        if not learned.terms:
            raise _no_words(column, word_list(learned).dropped)
        return learned

    def _documents(self, column: Column) -> Documents:
        return encoded_documents(column_documents(column), self.rules_.lowers, _name_in_table(column))

    def _counted(self, column: Column, known: WordList) -> CountedRows:
        documents = self._documents(column)
        stop_words = occurring_stop_words(documents, self.stop_words_, self.rules_.lowers)
        return known.index.count(documents, self.rules_, stop_words)

    def _leave(self, X: TableLike, entry: Entry) -> Any:
        pairs = zip(self.columns_.tolist(), self.word_lists_, strict=True)
        return leaving_bags(
            self, X, entry, [self._counted(entry.columns[index], known) for index, known in pairs]
        )

    def _names_out(self, names: list[str]) -> list[str]:
        return names_with_words(names, self.columns_, [known.words for known in self.word_lists_])

    def _refuse_kind(self, name: str, kind: str) -> None:
        """A category or an identifier may be named, whose words then are meant."""
        if kind not in ("category", "identifier"):
            super()._refuse_kind(name, kind)


def _name_in_table(column: Column) -> str:
    return "" if column.name == DOCUMENTS else column.name


def _no_words(column: Column, dropped: DroppedWords) -> DataError:
    name = _name_in_table(column)
    where = (f"column '{name}', " if name else "") + plural(len(column), "document")
    if dropped == DroppedWords(0, 0, 0, 0):
        return DataError(
            "empty vocabulary; the documents have no words",
            where=where,
            fix="look at the documents: each may be missing, empty, or shorter than ngrams",
        )
    return DataError(
        "After pruning, no terms remain.",
        where=f"{where}; dropped: {dropped}",
        fix="lower min_count, raise max_count, or name fewer stop words",
    )
