"""Neighbors: how rows are compared, how they answer, and what leaving each of them out tells."""
