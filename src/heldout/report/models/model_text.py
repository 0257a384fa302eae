"""Text that a terminal can show: so many lines, so wide, and what was left out is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import TextWrapper

MOST_LINES, MOST_CHARACTERS = 60, 78
FEW_LINES = 16
_DEEPEST = 30
_FOLDED = re.compile(r"\[([\d,]+) leaves in [\d,]+ more levels? folded\]$", re.MULTILINE)


def shortened(text: str, most_lines: int = MOST_LINES, width: int = MOST_CHARACTERS) -> str:
    """The text within these limits; the last line says how many lines are missing.

    text:       of one or more lines
    most_lines: how many it may have
    width:      how long a line may be
    """
    lines = text.split("\n")
    kept = lines if len(lines) <= most_lines else lines[: max(most_lines - 1, 0)]
    cut = [_cut(line, width) for line in kept]
    n_more = len(lines) - len(kept)
    if n_more:
        cut.append(f"… ({n_more:,} more {'line' if n_more == 1 else 'lines'})")
    return "\n".join(cut)


def _cut(line: str, width: int) -> str:
    """A long line without its middle: it ends in the answer, which is what one looks for."""
    if len(line) <= width:
        return line
    n_last = min(2 * width // 5, 40)
    # Where something was left out before, there is one mark for both.
    return f"{line[: width - n_last - 1].rstrip(' …')}…{line[len(line) - n_last :].lstrip('…')}"


def folded(text_to_depth: Callable[[int], str], most_lines: int) -> str:
    """The deepest text of a tree that has no more lines than these, else what fits of the flattest.

    text_to_depth: the text of the tree whose parts below a depth are folded
    """
    shallow = text_to_depth(1)
    found = shallow
    for depth in range(2, _DEEPEST + 1):
        deeper = text_to_depth(depth)
        if deeper.count("\n") >= most_lines:
            break
        if deeper == found:
            break
        found = deeper
    # In few words, so that a line is not cut in the middle of them.
    return shortened(_FOLDED.sub("… \\1 leaves below", found), most_lines)


def wrapped(text: str, width: int = MOST_CHARACTERS) -> str:
    """Sentences, one to a line, whose further lines are indented."""
    fold = TextWrapper(width, subsequent_indent="    ", break_on_hyphens=False).fill
    return "\n".join(fold(line) for line in text.split("\n"))


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells one below the other: the first cell to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([first.ljust(widths[0]), *(c.rjust(w) for c, w in zip(rest, widths[1:], strict=True))])
        for first, *rest in rows
    )
