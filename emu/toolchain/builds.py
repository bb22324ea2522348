"""Named sets of compiler flags, and the processors they are compiled for."""

from __future__ import annotations

from dataclasses import dataclass

from emu.toolchain.user_flags import M68K_FLAGS


@dataclass(frozen=True, slots=True)
class Build:
    """A named set of compiler flags.

    Attributes:
        name: its name.
        flags: the flags.
        sanitizers: the names of the sanitizers among them, whose runtime is linked; see
            `emu.toolchain.sanitizers`.
        is_moved: whether it is linked to another place; see `emu.toolchain.placement`.
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
    """How to compile for one processor with Debian's cross GCC.

    Attributes:
        cpu: the processor's name in `emu.machine.cpu.CPUS`.
        compiler: the C++ compiler's command.
        package: the Debian package that contains the compiler.
        flags: the flags that select the processor. Sources of 1994 test the macro ``powerc`` to
            recognise a Power Macintosh; GCC does not define it, so these flags do.
        arithmetic: the folder of ``mac_src/runtime`` with the routines that GCC calls for
            arithmetic, if the compiler's own library has instructions that the processor lacks.
    """

    cpu: str
    compiler: str
    package: str
    flags: tuple[str, ...]
    arithmetic: str = ""

    def takes(self, flag: str) -> bool:
        """Whether its compiler has a flag that a case asks for."""
        return flag not in M68K_FLAGS or self.compiler.startswith("m68k-")


TARGETS = {
    target.cpu: target
    for target in (
        Target("68000", "m68k-linux-gnu-g++", "g++-m68k-linux-gnu", ("-mcpu=68000",), "m68000"),
        Target("68040", "m68k-linux-gnu-g++", "g++-m68k-linux-gnu", ("-mcpu=68040",)),
        Target(
            "601",
            "powerpc-linux-gnu-g++",
            "g++-powerpc-linux-gnu",
            ("-mcpu=601", "-msdata=none", "-fsigned-char", "-Dpowerc"),
        ),
    )
}
"""Macintosh processors. Cases and applications are compiled for them."""

OTHER_TARGETS = {
    target.cpu: target
    for target in (
        Target(
            "mips",
            "mips-linux-gnu-g++",
            "g++-mips-linux-gnu",
            ("-mips32r2", "-mabi=32", "-mno-abicalls", "-G0"),
        ),
    )
}
"""Other processors. Only cases are compiled for them."""

ALL_TARGETS = {**TARGETS, **OTHER_TARGETS}
"""Every processor that a case can be compiled for."""
