"""Texts for a terminal that knows ASCII alone."""

from __future__ import annotations

_SIGNS = str.maketrans(
    {
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "×": "x",
        "−": "-",
        "–": "-",
        "—": "-",
        "…": "...",
        "·": "-",
        "•": "-",
        "●": "o",
        "►": ">",
        "◄": "<",
        "→": "->",
        "←": "<-",
        "✓": "+",
        "━": "-",
        "╺": "-",
        "╸": "-",
        "─": "-",
        "│": "|",
        "┊": ":",
        "├": "+",
        "└": "+",
        "┌": "+",
        "█": "#",
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "±": "+/-",
        "∞": "infinity",
        "∈": "in",
        "λ": "lambda",
        "α": "alpha",
        "χ": "chi",
        "²": "^2",
        "\u00a0": " ",
        "\u2009": " ",
        "\u202f": " ",
        "�": "?",
        "\u2068": "",
        "\u2069": "",
    }
)


def in_ascii(text: str) -> str:
    r"""The same in ASCII: signs get a name or a likeness, other letters their number.

    >>> in_ascii("size ≤ 3 × 2 …"), in_ascii("Köln")
    ('size <= 3 x 2 ...', 'K\\xf6ln')
    """
    return text.translate(_SIGNS).encode("ascii", "backslashreplace").decode("ascii")
