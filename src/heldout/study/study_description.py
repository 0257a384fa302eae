"""What a study says of itself, in a terminal and in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from heldout.charts.notebook_piece import NotebookPiece
from heldout.study.files.create_study import sealed_words
from heldout.study.seal.looks_table import seal_state
from heldout.table.describe import aligned, note_lines, plural, shortened

if TYPE_CHECKING:
    from heldout.study.files.open_study import OpenedStudy


@dataclass(frozen=True)
class StudyDescription:
    """The question, and what has been done about it.

    title:   what is asked
    lines:   pairs of a name and what stands behind it
    notes:   what has to be said about the seal
    verdict: the words of the newest verdict; empty before the first run is done
    picture: its contenders, by score and length
    """

    title: str
    lines: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    verdict: str = ""
    picture: str = ""

    def __str__(self) -> str:
        return "\n".join([self.title, *aligned(list(self.lines)), *note_lines(self.notes)])

    def notebook_piece(self) -> NotebookPiece:
        """What a notebook shows: the same, and what the newest verdict says."""
        return NotebookPiece(
            self.title,
            paragraphs=(self.verdict,) if self.verdict else (),
            items=self.notes,
            headings=("what", "how it stands"),
            rows=self.lines,
            picture=self.picture,
        )


def description_of(found: OpenedStudy) -> StudyDescription:
    """What the study file says of itself; the rows of the table are not looked at."""
    record, ledger = found.record, found.ledger
    plans = ledger.facts("plan")
    n_contenders = len(ledger.keys("contender"))
    lines = [
        ("rows", sealed_words(record, found.seal.to_dict())),
        ("plans", f"{len(plans)} with {plural(n_contenders, 'contender')}" if plans else "none yet"),
        ("seal", seal_state(ledger, len(found.seal.held_rows))),
    ]
    if found.task is None:
        lines.append(("table", "not at hand; the study can be read, and nothing can be run"))
    title = f"Study of '{shortened(record.target, 60)}' ({record.roles['kind']})"
    verdict, picture = _newest_verdict(found)
    return StudyDescription(title, tuple(lines), tuple(found.seal.notes), verdict, picture)


def _newest_verdict(found: OpenedStudy) -> tuple[str, str]:
    """Its first sentence, and its contenders as the page draws them; empty before the first run is done."""
    facts = found.ledger.facts("verdict")
    if not facts:
        return "", ""
    from heldout.report.length_figure import length_figure
    from heldout.report.standing_rows import standing_rows
    from heldout.report.summarize import verdict_sentences

    body = facts[-1].body
    figure = length_figure(standing_rows(body), str(body["metric"]))
    return verdict_sentences(str(body["text"]))[0], "" if figure is None else figure.picture
