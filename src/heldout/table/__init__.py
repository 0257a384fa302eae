"""Typed tables: read from files and frames, selected without copying, and asked a question of."""
