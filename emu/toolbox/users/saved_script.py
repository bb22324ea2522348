"""A recording as files: the script, the exact inputs beside it, and pictures to compare with."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emu.base.files import write_whole
from emu.toolbox.computer.clock import CallClock
from emu.toolbox.computer.outputs import ScreenPicture
from emu.toolbox.users.events_file import Recording, events_text
from emu.toolbox.users.inputs import FileDrop
from emu.toolbox.users.script import digest_of, step_text

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """A step that was recorded.

    Attributes:
        look: the look at which it began.
        step: the step, as a script has it.
        comment: what to say beside it, or ""; a program may have put anything into it.
    """

    look: int
    step: dict[str, Any] = field(hash=False)
    comment: str = ""

    def line(self) -> str:
        """The step as a line of a script."""
        comment = f"  # {_one_line(self.comment)}" if self.comment else ""
        return f"  - {step_text(self.step)}{comment}"


@dataclass(frozen=True, slots=True)
class SavedScript:
    """The files of a recording.

    Attributes:
        name: the script's name, without a suffix.
        script: the text of the script.
        recording: the exact inputs, and what the session had done.
        pictures: pictures that the script compares with.
    """

    name: str
    script: str
    recording: Recording
    pictures: tuple[ScreenPicture, ...]

    @property
    def events(self) -> str:
        """The text of the file with the exact inputs. Of an hour of play it takes a second."""
        return events_text(self.recording)

    def write(self, folder: Path) -> Path:
        """Write the files into a folder; the script's path.

        Raises:
            UsageError: one of them cannot be written.
        """
        for picture in self.pictures:
            write_whole(folder / f"{picture.name}.png", picture.png, below=folder)
        write_whole(folder / events_name(self.name), self.events.encode(), below=folder)
        path = folder / f"{self.name}.yaml"
        write_whole(path, self.script.encode(), below=folder)
        return path


def save_script(
    name: str,
    mac: Macintosh,
    program: str,
    steps: Sequence[RecordedStep],
    recording: Recording,
    *,
    calls: int,
    pictures: Sequence[ScreenPicture] = (),
) -> SavedScript:
    """Make the files of a recording.

    Args:
        name: the script's name, without a suffix.
        mac: the Macintosh that was recorded.
        program: the SHA-256 of the program.
        steps: the steps.
        recording: the exact inputs, and what the session had done.
        calls: calls of the Toolbox before the last input.
        pictures: pictures that steps compare with.
    """
    inputs = recording.inputs
    dropped = [each.input.name for each in inputs if isinstance(each.input, FileDrop)]
    lines = [
        "schema: macproof.script/1",
        "recorded:  # delete this to have the steps done as they are read, not by exact inputs",
        f"  events: {json.dumps(events_name(name), ensure_ascii=False)}",
        f"  program: {program}",
        f"  machine: {json.dumps(machine_words(mac))}",
        f"  calls: {calls}",
        f"  steps: {digest_of([step.step for step in steps])}",
        f"  looks: {[step.look for step in steps]}",
        *(
            f"# The file {_one_line(file)} was put on the disk. Only the exact inputs have it: to "
            "have the steps done, put it into the folder of --folder."
            for file in dropped
        ),
        "steps:",
        *(step.line() for step in steps),
    ]
    text = "\n".join(lines) + "\n"
    return SavedScript(name, text, recording, tuple(pictures))


def _one_line(text: str) -> str:
    """A text as a comment of YAML can have it: the line may not end in it."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def events_name(name: str) -> str:
    """The name of the file with the exact inputs of a script."""
    return f"{name}.events.yaml"


def step_of(words: str) -> int | None:
    """The microseconds for each question for the time in what `machine_words` gave, if any."""
    found = re.search(r"clock calls ([1-9]\d{0,7}) us", words)
    return int(found[1]) if found else None


def machine_words(mac: Macintosh) -> str:
    """All of a Macintosh that decides what a program does at which look."""
    settings, clock = mac.settings, mac.clock
    step = f" {clock.step} us" if isinstance(clock, CallClock) else ""
    width, height = settings.screen
    return ", ".join(
        [
            mac.cpu.name,
            f"clock {clock.name}{step}",
            f"screen {width}x{height}",
            f"depth {settings.depth or 'usual'}",
            f"machine {settings.machine or 'usual'}",
            "blocks move" if settings.scramble else "blocks stay",
        ]
    )
