"""Habits of compilers: which ones the code of a program shows."""
