"""Writes the settings with which an emulator mounts our disk, and says what its user must supply.

macproof contains no ROM and no System and does not search for them: the user gives their paths. A
line whose path was not given is written as a comment. None of this has been tried with real ROMs.

Sources: Mini vMac's pages (gryphel.com/c/minivmac) and its manual page in Arch Linux
(``minivmac [disk_image_path...] [-r rom_file_path]``); Basilisk II's README, prefs_items.cpp and
prefs.cpp of BasiliskII and SheepShaver in cebix/macemu. A preferences file has a line for each
item, "keyword value"; lines that begin with # or ; are comments; a line is read into 256 bytes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import UsageError
from emu.disk.contents import DiskFile

MARK = "# Written by macproof disk"
"""The first line of every preferences file that macproof writes; the file is recognised by it."""

_LONGEST_LINE = 254  # bytes, without the line end and the final zero byte
_UNTRIED = "None of this has been tried by us with a real ROM and System."


@dataclass(frozen=True, slots=True)
class Emulator:
    """An emulator that macproof knows how to point at a disk.

    Attributes:
        name: its usual name.
        processor: the processor that it emulates, "68K" or "PowerPC".
        program: its program's usual name.
        settings: lines of its preferences file other than paths; empty if it only takes arguments.
        supply: sentences that say what the user must supply.
    """

    name: str
    processor: str
    program: str
    settings: tuple[tuple[str, str], ...]
    supply: tuple[str, ...]

    @property
    def shares(self) -> bool:
        """Whether it can mount a folder of the host; the emulators with preferences files can."""
        return bool(self.settings)


EMULATORS = {
    "minivmac": Emulator(
        "Mini vMac",
        "68K",
        "minivmac",
        (),
        (
            "A ROM of a Macintosh Plus, for the standard variation of Mini vMac: a file named "
            "vMac.ROM beside the program, or given with --rom.",
            "A disk image with a System that starts a Macintosh Plus (System 6.0.8 to 7.5.5).",
        ),
    ),
    "basilisk": Emulator(
        "Basilisk II",
        "68K",
        "BasiliskII",
        (
            ("ramsize", str(16 << 20)),
            ("screen", "win/640/480"),
            ("modelid", "5"),  # a Macintosh IIci
            ("cpu", "3"),  # a 68030
        ),
        (
            "A ROM of a 68K Macintosh of 512K or 1 MB, such as that of a IIci or a Quadra.",
            "A disk image with a System for that Macintosh (System 7.0 to 8.1). A shared folder "
            "needs System 7.5 or later, or the File System Manager 1.2. Mac OS 8 needs "
            "modelid 14.",
        ),
    ),
    "sheepshaver": Emulator(
        "SheepShaver",
        "PowerPC",
        "SheepShaver",
        (("ramsize", str(64 << 20)), ("screen", "win/640/480")),
        (
            "A ROM of a Power Macintosh: an Old World ROM of 4 MB, or a New World ROM file "
            "(Mac OS ROM) for Mac OS 8.5 to 9.0.4.",
            "A disk image with a System for that Macintosh (Mac OS 7.5.2 to 9.0.4).",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Mounts:
    """The disks and folders that an emulator shall mount.

    Attributes:
        image: our disk image, if one was made.
        folder: our shared folder, if one was made.
        rom: the user's ROM, if it was given.
        system: the user's disk image with a System, if it was given.
    """

    image: Path | None = None
    folder: Path | None = None
    rom: Path | None = None
    system: Path | None = None


def preferences(emulator: Emulator, mounts: Mounts) -> bytes:
    """The text of an emulator's preferences file.

    Raises:
        UsageError: the emulator has no preferences file, or a path does not fit into a line.
    """
    if not emulator.settings:
        raise UsageError(f"{emulator.name} has no preferences file: it takes disks as arguments")
    lines = [
        os.fsencode(f"{MARK}, for {emulator.name}: {emulator.program} --config THIS-FILE"),
        os.fsencode(f"# {_UNTRIED}"),
    ]
    lines += [
        _path_line("rom", mounts.rom) if mounts.rom else b"# rom (path of your ROM)",
        # The emulator starts from the first volume with a System, so the user's disk comes first.
        _path_line("disk", mounts.system) if mounts.system else b"# disk (path of your System)",
    ]
    if mounts.image:
        lines.append(_path_line("disk", mounts.image))
    if mounts.folder:
        lines.append(_path_line("extfs", mounts.folder))
    lines += [f"{keyword} {value}".encode() for keyword, value in emulator.settings]
    return b"\n".join(lines) + b"\n"


def command_line(emulator: Emulator, mounts: Mounts, preferences_file: Path | None = None) -> str:
    """The shell command that starts the emulator; the user replaces the words in capitals."""
    if emulator.settings:
        file = "PREFS" if preferences_file is None else shlex.quote(os.fspath(preferences_file))
        return f"{emulator.program} --config {file}"
    words = [emulator.program]
    if mounts.rom:
        words += ["-r", shlex.quote(os.fspath(mounts.rom))]
    words.append(shlex.quote(os.fspath(mounts.system)) if mounts.system else "SYSTEM.dsk")
    if mounts.image:
        words.append(shlex.quote(os.fspath(mounts.image)))
    return " ".join(words)


def advice(emulator: Emulator, mounts: Mounts, files: Sequence[DiskFile]) -> list[str]:
    """Lines of text that say what the user must supply and know."""
    given = (mounts.rom, mounts.system)
    lines = [
        f"You supply: {text}"
        for text, path in zip(emulator.supply, given, strict=True)
        if path is None
    ]
    programs = [file for file in files if file.processors]
    foreign = [file.name for file in programs if emulator.processor not in file.processors]
    # A Power Macintosh emulates the 68K itself.
    if emulator.processor == "68K" and foreign:
        names = ", ".join(foreign)
        lines.append(f"{emulator.name} has no PowerPC, so these do not run there: {names}")
    if mounts.folder and not emulator.shares:
        lines.append(f"{emulator.name} shares no folder; it mounts the image alone.")
    lines.append(_UNTRIED)
    return lines


def _path_line(keyword: str, path: Path) -> bytes:
    line = f"{keyword} ".encode() + os.fsencode(path.absolute())
    if b"\n" in line or b"\r" in line:
        raise UsageError(f"{str(path)!r} has a line end in its name, and preferences have lines")
    if len(line) > _LONGEST_LINE:
        raise UsageError(
            f"{path.absolute()} is too long: a line of the preferences has {_LONGEST_LINE} bytes"
        )
    return line
