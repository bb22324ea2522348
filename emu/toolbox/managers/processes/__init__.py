"""The program itself: launched, its segments loaded, its fragments, its traps."""
