"""Plays a script on the old program, or on it with new functions, and keeps what it did."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.port.hybrid.call_comparison import CallComparison, CallTexts, OtherCall
from emu.port.hybrid.callers import Callers
from emu.port.hybrid.placement import Placement, PortParts
from emu.port.original.session import Session, SessionTerms
from emu.program.functions.model import ProgramFunctions
from emu.toolbox.computer.outputs import ScreenPicture

_WITHIN = 20
"""How many times as long as the old program the hybrid may take, besides `_AT_LEAST` seconds."""
_AT_LEAST = 10.0


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
class Played:
    """What a run has done.

    Attributes:
        end: why it could not go on; "" if it came to its end and the script was done.
        calls: its calls of the Toolbox.
        other_call: the first one that is another than in the run it was compared with, or None.
        text: what it has written to its console, or drawn.
        pictures: of windows that were closed, and those that the script asked for.
        screen: the screen at the end.
        files: the files that it has written.
        globals: its globals at the end.
        seconds: the processor time of the program and of the Toolbox.
        entered: the new functions that have run.
        too_short: those that could not be put in the place of the old ones.
        remarks: what a user has to know of new functions, a sentence each.
    """

    end: str
    calls: tuple[CallTexts, ...] = field(repr=False)
    other_call: OtherCall | None
    text: str = field(repr=False)
    pictures: tuple[ScreenPicture, ...]
    screen: bytes = field(repr=False)
    files: Mapping[str, bytes]
    globals: tuple[Globals, ...]
    seconds: float
    entered: frozenset[str] = frozenset()
    too_short: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """On what scripts are played.

    Attributes:
        terms: the old program, and how it is run.
        functions: its functions.
        parts: its port.
    """

    terms: SessionTerms
    functions: ProgramFunctions
    parts: PortParts


def play_original(stage: Stage, script: Path | None) -> Played:
    """Play a script on the old program.

    Raises:
        ProgramError, CaseError, UsageError: as of `Session`.
    """
    session = Session(stage.terms, script)
    return _play(session, CallComparison(session, None, lambda: ""), None)


def play_hybrid(
    stage: Stage, script: Path | None, names: Collection[str], original: Played
) -> Played:
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
    placement = Placement(session, stage.parts, names)
    callers = Callers(session, stage.functions, placement)
    comparison = CallComparison(session, original.calls, callers.caller)
    return _play(session, comparison, placement)


def _play(session: Session, comparison: CallComparison, placement: Placement | None) -> Played:
    linked = placement.seconds if placement is not None else 0.0
    began = time.process_time()
    end = session.run()
    seconds = time.process_time() - began - comparison.seconds
    mac = session.mac
    memory = mac.engine.memory
    screen = memory.region("screen")
    played = Played(
        end,
        tuple(comparison.calls),
        comparison.difference,
        mac.text_so_far(),
        tuple(mac.outputs.pictures),
        memory.view(screen.address, screen.size).tobytes(),
        mac.files.changed_files(),
        tuple(Globals(p.start, memory.view(p.start, len(p)).tobytes()) for p in session.data),
        seconds,
    )
    if placement is None:
        return played
    return replace(
        played,
        other_call=comparison.difference or (comparison.missing() if not end else None),
        seconds=seconds - (placement.seconds - linked),
        entered=frozenset(placement.entered()),
        too_short=placement.too_short,
        remarks=tuple(dict.fromkeys(r for graft in placement.grafts for r in graft.remarks)),
    )
