"""Writes the Read Me on a disk, for TeachText and SimpleText.

The file has type TEXT and creator ttxt. Its text is MacRoman with CR line ends, and shorter than
the 32,767 characters that TextEdit holds. A paragraph is one line, since TeachText wraps lines.
"""

from __future__ import annotations

from collections.abc import Sequence

from emu.disk.contents import APPLICATION, DiskFile

NAME = "Read Me"

PORT_CHECK = "PortCheck"
"""The names of programs that measure begin with this."""

_RESULTS = "PortCheck Results"
_MOST_LISTED = 100


def make_readme(files: Sequence[DiskFile]) -> DiskFile:
    """Make the Read Me for a disk with these files."""
    text = "\r".join(_paragraphs(files)) + "\r"
    return DiskFile(NAME, "TEXT", "ttxt", 0, text.encode("mac_roman"), b"")


def measures(files: Sequence[DiskFile]) -> bool:
    """Whether PortCheck is among the files; it needs a file of scenes beside it."""
    return any(file.type == APPLICATION and file.name.startswith(PORT_CHECK) for file in files)


def _paragraphs(files: Sequence[DiskFile]) -> list[str]:
    programs = [file for file in files if file.type == APPLICATION]
    lines = ["This disk was made by macproof.", ""]
    lines += [f"\u2022 {_line(file)}" for file in programs[:_MOST_LISTED]]
    if len(programs) > _MOST_LISTED:
        lines.append(f"and {len(programs) - _MOST_LISTED} more programs.")
    lines.append("")
    if measures(files):
        lines += [
            f"{PORT_CHECK} runs every routine of the kit on the scenes beside it, times them, and "
            f"writes a file named {_RESULTS}. Copy {PORT_CHECK} and its scenes to a hard disk if "
            "this disk is locked or full.",
            "",
            f"To have the results checked, bring the file {_RESULTS} to the computer that this "
            "disk came from. It is plain text: a shared folder, a disk image or a modem will do. "
            "There say",
            "",
            f'    macproof results "{_RESULTS}"',
            "",
        ]
    lines += [
        "A program for 68K runs on every Mac with System 6.0.8 or later if it asks for no more "
        "than that Mac has; a program for PowerPC needs a Power Macintosh or an emulator of one.",
        "",
        "These programs have been run by macproof, which has no ROM and no System of Apple's. If "
        "one misbehaves on a real Mac, the Mac is right.",
    ]
    return lines


def _line(file: DiskFile) -> str:
    kind = " and ".join(file.processors) or "unknown processor"
    kilobytes = -(-(len(file.data) + len(file.resource_fork)) // 1024)
    return f"{file.name} ({kind}, {kilobytes}K)"
