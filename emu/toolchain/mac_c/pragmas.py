"""What the pragmas of THINK C, MPW C and CodeWarrior are for GCC.

One that changes how data lie or how routines are called becomes one of GCC, or an error where GCC
cannot do what it asks for. GCC ignores the others.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_ALIGNMENT = re.compile(r"(?:options\s+)?align\s*=\s*(\w+)\s*$")
_PACK = re.compile(r"pack\s*\(")
_PARAMETER = re.compile(r"parameter\b\s*(?:\w+\s+)?(\w+)\s*(?:\(|$)")
_SWITCH = re.compile(r"(\w+)\s+(on|off|reset)\b")
_SUSPICIOUS = re.compile(r"\w*(?:align|pack)\w*")
# GCC's own, and those of headers for several compilers.
_OF_GCC = {"GCC", "STDC", "clang"}

_PACKED = {"mac68k": 2, "packed": 1, "byte": 1, "native": 8}
_ONLY_POWERPC = {"power": 8, "natural": 8, "mac68k4byte": 4}
# By the name of a pragma: what it is about, the flag for that, and which value means the flag.
_LAYOUTS = {
    "fourbyteints": ("has_short_int", "-mshort", "off"),
    "enumsalwaysint": ("has_short_enums", "-fshort-enums", "off"),
    "enumsalwaysints": ("has_short_enums", "-fshort-enums", "off"),
    "unsigned_char": ("has_unsigned_char", "-funsigned-char", "on"),
}
_LONG_DOUBLES = "-DMACPROOF_DOUBLE_BYTES=12"
_NEVER = {
    ("cplusplus", "on"): "#pragma cplusplus on: give the file the suffix .cpp, to have C++ of it",
    ("align_array_members", "on"): "#pragma align_array_members on: GCC has no such layout",
}


@dataclass(frozen=True, slots=True)
class TypeSizes:
    r"""How the flags of a case lay out what C leaves to the compiler.

    Attributes:
        has_short_int: whether ``int`` has 16 bits.
        has_short_enums: whether an enumeration is as small as its values.
        has_unsigned_char: whether ``char`` has no sign.
        has_long_double: whether a ``double`` is GCC's ``long double``; see `double_flags`.
        has_mpw_newlines: whether ``'\n'`` is a carriage return, as in MPW C, which defines
            ``applec``.
    """

    has_short_int: bool = False
    has_short_enums: bool = False
    has_unsigned_char: bool = False
    has_long_double: bool = False
    has_mpw_newlines: bool = False

    @classmethod
    def of(cls, flags: Collection[str]) -> TypeSizes:
        """The layout that flags of the compiler ask for."""
        return cls(
            "-mshort" in flags,
            "-fshort-enums" in flags,
            "-funsigned-char" in flags,
            _LONG_DOUBLES in flags,
            not {"-Dapplec", "-Dapplec=1"}.isdisjoint(flags),
        )


def double_flags(size: int) -> tuple[str, ...]:
    """Flags by which a ``double`` of the sources has so many bytes: 8, or 12 of a 68K.

    GCC has no option for that, so the flag is for macproof: it writes ``long double``.
    """
    return () if size == 8 else (_LONG_DOUBLES,)


def error_pragma(sentence: str) -> str:
    """What makes GCC refuse a source, with the file and line of its place."""
    return f'_Pragma("GCC error \\"{sentence}\\"")'


def gcc_pragma(words: str, layout: TypeSizes, inlined: Collection[str]) -> str | None:
    """What to write in place of a pragma; None if it can stay as it is.

    Args:
        words: what follows ``#pragma``.
        layout: how the flags lay out data.
        inlined: the routines that the file declares by their machine code.
    """
    if (words.split(None, 1)[:1] and words.split(None, 1)[0] in _OF_GCC) or _PACK.match(words):
        return None
    if alignment := _ALIGNMENT.match(words):
        return _aligned(alignment[1])
    if parameter := _PARAMETER.match(words):
        return _parameter(parameter[1], inlined)
    if switch := _SWITCH.match(words):
        problem = _problem_of_switch(switch[1], switch[2], layout)
        return error_pragma(problem) if problem else None
    if suspicious := _SUSPICIOUS.match(words):
        return error_pragma(
            f"macproof does not know #pragma {suspicious[0]}, which may change how records lie: "
            "write #pragma options align=mac68k, or #pragma pack(2)"
        )
    return None


def _aligned(name: str) -> str:
    if name == "reset":
        return "#pragma pack(pop)"
    if name in _PACKED:
        return f"#pragma pack(push, {_PACKED[name]})"
    if name in _ONLY_POWERPC:
        # Only the compiler knows the processor. On a 68K it refuses the array for its size.
        check = f"extern char macproof_says_align_{name}_needs_a_PowerPC"
        size = "[__BIGGEST_ALIGNMENT__ > 2 ? 1 : -1];"
        return f'{check}{size} _Pragma("pack(push, {_ONLY_POWERPC[name]})")'
    return error_pragma(
        f"macproof does not know the alignment {name}; it knows "
        f"{', '.join([*_PACKED, *_ONLY_POWERPC, 'reset'])}"
    )


def _parameter(routine: str, inlined: Collection[str]) -> str | None:
    if routine in inlined:  # its caller calls the Toolbox, or is told that it cannot
        return None
    return error_pragma(
        f"#pragma parameter wants the arguments of {routine} in registers, and GCC passes them on "
        "the stack: leave the pragma out for GCC (#ifndef __GNUC__), as every caller is compiled "
        "by GCC too"
    )


def _problem_of_switch(name: str, value: str, layout: TypeSizes) -> str:
    """Why a pragma that switches something cannot be obeyed; "" if it can, or changes nothing."""
    if name in _LAYOUTS and value != "reset":
        attribute, flag, switched = _LAYOUTS[name]
        has_it = getattr(layout, attribute)
        if has_it != (value == switched):
            change = f"leave {flag} out of" if has_it else f"add {flag} to"
            return f"#pragma {name} {value} is not what the flags say: {change} cflags in the case"
    return _NEVER.get((name, value), "")
