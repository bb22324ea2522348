"""Checks of the guest code that was executed."""
