"""Runs the old program with a script, and tells where its functions and globals are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import MacproofError
from emu.machine.memory.memory import PAGE, MemoryRegion
from emu.port.original.frames import Frames, frames_of
from emu.port.project.project import Project
from emu.program.declarations.places import find_place
from emu.program.functions.program_memory import ProgramMemory
from emu.program.whole_program import read_whole_program
from emu.runner.loaded_places import LoadedPlaces, moved_address
from emu.runner.runner import make_clock
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import OutOfTimeError
from emu.toolbox.guest.layout import GRAFTS, SHADOW
from emu.toolbox.loader import load
from emu.toolbox.users.patient_user import PatientUser
from emu.toolbox.users.script import Script
from emu.toolbox.users.users import ScriptedUser

_PLAIN = re.compile(r"0x[0-9A-Fa-f]+")
_LOADING = ("LoadSeg", "GetResource", "LoadResource", "UnloadSeg")


_AFTER_SCRIPT = 1000
"""How often a program may look for an event after the last step of its script."""
PLAIN_SETTINGS = Settings(scramble=False, timeout=600.0)
"""Blocks of the heap stay where they are; a run may take ten minutes."""


@dataclass(frozen=True, slots=True)
class SessionTerms:
    """Which program is run, and how.

    Attributes:
        original: the program's file.
        cpu: the processor's name.
        settings: see `Settings`; blocks of the heap stay where they are unless it says otherwise.
        step: microseconds that pass at each question for the time.
    """

    original: Path
    cpu: str
    settings: Settings = PLAIN_SETTINGS
    step: int = 12_000

    @classmethod
    def of(cls, project: Project, settings: Settings = PLAIN_SETTINGS) -> SessionTerms:
        """How the old program of a port is run, with its disk."""
        return cls(project.original, project.cpu, replace(settings, folder=project.disk))


class _LeavingUser(ScriptedUser):
    """Does a script's steps, and then waits for a while for the program to end.

    A program that draws while it waits, as a caret that blinks, would be waited for until the run
    has no more time.
    """

    _looks = 0

    def act(self) -> bool:
        """Go on with the script; see `ScriptedUser.act`.

        Raises:
            GuestStopped: the script is done, and the program does not end.
        """
        if super().act():
            return True
        self._looks += 1
        if self._looks > _AFTER_SCRIPT:
            raise self._mac.host.stopped(
                f"the script is done, and the program has not ended: it has looked for an event "
                f"{self._looks:,} times since"
            )
        return False


class Session:
    """An old program in memory, which can be run with a script.

    Args:
        terms: the program, and how it is run.
        script: what the user does; None for a patient user.

    Attributes:
        mac: the Macintosh with the program.
        program: the program as it is in its file.
        frames: reads calls off the processor.
        regions: the memory that recordings keep, by address.
        pages: the addresses of its pages.

    Raises:
        ProgramError: the file is damaged, or no application for the processor.
        CaseError: the script is wrong.
        UsageError: it needs more memory than there is.
    """

    def __init__(self, terms: SessionTerms, script: Path | None = None) -> None:
        self.terms = terms
        self.mac = load(
            terms.original,
            terms.cpu,
            settings=terms.settings,
            clock=make_clock("calls", terms.step),
            has_grafts=True,
        )
        architecture = self.mac.cpu.architecture
        self.program = read_whole_program(terms.original, architecture)
        self._script = Script(script) if script is not None else None
        self.user: ScriptedUser | PatientUser = (
            _LeavingUser(self.mac, self._script) if self._script else PatientUser(self.mac)
        )
        self.mac.events.user = self.user
        self.frames: Frames = frames_of(self.mac.engine, architecture)
        self._loaded = LoadedPlaces(self.program, self.mac)
        self._moves = self._loaded.moves()
        self._memory = ProgramMemory(self.program)
        self._entries = {leads_to: entry for entry, leads_to in self._memory.jumps.items()}
        self._addresses: dict[str, int] = {}
        self.regions: tuple[MemoryRegion, ...] = tuple(
            region for region in self.mac.engine.memory.regions if region not in (SHADOW, GRAFTS)
        )
        self.pages: NDArray[np.int64] = np.concatenate(
            [np.arange(region.address, region.end, PAGE) for region in self.regions]
        )

    # -- places ------------------------------------------------------------------------------------

    def address_of(self, place: str) -> int | None:
        """Where a place of the program is now; None while its segment is not in memory.

        Raises:
            ProgramError: there is no such place.
        """
        address = self._in_file(place)
        return address if _PLAIN.fullmatch(place) else moved_address(self._moves, address)

    def entry_of(self, place: str) -> int | None:
        """Where a function can be called now; None if it cannot.

        While its segment is not in memory, that is its entry in the jump table, which loads it.
        """
        address = self.address_of(place)
        if address is not None:
            return address
        return moved_address(self._moves, self._entries.get(self._in_file(place), -1))

    def pointer_to(self, place: str) -> int | None:
        """The function's entry in the jump table, which pointers lead to; None if it has none."""
        entry = self._entries.get(self._in_file(place))
        if entry is None:
            return None
        return entry - self.program.registers["a5"] + self.mac.layout.a5

    @property
    def data(self) -> tuple[range, ...]:
        """Where the program's globals are."""
        return tuple(
            range(start, start + move.segment.size)
            for move in self._moves
            if move.segment.writable and not move.segment.executable
            for start in [move.segment.address + move.distance]
        )

    def _in_file(self, place: str) -> int:
        """The address of a place in the program as it is in its file."""
        address = self._addresses.get(place)
        if address is None:
            is_plain = _PLAIN.fullmatch(place)
            address = int(place, 16) if is_plain else find_place(self.program, place)
            self._addresses[place] = address  # a replay asks for it each time
        return address

    def segments(self) -> dict[str, int]:
        """The address of each segment of the program that is in memory, by its place."""
        return {
            self._memory.place(move.segment.address): move.segment.address + move.distance
            for move in self._moves
            if move.segment.executable
        }

    def place_of(self, address: int) -> str:
        """An address of this run as a place of the program; "" if it is nowhere in it."""
        in_file = self.address_in_file(address)
        return "" if in_file is None else self._memory.place(in_file)

    def address_in_file(self, address: int) -> int | None:
        """An address of this run in the program as it is in its file; None if it is not in it."""
        for move in self._moves:
            if move.segment.address <= address - move.distance < move.segment.end:
                return address - move.distance
        return None

    def segment_of(self, place: str, address: int) -> range:
        """The addresses of the segment of a function, given where the function is."""
        start = self._in_file(place)
        for segment in self.program.segments:
            if segment.address <= start < segment.end:
                first = address - (start - segment.address)
                return range(first, first + segment.size)
        return range(0)

    def follow(self, look: Callable[[], None]) -> None:
        """Call a function now, and whenever segments of the program may have come or gone."""

        def moved() -> None:
            self._moves = self._loaded.moves()
            look()

        for name in _LOADING:
            self.mac.after[name] = _both(self.mac.after.get(name), moved)
        self.mac.code_resources.before_call = self._after_loading(moved)
        moved()

    def _after_loading(self, moved: Callable[[], None]) -> Callable[[], None]:
        """The same if a routine of the Toolbox has loaded a code resource by itself."""

        def look() -> None:
            if self._loaded.moves() != self._moves:
                moved()

        return look

    # -- running -----------------------------------------------------------------------------------

    def run(self) -> str:
        """Run the program; why it could not go on, or "" if it came to its end."""
        try:
            self.mac.run()
        except OutOfTimeError as error:
            problem, user = str(error), self.user
            return user.end_of_time(problem) if isinstance(user, ScriptedUser) else problem
        except MacproofError as error:
            return str(error)
        if isinstance(self.user, ScriptedUser) and not self.user.finished:
            return f"it ended before step {self.user.steps_done + 1} of the script was done"
        return ""

    def patches(self) -> dict[int, int]:
        """The program's own routines for traps, by the number of the trap."""
        return dict(self.mac.dispatcher.patches)

    def take_patches(self, patches: dict[int, int]) -> None:
        """Have traps answered by routines of the program."""
        dispatcher = self.mac.dispatcher
        dispatcher.patches = patches
        if isinstance(dispatcher, M68kDispatcher):
            dispatcher.needs_a5 = False  # what was drawn in was decided when it was recorded


def _both(first: Callable[[], None] | None, second: Callable[[], None]) -> Callable[[], None]:
    def both() -> None:
        if first is not None:
            first()
        second()

    return both
