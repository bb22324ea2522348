"""Functions of C that are declared too late for GCC: after a call, or ``static`` only then.

Compilers of the time took ::

    void Draw(void);                int Go(void) { return Next(1); }
    static void Draw(void) { }      static short Next(short n) { return n + 1; }

GCC refuses both and has no option for them. So a source that it refuses for that reason is changed
as GCC's messages ask, and compiled again. In the first, the word ``static`` goes. In the second,
``static short Next(short n);`` comes before ``Go``. Every line keeps its number. Globals of the
system that a source lacks are declared in the same way, see `low_memory`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from emu.base.errors import CompileError
from emu.toolchain.mac_c.characters import code_only
from emu.toolchain.mac_c.low_memory import declare_low_memory
from emu.toolchain.mac_c.machine_code import Edit
from emu.toolchain.mac_c.translation import edited

_ERROR = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):\d+: error: "
    r"(?P<kind>static declaration of|conflicting types for) '(?P<name>\w+)'"
)
_BEFORE = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):\d+: note: previous (?P<implicit>implicit )?declaration of "
    r"'(?P<name>\w+)'"
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_NOT_A_LINE_END = re.compile(r"[^\n]")
_BRACE = re.compile(r"[{}]")
# The name and the parameters of a definition: a body or, as in old C, their types come next.
_DEFINITION = re.compile(r"\b\w+\s*\([^;{}]{0,2000}\)(?=\s*[{\w])")
_TYPED = re.compile(r"\w[\s*]+\w|\bvoid\b")
# It has a character for every byte, so that offsets in a text are those in the file.
_BYTES = "latin-1"
_Result = TypeVar("_Result")


class _LateFunction(NamedTuple):
    """A function that GCC refuses.

    Attributes:
        file: the file, as messages name it.
        name: the function.
        line: the line in which GCC refuses it.
        before: the file with the declaration, or the call, before that.
        call: the line of the call; 0 if it is a declaration, without ``static``.
    """

    file: str
    name: str
    line: int
    before: str
    call: int


def compile_declared(compile_once: Callable[[], _Result], program: Path) -> _Result:
    """Compile, and as long as GCC refuses late declarations, mend them and compile again.

    Args:
        compile_once: compiles.
        program: the folder with the copies of the sources; they are changed.

    Returns:
        What ``compile_once`` returns.

    Raises:
        CompileError: the compiler refuses the sources for another reason.
    """
    done: set[_LateFunction] = set()
    while True:
        try:
            return compile_once()
        except CompileError as error:
            late = _late_functions(str(error)) - done
            mended = [_mend(program, function) for function in sorted(late)]
            if not any([*mended, declare_low_memory(str(error), program.parent)]):
                raise
            done |= late


def _late_functions(complaint: str) -> set[_LateFunction]:
    """The functions that GCC refuses, by its messages."""
    late = set()
    error = None
    for line in complaint.splitlines():
        error = _ERROR.match(line) or error
        before = _BEFORE.match(line)
        if error is None or before is None or before["name"] != error["name"]:
            continue
        call = int(before["line"]) if before["implicit"] else 0
        if call or error["kind"].startswith("static"):
            refused = error["file"], error["name"], int(error["line"])
            late.add(_LateFunction(*refused, before["file"], call))
    return late


def _mend(program: Path, late: _LateFunction) -> bool:
    """Change a copy of a source; whether there was something to change."""
    path = _copy(program, late.file)
    # A routine of the Toolbox stays what it is for other sources.
    if path is None or _copy(program, late.before) is None:
        return False
    text = path.read_bytes().decode(_BYTES)
    code = _DIRECTIVE.sub(_blank, code_only(text))
    changes = _declaration(code, late) if late.call else _statics(code, late.name)
    path.write_bytes(edited(text, changes).encode(_BYTES))
    return bool(changes)


def _copy(program: Path, name: str) -> Path | None:
    """The copy of a source; None if there is none, for a directive #line can name any file."""
    path = (program / name).resolve()
    return path if path.is_relative_to(program.resolve()) and path.is_file() else None


def _statics(code: str, name: str) -> list[Edit]:
    """The words ``static`` before a function, to be taken away."""
    form = re.compile(rf"\bstatic\b(?=[^;{{}}()=]*\b{name}\s*\()")
    return [Edit(*match.span(), "") for match in form.finditer(code)]


def _declaration(code: str, late: _LateFunction) -> list[Edit]:
    """A function's declaration, to stand before the function that calls it."""
    named = re.compile(rf"\b{late.name}\s*\(").search(code, _offset(code, late.line))
    place = _function_around(code, _offset(code, late.call))
    if named is None or place is None or place > named.start():
        return []
    end = _closing(code, named.end())
    parameters = code[named.end() : end]
    if not _TYPED.search(parameters):  # as in: short Next(n) short n; { ... }
        parameters = ""
    head = code[_statement(code, named.start()) : named.end()] + parameters
    return [Edit(place, place, f"{' '.join(head.split())}); ")]


def _offset(code: str, line: int) -> int:
    """Where a line begins, the first of which is 1."""
    return sum(len(before) + 1 for before in code.split("\n")[: line - 1])


def _function_around(code: str, place: int) -> int | None:
    """Where the function that goes on after a place begins; None if none does."""
    depth = end = opening = 0
    for brace in _BRACE.finditer(code):
        if brace[0] == "{":
            opening = opening if depth else brace.start()
            depth += 1
            continue
        depth -= 1
        if not depth and brace.end() > place:
            head = _DEFINITION.search(code, end, opening + 1)
            return None if head is None else _statement(code, head.start())
        end = end if depth else brace.end()
    return None


def _statement(code: str, place: int) -> int:
    """Where the statement of a place begins, behind the white space."""
    begin = max(code.rfind(mark, 0, place) for mark in ";}") + 1
    return place - len(code[begin:place].lstrip())


def _closing(code: str, place: int) -> int:
    """The closing parenthesis for the one that is open at a place."""
    depth = 1
    while depth and place < len(code):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        place += 1
    return place - 1


def _blank(match: re.Match[str]) -> str:
    return _NOT_A_LINE_END.sub(" ", match[0])
