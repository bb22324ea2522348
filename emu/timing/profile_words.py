"""Words for parts of a profile, used by its document and by the annotated source."""

from __future__ import annotations

from emu.base.printable import one_line
from emu.timing.profile_report import ProfiledProgram, ProfileReport, SourcePlace

NO_LINE = "(no line information)"
NO_SYMBOL = "(no symbol)"


def place_words(item: SourcePlace) -> str:
    """A place as "file:line", or words that say that there is none."""
    return f"{one_line(item.file)}:{item.line}" if item.file and item.line else NO_LINE


def share_words(part: float) -> str:
    """A share as a percentage. A small share is "<0.1%", never "0.0%"."""
    return "<0.1%" if 0 < part < 0.0005 else f"{100 * part:.1f}%"


def objects_words(report: ProfileReport) -> str:
    """The scenes of a profile in words."""
    scenes = report.scenes
    plural = "" if scenes.first.objects == 1 else "s"
    many = "1 scene" if scenes.count == 1 else f"{scenes.count} scenes"
    generator = one_line(scenes.first.generator)
    return (
        f"{many} of {scenes.first.objects} object{plural}, generator {generator}, "
        f"seeds from {scenes.first.seed}"
    )


def given_words(program: ProfiledProgram) -> str:
    """A warning about a program that macproof did not compile."""
    name = one_line(program.file)
    if not program.has_lines:
        return f"{name} was given as a binary."
    return (
        f"{name} was given as a binary. The source lines are those of the case; macproof does not "
        "know whether the program was compiled from them."
    )
