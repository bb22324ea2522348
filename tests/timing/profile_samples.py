"""A profile made up for a purpose: of a source that would like to be more than text."""

from __future__ import annotations

from pathlib import Path

from emu.cases.case import Case
from emu.cases.programs.source_texts import SourceTexts
from emu.cases.programs.subject import Subject
from emu.cycles.base.model import ASSUMPTION, MANUAL, Source
from emu.cycles.m68k.mc68040 import Mc68040
from emu.cycles.profile import FunctionCost, InstructionCost, LineCost, Profile
from emu.timing.predict import TimedProgram, TimingPlan
from emu.timing.profile_report import ProfileReport, make_profile_report
from emu.timing.profiling import ProgramProfile
from emu.toolchain.programs.gcc import BuiltProgram

HOSTILE = '</pre><script>alert("x")</script><img src=http://example.invalid/x onerror=a()>'
HOSTILE_NAME = '<b onclick="a()">\x1b[31m\u202ef</b>'
TEXT = ("int f()", f"// {HOSTILE}", "    return 1;", "never();")


def sample_profile(*, file: str = "a.c") -> Profile:
    """100 cycles: 60 on line 3, 30 on line 2, 10 of which nothing is known."""
    manual, guess = Source(MANUAL, f"a manual {HOSTILE}"), Source(ASSUMPTION, "a guess")
    line = (0x1004, f"rts {HOSTILE}", "rts", guess, HOSTILE_NAME, 4, (file, 2), 2.0, 30.0)
    code = (
        InstructionCost(
            0x1000, "moveq #1, d0", "moveq", manual, HOSTILE_NAME, 0, (file, 3), 2.0, 60.0
        ),
        InstructionCost(*line),
        InstructionCost(0x2000, "nop", "nop", manual, None, 0, ("", 0), 1.0, 10.0),
    )
    return Profile(
        calls=3,
        cycles=100.0,
        instructions=5.0,
        functions=(
            FunctionCost(HOSTILE_NAME, 0x1000, 2.0, 4.0, 90.0, 45.0, 0.9),
            FunctionCost(None, None, 0.0, 1.0, 10.0, None, 0.1),
        ),
        lines=(
            LineCost((file, 3), 2.0, 2.0, 60.0),
            LineCost((file, 2), 2.0, 2.0, 30.0),
            LineCost(("", 0), 1.0, 1.0, 10.0),
        ),
        code=code,
        never=frozenset({(file, 4)}),
    )


def sample_report(
    case: Case, folder: Path, texts: SourceTexts, profile: Profile | None = None
) -> ProfileReport:
    """A report of it, as of a program of the 68040 at 20 MHz."""
    path = folder / "program"
    path.write_bytes(b"a program")
    built = BuiltProgram(
        path, "68040", "O1", "a compiler <1>", ("-O1", "-D'<i>'"), "", "compiled", ""
    )
    one = ProgramProfile(
        TimedProgram(Subject("68040", "O1", path), "a.c"),
        built,
        Mc68040(),
        20.0,
        profile or sample_profile(),
        has_lines=True,
    )
    plan = TimingPlan("uniform", (5, 9), 3, 1)
    command = ["macproof", "timing", HOSTILE]
    return make_profile_report(case, plan, [one], texts, command=command)
