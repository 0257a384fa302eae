"""The study: seal, plan, run, verdict, the one look, the shipped model."""
