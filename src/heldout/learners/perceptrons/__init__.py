"""Perceptrons: what was learned in a run over the rows, and how it answers."""
