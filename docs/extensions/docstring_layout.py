"""The docstrings of the house, which are plain text with backticks, become reStructuredText for autodoc.

A docstring has paragraphs, lines of the form `name: what it is`, tables, and examples that run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PARAMETER = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*):\s+(\S.*)$")
MARKUP = re.compile(r"([\\*_|`])")


def laid_out(text: str) -> list[str]:
    """The lines of reStructuredText that show a docstring.

    text: the docstring, without the indentation of its place

    >>> print("\\n".join(laid_out("Rows of `X`.\\n\\nk:     how many\\nfolds_: of them")))
    Rows of ``X``.
    <BLANKLINE>
    :Parameters:
        ``k``
            how many
        ``folds_``
            of them
    <BLANKLINE>
    """
    lines: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines += [*_block(block.split("\n")), ""]
    return lines


def _block(lines: list[str]) -> list[str]:
    if lines[0].lstrip().startswith(">>> "):
        return lines
    if lines[0].startswith("|"):
        return _table(lines)
    if all(PARAMETER.match(line) or line.startswith(" ") for line in lines) and PARAMETER.match(lines[0]):
        return _parameters(lines)
    return [inline(" ".join(line.strip() for line in lines))]


def _parameters(lines: list[str]) -> list[str]:
    """A definition for each parameter, under one heading."""
    told: list[tuple[str, list[str]]] = []
    for line in lines:
        found = PARAMETER.match(line)
        if found is not None:
            told.append((found.group(1), [found.group(2)]))
        else:
            told[-1][1].append(line.strip())
    shown = [":Parameters:"]
    for names, words in told:
        shown.append("    " + ", ".join(f"``{name}``" for name in names.split(", ")))
        shown.append("        " + inline(" ".join(words)))
    return shown


def _table(lines: list[str]) -> list[str]:
    """A Markdown table: a first row of headings, which may be empty, a line of dashes, rows."""
    rows = [
        [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines
    ]
    shown = [".. list-table::", "   :header-rows: 1", ""]
    for cells in [rows[0], *rows[2:]]:
        marks = ["   * -", *["     -"] * (len(cells) - 1)]
        shown += [f"{mark} {inline(cell)}".rstrip() for mark, cell in zip(marks, cells, strict=True)]
    return shown


def inline(words: str) -> str:
    """One paragraph: what stands in backticks is code, every other sign is meant as it stands.

    >>> inline("`fit` sets classes_")
    '``fit`` sets classes\\\\_'
    """
    shown = ""
    for position, part in enumerate(words.split("`")):
        if position % 2:
            shown += f"``{part}``"
        else:
            shown += ("\\ " if position and part[:1].isalnum() else "") + MARKUP.sub(r"\\\1", part)
    return shown


def lay_out(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """What autodoc calls with each docstring; the lines are changed in place."""
    lines[:] = laid_out("\n".join(lines))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", lay_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
