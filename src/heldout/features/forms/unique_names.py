"""Names of made columns that no other column has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def unique_names(
    made: Sequence[Sequence[str]], sources: Sequence[str], taken: Iterable[str]
) -> list[list[str]]:
    """The same names, where one that is there already gets a number behind it.

    made:    the names of what each column becomes
    sources: the name of each column that something is made of; what keeps this name has the first right to it
    taken:   the names of the columns that stay as they are

    >>> unique_names([["a = 1", "a = 2"], ["b"]], ["a", "b"], taken=["a = 2"])
    [['a = 1', 'a = 2 (2)'], ['b']]
    """
    pairs = list(zip(made, sources, strict=True))
    used = {*taken, *(source for names, source in pairs if source in names)}
    return [_renamed(names, source, used) for names, source in pairs]


def _renamed(names: Sequence[str], source: str, used: set[str]) -> list[str]:
    renamed = []
    has_kept = False
    for name in names:
        if name == source and not has_kept:
            has_kept = True
            renamed.append(name)
            continue
        number = 1
        free = name
        while free in used:
            number += 1
            free = f"{name} ({number})"
        used.add(free)
        renamed.append(free)
    return renamed
