"""Mutants of programs of which there is no source: one instruction that was executed is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import UsageError
from emu.base.processes.workers import Workers
from emu.cases.case import Case, KnownCase
from emu.cases.known_case import case_as_known
from emu.cases.programs.selection import Selection
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.cycles.base.counting import Block
from emu.machine.cpu import CPUS
from emu.program import Program
from emu.search.selfcheck.checker import one_of_each_kind
from emu.search.selfcheck.equivalent import Equivalents
from emu.search.selfcheck.instruction_changes import CHANGES
from emu.search.selfcheck.mutant import CodeChange, Mutant, numbered
from emu.search.selfcheck.mutant_programs import MadeMutant
from emu.toolchain.programs.gcc import BuiltProgram
from emu.verify.batches.benches import bench_for
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.scene_spec import SceneSpec


@dataclass(frozen=True, slots=True)
class FromPrograms:
    """Programs whose instructions are changed.

    Attributes:
        case: the case.
        originals: where the programs came from.
        subjects: the programs of the routine itself, ready to be run.
        specs: the scenes.
        files: the names of the files whose code is changed; none is all. What macproof links with
            a routine, such as memset, is not the routine's.
    """

    case: Case
    originals: tuple[BuiltProgram, ...]
    subjects: list[Subject]
    specs: Sequence[SceneSpec]
    files: frozenset[str]

    @classmethod
    def of(cls, selection: Selection, specs: Sequence[SceneSpec]) -> FromPrograms:
        """The programs of a selection.

        Raises:
            UsageError: nobody has said how instructions of a processor can be changed.
        """
        for subject in selection.subjects:
            if CPUS[subject.cpu].architecture not in CHANGES:
                raise UsageError(
                    f"instructions of a {CPUS[subject.cpu].title} cannot be changed; choose "
                    "another processor with --cpu"
                )
        files: frozenset[str] = frozenset()
        if selection.case.units and not selection.given:
            staged = source_tree(selection.case, selection.source).read().files
            files = frozenset(Path(name).name for name in staged if name.startswith("program/"))
        return cls(selection.case, selection.built, selection.subjects, specs, files)

    def mutants(self, workers: Workers) -> list[Mutant]:
        """All mutants: of each instruction that is executed on one scene of each kind.

        Raises:
            GuestError: what a program executes cannot be counted, as it changes its own code.
        """
        kinds = one_of_each_kind(self.specs)
        calls = [(self.case.known_case, subject, kinds) for subject in self.subjects]
        executed = dict(workers.each(_executed, calls))
        return [
            mutant
            for number, subject in enumerate(self.subjects)
            for mutant in numbered(_mutants(subject, subject.read(), executed[number]))
            if not self.files or mutant.file in self.files
        ]

    def runs(self, mutant: Mutant) -> int:
        """How many programs are made with a mutant."""
        return 1

    def make(
        self,
        mutants: Sequence[Mutant],
        equivalents: Equivalents,
        jobs: int,
        on_progress: Callable[[int], None],
    ) -> list[MadeMutant]:
        """The programs of mutants, each the routine's with a patch."""
        by_name = {subject.name: subject for subject in self.subjects}
        mutants_made = []
        for mutant in mutants:
            change = mutant.change
            assert isinstance(change, CodeChange)
            patched = replace(by_name[change.program], patches=((change.address, change.code),))
            mutants_made.append(MadeMutant(mutant, {change.program: patched}))
            on_progress(1)
        return mutants_made

    def uncalled(self, equivalents: Equivalents) -> tuple[list[Subject], list[str]]:
        """Only of sources a list names functions that are not called."""
        return [], [f"there is no such function: {name}" for name in sorted(equivalents.uncalled)]


def _executed(
    known_case: KnownCase, subject: Subject, specs: Sequence[SceneSpec]
) -> Mapping[Block, bytes]:
    """The code that a program executes on some scenes, in blocks."""
    case = case_as_known(known_case)
    bench = bench_for(case, subject)
    code: dict[Block, bytes] = {}
    for spec in specs:
        scenes = Scenes.make(case, [spec])
        code |= bench.count(bench.before(scenes.scenes, scenes.preparations)).code
    return code


def _mutants(subject: Subject, program: Program, blocks: Mapping[Block, bytes]) -> Iterator[Mutant]:
    """The mutants of some code, in the order of the addresses."""
    cpu = CPUS[subject.cpu]
    pieces = {
        address: piece
        for (start, _), code in blocks.items()
        for address, piece in _instructions(cpu.architecture, start, code)
    }
    for address, piece in sorted(pieces.items()):
        place = program.locate(address)
        for operator, code in CHANGES[cpu.architecture](piece):
            yield Mutant(
                file=place.file or subject.name,
                line=place.line,
                function=f"{place.symbol}+0x{place.offset:x}"
                if place.symbol
                else f"0x{address:08x}",
                operator=operator,
                before=cpu.disassemble(piece),
                after=cpu.disassemble(code),
                change=CodeChange(subject.name, address, code),
            )


def _instructions(architecture: str, start: int, code: bytes) -> Iterator[tuple[int, bytes]]:
    """The addresses and the bytes of the instructions of a block."""
    if architecture == "powerpc":
        for at in range(0, len(code) - 3, 4):
            yield start + at, code[at : at + 4]
        return
    import capstone  # loaded only where code is decoded

    decoder = capstone.Cs(capstone.CS_ARCH_M68K, capstone.CS_MODE_M68K_040)
    for address, size, name, _ in decoder.disasm_lite(code, start):
        if name != "dc.w":
            yield address, code[address - start : address - start + size]
