"""Names and lists as they stand in sentences."""

from __future__ import annotations

from collections.abc import Sequence

_MOST = 6


def listed(names: Sequence[str], before_last: str = "and") -> str:
    """Names with commas and an "and" before the last; of many the rest is counted.

    before_last: another word than "and"

    >>> listed(["tree"]), listed(["tree", "rules"]), listed(["tree", "rules", "forest"])
    ('tree', 'tree and rules', 'tree, rules and forest')
    >>> listed([str(number) for number in range(9)])
    '0, 1, 2, 3, 4, 5 and 3 more'
    """
    shown = list(names[:_MOST])
    if len(names) > _MOST:
        shown.append(f"{len(names) - _MOST} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} {before_last} {shown[-1]}"


def first_upper(sentence: str) -> str:
    """The sentence with its first letter large.

    >>> first_upper("no model beats guessing.")
    'No model beats guessing.'
    """
    return sentence[:1].upper() + sentence[1:]
