"""Lists in the texts of transformers: as long as a line, however many things there are."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.table.describe import shortened

WIDTH = 110


def short_list(items: Sequence[str], room: int, total: str = "", separator: str = ", ") -> str:
    """The items side by side; if there is no room for all of them, the first ones.

    room:  how many characters the line has left
    total: how many there are, in words, to be said if they are not all shown

    >>> short_list(["a", "b", "c"], 40, "3 levels"), short_list(["Berlin", "Bonn", "Rom"], 16, "3 levels")
    ('a, b, c', 'Berlin, … (3 levels)')
    """
    whole = separator.join(shortened(item, 40) for item in items[: room + 1])
    if len(items) <= room and len(whole) <= room:
        return whole
    end = f"{separator}…" + f" ({total})" * bool(total)
    shown = [shortened(items[0], 40)]
    used = len(shown[0]) + len(end)
    for item in items[1:]:
        used += len(separator) + min(len(item), 40)
        if used > room:
            break
        shown.append(shortened(item, 40))
    return separator.join(shown) + end
