"""`heldout ledger`: every look at the rows, and whether the study file is what was written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from heldout.cli.failures import ExitCode
    from heldout.ledger.ledger import Ledger
    from heldout.ledger.study_facts import LookFact


@click.command()
@click.argument("study", type=click.Path())
@click.option("--verify", is_flag=True, help="Say in full whether the chain of facts is unbroken.")
@click.option("--head", metavar="HASH", help="The head that a report or model file carries: finds a rewrite.")
@click.option("--all", "is_all", is_flag=True, help="List every look, also those at open rows.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON, with every look.")
def ledger(study: str, verify: bool, head: str | None, is_all: bool, as_json: bool) -> ExitCode:
    """Show what was done with the rows of STUDY; the table is not needed.

    Ends with 4 where the study file is not what was written.
    """
    from heldout.cli.failures import ExitCode
    from heldout.cli.output import print_json
    from heldout.ledger.ledger import Ledger

    with Ledger.open(study, query_only=True) as study_ledger:
        facts = _facts(study_ledger, head)
    if as_json:
        print_json(facts)
    else:
        from heldout.cli.screen.ledger_screen import ledger_screen
        from heldout.cli.screen.terminal import terminal_of

        is_only_chain = (verify or head is not None) and not is_all
        sys.stdout.write(ledger_screen(facts, terminal_of(sys.stdout), is_only_chain, is_all))
    return ExitCode.FINE if facts["chain"]["is_unbroken"] else ExitCode.REFUSED


def _facts(study_ledger: Ledger, head: str | None) -> dict[str, Any]:
    """The looks and the state of the chain; of a broken one what can be read."""
    from heldout.errors import LedgerError
    from heldout.ledger.study_facts import LookFact, StudyFact
    from heldout.results.seal_state import read_seal_state

    chain = study_ledger.verify(head)
    facts: dict[str, Any] = {"study": str(study_ledger.path), "chain": chain.to_dict() | {"text": str(chain)}}
    try:
        target = StudyFact.read(study_ledger.only("study")).target
        looks = [_look(fact.number, fact.at, LookFact.read(fact)) for fact in study_ledger.facts("look")]
        state = read_seal_state(study_ledger).to_dict()
    except LedgerError:
        if chain.is_unbroken:
            raise
        return facts | {"target": None, "looks": [], "seal": {}}
    kept = {name: state[name] for name in ("state", "n_open", "n_held", "how", "bits")}
    shown = [
        {name: look[name] for name in ("number", "contender", "reason", "text")} for look in state["looks"]
    ]
    return facts | {"target": target, "seal": kept | {"looks": shown}, "looks": looks}


def _look(number: int, at: str, look: LookFact) -> dict[str, Any]:
    names = ("what", "by", "role", "n_rows", "rows", "bits")
    return {"fact": number, "at": at, **{name: getattr(look, name) for name in names}}
