"""Executes all vectors of some files, and counts what came of them, for each instruction."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from emu.base.errors import InputError, UsageError
from emu.base.files import read_file
from emu.base.processes.workers import ProcessDown, Workers
from emu.engines.conformity.power_tables import SUFFIX as CSV_SUFFIX
from emu.engines.conformity.power_tables import has_power_vectors, read_power_table
from emu.engines.conformity.single_step import SUFFIX as SINGLE_STEP_SUFFIX
from emu.engines.conformity.single_step import read_single_steps
from emu.engines.conformity.vectors import Vector, VectorOutcome, VectorResult

_EXAMPLES = 3
"""How many vectors of an instruction are named that the engine gets wrong."""


class VectorRunner(Protocol):
    """What executes vectors of a processor."""

    def ask(self, vector: Vector) -> VectorResult:
        """What the engine does with a vector."""


@dataclass(frozen=True, slots=True)
class VectorSource:
    """A public collection of vectors.

    Attributes:
        title: its name, for readers.
        cpu: the processor that its vectors are for.
        suffix: how the names of its files end.
        read: reads a file.
        is_sorted: whether a file has vectors of one instruction only.
        accepts: whether a file with such a name has vectors.
    """

    title: str
    cpu: str
    suffix: str
    read: Callable[[Path], Iterator[Vector]]
    is_sorted: bool = False
    accepts: Callable[[Path], bool] = lambda path: True


SOURCES = (
    VectorSource("SingleStepTests/m68000", "68000", SINGLE_STEP_SUFFIX, read_single_steps, True),
    VectorSource("DingusPPC", "601", CSV_SUFFIX, read_power_table, False, has_power_vectors),
)


@dataclass(frozen=True, slots=True)
class VectorExample:
    """A vector that the engine gets wrong, or does not execute.

    Attributes:
        vector: its name in its file.
        outcome: what came of it.
        why: what differs.
    """

    vector: str
    outcome: str
    why: str


@dataclass(frozen=True, slots=True)
class InstructionTally:
    """What came of the vectors of an instruction.

    Attributes:
        instruction: what the vectors call it.
        passed: how many ended in the state that must follow.
        reported: how many took the exception that must be taken.
        refused: how many the engine said that it cannot execute.
        wrong: how many ended otherwise.
        skipped: how many cannot be asked this way.
        undecided: with how many the manual leaves some bits undefined; they were not compared.
        examples: the first that were wrong or refused.
    """

    instruction: str
    passed: int
    reported: int
    refused: int
    wrong: int
    skipped: int
    undecided: int
    examples: Sequence[VectorExample]

    @property
    def vectors(self) -> int:
        """How many vectors were executed."""
        return self.passed + self.reported + self.refused + self.wrong


@dataclass(frozen=True, slots=True)
class ProcessorConformity:
    """What came of the vectors of a processor.

    Attributes:
        cpu: the processor.
        source: the collection.
        files: how many files were read.
        digest: the SHA-256 of all these files, in the order of their names.
        most: how many vectors of each file were executed at most; 0 for all.
        instructions: what came of each instruction.
    """

    cpu: str
    source: str
    files: int
    digest: str
    most: int
    instructions: Sequence[InstructionTally]

    def total(self, outcome: VectorOutcome) -> int:
        """How many vectors of all instructions ended in one way."""
        return sum(int(getattr(each, outcome.value)) for each in self.instructions)

    @property
    def vectors(self) -> int:
        """How many vectors were executed."""
        return sum(each.vectors for each in self.instructions)


@dataclass(slots=True)
class _Tally:
    counts: Counter[VectorOutcome] = field(default_factory=Counter)
    undecided: int = 0
    examples: list[VectorExample] = field(default_factory=list)

    def add(self, vector: Vector, result: VectorResult) -> None:
        self.counts[result.outcome] += 1
        self.undecided += bool(vector.ignored)
        is_example = result.outcome in (VectorOutcome.WRONG, VectorOutcome.REFUSED)
        if is_example and len(self.examples) < _EXAMPLES:
            self.examples.append(VectorExample(vector.name, result.outcome.value, result.why))

    def of(self, instruction: str) -> InstructionTally:
        counts = {outcome.value: self.counts[outcome] for outcome in VectorOutcome}
        return InstructionTally(
            instruction, **counts, undecided=self.undecided, examples=tuple(self.examples)
        )


def find_vectors(paths: Sequence[Path]) -> Mapping[VectorSource, list[Path]]:
    """The files with vectors among some files and folders.

    Raises:
        InputError: a file has no vectors that are known here, or cannot be read.
        UsageError: there is none.
    """
    found: dict[VectorSource, list[Path]] = {}
    for path in paths:
        if not path.exists():
            raise InputError(path, "there is no such file or folder")
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            source = _source_of(file)
            if source is not None:
                found.setdefault(source, []).append(file)
            elif not path.is_dir():
                raise InputError(file, f"it has no test vectors that are known: {_formats()}")
    if not found:
        where = ", ".join(str(path) for path in paths)
        raise UsageError(f"there are no test vectors in {where}; known are {_formats()}")
    return found


def _source_of(path: Path) -> VectorSource | None:
    if path.is_dir():
        return None
    for source in SOURCES:
        if path.name.endswith(source.suffix) and source.accepts(path):
            return source
    return None


def _formats() -> str:
    return ", ".join(f"*{source.suffix} of {source.title}" for source in SOURCES)


def conform(
    found: Mapping[VectorSource, Sequence[Path]], most: int = 0, jobs: int = 0
) -> list[ProcessorConformity]:
    """Execute vectors, in other processes.

    Args:
        found: the files of each collection.
        most: how many vectors of each instruction are executed at most; 0 for all.
        jobs: how many processes there are; 0 is one for each processor of this computer.

    Raises:
        InputError: a file is broken.
        ToolMissingError: a package is missing.
    """
    with Workers(jobs) as workers:
        return [_conform(workers, source, files, most) for source, files in found.items()]


def _conform(
    workers: Workers, source: VectorSource, files: Sequence[Path], most: int
) -> ProcessorConformity:
    calls = [(source.title, file, most) for file in files]
    parts = dict(workers.each(_execute, calls, alone=_execute_apart))
    tallies = itertools.chain.from_iterable(parts[index] for index in range(len(files)))
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda file: file.name):
        digest.update(hashlib.sha256(read_file(file)).digest())
    return ProcessorConformity(
        source.cpu, source.title, len(files), digest.hexdigest(), most, tuple(tallies)
    )


def _execute_apart(title: str, path: Path, most: int) -> list[InstructionTally]:
    """As `_execute`; a file whose vectors crash the engine is one wrong vector."""
    with Workers(1) as workers:
        try:
            return workers.apart(_execute, title, path, most)
        except ProcessDown as down:
            example = VectorExample(path.name, VectorOutcome.WRONG.value, str(down))
            return [InstructionTally(path.name, 0, 0, 0, 1, 0, 0, (example,))]


def _execute(title: str, path: Path, most: int) -> list[InstructionTally]:
    """Execute the vectors of a file."""
    source = next(each for each in SOURCES if each.title == title)
    runner = _runner(source.cpu)
    tallies: dict[str, _Tally] = {}
    for vector in source.read(path):
        tally = tallies.setdefault(vector.group, _Tally())
        if not most or tally.counts.total() < most:
            tally.add(vector, runner.ask(vector))
        elif source.is_sorted:
            break
    return [tally.of(instruction) for instruction, tally in tallies.items()]


def _runner(cpu: str) -> VectorRunner:
    # Loaded only in the process that executes vectors: they load the engine.
    if cpu == "68000":
        from emu.engines.conformity.m68k_runner import M68000Runner

        return M68000Runner()
    from emu.engines.conformity.ppc_runner import PPC601Runner

    return PPC601Runner()
