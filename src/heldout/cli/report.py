"""`heldout report`: the page again, from the study file alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from heldout.cli.failures import ExitCode


@click.command()
@click.argument("study", type=click.Path())
@click.option("-o", "--out", metavar="FILE", type=click.Path(), help="The page.  [default: STUDY.html]")
@click.option("--json", "as_json", is_flag=True, help="The facts of the page as JSON, too.")
def report(study: str, out: str | None, as_json: bool) -> ExitCode:
    """Make the page of STUDY again: one HTML file, without the table and without running anything.

    Ends with 4 where the study file is not what was written; the page shows it then.
    """
    from pathlib import Path

    from heldout.cli.failures import ExitCode
    from heldout.cli.output import near_path, print_json
    from heldout.cli.study_files import PAGE, refuse_foreign
    from heldout.ledger.ledger import Ledger
    from heldout.report.summarize import summarize
    from heldout.report.write_report import write_report

    with Ledger.open(study, query_only=True) as opened:
        wanted = Path(out) if out else opened.path.with_suffix(".html")
        page = write_report(opened, refuse_foreign(wanted, PAGE))
        chain = opened.verify()
        if as_json:
            print_json({"report": str(page), "study": str(opened.path), "summary": summarize(opened)})
    if not as_json:
        click.echo(near_path(str(page)))
    if not chain.is_unbroken:
        click.echo(f"heldout: {chain}", err=True)
        return ExitCode.REFUSED
    return ExitCode.FINE
