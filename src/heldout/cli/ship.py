"""`heldout ship`: the model for use, fitted on every row."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.argument("study", type=click.Path())
@click.argument("contender", required=False)
@click.option(
    "-o", "--out", metavar="FILE", type=click.Path(), help="The model file.  [default: STUDY.model]"
)
@click.option("--data", metavar="FILE", type=click.Path(), help="The table, if it was moved.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def ship(study: str, contender: str | None, out: str | None, data: str | None, as_json: bool) -> None:
    """Fit the winner of STUDY, or CONTENDER, on every row and save it.

    Its setting is chosen on the open rows. The estimate stays what it was: it is that of models fitted on
    fewer rows.
    """
    from heldout.cli.find_model import recorded_winner
    from heldout.cli.output import print_json, say_fitting
    from heldout.cli.study_files import MODEL, refuse_foreign
    from heldout.study.study import Study

    with Study.open(study, data) as opened:
        name = contender or recorded_winner(opened, "ship")
        wanted = Path(out) if out else opened.path.with_suffix(".model")
        say_fitting(name, len(opened.seal.held_rows) + opened.task.n_rows, "rows")
        shipped = opened.ship(name, refuse_foreign(wanted, MODEL))
    if as_json:
        print_json({"study": str(opened.path), **shipped.to_dict()})
    else:
        from heldout.cli.screen.terminal import terminal_of
        from heldout.cli.screen.unseal_screen import ship_screen

        sys.stdout.write(ship_screen(shipped.to_dict(), terminal_of(sys.stdout)))
