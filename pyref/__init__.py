"""Python references: each routine's expected behaviour, written to be read.

A reference takes a scene (:mod:`pyref.scene`) and returns what the compiled routine must leave in
memory: its answer, its tables, and the order in which it worked. The package needs only NumPy. It
imports nothing from the emulator and can be used on its own.

* :mod:`pyref.scene`: objects on a screen, given or generated from a seed
* :mod:`pyref.sectors.four_shifts`: the sector grid with four shifts (Tom Moertel, 1994)
* :mod:`pyref.brute_force`: every pair tested; all other references are checked against it
* :mod:`pyref.sectors.adjacent_sectors`: one sector grid, in which adjacent sectors are searched too
* :mod:`pyref.collider.collider`: which pairs of critters collide, and which of the two handles the
  collision
* :mod:`pyref.collider.collider_steps`, :mod:`pyref.collider.collider_script`: scripts of steps for
  the collider, and their generators
* :mod:`pyref.blockmap.blockmap`: sectors and fragments (Predator, 2001), corrected and as printed;
  :mod:`pyref.blockmap.blockmap_boxes` defines its scenes, :mod:`pyref.blockmap.blockmap_scene`
  generates them
* :mod:`pyref.quadtree.linear_quadtree`: circles sorted by Morton code, as a forum post describes it
  and corrected; :mod:`pyref.quadtree.morton` has the codes, :mod:`pyref.quadtree.morton_as_printed`
  the post's own neighbour routines, :mod:`pyref.quadtree.neighbour_search` the scenes for them,
  :mod:`pyref.quadtree.circle_scene` the circles, :mod:`pyref.quadtree.linear_quadtree_measures`
  measurements of the post's claims
"""
