"""Whether two grown trees are the same, bit for bit."""

from __future__ import annotations

from dataclasses import fields

from heldout.native import GrownTree


def differing_fields(one: GrownTree, other: GrownTree) -> list[str]:
    """The names of the arrays in which two trees differ."""
    return [
        field.name
        for field in fields(GrownTree)
        if getattr(one, field.name).tobytes() != getattr(other, field.name).tobytes()
    ]
