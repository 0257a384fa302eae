"""A page of Markdown as the blocks that a reader would type, with the remarks that say how they are run.

A remark is a comment on the line above a block, so that a code host does not show it:

    <!-- not run: the reason -->        nothing is run
    <!-- needs: sqlite3 -->             run only where this program is installed
    <!-- exit: 3 -->                    the last command ends with this code
    <!-- file: heldout.toml -->         the block is written to this file first
    <!-- database: churn.heldout -->    SQL is asked of this file
    <!-- files: churn.csv -->           anywhere: tables that the reader is supposed to have
    <!-- prepare ... -->                anywhere: Python that runs unseen
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

REMARK = re.compile(r"^<!-- (not run|needs|exit|file|database|files): (.+?) -->$")
FENCE = re.compile(r"^( *)(`{3,})(.*)$")


@dataclass(frozen=True)
class Block:
    """Lines between two fences.

    language: the first word behind the opening fence; "" if there is none
    text:     the lines, without the indentation of the fence
    line:     the number of the first of them in the page
    remarks:  what the comments above say, by their first words
    """

    language: str
    text: str
    line: int
    remarks: dict[str, str] = field(default_factory=dict)


def blocks_of(page: str) -> list[Block]:
    """The blocks of a page from top to bottom; what is prepared unseen and needed files are blocks too."""
    found: list[Block] = []
    remarks: dict[str, str] = {}
    lines = page.split("\n")
    position = 0
    while position < len(lines):
        line = lines[position]
        fence, remark = FENCE.match(line), REMARK.match(line)
        if fence is not None:
            end = _end(lines, position, fence.group(2))
            indent = len(fence.group(1))
            text = "\n".join(inner[indent:] for inner in lines[position + 1 : end])
            language = fence.group(3).strip().partition(" ")[0]
            found.append(Block(language, text + "\n" if text else "", position + 2, remarks))
            position, remarks = end, {}
        elif line == "<!-- prepare":
            end = lines.index("-->", position)
            found.append(Block("python", "\n".join(lines[position + 1 : end]) + "\n", position + 2))
            position = end
        elif remark is not None and remark.group(1) == "files":
            found.append(Block("files", remark.group(2), position + 1))
        elif remark is not None:
            remarks = remarks | {remark.group(1): remark.group(2)}
        elif line.strip():
            remarks = {}
        position += 1
    return found


def _end(lines: list[str], opening: int, ticks: str) -> int:
    for position in range(opening + 1, len(lines)):
        if lines[position].strip() == ticks:
            return position
    raise ValueError(f"the block that begins in line {opening + 1} has no end")


@dataclass(frozen=True)
class Command:
    """A command that a reader types, and what the terminal shows then."""

    words: str
    shown: str


def commands_of(block: str) -> list[Command]:
    """The commands of a console block: lines that begin with `$ `; a backslash at the end goes on."""
    found: list[Command] = []
    lines = block.split("\n")
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        if line.startswith("$ "):
            words = line[2:]
            while words.endswith("\\") and position < len(lines):
                words += "\n" + lines[position]
                position += 1
            found.append(Command(words, ""))
        elif found:
            found[-1] = Command(found[-1].words, found[-1].shown + line + "\n")
        elif line.strip():
            raise ValueError(f"a console block begins with a command, not with {line!r}")
    return [Command(command.words, command.shown.strip("\n")) for command in found]
