"""Reads C++ of 1994 as far as mutation needs it: tokens, functions, and variables with their types.

Nothing is preprocessed, and nothing needs to be right beyond doubt: a change made where this
reader was mistaken does not compile, or it is a mutant like any other.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?\*/ )
  | (?P<directive> ^[ \t]*\#(?:\\\n|[^\n])* )
  | (?P<string> "(?:\\.|[^"\\\n])*" )
  | (?P<character> '(?:\\.|[^'\\\n])+' )
  | (?P<number> 0[xX][0-9a-fA-F]+[uUlL]* | (?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[uUlLfF]* )
  | (?P<word> [A-Za-z_]\w* )
  | (?P<sign> <<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::
            | [-+*/%&|^~!<>=?:;,.(){}\[\]] )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_BASIC_TYPES = frozenset(
    {"bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"}
)
_OPENING = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of source text; ``function`` is the one whose body it is in, or "".

    A member function that is defined outside its class is named with the class ("list::add").
    """

    kind: str
    text: str
    start: int
    end: int
    function: str = ""


@dataclass(frozen=True, slots=True)
class CppVariable:
    """A variable, parameter or member.

    Attributes:
        name: its name.
        type: its type as written ("obj *"), the same for all that can take each other's place.
        owner: "struct S" for a member, the function's name for its own, "" for a global.
        index: of the token that declares it.
    """

    name: str
    type: str
    owner: str
    index: int


class CppSource:
    """The tokens of one file.

    Attributes:
        text: the file's text.
        tokens: without comments and preprocessor lines.
        partner: index of the closing bracket for each opening one, and the other way round.
        owners: for each token the function that it belongs to with its head, "struct S" within
            that struct's body, or "".
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.owners: list[str] = []
        self._read()
        self.partner = self._partners()

    def _read(self) -> None:
        """Fill ``tokens`` and ``owners``; each brace is what the words before it make it."""
        open_braces: list[tuple[str, str]] = []  # kind and name
        branches: list[list[tuple[str, str]]] = []
        head = 0  # the first token of what is being declared
        for match in _TOKEN.finditer(self.text):
            kind, text = str(match.lastgroup), match.group()
            if kind == "directive":
                # The two branches of an #if begin with the same braces open.
                word = text.strip().lstrip("# \t").partition(" ")[0].partition("\n")[0]
                if word.startswith("if"):
                    branches.append(list(open_braces))
                elif word in ("else", "elif") and branches:
                    open_braces = list(branches[-1])
                elif word == "endif" and branches:
                    branches.pop()
                continue
            if kind == "comment":
                continue
            is_inside = bool(open_braces) and open_braces[-1][0] == "function"
            if text == "{" and not is_inside:
                open_braces.append(self._brace(head))
                if open_braces[-1][0] == "function":
                    for index in range(head, len(self.tokens)):
                        self.owners[index] = open_braces[-1][1]
            elif text == "{":
                open_braces.append(open_braces[-1])
            name = open_braces[-1][1] if open_braces else ""
            within = open_braces[-1][0] if open_braces else ""
            self.tokens.append(
                Token(kind, text, *match.span(), function=name if within == "function" else "")
            )
            self.owners.append(name)
            if text == "}" and open_braces:
                open_braces.pop()
            is_inside = bool(open_braces) and open_braces[-1][0] == "function"
            if text in (";", "{", "}") and not is_inside:
                head = len(self.tokens)

    def _brace(self, head: int) -> tuple[str, str]:
        """What a brace outside functions opens: (function, struct, enum, other), and its name."""
        words = [token.text for token in self.tokens[head:]]
        if words and words[-1] == "=":
            return "other", ""
        if "(" in words:
            for index, (word, after) in enumerate(itertools.pairwise(words)):
                if after == "(" and word != "__attribute__":
                    is_member = words[max(index - 1, 0)] == "::"
                    return "function", "".join(words[index - 2 * is_member : index + 1])
            return "function", "?"
        for word in ("struct", "class", "union"):
            if word in words:
                return "struct", f"struct {words[words.index(word) + 1 :][:1] or ['?']}"
        return ("enum", "") if "enum" in words else ("other", "")

    def _partners(self) -> dict[int, int]:
        partner: dict[int, int] = {}
        waiting: dict[str, list[int]] = {"(": [], "[": [], "{": []}
        for index, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in waiting:
                waiting[token.text].append(index)
            elif token.text in _OPENING and waiting[_OPENING[token.text]]:
                opening = waiting[_OPENING[token.text]].pop()
                partner[opening], partner[index] = index, opening
        return partner

    def word(self, index: int) -> str:
        """The text of a token; "" where there is none."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def end_of(self, index: int, stops: tuple[str, ...]) -> int:
        """The first token from an index on that is one of ``stops`` outside any bracket."""
        while index < len(self.tokens):
            text = self.word(index)
            if text in stops or text in _OPENING:
                return index
            opens = text in _OPENING.values()
            index = self.partner.get(index, index) + 1 if opens else index + 1
        return index


@dataclass(frozen=True, slots=True)
class Names:
    """What several files of one program name.

    Attributes:
        types: names of types, the basic ones included.
        enumerators: every enumerator, with the next one of its enumeration; itself where the
            enumeration gives numbers.
    """

    types: frozenset[str]
    enumerators: dict[str, str]


def names_of(sources: Iterable[CppSource]) -> Names:
    """The types and enumerators that files declare."""
    types = set(_BASIC_TYPES)
    enumerators: dict[str, str] = {}
    for source in sources:
        for index, token in enumerate(source.tokens):
            after = source.word(index + 1)
            if token.text in ("struct", "class", "union", "enum") and after[:1].isalpha():
                types.add(after)
            elif token.text == "typedef":
                types.add(_typedef_name(source, index))
            if token.text == "enum":
                enumerators |= _enumerators(source, index)
    return Names(frozenset(types), enumerators)


def _typedef_name(source: CppSource, index: int) -> str:
    end = source.end_of(index, (";",))
    words = [source.word(i) for i in range(index, end)]
    if "(" in words:  # a pointer to a function: typedef void (*name)(...)
        return next((w for w in words[words.index("(") + 1 :] if w[:1].isalpha()), "")
    return next((w for w in reversed(words[: [*words, "["].index("[")]) if w[:1].isalpha()), "")


def _enumerators(source: CppSource, index: int) -> dict[str, str]:
    opening = index + 1 if source.word(index + 1) == "{" else index + 2
    if source.word(opening) != "{":
        return {}
    inside = range(opening + 1, source.partner.get(opening, opening))
    names = [source.word(i) for i in inside if source.word(i - 1) in ("{", ",")]
    names = [name for name in names if name[:1].isalpha()]
    if any(source.word(i) == "=" for i in inside):
        return {name: name for name in names}
    return dict(zip(names, names[1:] + names[:1], strict=True))


def declarations(source: CppSource, names: Names) -> Iterator[CppVariable]:
    """The variables, parameters and members that a file declares."""
    index = 0
    while index < len(source.tokens):
        if source.word(index) not in names.types or source.word(index - 1) in (".", "->", "enum"):
            index += 1
            continue
        start = index
        while source.word(index) in names.types or source.word(index) == "const":
            index += 1
        base = " ".join(source.word(i) for i in range(start, index) if source.word(i) != "const")
        is_parameter = source.word(start - 1) in ("(", ",") or source.word(start - 2) in ("(", ",")
        while True:
            stars = ""
            while source.word(index) in ("*", "&", "const"):
                stars += source.word(index).replace("const", "").replace("&", "")
                index += 1
            after = source.word(index + 1)
            if source.tokens[index : index + 1] and source.tokens[index].kind != "word":
                break
            if after not in (",", ";", "=", ")", "["):
                break
            size = "[]" if after == "[" else ""
            yield CppVariable(source.word(index), base + stars + size, source.owners[index], index)
            index = source.end_of(index + 1, (",", ";"))
            if is_parameter or source.word(index) != ",":
                break
            index += 1
        index = max(index, start + 1)
