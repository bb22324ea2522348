"""Named sets of compiler flags, and targets: a processor and the code that it executes.

Code for one processor may run on another: a 68040 executes code for a 68000. `targets_of` is the
only place that knows which; everything else takes a `Target`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.toolchain.user_flags import M68K_FLAGS


@dataclass(frozen=True, slots=True)
class Build:
    """A named set of compiler flags.

    Attributes:
        name: its name.
        flags: the flags.
        sanitizers: the names of the sanitizers among them, whose runtime is linked; see
            `emu.toolchain.sanitizers`.
        is_moved: whether it is linked to another place; see `emu.toolchain.programs.placement`.
    """

    name: str
    flags: tuple[str, ...]
    sanitizers: tuple[str, ...] = ()
    is_moved: bool = False

    @property
    def is_variant(self) -> bool:
        """Whether it is another build with sanitizers, or in another place."""
        return self.is_moved or bool(self.sanitizers)


BUILDS = {
    build.name: build
    for build in (
        Build("O0", ("-O0",)),
        Build("O1", ("-O1",)),
        Build("O2", ("-O2",)),
        Build("Os", ("-Os",)),
        # This build imitates a compiler of 1994: local variables live in registers, calls stay
        # calls, and loops are compiled as they were written.
        Build(
            "period",
            (
                "-O1",
                "-fno-inline",
                "-fno-ipa-sra",
                "-fno-ipa-pure-const",
                "-fno-ivopts",
                "-fno-tree-loop-optimize",
                "-fno-tree-ch",
                "-fno-tree-sra",
            ),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Target:
    """A processor, and how code for it is compiled with a cross GCC.

    Attributes:
        cpu: the name in `emu.machine.cpu.CPUS` of the processor that executes the code.
        machine: GCC's name for what it compiles for (``-dumpmachine``), such as "m68k-linux-gnu".
            In `ALL_TARGETS` it is that of Debian's compilers, by which the prebuilt programs were
            made; `emu.toolchain.compilers` gives the target of the compiler that is used.
        flags: the flags that select the processor. Sources of 1994 test the macro ``powerc`` to
            recognise a Power Macintosh; GCC does not define it, so these flags do.
        needs_arithmetic: whether macproof's routines take the place of those that GCC calls for
            arithmetic, since a compiler's own have instructions that the processor lacks.
        code: the processor that the code is for, if that is another one than ``cpu``; else "".
        command: the compiler's command; "" for the name of Debian's.
        link_flags: further flags for linking.
        convention: how the code calls routines; "" as `emu.program` assumes of a plain ELF file.
    """

    cpu: str
    machine: str
    flags: tuple[str, ...]
    needs_arithmetic: bool = False
    code: str = ""
    command: str = ""
    link_flags: tuple[str, ...] = ()
    convention: str = ""

    @property
    def architecture(self) -> str:
        """The family of processors that the compiler is for: "m68k", "powerpc" or "mips"."""
        return self.machine.partition("-")[0]

    @property
    def makes_xcoff(self) -> bool:
        """Whether the compiler's files are XCOFF, and not ELF."""
        return self.machine.startswith("powerpc-apple-macos")

    @property
    def compiler(self) -> str:
        """The C++ compiler's command."""
        return self.command or f"{self.machine}-g++"

    @property
    def package(self) -> str:
        """The Debian package of Debian's compiler."""
        return f"g++-{self.machine}"

    @property
    def name(self) -> str:
        """The processor, and the code if it is for another: "68040", "68040, 68000 code"."""
        return labelled(self.cpu, self.code)

    def label(self, build: str) -> str:
        """The name of a build for this target: "O2", or "O2, 68000 code"."""
        return labelled(build, self.code)

    def takes(self, flag: str) -> bool:
        """Whether its compiler has a flag that a case asks for."""
        return flag not in M68K_FLAGS or self.architecture == "m68k"


TARGETS = {
    target.cpu: target
    for target in (
        Target("68000", "m68k-linux-gnu", ("-mcpu=68000",), needs_arithmetic=True),
        Target("68040", "m68k-linux-gnu", ("-mcpu=68040",)),
        Target(
            "601",
            "powerpc-linux-gnu",
            ("-mcpu=601", "-msdata=none", "-fsigned-char", "-Dpowerc", "-D__powerc"),
        ),
    )
}
"""Macintosh processors. Cases and applications are compiled for them."""

OTHER_TARGETS = {
    target.cpu: target
    for target in (
        Target("68020", "m68k-linux-gnu", ("-mcpu=68020",)),
        Target("68030", "m68k-linux-gnu", ("-mcpu=68030",)),
        Target(
            "mips",
            "mips-linux-gnu",
            ("-mips32r2", "-mabi=32", "-mno-abicalls", "-G0"),
        ),
    )
}
"""Other processors. Only cases are compiled for them."""

ALL_TARGETS = {**TARGETS, **OTHER_TARGETS}
"""Every processor that a case can be compiled for."""

_ALSO_RUNS = {"68020": ("68000",), "68030": ("68000", "68020"), "68040": ("68000",)}
"""Processors that execute code for other ones too, and these. The manual of the family (M68000PM)
and that of the 68040 (M68040UM, section 1) say that later ones execute all instructions of programs
for the 68000; the 68030 lacks two of the 68020's, CALLM and RTM, which no compiler here makes."""


def labelled(name: str, code: str) -> str:
    """A name, and behind it whose code it is about if ``code`` is not "": "68040, 68000 code"."""
    return f"{name}, {code} code" if code else name


def unlabelled(name: str) -> str:
    """The name that `labelled` was given: "O2" for "O2, 68000 code"."""
    return re.sub(r", \w+ code$", "", name)


def runs(cpu: str, code: str) -> bool:
    """Whether a processor executes code for a processor, which may be the same."""
    return code == cpu or code in _ALSO_RUNS.get(cpu, ())


def targets_of(
    cpus: Sequence[str], codes: Sequence[str] = (), *, needs_all: bool = True
) -> list[Target]:
    """Lay code onto processors.

    Args:
        cpus: names of processors in `ALL_TARGETS`.
        codes: names of processors for which code is made. Each of ``cpus`` gets all of this code
            that it executes. If there are none, each gets code of its own.
        needs_all: whether a processor that executes none of the code is a mistake, as where the
            user named it, or is left out.

    Returns:
        The targets, one processor after the other.

    Raises:
        UsageError: nothing is compiled for one of ``codes``, or a processor that is needed executes
            none of them, or no processor does.
    """
    for code in codes:
        if code not in ALL_TARGETS:
            hint = did_you_mean(code, ALL_TARGETS)
            raise UsageError(f"there is no code for a processor {code}{hint}")
    targets = list(_targets_of(cpus, tuple(dict.fromkeys(codes))))
    able = {target.cpu for target in targets}
    unable = [cpu for cpu in cpus if cpu not in able]
    if unable and (needs_all or not able):
        raise UsageError(f"CPU {', '.join(unable)}: {executes_none(codes)}")
    return targets


def executes_none(codes: Sequence[str]) -> str:
    """Why a processor is left out that executes no code for these ones, as a clause."""
    return f"it does not execute code for a {' or a '.join(codes)}"


def _targets_of(cpus: Sequence[str], codes: Sequence[str]) -> Iterator[Target]:
    for cpu in cpus:
        for code in codes or (cpu,):
            if code == cpu:
                yield ALL_TARGETS[cpu]
            elif runs(cpu, code):
                yield replace(ALL_TARGETS[code], cpu=cpu, code=code)
