"""The receipt of a verification: everything needed to run it again and compare the results."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np

from emu import __version__
from emu.cases.case import Case, Opponent
from emu.cases.change_marks import ChangeMark
from emu.cases.programs.sources import Replacements
from emu.engines.conformity.figures import figures_digest
from emu.machine.cpu import CPUS
from emu.machine.engine.base.models import describe_engine, find_model
from emu.report.file_digest import FileDigest
from emu.report.limits import Limits, Natural
from emu.toolchain.programs.gcc import BuiltProgram
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.sample import chance_to_pass
from emu.verify.scenes.scene_spec import SceneSpec


@dataclass(frozen=True, slots=True)
class CaseIdentity(FileDigest):
    """The case file.

    Attributes:
        name: the case's name.
        title: the case's title.
        credit: the author of the original program; "" if none is named.
        marks: what the file still marks CHANGE.
    """

    name: str
    title: str
    credit: str
    marks: tuple[ChangeMark, ...] = ()

    @classmethod
    def of(cls, case: Case) -> CaseIdentity:
        """That of a case."""
        return cls(str(case.path), case.sha256, case.name, case.title, case.credit, case.marks)


@dataclass(frozen=True, slots=True)
class SourceDigests:
    """The sources that were compiled.

    Attributes:
        replaced_by: the file that was compiled in place of all of the case's sources; or, by the
            name of a source, the file compiled in its place; None if nothing was replaced.
        sha256: one SHA-256 for all compiled sources together; for a program that was given as a
            binary, the SHA-256 of that file.
        files: the SHA-256 of every file that a compiler read, by the file's name. Files outside
            the source folder have their path as name.
    """

    replaced_by: str | Mapping[str, str] | None
    sha256: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SceneCounts:
    """The scenes that were run.

    Attributes:
        count: the number of scenes.
        distinct: the number of scenes whose input in guest memory differs.
        generators: the names of the generators.
        objects: the numbers of objects, ascending.
        seeds: the lowest and the highest seed; empty if there were no scenes.
    """

    count: Natural
    distinct: Natural
    generators: tuple[str, ...]
    objects: tuple[Natural, ...]
    seeds: tuple[Natural, ...]


@dataclass(frozen=True, slots=True)
class MemoryFill:
    """One way of filling memory before calls.

    Attributes:
        fill: its name, a value of `emu.verify.scenes.fills.Fill`.
        words: the same for readers, such as "filled with random bytes".
        calls: the number of calls before which memory was filled in this way.
    """

    fill: str
    words: str
    calls: Natural


@dataclass(frozen=True, slots=True)
class BulkReference:
    """The function that answered in place of the reference, because it is faster.

    Attributes:
        name: its dotted name.
        agreed: the number of scenes that the reference was asked about, too. Both answers were the
            same: a difference ends a verification.
        make: the dotted name of the function that made many scenes at once for it; "" if each was
            made alone. Those of which the reference was asked were made alone, too.
        chance: the chance that a form which is wrong in 1% of scenes is right on those ``agreed``,
            at most.
        widened: of how many scenes it was asked with whole numbers of 64 bits, too, with the same
            answers: no sum or product of narrow numbers of NumPy had wrapped.
    """

    name: str
    agreed: Natural
    make: str = ""
    chance: Annotated[float, Limits(minimum=0, maximum=1)] = 1.0
    widened: Natural = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """Everything needed to run a verification again and compare the results.

    Attributes:
        command: the command line, one string for each word.
        macproof: the version of macproof.
        python: the version of Python.
        numpy: the version of NumPy.
        engine: the names and versions of the engines that executed the programs.
        models: the engine's number for the processor model, by processor; None if it has none.
        case: the case file.
        reference: the dotted name of the reference function.
        reference_files: the SHA-256 of the files with the case's Python functions, by file name.
        source: the sources that were compiled.
        programs: where the programs came from, in words.
        scenes: the scenes.
        memory: how memory was filled before calls.
        comparisons: the number of values compared, over all programs.
        bytes_compared: the number of bytes of data memory compared, over all programs.
        seconds: the time that the verification took, in seconds.
        bulk_reference: the function that answered in its place; None if it answered itself.
        read_files: the SHA-256 of the further files that these functions have read, as they were
            imported or ran, by file name; "absent" of one that they looked for and did not find.
        budget: the instructions after which a call that does not return counts as one that never
            does; 0 if nobody has chosen them.
        against: the program that said what is right in place of the reference; None if none did.
        conformity: the SHA-256 of the figures that say how Unicorn's instructions stand against
            public test vectors (docs/conformity.md); "" in reports of earlier versions.
    """

    command: tuple[str, ...]
    macproof: str
    python: str
    numpy: str
    engine: str
    models: Mapping[str, int | None]
    case: CaseIdentity
    reference: str
    reference_files: Mapping[str, str]
    source: SourceDigests
    programs: str
    scenes: SceneCounts
    memory: tuple[MemoryFill, ...]
    comparisons: Natural
    bytes_compared: Natural
    seconds: Annotated[float, Limits(minimum=0)]
    bulk_reference: BulkReference | None = None
    read_files: Mapping[str, str] = field(default_factory=dict)
    budget: Natural = 0
    against: Opponent | None = None
    conformity: str = ""


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
    """Make the receipt of a run. The arguments are those of `make_report`."""
    return Receipt(
        command=tuple(command),
        macproof=__version__,
        python=platform.python_version(),
        numpy=np.__version__,
        engine=", ".join(_engines(results)) or describe_engine(),
        models={p.cpu: find_model(CPUS[p.cpu]) for p in programs},
        case=CaseIdentity.of(case),
        reference=case.reference,
        reference_files=dict(case.python),
        source=_sources(programs, source),
        programs=provision,
        scenes=_scene_counts(specs, results),
        memory=_memory(results),
        comparisons=sum(result.comparisons for result in results),
        bytes_compared=sum(result.bytes_compared for result in results),
        seconds=round(seconds, 3),
        bulk_reference=_bulk_reference(case, results),
        read_files={name: sha256 for result in results for name, sha256 in result.read},
        budget=case.budget,
        against=case.against,
        conformity=figures_digest(),
    )


def _engines(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(result.engine or result.subject.engine for result in results))


def _bulk_reference(case: Case, results: Sequence[Result]) -> BulkReference | None:
    if not case.bulk_reference:
        return None
    agreed = max((result.agreed for result in results), default=0)
    wide = max((result.widened for result in results), default=0)
    return BulkReference(
        case.bulk_reference, agreed, case.bulk_make, round(chance_to_pass(agreed), 4), wide
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
    totals = [sum(counts) for counts in zip(*(result.calls for result in results), strict=True)]
    return tuple(
        MemoryFill(fill.value, fill.words, calls)
        for fill, calls in zip(Fill, totals or [0] * len(Fill), strict=True)
        if calls or fill is not Fill.KEPT
    )


def _sources(programs: Sequence[BuiltProgram], source: Path | Replacements | None) -> SourceDigests:
    files = {name: digest for program in programs for name, digest in program.files.items()}
    given = next((program for program in programs if program.origin == "given"), None)
    if given is not None:
        return SourceDigests(str(given.path), given.sha256, files)
    replaced: str | dict[str, str] | None = None if source is None else str(source)
    if isinstance(source, Mapping):
        replaced = {name: str(path) for name, path in source.items()}
    return SourceDigests(replaced, programs[0].source_digest if programs else "", files)
