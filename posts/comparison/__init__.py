"""Compares collision systems on the same objects: how much work each does, and who is right."""
