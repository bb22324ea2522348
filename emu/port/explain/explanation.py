"""Explains a call that refutes a function of a port."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.machine.abi.m68k_pascal import M68kPascal
from emu.port.explain.call_words import ArgumentWords, CallBeginning, argument_words
from emu.port.explain.fork import (
    CallSide,
    ComparedMemory,
    find_fork,
)
from emu.port.explain.fork_words import ForkWords
from emu.port.model import ClaimedFunction
from emu.port.project.marks import text_of
from emu.port.replay.tracer import CallTrace
from emu.port.vary.old_function import OldFunction
from emu.port.verify.tally import RefutedCall
from emu.port.verify.traces import BothTraces
from emu.port.verify.verifier import PortVerifier

_AROUND = 4


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the new source.

    Attributes:
        number: its number, from 1.
        text: what stands there.
        count: how often the call came to it.
        is_first: whether the functions part there.
    """

    number: int
    text: str
    count: int
    is_first: bool


@dataclass(frozen=True, slots=True)
class OldLine:
    """An instruction of the original.

    Attributes:
        place: where it is.
        text: what it is.
        is_first: whether the functions part there.
    """

    place: str
    text: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class PortExplanation:
    """Why a function of a port is refuted.

    Attributes:
        function: its name.
        place: where the old one lies.
        call: the number of the recorded call.
        changes: what is changed in that call, in words; "" if nothing is.
        arguments: the arguments of the call.
        sentence: what the two leave differently.
        kind: what the new one does differently first: "other value", "missing store", "further
            store", "other call", "other Toolbox call", "missing read", "further read" or "other
            result".
        first: that in words, a sentence each.
        line: where in the new source it is, "count.c:14"; "" if that is not known.
        old_place: where in the old program.
        is_branch: whether the two take other ways there.
        accesses: what only one of the two reads or writes, a sentence each.
        source: the lines of the new function.
        old: the instructions of the original around that place.
        remark: what is not known; "" if all is.
        command: what makes the call again.
    """

    function: str
    place: str
    call: int
    changes: str
    arguments: tuple[ArgumentWords, ...]
    sentence: str
    kind: str
    first: tuple[str, ...]
    line: str
    old_place: str
    is_branch: bool
    accesses: tuple[str, ...]
    source: tuple[SourceLine, ...]
    old: tuple[OldLine, ...]
    remark: str
    command: str


class PortExplainer:
    """Explains refuted calls.

    Args:
        verifier: has found them.
        command: the words of a command that makes one again, but for its call.
    """

    def __init__(self, verifier: PortVerifier, command: Sequence[str]) -> None:
        self._verifier, self._command = verifier, tuple(command)
        self._replayer = verifier.replayer

    def explain(self, function: ClaimedFunction, refuted: RefutedCall) -> PortExplanation:
        """Explain a call.

        Args:
            function: the function.
            refuted: the call.
        """
        traces = self._verifier.traces(refuted)
        old = self._verifier.own_faults.old_function(function.place)
        difference = find_fork(*self._sides(traces), self._memory(traces))
        words = ForkWords(traces, difference, old, self._verifier.own_faults)
        return PortExplanation(
            function.name,
            function.place,
            refuted.number,
            refuted.changes,
            self._arguments(refuted, traces),
            self._verifier.sentence(refuted),
            difference.kind,
            tuple(words.sentences()),
            words.new_line,
            words.old_place,
            difference.is_branch,
            tuple(map(str, traces.accesses())),
            self._source(function, traces, words),
            _old_lines(old, refuted.function.old, words.old_address),
            _remark(traces),
            shlex.join(
                (*self._command, *(() if refuted.changes else ("--call", str(refuted.number))))
            ),
        )

    def _sides(self, traces: BothTraces) -> tuple[CallSide, CallSide]:
        refuted, replayer = traces.refuted, self._replayer
        is_branch = replayer.session.frames.is_branch
        image, start = refuted.graft.image, refuted.graft.address

        def in_old(address: int) -> bool:
            return is_branch(replayer.bytes_at(refuted.terms.call, address, 4))

        def in_new(address: int) -> bool:
            return is_branch(image[address - start : address - start + 4])

        return (
            CallSide(traces.old, in_old, lambda address: True),
            CallSide(traces.new, in_new, lambda address: bool(traces.words.line(address))),
        )

    def _memory(self, traces: BothTraces) -> ComparedMemory:
        terms = traces.refuted.terms
        changed = {
            at: byte for start, data in terms.changed.items() for at, byte in enumerate(data, start)
        }

        def before(address: int) -> int:
            if address in changed:
                return changed[address]
            return int.from_bytes(self._replayer.bytes_at(terms.call, address, 1), "big")

        return ComparedMemory(traces.has, before)

    def _arguments(self, refuted: RefutedCall, traces: BothTraces) -> tuple[ArgumentWords, ...]:
        session, terms = self._replayer.session, refuted.terms
        index = session.mac.engine.index
        pointer = session.frames.pointer_in(terms.call.registers)
        memory = self._memory(traces)

        def register(name: str) -> int:
            number = index[name]
            return terms.registers.get(number, terms.call.registers[number])

        def read(address: int, size: int) -> bytes:
            if not self._replayer.bytes_at(terms.call, address, size):
                return b""
            return bytes(memory.before(at) for at in range(address, address + size))

        moment = CallBeginning(
            register,
            read,
            pointer + session.frames.arguments_start,
            lambda address: str(traces.words.values([address])[0]),
        )
        port, function = self._verifier.port, refuted.function
        is_pascal = function.name in port.objects.pascal
        is_pascal &= session.mac.cpu.architecture == M68kPascal.architecture
        convention = M68kPascal.name if is_pascal else port.project.convention
        return tuple(argument_words(refuted.graft, function, convention, session.mac.cpu, moment))

    def _source(
        self, function: ClaimedFunction, traces: BothTraces, words: ForkWords
    ) -> tuple[SourceLine, ...]:
        """The lines of the new function that were executed, and those between."""
        counts = line_counts(traces.new, traces.words.line, function.file)
        marked = words.new_line.rpartition(":")
        if marked[0] == function.file.name:
            counts.setdefault(int(marked[2]), 0)
        if not counts:
            return ()
        lines = text_of(function.file).splitlines()
        first, last = min(min(counts), function.line), min(max(counts), len(lines))
        return tuple(
            SourceLine(
                number,
                lines[number - 1],
                counts.get(number, 0),
                words.new_line == f"{function.file.name}:{number}",
            )
            for number in range(first, last + 1)
        )


def line_counts(trace: CallTrace, line: Callable[[int], str], file: Path) -> Counter[int]:
    """How often a call came to each line of a file."""
    counts: Counter[int] = Counter()
    before = ""
    for address in trace.steps:
        now = line(address)
        if now != before and now.rpartition(":")[0] == file.name:
            counts[int(now.rpartition(":")[2])] += 1
        before = now
    return counts


def _old_lines(old: OldFunction | None, start: int, address: int) -> tuple[OldLine, ...]:
    """The instructions of the original around one of them."""
    if old is None:
        return ()
    offsets = sorted(old.lines)
    at = next((n for n, offset in enumerate(offsets) if start + offset == address), None)
    if at is None:
        return ()
    return tuple(
        OldLine(old.place_at(offset), old.lines[offset], start + offset == address)
        for offset in offsets[max(at - _AROUND, 0) : at + _AROUND + 1]
    )


def _remark(traces: BothTraces) -> str:
    if traces.old.is_cut or traces.new.is_cut:
        return "it does more than is kept of a call: only what differs before is told"
    if not traces.refuted.new.returned:
        return "what only one of them reads or writes is not told, for the new one did not return"
    return ""
