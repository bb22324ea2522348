"""Words for parts of a profile, the same in its document and in the annotated page."""

from __future__ import annotations

from emu.base.printable import one_line
from emu.timing.profile_report import ProfiledProgram, ProfileReport, SourcePlace

NO_LINE = "(no line information)"
NO_SYMBOL = "(no symbol)"


def place_words(item: SourcePlace) -> str:
    """File and line of something that has them, or has not."""
    return f"{one_line(item.file)}:{item.line}" if item.file and item.line else NO_LINE


def share_words(part: float) -> str:
    """A share as a percentage; what is there is never shown as nothing."""
    return "<0.1%" if 0 < part < 0.0005 else f"{100 * part:.1f}%"


def objects_words(report: ProfileReport) -> str:
    """Which scenes."""
    scenes = report.scenes
    plural = "" if scenes.objects == 1 else "s"
    many = "1 scene" if scenes.count == 1 else f"{scenes.count} scenes"
    generator = one_line(scenes.generator)
    return (
        f"{many} of {scenes.objects} object{plural}, generator {generator}, "
        f"seeds from {scenes.seed}"
    )


def given_words(program: ProfiledProgram) -> str:
    """What is not known of a program that was not compiled here."""
    name = one_line(program.file)
    if not program.has_lines:
        return f"{name} is run as it is."
    return (
        f"{name} is run as it is. Source lines are those of the case, and whether it was compiled "
        "from them is not known."
    )
