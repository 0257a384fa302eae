"""What happened to the held rows, in words: sealed, looked at, used up, or given away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout.stats.looks import shown_bits
from heldout.text.words import plural


def seal_state(
    seal: Mapping[str, Any], openings: Sequence[Mapping[str, Any]], n_open_looks: int
) -> dict[str, Any]:
    """The state of the seal, and every look at the held rows.

    seal:         the body of the fact that sealed; empty where there is none
    openings:     the bodies of the facts that opened it, in order
    n_open_looks: how often open rows were used, by fits, scores and curves
    """
    n_held = None if seal.get("n_held") is None else int(seal["n_held"])
    looks = _told_together([_look(opening) for opening in openings], openings)
    state = _state(looks, n_held)
    return {
        "state": state,
        "sentence": _sentence(state, looks, n_held),
        "bits": _bits_sentence(looks),
        "how": str(seal.get("how", "")),
        "seed": seal.get("seed"),
        "n_held": n_held,
        "n_open": None if seal.get("n_open") is None else int(seal["n_open"]),
        "digest": str(seal.get("digest", "")),
        "notes": [str(note) for note in seal.get("notes") or ()],
        "looks": looks,
        "n_open_looks": n_open_looks,
    }


def _state(looks: Sequence[Mapping[str, Any]], n_held: int | None) -> str:
    if n_held == 0:
        return "no seal"
    if any(look["is_full"] for look in looks):
        return "given away"
    if any(look["is_used_up"] for look in looks[1:]):  # nothing is used up by the first
        return "used up"
    return "opened" if looks else "closed"


def _sentence(state: str, looks: Sequence[Mapping[str, Any]], n_held: int | None) -> str:
    rows = "held rows" if n_held is None else plural(n_held, "held row")
    if state == "no seal":
        return (
            "No rows were held back, so nothing here was confirmed on rows that played no part in choosing."
        )
    if state == "closed":
        return f"The seal is closed: no number on this page comes from the {rows}."
    if state == "given away":
        return (
            f"The {rows} were given away: a look showed them one by one, so that whatever is judged on them"
            " from then on proves nothing."
        )
    if state == "used up":
        return (
            f"The {rows} are used up: after {plural(len(looks), 'look')} an interval on them that allows for"
            " all that was seen can no longer show that a good model beats guessing."
        )
    if len(looks) == 1:
        return f"The seal was opened once: one score of one model on the {rows} was shown."
    return (
        f"The seal was opened {len(looks):,} times. Each look gave a little of the {rows} away. The intervals"
        " below allow for all looks, so that they hold together, and for the best of them."
    )


def _bits_sentence(looks: Sequence[Mapping[str, Any]]) -> str:
    given = [look["bits"] for look in looks if look["bits"] is not None]
    if not given or len(given) < len(looks):
        return ""
    return f"At most {shown_bits(sum(given))} of the held labels were given away so far."


def _told_together(
    looks: list[dict[str, Any]], openings: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The looks with intervals as of the last one: those hold for all models that were scored, at once."""
    bits = ((openings[-1].get("final") or {}).get("bits_before") if openings else None) or 0.0
    for look, opening in zip(looks[:-1], openings, strict=False):
        later: Sequence[Mapping[str, Any]] | None = opening.get("later")
        if later is None:
            continue
        wide: Mapping[str, Any] = next((ends for ends in later if float(ends["bits"]) >= bits - 1e-9), {})
        look["score"] = look["score"] | {"low": wide.get("low"), "high": wide.get("high")}
        if look["fixed"]:
            wide = next((ends for ends in later if int(ends["n_looks"]) >= len(looks)), {}).get("fixed") or {}
            look["fixed"] = look["fixed"] | {"low": wide.get("low"), "high": wide.get("high")}
    return looks


def _look(opening: Mapping[str, Any]) -> dict[str, Any]:
    found = opening.get("final") or {}
    bits = opening.get("bits")
    return {
        "number": opening.get("look_number"),
        "contender": str(opening.get("contender", "")),
        "metric": str(found.get("metric", "")),
        "score": dict(found.get("adaptive") or opening.get("score") or {}),
        "fixed": dict(found.get("fixed") or {}),
        "reason": str(opening.get("reason") or ""),
        "text": str(opening.get("text", "")),
        "bits": None if bits is None else float(bits),
        "is_full": opening.get("detail") == "full" or bool(found.get("was_given_away")),
        "is_used_up": bool(found.get("is_used_up")),
        "at": str(opening.get("at", "")),
    }
