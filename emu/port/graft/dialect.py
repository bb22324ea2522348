"""How GCC is asked to make code that lives among the old program's.

Some of what an old convention does otherwise, GCC does by itself when it is asked to. What is left,
such as where a char lies in its word, is done at the border between both; see `borders`.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean

SEPARATE = (
    "-fno-builtin",
    "-fno-inline",
    "-fno-ipa-cp",
    "-fno-ipa-sra",
    "-fno-ipa-ra",
    "-fno-ipa-icf",
    "-fno-ipa-pure-const",
    "-fno-ipa-reference",
    "-fno-ipa-modref",
    "-fno-ipa-bit-cp",
    "-fno-ipa-vrp",
    "-fno-ipa-stack-alignment",
    "-fno-partial-inlining",
    "-fno-toplevel-reorder",
    "-fno-tree-loop-distribute-patterns",
    "-fno-function-cse",
)
"""Flags by which no function is made with what another one does, so that each can be exchanged. By
the last one but one no loop becomes a call of memset; by the last one every call names its
function."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How code for an old program is compiled.

    Attributes:
        convention: how the functions of the old program call each other.
        inner: how GCC's do, with these flags.
        flags: flags of GCC.
    """

    convention: str
    inner: str
    flags: tuple[str, ...]


# A5 has the globals, and compilers of the time spoil D2.
_M68K = ("-ffixed-a5", "-fcall-used-d2", "-fno-ivopts")
_SHORT, _LONG = ("m68k-elf-short", ("-mshort",)), ("m68k-elf", ())
_INNER = {
    "think-c-16": _SHORT,
    "codewarrior-16": _SHORT,
    "pascal": _SHORT,
    "think-c-32": _LONG,
    "codewarrior-32": _LONG,
    "mpw-c": _LONG,
    "m68k-elf": _LONG,
    "m68k-elf-short": _SHORT,
}


def dialect_of(convention: str) -> Dialect:
    """How code for an old program of a convention is compiled.

    Raises:
        UsageError: nothing is compiled for that convention.
    """
    if convention not in _INNER:
        raise UsageError(
            f"no function can be compiled for the convention {convention}"
            f"{did_you_mean(convention, _INNER)}"
        )
    inner, flags = _INNER[convention]
    return Dialect(convention, inner, (*SEPARATE, *_M68K, *flags))
