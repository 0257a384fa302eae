"""Writes word_ranges.cpp: which characters words are made of, by the Unicode data of this Python.

    python make_word_ranges.py > word_ranges.cpp

The table is kept in the repository, so that a word is the same whatever Python runs. Whoever makes it anew
with a later Python changes what some words are, and says so in CHANGELOG.md.
"""

from __future__ import annotations

import sys
import unicodedata

KINDS = {"L": "kLetter", "M": "kMark", "N": "kNumber", "Pc": "kNumber"}
WIDTH = 110


def kind_of(code_point: int) -> str:
    """What the character is in a word, or "" if it ends one; connectors such as _ count like digits."""
    category = unicodedata.category(chr(code_point))
    return KINDS.get(category) or KINDS.get(category[0], "")


def ranges() -> list[tuple[int, int, str]]:
    """First and last code point of every run of one kind."""
    found: list[tuple[int, int, str]] = []
    for code_point in range(sys.maxunicode + 1):
        kind = kind_of(code_point)
        if found and found[-1][1] == code_point - 1 and found[-1][2] == kind:
            found[-1] = (found[-1][0], code_point, kind)
        elif kind:
            found.append((code_point, code_point, kind))
    return found


def filled(entries: list[str], indent: str) -> list[str]:
    """Lines as full as they may be."""
    lines = [indent]
    for entry in entries:
        if len(lines[-1]) + len(entry) + 1 > WIDTH:
            lines.append(indent)
        lines[-1] += entry if lines[-1] == indent else " " + entry
    return lines


def main() -> None:
    found = ranges()
    print("// Made by make_word_ranges.py; do not edit.")
    print('#include "text/word_ranges.hpp"\n\nnamespace heldout {\n')
    print(f'const char kUnicodeVersion[] = "{unicodedata.unidata_version}";\n')
    print("// clang-format off")
    for kind in ("kLetter", "kMark", "kNumber"):
        pairs = [f"{{{first:#x}, {last:#x}}}," for first, last, which in found if which == kind]
        print(f"const std::array<CharacterRange, {len(pairs)}> {kind}Ranges{{{{")
        print("\n".join(filled(pairs, "    ")))
        print("}};\n")
    print("// clang-format on\n\n}  // namespace heldout")


if __name__ == "__main__":
    main()
