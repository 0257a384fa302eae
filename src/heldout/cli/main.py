"""The door of the command line: the table of commands, and nothing that costs time to import."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from heldout.cli.lazy_commands import CommandPlace, LazyCommands

COMMANDS = {
    "run": CommandPlace("heldout.cli.run:run", "Learn from a table: study, verdict, page. The main job."),
    "unseal": CommandPlace("heldout.cli.unseal:unseal", "Score the winner on the sealed rows, once."),
    "ship": CommandPlace("heldout.cli.ship:ship", "Fit the winner on every row and save it as a model file."),
    "predict": CommandPlace("heldout.cli.predict:predict", "Predict new rows with a model file."),
    "explain": CommandPlace("heldout.cli.explain:explain", "Show a model: as text, rules, SQL, Python, SVG."),
    "ledger": CommandPlace("heldout.cli.ledger:ledger", "Every look at the rows; is the chain unbroken?"),
    "report": CommandPlace("heldout.cli.report:report", "Make the page again, from the study file alone."),
    "demo": CommandPlace("heldout.cli.demo:demo", "The whole story on an embedded table."),
    "completion": CommandPlace("heldout.cli.completion:completion", "Print what your shell needs for Tab."),
}

_HELP = """Models you can read, numbers you can believe.

\b
  heldout run churn.csv --target churned      study, verdict, churn.html
  heldout unseal churn.heldout                its score on the sealed rows
  heldout ship churn.heldout -o churn.model   the winner, fitted on every row
  heldout predict churn.model new.csv         new.predicted.csv

New here? Try: heldout demo
"""


def _show_version(ctx: click.Context, option: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        import heldout

        click.echo(f"heldout {heldout.__version__}")
        ctx.exit()


_VERSION = click.Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)

program = LazyCommands(
    name="heldout",
    places=COMMANDS,
    help=_HELP,
    params=[_VERSION],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and leave the process with its exit code.

    arguments: what is typed after `heldout`; left out, that of this process

    >>> main(["--version"])
    Traceback (most recent call last):
    SystemExit: 0
    """
    prepare_streams()
    say_warnings_plainly()
    return program.main(arguments, prog_name="heldout")


def prepare_streams() -> None:
    """Streams that take everything: a name that the locale cannot show is no failure, nor is a closed one."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, as long as we live
        elif getattr(stream, "errors", None) == "strict" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def say_warnings_plainly() -> None:
    """A warning is a sentence on stderr, without lines of code; who starts Python with -W has it as usual."""
    if sys.warnoptions:
        return
    import warnings

    # What NumPy says of numbers that are too large; the answer shows them as infinite or not known.
    warnings.simplefilter("ignore", RuntimeWarning)
    warnings.showwarning = _say_warning


def _say_warning(message: Warning | str, *place: Any, **more: Any) -> None:
    click.echo(f"heldout: {' '.join(str(message).split())}", err=True)
