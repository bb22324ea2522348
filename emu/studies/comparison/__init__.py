"""Collision systems on the same objects: who does how much work, and who is right."""
