"""Which pairs of critters collide and who handles it: the collider, its steps and its scripts."""
