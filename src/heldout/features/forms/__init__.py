"""How X enters a transformer and how it leaves: what goes in comes out."""
