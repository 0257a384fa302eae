"""The invented customers of the README: who calls support often and pays by the month is likely to leave.

    python examples/make_churn.py examples/tables

writes churn.csv, with what happened, and new.csv, customers of whom it is not known yet. Nobody in them
exists. Some customers have several contracts, so rows are not independent: that is what `--groups customer`
is for.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from random import Random

COLUMNS = "customer,contract,months,calls,monthly_fee,payment,churned"
LEAVING = {"monthly": 3.0, "yearly": -1.5, "two years": -3.5}


def made_rows(random: Random, first: int, n_customers: int) -> list[list[str]]:
    """Rows of invented customers, one for each contract, in the order of COLUMNS."""
    rows: list[list[str]] = []
    for number in range(first, first + n_customers):
        mood = random.gauss(0, 0.5)  # what the contracts of one customer share
        n_contracts = random.choice([1, 1, 1, 1, 2, 2, 3])
        rows += [[f"c{number:03}", *made_contract(random, mood)] for _ in range(n_contracts)]
    return rows


def made_contract(random: Random, mood: float) -> list[str]:
    """A contract and whether it was ended: calls count most, then the contract, and the first months."""
    contract = random.choice(list(LEAVING))
    months = 1 + int(random.expovariate(1 / 20))
    calls = sum(random.random() < 0.22 for _ in range(12))
    fee = round(15 + 45 * random.random(), 2)
    payment = random.choice(["card", "invoice", "transfer"])
    pull = -1.5 + LEAVING[contract] + 2.0 * (calls - 2.5) + 1.5 * (months < 6) + mood
    churned = "yes" if random.random() < 1 / (1 + math.exp(-pull)) else "no"
    said = "" if random.random() < 0.04 else str(calls)  # not every call is written down
    return [contract, str(months), said, f"{fee:.2f}", payment, churned]


def main(folder: Path) -> None:
    """Write both tables into a folder."""
    random = Random(2024)
    known, new = made_rows(random, 1, 240), made_rows(random, 241, 10)
    lines = [COLUMNS, *(",".join(row) for row in known)]
    (folder / "churn.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = [COLUMNS.removesuffix(",churned"), *(",".join(row[:-1]) for row in new)]
    (folder / "new.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
