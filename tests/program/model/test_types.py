"""Types from DWARF: every kind of global, checked against values and the compiler's own words."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emu.base.errors import ProgramError
from emu.program import GuestType, Program
from emu.program.model.types import UNKNOWN

Reader = Callable[[str], Program]

ALL_PROGRAMS = (
    "types-m68k",
    "types-m68k-dwarf4",
    "types-ppc",
    "types-ppc-dwarf4",
    "types-mips",
    "types-mipsel",
)
everywhere = pytest.mark.parametrize("name", ALL_PROGRAMS)

# (global, kind, name, dtype without byte order, value)
SCALARS = (
    ("gSignedChar", "integer", "signed char", "i1", -3),
    ("gUnsignedChar", "integer", "unsigned char", "u1", 253),
    ("gChar", "integer", "char", "i1", ord("A")),
    ("gShort", "integer", "short int", "i2", -12345),
    ("gUnsignedShort", "integer", "short unsigned int", "u2", 54321),
    ("gInt", "integer", "int", "i4", -123456789),
    ("gUnsignedInt", "integer", "unsigned int", "u4", 3123456789),
    ("gLong", "integer", "long int", "i4", -7),
    ("gUnsignedLong", "integer", "long unsigned int", "u4", 7),
    ("gLongLong", "integer", "long long int", "i8", -1234567890123456789),
    ("gUnsignedLongLong", "integer", "long long unsigned int", "u8", 12345678901234567890),
    ("gTrue", "boolean", "bool", "u1", 1),
    ("gFloat", "float", "float", "f4", 1.5),
    ("gDouble", "float", "double", "f8", -2.25),
    ("gUtf16", "integer", "char16_t", "u2", 0x20AC),
    ("gConstVolatile", "integer", "int", "i4", 42),
    ("gScalar", "integer", "short int", "i2", -2),
    ("gNatural", "enumeration", "Natural", "u4", 70000),
    ("gBalance", "enumeration", "Balance", "i4", -1),
    ("gTiny", "enumeration", "Tiny", "i1", -128),
    ("gColour", "enumeration", "Colour", "u4", 1),
    ("population", "integer", "int", "i4", 99),
    ("gInSpace", "integer", "int", "i4", 11),
    ("gStatic", "integer", "int", "i4", 12),
)

# (global, name of the type, name of the target)
POINTERS = (
    ("gPlainPointer", "obj*", "obj"),
    ("gConstPointer", "obj*", "obj"),
    ("gNamedPointer", "obj*", "obj"),
    ("gHandle", "obj**", "obj*"),
    ("gTypedefTarget", "obj*", "obj"),
    ("gAnonymousTarget", "Point*", "Point"),
    ("gScalarPointer", "short int*", "short int"),
    ("gVoidPointer", "void*", "void"),
    ("gConstVoidPointer", "void*", "void"),
    ("gFunctionPointer", "void*", "void"),
    ("gArrayPointer", "void*", "void"),
    ("gBitFieldPointer", "BitFields*", "BitFields"),
    ("gReference", "int&", "int"),
)


def memory(program: Program, address: int, size: int) -> bytes:
    """What the program's file puts at an address."""
    segment = next(s for s in program.segments if s.address <= address < s.end)
    start = address - segment.address
    return segment.data.ljust(segment.size, b"\0")[start : start + size]


def value(program: Program, name: str) -> Any:
    """A global as loaded, read through its type."""
    variable = program.variable(name)
    data = memory(program, variable.address, variable.type.size)
    array = np.frombuffer(data, dtype=variable.type.dtype).reshape(variable.type.shape)
    return array.tolist()


def address_of(program: Program, name: str) -> int:
    """A symbol's address, from the symbol table alone."""
    (found,) = [s.address for s in program.symbols if s.name == name]
    return found


@everywhere
def test_scalars(read: Reader, name: str) -> None:
    program = read(name)
    found = []
    for variable, *_ in SCALARS:
        its = program.variable(variable).type
        assert its.shape == ()
        found.append((variable, its.kind, its.name, its.dtype, value(program, variable)))
    order = program.byte_order
    assert found == [(*row[:3], np.dtype(order + row[3]), row[4]) for row in SCALARS]


@everywhere
def test_pointers_know_their_targets(read: Reader, name: str) -> None:
    program = read(name)
    found = []
    for variable, *_ in POINTERS:
        its = program.variable(variable).type
        assert (its.kind, its.dtype) == ("pointer", np.dtype(program.byte_order + "u4"))
        found.append((variable, its.name, its.target))
    assert found == list(POINTERS)


@everywhere
def test_values_of_pointers_are_addresses(read: Reader, name: str) -> None:
    program = read(name)
    objects = program.variable("gObjects")
    size = objects.type.dtype.itemsize
    assert objects.address == address_of(program, "gObjects")
    assert value(program, "gPlainPointer") == objects.address + size
    assert value(program, "gReference") == program.variable("gInt").address
    assert value(program, "gGrid") == [[objects.address, 0, 0], [0, 0, objects.address + 2 * size]]


@everywhere
def test_arrays(read: Reader, name: str) -> None:
    program = read(name)
    shapes = {
        "gVector": (4,),
        "gMatrix": (2, 3),
        "gRows": (2, 3),
        "gFlags": (5,),
        "gDeclaredFirst": (3,),
        "gObjects": (3,),
        "gOuters": (2, 2),
        "gGrid": (2, 3),
    }
    for variable, shape in shapes.items():
        found = program.variable(variable).type
        assert (found.kind, found.shape) == ("array", shape), variable
        assert found.scalar == found.element
    assert value(program, "gVector") == [1, -2, 3, -4]
    assert value(program, "gMatrix") == [[1, 2, 3], [4, 5, 6]]
    assert value(program, "gRows") == [[1, 2, 3], [4, 5, 6]]
    assert value(program, "gFlags") == [0, 1, 0, 1, 1]
    assert value(program, "gDeclaredFirst") == [7, 8, 9]
    assert program.variable("gRows").type.name == "short int[2][3]"
    grid = program.variable("gGrid").type
    assert (grid.scalar.kind, grid.scalar.target) == ("pointer", "obj")


@everywhere
def test_structs(read: Reader, name: str) -> None:
    program = read(name)
    objects = program.variable("gObjects")
    size = objects.type.dtype.itemsize
    first, second, third = value(program, "gObjects")
    assert first == (1, 2, 0, objects.address + size)
    assert second == (-3, 4, objects.address + 2 * size, 0)
    assert third == (5, -6, 0, 0)
    assert value(program, "gPoint") == (3, -4)
    assert value(program, "gPoints") == [(1, 2), (3, 4)]
    assert value(program, "gPacked") == (ord("a"), -2, 3, 4.5)
    letter, inner, pair, grid, flag, wide, link = value(program, "gOuter")
    assert (letter, inner) == (ord("f"), (ord("t"), 0.5, 9))
    assert [tuple(one) for one in pair] == [(ord("p"), 1.25, 10), (ord("q"), -8.0, 11)]
    assert np.asarray(grid).tolist() == [[1, 2, 3], [-4, -5, -6]]
    assert (flag, wide, link) == (1, -5, objects.address + 2 * size)


@everywhere
def test_members(read: Reader, name: str) -> None:
    program = read(name)
    kinds = {
        "first": "integer",
        "inner": "struct",
        "pair": "array",
        "grid": "array",
        "flag": "boolean",
        "wide": "integer",
        "link": "pointer",
    }
    outer = program.variable("gOuter").type
    assert {f.name: f.type.kind for f in outer.fields} == kinds
    link = program.variable("gOuters").type.field("link")
    assert link is not None
    assert link.type.target == "obj"
    assert outer.field("nothing") is None
    assert program.variable("gPoints").type.name == "Point[2]", "the typedef names the struct"


@everywhere
def test_unions_show_every_member(read: Reader, name: str) -> None:
    program = read(name)
    word = program.variable("gWord").type
    assert [(f.name, f.offset) for f in word.fields] == [("whole", 0), ("bytes", 0), ("real", 0)]
    whole, data, real = value(program, "gWord")
    assert (whole, real) == (0x3FC00000, 1.5)
    expected = struct.pack(program.byte_order + "I", 0x3FC00000)
    assert bytes(np.asarray(data, dtype=np.uint8)) == expected
    either = program.variable("gEither").type
    assert [f.name for f in either.fields] == ["kind", "member_1"]
    assert value(program, "gEither")[1][0] == -8


@everywhere
def test_inheritance_and_hidden_members(read: Reader, name: str) -> None:
    program = read(name)
    derived = program.variable("gDerived").type
    assert [(f.name, f.offset) for f in derived.fields] == [("Base", 0), ("extra", 4)]
    base = derived.fields[0].type
    assert [f.name for f in base.fields] == ["count"], "a static member is no part of the object"
    abstract = program.variable("gAbstract").type
    assert [f.type.kind for f in abstract.fields] == ["pointer", "integer"]
    assert abstract.fields[1].name == "sides"


def facts(program: Program) -> list[tuple[str, str, int]]:
    """The table of what the compiler says, read by hand: 20 and 20 characters and a word each."""
    size = 44
    (count,) = struct.unpack(
        program.byte_order + "I", memory(program, address_of(program, "kFactCount"), 4)
    )
    data = memory(program, address_of(program, "kFacts"), size * count)
    rows = struct.iter_unpack(program.byte_order + "20s20sI", data)
    return [(v.rstrip(b"\0").decode(), m.rstrip(b"\0").decode(), number) for v, m, number in rows]


def offset_of(kind: GuestType, path: str) -> int:
    """Where a member of a member of a struct lies, by the dtype alone."""
    dtype, offset = kind.dtype, 0
    for step in path.split("."):
        assert dtype.fields is not None
        inner = dtype.fields[step]
        dtype, offset = inner[0], offset + inner[1]
    return offset


@everywhere
def test_the_compiler_agrees_on_every_size_and_offset(read: Reader, name: str) -> None:
    program = read(name)
    table = facts(program)
    assert len(table) > 55
    for variable, member, number in table:
        plain = variable.rstrip(".")
        kind = program.variable(plain).type
        if member:
            assert offset_of(kind, member) == number, (variable, member)
        elif variable.endswith("."):
            assert kind.dtype.itemsize == number, f"an element of {plain}"
        else:
            assert kind.size == number, variable


def test_both_processors_lay_structs_out_differently(read: Reader) -> None:
    """The check above would prove little if the layouts were the same."""
    sizes = {n: read(n).variable("gOuter").type.size for n in ("types-m68k", "types-ppc")}
    assert sizes == {"types-m68k": 64, "types-ppc": 112}


REFUSED = (
    ("gMemberPointer", "gMemberPointer contains a ptr_to_member_type"),
    ("gVirtual", "gVirtual has a member of Virtual at a computed offset"),
    ("gComplex", "gComplex contains a complex float of 8 bytes"),
)


@everywhere
@pytest.mark.parametrize(("variable", "message"), REFUSED)
def test_a_type_that_cannot_be_shown_is_refused_where_it_is_asked_for(
    read: Reader, name: str, variable: str, message: str
) -> None:
    program = read(name)
    assert variable in program.variables
    with pytest.raises(ProgramError, match=message):
        program.variable(variable)
    assert program.variable("gInt").type.name == "int", "the others are not affected"


@everywhere
def test_bit_fields(read: Reader, name: str) -> None:
    program = read(name)
    if program.byte_order == "<":
        with pytest.raises(ProgramError, match="gBitFields contains the bit-field BitFields::mode"):
            program.variable("gBitFields")
        return
    kind = program.variable("gBitFields").type
    data = memory(program, address_of(program, "gBitFields"), kind.size)
    units = np.frombuffer(data, kind.dtype)
    fields = {field.name: field for field in kind.fields}
    found = {
        name: int(field.type.bits.read(units[name])[0])
        for name, field in fields.items()
        if field.type.bits is not None
    }
    assert found == {"mode": 5, "ready": 1}
    assert int(units["whole"][0]) == -1
    assert fields["mode"].type.name == "unsigned int:3"
    assert fields["mode"].type.limits == (0, 7)
    assert program.variable("gHoldsBitFields").type.field("bits") is not None


def test_a_type_of_which_nothing_is_known_is_known_as_such_in_other_processes() -> None:
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN
    known = GuestType("short int", "integer", np.dtype(">i2"))
    assert pickle.loads(pickle.dumps(known)) == known
