"""Calls a case's routine on any scene, and records what it does, even if it faults or hangs."""
