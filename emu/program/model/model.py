"""The model of an executable that has been read, the same for every file format."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.errors import ProgramError
from emu.base.yaml_document import did_you_mean
from emu.program.model.lines import LineTable
from emu.program.model.signatures import FULL_NAMES, Signature
from emu.program.model.types import GuestType


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of memory that the program needs before it can run.

    ``size`` counts bytes in memory; ``data`` holds the first of them, the rest are zero.
    """

    name: str
    address: int
    size: int
    data: bytes = field(repr=False)
    writable: bool
    executable: bool

    @property
    def end(self) -> int:
        """The first address after the segment."""
        return self.address + self.size


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named address. ``kind`` is "function", "object" or "other"; a ``size`` of 0 is unknown."""

    name: str
    address: int
    size: int
    kind: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A global of the guest program: where it lies and what it is made of.

    A global whose type NumPy cannot represent, such as a struct with bit-fields, has a ``problem``
    that says so. `Program.variable` raises it when that global is asked for; a program may have
    many such globals that nobody asks for.
    """

    name: str
    address: int
    type: GuestType
    problem: ProgramError | None = None

    @property
    def addresses(self) -> range:
        """Where its bytes lie."""
        return range(self.address, self.address + self.type.size)


@dataclass(frozen=True, slots=True)
class Location:
    """An address in words: symbol and offset, and the source line if one is known."""

    address: int
    symbol: str = ""
    offset: int = 0
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        text = f"0x{self.address:08x}"
        if self.symbol:
            text += f" {self.symbol}+0x{self.offset:x}"
        return f"{text} ({self.source})" if self.line else text

    @property
    def source(self) -> str:
        """The source line: "neg.c:12"; "" if it is not known."""
        return f"{self.file}:{self.line}" if self.line else ""


_MANGLED = re.compile(r"_ZL?(\d+)")
_NESTED = re.compile(r"_ZNK?")
_PART = re.compile(r"(\d+)")
NAMED_SEGMENT = re.compile(r"(?:data of )?(?:section|.{4}) -?\d+", re.DOTALL)
"""How the name of a segment begins in a place: a resource (LDEF 128), or a section of a PEF."""
# Suffixes of the copies GCC makes of a function. They have its name in debugging information, but
# not its arguments.
_COMPILERS_COPY = re.compile(r"\.(constprop|isra|part|cold)\b")


def source_name(symbol: str) -> str:
    """The name a C++ programmer wrote, for a mangled function, variable or method.

    A method is named with its class ("Shape::Area"), a constructor with it twice ("Shape::Shape").
    Names of templates and operators, and of a constructor's or destructor's form for subclasses,
    are left as they are.
    """
    if symbol.isascii():
        return _source_name(symbol)
    by_bytes = symbol.encode(errors="surrogateescape").decode("latin-1")  # as lengths in it count
    return _source_name(by_bytes).encode("latin-1").decode(errors="replace")


def _source_name(symbol: str) -> str:
    match = _MANGLED.match(symbol)
    if match is not None:
        start, length = match.end(), int(match[1])
        return symbol[start : start + length] if len(symbol) >= start + length else symbol
    match = _NESTED.match(symbol)
    return symbol if match is None else _nested_name(symbol, match.end())


def _nested_name(symbol: str, place: int) -> str:
    """The name of a member, whose mangled parts begin at a place of its symbol."""
    parts: list[str] = []
    while (match := _PART.match(symbol, place)) is not None and len(symbol) >= match.end():
        place = match.end() + int(match[1])
        parts.append(symbol[match.end() : place])
    if parts and symbol[place : place + 3] in ("C1E", "D1E"):
        parts.append(("~" if symbol[place] == "D" else "") + parts[-1])
        place += 2
    return "::".join(parts) if parts and symbol[place : place + 1] == "E" else symbol


@dataclass(frozen=True, kw_only=True, eq=False)
class Program:
    """An executable read into segments, symbols, types and lines; it knows no emulation.

    With `dataclasses.replace` it is another program of the same file, such as one with patches.

    Attributes:
        path: the file it came from, for messages.
        architecture: "m68k", "powerpc" or "mips".
        byte_order: ">" or "<", as NumPy writes it.
        segments: memory to be filled before a run.
        symbols: every defined symbol, in the order of their addresses.
        variables: globals with their types, by source name; several for a name that several
            compilation units define. A static of a function is named "Function::name".
        functions: code addresses from debugging information, by source name.
        lines: the line table, empty without debugging information.
        signatures: how functions are declared, by source name, as far as is known.
        declared: how functions are declared that the program calls and does not define.
        types: the types that debugging information names ("Rect", "short int").
        has_debug_information: whether the file has types and lines.
        registers: what must be in registers for any call into the program, by register name:
            A5 of a 68K application, the table of contents (r2) of a PowerPC fragment.
        convention: the name of the calling convention it was compiled for (see `emu.machine`);
            "" means the convention of the stock ELF compiler for its architecture.
        symbol_file: the file that symbols were read from, if it is not ``path``.
        dropped: the names of statics that the compiler has removed, for example one that is only
            written ("Function::name").
        entries: where execution can begin, apart from the jump table of an application.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-68040-O2.elf")
        >>> str(program.locate(program.function("_DetermineCollisions")))
        '0x00010114 _DetermineCollisions+0x0 (four_shifts.cpp:121)'
    """

    path: Path
    architecture: str
    byte_order: str
    segments: Sequence[Segment]
    symbols: Sequence[Symbol]
    variables: Mapping[str, Sequence[Variable]]
    functions: Mapping[str, Sequence[int]]
    lines: LineTable
    signatures: Mapping[str, Sequence[Signature]] = field(default_factory=dict)
    declared: Mapping[str, Signature] = field(default_factory=dict)
    types: Mapping[str, GuestType] = field(default_factory=dict)
    has_debug_information: bool
    registers: Mapping[str, int] = field(default_factory=dict)
    convention: str = ""
    symbol_file: Path | None = None
    dropped: Collection[str] = ()
    entries: Sequence[int] = ()

    def __post_init__(self) -> None:
        in_order = sorted(self.symbols, key=lambda s: (s.address, s.kind == "other", s.name))
        object.__setattr__(self, "symbols", tuple(in_order))
        object.__setattr__(self, "segments", tuple(self.segments))

    @functools.cached_property
    def _code_symbols(self) -> list[Symbol]:
        return [s for s in self.symbols if s.kind == "function"]

    @functools.cached_property
    def _code_addresses(self) -> list[int]:
        return [s.address for s in self._code_symbols]

    def function(self, name: str) -> int:
        """The address of a function, by the name in its source.

        Raises:
            ProgramError: there is no such function, or more than one, or only a copy of it that
                takes other arguments; or the compiler or linker has left it out.
        """
        addresses = self._addresses(name)
        if not addresses:
            addresses = {
                s.address for s in self._code_symbols if name in (s.name, source_name(s.name))
            }
        if not addresses:  # labels of assembler sources often have no kind
            addresses = {
                s.address
                for s in self.symbols
                if s.name == name and s.kind == "other" and self._is_code(s.address)
            }
        copies = {
            s.address: s.name
            for s in self._code_symbols
            if s.address in addresses and _COMPILERS_COPY.search(s.name)
        }
        if addresses and addresses == copies.keys():
            raise ProgramError(
                self.path,
                f"of {name} the compiler has kept only copies that take other arguments "
                f"({', '.join(copies.values())})",
                remedy="Compile it with less optimisation, or make the function extern.",
            )
        addresses -= copies.keys()
        if len(addresses) == 1:
            return addresses.pop()
        if addresses:
            raise ProgramError(
                self.path, f"{len(addresses)} functions are named {name}; rename all but one"
            )
        raise self._no_function(name)

    def _no_function(self, name: str) -> ProgramError:
        """The error for a function that the sources have and the program has not, or neither."""
        seen = self.signatures.get(name)
        if seen and all(signature.address is None for signature in seen):
            return ProgramError(
                self.path,
                f"the code of {name} is only inside of the functions that call it: the compiler "
                "has inlined it",
                remedy="Compile it without optimisation (build O0), or make the function extern.",
            )
        if seen:
            return ProgramError(
                self.path,
                f"the linker has left {name} out: nothing needs it, or it calls a function that "
                "no source defines",
                remedy="Name it in the case file, or call it from the source.",
            )
        names = sorted({source_name(s.name) for s in self._code_symbols} | set(self.functions))
        dropped = ""
        if self.has_debug_information:
            dropped = " A compiler drops a static function that nothing calls."
        return ProgramError(
            self.path,
            f"there is no function {name}",
            remedy=f"It defines {', '.join(names[:12])}.{dropped}"
            if names
            else "It has no names of functions; a case calls one by its place, as in CODE 3+0x1a2 "
            "or section 0+0x40.",
        )

    def signature(self, name: str) -> Signature | None:
        """How a function is declared, or None if debugging information does not say.

        Raises:
            ProgramError: there is not exactly one such function, as for `function`.
        """
        address = self.function(name)
        signatures_of_name = self.signatures.get(name, ())
        signatures = [s for s in signatures_of_name if s.address == address] or [
            s for s in signatures_of_name if s.address is None
        ]
        return signatures[0] if len(set(signatures)) == 1 else None

    def type(self, name: str) -> GuestType:
        """A type by its name in the source; "short" stands for "short int", and so on.

        Raises:
            ProgramError: debugging information has no such type that macproof can show.
        """
        kind = self.types.get(name) or self.types.get(FULL_NAMES.get(name, ""))
        if kind is None:
            raise ProgramError(self.path, f"it has no type {name}{did_you_mean(name, self.types)}")
        return kind

    def typed_functions(self) -> list[str]:
        """The names of the functions whose parameters debugging information gives."""
        return [name for name in self.signatures if self._addresses(name)]

    def _addresses(self, name: str) -> set[int]:
        """A function's addresses by debugging information, without code that the linker dropped."""
        return {address for address in self.functions.get(name, ()) if self._is_code(address)}

    def _is_code(self, address: int) -> bool:
        return any(s.executable and s.address <= address < s.end for s in self.segments)

    def variable(self, name: str) -> Variable:
        """A global variable with its type, by the name in its source.

        Raises:
            ProgramError: no such variable, several of that name, no type information, or a type
                that macproof cannot show.
        """
        variables = self.variables.get(name, ())
        if len(variables) == 1:
            if variables[0].problem is not None:
                raise variables[0].problem
            return variables[0]
        if variables:
            raise ProgramError(
                self.path, f"{len(variables)} variables are named {name}; rename all but one"
            )
        if not self.has_debug_information:
            raise ProgramError(
                self.path,
                f"it has no DWARF debugging information, so the layout of {name} is unknown",
                remedy="Compile it with -g.",
            )
        names = sorted(
            self.variables, key=lambda variable: ("::" in variable, variable)
        )  # statics come last
        raise ProgramError(
            self.path,
            f"there is no global variable {name}",
            remedy=f"It defines {', '.join(names[:12]) or 'none'}.",
        )

    def locate(self, address: int) -> Location:
        """The symbol, the offset from it and the source line of an address, if they are known.

        Code without a symbol in an application or a fragment has its segment in place of one:
        "CODE 3".
        """
        symbol, offset = "", 0
        index = bisect_right(self._code_addresses, address) - 1
        if index >= 0:
            candidate = self._code_symbols[index]
            distance = address - candidate.address
            if distance < max(candidate.size, 2):
                symbol, offset = source_name(candidate.name), distance
        if not symbol:
            for name, variables in self.variables.items():
                for variable in variables:
                    if 0 <= address - variable.address < variable.type.size:
                        symbol, offset = name, address - variable.address
        if not symbol:  # data without debugging information, such as a compiler makes
            for data in self.symbols:
                if data.kind == "object" and data.address <= address < data.address + data.size:
                    symbol, offset = data.name, address - data.address
        if not symbol:
            for part in self.segments:
                segment = NAMED_SEGMENT.match(part.name) if part.executable else None
                if segment and part.address <= address < part.end:
                    symbol, offset = segment[0], address - part.address
        # The line table also has rows for sections that the linker threw away, from address 0 up.
        file, line = self.lines.find(address) if self._is_code(address) else ("", 0)
        return Location(address, symbol, offset, file, line)
