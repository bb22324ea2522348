"""Runs functions from recorded moments, at thousands of calls a second.

Only pages that a call has touched are compared and restored. The engine asks for each page when it
is first accessed, and that is how they are known: small functions touch four to twelve.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import GuestError, UsageError
from emu.machine.engine.stops import StopKind
from emu.machine.engine.watch.access_log import AccessLog
from emu.machine.engine.watch.edges import EdgeCounter
from emu.machine.memory.memory import PAGE
from emu.port.original.session import Session, SessionTerms
from emu.port.recording.store import RecordedCall, RecordedRun, RecordingStore
from emu.port.recording.toolbox_calls import OtherToolboxCallError, is_arithmetic
from emu.port.replay.toolbox_replay import ToolboxReplay
from emu.program.model.types import EXTENDED_96
from emu.program.model.wide_floats import Extended
from emu.toolbox.guest.findings import ProgramExit
from emu.toolbox.guest.layout import GRAFTS
from emu.toolbox.macintosh import Call, Perform

MOST_CODE = 500_000_000
"""After so many bytes of code, about a second, a call is given up. The limit is no time: a verdict
is the same on a busy computer."""
_LONGER, _SHORTEST = 20, 10_000_000
_MOST_STOPS = 20_000
"""So often a call may need Python: for the Toolbox, and for errors of the processor."""
DEAD_STACK = 6000
"""The bytes below the stack pointer that are filled with junk before a call."""
JUNK_WORDS = (0x5AA5_C33C, 0xA55A_3CC3)
_JUNK = tuple(np.full(DEAD_STACK // 4 + 2, word, dtype=">u4").view(np.uint8) for word in JUNK_WORDS)

_END_68K = bytes.fromhex("f2276800 4fef000c 4ef9")
"""FMOVE.X FP0,-(A7); LEA 12(A7),A7; JMP: Unicorn does not give FP0, so the guest stores it."""
_END_SIZE = 32

RETURNED, FAULT, TOO_LONG, OTHER_CALL = "returned", "fault", "too long", "other call"


@dataclass(frozen=True, slots=True)
class ReplayOutcome:
    """What a function has left.

    Attributes:
        end: `RETURNED`; or why it did not: `FAULT`, `TOO_LONG`, `OTHER_CALL`.
        reason: that in words.
        registers: all registers after it, by the engine's numbers.
        float_result: the register of floating-point results: of a double on the PowerPC, of 80 bits
            on a 68K.
        pages: the pages that it has changed, by the index of the page.
        code: how many bytes of code it has executed.
    """

    end: str
    reason: str
    registers: tuple[int, ...]
    float_result: float | Extended
    pages: Mapping[int, NDArray[np.uint8]]
    code: int = 0

    @property
    def returned(self) -> bool:
        """Whether the function has come to its end."""
        return self.end == RETURNED


def code_limit(code: float) -> int:
    """How much code a call may execute that should do what another one did.

    Args:
        code: how many bytes of code the other one executed.
    """
    return int(max(_SHORTEST, _LONGER * code))


class Replayer:
    """A Macintosh in which recorded calls are made again.

    Args:
        terms: the program and how it was run when it was recorded.
        store: the recordings.

    Attributes:
        session: the program in memory; it is never run by itself.
        on_watched: is called when the guest has come to a watched instruction.
        is_abandoned: whether the call under way is given up at the next stop.
        on_toolbox: is called before each call of the Toolbox that is compared, with its name and
            arguments.
    """

    def __init__(self, terms: SessionTerms, store: RecordingStore) -> None:
        self.session = Session(terms)
        self._store = store
        self._mac = self.session.mac
        self._engine = self._mac.engine
        self._memory = self._engine.memory
        self._starts = (self.session.pages - self._memory.base).tolist()
        self._index = {int(page): n for n, page in enumerate(self.session.pages)}
        self._held: NDArray[np.int64] = np.full(len(self._starts), -1, dtype=np.int64)
        self._toolbox: ToolboxReplay | None = None
        self._changed: set[int] = set()
        self._frames = self.session.frames
        self._is_powerpc = self._mac.cpu.architecture == "powerpc"
        self.on_watched: Callable[[], None] = lambda: None
        self.is_abandoned = False
        self.on_toolbox: Callable[[str, Sequence[Any]], None] = lambda name, arguments: None
        self._mac.interpose(self._conduct)
        self._end = self._engine.sentinel
        if self._mac.cpu.has_fpu and not self._is_powerpc:
            self._end = GRAFTS.end - _END_SIZE
            self._memory.write(self._end, _END_68K + self._engine.sentinel.to_bytes(4, "big"))
        self._grafts = self._memory.view(GRAFTS.address, GRAFTS.size).copy()
        data = (r for r in self.session.regions if r.name.startswith("section "))
        self._constants = [range(r.address, r.end) for r in data]

    def twin(self) -> Replayer:
        """Another Macintosh in which the same calls can be made."""
        twin = Replayer(self.session.terms, self._store)
        twin.copy_graft(self)
        return twin

    def copy_graft(self, other: Replayer) -> None:
        """Have the new functions that another one has."""
        self.put_graft(GRAFTS.address, other._grafts[:-PAGE].tobytes())

    def count_edges(self) -> EdgeCounter:
        """Count the edges of each call from now on; to be called before any call.

        Raises:
            ToolMissingError: llvmlite is not installed.
        """
        edges, _ = self._engine.count_edges()
        edges.expect_prices(np.inf, 1.0)
        return edges

    def log_accesses(self) -> AccessLog:
        """Log the accesses of all calls from now on; to be called before any call.

        Raises:
            ToolMissingError: llvmlite is not installed.
        """
        return self._engine.log_accesses()

    def runs(self) -> list[RecordedRun]:
        """The runs that have been recorded."""
        return self._store.runs()

    # -- memory ------------------------------------------------------------------------------------

    def put_graft(self, address: int, image: bytes) -> None:
        """Put new functions into the room for them, in place of those before."""
        if not GRAFTS.address <= address <= address + len(image) <= GRAFTS.end - PAGE:
            raise UsageError(
                f"the new functions take {len(image):,} bytes, and there is room for "
                f"{GRAFTS.size - PAGE:,}: verify fewer at once"
            )
        self._mend_graft()  # else what the last call wrote there would be taken for right
        self._memory.write(address, image)
        self._engine.forget_code(address, len(image))
        self._grafts = self._memory.view(GRAFTS.address, GRAFTS.size).copy()

    @property
    def has_changed_graft(self) -> bool:
        """Whether the last call has written among the new functions: their own constants."""
        now = self._memory.view(GRAFTS.address, GRAFTS.size - PAGE)
        return not np.array_equal(now, self._grafts[:-PAGE])

    def _mend_graft(self) -> None:
        """Take back what the last call has written among the new functions."""
        touched = {
            *(self._engine.pages.touched or ()),
            *(self._toolbox.pages if self._toolbox else ()),
        }
        for page in touched:
            if page not in GRAFTS:
                continue
            now = self._memory.view(page, PAGE)
            right = self._grafts[page - GRAFTS.address :][:PAGE]
            if not np.array_equal(now, right):
                now[:] = right
                self._engine.forget_code(page, PAGE)

    def restore(
        self, pages: NDArray[np.uint32], changed: Mapping[int, bytes] | None = None
    ) -> None:
        """Make memory as it was at a call, with some bytes changed.

        Args:
            pages: the number of each page.
            changed: other bytes, by their address.
        """
        (stale,) = np.nonzero(self._held != pages)
        buffer, starts = self._memory.buffer, self._starts
        self._changed.clear()
        for n in stale.tolist():
            start = starts[n]
            buffer[start : start + PAGE] = self._store.page(int(pages[n]))
            self._held[n] = pages[n]
            if self._engine.pages.has_code(start + self._memory.base):
                self._engine.forget_code(start + self._memory.base, PAGE)
        for address, data in (changed or {}).items():
            at = address - self._memory.base
            buffer[at : at + len(data)] = np.frombuffer(data, dtype=np.uint8)
            for page in range(address & -PAGE, address + len(data), PAGE):
                self._held[self._index[page]] = -1
                self._changed.add(page)

    def _fill(self, pointer: int, junk: int) -> None:
        """Put junk into the dead stack."""
        start = max(pointer - DEAD_STACK, self._memory.region("stack").address) & -8
        at, size = start - self._memory.base, pointer - start
        self._memory.buffer[at : at + size] = _JUNK[junk][:size]
        for page in range(start & -PAGE, pointer, PAGE):
            self._held[self._index[page]] = -1

    # -- calls -------------------------------------------------------------------------------------

    def run(
        self,
        call: RecordedCall,
        entry: int,
        *,
        junk: int = 0,
        changed: Mapping[int, bytes] | None = None,
        registers: Mapping[int, int] | None = None,
        deeper: int = 0,
        most_code: int = MOST_CODE,
    ) -> ReplayOutcome:
        """Make a call of a function.

        Args:
            call: the recorded call.
            entry: the address of the function.
            junk: 0 or 1, which junk lies where the function may read nothing.
            changed: bytes to change before, by their address.
            registers: registers to change before, by the engine's number.
            deeper: by how many bytes the frame lies deeper in the stack than it did; arguments lie
                within as many bytes.
            most_code: after so many bytes of code the call is given up.
        """
        self._mend_graft()
        self.restore(call.pages, changed)
        self.session.take_patches(dict(call.patches))
        self._mac.numerics.environment = 0
        engine, index = self._engine, self._engine.index
        engine.begin(entry)
        engine.registers[:] = call.registers
        for name in self._frames.scratch:
            engine.registers[index[name]] = JUNK_WORDS[junk]
        for number, value in (registers or {}).items():
            engine.registers[number] = value
        for number, double in enumerate(call.floats):
            engine.register_file.set_double(number, double)
        pointer = self._frames.pointer_in(call.registers)
        self._fill(pointer, junk)
        if deeper:
            self._frames.deepen(deeper)
        self._frames.return_to(self._end)
        engine.registers[index["pc"]] = entry
        for page in range(pointer & -PAGE, pointer + 4, PAGE):
            self._held[self._index[page]] = -1  # the return address is there
        segment = self.session.segment_of(call.place, call.entry)
        self._toolbox = ToolboxReplay(
            self._mac, call, pointer, self._frames.pointer_name, (segment, *self._constants)
        )
        if engine.edges is not None:
            engine.edges.clear()
        engine.limit_code(most_code)
        end, reason = self._run()
        code = most_code - engine.code_left
        if end == TOO_LONG:
            reason = f"it had executed {code:,} bytes of code and had not returned"
        return self._outcome(call, end, reason, code)

    def _run(self) -> tuple[str, str]:
        """Run to the end of the call; how it ended, and why if it did not return."""
        engine, mac = self._engine, self._mac
        engine.pages.forget()
        assert self._toolbox is not None
        try:
            stops = 0
            while stops < _MOST_STOPS and not self.is_abandoned:
                stop = engine.run()
                stops += stop.kind is not StopKind.WATCHED
                if stop.kind is StopKind.EXCEPTION:
                    mac.dispatcher.answer(stop)
                elif stop.kind is StopKind.RETURNED:
                    break
                elif stop.kind is StopKind.WATCHED:
                    self.on_watched()
                elif stop.kind is StopKind.FAULT:
                    return FAULT, str(mac.fault(stop)).partition("\n")[0]
                elif engine.code_left <= 0:
                    return TOO_LONG, ""
            else:
                return TOO_LONG, ""
        except OtherToolboxCallError as error:
            return OTHER_CALL, str(error)
        except ProgramExit:
            return FAULT, "it ends the program"
        except GuestError as error:
            return FAULT, str(error).partition("\n")[0]
        rest = self._toolbox.rest()
        return (OTHER_CALL, rest) if rest else (RETURNED, "")

    def _outcome(self, call: RecordedCall, end: str, reason: str, code: int) -> ReplayOutcome:
        assert self._toolbox is not None
        seen = (*(self._engine.pages.touched or ()), *self._toolbox.pages, *self._changed)
        written = {page for page in seen if page in self._index}
        pages: dict[int, NDArray[np.uint8]] = {}
        for page in written:
            n = self._index[page]
            self._held[n] = -1
            now = self._memory.buffer[self._starts[n] : self._starts[n] + PAGE]
            if not np.array_equal(now, self._store.page(int(call.pages[n]))):
                pages[n] = now.copy()
            else:
                self._held[n] = call.pages[n]
        return ReplayOutcome(
            end,
            reason,
            tuple(self._engine.registers),
            self._float_result() if end == RETURNED else 0.0,
            pages,
            code,
        )

    def _float_result(self) -> float | Extended:
        if self._is_powerpc:
            return self._engine.register_file.double(1)
        if self._end == self._engine.sentinel:
            return 0.0
        pointer = self._frames.stack_pointer
        data = self._memory.view(pointer - EXTENDED_96.size, EXTENDED_96.size).tobytes()
        return Extended.from_bytes(data[:2] + data[4:])

    def _conduct(self, perform: Perform, call: Call) -> Any:
        if self._toolbox is None:
            return perform(*call)
        routine, _, arguments, _ = call
        if is_arithmetic(routine):
            return self._toolbox.compute(lambda: perform(*call))
        if self._toolbox.is_own(routine.name):
            return self._toolbox.own(routine.name, arguments, lambda: perform(*call))
        self.on_toolbox(routine.name, arguments)
        return self._toolbox.answer(routine.name, arguments, has_trap=routine.trap is not None)

    # -- what was there ----------------------------------------------------------------------------

    def bytes_at(
        self, call: RecordedCall, address: int, size: int, outcome: ReplayOutcome | None = None
    ) -> bytes:
        """Bytes of memory at a call; b"" if recordings do not keep all of them.

        Args:
            call: the call.
            address: the address of the first byte.
            size: how many bytes.
            outcome: what a function has left, to tell the bytes after it; None for those before.
        """
        found = bytearray()
        while len(found) < size:
            at = address + len(found)
            index = self._index.get(at & -PAGE)
            if index is None:
                return b""
            page = None if outcome is None else outcome.pages.get(index)
            page = self.original_page(call, index) if page is None else page
            start = at % PAGE
            found += page[start : start + size - len(found)].tobytes()
        return bytes(found)

    def page_address(self, index: int) -> int:
        """The address of a page."""
        return int(self.session.pages[index])

    def original_page(self, call: RecordedCall, index: int) -> NDArray[np.uint8]:
        """A page as it was at a call."""
        return self._store.page(int(call.pages[index]))
