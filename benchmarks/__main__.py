"""Run all rows, or those that are named: `python -m benchmarks fit_10k csv`."""

from __future__ import annotations

import sys

from benchmarks.outcome import Outcome
from benchmarks.rows import ROWS
from benchmarks.show import outcome_text, save_outcomes, summary_text


def main(names: list[str]) -> int:
    """Run the rows in turn; 2 for a name that there is not, else 0: a missed goal is told, no failure."""
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        print(f"no row is called {unknown[0]!r}; there are {', '.join(ROWS)}", file=sys.stderr)
        return 2
    outcomes: dict[str, Outcome] = {}
    for name in names or list(ROWS):
        outcomes[name] = ROWS[name]()
        print(outcome_text(name, outcomes[name]) + "\n", flush=True)
        save_outcomes({name: outcomes[name]})
    print(summary_text(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
