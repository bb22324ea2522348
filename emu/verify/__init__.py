"""Runs programs of a case on scenes and compares the result with the reference: the verdict.

A scene takes one road through the rooms, and one typed value goes from each stage to the next::

    scenes   a SceneSpec names the scene; a Preparation says what memory holds before its call
    answers  the reference (or a library, or an old program) says what is right for the scene
    runs     Scenes holds all of that for one chunk of scenes
    images   SceneImages is guest memory before the calls; ExpectedImages adds what is right
    batches  the calls give a Batch; Differences compares its images with the expected ones
    runs     a SceneExecution holds all that happened; of it comes a Result, which has a verdict

`Bench` (in ``batches``) has the stages of one program. The rooms ``places`` and ``calls`` serve
them: the first says where the values of a case lie in memory, the second makes the calls.
"""
