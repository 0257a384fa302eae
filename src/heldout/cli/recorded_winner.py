"""Which contender a command means when none was named: the winner of the newest verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heldout.cli.next_commands import near_path
from heldout.errors import RequestError
from heldout.report.standing_rows import standing_rows

if TYPE_CHECKING:
    from heldout.study.study import Study


def recorded_winner(study: Study, verb: str) -> str:
    """The name of the winner, or an error that says why there is none to go on with.

    study: that was opened
    verb:  the command that asks, as it is typed
    """
    verdicts = study.ledger.facts("verdict")
    typed = f"heldout {verb} {near_path(str(study.path))}"
    winner = str(verdicts[-1].body.get("winner") or "") if verdicts else ""
    if not winner:
        raise RequestError(
            "the study has no verdict yet",
            where=near_path(str(study.path)),
            fix=f"let it run to its end with heldout run, or name a contender: {typed} tree",
        )
    standings = verdicts[-1].body.get("standings") or ()
    if any(each.get("is_baseline") for each in standings if each.get("name") == winner):
        ranked = standing_rows(verdicts[-1].body)
        named = next((str(each["name"]) for each in ranked if not each["is_baseline"]), winner)
        raise RequestError(
            f"no model was shown to beat guessing, so there is nothing to {verb}",
            where=f"the winner is {winner}",
            fix=f"find more rows or better columns; or name a contender to do it anyway: {typed} {named}",
        )
    return winner
