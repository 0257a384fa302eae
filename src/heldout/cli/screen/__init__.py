"""What a run found, on one screen of a terminal."""
