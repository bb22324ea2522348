"""Puts new functions in the place of the old ones of a program that runs."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from emu.base.errors import MacproofError, UsageError
from emu.machine.memory.memory import PAGE
from emu.port.graft.assembly import NEW, symbol_of
from emu.port.graft.graft import Graft, build_graft
from emu.port.graft.units import source_name_of
from emu.port.model import ClaimedFunction
from emu.port.original.session import Session
from emu.port.verify.build import PortBuild
from emu.program.functions.model import ProgramFunctions
from emu.program.model.model import Location
from emu.toolbox.guest.layout import GRAFTS

_ALIGNMENT = 16


class HybridPlacement:
    """New functions in the place of the old ones.

    At the entry of each old function is a jump to the new one. It is written when the segment of
    the function is loaded, and again when that segment is read from the file once more. New
    functions are linked when the segments that they refer to are where they stay; what lies in
    others is called by the jump table, as in the old program.

    Args:
        session: the old program, which has not run.
        port: the port, compiled.
        functions: the functions of the old program.
        names: the functions that are to be new.

    Attributes:
        grafts: what was linked, one after the other. A function under way goes on in the one
            where it began.
        seconds: the processor time that linking took.
        problem: why new functions could not be linked, which has ended the run; or None.
        too_short: the functions that are shorter than a jump; they stay as they are.
    """

    def __init__(
        self,
        session: Session,
        port: PortBuild,
        functions: ProgramFunctions,
        names: Collection[str],
    ) -> None:
        self._session, self._port = session, port
        shortest = len(session.frames.jump(0, 0))
        sizes = {function.place: function.size for function in functions.functions}
        self.too_short: list[str] = []
        self._segments: dict[str, list[ClaimedFunction]] = defaultdict(list)
        for function in (port.claims.functions[name] for name in names):
            if sizes.get(function.place, 0) < shortest:
                self.too_short.append(function.name)
            else:
                self._segments[function.place.rpartition("+")[0]].append(function)
        self.grafts: list[Graft] = []
        self.seconds = 0.0
        self.problem: MacproofError | None = None
        self._linked_for: tuple[int | None, ...] = ()
        self._jumps: dict[str, tuple[int, bytes]] = {}
        session.follow(self._look)

    def _look(self) -> None:
        """Link when segments have come or gone; write the jumps that are not there."""
        places = tuple(
            self._session.address_of(functions[0].place) for functions in self._segments.values()
        )
        if places != self._linked_for:
            began = time.process_time()
            self._linked_for = places
            try:
                self._link()
            except MacproofError as error:
                self.problem = error
                raise
            self.seconds += time.process_time() - began
        for functions in self._segments.values():
            first = self._jumps.get(functions[0].name)
            if first is not None and not self._is_there(*first):
                self._write([self._jumps[one.name] for one in functions])

    def _link(self) -> None:
        session, port = self._session, self._port
        loaded = [
            one
            for functions in self._segments.values()
            for one in functions
            if session.address_of(one.place) is not None
        ]
        self._jumps = {}
        if not loaded:
            return
        graft = build_graft(
            port.project,
            port.claims,
            port.objects,
            session.entry_of,
            self._free(),
            [one.name for one in loaded],
            together=True,
            pointer_to=session.pointer_to,
        )
        if graft.address + len(graft.image) > GRAFTS.end - PAGE:
            raise UsageError(
                f"the new functions take {len(graft.image):,} bytes, and there is room for "
                f"{GRAFTS.end - PAGE - graft.address:,}: name fewer with --functions"
            )
        self.grafts.append(graft)
        self._put(graft.address, graft.image)
        for one in loaded:
            start = session.address_of(one.place)
            assert start is not None
            target = graft.functions[one.name].address
            self._jumps[one.name] = start, session.frames.jump(start, target)

    def _free(self) -> int:
        """Where there is room for new functions."""
        if not self.grafts:
            return GRAFTS.address
        last = self.grafts[-1]
        return -(-(last.address + len(last.image)) // _ALIGNMENT) * _ALIGNMENT

    def _is_there(self, address: int, jump: bytes) -> bool:
        return self._session.mac.engine.memory.view(address, len(jump)).tobytes() == jump

    def _write(self, jumps: Sequence[tuple[int, bytes]]) -> None:
        for address, jump in jumps:
            self._put(address, jump)

    def _put(self, address: int, content: bytes) -> None:
        engine = self._session.mac.engine
        engine.memory.write(address, content)
        engine.forget_code(address, len(content))

    # -- what has run ------------------------------------------------------------------------------

    def entered(self) -> set[str]:
        """The new functions that have run, by the blocks that the engine has met."""
        executed = set()
        for address, _ in self._session.mac.engine.translated.code:
            place = self.locate(address)
            if place is not None:
                executed.add((place.symbol, place.file))
        return {
            one.name
            for functions in self._segments.values()
            for one in functions
            if (_source_name(one.symbol), one.file.name) in executed
        }

    def locate(self, address: int) -> Location | None:
        """The function and line of the new source at an address; None if it is in none of it."""
        for graft in self.grafts:
            if graft.address <= address < graft.address + len(graft.image):
                place = graft.program.locate(address)
                return replace(place, symbol=_source_name(place.symbol)) if place.line else None
        return None


def _source_name(symbol: str) -> str:
    return source_name_of(symbol_of(symbol.removeprefix(NEW)))
