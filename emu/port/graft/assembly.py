"""Takes the assembler text of a unit apart, so that each definition can be there twice.

A function of a port is new, and it is an old one, too: the new code is called to be compared, and
other new code calls the old function meanwhile. So the definition of ``count`` becomes that of
``new.count``, while everything that uses ``count`` keeps that name, which the linker gives an
address. Without one, ``count`` is ``new.count``. Names that only their own file can use get its
name, so that two files can have a ``size`` each: ``board_c..size``. A call names ``call.count``, as
there may be code between both; see `m68k_border`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

NEW = "new."
"""What the symbol of a definition begins with; what follows is its reference."""
CALL = "call."
"""What the symbol begins with that a call of a function names; its address is the reference."""
_OF_FILE = ".."

_NAME = r"[A-Za-z_.$][\w.$]*"
_TYPE = re.compile(rf"^\t\.type\s+({_NAME}),\s*[@%](function|object)", re.MULTILINE)
_SHOWN = re.compile(rf"^\t\.(?:globl|weak)\s+({_NAME})", re.MULTILINE)
_LABEL = re.compile(rf"^({_NAME}):", re.MULTILINE)
_TEXT = re.compile(r"\t\.(?:string|ascii|asciz|file|ident)\b")
_BINDING = re.compile(r"\t\.(?:globl|local|weak|hidden|internal)\s+([^\s,]+)\s*$")
_ABOUT = re.compile(r"\t\.(?:type|size)\s")


def reference_of(symbol: str, unit: str, *, is_static: bool) -> str:
    """The name by which code uses a symbol of a unit."""
    return f"{re.sub(r'[^0-9A-Za-z_]', '_', unit)}{_OF_FILE}{symbol}" if is_static else symbol


def symbol_of(reference: str) -> str:
    """The name of a symbol in its own unit, by its reference or by its symbol in the object."""
    reference = reference.removeprefix(NEW)
    return reference.partition(_OF_FILE)[2] or reference


def is_of_file(reference: str) -> bool:
    """Whether only one file uses this reference."""
    return _OF_FILE in reference


@dataclass(frozen=True, slots=True)
class _Names:
    """The references of what a unit defines, by its symbols; and which have transition vectors."""

    references: dict[str, str]
    with_vectors: frozenset[str]
    pattern: re.Pattern[str]

    def replaced(self, line: str, prefix: str = "") -> str:
        return self.pattern.sub(
            lambda match: prefix + (match[1] or "") + self.references[match[2]], line
        )


def separated(text: str, unit: str, vector: Callable[[str, str], str] | None = None) -> str:
    """The assembler text of a unit with separate names for definitions and for their uses.

    Args:
        text: what GCC has made of the unit, each definition in a section of its own.
        unit: the file name of the unit.
        vector: where the address of a function is that of its transition vector, the text of this,
            given the function's reference and the symbol of its code.
    """
    kinds = dict(_TYPE.findall(text))
    shown = set(_SHOWN.findall(text))
    defined = [name for name in dict.fromkeys(_LABEL.findall(text)) if name in kinds]
    if not defined:
        return text
    references = {name: reference_of(name, unit, is_static=name not in shown) for name in defined}
    longest_first = "|".join(map(re.escape, sorted(defined, key=len, reverse=True)))
    vectors = {name: vector for name in defined if vector and kinds[name] == "function"}
    names = _Names(
        references,
        frozenset(vectors),
        re.compile(rf"(?<![%\w.$])({re.escape(CALL)})?({longest_first})(?![\w.$])"),
    )
    lines = [_line(line, names) for line in text.split("\n")]
    pieces = (made(references[name], NEW + references[name]) for name, made in vectors.items())
    return "\n".join(lines) + "".join(pieces)


def _line(line: str, names: _Names) -> str:
    if _TEXT.match(line):
        return line
    label = _LABEL.match(line)
    if label and label[1] in names.references:
        reference = names.references[label[1]]
        new = NEW + reference
        if label[1] in names.with_vectors:
            return f"\t.globl {new}\n{new}:{line[label.end() :]}"
        return (
            f"\t.globl {new}\n\t.weak {reference}\n\t.set {reference}, {new}\n{new}:"
            f"{line[label.end() :]}"
        )
    binding = _BINDING.match(line)
    if binding and binding[1] in names.references:
        return ""
    return names.replaced(line, NEW if _ABOUT.match(line) else "")
