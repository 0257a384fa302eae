"""What the winner answered on rows that were new to it: curves, confusion, reliability, residuals."""
