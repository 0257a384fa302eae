"""Least squares and ridge: rows, decompositions, leave-one-out, tables and paths of coefficients."""
