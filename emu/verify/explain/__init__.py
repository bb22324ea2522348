"""Why a program fails: the smallest scene that fails, and its first wrong value."""
