"""Says in sentences what a linker complains of: names without a definition, or with two.

The linker names an object of macproof's own, a section and an offset, or a line, if there is
debugging information. What it says of other things is quoted as it is.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from emu.base.yaml_document import nearest

_FUNCTION = re.compile(r"in function [`'](?P<function>.+)':$")
_UNDEFINED = re.compile(r"(?P<place>[^ ]*): undefined reference to [`'](?P<name>.+)'$")
_TWICE = re.compile(
    r"(?P<place>[^ ]*): multiple definition of [`'](?P<name>.+)'; "
    r"(?P<object>[^ ]*?):(?P<first>[^ ]*): first defined here$"
)
_AGAIN = re.compile(r"more undefined references to [`'].+' follow$")
_LINKER = re.compile(r"^[^ ]*ld(?:\.bfd)?: ")
_ENDED = re.compile(r"(?:collect2: |.*\bld: .*: )?error: ld returned \d+ exit status$")
_LINE = re.compile(r"(?:.*/)?(?P<file>[^/:]+):(?P<line>\d+)$")
_SECTION = re.compile(r"\(?\.(?:text|data|rodata|bss)[\w.]*?\.(?P<name>\w+)\+0x")
# The code of a function is under another name than its address: on the PowerPC, and in a graft.
_CODE_OF = re.compile(r"^(?:call)?\.(?=\w)")
_MOST_PLACES = 3


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a name is used: the function or variable, and the line; "" if that is not known."""

    user: str
    line: str

    def __str__(self) -> str:
        if self.user and self.line:
            return f"{self.user} ({self.line})"
        return self.user or self.line or "the program"


def explain(said: str) -> str:
    """What a linker has said, in sentences; the same text if it was no linker that said it."""
    if "undefined reference to" not in said and "multiple definition of" not in said:
        return said
    user, others = "", list[str]()
    missing: dict[str, dict[_Place, None]] = {}
    for line in (_LINKER.sub("", line) for line in said.splitlines()):
        if match := _FUNCTION.search(line):
            user = match["function"]
        elif match := _UNDEFINED.search(line):
            place = _place(match["place"], user)
            missing.setdefault(_CODE_OF.sub("", match["name"]), {})[place] = None
        elif match := _TWICE.search(line):
            places = " and ".join(str(_place(match[part], "")) for part in ("first", "place"))
            others.append(
                f"{match['name']} is defined twice, in {places}: rename one of them, or make it "
                "static if only its own file uses it"
            )
        elif not _ENDED.search(line) and not _AGAIN.search(line):
            others.append(line)
    return "\n".join([*_undefined(missing), *others])


def _place(text: str, user: str) -> _Place:
    if match := _LINE.search(text):
        return _Place(user, f"{match['file']}, line {match['line']}")
    match = _SECTION.search(text)
    return _Place(match["name"] if match else user, "")


def _undefined(missing: dict[str, dict[_Place, None]]) -> Iterator[str]:
    """A sentence for each name that is not defined."""
    for name, places in missing.items():
        shown = [str(place) for place in places][:_MOST_PLACES]
        more = len(places) - len(shown)
        users = ", ".join(shown) + (f" and {more} more places" if more else "")
        yield f"{name} is not defined, but used by {users}{_advice(name)}"


@functools.cache
def _advice(name: str) -> str:
    """What to do about a missing name; it begins with a mark of punctuation."""
    from emu.toolbox.declarations import declarations, named_calls  # reads all of them

    plain, _, arguments = name.partition("(")
    imported = declarations("powerpc").by_name
    if arguments and plain in imported:
        return f'. The Toolbox has a {plain} for C: include its header, or declare it extern "C"'
    if plain in named_calls():
        return (
            ". It is a routine of the Toolbox, which this program cannot call: the engine host has "
            "no Toolbox, and an old PowerPC program has the routines that it imports. Of one that "
            "is in its code, a mark LIBRARY with the place and this name says where"
        )
    if plain in imported:
        return (
            f". Only a Power Macintosh has {plain} in a library of the system: add a source that "
            "defines it for the 68K"
        )
    return (
        f"{nearest(plain, sorted(imported)) or '.'} Is it in a file that is not among the sources? "
        "Neither macproof's Toolbox nor its C library has it"
    )
