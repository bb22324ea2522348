"""Calls functions of a shared library on this computer, and finds what they write."""
