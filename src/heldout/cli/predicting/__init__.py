"""Rows of a file, chunk by chunk: read as in training, answered, and written with the answers."""
