"""One program of a case on one processor."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.shared_values import made_once
from emu.cases.case import Case
from emu.cases.keys.declarations import Declarations
from emu.cases.programs.completion import complete
from emu.machine.cpu import CPUS
from emu.program import Program, host_file, read_program, with_types
from emu.program.model.patches import Patch, with_patches

UNICORN = "unicorn"
"""The name of the engine that executes programs if no other is named."""


@dataclass(frozen=True, slots=True)
class BorrowedTypes:
    """Globals without types in a program, and another program that tells their types.

    ``build`` is the name of the build by which the case's own program was made.
    """

    program: Path
    build: str
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """One program on one processor.

    Attributes:
        cpu: the name of the processor that executes it.
        build: the build's name; "given" for a program that macproof has not built. If its code was
            compiled for another processor, the name says so: "O2, 68000 code".
        program: the program's file, of any format that `read_program` knows.
        types: where missing types are taken from, or None if the program has all types.
        symbols: the file beside the program that holds its symbols, if there is one.
        sha256: SHA-256 of the program's file, to notice a change during a run; "" to accept any.
        declared: what the case says of the program, or None if the program tells it all.
        engine: the name of the engine that executes it.
        native: the same sources compiled for this computer, if the engine executes those.
        patches: addresses, each with the bytes that replace the program's own there.

    Example:
        >>> programs = macproof.programs_of(macproof.load_case("four-shifts"), builds=["O2"])
        >>> programs[0].cpu, programs[0].read().architecture
        ('68000', 'm68k')
    """

    cpu: str
    build: str
    program: Path
    types: BorrowedTypes | None = None
    symbols: Path | None = None
    sha256: str = ""
    declared: Declarations | None = None
    engine: str = UNICORN
    native: Path | None = None
    patches: tuple[Patch, ...] = ()

    @property
    def name(self) -> str:
        """Its name within its case: "68040 O2", or "68040 O2 on qemu-user"."""
        on = "" if self.engine == UNICORN else f" on {self.engine}"
        return f"{self.cpu} {self.build}{on}"

    def of_case(self, case: Case) -> Subject:
        """The same program, completed by what a case file says of it."""
        return replace(self, declared=None if case.declared.is_empty else case.declared)

    def read(self) -> Program:
        """Read the program, with all types, and with what the case says of it.

        Raises:
            ProgramError: the file cannot be read or has changed, or its globals do not fit the
                types taken from another program; or it has no routine that the case calls.
            CaseError: what the case says does not fit the program.
            GuestError: its start-up code does not reach the routine at which the case stops it.
        """
        if self.patches:
            return with_patches(_unpatched(replace(self, patches=())), self.patches)
        program = self._read()
        return (
            program if self.declared is None else complete(program, CPUS[self.cpu], self.declared)
        )

    def _read(self) -> Program:
        content = host_file(self.program).read_bytes() if self.sha256 else b""
        if self.sha256 and hashlib.sha256(content).hexdigest() != self.sha256:
            raise ProgramError(self.program, "it was changed during the run", remedy="Run it again")
        architecture = CPUS[self.cpu].architecture
        read = functools.partial(read_program, self.program, architecture=architecture)
        # All of an ELF program is in its file. Others may have symbols in a second one.
        is_whole = content.startswith(b"\x7fELF")
        program = made_once(f"{self.program} {self.sha256}", read) if is_whole else read()
        if self.types is None:
            return program
        return with_types(program, read_program(self.types.program), self.types.variables)


@functools.lru_cache(maxsize=2)
def _unpatched(subject: Subject) -> Program:
    """The program of which many patched ones are made, one after the other."""
    return subject.read()
