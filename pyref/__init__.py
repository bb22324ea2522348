"""Python references: each routine's expected behaviour, written to be read.

A reference takes a scene (:mod:`pyref.scene`) and returns what the compiled routine must leave
behind, side state and order of work included. The package needs NumPy and nothing else; it knows
of no emulator and serves as a library on its own.

* :mod:`pyref.scene`: objects on a screen, given or generated from a seed
* :mod:`pyref.four_shifts`: the sector grid with four shifts (Tom Moertel, 1994)
* :mod:`pyref.brute_force`: every pair tested, the yardstick for all the others
* :mod:`pyref.adjacent_sectors`: one sector grid, looking into the sectors around as well
* :mod:`pyref.collider`: who collides with whom, and who of two decides what becomes of it
* :mod:`pyref.collider_steps`, :mod:`pyref.collider_script`: scripts that the collider is played
  from, and what makes them
* :mod:`pyref.blockmap`: sectors and fragments (Predator, 2001), corrected and as printed;
  :mod:`pyref.blockmap_boxes` has its boxes, :mod:`pyref.blockmap_scene` makes scenes of them
* :mod:`pyref.linear_quadtree`: circles sorted by Morton code, as a forum post describes it and
  corrected; :mod:`pyref.morton` has the codes, :mod:`pyref.morton_as_printed` the post's own
  neighbour routines, :mod:`pyref.neighbour_search` the scenes for them,
  :mod:`pyref.circle_scene` the circles, :mod:`pyref.linear_quadtree_measures` what comes of the
  post's claims
* :mod:`pyref.claims`: what the posts claim in numbers, measured
"""
