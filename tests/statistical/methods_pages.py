"""The tables of docs/methods/, written between the marks that stand there."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from .false_alarms import DEFAULT, Alarms
from .interval_coverage import Coverage

PAGES = Path(__file__).parents[2] / "docs" / "methods"


def write_pages(coverages: Sequence[Coverage], alarms: Sequence[Alarms]) -> None:
    """Bring both pages up to date."""
    is_grouped = [row.population == "groups of five" for row in coverages]
    by_rows = [row for row, is_group in zip(coverages, is_grouped, strict=True) if not is_group]
    by_groups = [row for row, is_group in zip(coverages, is_grouped, strict=True) if is_group]
    replace(PAGES / "intervals.md", "summary", coverage_summary(by_rows))
    replace(PAGES / "intervals.md", "groups", coverage_summary(by_groups))
    replace(PAGES / "intervals.md", "places", coverage_places(by_rows))
    replace(PAGES / "comparisons.md", "summary", alarm_summary(alarms))
    replace(PAGES / "comparisons.md", "places", alarm_places(alarms))


def replace(page: Path, mark: str, lines: list[str]) -> None:
    """Put the lines between `<!-- measured: mark -->` and `<!-- end -->`."""
    text = page.read_text(encoding="utf-8")
    pattern = rf"(<!-- measured: {mark} -->\n).*?(<!-- end -->)"
    changed, n_found = re.subn(
        pattern, lambda m: m[1] + "\n".join(lines) + "\n" + m[2], text, flags=re.DOTALL
    )
    if n_found != 1:
        raise ValueError(f"{page} has {n_found} marks for {mark}")
    page.write_text(changed, encoding="utf-8")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table as the pages have it.

    >>> table(["n", "share"], [["50", "95.0"]])
    ['| n | share |', '|---|---|', '| 50 | 95.0 |']
    """
    lines = [header, ["---"] * len(header), *rows]
    return [f"| {' | '.join(line)} |" if line[0] != "---" else f"|{'|'.join(line)}|" for line in lines]


def shown_share(n_hits: int, n_sets: int) -> str:
    """A share in percent with its standard error.

    >>> shown_share(950, 1000), shown_share(100, 100)
    ('95.0 ± 0.7', '100.0 ± 1.0')
    """
    share = n_hits / n_sets
    # Of none, or of all, the error is not 0: one hit more or less is in reach.
    error = math.sqrt(max(share * (1 - share), 1 / n_sets) / n_sets)
    return f"{100 * share:.1f} ± {100 * error:.1f}"


def coverage_summary(rows: Sequence[Coverage]) -> list[str]:
    """For each interval the least, the mean and the largest coverage over all places, and how wide it is."""
    lines = []
    for method in dict.fromkeys(row.method for row in rows):
        here = [row for row in rows if row.method == method]
        least = min(here, key=lambda row: row.share)
        shares = [row.share for row in here]
        widths = [row.width for row in here]
        lines.append(
            [
                f"**{method}**" if "default" in method else method,
                str(len(here)),
                shown_share(least.n_held, least.n_sets),
                f"{least.population}, {least.contender}, {least.n_rows}",
                f"{100 * sum(shares) / len(shares):.1f}",
                f"{100 * max(shares):.1f}",
                f"{min(widths):.2f}-{max(widths):.2f}",
            ]
        )
    return table(["interval", "places", "least, %", "where", "mean, %", "largest, %", "width"], lines)


def coverage_places(rows: Sequence[Coverage]) -> list[str]:
    """The default intervals, each place by itself."""
    names = ["corrected Wilson (default)", "log scale, corrected (default)", "AUC (default)", "F1 (default)"]
    lines = []
    for place in dict.fromkeys((row.population, row.contender, row.n_rows, row.n_sets) for row in rows):
        found = {
            row.method: shown_share(row.n_held, row.n_sets)
            for row in rows
            if (row.population, row.contender, row.n_rows, row.n_sets) == place
        }
        if names[0] not in found and names[1] not in found:
            continue
        mean = found.get(names[0], found.get(names[1], ""))
        others = [found.get(name, "") for name in names[2:]]
        lines.append([place[0], place[1], f"{place[2]:,}", str(place[3]), mean, *others])
    return table(["population", "learner", "n", "sets", "error or MSE, %", "AUC, %", "F1, %"], lines)


def alarm_summary(rows: Sequence[Alarms]) -> list[str]:
    """For each test the least, the mean and the largest share of false alarms over all places."""
    lines = []
    for test in dict.fromkeys(row.test for row in rows):
        here = [row for row in rows if row.test == test]
        most = max(here, key=lambda row: row.share)
        n_alarms, n_sets = sum(row.n_alarms for row in here), sum(row.n_sets for row in here)
        lines.append(
            [
                f"**{test}**" if "default" in test else test,
                str(len(here)),
                f"{100 * min(row.share for row in here):.1f}",
                shown_share(n_alarms, n_sets),
                shown_share(most.n_alarms, most.n_sets),
                f"{most.population}, {most.contender}, {most.n_rows}",
            ]
        )
    return table(["test at 5%", "places", "least, %", "all, %", "largest, %", "where"], lines)


def alarm_places(rows: Sequence[Alarms]) -> list[str]:
    """The default test, the published one and the plain paired t, each place by itself."""
    names = [DEFAULT, "corrected resampled t, 3 × 10", "paired t over ten folds"]
    lines = []
    for place in dict.fromkeys((row.population, row.contender, row.n_rows, row.n_sets) for row in rows):
        found = {
            row.test: shown_share(row.n_alarms, row.n_sets)
            for row in rows
            if (row.population, row.contender, row.n_rows, row.n_sets) == place
        }
        if names[0] in found:
            lines.append([place[0], place[1], str(place[2]), str(place[3]), *(found[name] for name in names)])
    return table(
        [
            "population",
            "learner",
            "n",
            "sets",
            "cross-validated t, %",
            "corrected resampled t, %",
            "t, 10 folds, %",
        ],
        lines,
    )
