"""Reads declarations in C, word by word: types, routines and variables.

It understands what sources and headers for the Macintosh declare: structs in structs, pointers to
functions, enumerators, ``pascal``, references of C++. What it does not understand it refuses with
its place; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from emu.base.yaml_document import nearest
from emu.program.declarations.constants import Constant
from emu.program.declarations.cursor import TokenCursor
from emu.program.declarations.known_types import BASE_WORDS, WrittenType, base_types, key_of
from emu.program.declarations.names import CNames, is_incomplete
from emu.program.declarations.tokens import CToken, DeclarationError, SourceText
from emu.program.model.signatures import SHORT_NAMES, Parameter, Signature
from emu.program.model.types import ANONYMOUS_STRUCT, GuestType, struct_of

PASCAL = {"pascal", "_pascal", "__pascal"}
"""The words for the calling convention of Pascal."""
_IGNORED = {
    "volatile",
    "register",
    "extern",
    "static",
    "inline",
    "restrict",
    "auto",
    "__inline",
    "__extension__",
}
ATTRIBUTES = ("__attribute__", "__declspec")
"""The words before attributes of modern compilers."""
# Apple's headers write a routine's result so; whether it is called as Pascal does.
_APPLE_API = {"EXTERN_API": True, "EXTERN_API_C": False}
RECORDS = {"struct", "union", "class"}
"""The words that begin the declaration of a struct or union."""
_WHERE_TYPES_ARE_FROM = (
    "; it has to be one of C, one of Inside Macintosh (such as OSErr, Fixed, Ptr or Rect), or a "
    "struct of the program"
)
_DEEPEST = 32
_MOST_BYTES = 1 << 30


class Reader(TokenCursor):
    """Reads types, names and parameters from left to right.

    Args:
        tokens: the tokens.
        source: what they stand in, for messages about its end.
        names: what names mean; what is declared is added.
        is_lenient: whether a pointer may lead to a type that nobody declares.
    """

    def __init__(
        self, tokens: Sequence[CToken], source: SourceText, names: CNames, *, is_lenient: bool
    ) -> None:
        super().__init__(tokens, source)
        self._names = names
        self._is_lenient = is_lenient
        self._order = names.model.byte_order
        self._depth = 0

    # -- types -------------------------------------------------------------------------------

    def specifiers(self) -> WrittenType:
        """What stands before a name and its stars: ``const unsigned short``, ``struct A {...}``."""
        self._enter()
        written: WrittenType | None = None
        words: list[str] = []
        is_constant = is_pascal = False
        while True:
            word = self.word()
            if word in _IGNORED or word == "const":
                is_constant |= word == "const"
                self.next += 1
                self.take('"C"')
            elif word in PASCAL:
                is_pascal = True
                self.next += 1
            elif word in ATTRIBUTES:
                self._attribute()
            elif word in _APPLE_API and self.word(1) == "(" and written is None:
                self.next += 2
                written, is_pascal = self.result(), _APPLE_API[word]
                self.require(")", f"behind {word}")
            elif word in BASE_WORDS and written is None:
                words.append(word)
                self.next += 1
            elif written is None and not words and word in (*RECORDS, "enum"):
                written = self._enumeration() if word == "enum" else self._record()
            elif written is None and not words and self.is_name():
                written = self._named()
            else:
                break
        if written is None:
            if not words:
                raise self.error("a type is missing")
            written = self._base(words)
        self._depth -= 1
        if is_constant:
            written = replace(written, words=f"const {written.words}")
        return replace(written, is_pascal=is_pascal)

    def result(self) -> WrittenType:
        """What stands before the name of a routine: its result, and perhaps ``pascal``."""
        return self._stars(self.specifiers())

    def _stars(self, base: WrittenType) -> WrittenType:
        is_pascal = base.is_pascal
        while self.word() in ("*", "&", "const", "volatile", "restrict", *PASCAL):
            if self.word() in ("*", "&"):
                if len(base.pointed) == _DEEPEST:
                    raise self.error("it is nested too deeply")
                base = base.pointer(self._order, self.word())
            is_pascal |= self.word() in PASCAL
            self.next += 1
        return replace(base, is_pascal=is_pascal)

    def declarator(
        self, base: WrittenType, *, in_parameter: bool = False
    ) -> tuple[str, int, WrittenType]:
        """A name with its stars, brackets and parameters; also without a name.

        Returns:
            The name, or "", the number of its token, and the type that it has.
        """
        self._enter()
        base = self._stars(base)
        inner = None
        if self.word() == "(" and self.word(1) in ("*", "&", "(", *PASCAL):
            inner = self.next
            self.skip()
        name, at = "", self.next
        if inner is None and self.is_name() and self.word() not in ATTRIBUTES:
            name = self.name("a name")
        written = self.behind_name(base, in_parameter=in_parameter and inner is None)
        if inner is not None:
            end, self.next = self.next, inner + 1
            name, at, written = self.declarator(written)
            self.require(")", f"behind {name}" if name else "behind *")
            self.next = end
        self._depth -= 1
        return name, at, written

    def behind_name(self, base: WrittenType, *, in_parameter: bool = False) -> WrittenType:
        """What the brackets behind a name make of a type."""
        if self.take("("):
            signature = self._signature(base)
            return WrittenType("function", None, (), signature)
        lengths: list[int] = []
        start = self.next
        while self.take("["):
            if in_parameter and not lengths and self.word() in ("]", ")", ",", ""):
                lengths.append(1)  # passed as a pointer, whatever it is
            else:
                lengths.append(self._length())
            self.require("]", "behind [")
        if len(lengths) > _DEEPEST // 2:
            raise self.error("it is nested too deeply", start)
        for length in reversed(lengths):
            self.value(base, start)
            base = base.array(length)
            if base.kind is not None and base.kind.size > _MOST_BYTES:
                raise self.error(f"it has {base.kind.size:,} bytes", start)
        return base

    def _length(self) -> int:
        if self.word() in ("]", ""):
            raise self.error("the number of elements is missing")
        at = self.next
        number = self.constant()
        if number < 1 or number > _MOST_BYTES:
            raise self.error(f"{number} is no number of elements", at)
        return number

    def constant(self) -> int:
        """A number that C computes when it compiles."""
        expression = Constant(self.tokens, self.next, self._names.numbers, self._size_in_brackets)
        number = expression.read()
        self.next = expression.next
        return number

    def _size_in_brackets(self, at: int) -> tuple[int, int]:
        before, self.next = self.next, at
        self.require("(", "behind sizeof")
        size = self.value(self.declarator(self.specifiers())[2], at).size
        self.require(")", "behind sizeof")
        after, self.next = self.next, before
        return size, after

    def _signature(self, result: WrittenType) -> Signature:
        """The signature of a function with this result, from behind its opening bracket on."""
        parameters, is_variadic = self._parameters()
        return Signature(
            address=None,
            result=result.words,
            parameters=tuple(parameters),
            result_type=result.kind,
            is_variadic=is_variadic,
            returns_struct=result.kind is not None and result.kind.kind == "struct",
            is_pascal=result.is_pascal,
        )

    def _parameters(self) -> tuple[list[Parameter], bool]:
        """The parameters up to the closing bracket, and whether more of any kind may follow."""
        parameters: list[Parameter] = []
        if self.take(")"):
            return parameters, False
        if self.word() == "void" and self.word(1) == ")":
            self.next += 2
            return parameters, False
        names: set[str] = set()
        while True:
            if self.take("..."):
                self.require(")", "behind ...")
                return parameters, True
            parameters.append(self._parameter(names))
            if self.take(")"):
                return parameters, False
            self.require(",", "or ) behind a parameter")

    def _parameter(self, names: set[str]) -> Parameter:
        start = self.next
        name, at, declared = self.declarator(self.specifiers(), in_parameter=True)
        written = declared.parameter(self._order)
        if name in names:
            raise self.error(f"there are two parameters {name}", at)
        if self.word() == ":" and self.word(1).startswith("__"):
            raise self.error("a parameter in a register is none that macproof can pass")
        if written.kind is None:
            raise self.error("a parameter cannot be void", start)
        self.value(written, start)
        names |= {name} - {""}
        words = written.declaration(name)
        return Parameter(
            name, words, written.kind, self._names.resolved(written.pointed), written.function
        )

    def value(self, written: WrittenType, at: int) -> GuestType:
        """The type, of which there must be values; ``at`` is its token, for messages."""
        if written.kind is None:
            raise self.error(
                "a function is no value" if written.is_function else "a variable cannot be void", at
            )
        if is_incomplete(written.kind):
            problem = f"{written.kind.name} is declared without its members"
            if written.kind.name.startswith("enum"):
                problem = (
                    "how large an enum is depends on the compiler; char, short or long says it"
                )
            raise self.error(problem, at)
        return written.kind

    def _base(self, words: list[str]) -> WrittenType:
        key = key_of(words)
        bases = base_types(self._names.model)
        if key not in bases:
            if key == ("double", "long"):
                problem = (
                    "how large a long double is depends on the compiler; extended80 (10 bytes) or "
                    "extended96 (12 bytes) says it"
                )
            else:
                problem = f"{' '.join(words)} is no type of C"
            raise self.error(problem, self.next - 1)
        kind = bases[key]
        return WrittenType("void" if kind is None else SHORT_NAMES.get(kind.name, kind.name), kind)

    def _named(self) -> WrittenType:
        name = self.word()
        kind = self._names.named_type(name)
        if kind is None and self._is_lenient and self.word(1) == "*":
            kind = self._forward(name)
        if kind is None:
            hint = nearest(name, self._names.all_names()) or _WHERE_TYPES_ARE_FROM
            raise self.error(f"there is no type {name}{hint}")
        self.next += 1
        return kind

    def _forward(self, name: str) -> WrittenType:
        """A struct of which only the name is known so far."""
        return WrittenType(name, struct_of(name, (), 0))

    def _attribute(self) -> None:
        start = self.next
        self.next += 1
        if self.word() == "(":
            self.skip()
        for token in self.tokens[start : self.next]:
            if token.text.strip("_") in ("packed", "aligned", "mode", "align"):
                raise token.error(f"{token.text} changes where members lie, and is not understood")

    # -- structs and enumerations --------------------------------------------------------------

    def _record(self) -> WrittenType:
        """A struct or union: its declaration, or its name."""
        start, is_union = self.next, self.word() == "union"
        self.next += 1
        while self.word() in ATTRIBUTES:
            self._attribute()
        tag = self.name("a name") if self.is_name() else ""
        if self.word() != "{":
            earlier = self._names.named_type(tag) if tag else None
            if not tag or (earlier is None and not self._is_lenient):
                hint = nearest(tag, self._names.all_names()) or _WHERE_TYPES_ARE_FROM
                problem = f"there is no type {tag}{hint}" if tag else "a struct's name is missing"
                raise self.error(problem, self.next - 1)
            if earlier is None:
                earlier = self._names.tags[tag] = self._forward(tag)
            return earlier
        before = self._names.tags.get(tag)
        if tag and before is None:
            self._names.tags[tag] = self._forward(tag)
        self._enter_braces(start)
        members = list(self._members(tag or ANONYMOUS_STRUCT))
        kind = self._names.layout.record(
            tag or ANONYMOUS_STRUCT, members, self.tokens[start], is_union=is_union
        )
        while self.word() in ATTRIBUTES:
            self._attribute()
        if tag:
            if before is not None and before.kind not in (kind, self._forward(tag).kind):
                raise self.error(f"{tag} is declared twice", start)
            self._names.tags[tag] = WrittenType(tag, kind)
        return WrittenType(tag or ANONYMOUS_STRUCT, kind)

    def _enter_braces(self, start: int) -> None:
        """Go behind the opening brace of a struct that begins at a token."""
        place = self.next
        try:
            self.skip()
        except DeclarationError as error:
            first = self.tokens[start]
            line = first.source.text[first.at :].splitlines()[0]
            raise first.error(
                f"{line!r:.80} is no declaration of a struct, since }} is missing"
            ) from error
        self.next = place + 1

    def _members(self, of: str) -> Iterator[tuple[str, GuestType]]:
        """The members up to the closing brace; a struct without a name has the name ""."""
        while not self.take("}"):
            if self.take(";"):
                continue
            begin = self.next
            base = self.specifiers()
            if self.take(";"):
                if base.kind is not None and base.words == ANONYMOUS_STRUCT:
                    yield "", base.kind
                continue
            while True:
                name, at, written = self.declarator(base)
                if self.word() == ":":
                    self.to(";")
                    raise self.error(f"{self.between(begin)!r:.80} in {of} is a bit-field", begin)
                if not name or written.kind is None:
                    self.to(";")
                    words = f"{self.between(begin)!r:.80} in {of}"
                    raise self.error(f"{words} is no member that macproof understands", begin)
                yield name, self.value(written, at)
                if self.take(";"):
                    break
                self.require(",", f"or ; behind {name}")

    def _enumeration(self) -> WrittenType:
        self.next += 1
        tag = self.name("a name") if self.is_name() else ""
        if self.word() == "{":
            self._enumerators()
        elif not tag:
            raise self.error("an enumeration's name is missing")
        kind = self._names.find_type(tag) if tag else None
        return WrittenType(tag, kind) if kind is not None else self._forward(f"enum {tag}")

    def _enumerators(self) -> None:
        self.next += 1
        number = 0
        while not self.take("}"):
            name = self.name("the name of a number")
            if self.take("="):
                number = self.constant()
            self._names.numbers[name] = number
            number += 1
            if self.word() != "}":
                self.require(",", f"or }} behind {name}")

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.error("it is nested too deeply")
