"""The calls of a case on a machine: the ones that are judged, and those that come before them.

The rooms ``images`` and ``batches`` use them: images go in, uint8 of (scenes, image size), and a
`Batch` with the images after the calls comes out.
"""
