"""What the transformers of categories, of gaps and of columns that are pruned share."""
