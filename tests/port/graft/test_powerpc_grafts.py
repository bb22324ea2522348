"""New PowerPC functions beside old ones, which call as on a Power Macintosh."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.port.graft.old_program import old_program

SOURCE = """
typedef struct { short a, b, c, d, e; } Five;
typedef char *(*Finder)(char c, short n);
short counter;
char table[16];
static char letter;
double factor;
Finder finder;

char *Next(char c);
Five Doubled(Five x, char c);
char *Find(char c, short n)
{
    char *next = Next(c);
    counter += n;
    letter = *next;
    return next + n;
}

Five Sum(Five x, char c)
{
    Five r = Doubled(x, c);
    r.a += x.a;
    factor = factor * 1.5 + c;
    return r;
}

short Last3(short n);
short Lower(short n) { return Last3(n) - 1; }
static __attribute__((noinline)) short textual(short n) { return n * counter; }
short L5(short n) { return textual(n) + Lower(n); }
long Half(short n) { return n / 2; }
long Unsigned(unsigned char n) { return n; }
long Wide(long n) { return n; }
long Ninth(long a, long b, long c, long d, long e, long f, long g, long h, short i, signed char j)
{
    return i * 1000 + j;
}
long Ninths(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
    return i + j;
}
short Shortened(long a, long b, long c, long d, long e, long f, long g, long h, short i);
unsigned char Cut(long a);
static short Compared(char *a, char *b) { return *a - *b; }
long Ordered(short (*compare)(char *, char *));
long Order(void) { return Ordered(Compared) + counter; }
long Lengthened(long n) { return Shortened(1, 2, 3, 4, 5, 6, 7, 8, n) * 1000L + Cut(n); }
Finder Chosen(short n) { finder = n ? Find : (Finder)Next; return finder; }
char *Called(short n) { return finder(n, 1) + counter; }
long Pick(short n)
{
    switch (n) {
    case 1: return counter;
    case 2: return Find(1, 1) - table;
    case 3: return "abc"[2];
    case 4: return Find(2, 1) - table;
    case 5: return (long)(factor * 10.25);
    case 6: return Find(3, 1) - table;
    }
    return -1;
}
"""
# The old Next leaves another table in R2, as glue to a library does.
OLD = """
    .text
    .globl Next, Doubled, Find, Sum, Chosen, Called, Pick, Last3, Lower, L5, Half, Unsigned, Wide
    .globl Compared, Order, Ordered, Ninth, Ninths, Shortened, Cut, Lengthened
Next:
    lis 9, table@ha
    addi 9, 9, table@l
    extsb 3, 3
    add 3, 9, 3
    li 2, 99
    blr
Doubled:
    slwi 4, 4, 1
    stw 4, 0(3)
    slwi 5, 5, 1
    stw 5, 4(3)
    extsb 7, 7
    slwi 6, 6, 1
    srwi 6, 6, 16
    add 6, 6, 7
    sth 6, 8(3)
    blr
Find:
    lis 9, table@ha
    addi 3, 9, table@l
    addi 3, 3, 7
    blr
Last3:
    addi 3, 3, 3
    blr
Shortened:
    lwz 0, 56(1)
    add 3, 3, 0
    oris 3, 3, 0x7777
    blr
Ordered:
    lwz 3, 0(3)
    blr
Cut:
    ori 3, 3, 0x6600
    blr
Lower:
    li 3, 77
    blr
L5:
Half:
Order:
Compared:
Ninth:
Ninths:
Lengthened:
Unsigned:
Wide:
Sum:
Chosen:
Called:
Pick:
    blr
    .data
    .globl counter, table, letter, factor, finder
factor: .double 4.0
counter: .short 40
table: .ascii "abcdefghijklmnop"
letter: .byte 0
    .balign 4
finder: .long 0
    .long Find, 0, 0
    .long Compared, 0, 0
"""


@pytest.mark.parametrize("build", ["O0", "O1", "O2", "period", "Os"])
def test_new_functions_call_old_ones_and_reach_their_globals(build: str, tmp_path: Path) -> None:
    old = old_program(tmp_path, SOURCE, OLD, cpu="601", convention="ppc-poweropen")
    graft = old.graft("Find", "Sum", "Chosen", "Called", "Pick", build=build)
    assert graft.remarks == ()
    with old.machine(graft) as machine:
        table = graft.program.variable("table").address
        assert machine.functions["Find"](3, -5) == table - 2
        assert (machine.globals["counter"], machine.globals["letter"]) == (35, ord("d"))
        assert tuple(machine.functions["Sum"]((1, 2, 3, 4, 5), -3)) == (3, 4, 6, 8, 7)
        assert machine.globals["factor"] == 3.0
        assert [machine.functions["Pick"](n) for n in range(8)] == [-1, 35, 7, 99, 7, 30, 7, -1]
        vector = graft.program.variable("finder").address + 4  # that of the old program
        assert machine.functions["Chosen"](1) == vector
        assert machine.functions["Called"](1) == table + 7 + int(machine.globals["counter"])


def test_a_pascal_function_is_called_as_any_other(tmp_path: Path) -> None:
    source = "#define pascal\n" + SOURCE.replace("short Lower(", "pascal short Lower(")
    old = old_program(tmp_path, source, OLD, cpu="601", convention="ppc-poweropen")
    with old.machine(old.graft("Lower")) as machine:
        assert machine.functions["Lower"](8) == 10


@pytest.mark.parametrize("build", ["O0", "O2"])
def test_the_name_of_a_function_may_begin_as_labels_of_gcc_do(build: str, tmp_path: Path) -> None:
    old = old_program(tmp_path, SOURCE, OLD, cpu="601", convention="ppc-poweropen")
    with old.machine(old.graft("Lower", "L5", build=build)) as machine:
        assert machine.functions["Lower"](8) == 10
        assert machine.functions["L5"](2) == 2 * 40 + 77


@pytest.mark.parametrize("build", ["O0", "O2"])
def test_a_narrow_argument_may_have_anything_above_it(build: str, tmp_path: Path) -> None:
    """As callers by CodeWarrior leave it; the machine passes a long in place of the short."""
    old = old_program(tmp_path, SOURCE, OLD, cpu="601", convention="ppc-poweropen")
    graft = old.graft("Half", "Unsigned", "Wide", build=build)
    signatures = graft.program.signatures
    wide = dict.fromkeys(["Half", "Unsigned"], signatures["Wide"])
    graft = replace(graft, program=replace(graft.program, signatures={**signatures, **wide}))
    with old.machine(graft) as machine:
        assert machine.functions["Half"](0x0081FFFE) == -1
        assert machine.functions["Unsigned"](0x008101FE) == 0xFE
        assert machine.functions["Wide"](0x00810002) == 0x00810002


@pytest.mark.parametrize("build", ["O0", "O2"])
def test_a_narrow_argument_on_the_stack_may_have_anything_above_it(
    build: str, tmp_path: Path
) -> None:
    old = old_program(tmp_path, SOURCE, OLD, cpu="601", convention="ppc-poweropen")
    graft = old.graft("Ninth", "Ninths", build=build)
    signatures = graft.program.signatures
    wide = {**signatures, "Ninth": signatures["Ninths"]}
    graft = replace(graft, program=replace(graft.program, signatures=wide))
    with old.machine(graft) as machine:
        assert machine.functions["Ninth"](*range(8), 0x0081FFFE, 0x00FFFF85) == -2 * 1000 - 123


def test_a_pointer_to_a_function_is_passed_that_debugging_information_names(
    tmp_path: Path,
) -> None:
    old = old_program(tmp_path, SOURCE, OLD, cpu="601", convention="ppc-poweropen")
    with old.machine(old.graft("Order")) as machine:
        address = old.program.function("Compared")
        assert machine.functions["Order"]() == address + int(machine.globals["counter"])


@pytest.mark.parametrize("build", ["O0", "O2"])
def test_a_narrow_result_of_an_old_function_may_have_anything_above_it(
    build: str, tmp_path: Path
) -> None:
    old = old_program(tmp_path, SOURCE, OLD, cpu="601", convention="ppc-poweropen")
    with old.machine(old.graft("Lengthened", build=build)) as machine:
        assert machine.functions["Lengthened"](-7) == -6 * 1000 + 0xF9
        assert machine.functions["Lengthened"](7) == 8 * 1000 + 7


def test_a_graft_says_how_the_old_program_calls(tmp_path: Path) -> None:
    old = old_program(tmp_path, SOURCE, OLD, cpu="601", convention="ppc-poweropen")
    graft = old.graft("Find", "Sum", together=True)
    assert graft.functions["Find"].result_registers == ("r3",)
    assert {"r0", "r3", "r12"} <= graft.functions["Find"].scratch
    assert not {"r1", "r2", "r13", "r31"} & graft.functions["Find"].scratch
