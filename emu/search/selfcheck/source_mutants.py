"""Small mistakes made on purpose in C++ sources: each mutant has one change of a few tokens.

Only bodies of functions are changed, and no comment, text or preprocessor line. The operators are
the usual ones of mutation testing (Offutt and others, 1996, "An experimental determination of
sufficient mutant operators"), with those added that suit pointers and lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from emu.search.selfcheck.cpp_tokens import CppSource, CppVariable, Names, declarations, names_of
from emu.search.selfcheck.mutant import Mutant, TextChange, numbered

_SWAPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "relational": {
        "<": ("<=", ">=", ">"),
        "<=": ("<", ">", ">="),
        ">": (">=", "<=", "<"),
        ">=": (">", "<", "<="),
        "==": ("!=", "<=", ">="),
        "!=": ("==", "<", ">"),
    },
    "arithmetic": {
        "+": ("-",),
        "-": ("+",),
        "*": ("+", "/"),
        "/": ("*",),
        "%": ("/", "*"),
        "<<": (">>",),
        ">>": ("<<",),
    },
    "bitwise": {"&": ("|", "^"), "|": ("&", "^"), "^": ("&", "|")},
    "logical": {"&&": ("||",), "||": ("&&",)},
    "increment": {"++": ("--",), "--": ("++",)},
    "assignment": {
        "=": ("+=",),
        "+=": ("-=", "="),
        "-=": ("+=", "="),
        "*=": ("+=", "="),
        "/=": ("*=", "="),
        "%=": ("/=", "="),
        "<<=": (">>=", "="),
        ">>=": ("<<=", "="),
        "&=": ("|=", "="),
        "|=": ("&=", "="),
        "^=": ("&=", "="),
    },
}
_BINARY_OR_UNARY = {"+", "-", "*", "&"}
_BEFORE_OPERAND = {"=", "+", "-", "*", "/", "%", "(", ",", "[", "<", "<=", ">", ">=", "==", "!="}
_BEFORE_OPERAND |= {"&&", "||", "return", "?", ":", "+=", "-="}
_KEYWORDS = frozenset(
    {"asm", "break", "case", "class", "const", "continue", "default", "do", "else", "enum"}
    | {"extern", "for", "goto", "if", "register", "return", "static", "struct", "switch"}
    | {"typedef", "union", "volatile", "while"}
)


@dataclass(frozen=True, slots=True)
class _Change:
    """Tokens ``first`` to ``last`` become ``text``."""

    operator: str
    first: int
    last: int
    text: str


def mutants_of(files: Mapping[str, str]) -> list[Mutant]:
    """All mutants of some files, in the order of the text.

    Args:
        files: their texts, by their names.

    Returns:
        Mutants, no two of which give the same text.
    """
    sources = {name: CppSource(text) for name, text in files.items()}
    names = names_of(sources.values())
    members = [d for source in sources.values() for d in declarations(source, names) if d.owner]
    members = [declared for declared in members if declared.owner.startswith("struct ")]
    mutants: list[Mutant] = []
    for name, source in sources.items():
        changes = [*_token_changes(source, names), *_statement_changes(source, names)]
        changes += [*_variable_changes(source, names, members), *_link_changes(source)]
        by_place: dict[tuple[int, int, str], Mutant] = {}
        for change in changes:
            first, last = source.tokens[change.first], source.tokens[change.last]
            by_place.setdefault((first.start, last.end, change.text), _mutant(name, source, change))
        mutants += [by_place[place] for place in sorted(by_place)]
    return numbered(mutants)


TRAP = "__builtin_trap();"
"""A statement that has a function come to grief as soon as it is called."""
MARK = '__asm__ volatile ("nop");'
"""A statement that is in the code of every function that is, and that changes no other."""


def beginnings_of(files: Mapping[str, str], statement: str) -> list[Mutant]:
    """For every function a change that puts a statement at its beginning."""
    beginnings = []
    for name, text in files.items():
        source = CppSource(text)
        for index, token in enumerate(source.tokens):
            before = source.tokens[index - 1].function if index else ""
            if token.text == "{" and token.function and before != token.function:
                change = _Change("beginning", index, index, f"{{ {statement}")
                beginnings.append(_mutant(name, source, change))
    return beginnings


def _mutant(file: str, source: CppSource, change: _Change) -> Mutant:
    first, last = source.tokens[change.first], source.tokens[change.last]
    start = source.text.rfind("\n", 0, first.start) + 1
    end = source.text.find("\n", last.end)
    end = len(source.text) if end < 0 else end
    after = source.text[start : first.start] + change.text + source.text[last.end : end]
    return Mutant(
        file,
        line=source.text.count("\n", 0, first.start) + 1,
        function=first.function,
        operator=change.operator,
        before=" ".join(source.text[start:end].split()),
        after=" ".join(after.split()),
        change=TextChange(first.start, last.end, change.text),
    )


# -- single tokens -----------------------------------------------------------------------------


def _token_changes(source: CppSource, names: Names) -> Iterator[_Change]:
    declaring = {declared.index for declared in declarations(source, names)}
    for index, token in enumerate(source.tokens):
        if not token.function or (token.text == "=" and index - 1 in declaring):
            continue
        if token.kind == "sign":
            yield from _sign_changes(source, names, index)
        elif token.kind in ("number", "character"):
            for text in _other_constants(token.text):
                yield _Change("constant", index, index, text)
        elif token.text in names.enumerators:
            following = names.enumerators[token.text]
            near = [f"({token.text} + 1)", f"({token.text} - 1)"]
            for text in near if following == token.text else [following]:
                yield _Change("constant", index, index, text)
        if token.text in ("if", "while", "for"):
            yield from _condition_changes(source, index)
        if token.kind in ("word", "number") and source.word(index - 1) in _BEFORE_OPERAND:
            is_operand = token.text not in _KEYWORDS | names.types | {"NULL", "0"}
            if is_operand and source.word(index + 1) != "=":
                yield _Change("unary", index, index, f"-{token.text}")


def _sign_changes(source: CppSource, names: Names, index: int) -> Iterator[_Change]:
    text = source.word(index)
    if text == "?":
        yield _Change("condition", index, index, "== 0 ?")
    if text in ("-", "!", "~") and not _ends_operand(source, names, index - 1):
        yield _Change("unary", index, index, "")
        return
    if text in _BINARY_OR_UNARY and not _ends_operand(source, names, index - 1):
        return
    for operator, swaps in _SWAPS.items():
        others = swaps.get(text, ())
        # No pointer is less than null.
        is_null_test = operator == "relational" and source.word(index + 1) == "NULL"
        for other in others[:1] if is_null_test else others:
            yield _Change(operator, index, index, other)


def _ends_operand(source: CppSource, names: Names, index: int) -> bool:
    """Whether what follows a token is a binary operator, if it can be one."""
    text = source.word(index)
    if text == ")":
        opening = source.partner.get(index, index)
        inside = [source.word(i) for i in range(opening + 1, index)]
        return not inside or any(w not in names.types | {"*", "const"} for w in inside)
    if text == "]":
        return True
    is_word = source.tokens[index].kind in ("word", "number", "character", "string")
    return is_word and text not in _KEYWORDS | names.types


def _other_constants(text: str) -> list[str]:
    """A number one higher, one lower, and 0; a character's neighbours."""
    if re.fullmatch(r"\d+", text) and not (text[0] == "0" and len(text) > 1):
        others = [str(int(text) + 1), str(int(text) - 1), "0"]
    elif text.startswith("'") and len(text) == 3:
        others = [f"({text} + 1)", f"({text} - 1)"]
    else:
        others = [f"({text} + 1)", f"({text} - 1)", "0"]
    # In brackets: a minus sign before it must not make a decrement.
    others = [f"({other})" if other.startswith("-") else other for other in others]
    return [other for other in dict.fromkeys(others) if other != text]


def _condition_changes(source: CppSource, index: int) -> Iterator[_Change]:
    opening = index + 1
    if source.word(opening) != "(" or opening not in source.partner:
        return
    first, last = opening + 1, source.partner[opening] - 1
    if source.word(index) == "for":
        first = source.end_of(first, (";",)) + 1
        last = source.end_of(first, (";",)) - 1
    if last < first or last >= len(source.tokens):
        return
    condition = source.text[source.tokens[first].start : source.tokens[last].end]
    yield _Change("condition", first, last, f"!({condition})")


# -- statements --------------------------------------------------------------------------------


def _statement_changes(source: CppSource, names: Names) -> Iterator[_Change]:
    for index, token in enumerate(source.tokens):
        if not token.function or not _begins_statement(source, index):
            continue
        end = source.end_of(index, (";",))
        if source.word(end) != ";":
            continue
        text = token.text
        if text in ("break", "continue"):
            other = "continue" if text == "break" else "break"
            yield _Change("jump", index, index, other)
            yield _Change("jump", index, end, ";")
        elif text == "return":
            if end == index + 1:
                yield _Change("jump", index, end, ";")
            else:
                yield _Change("jump", index, end, "return 0;")
                yield _Change("jump", index, end, "return 1;")
        elif text not in _KEYWORDS | names.types | {";", "{", "}", ":"}:
            yield _Change("statement", index, end, ";")


def _begins_statement(source: CppSource, index: int) -> bool:
    before = source.word(index - 1)
    if before in (";", "{", "}", "else", "do"):
        # Not within the head of a for.
        return not _is_within_parentheses(source, index)
    if before == ")":
        opening = source.partner.get(index - 1, 0)
        return source.word(opening - 1) in ("if", "while", "for", "switch")
    if before == ":":
        return source.word(index - 2) == "default" or source.word(index - 3) == "case"
    return False


def _is_within_parentheses(source: CppSource, index: int) -> bool:
    while index > 0:
        index -= 1
        text = source.word(index)
        if text in (")", "]", "}"):
            index = source.partner.get(index, index)
        elif text == "(":
            return True
        elif text == "{":
            return False
    return False


# -- variables ---------------------------------------------------------------------------------


def _variable_changes(
    source: CppSource, names: Names, members: list[CppVariable]
) -> Iterator[_Change]:
    """Each variable becomes the next and the previous of the same type that are declared with it.

    That is: of the same function, of the same struct, or among the globals.
    """
    own = list(declarations(source, names))
    declaring = {declared.index for declared in own}
    for index, token in enumerate(source.tokens):
        if not token.function or token.kind != "word" or index in declaring:
            continue
        if source.word(index - 1) in (".", "->"):
            variables = members
        elif source.word(index + 1) == "(":
            continue
        else:
            variables = [d for d in own if d.owner in (token.function, "")]
        for text in _others_like(token.text, variables):
            yield _Change("variable", index, index, text)


def _link_changes(source: CppSource) -> Iterator[_Change]:
    """A walk along a list goes to the next element of the array instead: ``p = p->next``."""
    for index, token in enumerate(source.tokens):
        name, sign, other, arrow, link, end = (source.word(index + i) for i in range(6))
        if token.function and (sign, arrow, other) == ("=", "->", name) and end in (";", ")"):
            text = f"{other}->{link} ? {other} + 1 : 0"
            yield _Change("link", index + 2, index + 4, text)


def _others_like(name: str, variables: list[CppVariable]) -> list[str]:
    meant = [declared for declared in variables if declared.name == name]
    others: list[str] = []
    for cpp_variable in meant:
        alike = [
            d.name
            for d in variables
            if (d.owner, d.type) == (cpp_variable.owner, cpp_variable.type)
        ]
        alike = list(dict.fromkeys(alike))
        place = alike.index(name)
        others += [alike[(place + 1) % len(alike)], alike[place - 1]]
    return [other for other in dict.fromkeys(others) if other != name]
