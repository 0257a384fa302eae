"""A study and its file: made, opened, compared with the data."""
