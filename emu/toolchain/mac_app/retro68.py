"""Builds the applications with Retro68, a GCC for classic Macintoshes.

macproof calls it through CMake with ``mac_src/CMakeLists.txt``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from emu.base.errors import CompileError, ProgramError
from emu.base.files import write_whole
from emu.base.temporary import temporary_folder
from emu.machine.memory.layout import APPLICATION_SHADOW, APPLICATION_SHADOWED
from emu.program.fragments.cfrg import CODE_FRAGMENTS
from emu.program.mac_file.mac_file import read_mac_file
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.toolchain.mac_app.applications import ApplicationRecipe
from emu.toolchain.mac_app.link_ppc import code_fragment
from emu.toolchain.process import run_with_progress
from emu.toolchain.retro68 import RETRO68_TARGETS, Retro68, Retro68Target
from emu.toolchain.sanitizers import STACK

_HAS_BUNDLE = 0x2000
_SECONDS = 600
_STEP = re.compile(r"\[ *(\d+)%\]|\[(\d+)/(\d+)\]")
_ERROR = re.compile(r"(?P<file>[^:\s][^:]*):(?P<line>\d+)(:\d+)?: (fatal )?error: ")
_NOISE = re.compile(r"\[ *\d+%\]|\[\d+/\d+\]|(g?make|ninja)(\[\d+\])?: |-- ")
_MOST_LINES, _WIDEST_LINE = 60, 300
# These variables change how programs are compiled, and the result would not show it; so the tools
# run without them.
_MISLEADING = {
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "CC",
    "CXX",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "MAKEFLAGS",
    "DESTDIR",
    "CMAKE_GENERATOR",
    "CMAKE_TOOLCHAIN_FILE",
}

Progress = Callable[[float, str], None]
"""A function that is told how much is done, from 0 to 1, and what is being done."""


def build_with_retro68(
    retro68: Retro68,
    applications: Sequence[ApplicationRecipe],
    cpu: str,
    output: Path,
    mac_sources: Path,
    *,
    listing: tuple[Path, str] | None = None,
    sanitizers: Sequence[str] = (),
    progress: Progress | None = None,
) -> list[Path]:
    """Build applications for one processor.

    Retro68 writes today's date into an application. So the application is packed again without it,
    and the same sources and compiler always give the same bytes.

    Args:
        retro68: the toolchain.
        applications: those in ``mac_src/CMakeLists.txt`` to build.
        cpu: a name in `RETRO68_TARGETS`.
        output: the folder for ``TITLE.bin`` and the linked file with its symbols.
        mac_sources: the folder with the sources.
        listing: the user's own program to build as well, and its application's name.
        sanitizers: which checks they are compiled with, "address", "stack" and "undefined".
        progress: told how far it is.

    Returns:
        The MacBinary files, in the order of the applications, the listing's last.

    Raises:
        CompileError: one of the tools failed.
        ProgramError: Retro68 did not make a valid application.
    """
    cmake_file, target = mac_sources / "CMakeLists.txt", RETRO68_TARGETS[cpu]
    wanted = [(application.target, application.title) for application in applications]
    options = _sanitize_options(sanitizers)
    if listing is not None:
        wanted.append(("Listing", listing[1]))
        options.append(f"-DMACPROOF_LISTING={listing[0].resolve()}")
    with temporary_folder() as stage:
        _run(
            [*_configure_command(retro68, target, mac_sources, stage), *options],
            cmake_file,
            progress and (lambda done, what: progress(0.0, "configuring")),
        )
        targets = [f"{target_name}_APPL" for target_name, _ in wanted]
        _run(
            [retro68.cmake, "--build", str(stage), "-j", str(os.cpu_count()), "--target", *targets],
            cmake_file,
            progress,
        )
        return [_take(stage, target_name, title, target, output) for target_name, title in wanted]


def _sanitize_options(sanitizers: Sequence[str]) -> list[str]:
    if not sanitizers:
        return []
    options = [f"-DMACPROOF_SANITIZE={';'.join(sanitizers)}"]
    if STACK in sanitizers:
        shadow, shadowed = APPLICATION_SHADOW, APPLICATION_SHADOWED
        options += [f"-DMACPROOF_SHADOW=0x{shadow:x}", f"-DMACPROOF_SHADOWED=0x{shadowed:x}"]
    return options


def _configure_command(
    retro68: Retro68, target: Retro68Target, mac_sources: Path, stage: Path
) -> list[str]:
    """The CMake command that prepares a build folder for one processor."""
    return [
        retro68.cmake,
        *("-S", str(mac_sources)),
        *("-B", str(stage)),
        *("-G", retro68.generator),
        f"-DCMAKE_TOOLCHAIN_FILE={retro68.folder / target.toolchain_file}",
        f"-DRETRO68_ROOT={retro68.folder}",
        "-DCMAKE_TRY_COMPILE_PLATFORM_VARIABLES=RETRO68_ROOT",
        "-DCMAKE_BUILD_TYPE=Release",
    ]


def _take(stage: Path, name: str, title: str, target: Retro68Target, output: Path) -> Path:
    """Pack an application under its own name, and keep its symbols beside it."""
    application = stage / f"{name}.bin"
    if not application.is_file():
        raise ProgramError(application, "Retro68 reported no error, but did not make it")
    file = read_mac_file(application)
    resources = [
        Resource(
            resource.type, resource.id, resource.name, resource.attributes, code_fragment(title)
        )
        if (resource.type, resource.id) == (CODE_FRAGMENTS, 0)
        else resource
        for resource in file.resources.resources
    ]
    packed = make_macbinary(
        title,
        type=file.type,
        creator=file.creator,
        data=file.data,
        resource_fork=make_resource_fork(resources),
        flags=_HAS_BUNDLE if file.resources.of_type("BNDL") else 0,
    )
    symbols = stage / f"{name}{target.symbols}"
    if symbols.is_file():
        write_whole(output / f"{title}{target.symbols}", symbols.read_bytes())
    path = output / f"{title}.bin"
    write_whole(path, packed)
    return path


def _run(command: list[str], blamed: Path, progress: Progress | None) -> None:
    def on_line(line: str) -> None:
        step = _STEP.match(line)
        if step and progress is not None:
            percent, number, count = step.groups()
            done = int(percent) / 100 if percent else int(number) / max(int(count), 1)
            progress(min(done, 1.0), line[step.end() :].strip()[:_WIDEST_LINE])

    inherited = {name: text for name, text in os.environ.items() if name not in _MISLEADING}
    environment = {**inherited, "LC_ALL": "C", "SOURCE_DATE_EPOCH": "0"}
    code, said = run_with_progress(command, environment, _SECONDS, on_line)
    if code is None:
        raise CompileError(blamed, f"{command[0]} did not finish within {_SECONDS} seconds")
    if code:
        raise _error(said, blamed)


def _error(said: list[str], blamed: Path) -> CompileError:
    """Make an error of the tools' output, from the first message of an error on."""
    lines = [line[:_WIDEST_LINE] for line in said if line.strip() and not _NOISE.match(line)]
    for index, line in enumerate(lines):
        match = _ERROR.match(line)
        if match:
            blamed = Path(match["file"])
            lines = lines[max(index - 2, 0) :]
            break
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES:] = [f"... and {len(lines) - _MOST_LINES} more lines"]
    return CompileError(blamed, "Retro68 refused it:\n" + "\n".join(lines))
