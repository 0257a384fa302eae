"""What the transformers of numbers count with: moments of columns, lengths of rows, cuts and their names."""
