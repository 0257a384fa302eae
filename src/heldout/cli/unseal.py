"""`heldout unseal`: the one look at the sealed rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from heldout.study.seal.final_score import FinalScore
    from heldout.study.study import Study


@click.command()
@click.argument("study", type=click.Path())
@click.argument("contender", required=False)
@click.option(
    "--again", metavar="REASON", help="Why you look again; it is recorded, and the report shows it."
)
@click.option(
    "--detail",
    type=click.Choice(["score", "full"]),
    default="score",
    show_default=True,
    help="full: every held row with its prediction. It gives all labels away.",
)
@click.option("--yes", is_flag=True, help="Do not ask before all labels are given away.")
@click.option("--data", metavar="FILE", type=click.Path(), help="The table, if it was moved.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def unseal(
    study: str,
    contender: str | None,
    again: str | None,
    detail: str,
    yes: bool,
    data: str | None,
    as_json: bool,
) -> None:
    """Score the winner, or CONTENDER, on the sealed rows of STUDY.

    The score is recorded before it is shown. Asked again for the same model, it shows the recorded score;
    another model needs a reason, and its interval allows for what was seen.
    """
    from heldout.cli.find_model import recorded_winner
    from heldout.cli.output import print_json, say_fitting
    from heldout.ledger.verdict_facts import UnsealFact
    from heldout.study.study import Study

    with Study.open(study, data) as opened:
        name = contender or recorded_winner(opened, "unseal")
        if detail == "full":
            _agree(opened, yes)
        before = opened.ledger.facts("unseal")
        if all(
            UnsealFact.read(fact).contender != name for fact in before
        ):  # else the recorded score is shown
            say_fitting(name, opened.task.n_rows, "open rows")
        score = opened.unseal(name, again, detail)
        page = _page_again(opened)
        facts = {
            "study": str(opened.path),
            "report": page,
            "is_new_look": len(opened.ledger.facts("unseal")) > len(before),
            "score": score.to_dict() | {"text": str(score)},
            "rows": _written_rows(opened, score),
        }
    if as_json:
        print_json(facts)
    else:
        from heldout.cli.screen.terminal import terminal_of
        from heldout.cli.screen.unseal_screen import seal_screen

        full = None if score.full is None or not score.full.classes else score.full.confusion().to_text()
        sys.stdout.write(seal_screen(facts, full, terminal_of(sys.stdout)))


def _agree(study: Study, is_agreed: bool) -> None:
    """Nobody gives all labels away by a slip."""
    from heldout.errors import SealError

    n_held = len(study.seal.held_rows)
    words = f"this shows all {n_held:,} held rows; nothing that is judged on them later proves anything"
    if is_agreed:
        return
    if not sys.stdin.isatty() or not click.confirm(f"{words}; show them?", err=True):
        raise SealError(
            words, where="--detail full", fix="add --yes, or leave --detail out for the score alone"
        )


def _page_again(study: Study) -> str | None:
    """The page beside the study tells of the seal, so it is made again; None where there is none of ours."""
    from heldout.cli.study_files import PAGE, is_own

    page = study.path.with_suffix(".html")
    return str(study.report(page)) if is_own(page, PAGE) else None


def _written_rows(study: Study, score: FinalScore) -> str | None:
    """The held rows with their predictions as a CSV file beside the study; None without --detail full."""
    if score.full is None:
        return None
    import csv
    import io

    rows: Any = score.full.predictions()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows.names)
    writer.writerows(zip(*(column.labels() for column in rows.columns), strict=True))
    path = Path(study.path).with_suffix(".held.csv")
    path.write_text(text.getvalue(), encoding="utf-8")
    return str(path)
