"""Makes the calls of scenes in batches, and compares what they left with what is right.

`SceneImages` go in; `SceneCalls` gives a `Batch`; `Differences` says which scenes of it are wrong.
"""
