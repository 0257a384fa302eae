"""What a study file says of a plan: standings, verdict, tables."""
