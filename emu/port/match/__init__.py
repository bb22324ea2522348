"""Proposes where the functions and globals of a port's sources lie in the old program."""
