"""Compiles a source file, to see what its functions hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.program.elf.declarations import ObjectDeclarations, SourceDeclaration, read_declarations
from emu.program.elf.object_program import object_program
from emu.program.functions.find_functions import find_functions
from emu.program.functions.model import ProgramFunction, ProgramFunctions
from emu.toolchain.builds import ALL_TARGETS, BUILDS, Build
from emu.toolchain.mac_c.named_headers import Prefix
from emu.toolchain.programs.gcc import compile_objects
from emu.toolchain.sources import SourceTree, mac_sources, require_unit


@dataclass(frozen=True, slots=True)
class SourceForm:
    """A way to compile a source for a comparison with an old program.

    Attributes:
        cpu: the processor that it is compiled for.
        build: the build.
        flags: further flags.
    """

    cpu: str
    build: Build
    flags: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.cpu, self.build.name, *self.flags))


# GCC has internal errors in these two with -mshort; the option also changes what loops look like.
_SMALL = Build("Os", ("-Os", "-fno-ivopts", "-fno-tree-slsr"))
FORMS = {
    "m68k": (SourceForm("68000", BUILDS["period"]), SourceForm("68000", _SMALL, ("-mshort",))),
    "powerpc": (SourceForm("601", BUILDS["period"]), SourceForm("601", _SMALL)),
}
"""The forms by the architecture of the program. Old compilers for the 68K had an int of 16 or 32
bits. None unrolled or inlined as much as a compiler of today."""


@dataclass(frozen=True, slots=True)
class SourceObject:
    """A source file as one form compiles it.

    Attributes:
        functions: its functions, in its order.
        definitions: the functions and variables that it defines, in the order in which they are
            declared first.
        declarations: these, and what it declares and uses.
    """

    functions: ProgramFunctions
    definitions: tuple[SourceDeclaration, ...]
    declarations: ObjectDeclarations


def source_objects(
    path: Path,
    architecture: str,
    include: Sequence[Path] = (),
    prefix: Sequence[Prefix] = (),
    flags: Sequence[str] = (),
) -> list[SourceObject]:
    """A source file in each of `FORMS`.

    What it needs from other files may be missing, for it is not linked.

    Args:
        path: the C or C++ file.
        architecture: "m68k" or "powerpc".
        include: further folders with headers.
        prefix: the headers that the source begins with.
        flags: further flags of the compiler.

    Raises:
        UsageError: there is no such file, or it is in no language that can be compiled.
        ToolMissingError: there is no compiler.
        CompileError: the compiler refuses it.
    """
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file")
    path = path.resolve()
    require_unit([path])
    return [_compiled(path, form, include, prefix, flags) for form in FORMS[architecture]]


def source_functions(
    path: Path,
    architecture: str,
    include: Sequence[Path] = (),
    prefix: Sequence[Prefix] = (),
) -> list[ProgramFunctions]:
    """The functions of a source file, in its order, in each of `FORMS`; see `source_objects`."""
    return [one.functions for one in source_objects(path, architecture, include, prefix)]


def _compiled(
    path: Path,
    form: SourceForm,
    include: Sequence[Path],
    prefix: Sequence[Prefix],
    flags: Sequence[str],
) -> SourceObject:
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
        prefix=tuple(prefix),
        cflags=(*form.flags, *flags),
    )
    (image,) = compile_objects(tree.read(), form.build, ALL_TARGETS[form.cpu])
    declarations = read_declarations(image, path)
    declared = {
        one.address: one for one in declarations.declarations if one.is_defined and one.address
    }
    definitions = sorted(declared.values(), key=lambda one: one.order)
    return SourceObject(
        find_functions(object_program(image, path)), tuple(definitions), declarations
    )


def function_named(functions: ProgramFunctions, name: str) -> ProgramFunction:
    """A function of a source.

    Raises:
        UsageError: the source has no such function.
    """
    names = [function.name for function in functions.functions]
    if name not in names:
        raise UsageError(
            f"{functions.program.path}: it has no function {name}{did_you_mean(name, names)}; it "
            f"has {', '.join(names[:12]) or 'none'}"
        )
    return functions.functions[names.index(name)]
