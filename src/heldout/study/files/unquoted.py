"""What was noticed of a column, without the values that it quotes: they may be those of held rows."""

from __future__ import annotations

import re

# ", first 'n/k' in row 2; …", ", as in '007': …", ", as '1.2.2020' and …": from the example on it is cut.
_EXAMPLE = re.compile(r""", (?:first|as in|as) ['"].*$""", re.DOTALL)
_EXPONENT = re.compile(r""": ['"].*['"] is read as the number .*?; """, re.DOTALL)


def unquoted(sentence: str) -> str:
    """The sentence without its example.

    sentence: a note of a table, or the reason for the kind of a column

    >>> unquoted("column 'age' holds 99 numbers and 1 other value, first 'n/k' in row 2; missing=…")
    "column 'age' holds 99 numbers and 1 other value"
    >>> unquoted("leading zeros, as in '007': a code, not a quantity")
    'leading zeros'
    """
    found = _EXPONENT.sub(": digits with an E are read as numbers; ", sentence)
    return _EXAMPLE.sub("", found)
