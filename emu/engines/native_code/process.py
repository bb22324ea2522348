"""The process of translated code: one for all programs of this process."""

from __future__ import annotations

import atexit
import contextlib
import functools
import importlib.util
import marshal
import mmap
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import ToolMissingError
from emu.engines.base.driven_process import DrivenProcess
from emu.engines.native_code.file_layout import HEADER, MOST_BYTES, OBJECTS_KEPT, PROGRAMS_KEPT
from emu.lift.native.call_loop import OVERTIME_SIGNAL
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.memory import layout
from emu.machine.memory.memory import PAGE
from emu.machine.memory.surroundings import Surroundings

SECONDS = 2.0
"""A call that takes longer is left to Unicorn."""

_TIMES_BY_CLOCK = 2  # a process that others keep from computing is waited for so much longer
_ROOT = str(Path(__file__).resolve().parents[3])
_STACKS_KEPT = 256  # 16 MB of them
_PROCESS_CLOCK = 2  # CPUCLOCK_SCHED: Linux tells another process's time by ~pid << 3 and this


@dataclass(frozen=True, slots=True, eq=False)
class ProgramLayout:
    """A program as the process lays it into memory.

    Attributes:
        regions: address, size, whether it can be written, and the first bytes of each region of
            memory; zeros are behind them.
        pieces: address, offset in an image and size of each region that is part of the image.
        start: the address at which a call begins.
        stack: the address of the stack.
        image: bytes of an image.
        shadow: an address and the shadow from there on, for each region, where code checks its
            accesses; none where it does not.
    """

    regions: tuple[tuple[int, int, bool, bytes], ...]
    pieces: tuple[tuple[int, int, int], ...]
    start: int
    stack: int
    image: int
    shadow: tuple[tuple[int, bytes], ...] = ()

    @property
    def record(self) -> np.dtype[Any]:
        """What a call begins with, and what it leaves.

        ``word`` is the number of the stack before the call, and the outcome after it; ``pc`` and
        ``site`` are as of `emu.lift.native.call_loop`.
        """
        return record_of(self.image)


@functools.lru_cache(maxsize=64)
def record_of(image: int) -> np.dtype[Any]:
    """`ProgramLayout.record` of a program with so many bytes of image."""
    fields = [("word", "i8"), ("pc", "i8"), ("site", "i8"), ("frame", "u1", layout.FRAME_SIZE)]
    return np.dtype([*fields, ("data", "u1", image)])


def _refusal(why: str) -> EngineRefusal:
    return EngineRefusal(
        f"translated code needs 42 GB of addresses, few of them with memory behind them: {why}. "
        "Raise the limit that ulimit -v shows, or use the engine unicorn"
    )


class TranslatedProcess:
    """A process that has translated code.

    Raises:
        EngineRefusal: this system cannot keep the process from the rest of the computer, or does
            not give it enough addresses.
        ToolMissingError: llvmlite is not installed.
    """

    def __init__(self) -> None:
        found = importlib.util.find_spec("llvmlite")
        if found is None or found.origin is None:
            raise ToolMissingError(
                "llvmlite is not installed, which the engine translated needs: pip install llvmlite"
            )
        paths = [_ROOT, str(Path(found.origin).parents[1])]
        start = f"import sys; sys.path[:0] = {paths!r}; from {_DRIVER} import main; main()"
        command = [sys.executable, "-I", "-S", "-c", start]
        self._driven = DrivenProcess(
            command, _TIMES_BY_CLOCK * SECONDS, byte_order=sys.byteorder, further=3, is_told=True
        )
        self.owner = os.getpid()
        self._is_closed = False
        atexit.register(self.close)
        try:
            self._map_files()
        except OSError as error:
            self.close()
            raise _refusal(str(error)) from error
        if self._driven.trouble:
            self.close()
            raise _refusal(f"the driver {self._driven.trouble}")
        self._known: dict[Surroundings, int] = {}
        self._objects: list[str] = []  # the oldest first, as the process has them
        self._laid: dict[tuple[ProgramLayout, str], int] = {}  # places, the latest last
        self.processor = bytes(self._made[HEADER : HEADER + 4096]).partition(b"\0")[0].decode()
        """The processor that objects are made for."""

    def _map_files(self) -> None:
        self._given = self._driven.calls.resized(MOST_BYTES)
        self._made = self._driven.made.resized(MOST_BYTES)
        stacks, marks, checks = self._driven.further
        size = layout.STACK_SIZE
        self._stacks = stacks.resized(MOST_BYTES)[: _STACKS_KEPT * size].reshape(_STACKS_KEPT, size)
        self.marks = marks.resized(MOST_BYTES)
        """The marks of blocks."""
        self.checks = checks.resized(MOST_BYTES)
        """What checks are given and have noted; see `emu.lift.shadow.layout`."""

    @property
    def has_ended(self) -> bool:
        """Whether it makes no calls any more."""
        return self._is_closed or self._driven.has_ended

    @property
    def seconds(self) -> float:
        """Its processor time in seconds; 0 if it has ended."""
        if not self.has_ended:
            with contextlib.suppress(OSError):  # it ends just now
                return time.clock_gettime(~self._driven.process.pid << 3 | _PROCESS_CLOCK)
        return 0.0

    def close(self) -> None:
        """End it, once."""
        atexit.unregister(self.close)
        if not self._is_closed:
            self._is_closed = True
            self._driven.close()

    def lay(self, program: ProgramLayout, name: str, content: bytes) -> str:
        """Lay a program into memory, unless it is there.

        Args:
            program: the program.
            name: stands for its object.
            content: the object.

        Returns:
            "", or why that is not possible.
        """
        if (program, name) in self._laid:
            self._laid[program, name] = self._laid.pop((program, name))
            return ""
        place = self._free_place(program)
        numbers = [program.start, program.stack, layout.STACK_SIZE, layout.FRAME_SIZE]
        numbers.append(program.record.itemsize)
        sent = b"" if name in self._objects else content
        lists = [list(each) for each in (program.regions, program.pieces, program.shadow)]
        why = self._order("program", (place, name, sent, *lists, numbers))
        if not why:
            self._laid[program, name] = place
            if sent:
                self._objects = [*self._objects, name][-OBJECTS_KEPT:]
        return why

    def _free_place(self, program: ProgramLayout) -> int:
        """A place for a program, from which what was there is dropped."""
        if program.shadow:  # all that have one have the same
            self._laid = {key: place for key, place in self._laid.items() if not key[0].shadow}
        if len(self._laid) == PROGRAMS_KEPT:
            return self._laid.pop(next(iter(self._laid)))
        return min(set(range(PROGRAMS_KEPT)).difference(self._laid.values()))

    @property
    def _present(self) -> tuple[ProgramLayout, int]:
        """The program that was laid last, and its place."""
        (program, _), place = next(reversed(self._laid.items()))
        return program, place

    def records_before(self, count: int) -> NDArray[np.void]:
        """The records that calls begin with."""
        return self._records(self._given, count)

    def records_after(self, count: int) -> NDArray[np.void]:
        """The records that calls have left."""
        return self._records(self._made[HEADER:], count)

    def _records(self, data: NDArray[np.uint8], count: int) -> NDArray[np.void]:
        record = self._present[0].record
        return data[: count * record.itemsize].view(record)

    def make(self, count: int, depth: int, seconds: float = SECONDS) -> tuple[int, str]:
        """Make the calls whose records are given.

        Args:
            count: how many.
            depth: the bytes of stack that they may use.
            seconds: the processor time that a call may take.

        Returns:
            How many were made; and why the next one was not, or "".
        """
        program, place = self._present
        ends_calls = not program.shadow  # see `driver`
        at, since, signalled = 0, self.seconds, -1

        def is_late() -> bool:
            nonlocal at, since, signalled
            if self._progress() > at:
                at, since = self._progress(), self.seconds
            if self.seconds - since <= seconds:
                return False
            if signalled == at or not ends_calls:
                return True
            signalled, since = at, self.seconds
            self._driven.process.send_signal(OVERTIME_SIGNAL)
            return False

        why = self._order("calls", (place, count, depth), is_late)
        return self._progress(), why

    def stack_numbers(self, surroundings: Sequence[Surroundings]) -> NDArray[np.int64]:
        """The numbers of the stacks that calls begin with."""
        contents = [around.contents for around in surroundings]
        known = self._known
        new = [around for around in dict.fromkeys(contents) if around not in known]
        if len(known) + len(new) > _STACKS_KEPT:
            known.clear()
            new = list(dict.fromkeys(contents))
        for around in new:
            self._stacks[len(known)] = around.stack
            known[around] = len(known)
        return np.array([known[around] for around in contents], np.int64)

    def _progress(self) -> int:
        return int(self._made[:8].view(np.int64)[0])

    def _order(
        self,
        what: str,
        arguments: tuple[Any, ...],
        is_late: Callable[[], bool] = lambda: False,
    ) -> str:
        message = marshal.dumps((what, arguments))
        self._made[:8] = 0
        length = len(message).to_bytes(8, sys.byteorder)
        return self._driven.order(length + message, self._progress, is_late)


_DRIVER = "emu.engines.native_code.driver"
_present: list[TranslatedProcess] = []


def translated_process() -> TranslatedProcess:
    """The process of this process; a new one if there is none that makes calls.

    Raises:
        EngineRefusal: this computer has larger pages than guest memory; or as of
            `TranslatedProcess`.
        ToolMissingError: as of `TranslatedProcess`.
    """
    if mmap.PAGESIZE != PAGE:
        raise EngineRefusal(
            f"this computer has pages of {mmap.PAGESIZE:,} bytes, and translated code needs "
            f"those of {PAGE:,} bytes that guest memory has. Use the engine unicorn"
        )
    while _present:
        if _present[0].owner == os.getpid():
            if not _present[0].has_ended:
                return _present[0]
            _present[0].close()
        _present.clear()  # that of a process that has forked is not ours to end
    _present.append(TranslatedProcess())
    return _present[0]


def seconds_of_translated() -> float:
    """Processor time, in seconds, of the process that executes translated code for this one."""
    if not _present or _present[0].owner != os.getpid():
        return 0.0
    return _present[0].seconds
