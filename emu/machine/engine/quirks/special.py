"""Stops the engine before instructions that it must not execute.

Some of these instructions crash the engine's process, and one never ends. Some read the clock of
the 601, which the engine does not have, and some of a 68K's the engine does wrongly, such as the
one that calls code on the stack; they are executed here. A word that code stores a little ahead of
itself the engine has translated already; it stops there and translates the word that is new.

Some more the engine takes for illegal ones, and says so before it has done anything of them. They
are executed here when it says so (`Cpu.misread`), and cost nothing up to then.

The engine can be told addresses at which a run ends. It compares them with the address of each
instruction before it reads the instruction. So every address whose bytes look like a special
instruction can be one of them. An address in the middle of an instruction, or in data, has no
effect, but for one: after each run the engine forgets the block in front of each of them, and
translates it anew in the next. So none is at an odd address of a 68K, which executes nothing there:
two such addresses in four-shifts made a call on a 68040 take 1.4 times as long.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

import unicorn
from unicorn import unicorn_const

from emu.machine.cpu import Cpu, SpecialInstruction
from emu.machine.cpu.special import LONGEST
from emu.machine.engine.base.models import register_id
from emu.machine.engine.quirks.float_status import FloatStatus
from emu.machine.engine.quirks.special_execution import SpecialExecution
from emu.machine.engine.watch.edges import Block
from emu.machine.memory.memory import PAGE, GuestMemory

_ALIGNMENT = 4


class SpecialInstructions:
    """The special instructions of an engine's code, as `Cpu.special` knows them.

    Args:
        cpu: the processor.
        memory: what the engine runs in.
        now: reads the time, in nanoseconds.
        shows_status_late: whether floating-point results are the engine's until a mode is set in
            which it computes others; see `FloatStatus`.

    Attributes:
        execution: executes them.
        note_at: is asked to call `see` before the instruction at an address; whether it will.
    """

    def __init__(
        self,
        cpu: Cpu,
        memory: GuestMemory,
        now: Callable[[], int],
        *,
        shows_status_late: bool = False,
    ) -> None:
        self.execution = SpecialExecution(cpu, memory, now)
        self._state = self.execution.state
        self._state.on_code_change = self.scan_again
        self.note_at: Callable[[int], bool] = lambda address: False
        self._cpu = cpu
        self._memory = memory
        # The gate is macproof's own code, which reads and sets modes of the processor.
        self._own = memory.find_region("gate")
        self._floats = FloatStatus(cpu, memory, by_modes=shows_status_late)
        self._program_counter = register_id(cpu, "pc")
        self._places: dict[int, SpecialInstruction] = {}
        self._noted: set[int] = set()
        self._scanned: set[int] = set()
        self._stale: set[int] = set()  # scanned pages in which places were freed since then
        self._planted: set[int] = set()
        self._passed = -1  # a planted word that is no end for the moment, or -1
        self._changed: Block | None = None
        self._odd: Block | None = None
        self._is_late = self._lends = self._has_ends = False
        self._until = -1

    def attach(self, engine: unicorn.Uc) -> None:
        """Use a new engine, which has not run yet."""
        self._engine = engine
        self.execution.attach(engine)
        for found in (self._scanned, self._stale, self._places, self._noted, self._planted):
            found.clear()
        self._passed = -1
        self._changed = self._odd = None
        self._is_late = self._has_ends = False

    def begin(self, until: int) -> None:
        """Prepare a run that has to end at an address."""
        self.execution.begin()
        self._odd = None
        if until != self._until or self._passed >= 0:
            self._until, self._passed = until, -1
            self._state.begin(until)
            self._set_ends()
        if self._is_late:
            self._stop_at_floats()

    def scan(self, page: int) -> None:
        """Find the special instructions on a page, before code on it is executed."""
        if page in self._scanned:
            return
        if self._floats.look_at_page(page):
            self._see_status()
        self._scanned.add(page)
        self._add(page, self._bytes(page, PAGE + LONGEST))

    def _see_status(self) -> None:
        """Note that the program can see the status of results from now on."""
        earlier = [self._bytes(page, PAGE + LONGEST) for page in self._scanned]
        self._is_late = self._state.is_float_status_stale = any(map(self._floats.find, earlier))

    def scan_again(self, address: int, size: int) -> None:
        """Find special instructions anew, where Python has changed code.

        Places whose bytes are no such instruction any more are forgotten: a program whose memory
        moves often would else be stopped at more and more of them.
        """
        self.scan_places([(address, address + size)])

    def scan_places(self, places: Iterable[tuple[int, int]]) -> None:
        """The same for several places at once, each from an address up to another."""
        # An instruction that begins before what has changed may reach into it. A PowerPC's are
        # looked for at every fourth byte of what is searched.
        pieces = [
            (page, max(page, first - LONGEST + 1 & -_ALIGNMENT), min(page + PAGE, end))
            for first, end in places
            for page in self._scanned.intersection(range(first & -PAGE, end, PAGE))
        ]
        if not pieces:
            return
        if any(
            self._floats.look_at(start, self._bytes(start, stop - start + LONGEST))
            for _, start, stop in pieces
        ):
            self._see_status()
        known, found = set[int](), dict[int, SpecialInstruction]()
        for _, start, stop in pieces:
            length = stop - start
            instructions = self._find(start, self._bytes(start, length + LONGEST), length)
            found.update(self._to_stop_at(instructions))
            known |= self._known_between(start, stop)
        self._renew({page for page, _, _ in pieces}, known, found)

    def free_places(self, places: Sequence[tuple[int, int]]) -> None:
        """Forget what was found in places that were freed, each from an address up to another.

        Nothing is searched here: a heap whose blocks move at each call of the Toolbox spent half of
        that time on it. What lies there next and is executed is looked at when it is translated,
        or by `look_ahead` if a run begins with it.
        """
        self._stale |= self._scanned.intersection(
            page for first, end in places for page in range(first & -PAGE, end, PAGE)
        )
        if not self._places and not self._planted:
            return
        places = sorted(places)
        gone = {at for at in self._places.keys() | self._planted if _lies_in(at, places)}
        if gone:
            for at in gone & self._places.keys():
                del self._places[at]
            self._planted -= gone
            self._set_ends()

    def look_ahead(self, address: int) -> None:
        """Search where a run begins, if places were freed there; nobody reports its first block."""
        page = address & -PAGE
        for each in self._stale.intersection((page, page + PAGE)):
            self._stale.discard(each)
            self.scan_places([(each, each + PAGE)])

    def _renew(
        self, pages: set[int], known: set[int], found: dict[int, SpecialInstruction]
    ) -> None:
        """Put what was found in place of what was known, and find planted words on pages anew."""
        planted = {at for at in self._planted if at & -PAGE not in pages}
        # Code at the end of a page may plant a word on the next.
        for page in pages | self._scanned.intersection(page - PAGE for page in pages):
            planted |= self._plants(page, self._bytes(page, PAGE + LONGEST))
        if known != found.keys() or planted != self._planted:
            for at in known - found.keys():
                del self._places[at]
            self._places.update(found)
            self._planted = planted
            self._set_ends()

    def _known_between(self, start: int, stop: int) -> set[int]:
        """The places of known instructions from one address on up to another."""
        places = self._places
        if stop - start < len(places):
            return {at for at in range(start, stop) if at in places}
        return {at for at in places if start <= at < stop}

    def look(self, block: Block, code: bytes) -> str:
        """Check a block for special instructions that were not there when its page was scanned.

        Returns:
            Why the engine has to stop before the block, so that `next` can have the block
            translated anew, or take an exception; "" if it need not stop.
        """
        if self._state.is_running:
            return ""
        if self._is_odd_code(block[0]):
            self._odd = block
            return "it is at an odd address"
        if self._floats.look_at(block[0], code):
            self._see_status()
        if not self._add(block[0], code) and not self._is_late:
            return ""
        self._changed = block
        return "it is new code with an instruction that the engine must not execute"

    def lends(self, page: int) -> bool:
        """Whether a page without code must be executable, since the next page begins with an end.

        If a run ends at the first byte of a page, the engine translates a block of no bytes there,
        which for it reaches into the page before. Nothing of that page is executed: the engine
        stops at once, and the page loses its permission again.
        """
        if page + PAGE not in self._places and page + PAGE not in self._planted:
            return False
        self._lends = True
        return True

    def next(self) -> int | None:
        """After a run: the address at which a further run has to go on, or None if all is done."""
        if self._lends:
            self._lends = False
            self._engine.ctl(unicorn_const.UC_CTL_TLB_FLUSH, unicorn_const.UC_CTL_IO_WRITE)
        if self._odd is not None:
            address, size = self._odd
            self.execution.exception, self._odd = self._cpu.odd_fetch, None
            # Else the next run that jumps there would execute it: it is translated by now.
            self._engine.ctl_remove_cache(address, address + size)
            return None
        if self._changed is not None:
            (address, size), self._changed = self._changed, None
            if self._is_late:
                self._stop_at_floats()
            else:
                self._engine.ctl_remove_cache(address, address + size)
            return address
        if not self._places and not self._planted:
            return None
        address = self._engine.reg_read(self._program_counter)
        if address not in self._places:
            return self._pass(address) if address in self._planted else None
        special = self._at(address)
        if special is None or special.by_engine:  # the code has changed
            del self._places[address]
            self._set_ends()
            self._engine.ctl_remove_cache(address, address + LONGEST)
            return int(address)
        further = self.execution.execute(special, address)
        if self._floats.has_begun(self._state):
            self._stop_at_floats()
        return further

    def _stop_at_floats(self) -> None:
        """Stop from now on at what has run at full speed as long as nobody saw its status."""
        self._is_late = False
        for page in sorted(self._scanned):
            self._gather(page, self._bytes(page, PAGE + LONGEST))
        self._set_ends()
        self._engine.ctl_flush_tb()

    def after_exception(self, number: int) -> tuple[int, int | None]:
        """What the processor does where the engine reports an exception.

        Args:
            number: the exception, by the engine's number.

        Returns:
            The number of the exception that the processor takes, or -1 if it takes none, and the
            address at which the program goes on, or None if it does not.
        """
        if number not in self._cpu.misread_as:
            return number, None
        address = int(self._engine.reg_read(self._program_counter)) - self._cpu.interrupt_bias
        region = self._memory.find(address)
        if region is None or not region.executable:
            return number, None
        special = self._cpu.misread(self._bytes(address, LONGEST))
        if special is None:
            return number, None
        further = self.execution.execute(special, address, is_seen=True)
        return self.execution.exception, further

    def _is_odd_code(self, address: int) -> bool:
        return bool(self._cpu.odd_fetch >= 0 and address & 1)

    def _pass(self, address: int) -> int:
        """Go on at a word that was stored a moment ago, and forget how it was translated before."""
        self._passed = address
        self._set_ends()
        self._engine.ctl_remove_cache(address, address + 2)
        return address

    def _on_noted(self, uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        self.see(address)

    def see(self, address: int) -> None:
        """Note the instruction at an address, which the engine is about to execute."""
        special = self._at(address)
        if special is not None and special.by_engine:  # else the code has changed
            self.execution.note(address, special)

    def _at(self, address: int) -> SpecialInstruction | None:
        code = self._bytes(address, LONGEST)
        return self._cpu.special(code).get(0) or self._floats.find(code).get(0)

    def _find(self, start: int, code: bytes, length: int = PAGE) -> dict[int, SpecialInstruction]:
        """The special instructions that begin in the first bytes of some code."""
        # What begins on the next page is found there, if that page has code.
        return {
            start + offset: special
            for offset, special in {**self._floats.find(code), **self._cpu.special(code)}.items()
            if offset < length
            and not self._is_odd_code(start + offset)
            and not self._state.has_own_code(start + offset)
            and not (self._own is not None and start + offset in self._own)
        }

    def _plants(self, start: int, code: bytes) -> set[int]:
        planted = {start + offset for offset in self._cpu.planted(code)}
        return {at for at in planted if not self._is_odd_code(at)}

    def _add(self, start: int, code: bytes) -> bool:
        is_noted, has_stops = self._gather(start, code)
        if has_stops:
            self._set_ends()
        return is_noted or has_stops

    def _gather(self, start: int, code: bytes) -> tuple[bool, bool]:
        """Keep the special instructions of code; whether any is new to note, and to stop at."""
        instructions, planted = self._find(start, code), self._plants(start, code)
        is_noted = bool(self._add_notes(instructions))
        stops = self._to_stop_at(instructions)
        has_stops = bool(stops.keys() - self._places.keys()) or not planted <= self._planted
        self._planted |= planted
        self._places.update(stops)
        return is_noted, has_stops

    def _to_stop_at(
        self, instructions: dict[int, SpecialInstruction]
    ) -> dict[int, SpecialInstruction]:
        return {
            at: instruction for at, instruction in instructions.items() if not instruction.by_engine
        }

    def _add_notes(self, instructions: dict[int, SpecialInstruction]) -> set[int]:
        """Have the engine tell of instructions that it executes; those that are new."""
        new = {
            at for at, instruction in instructions.items() if instruction.by_engine
        } - self._noted
        for at in new:
            if not self.note_at(at):
                self._engine.hook_add(unicorn_const.UC_HOOK_CODE, self._on_noted, begin=at, end=at)
        self._noted |= new
        return new

    def _set_ends(self) -> None:
        if self._until >= 0 and (self._places or self._planted or self._has_ends):
            self._has_ends = True
            self._engine.ctl_exits_enabled(True)
            # After a run the engine looks up the byte before each end. Were its page scanned only
            # then, new ends would free those that the engine walks through: its process went down
            # in half of the runs of a program with an end at the first byte of a page.
            ends = self._ends()
            while pages := self._unscanned({(end - 1) & -PAGE for end in ends}):
                for page in pages:
                    self._scanned.add(page)
                    self._gather(page, self._bytes(page, PAGE + LONGEST))
                ends = self._ends()
            self._engine.ctl_set_exits(sorted(ends))

    def _ends(self) -> set[int]:
        passed = {self._passed} - self._places.keys()
        return {self._until, *self._places, *self._planted} - passed

    def _unscanned(self, pages: set[int]) -> set[int]:
        """Those of the pages that lie in memory and were not scanned yet."""
        first, length = self._memory.base, len(self._memory.buffer)
        return {page for page in pages - self._scanned if 0 <= page - first < length}

    def _bytes(self, address: int, size: int) -> bytes:
        start = address - self._memory.base
        return self._memory.buffer[start : start + size].tobytes()


def _lies_in(address: int, places: Sequence[tuple[int, int]]) -> bool:
    """Whether an address lies in one of some places, which are sorted and do not overlap."""
    number = bisect_right(places, address, key=lambda place: place[0])
    return number > 0 and address < places[number - 1][1]
