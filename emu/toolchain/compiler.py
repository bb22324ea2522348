"""Runs a compiler and its tools in a temporary folder, and records which files they read."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.errors import CompileError
from emu.base.temporary import temporary_folder
from emu.toolchain.kept import digest_of
from emu.toolchain.objects import dependencies_of

_COMPILER_SECONDS = 120
# These variables add headers, libraries and tools that neither the cache nor a receipt would
# record, so compilers run without them.
_MISLEADING = {
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
}
# Limits for messages: a compiler that is given a binary as source can print tens of megabytes.
_MOST_LINES, _WIDEST_LINE = 60, 300
# What the linker says of every program of macproof, also of those without a mistake.
_IDLE = re.compile(r"/ld: (?:NOTE: |warning: .*(?:RWX permissions|executable stack)$)")
# macproof writes the files that include a unit's sources, so their names mean nothing to a user.
_WRAPPER_INCLUDES = re.compile(r"In file included from unit\d+\.c(?:pp)?:\d+:\n")
_WRAPPER_INCLUDES_TOO = re.compile(r",\n +from unit\d+\.c(?:pp)?:\d+:")


def compiler_version(command: str) -> str | None:
    """The version lines of the compiler and its linker; None if the compiler is not installed.

    Both are needed: the same compiler with another linker can produce a different program.
    """
    path = shutil.which(command)
    return None if path is None else _version_of(command, path)


@functools.cache
def _version_of(command: str, path: str) -> str | None:
    """The version lines of a command that is found at a path; they begin with its name."""
    linker = first_line([command, "-print-prog-name=ld"])
    names = [first_line([tool, "--version"]) for tool in (command, linker) if tool]
    return ", ".join(names) if len(names) == 2 and all(names) else None


def first_line(command: list[str]) -> str:
    """The first line that a tool prints; "" if it prints none or fails."""
    try:
        completed = _run(command, Path.cwd())
    except (OSError, CompileError):
        return ""
    return completed.stdout.partition("\n")[0] if completed.returncode == 0 else ""


def run_compiler(command: list[str], stage: Path, blamed: Path) -> None:
    """Run a compiler or another of its tools in the folder with the staged files.

    Raises:
        CompileError: the tool failed; the message names the blamed file and quotes the tool.
    """
    completed = _run(command, stage)
    if completed.returncode:
        said = (completed.stderr or completed.stdout).strip()
        said = _WRAPPER_INCLUDES_TOO.sub(":", _WRAPPER_INCLUDES.sub("", said))
        told = [one for one in said.replace("program/", "").splitlines() if not _IDLE.search(one)]
        lines = [line[:_WIDEST_LINE] for line in told]
        if len(lines) > _MOST_LINES:
            lines[_MOST_LINES:] = [f"... and {len(lines) - _MOST_LINES} more lines"]
        raise CompileError(blamed, f"{command[0]} refused it:\n" + "\n".join(lines))


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    inherited = {name: text for name, text in os.environ.items() if name not in _MISLEADING}
    environment = {**inherited, "LC_ALL": "C", "SOURCE_DATE_EPOCH": "0"}
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_COMPILER_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CompileError(
            folder, f"{command[0]} did not finish within {_COMPILER_SECONDS} seconds"
        ) from error


@dataclass(frozen=True, slots=True)
class Stage:
    """A temporary folder with all files to compile, and a record of what else compilers read.

    Attributes:
        folder: the folder.
        begun: when the folder was made, in nanoseconds since 1970.
        read: SHA-256 of every file outside the folder that a compiler has read, by path.
    """

    folder: Path
    begun: int
    read: dict[str, str] = field(default_factory=dict)

    def compile(self, command: Sequence[str], source: str, made: str, blamed: Path) -> Path:
        """Compile or assemble a file of the folder; the path of the object file.

        Args:
            command: the compiler and its flags.
            source: the file, relative to the folder.
            made: the object's file name.
            blamed: the file that messages name.

        Raises:
            CompileError: the compiler refused the source, or a file changed while it was read.
        """
        return self._make([*command, f"-Wa,--MD,{made}.assembler.d", "-c"], source, made, blamed)

    def preprocess(self, command: Sequence[str], source: str, made: str, blamed: Path) -> Path:
        """Preprocess a file of the folder; the path of the text. As for `compile` otherwise."""
        return self._make([*command, "-E"], source, made, blamed)

    def _make(self, command: Sequence[str], source: str, made: str, blamed: Path) -> Path:
        rules = [f"{made}.compiler.d", f"{made}.assembler.d"]
        told = [f"-ffile-prefix-map={self.folder}=.", "-MD", "-MF", rules[0]]
        run_compiler([*command, *told, source, "-o", made], self.folder, blamed)
        self._note(dependencies_of(*(self.folder / name for name in rules)))
        return self.folder / made

    def run(self, command: list[str], blamed: Path) -> None:
        """Run a tool in the folder; see `run_compiler`."""
        run_compiler(command, self.folder, blamed)

    def _note(self, names: set[str]) -> None:
        """Remember what was read outside the folder."""
        own = os.path.realpath(self.folder) + os.sep
        for name in names:
            path = Path(os.path.realpath(self.folder / name))
            if not str(path).startswith(own) and path.exists():  # else temporary, of the compiler
                self.note(path)

    def note(self, path: Path) -> None:
        """Remember that a file outside the folder was read.

        Raises:
            CompileError: it cannot be read, or was changed in the meantime.
        """
        try:
            if self.begun < path.stat().st_mtime_ns <= time.time_ns():
                raise CompileError(path, "it was changed while it was being compiled")
            self.read[str(path)] = digest_of(path)
        except OSError as error:
            raise CompileError(path, f"cannot be read: {error.strerror}") from error


@contextlib.contextmanager
def staged(files: Mapping[str, bytes]) -> Iterator[Stage]:
    """Make a temporary folder with these files; the keys are names relative to it."""
    with temporary_folder() as folder:
        begun = time.time_ns()
        for relative, content in files.items():
            path = folder / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield Stage(folder, begun)
