"""Runs a compiler and its tools in a temporary folder, and records which files they read."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.errors import CompileError, ToolEndedError
from emu.base.temporary import temporary_folder
from emu.toolchain.build_cache import digest_of
from emu.toolchain.link_errors import explain
from emu.toolchain.objects import dependencies_of
from emu.toolchain.process import PROCESSOR_SECONDS, ToolResult, run_tool

_COMPILER_SECONDS = 300  # by the clock on the wall, for a busy computer
# These variables add headers, libraries and tools that neither the cache nor a receipt would
# record, so compilers run without them.
# How GCC says that a tool of its own was ended.
_ENDED = re.compile(
    r"(?:Killed|Terminated|Hangup|Interrupt) signal terminated program (\S+)"
    r"|(\S+) terminated with signal (?:1|2|9|15)\b"
)
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
_STRIPPED = {"program/": ""}
# How the compiler refuses what it alone can judge; see `emu.toolchain.mac_c.pragmas`.
_SAYS = re.compile(r"size of array .macproof_says_(\w+). is negative")
_KIND = re.compile(r": (warning|note|(?:fatal )?error): ")
_CONTEXT = re.compile(r"In file included from | +from ")
_MOST_CONTEXT = 8
_WRAPPER_INCLUDES = re.compile(r"In file included from unit\d+\.c(?:pp)?:\d+:\n")
_WRAPPER_INCLUDES_TOO = re.compile(r",\n +from unit\d+\.c(?:pp)?:\d+:")


_NO_HEADER = re.compile(r"fatal error: [^\n]*\.h\S*: No such file")
# A line that macproof has put in the place of one of the source, with the mark below it.
_OWN_PRAGMA = re.compile(r'\n +\d+ \|[^\n]*_Pragma\("GCC error [^\n]*(?:\n +\|[^\n]*)?')


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
    return completed.output.partition("\n")[0] if completed.code == 0 else ""


def run_compiler(
    command: list[str],
    stage: Path,
    blamed: Path,
    seen: Iterable[Path] = (),
    names: Mapping[str, str] = _STRIPPED,
) -> None:
    """Run a compiler or another of its tools in the folder with the staged files.

    Args:
        command: the tool and its arguments.
        stage: the folder.
        blamed: the file that messages name.
        seen: further folders that it may read beside that of the blamed file, the system's and its
            own, where the system can hide the others.
        names: what messages say for folders in the folder, such as "" for "program/".

    Raises:
        CompileError: the tool failed; the message names the blamed file and quotes the tool.
        ToolEndedError: somebody else ended the tool.
    """
    completed = _run(command, stage, (*seen, blamed.parent))
    if completed.is_late or "CPU time limit exceeded" in completed.complaints:
        limit = f"{PROCESSOR_SECONDS} seconds of processor time"
        if completed.is_late:
            limit = f"{_COMPILER_SECONDS} seconds"
        raise CompileError(blamed, f"{command[0]} did not finish within {limit}")
    ended = _ENDED.search(completed.complaints)
    if completed.code < 0 or ended is not None:
        name = (ended[1] or ended[2]) if ended is not None else command[0]
        raise ToolEndedError(
            f"{blamed}: {name} was ended from outside while it compiled it, which says nothing "
            "about the source. Was there enough memory? Run it again"
        )
    if completed.code:
        said = explain((completed.complaints or completed.output).strip())
        said = _WRAPPER_INCLUDES_TOO.sub(":", _WRAPPER_INCLUDES.sub("", said))
        said = _OWN_PRAGMA.sub("", said)
        said = _SAYS.sub(lambda match: match[1].replace("_", " "), said)
        for staged_as, shown in names.items():
            said = re.sub(rf"(?<![\w./-]){staged_as}", shown.replace("\\", r"\\"), said)
        lines_said = [line for line in said.splitlines() if not _IDLE.search(line)]
        if "Permission denied" in said:
            lines_said.append("(A compiler sees only the folders of the sources and of include.)")
        if _NO_HEADER.search(said):
            lines_said.append(
                "(Headers are looked for beside the source, in the folders of include, and among "
                "macproof's own or those of --headers.)"
            )
        lines = [line[:_WIDEST_LINE] for line in lines_said]
        if len(lines) > _MOST_LINES:  # headers of the time have hundreds of constants like 'TEXT'
            lines = _errors_only(lines)
        if len(lines) > _MOST_LINES:
            lines[_MOST_LINES:] = [f"... and {len(lines) - _MOST_LINES} more lines"]
        raise CompileError(blamed, f"{command[0]} refused it:\n" + "\n".join(lines))


def _errors_only(lines: Sequence[str]) -> list[str]:
    """What a compiler says without its warnings, and without long chains of includes.

    All of it if there is no error, as of a linker.
    """
    kept: list[str] = []
    context: list[str] = []
    is_kept = True
    for line in lines:
        if _CONTEXT.match(line):
            context += [line] if len(context) < _MOST_CONTEXT else []
            continue
        if kind := _KIND.search(line):
            is_kept = kind[1] != "warning" if kind[1] != "note" else is_kept
        if is_kept:
            kept += [*context, line]
        context = []
    return kept if any(_KIND.search(line) for line in kept) else list(lines)


def _run(command: list[str], folder: Path, seen: Iterable[Path] | None = None) -> ToolResult:
    inherited = {name: text for name, text in os.environ.items() if name not in _MISLEADING}
    environment = {**inherited, "LC_ALL": "C", "SOURCE_DATE_EPOCH": "0"}
    return run_tool(command, environment, folder, _COMPILER_SECONDS, seen)


@dataclass(frozen=True, slots=True)
class Stage:
    """A temporary folder with all files to compile, and a record of what else compilers read.

    Attributes:
        folder: the folder.
        begun: when the folder was made, in nanoseconds since 1970.
        seen: the folders outside that compilers may read.
        read: SHA-256 of every file outside the folder that a compiler has read, by path.
        names: what messages say for its folders; see `run_compiler`.
    """

    folder: Path
    begun: int
    seen: tuple[Path, ...] = ()
    read: dict[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=lambda: _STRIPPED)

    def compile(self, command: Sequence[str], source: str, output: str, blamed: Path) -> Path:
        """Compile or assemble a file of the folder; the path of the object file.

        Args:
            command: the compiler and its flags.
            source: the file, relative to the folder.
            output: the object's file name.
            blamed: the file that messages name.

        Raises:
            CompileError: the compiler refused the source, or a file changed while it was read.
        """
        return self._make(
            [*command, f"-Wa,--MD,{output}.assembler.d", "-c"], source, output, blamed
        )

    def translate(self, command: Sequence[str], source: str, output: str, blamed: Path) -> Path:
        """Compile a file of the folder; the path of the assembler text. As for `compile`."""
        return self._make([*command, "-S"], source, output, blamed)

    def preprocess(self, command: Sequence[str], source: str, output: str, blamed: Path) -> Path:
        """Preprocess a file of the folder; the path of the text. As for `compile` otherwise."""
        return self._make([*command, "-E"], source, output, blamed)

    def _make(self, command: Sequence[str], source: str, output: str, blamed: Path) -> Path:
        rules = [f"{output}.compiler.d", f"{output}.assembler.d"]
        flags = [f"-ffile-prefix-map={self.folder}=.", "-MD", "-MF", rules[0]]
        self.run([*command, *flags, source, "-o", output], blamed)
        self._note(dependencies_of(*(self.folder / name for name in rules)))
        return self.folder / output

    def run(self, command: list[str], blamed: Path) -> None:
        """Run a tool in the folder; see `run_compiler`."""
        run_compiler(command, self.folder, blamed, self.seen, self.names)

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


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, by their names relative to a folder, and the folders that they are in."""
    for parent in {os.path.dirname(name) for name in files}:
        (folder / parent).mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


@contextlib.contextmanager
def staged(
    files: Mapping[str, bytes],
    seen: Iterable[Path] = (),
    names: Mapping[str, str] = _STRIPPED,
) -> Iterator[Stage]:
    """Make a temporary folder with these files; the keys are names relative to it.

    Args:
        files: the contents of the files.
        seen: further folders that compilers may read, such as those of the sources.
        names: what messages say for folders in it; see `run_compiler`.
    """
    with temporary_folder() as folder:
        begun = time.time_ns()
        write_files(folder, files)
        yield Stage(folder, begun, tuple(seen), names=names)
