"""What can be debugged."""

from __future__ import annotations

from dataclasses import dataclass

from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.runner.runner import RunRequest
from emu.verify.scenes.changed_scenes import ChangedScene
from emu.verify.scenes.scene_spec import SceneSpec


@dataclass(frozen=True, slots=True)
class DebuggedProgram:
    """A whole program.

    Attributes:
        request: the program, and how it is run. Its clock has to be "calls".
        keeps_snapshots: whether snapshots are kept, where the computer can do that. Without them
            the program runs again from its beginning for each way back.
    """

    request: RunRequest
    keeps_snapshots: bool = True


@dataclass(frozen=True, slots=True)
class DebuggedScene:
    """The routine of a case on one scene: from its first instruction to its return.

    If a scene makes several calls in a row, all of them are debugged.

    Attributes:
        case: the case.
        subject: the program.
        spec: the scene.
        changed: how the scene was changed; None if it is as its generator makes it.
        is_smallest: whether the scene is made smaller first, as long as it fails.
        finds_difference: whether its first wrong value is found first.
    """

    case: Case
    subject: Subject
    spec: SceneSpec
    changed: ChangedScene | None = None
    is_smallest: bool = False
    finds_difference: bool = False
