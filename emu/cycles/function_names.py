"""Gives functions readable names that are different from each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from emu.program import Symbol, source_name

# The Itanium C++ ABI, section 5.1.4: _ZN, qualifiers, parts, E; then the types of arguments.
_NESTED = re.compile(r"_ZN[rVK]*(?=[1-9])")
_OPERATORS = {"nw": "operator new", "dl": "operator delete", "ix": "operator[]", "aS": "operator="}
_CONSTRUCTOR = re.compile(r"C[123]")
_DESTRUCTOR = re.compile(r"D[012]")


def function_names(symbols: Sequence[Symbol]) -> dict[int, str]:
    """A name for each function, by its address.

    Args:
        symbols: functions, no two of one address.

    Returns:
        The name in the source, if only one function has it. Else the symbol's name. If several
        functions have the same symbol's name, as static functions can, the address follows:
        "Draw at 0x10040".
    """
    readable = {symbol.address: readable_name(symbol.name) for symbol in symbols}
    shown = Counter(readable.values())
    whole = Counter(symbol.name for symbol in symbols)
    names = {}
    for symbol in symbols:
        name = readable[symbol.address]
        if shown[name] > 1:
            name = symbol.name
            if whole[name] > 1:
                name += f" at 0x{symbol.address:x}"
        names[symbol.address] = name
    return names


def readable_name(symbol: str) -> str:
    """The name in the source with its classes and without arguments: "Ball::Draw".

    The suffix that the compiler adds to the name of a copy is kept: "Draw.part.0". Names with
    templates in them are left as they are.
    """
    mangled, dot, copy = symbol.partition(".")
    name = _nested(mangled) or source_name(mangled) or mangled  # "_Z0" holds no name
    return f"{name}{dot}{copy}"


def _nested(mangled: str) -> str:
    """The name of a member of a class; "" for a symbol of another form."""
    match = _NESTED.match(mangled)
    if match is None:
        return ""
    parts: list[str] = []
    at = match.end()
    while at < len(mangled):
        if mangled[at] == "E":
            return "::".join(parts)
        code = mangled[at : at + 2]
        if length := re.match(r"[1-9]\d{0,3}", mangled[at:]):
            start = at + length.end()
            at = start + int(length[0])
            parts.append(mangled[start:at])
            continue
        if _CONSTRUCTOR.fullmatch(code):
            parts.append(parts[-1])
        elif _DESTRUCTOR.fullmatch(code):
            parts.append(f"~{parts[-1]}{' (deleting)' if code == 'D0' else ''}")
        elif code in _OPERATORS:
            parts.append(_OPERATORS[code])
        else:
            return ""
        at += 2
    return ""
