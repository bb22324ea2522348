"""Drivers of ports and networks: all hardware is there, and nothing is connected to it."""
