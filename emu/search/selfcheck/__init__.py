"""Cases broken on purpose: which mistakes of a routine do the scenes of a case find out?"""
