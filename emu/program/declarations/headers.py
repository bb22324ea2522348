"""Takes out of a header in C what some functions need, for another reader of C."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emu.program.declarations.constants import Constant
from emu.program.declarations.reader import PASCAL
from emu.program.declarations.tokens import PRAGMA, CToken, FindFile, Preprocessor, SourceText

_NAME = re.compile(r"[A-Za-z_]\w*")
_DECLARED = re.compile(r"([A-Za-z_]\w*)\s*(?=[,;)[:}=])")
_TAG = re.compile(r"\b(?:struct|union|enum)\s+([A-Za-z_]\w*)\s*\{")
_ENUMERATORS = re.compile(r"\benum\b[^{]*\{([^}]*)\}")


@dataclass(frozen=True, slots=True)
class HeaderDeclarations:
    """What a header declares of some functions.

    Attributes:
        types: the declarations of the types that they need, in order.
        prototypes: how each is declared, by its name, without a semicolon. Those that the header
            does not declare are missing.
        variables: how each variable is declared, in the same way. One declaration may be that of
            several: "short gLeft, gRight".
    """

    types: str
    prototypes: dict[str, str]
    variables: dict[str, str]


def declarations_for(
    header: SourceText,
    functions: Sequence[str],
    find_file: FindFile,
    variables: Sequence[str] = (),
) -> HeaderDeclarations:
    """Read what a header declares of some functions and variables.

    Args:
        header: the header.
        functions: the names of the functions.
        find_file: finds what it includes.
        variables: the names of the variables.

    Raises:
        DeclarationError: it is not C, or too large.
    """
    tokens = Preprocessor(lambda words: Constant(words, 0, {}).read(), find_file).tokens(header)
    statements = list(_statements(tokens))
    prototypes = {
        name: _plain(statement)
        for statement in statements
        for name in functions
        if not statement.startswith("typedef") and re.search(rf"\b{name}\s*\(", statement)
    }
    declared = {
        name: _plain(statement)
        for statement in statements
        for name in variables
        if _is_of_variable(statement, name)
    }
    given = {*prototypes.values(), *declared.values()}
    places: dict[str, list[int]] = {}
    for place, statement in enumerate(statements):
        if _plain(statement) not in given:
            for name in _declared(statement):
                places.setdefault(name, []).append(place)
    needed = [word for text in given for word in _NAME.findall(text)]
    kept: set[int] = set()
    while needed:
        new = set(places.pop(needed.pop(), ())) - kept
        kept |= new
        needed += (word for place in new for word in _NAME.findall(statements[place]))
    types = "\n".join(statements[place] for place in sorted(kept))
    return HeaderDeclarations(types, prototypes, declared)


def _plain(statement: str) -> str:
    """A declaration without ``extern`` and its semicolon."""
    return statement.removesuffix(";").strip().removeprefix("extern ")


def _is_of_variable(statement: str, name: str) -> bool:
    """Whether a statement declares a variable: without a value, and no function's parameter."""
    behind = statement.rpartition("}")[2]
    is_other = statement.startswith("typedef") or "(" in behind or "=" in behind
    return not is_other and re.search(rf"\b{name} [;,[]", behind) is not None


def _declared(statement: str) -> Iterator[str]:
    """The names of types and enumerators that a statement declares; none of a function."""
    yield from _TAG.findall(statement)
    for inside in _ENUMERATORS.findall(statement):
        yield from (match[0] for part in inside.split(",") if (match := _NAME.search(part)))
    if statement.startswith("typedef"):
        yield from _DECLARED.findall(statement.rpartition("}")[2])
        yield from re.findall(r"\(\s*\*\s*([A-Za-z_]\w*)\s*\)", statement)


def _statements(tokens: Sequence[CToken]) -> Iterator[str]:
    """The declarations of a header, one a line; those with the body of a function are left out."""
    words: list[str] = []
    depth, is_body = 0, False
    for token in tokens:
        text = token.text
        if text == PRAGMA:
            raise token.error("a #pragma lays out structs in another way than C's")
        if text in PASCAL:
            continue
        if text == "{" and depth == 0:
            is_body = bool(words) and words[-1] == ")"
        depth += (text == "{") - (text == "}")
        words.append(text)
        is_end = depth == 0 and (text == ";" or (text == "}" and is_body))
        if is_end:
            if not is_body:
                yield " ".join(words)
            words, is_body = [], False
