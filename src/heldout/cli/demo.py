"""`heldout demo`: the whole story on an embedded table, with commands that can be typed again."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from importlib.resources import files
from pathlib import Path

import click

FOLDER = "heldout-demo"
STORY = (
    ("run", "penguins.csv", "--target", "species"),
    ("unseal", "penguins.heldout"),
)
# The settings of the project in which it is tried are not for penguins.
OWN_SETTINGS = {"run": ("--no-settings",), "unseal": ()}
ABOUT = (
    "344 penguins, measured on three islands of Antarctica (Palmer penguins, CC0).\n"
    "Which species is each? A fifth of the rows is sealed before anything is learned."
)


@click.command()
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False),
    default=FOLDER,
    show_default=True,
    help="Where to.",
)
def demo(out: str) -> None:
    """Seal, compare, judge and open the seal: all of it on the Palmer penguins, in half a minute.

    What it writes stays in DIR, so that you can go on from there. Run again, it shows the recorded results.
    """
    from heldout.cli.main import program

    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    table = files("heldout.datasets").joinpath("data", "penguins.csv").read_bytes()
    (folder / "penguins.csv").write_bytes(table)
    _say(f"{ABOUT}\n\n$ cd {shlex.quote(out)}")
    with contextlib.chdir(folder):
        for line in STORY:
            _say(f"$ heldout {shlex.join(line)}")
            program.main([*line, *OWN_SETTINGS[line[0]]], standalone_mode=False)
            _say("")
    page = os.path.join(out, "penguins.html")
    _say(f"All of it, to look at in a browser: {page}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
