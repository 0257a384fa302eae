"""What is known about an embedded table: where it is from, who may use it, what its columns are."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Dataset:
    """The record of one embedded table.

    name:     what `load` calls it; its file is data/<name>.csv
    title:    one line
    kinds:    the kind of every column, so that nothing is guessed when it is read
    target:   the column that is usually predicted
    groups:   the column whose rows belong together, or ""
    about:    what a row is and what was changed
    source:   where it is from
    licence:  under which terms it may be passed on
    citation: how to cite it
    """

    name: str
    title: str
    kinds: Mapping[str, str] = field(repr=False)
    target: str
    about: str
    source: str
    licence: str
    citation: str
    groups: str = ""

    def __str__(self) -> str:
        facts = {
            "about": self.about,
            "target": self.target,
            "groups": self.groups,
            "source": self.source,
            "licence": self.licence,
            "cite": self.citation,
        }
        lines = [f"{self.name}: {self.title}"]
        for label, text in facts.items():
            if text:
                lines += textwrap.wrap(
                    text,
                    80,
                    initial_indent=f"  {label:<8} ",
                    subsequent_indent=" " * 11,
                    break_on_hyphens=False,
                    break_long_words=False,
                )
        return "\n".join(lines)
