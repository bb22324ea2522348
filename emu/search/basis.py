"""What the reports of all searches have: what a search rests on, and what it has not watched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from emu.cases.case import Case
from emu.cases.keys.parts import IgnoredVariable
from emu.report.limits import Limits, Sha256
from emu.verify.documents.ignored_document import ignored_sentences
from emu.verify.report.receipt import CaseIdentity


@dataclass(frozen=True, slots=True)
class SearchBasis:
    """What a search rests on.

    Attributes:
        case: the case file.
        reference_files: the SHA-256 of the files with the case's Python functions, by file name.
        seed: the seed of chance.
    """

    case: CaseIdentity
    reference_files: Mapping[str, str]
    seed: Annotated[int, Limits(minimum=0, maximum=(1 << 64) - 1)]

    @classmethod
    def of(cls, case: Case, seed: int) -> SearchBasis:
        """That of a search on a case."""
        return cls(CaseIdentity.of(case), dict(case.python), seed)


@dataclass(frozen=True, slots=True)
class SearchedProgram:
    """A program that scenes are run on.

    Attributes:
        cpu: the processor's name.
        build: the build's name.
        sha256: the SHA-256 of its file, in hexadecimal.
    """

    cpu: str
    build: str
    sha256: Sha256

    @property
    def name(self) -> str:
        """Processor and build: "68040 O2"."""
        return f"{self.cpu} {self.build}"


@dataclass(frozen=True, slots=True)
class UnwatchedMemory:
    """What a search has compared with nothing.

    Attributes:
        ignored: the variables that the routine may change and that are compared with nothing.
        keeps_state: whether some calls found what earlier calls had left of these.
    """

    ignored: tuple[IgnoredVariable, ...] = ()
    keeps_state: bool = False

    @classmethod
    def of(cls, case: Case) -> UnwatchedMemory:
        """That of a search on a case."""
        return cls(case.ignored, case.keeps_state)

    def sentences(self) -> Iterator[str]:
        """What each variable held before calls; none if nothing is ignored."""
        yield from ignored_sentences(self.ignored, int(self.keeps_state), 0)
