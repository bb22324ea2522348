"""Who acts in a run: a script is replayed by exact inputs where they hold, else by its steps."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from emu.base.files import read_at_most
from emu.program.mac_file.mac_file import host_files
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.users.events_file import Recording, read_events
from emu.toolbox.users.exact_user import ExactUser
from emu.toolbox.users.patient_user import PatientUser
from emu.toolbox.users.saved_script import machine_words
from emu.toolbox.users.script import Script, digest_of
from emu.toolbox.users.users import ScriptedUser

_LARGEST_PROGRAM = 1 << 30


@dataclass(frozen=True, slots=True)
class Replay:
    """Who acts in a run.

    Attributes:
        user: the user.
        words: "by exact inputs"; or "by its steps", with the reason if exact inputs are there; ""
            without a script.
    """

    user: PatientUser | ScriptedUser | ExactUser
    words: str


def replay_of(
    mac: Macintosh,
    script: Script | None,
    program: Path,
    *,
    may_be_exact: bool,
    compares: bool,
) -> Replay:
    """Choose who acts in a run.

    Args:
        mac: the Macintosh.
        script: the script; None for a patient user.
        program: the file of the program.
        may_be_exact: whether its exact inputs may be used at all.
        compares: whether an exact replay is compared with its session.

    Raises:
        CaseError: the file with the exact inputs cannot be read or is wrong.
        ProgramError: the program cannot be read.
    """
    if script is None:
        return Replay(PatientUser(mac), "")
    recorded = script.recorded
    if recorded is None:
        return Replay(ScriptedUser(mac, script), "by its steps")
    reason = "" if may_be_exact else "as both programs are to be given the same"
    if digest_of(script.steps) != recorded.steps or len(recorded.looks) != len(script.steps):
        reason = "as they were changed since they were recorded"
    elif machine_words(mac) != recorded.machine:
        reason = f"as they were recorded on another Macintosh ({recorded.machine})"
    elif program_digest(program) != recorded.program:
        reason = "as another program was recorded"
    if reason:
        return Replay(ScriptedUser(mac, script), f"by its steps, {reason}")
    recording = read_events(script.path.parent / recorded.events)
    if not compares:
        recording = Recording(recording.inputs)
    return Replay(ExactUser(mac, script, recorded, recording), "by exact inputs")


def program_digest(program: Path) -> str:
    """The SHA-256 of a program: of its name, its file, and every file that has a part of it.

    Raises:
        ProgramError: one of them cannot be read.
    """
    digest = hashlib.sha256(program.name.encode())  # a program may ask for its name
    for path in host_files(program):
        data = read_at_most(path, _LARGEST_PROGRAM, "a program")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
