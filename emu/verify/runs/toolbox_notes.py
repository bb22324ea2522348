"""Notes about calls that asked the Toolbox, for the report: they do not change a verdict."""

from __future__ import annotations

from collections.abc import Sequence

from emu.cases.case import Case
from emu.machine import Batch
from emu.machine.calls.system import unasked
from emu.verify.runs.verdicts import ToolboxNote, joined_notes
from emu.verify.scenes.scene_spec import SceneSpec


def notes_of(case: Case, batch: Batch, specs: Sequence[SceneSpec]) -> tuple[ToolboxNote, ...]:
    """Make notes about what calls changed in the Toolbox and nobody compares.

    For example, a block that a call allocated and did not free. A note is also made of a call that
    did not ask for the Toolbox answers which its scene has.

    Args:
        case: the case, which says what is compared.
        batch: the calls.
        specs: the name of the scene of each call.
    """
    notes = [
        ToolboxNote(leftover.kind, leftover.what, 1, specs[row])
        for row, left in batch.left.items()
        for leftover in left
        if leftover.kind not in case.toolbox_state and row < batch.completed
    ]
    if case.toolbox:
        silent = set(range(batch.completed)) - set(batch.asked)
        notes += [
            ToolboxNote(leftover.kind, leftover.what, 1, specs[row])
            for row in sorted(silent)
            for leftover in map(unasked, case.toolbox)
        ]
    return joined_notes(notes)
