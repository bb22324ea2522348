"""The receipt of a verification: what it takes to run it again and to see that it is the same."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from emu import __version__
from emu.cases.case import Case
from emu.cases.sources import Replacements
from emu.machine.cpu import CPUS
from emu.machine.engine import describe_engine, find_model
from emu.toolchain.gcc import BuiltProgram
from emu.verify.fills import Fill
from emu.verify.verdicts import Result, SceneSpec


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The case: its name, title and author, its file and the SHA-256 of that."""

    name: str
    title: str
    credit: str
    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What was compiled.

    Attributes:
        replaced_by: the file in place of all the case's sources, or files in place of some by
            their names, or None.
        sha256: of everything compiled; of the program itself if it was given as it is.
        files: SHA-256 of every file that a compiler was given or has read, by its name; of one
            that does not lie with the sources, by its path.
    """

    replaced_by: str | Mapping[str, str] | None
    sha256: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SceneCounts:
    """The scenes: how many, how many of them distinct, and what they were made from.

    ``seeds`` holds the lowest and the highest; it is empty if there were no scenes.
    """

    count: int
    distinct: int
    generators: tuple[str, ...]
    objects: tuple[int, ...]
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MemoryFill:
    """A way in which memory was filled before calls, in words too, and before how many calls."""

    fill: str
    words: str
    calls: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What it takes to run it again and to know that it is the same.

    Attributes:
        command: the words of the command line.
        macproof: its version, and so on for Python and NumPy.
        python: see above.
        numpy: see above.
        engine: name and version of what executed the programs.
        models: the engine's number of each processor's model.
        case: the case.
        reference: the dotted name of the reference.
        reference_files: SHA-256 of the files of the case's Python functions, by their names.
        source: what was compiled.
        programs: where the programs came from, in words.
        scenes: the scenes.
        memory: how memory was filled before calls.
        comparisons: values compared, in all programs.
        bytes_compared: bytes of data memory compared, in all programs.
        seconds: how long it took.
    """

    command: tuple[str, ...]
    macproof: str
    python: str
    numpy: str
    engine: str
    models: Mapping[str, int | None]
    case: CaseFile
    reference: str
    reference_files: Mapping[str, str]
    source: Sources
    programs: str
    scenes: SceneCounts
    memory: tuple[MemoryFill, ...]
    comparisons: int
    bytes_compared: int
    seconds: float


def make_receipt(
    case: Case,
    programs: Sequence[BuiltProgram],
    results: Sequence[Result],
    specs: Sequence[SceneSpec],
    *,
    source: Path | Replacements | None,
    provision: str,
    command: Sequence[str],
    seconds: float,
) -> Receipt:
    """The receipt of a run; for the arguments see `emu.verify.report.make_report`."""
    return Receipt(
        command=tuple(command),
        macproof=__version__,
        python=platform.python_version(),
        numpy=np.__version__,
        engine=describe_engine(),
        models={p.cpu: find_model(CPUS[p.cpu]) for p in programs},
        case=CaseFile(case.name, case.title, case.credit, str(case.path), case.sha256),
        reference=case.reference,
        reference_files=dict(case.python),
        source=_sources(programs, source),
        programs=provision,
        scenes=_scene_counts(specs, results),
        memory=_memory(results),
        comparisons=sum(result.comparisons for result in results),
        bytes_compared=sum(result.bytes_compared for result in results),
        seconds=round(seconds, 3),
    )


def _scene_counts(specs: Sequence[SceneSpec], results: Sequence[Result]) -> SceneCounts:
    seeds = [spec.seed for spec in specs]
    return SceneCounts(
        count=len({spec.scene for spec in specs}),
        distinct=max((len(result.inputs) for result in results), default=0),
        generators=tuple(sorted({spec.generator for spec in specs})),
        objects=tuple(sorted({spec.objects for spec in specs})),
        seeds=(min(seeds), max(seeds)) if seeds else (),
    )


def _memory(results: Sequence[Result]) -> tuple[MemoryFill, ...]:
    totals = [sum(counts) for counts in zip(*(one.calls for one in results), strict=True)]
    return tuple(
        MemoryFill(fill.value, fill.words, calls)
        for fill, calls in zip(Fill, totals or [0] * len(Fill), strict=True)
    )


def _sources(programs: Sequence[BuiltProgram], source: Path | Replacements | None) -> Sources:
    files = {name: digest for one in programs for name, digest in one.files.items()}
    given = next((program for program in programs if program.origin == "given"), None)
    if given is not None:
        return Sources(str(given.path), given.sha256, files)
    replaced: str | dict[str, str] | None = None if source is None else str(source)
    if isinstance(source, Mapping):
        replaced = {name: str(path) for name, path in source.items()}
    return Sources(replaced, programs[0].source_digest if programs else "", files)
