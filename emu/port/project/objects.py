"""Compiles the sources of a port without linking them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from emu.port.project.project import Project
from emu.toolchain.builds import ALL_TARGETS, Build
from emu.toolchain.mac_c.pragmas import double_flags
from emu.toolchain.programs.gcc import compile_objects
from emu.toolchain.sources import SourceTree, mac_sources


def source_tree(project: Project, flags: Sequence[str] = ()) -> SourceTree:
    """The sources of a port, each a translation unit.

    Args:
        project: the port.
        flags: flags besides its own.
    """
    folders = {path.parent for path in project.sources}
    common = Path(os.path.commonpath(folders))
    return SourceTree(
        routine="",
        state=(),
        units=tuple((path,) for path in project.sources),
        folders=(*sorted(folders - {common}), common),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
        flags=("-Dmacintosh", "-D__NO_CTYPE"),  # or isspace needs a table of this computer's
        include=project.include,
        prefix=project.prefix,
        cflags=(*project.flags, *double_flags(project.double), *flags),
        asked_by=project.path,
        lines={name: project.line(("prefix",)) for name in project.prefix if isinstance(name, str)},
    )


def compile_sources(project: Project, build: Build, flags: Sequence[str] = ()) -> list[bytes]:
    """Compile the sources of a port for the processor of its original.

    Args:
        project: the port.
        build: the build.
        flags: flags besides its own, such as ``-mshort``.

    Returns:
        An object file with debugging information for each source, in their order.

    Raises:
        ToolMissingError: there is no compiler for the processor.
        CompileError: the compiler refuses a source; the message names file and line.
    """
    tree = source_tree(project, flags)
    return compile_objects(tree.read(), build, ALL_TARGETS[project.cpu])
