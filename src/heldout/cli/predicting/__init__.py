"""Rows of a file, chunk by chunk: read as in training, predicted, and written with the predictions."""
