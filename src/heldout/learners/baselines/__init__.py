"""What the baselines are made of: columns that are only counted, weighted means and medians."""
