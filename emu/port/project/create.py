"""Writes a new port: port.yaml, a first source, and what its author has to know."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from emu.base.errors import InputError, ProgramError, UsageError
from emu.base.files import why_refused, write_whole
from emu.base.printable import one_line
from emu.cases.skeletons.convention import Recognition, recognise_program_convention
from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.cpu import CPUS
from emu.port.project.project import (
    PROJECT_FILE,
    RECORDINGS,
    SCHEMA,
    original_digest,
    read_project,
)
from emu.port.project.toolbox_includes import all_include_toolbox
from emu.program.code68k.compiler import (
    CODEWARRIOR,
    THINK_C,
    RecognisedCompiler,
    recognise_compiler,
)
from emu.program.functions.find_functions import find_functions
from emu.program.functions.model import OWN, ProgramFunctions
from emu.program.mac_program import read_executable
from emu.program.model.model import Program
from emu.program.whole_program import read_whole_program

_HOME = resources.files("emu.port.project")
_SCHEMA_FILE = "port.schema.json"
_USUAL_CPUS = {"m68k": "68040", "powerpc": "601"}
_FIRST_SOURCE = "port.c"
_PREFIX = (
    "prefix: MacHeaders # the Toolbox's headers, which not all sources include by themselves\n"
)


@dataclass(frozen=True, slots=True)
class NewPort:
    """What a new port begins with.

    Attributes:
        original: the old program.
        cpu: the processor that it runs on; "" for the usual one.
        convention: the calling convention of its compiler; "" to recognise it.
        sources: the user's own sources; empty to begin one.
        scripts: scripts that play the old program.
    """

    original: Path
    cpu: str = ""
    convention: str = ""
    sources: tuple[Path, ...] = ()
    scripts: tuple[Path, ...] = ()


def create_port(folder: Path, port: NewPort) -> tuple[Path, Recognition]:
    """Write a new port, whole or not at all.

    Args:
        folder: where port.yaml is written. It may have other files, but no port.
        port: what it begins with.

    Returns:
        The path of port.yaml; and the calling convention with the evidence for it.

    Raises:
        CaseError: a source cannot be read.
        UsageError: the folder has a port already, a file is not there, or a convention or a
            processor is not one of the old program's.
        ProgramError: the old program cannot be read.
        InputError: the folder cannot be written.
    """
    for option, paths in (("--source", port.sources), ("--script", port.scripts)):
        for path in paths:
            if not path.is_file():
                raise UsageError(f"{option} {path}: there is no such file")
    functions = _functions(port)
    program = functions.program
    cpu = port.cpu or _USUAL_CPUS[program.architecture]
    compiler = _compiler(port, program)
    recognition = _recognition(port, functions, compiler)
    has_prefix = _had_prefix(program, compiler) and not all_include_toolbox(port.sources)
    texts = _texts(folder, port, cpu, recognition, functions, has_prefix=has_prefix)
    with _new_files(folder, texts):
        for name, text in texts.items():
            path = folder / name
            if not path.exists():
                write_whole(path, text.encode())
        read_project(folder)
    return folder / PROJECT_FILE, recognition


def _functions(port: NewPort) -> ProgramFunctions:
    architecture = CPUS[port.cpu].architecture if port.cpu else None
    program = read_whole_program(port.original, architecture)
    if program.architecture not in _USUAL_CPUS:
        raise ProgramError(port.original, "it is neither for the 68K nor for the PowerPC")
    if architecture not in (None, program.architecture):
        raise UsageError(f"--cpu {port.cpu}: the original is for the {_names(program)}")
    return find_functions(program)


def _compiler(port: NewPort, program: Program) -> RecognisedCompiler | None:
    """The compiler of a 68K application, if something tells it."""
    if program.architecture == "m68k":
        with contextlib.suppress(ProgramError):  # an ELF file has no resources
            return recognise_compiler(read_executable(port.original).file)
    return None


def _had_prefix(program: Program, compiler: RecognisedCompiler | None) -> bool:
    """Whether projects of the old compiler had the Toolbox's headers as their prefix.

    On the PowerPC nothing tells the compiler; CodeWarrior was the usual one.
    """
    if program.architecture == "powerpc":
        return True
    return compiler is not None and compiler.name in (THINK_C, CODEWARRIOR)


def _recognition(
    port: NewPort, functions: ProgramFunctions, compiler: RecognisedCompiler | None
) -> Recognition:
    program = functions.program
    if port.convention:
        if CALLING_CONVENTIONS[port.convention].architecture != program.architecture:
            raise UsageError(
                f"--convention {port.convention}: the original is for the {_names(program)}"
            )
        return Recognition(port.convention, ("the command line says so",))
    return recognise_program_convention(functions, compiler)


def _names(program: Program) -> str:
    return {"m68k": "68K", "powerpc": "PowerPC"}[program.architecture]


@contextlib.contextmanager
def _new_files(folder: Path, names: Sequence[str] | dict[str, str]) -> Iterator[None]:
    """Take away what was written if not all of it could be."""
    path = folder / PROJECT_FILE
    if path.exists() or path.is_symlink():
        raise UsageError(f"{path} exists already, and nothing is overwritten")
    was_there = os.path.lexists(folder)
    before = {name for name in names if os.path.lexists(folder / name)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException as error:
        if not was_there:
            shutil.rmtree(folder, ignore_errors=True)
        for name in set(names) - before if was_there else ():
            (folder / name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(folder, f"cannot be written: {why_refused(error)}") from error
        raise


def _texts(
    folder: Path,
    port: NewPort,
    cpu: str,
    recognition: Recognition,
    functions: ProgramFunctions,
    *,
    has_prefix: bool,
) -> dict[str, str]:
    """The contents of the new files by their names."""
    words = _words(port, recognition, functions)
    sources = [_relative(path, folder) for path in port.sources]
    texts = {
        PROJECT_FILE: _project_text(
            folder, port, cpu, recognition, sources or [_FIRST_SOURCE], has_prefix=has_prefix
        ),
        "AGENTS.md": _filled("AGENTS.md", words),
        ".gitignore": f"{RECORDINGS}/\n",
        _SCHEMA_FILE: _HOME.joinpath(_SCHEMA_FILE).read_text("utf-8"),
    }
    if not sources:
        texts[_FIRST_SOURCE] = _filled("source.c", words)
    return texts


def _project_text(
    folder: Path,
    port: NewPort,
    cpu: str,
    recognition: Recognition,
    sources: Sequence[str],
    *,
    has_prefix: bool,
) -> str:
    evidence = "".join(f"# {one_line(clause)}\n" for clause in recognition.evidence)
    if recognition.others:
        evidence += f"# CHANGE if it is another: {', '.join(recognition.others)}\n"
    scripts = [_relative(path, folder) for path in port.scripts]
    played = (
        f"scripts: {_listed(scripts)}\n"
        if scripts
        else "# scripts: [play.yaml] # how the old program is played: macproof run --script\n"
    )
    return (
        f"# yaml-language-server: $schema={_SCHEMA_FILE}\n"
        f"schema: {SCHEMA}\n"
        f"original: {json.dumps(_relative(port.original, folder), ensure_ascii=False)}\n"
        f"sha256: {original_digest(port.original)}\n"
        f'cpu: "{cpu}"\n'
        f"{evidence}convention: {recognition.convention}\n"
        f"sources: {_listed(sources)}\n"
        f"{_PREFIX if has_prefix else ''}"
        f"{_flags_text(recognition.convention)}"
        f"{played}"
        "# disk: files # a folder with files that the old program opens\n"
        "# ignore: [A5-0x1a2+4] # memory that is not compared: a place and a number of bytes\n"
    )


def _flags_text(convention: str) -> str:
    """The compiler's flags; ``applec`` is the word by which sources know MPW C."""
    text = "# C as it is written now; sources of the time want -std=gnu89\n"
    if convention != "mpw-c":
        return f"cflags: [-std=gnu99] {text}"
    return (
        f"{text}# applec is MPW C's own macro: '\\n' is a carriage return, as in the original\n"
        + ("cflags: [-std=gnu99, -Dapplec]\n")
    )


def _listed(names: Sequence[str]) -> str:
    return json.dumps(list(names), ensure_ascii=False)


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path.absolute(), folder.absolute())).as_posix()


def _words(port: NewPort, recognition: Recognition, functions: ProgramFunctions) -> dict[str, str]:
    """What the templates say of the old program, and of the function to begin with."""
    own = [one for one in functions.functions if one.kind == OWN] or list(functions.functions)
    first = min(own, key=lambda one: (len(one.callees), -len(one.callers), one.size), default=None)
    if first is None:
        raise ProgramError(port.original, "no function was found in its code")
    name = first.name if first.name.isidentifier() else re.sub(r"\W+", "_", f"at {first.place}")
    callers = len(first.callers)
    return {
        "original": one_line(port.original.name),
        "int_bits": str(8 * CALLING_CONVENTIONS[recognition.convention].int_size),
        "place": first.place,
        "function": name,
        "bytes": str(first.size),
        "callers": f"{callers} function{'s' * (callers != 1)}",
    }


def _filled(name: str, words: dict[str, str]) -> str:
    text = _HOME.joinpath("templates", f"{name}.txt").read_text("utf-8")
    return Template(text).substitute(words)
