"""What a command does while nothing is on the screen yet."""

from __future__ import annotations

import click

# With fewer rows a fit takes a moment, and a line about it would only be in the way.
MANY_ROWS = 2_000


def say_fitting(name: str, n_rows: int, which: str) -> None:
    """Say on stderr that a model is being fitted, where that takes a while.

    name:   of the contender
    n_rows: that it learns from
    which:  these are, such as "open rows"
    """
    if n_rows >= MANY_ROWS:
        click.echo(f"heldout: fitting {name} on all {n_rows:,} {which}", err=True)
