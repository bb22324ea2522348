"""The programs of a case that are to be run, and what of the case is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.cases.case import Case
from emu.cases.programs.sources import Replacements, source_tree
from emu.cases.programs.subject import UNICORN, Subject
from emu.toolchain.programs.gcc import BuiltProgram
from emu.toolchain.programs.native import compile_native

NOT_ASKED_FOR = "not asked for"
NOTHING_COMPILED = "not among the prebuilt programs, and nothing is compiled"


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that was not run.

    Attributes:
        what: what it is, such as "build O0, O1".
        why: the reason, as a clause such as "not asked for".
    """

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Selection:
    """Programs of a case. Iterated over or indexed, it gives them as `Subject` values.

    Attributes:
        case: the case.
        built: the programs and where each came from, one processor after the other.
        note: where they came from, as a sentence for the report.
        not_run: what was left out, each with the reason.
        source: what was compiled instead of the case's own sources, or None.
        given: the programs that nothing was compiled for: the one that the user gave instead of the
            case's own, or the program that the case names, once for each processor.
        engines: the names of the engines; each program is executed on each of them.
        names_engines: whether somebody has named them. If nobody has, translated code may make
            calls for Unicorn.
        natives: the programs that were compiled for this computer, by engine and build.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["601"], builds=["O0", "O2"])
        >>> [program.build for program in programs], programs.not_run[0]
        (['O0', 'O2'], Omission(what='CPU 68000, 68040', why='not asked for'))
    """

    case: Case
    built: tuple[BuiltProgram, ...]
    note: str
    not_run: tuple[Omission, ...] = ()
    source: Path | Replacements | None = None
    given: tuple[Subject, ...] = ()
    engines: tuple[str, ...] = (UNICORN,)
    names_engines: bool = False
    natives: Mapping[tuple[str, str], Path] = field(default_factory=dict)

    @property
    def subjects(self) -> list[Subject]:
        """The programs, each with its processor, build and engine, ready to be run."""
        subjects = [Subject(p.cpu, p.build, p.path, sha256=p.sha256) for p in self.built]
        ready = [subject.of_case(self.case) for subject in self.given or subjects]
        return [
            replace(subject, engine=engine, native=self.natives.get((engine, subject.build)))
            for subject in ready
            for engine in self.engines
        ]

    def on(self, engines: Mapping[str, bool | None]) -> Selection:
        """The same programs on other engines.

        Args:
            engines: by its name, None for one that executes these programs; for one that executes
                the sources compiled for this computer, whether with the compiler's sanitizers.

        Raises:
            ToolMissingError, CompileError: as of `compile_native`.
        """
        natives = {
            (name, build): compile_native(
                source_tree(self.case, self.source),
                self.case.builds[build],
                has_sanitizers=has_sanitizers,
            )
            for name, has_sanitizers in engines.items()
            if has_sanitizers is not None and self.case.units and not self.given
            for build in dict.fromkeys(built.build for built in self.built)
        }
        return replace(self, engines=tuple(engines), names_engines=True, natives=natives)

    @property
    def executed(self) -> list[BuiltProgram]:
        """Where each of `subjects` came from."""
        return [built for built in self.built for _ in self.engines]

    def __len__(self) -> int:
        return len(self.built) * len(self.engines)

    def __iter__(self) -> Iterator[Subject]:
        return iter(self.subjects)

    def __getitem__(self, index: int) -> Subject:
        return self.subjects[index]
