"""A vocabulary as lines of text."""

from __future__ import annotations

from heldout.features.text.word_list import WordList
from heldout.table.describe import plural, shortened


def bag_text(name: str | None, known: WordList, n_rows: int, max_words: int) -> str:
    """The words in the most documents, and how many others there are.

    name:      of the text column, or None if documents came without a table
    n_rows:    how many documents were learned from
    max_words: how many words are shown
    """
    column = "" if name is None else f"{shortened(name, 40)}: "
    head = f"{column}{plural(len(known.words), 'word')} in {plural(n_rows, 'document')}"
    shown = [(shortened(word, 60), count) for word, count in known.most_frequent(max_words)]
    word_width = max((len(word) for word, _ in shown), default=0)
    count_width = max((len(f"{count:,}") for _, count in shown), default=0)
    lines = [head + (", here the documents that have each" if shown else "")]
    lines += [f"{word:<{word_width}}  {count:>{count_width},}" for word, count in shown]
    if shown and len(shown) < len(known.words):
        lines.append(f"and {len(known.words) - len(shown):,} more")
    return "\n".join([*lines, f"dropped: {known.dropped}"])
