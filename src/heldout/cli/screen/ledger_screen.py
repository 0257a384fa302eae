"""The screen of the ledger: how often rows were used and for what, every look at held rows, the chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from heldout.cli.output import near_path
from heldout.cli.screen.terminal import GUTTER, Terminal, labelled, pad, shown_name, width_of
from heldout.stats.looks import shown_bits
from heldout.text.words import plural

_WIDEST_BY = 30


def ledger_screen(
    facts: Mapping[str, Any], terminal: Terminal, is_only_chain: bool = False, is_all: bool = False
) -> str:
    """The facts of a ledger as lines that fit the terminal, with a newline at the end."""
    chain = _chain_lines(facts["chain"], terminal, is_only_chain)
    if is_only_chain:
        return "\n".join([*chain, ""])
    looks = facts["looks"]
    held = [look for look in looks if look["role"] == "held"]
    lines = labelled("study", [_study(facts)], terminal)
    lines += labelled("open", [_counted([look for look in looks if look["role"] != "held"])], terminal)
    lines += labelled("held", [_held(facts["seal"], held)], terminal)
    listed = looks if is_all else held
    if listed:
        lines += ["", *_listed(listed, terminal), ""]
    return "\n".join([*lines, *chain, ""])


def _study(facts: Mapping[str, Any]) -> str:
    target = f" of {facts['target']}" if facts.get("target") else ""
    return f"{near_path(str(facts['study']))}, a study{target}"


def _counted(looks: Sequence[Mapping[str, Any]]) -> str:
    """How often open rows were used, and what for."""
    if not looks:
        return "no look at open rows"
    counts = Counter(str(look["what"]) for look in looks)
    kinds = ", ".join(
        f"{what} {count:,}" for what, count in sorted(counts.items(), key=lambda entry: -entry[1])
    )
    return f"{plural(len(looks), 'look')} at open rows: {kinds}"


def _held(seal: Mapping[str, Any], held: Sequence[Mapping[str, Any]]) -> str:
    if not seal:
        return "not known"
    if not seal.get("n_held"):
        return "no rows are held back"
    rows = plural(seal["n_held"], "row")
    if not held:
        return f"{rows}, never looked at"
    bits = f"; {seal['bits'][0].lower()}{seal['bits'][1:]}" if seal.get("bits") else ""
    return f"{rows}, {plural(len(held), 'look')}{bits}"


def _listed(looks: Sequence[Mapping[str, Any]], terminal: Terminal) -> list[str]:
    """A line for each look: when, what, by what, how many rows, what it gave away."""
    rows = [
        (
            str(look["at"])[:16].replace("T", " "),
            str(look["what"]),
            shown_name(str(look["by"]), _WIDEST_BY, terminal.is_unicode),
            plural(int(look["n_rows"] or 0), "row"),
            shown_bits(float(look["bits"])) if look.get("bits") else "",
        )
        for look in looks
    ]
    widths = [max(width_of(row[column]) for row in rows) for column in range(5)]
    margin = " " * (GUTTER if terminal.width >= 72 else 2)
    lines = []
    for row in rows:
        cells = [
            pad(text, width, is_right=column > 2)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"{margin}{'  '.join(cells)}".rstrip())
    return lines


def _chain_lines(chain: Mapping[str, Any], terminal: Terminal, is_full: bool) -> list[str]:
    if not chain["is_unbroken"]:
        first, *rest = str(chain["text"]).split("\n")
        return labelled("chain", [first, *rest], terminal)
    if is_full:
        return labelled("chain", str(chain["text"]).split("\n"), terminal)
    return labelled("chain", [f"unbroken: {chain['n_facts']:,} facts; head {chain['head'][:16]}…"], terminal)
