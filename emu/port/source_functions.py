"""Compiles a source file, to see what its functions hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.program.elf.object_program import object_program
from emu.program.functions.find_functions import find_functions
from emu.program.functions.model import ProgramFunctions
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.programs.gcc import compile_objects
from emu.toolchain.sources import SourceTree, mac_sources, require_unit

BUILD = "period"
"""The build that is most like what compilers of the time made."""

CODE_OF = {"m68k": "68000", "powerpc": "601"}
"""What a source is compiled for, by the architecture of the program."""


def source_functions(path: Path, cpu: str, include: Sequence[Path] = ()) -> ProgramFunctions:
    """The functions of a source file, in its order.

    What it needs from other files may be missing, for it is not linked.

    Args:
        path: the C or C++ file.
        cpu: the processor it is compiled for.
        include: further folders with headers.

    Raises:
        UsageError: there is no such file, or it is in no language that can be compiled.
        ToolMissingError: there is no compiler.
        CompileError: the compiler refuses it.
    """
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file")
    path = path.resolve()
    require_unit([path])
    tree = SourceTree(
        routine="",
        state=(),
        units=((path,),),
        folders=(path.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
        flags=("-Dmacintosh",),
        foreign=(path,),
        include=tuple(folder.resolve() for folder in include),
    )
    (image,) = compile_objects(tree.read(), BUILDS[BUILD], ALL_TARGETS[cpu])
    return find_functions(object_program(image, path))


def index_of(functions: ProgramFunctions, name: str) -> int:
    """The index of a function of a source.

    Raises:
        UsageError: the source has no such function.
    """
    for index, function in enumerate(functions.functions):
        if function.name == name:
            return index
    names = [function.name for function in functions.functions]
    raise UsageError(
        f"{functions.program.path}: it has no function {name}{did_you_mean(name, names)}; it has "
        f"{', '.join(names[:12]) or 'none'}"
    )
