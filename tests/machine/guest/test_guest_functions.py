"""Functions of the guest as Python functions: arguments and results of the types they declare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import ProgramError, UsageError
from emu.machine import CPUS, BareMachine, GuestFault
from emu.program import read_elf
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources

SOURCE = """
typedef unsigned char Boolean;
enum Colour { kRed, kGreen, kBlue };
enum Balance { kDebt = -1, kCredit = 1 };
struct Pair { short a, b; };
struct Ball { short x; void Move(short dx); };
short gX;
Pair gPairs[3] = {{1, 2}, {3, 4}, {5, 6}};
void Ball::Move(short dx) { x += dx; }
extern "C" {
void Go() { gX = 1; Ball b; b.x = 2; b.Move(3); }
char Twice(char c) { return 2 * c; }
unsigned char Inverted(unsigned char c) { return ~c; }
short Negated(short s) { return -s; }
unsigned short Half(unsigned short s) { return s / 2; }
unsigned Sum(unsigned char a, short b, unsigned short c, int d) { return a + b + c + d; }
bool Opposite(bool b) { return !b; }
Boolean IsOdd(int n) { return n & 1; }
Colour Next(Colour c) { return (Colour) ((c + 1) % 3); }
Balance Turned(Balance b) { return b == kDebt ? kCredit : kDebt; }
Pair* PairAt(Pair* first, int n) { return n < 0 ? 0 : first + n; }
Pair& Largest() { return gPairs[2]; }
int IsNull(const void* p) { return p == 0; }
long long Wide(long long n) { return n; }
float Float(float f) { return f; }
Pair Swapped(int n) { Pair p = {(short) n, 0}; return p; }
int First(Pair p) { return p.a; }
int Any(int n, ...) { return n; }
}
"""


@pytest.fixture(scope="module", params=["68000", "68040", "601", "mips"])
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> BareMachine:
    """A machine with the program above, on each processor."""
    request.getfixturevalue("compilers")(request.param)
    path = tmp_path_factory.mktemp("functions") / "functions.cpp"
    path.write_text(SOURCE)
    tree = SourceTree(
        routine="Go",
        state=("gX", "gPairs"),
        units=((path,),),
        folders=(path.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
    )
    built = compile_program(tree, BUILDS["O0"], ALL_TARGETS[request.param])
    return BareMachine(read_elf(built.path), CPUS[request.param])


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("Twice", (-30,), -60),
        ("Twice", (63,), 126),
        ("Inverted", (0,), 255),
        ("Inverted", (200,), 55),
        ("Negated", (-5,), 5),
        ("Negated", (32767,), -32767),
        ("Half", (65535,), 32767),
        ("Sum", (255, -32768, 65535, 1), 33023),
        ("Sum", (0, -1, 0, 0), 0xFFFFFFFF),
        ("Opposite", (True,), False),
        ("Opposite", (0,), True),
        ("IsOdd", (-3,), 1),
        ("Next", (2,), 0),
        ("Turned", (-1,), 1),
        ("Turned", (1,), -1),
        ("IsNull", (None,), 1),
        ("IsNull", (0xFFFFFFFC,), 0),
        ("Go", (), None),
    ],
)
def test_arguments_and_results_are_of_the_declared_types(
    machine: BareMachine, name: str, arguments: tuple[int, ...], expected: object
) -> None:
    found = machine.functions[name](*arguments)
    assert found == expected
    assert type(found) is type(expected)


def test_pointers_are_addresses(machine: BareMachine) -> None:
    """Of the 68K's convention they come back in another register than numbers."""
    first = machine.globals.address_of("gPairs", 0)
    assert machine.functions.PairAt(first, 2) == machine.globals.address_of("gPairs", 2)
    assert machine.functions.PairAt(first, -1) == 0
    assert machine.functions.Largest() == machine.globals.address_of("gPairs", 2)


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        (
            "Twice",
            (200,),
            r"char Twice\(char c\): 200 is given for char c, .* -128 to 127",
        ),
        ("Sum", (1, 2), r"Sum\(.*int d\) takes 4 arguments, not 2"),
        ("Go", (1,), r"void Go\(\) takes 0 arguments, not 1"),
        ("Negated", (1.5,), "1.5 is given for short s, which needs a whole number"),
        ("Negated", (None,), "None is given for short s, which needs a whole number"),
        ("Opposite", (2,), "2 is given for bool b, which holds 0 to 1"),
        ("IsNull", (-1,), "-1 is given for const void .p, which holds 0 to 4,294,967,295"),
    ],
)
def test_what_does_not_fit_is_refused(
    machine: BareMachine, name: str, arguments: tuple[int, ...], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        machine.functions[name](*arguments)


def test_wide_numbers_floats_structs_and_methods(machine: BareMachine) -> None:
    functions = machine.functions
    assert functions.Wide(-(1 << 40) - 3) == -(1 << 40) - 3
    assert functions.Float(0.5) == 0.5
    assert functions.Swapped(7).item() == (7, 0)
    assert functions.First({"a": -5, "b": 1}) == -5
    assert functions.First((6, 7)) == 6
    assert functions.Any(3, 4, machine.globals.address_of("gPairs", 0)) == 3
    ball = machine.new("Ball", x=40)
    assert functions["Ball::Move"](ball, 2) is None
    assert ball["x"] == 42


@pytest.mark.parametrize(
    ("name", "arguments", "problem"),
    [
        (
            "Float",
            (0.1,),
            r"0.1 is given for float f, which holds 0.1000000014.* instead; give num",
        ),
        ("Float", ("a",), "'a' is given for float f, which needs a number"),
        ("Wide", (1 << 63,), "9223372036854775808 is given for long long n, which holds"),
        ("First", (5,), "5 is given for Pair p, which needs its members: a, b"),
        ("First", ((1, 2, 3),), "Pair p has 2 members, and 3 are given"),
        ("First", ({"a": 1, "c": 2},), "Pair p has no member c"),
        ("First", ({"a": 1},), "Pair p is given without its member b"),
        ("First", ((1, 40000),), "40000 is given for Pair p.b, which holds -32,768 to 32,767"),
        ("IsNull", (b"abc",), r"b'abc' is given for const void .p; put it into guest memory first"),
    ],
)
def test_what_a_float_or_struct_cannot_hold_is_refused(
    machine: BareMachine, name: str, arguments: tuple[object, ...], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        machine.functions[name](*arguments)


def test_functions_are_found_like_attributes(machine: BareMachine) -> None:
    assert {"Twice", "Go"} <= set(dir(machine.functions))
    assert {"Twice", "Go"} <= set(machine.functions)
    assert hasattr(machine.functions, "Twice")
    assert not hasattr(machine.functions, "Thrice")
    with pytest.raises(AttributeError, match="there is no function Thrice"):
        _ = machine.functions.Thrice
    with pytest.raises(ProgramError, match="there is no function Thrice"):
        _ = machine.functions["Thrice"]


def test_a_function_that_the_linker_left_out_is_none(machine: BareMachine) -> None:
    assert "memset" not in dir(machine.functions)
    assert not hasattr(machine.functions, "memset")


def test_a_function_of_assembler_is_not_known(m68k: BareMachine) -> None:
    with pytest.raises(ProgramError, match="nothing is known of the parameters of TwoStores"):
        _ = m68k.functions["TwoStores"]


def test_faults_are_those_of_calls(m68k: BareMachine) -> None:
    with pytest.raises(GuestFault, match="Poke"):
        m68k.functions.Poke(0x00400000)


def test_a_program_names_its_processor_or_is_told(m68k: BareMachine, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="say which processor is to run it: 68000, 68020"):
        BareMachine(m68k.program)
    with pytest.raises(UsageError, match="there is no CPU 68050"):
        BareMachine(m68k.program, "68050")
    assert BareMachine(m68k.program, "68000").cpu is CPUS["68000"]


def test_what_a_case_chooses_can_be_run(prebuilt: Callable[..., list[object]]) -> None:
    (subject,) = prebuilt(("601",), ("O2",))
    assert BareMachine(subject).cpu is CPUS["601"]  # type: ignore[arg-type]


def test_objects_are_made_on_the_heap(machine: BareMachine) -> None:
    pair = machine.new("Pair", a=-3, b=9)
    assert (int(pair["a"]), int(pair["b"])) == (-3, 9)
    assert bytes(pair) == b"\xff\xfd\x00\x09"
    pair["b"] = 10
    assert machine.read(pair, 4) == b"\xff\xfd\x00\x0a"
    pairs = machine.new("Pair", 3)
    pairs["a"][:] = [1, 2, 3]
    assert machine.functions.PairAt(pairs, 1) == pairs.address + 4
    assert bytes(machine.new("short", 2)) == bytes(4)
    assert bytes(machine.buffer(b"abc")) == b"abc"
    assert bytes(machine.buffer(3)) == bytes(3)
    assert bytes(machine.c_string("é")) == b"\x8e\0"
    assert bytes(machine.pascal_string("hi", 4)) == b"\x02hi\0"
    assert len(bytes(machine.pascal_string(""))) == 256


def test_what_cannot_be_put_on_the_heap_is_refused(machine: BareMachine) -> None:
    with pytest.raises(ProgramError, match="it has no type Pare; did you mean Pair"):
        machine.new("Pare")
    with pytest.raises(UsageError, match="Pair has no member c"):
        machine.new("Pair", c=1)
    with pytest.raises(UsageError, match=r"40000 is given for Pair.a, which holds"):
        machine.new("Pair", a=40000)
    with pytest.raises(UsageError, match="has a 0 inside"):
        machine.c_string(b"a\0b")
    with pytest.raises(UsageError, match="has 4 characters, more than 3"):
        machine.pascal_string("four", 4)
    with pytest.raises(UsageError, match="'☃' is no character of Mac OS Roman"):
        machine.c_string("☃")
    with pytest.raises(UsageError, match="no room for 100000 bytes"):
        machine.buffer(100_000)
    with pytest.raises(UsageError, match="4 bytes at 0x00000000 are not guest memory"):
        machine.read(0, 4)


def test_a_closed_machine_calls_nothing(machine: BareMachine) -> None:
    with BareMachine(machine.program, machine.cpu) as short:
        assert short.functions.Negated(5) == -5
    with pytest.raises(UsageError, match="is closed"):
        short.functions.Negated(5)
