"""Where the segments of a program are in a Macintosh that runs it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from emu.program import Program, Segment
from emu.program.declarations.places import find_routine
from emu.toolbox.macintosh import Macintosh

_CODE = re.compile(r"(?:data of )?CODE (-?\d+)\b")
_RESOURCE = re.compile(r"(.{4}) (-?\d+)(?: |\Z)", re.DOTALL)
_SECTION = re.compile(r"section \d+ ")


@dataclass(frozen=True, slots=True)
class SegmentMove:
    """A segment of a program, and how far from there it was put."""

    segment: Segment
    distance: int


class LoadedPlaces:
    """Where the segments of a program are in a Macintosh that runs it."""

    def __init__(self, program: Program, mac: Macintosh) -> None:
        self._program = program
        self._mac = mac

    def moves(self) -> list[SegmentMove]:
        """The segments that are in memory now."""
        distances = [(segment, self._distance(segment)) for segment in self._program.segments]
        return [
            SegmentMove(segment, distance)
            for segment, distance in distances
            if distance is not None
        ]

    def _distance(self, segment: Segment) -> int | None:
        mac, program = self._mac, self._program
        if section := _SECTION.match(segment.name):
            regions = (r for r in mac.layout.sections if r.name.startswith(section[0]))
            return next((region.address - segment.address for region in regions), None)
        if code := _CODE.match(segment.name):
            handle = mac.resources.loaded("CODE", int(code[1]))
            old = find_routine(program, f"CODE {code[1]}+0")
            return mac.memory.address(handle) - old if handle else None
        if segment.name in ("A5 globals", "jump table"):
            return mac.layout.a5 - program.registers["a5"]
        if resource := _RESOURCE.match(segment.name):
            handle = mac.resources.loaded(resource[1], int(resource[2]))
            return mac.memory.address(handle) - segment.address if handle else None
        return None


def moved_address(moves: list[SegmentMove], address: int) -> int | None:
    """Where something of the program is now; None if its segment is not in memory."""
    for move in moves:
        if move.segment.address <= address < move.segment.end:
            return address + move.distance
    return None
