"""Neighbors: how rows are compared, how they vote, and what leaving each of them out tells."""
