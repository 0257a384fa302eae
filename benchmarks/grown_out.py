"""The parameters under which Heldout's trees are only grown, as those of the peers are, and not pruned."""

from __future__ import annotations

from typing import Any

REGRESSOR_GROWN_OUT: dict[str, Any] = {"prune": None, "missing": "node_mode"}
CLASSIFIER_GROWN_OUT: dict[str, Any] = REGRESSOR_GROWN_OUT | {"numeric_cuts": "plain"}
