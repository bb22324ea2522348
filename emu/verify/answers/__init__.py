"""Which values are right for a scene: the answer of a reference, an old program or a library.

A scene goes in; its answer comes out: an object with an attribute for each observed value, which
the room ``images`` writes into the expected image.
"""
