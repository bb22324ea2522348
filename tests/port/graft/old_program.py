"""Old programs of a few functions in assembly, and grafts for them, to be called by a machine."""

from __future__ import annotations

import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from emu.machine import BareMachine
from emu.machine.abi import CALLING_CONVENTIONS
from emu.port.graft.graft import Graft, build_graft
from emu.port.model import FUNCTION, ClaimedFunction, ClaimedGlobal, Claims
from emu.port.project.project import Project, original_digest
from emu.program import Program, read_program
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.compilers.find import absent, find_compiler

AT = 0x80000
"""Where grafts lie."""


@dataclass(frozen=True, slots=True)
class OldProgram:
    """An old program in assembly, and the port of it.

    Attributes:
        program: the old program.
        project: the port.
        claims: every symbol of the old program, as one of the port.
    """

    program: Program
    project: Project
    claims: Claims

    def graft(
        self,
        *names: str,
        build: str = "O2",
        together: bool = False,
        claims: Claims | None = None,
        entries: Mapping[str, str] | None = None,
    ) -> Graft:
        """New functions for it; some old ones have entries in a jump table, by their places."""
        places = entries or {}
        return build_graft(
            self.project,
            claims or self.claims,
            None,
            self.address_of,
            AT,
            names,
            build,
            together=together,
            pointer_to=lambda place: self.address_of(places[place]) if place in places else None,
        )

    def address_of(self, place: str) -> int:
        """Where a place is: the program lies where its file says."""
        name, _, offset = place.rpartition("+")
        (segment,) = (one for one in self.program.segments if one.name == name)
        return segment.address + int(offset, 16)

    def machine(self, graft: Graft, pascal: Collection[str] = ()) -> BareMachine:
        """A machine that calls the new functions as the old program would.

        Args:
            graft: the new functions.
            pascal: those among them that are called as Pascal calls; only they, if there are any.
        """
        made = graft.program
        signatures = {
            name: [replace(made.signatures[name][0], address=function.address)]
            for name, function in graft.functions.items()
        }
        convention = "pascal" if pascal else self.project.convention
        program = replace(
            made,
            segments=(*self.program.segments, *made.segments),
            functions={name: [f.address] for name, f in graft.functions.items()},
            signatures=signatures,
            convention=convention,
            registers={"r2": 0} if made.architecture == "powerpc" else {},
        )
        return BareMachine(program, self.project.cpu, CALLING_CONVENTIONS[convention])


def old_program(
    folder: Path,
    source: str,
    assembly: str,
    *,
    cpu: str = "68040",
    convention: str = "think-c-16",
) -> OldProgram:
    """Assemble an old program, and write the source of its port.

    Args:
        folder: where.
        source: the port in C; each symbol of the old program that it has, it claims to be.
        assembly: the old program; what is global in it can be claimed.
        cpu: the processor.
        convention: how the old program calls.
    """
    target = find_compiler(ALL_TARGETS[cpu], {})
    if target is None:
        pytest.skip(absent(ALL_TARGETS[cpu]))
    (folder / "old.s").write_text(assembly)
    command = [target.compiler.replace("g++", "gcc"), *target.flags, "-nostdlib", "-static"]
    command += ["-Wl,-Ttext=0x20000,-Tdata=0x30000,-e,0,--build-id=none", "old.s", "-o", "old.elf"]
    subprocess.run(command, check=True, cwd=folder, capture_output=True)
    program = read_program(folder / "old.elf")
    digest = original_digest(folder / "old.elf")
    port = folder / "port.c"
    port.write_text(source)
    project = Project(folder / "port.yaml", folder / "old.elf", digest, cpu, convention, (port,))
    functions, variables = {}, []
    for symbol in (one for one in program.symbols if not one.name.startswith("_")):
        place = next(
            f"{segment.name}+{symbol.address - segment.address:#x}"
            for segment in program.segments
            if segment.address <= symbol.address < segment.end
        )
        if symbol.address < 0x30000:
            functions[symbol.name] = ClaimedFunction(
                symbol.name, symbol.name, FUNCTION, place, port, 1
            )
        else:
            variables.append(ClaimedGlobal(symbol.name, symbol.name, place, port, 1, symbol.size))
    return OldProgram(program, project, Claims(functions, tuple(variables)))
