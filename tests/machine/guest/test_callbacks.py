"""Python functions that guest code calls: arguments, results and errors, on each processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emu.base.errors import UsageError
from emu.machine import CPUS, ContractViolation, GuestFault
from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.guest.guest_values import GuestObject
from emu.program import read_elf
from emu.toolbox.single_calls.toolbox_machine import Machine
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources

SOURCE = """
#include <Types.h>
typedef struct { short key, number; } record;
typedef struct { short v, h; } point;
typedef struct { long a, b, c; } wide;
typedef short (*comparison)(const record *, const record *);
short gX;
long gTotal;
void Sort(record *all, short count, comparison compare)
{
    short i, j;
    for (i = 1; i < count; i++)
        for (j = i; j > 0 && compare(all + j - 1, all + j) > 0; j--) {
            record moved = all[j]; all[j] = all[j - 1]; all[j - 1] = moved;
        }
}
long Many(long (*f)(signed char, short, long, unsigned char, long, long, long, long, short, long))
{ return f(-1, -2, -3, 254, 5, 6, 7, 8, -9, 10); }
double Real(double (*f)(float, short, double), float x) { return 2 * f(x, 3, -0.25); }
float Single(float (*f)(float)) { return f(1.5f); }
long long Wide(long long (*f)(long long), long long n) { return f(n) + 1; }
point Moved(point (*f)(point), point p) { return f(p); }
long Sum(long (*f)(wide)) { wide w = {1, 20, 300}; return f(w); }
void *Same(void *(*f)(void *, record *), void *p) { return f(p, 0); }
void Plain(void (*f)(void)) { f(); }
Boolean Yes(Boolean (*f)(Boolean)) { return f(1) + 1; }
long Outer(long (*f)(long), long n) { return f(n) + f(n + 1); }
long Far(long (*f)(record *)) { return f((record *) 0xF0000000); }
wide Big(wide (*f)(void)) { return f(); }
struct vector { long (*code)(long); void *toc; };
long Across(struct vector *f) { return f->code(7); }
typedef long (*function)(long);
long Through(function f) { return Across((struct vector *) f); }
long Any(long (*f)(const char *, ...)) { return f("", 1); }
void Clobber(void (*f)(void)) { f(); CLOBBER; }
void Crash(void (*f)(void)) { f(); *(volatile short *) 0xF0000000 = 1; }
static void (*gLate)(void);
void Keep(void (*f)(void)) { gLate = f; }
void Late(void) { gLate(); }
void *gKept[] = {
    Sort, Many, Real, Single, Wide, Moved, Sum, Same, Plain, Yes, Outer, Far, Big, Any, Clobber,
    Crash, Keep, Late, Through,
};
void Go(void) { gX = gKept[0] != 0; }
"""
_CLOBBERS = {"601": "li 20,9", "mips": "li $s0,9"}


@pytest.fixture(scope="module", params=["68000", "68040", "601", "mips"])
def machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A machine with the program above, on each processor."""
    cpu = request.param
    request.getfixturevalue("compilers")(cpu)
    path = tmp_path_factory.mktemp("callbacks") / "callbacks.c"
    clobber = f'asm volatile("{_CLOBBERS.get(cpu, "moveq #9,%d7")}")'
    path.write_text(SOURCE.replace("CLOBBER", clobber))
    tree = SourceTree(
        routine="Go",
        state=("gX", "gTotal", "gKept"),
        units=((path,),),
        folders=(path.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
    )
    built = compile_program(tree, BUILDS["O2"], ALL_TARGETS[cpu])
    return Machine(read_elf(built.path), CPUS[cpu])


def test_pointers_are_objects_and_the_result_decides(machine: Machine) -> None:
    keys = [5, -3, 9, 0, -3]
    records = machine.new("record", 5)
    records["key"][:] = keys
    records["number"][:] = range(5)

    def compare(one: GuestObject, other: GuestObject) -> int:
        return int(one["key"]) - int(other["key"]) or int(one["number"]) - int(other["number"])

    machine.functions.Sort(records, 5, compare=compare)
    assert records["key"].tolist() == sorted(keys)
    assert records["number"].tolist() == [1, 4, 3, 0, 2]


@pytest.mark.parametrize(
    ("name", "function", "further", "expected"),
    [
        ("Many", lambda *a: -sum(a), (), -(-1 - 2 - 3 + 254 + 5 + 6 + 7 + 8 - 9 + 10)),
        ("Real", lambda x, n, y: x * n + y, (1.5,), 8.5),
        ("Real", lambda x, n, y: -0.1, (1.5,), -0.2),
        ("Real", lambda x, n, y: 1e-300, (0.0,), 2e-300),
        ("Single", lambda x: x / 4, (), 0.375),
        ("Wide", lambda n: 3 * n, (-(1 << 40),), -3 * (1 << 40) + 1),
        ("Sum", lambda w: int(w["a"] + w["b"] + w["c"]), (), 321),
        ("Same", lambda p, r: p + 4 if r is None else 0, (0x1000,), 0x1004),
        ("Yes", lambda b: b == 1, (), 2),
        ("Outer", lambda n: n * n, (3,), 25),
        ("Plain", lambda: None, (), None),
    ],
)
def test_arguments_and_results_of_each_kind(
    machine: Machine, name: str, function: Callable[..., Any], further: tuple[Any], expected: object
) -> None:
    seen: list[Any] = []

    def noted(*arguments: Any) -> Any:
        seen.extend(arguments)
        return function(*arguments)

    assert machine.functions[name](noted, *further) == expected
    if name == "Many":
        assert seen == [-1, -2, -3, 254, 5, 6, 7, 8, -9, 10]


def test_structs_by_value(machine: Machine) -> None:
    moved = machine.functions.Moved(lambda p: (int(p["v"]) + 1, int(p["h"]) - 1), (10, -20))
    assert (moved["v"], moved["h"]) == (11, -21)
    assert machine.functions.Big(lambda: (1, 2, 3)).tolist() == (1, 2, 3)


@pytest.mark.parametrize(
    ("name", "function", "problem"),
    [
        ("Outer", lambda n: 1 // 0, r"long f\(long\) in Python fails: ZeroDivisionError"),
        ("Outer", lambda n: "x", r"'x' is given for the result of long f\(long\) in Python"),
        ("Outer", lambda n: 1 << 31, r"2147483648 is given for the result .* holds -2,147"),
        ("Outer", lambda: 1, r"in Python fails: TypeError"),
        ("Plain", lambda: 5, r"void f\(\) in Python returns 5, not None"),
        ("Far", lambda r: 1, r"record \*\w* is 0xf0000000, which is not guest memory"),
        ("Any", lambda f: 1, r"long f\(const char \*, \.\.\.\) takes any number"),
    ],
)
def test_what_goes_wrong_is_told(
    machine: Machine, name: str, function: Callable[..., Any], problem: str
) -> None:
    further = {"Outer": (1,)}.get(name, ())
    with pytest.raises(UsageError, match=problem):
        machine.functions[name](function, *further)
    assert machine.functions.Outer(lambda n: n, 1) == 3, "the machine goes on"


def test_the_rules_of_calls_still_hold(machine: Machine) -> None:
    with pytest.raises(ContractViolation):
        machine.functions.Clobber(lambda: None)
    with pytest.raises(GuestFault, match="write"):
        machine.functions.Crash(lambda: None)


def test_a_function_is_lent_for_one_call(machine: Machine) -> None:
    machine.functions.Keep(lambda: None)
    with pytest.raises(UsageError, match="called a Python function that an earlier call got"):
        machine.functions.Late()


def test_it_cannot_call_the_guest_in_turn(machine: Machine) -> None:
    with pytest.raises(UsageError, match="cannot call guest functions of the same Machine"):
        machine.functions.Plain(lambda: machine.functions.Go())


def test_it_reads_and_writes_guest_memory(machine: Machine) -> None:
    def add(n: int) -> int:
        machine.globals["gTotal"][...] += n
        return int(machine.globals["gTotal"])

    machine.reset()
    assert machine.functions.Outer(add, 5) == 5 + 11
    assert machine.globals["gTotal"] == 11


def test_arguments_by_name(machine: Machine) -> None:
    assert machine.functions.Outer(n=4, f=lambda n: n) == 9
    with pytest.raises(UsageError, match="m is no parameter of long Outer"):
        machine.functions.Outer(lambda n: n, m=4)
    with pytest.raises(UsageError, match="f is given twice"):
        machine.functions.Outer(lambda n: n, f=4)
    with pytest.raises(UsageError, match="is called without its f"):
        machine.functions.Outer(n=4)
    with pytest.raises(UsageError, match="long n is no pointer to a function"):
        machine.functions.Outer(lambda n: n, lambda n: n)


def test_a_code_fragment_gets_a_transition_vector(machine: Machine) -> None:
    if machine.cpu.name != "601":
        return
    fragment = Machine(machine.program, machine.cpu, CALLING_CONVENTIONS["ppc-poweropen"])
    assert fragment.functions.Through(lambda n: n + 1) == 8
