"""Python references: each routine's expected behaviour, written to be read.

A reference takes a scene (:mod:`pyref.scene`) and returns what the compiled routine must leave
behind, side state and order of work included. The package needs NumPy and nothing else; it knows
of no emulator and serves as a library on its own.

* :mod:`pyref.scene`: objects on a screen, given or generated from a seed
* :mod:`pyref.four_shifts`: the sector grid with four shifts (Tom Moertel, 1994)
* :mod:`pyref.brute_force`: every pair tested, the yardstick for all the others
"""
