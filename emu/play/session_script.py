"""The recording of a played session as a script, which the page shows as it grows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from emu.play.messages import PlayScript
from emu.runner.replay import program_digest
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.users.script_recorder import ScriptRecorder

_NAME = "recording"
"""The name of a script that is saved, without its suffix."""


class SessionScript:
    """Records a session, and sends its script to the controller.

    Args:
        mac: the Macintosh; its program has not begun yet.
        program: the program's file.
        send: sends a message to the controller.

    Attributes:
        recorder: what is to hear of each look and each input.
    """

    def __init__(self, mac: Macintosh, program: Path, send: Callable[[object], None]) -> None:
        self.recorder = ScriptRecorder(mac)
        self._program = program_digest(program)
        self._send = send
        self._told = 0

    def tell(self, applied: int, *, ended: bool, is_answer: bool, is_at_look: bool) -> None:
        """Send the steps, if there may be others than last time or somebody waits for them.

        Args:
            applied: how many inputs of the recording the program was given.
            ended: whether the program has ended by itself.
            is_answer: whether the page has asked for the script.
            is_at_look: whether a look is under way, and no input of it was applied yet.
        """
        if self.recorder.changes == self._told and not ended and not is_answer:
            return
        self._told = self.recorder.changes
        saved = self.recorder.saved(_NAME, self._program, ended=ended, is_at_look=is_at_look)
        pictures = tuple((picture.name, picture.png) for picture in saved.pictures)
        checkpoints = saved.recording.checkpoints
        self._send(PlayScript(saved.script, pictures, applied, checkpoints, is_answer))
