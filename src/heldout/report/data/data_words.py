"""What the data section says in sentences and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

from heldout.report.data.data_cards import shown_value
from heldout.report.figure import Figure
from heldout.stats.shown_number import shown_share
from heldout.table.describe import plural

# How often noise may pass for more in a table, by all of its columns together.
LEVEL = 0.05
# A longer table is longer than anyone reads.
MOST_COLUMNS = 200


def data_takeaway(data: Mapping[str, Any]) -> str:
    """What to see in the distributions, in one line.

    data: as `data_facts` gives it
    """
    asked = [column for column in data["columns"] if column["bits"] is not None]
    if not asked:
        return gaps_words(data)
    told = sorted(_beyond_chance(asked), key=lambda column: -column["bits"])
    if not told:
        return f"Taken alone, no column says more of {data['target']} than chance would."
    first = told[0]
    said = (
        f"Taken alone, {first['name']} says most of {data['target']}:"
        f" {first['bits']:.2f} of {data['class_bits']:.2f} bits"
    )
    after = " and ".join(f"{column['name']} ({column['bits']:.2f})" for column in told[1:3])
    others = "; the others no more than chance would" if len(asked) > 1 else ""
    return f"{said}; then {after}." if after else f"{said}{others}."


def _beyond_chance(columns: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those that say more than a column of noise would, as many of them as there are."""
    limit = NormalDist().inv_cdf(1 - LEVEL / len(columns))
    return [column for column in columns if column["bits"] > 0 and (column.get("deviations") or 0.0) > limit]


def gaps_words(data: Mapping[str, Any]) -> str:
    """Which columns have gaps, in one line.

    >>> column = {"name": "age", "n_missing": 2, "missing_share": 0.2}
    >>> gaps_words({"columns": [column, column | {"name": "sex", "n_missing": 0}], "n_columns": 2})
    '1 of 2 columns has missing values: age (20%).'
    """
    gaps = [column for column in data["columns"] if column["n_missing"]]
    if not gaps:
        return "No value is missing in any column."
    gaps.sort(key=lambda column: -column["missing_share"])
    named = ", ".join(f"{column['name']} ({shown_share(column['missing_share'])})" for column in gaps[:3])
    more = f" and {len(gaps) - 3} more" if len(gaps) > 3 else ""
    verb = "has" if len(gaps) == 1 else "have"
    return f"{len(gaps):,} of {plural(data['n_columns'], 'column')} {verb} missing values: {named}{more}."


def data_figure(data: Mapping[str, Any]) -> Figure:
    """The table of all columns; its pictures are the cards."""
    has_bits = any(column["bits"] is not None for column in data["columns"])
    has_reasons = any(column["reason"] for column in data["columns"])
    headings = ["column", "kind", "role", "missing", "values"]
    headings += ["bits about the class"] * has_bits + ["why this kind"] * has_reasons
    shown = data["columns"][:MOST_COLUMNS]
    is_whole = len(shown) == data["n_columns"]
    which = "All columns" if is_whole else f"The first {len(shown)} of {data['n_columns']:,} columns"
    return Figure(
        title="Columns",
        takeaway=data_takeaway(data),
        headings=tuple(headings),
        rows=tuple(_row(column, has_bits, has_reasons) for column in shown),
        caption=f"{which}, as they are in the {plural(data['n_rows'], 'open row')}",
    )


def _row(column: Mapping[str, Any], has_bits: bool, has_reasons: bool) -> tuple[str, ...]:
    missing = (
        f"{column['n_missing']:,} ({shown_share(column['missing_share'])})" if column["n_missing"] else "none"
    )
    cells = [str(column["name"]), str(column["kind"]), str(column["role"] or ""), missing, _values(column)]
    if has_bits:
        cells.append("" if column["bits"] is None else f"{column['bits']:.2f}")
    if has_reasons:
        cells.append(str(column["reason"] or ""))
    return tuple(cells)


def _values(column: Mapping[str, Any]) -> str:
    """From where to where numbers go, or how many levels there are."""
    quantiles, kind = column["quantiles"] or [], str(column["kind"])
    if quantiles:
        low, middle, high = (shown_value(each, kind) for each in (quantiles[0], quantiles[2], quantiles[-1]))
        return f"{low} to {high}, half below {middle}"
    if column["n_levels"] is not None:
        return plural(int(column["n_levels"]), "level")
    return f"{int(column['n_distinct']):,} different" if column["n_distinct"] is not None else ""
