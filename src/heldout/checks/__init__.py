"""Checks of what a user asks for, the same in every package."""
