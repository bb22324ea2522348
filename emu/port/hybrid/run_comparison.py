"""Finds the first difference between the old program and the same with new functions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from emu.port.hybrid.playing import HybridPlay, HybridRun
from emu.port.project.ignore_list import ignored_addresses
from emu.port.verify.build import PortBuild
from emu.port.verify.words import DifferenceWords, DifferentValue, value_words
from emu.toolbox.guest.layout import GRAFTS

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class RunDifference:
    """The first difference of a hybrid, and how much was compared.

    Attributes:
        text: the difference as a sentence; "" if there is none.
        unsure: globals that hold addresses of locals or constants, which differ by themselves.
        ignored: how many bytes of globals were not compared, since the port says so.
    """

    text: str
    unsure: tuple[str, ...] = ()
    ignored: int = 0


def compare_with_original(
    original: HybridPlay, hybrid: HybridRun, port: PortBuild
) -> RunDifference:
    """Compare what a hybrid has done with what the old program did.

    Args:
        original: the old program.
        hybrid: the same with new functions.
        port: the port.
    """
    played = hybrid.played
    if hybrid.comparison.difference is not None:
        return RunDifference(str(hybrid.comparison.difference))
    if played.end != original.end:
        return RunDifference(_ending(original, hybrid))
    missing = hybrid.comparison.absent_calls()
    if missing is not None:
        return RunDifference(str(missing))
    found = [*_outputs(original, played)]
    globals_ = _Globals(original, hybrid, port)
    return RunDifference(
        next(iter((*found, *globals_.sentences())), ""), globals_.unsure, globals_.ignored
    )


def _ending(original: HybridPlay, hybrid: HybridRun) -> str:
    done = len(hybrid.played.calls)
    registers, index = hybrid.session.mac.engine.registers, hybrid.session.mac.engine.index
    place = hybrid.placement.locate(int(registers[index["pc"]]))
    where = f" in {place.symbol} ({place.file}, line {place.line})" if place is not None else ""
    ends = hybrid.played.end or "it comes to its end"
    old = original.end or "it comes to its end"
    return f"after Toolbox call {done:,}{where}: {ends}; the original: {old}"


def _outputs(original: HybridPlay, played: HybridPlay) -> Iterator[str]:
    """The first difference of each kind of output."""
    lines = (original.text.splitlines(), played.text.splitlines())
    yield from _first("line", *lines)
    yield from _first(
        "picture",
        [f"{one.name}: {_digest(one.png)}" for one in original.pictures],
        [f"{one.name}: {_digest(one.png)}" for one in played.pictures],
    )
    files = [
        [
            f"{name}: {len(data):,} bytes, {_digest(data)}"
            for name, data in sorted(one.files.items())
        ]
        for one in (original, played)
    ]
    yield from _first("file", files[0], files[1])
    if original.screen != played.screen:
        yield f"{_count(original.screen, played.screen):,} bytes of the screen differ at the end"


def _first(what: str, original: Sequence[str], other: Sequence[str]) -> Iterator[str]:
    for number, (old, new) in enumerate(zip_longest(original, other), 1):
        if old != new:
            texts = [text if text is not None else "not there" for text in (new, old)]
            yield f"{what} {number} is {texts[0]}; it is {texts[1]} in the original"
            return


def _digest(data: bytes) -> str:
    return f"SHA-256 {hashlib.sha256(data).hexdigest()[:16]}"


def _count(one: bytes, other: bytes) -> int:
    return int(np.count_nonzero(_array(one) != _array(other)))


def _array(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.frombuffer(data, dtype=np.uint8)


class _Globals:
    """Compares the globals at the end of two runs.

    Attributes:
        unsure: those with addresses that differ by themselves.
        ignored: how many bytes are not compared.
    """

    def __init__(self, original: HybridPlay, hybrid: HybridRun, port: PortBuild) -> None:
        session = hybrid.session
        self._session = session
        self._stack = range(session.mac.layout.stack, session.mac.layout.stack_top)
        self._old = {one.start: one.content for one in original.globals}
        self._new = {one.start: one.content for one in hybrid.played.globals}
        ignore = ignored_addresses(port.project.ignore, session.entry_of)
        parts = [range(start, start + len(content)) for start, content in self._old.items()]
        self.ignored = sum(
            len(range(max(one.start, part.start), min(one.stop, part.stop)))
            for one in ignore
            for part in parts
        )
        grafts = hybrid.placement.grafts
        self._words = DifferenceWords(
            port.claims,
            grafts[-1].program if grafts else session.program,
            session.mac.layout,
            session.entry_of,
        )
        self._differ: list[int] = []
        unsure: list[int] = []
        for address in self._addresses():
            if any(address in part for part in ignore):
                continue
            (unsure if self._is_of_function(address) else self._differ).append(address)
        self.unsure = tuple(value.name for value in self._words.values(unsure))

    def _addresses(self) -> Iterator[int]:
        for start, old in self._old.items():
            new = self._new.get(start, b"")
            if len(new) == len(old):
                yield from (start + int(n) for n in np.nonzero(_array(old) != _array(new))[0])

    def _is_of_function(self, address: int) -> bool:
        """Whether a byte is of the address of a local, or of a constant of new code."""
        for start in ((address & -2) - 2, address & -2):
            old, new = self._long(self._old, start), self._long(self._new, start)
            if old in self._stack and new in self._stack:
                return True
            is_constant = GRAFTS.address <= new < GRAFTS.end
            if is_constant and self._session.address_in_file(old) is not None:
                return True
        return False

    def _long(self, parts: dict[int, bytes], address: int) -> int:
        return int.from_bytes(self._bytes(parts, address, 4), "big")

    def _bytes(self, parts: dict[int, bytes], address: int, size: int) -> bytes:
        for start, content in parts.items():
            if start <= address < start + len(content):
                return content[address - start : address - start + size]
        return b""

    def sentences(self) -> Iterator[str]:
        """What differs, as one sentence."""
        values = self._words.values(self._differ)
        if not values:
            return
        shown = [
            f"{value.name} is {self._value(self._new, value)}, was {self._value(self._old, value)} "
            "in the original"
            for value in values[:_SHOWN]
        ]
        if len(values) > _SHOWN:
            shown.append(f"{len(values) - _SHOWN:,} more values differ")
        yield f"at the end, {'; '.join(shown)}"

    def _value(self, parts: dict[int, bytes], value: DifferentValue) -> str:
        return value_words(value, self._bytes(parts, value.address, value.size))
