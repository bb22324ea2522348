"""Plays a script on the old program, or on it with new functions, and keeps what it did."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.base.errors import MacproofError
from emu.port.hybrid.call_comparison import CallComparison, CallTexts
from emu.port.hybrid.callers import Callers
from emu.port.hybrid.placement import HybridPlacement
from emu.port.original.session import Session, SessionTerms
from emu.port.verify.build import PortBuild
from emu.program.functions.model import ProgramFunctions
from emu.toolbox.computer.outputs import ScreenPicture
from emu.toolbox.users.users import ScriptedUser

_WITHIN, _AT_LEAST = 20, 10.0
"""A hybrid may take so many times the time of the old program, and so many seconds besides."""


@dataclass(frozen=True, slots=True)
class HybridStage:
    """On what scripts are played.

    Attributes:
        terms: the old program, and how it is run.
        functions: its functions.
        port: its port, compiled.
    """

    terms: SessionTerms
    functions: ProgramFunctions
    port: PortBuild


@dataclass(frozen=True, slots=True)
class Globals:
    """A part of the old program's globals as a run has left it.

    Attributes:
        start: its address.
        content: its bytes.
    """

    start: int
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class HybridPlay:
    """What a run has done.

    Attributes:
        end: why it could not go on, in a line; "" if it came to its own end.
        is_whole: whether all steps of the script were done; then a program may wait for more.
        calls: its calls of the Toolbox.
        text: what it has written to its console, or drawn.
        pictures: of windows that were closed, and those that the script asked for.
        screen: the screen at the end.
        files: the files that it has written.
        globals: its globals at the end.
        seconds: the processor time of the program and of the Toolbox.
    """

    end: str
    is_whole: bool
    calls: tuple[CallTexts, ...] = field(repr=False)
    text: str = field(repr=False)
    pictures: tuple[ScreenPicture, ...]
    screen: bytes = field(repr=False)
    files: Mapping[str, bytes]
    globals: tuple[Globals, ...]
    seconds: float


def play_original(stage: HybridStage, script: Path) -> HybridPlay:
    """Play a script on the old program.

    Raises:
        ProgramError, CaseError, UsageError: as of `Session`.
    """
    session = Session(stage.terms, script)
    session.follow(lambda: None)  # both runs name addresses in segments that come later
    return _play(session, CallComparison(session, None, lambda: ""))


@dataclass(frozen=True, slots=True, eq=False)
class HybridRun:
    """A run of the old program with new functions, and what it ran in.

    Attributes:
        session: the program, which has come to its end.
        placement: the new functions in it.
        comparison: its calls of the Toolbox beside those of the old program.
        played: what it has done.
    """

    session: Session
    placement: HybridPlacement
    comparison: CallComparison
    played: HybridPlay


def play_hybrid(
    stage: HybridStage, script: Path, names: Collection[str], original: HybridPlay
) -> HybridRun:
    """Play a script on the old program with new functions in the place of old ones.

    It ends at the first call of the Toolbox that the old program does not make.

    Args:
        stage: the program and its port.
        script: what the user does.
        names: the functions that are new.
        original: what the old program did.

    Raises:
        ProgramError, CaseError, UsageError: as of `Session` and `build_graft`.
    """
    seconds = min(stage.terms.settings.timeout, _AT_LEAST + _WITHIN * original.seconds)
    settings = replace(stage.terms.settings, timeout=seconds)
    session = Session(replace(stage.terms, settings=settings), script)
    placement = HybridPlacement(session, stage.port, stage.functions, names)
    callers = Callers(session, stage.functions, placement)
    comparison = CallComparison(session, original.calls, callers.caller)
    linked = placement.seconds
    played = _play(session, comparison)
    if placement.problem is not None:
        raise placement.problem
    seconds = played.seconds - (placement.seconds - linked)
    return HybridRun(session, placement, comparison, replace(played, seconds=seconds))


def _play(session: Session, comparison: CallComparison) -> HybridPlay:
    began = time.process_time()
    end = session.run()
    seconds = time.process_time() - began - comparison.seconds
    mac, memory = session.mac, session.mac.engine.memory
    if end:
        with contextlib.suppress(MacproofError):  # the window list may be broken
            mac.windows.finish()
    screen = memory.region("screen")
    return HybridPlay(
        end.partition("\n")[0],  # registers follow
        isinstance(session.user, ScriptedUser) and session.user.finished,
        tuple(comparison.calls),
        mac.text_so_far(),
        tuple(mac.outputs.pictures),
        memory.view(screen.address, screen.size).tobytes(),
        mac.files.changed_files(),
        tuple(Globals(p.start, memory.view(p.start, len(p)).tobytes()) for p in session.data),
        seconds,
    )
