"""Plans that have not run to their end: no verdict speaks of them, and the page must not pass over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heldout.table.describe import plural

if TYPE_CHECKING:
    from heldout.ledger.fact import Fact
    from heldout.ledger.ledger import Ledger


def unfinished_sentences(ledger: Ledger) -> list[str]:
    """A sentence for each plan without a verdict, in the order in which they were begun.

    ledger: of the study; only read
    """
    judged = {str(fact.body.get("plan", "")) for fact in ledger.facts("verdict")}
    begun = [fact for fact in ledger.facts("plan") if fact.key not in judged]
    done = ledger.keys("cell") if begun else frozenset()
    return [_sentence(fact, done, bool(judged)) for fact in begun]


def _sentence(plan: Fact, done: frozenset[str], is_beside_verdict: bool) -> str:
    cells = plan.body.get("cells") or {}
    contenders, folds = cells.get("contenders") or (), cells.get("folds") or ()
    wanted = [f"{each}:{fold}:{cells.get('protocol', '')}" for each in contenders for fold in folds]
    n_done = sum(key in done for key in wanted)
    which = "Another plan" if is_beside_verdict else "A plan"
    said = f"{which} of {plural(len(contenders), 'contender')} is not finished:"
    counted = f"{n_done:,} of {plural(len(wanted), 'fit')} are done."
    rest = " The verdict does not know its contenders." if is_beside_verdict else ""
    return f"{said} {counted}{rest} Run the same plan again and it goes on from there."
