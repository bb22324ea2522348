"""The files that cases are in: how they are named, and what a user types for one."""
