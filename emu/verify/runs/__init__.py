"""Runs programs on scenes in worker processes, and gives the verdict on each.

Programs and `SceneSpec` values go in. `prepared_scenes` makes `Scenes` of a chunk, `scene_runs`
takes them through the stages of `Bench`, `results` makes a `Result` of what happened, and
`schedule` adds up the results of all chunks.
"""
