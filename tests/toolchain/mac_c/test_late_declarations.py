"""Functions that are declared too late for GCC: ``static`` only then, or after a call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CompileError
from emu.program.read import read_program
from emu.toolbox.single_calls.toolbox_machine import Machine
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.mac_c.late_declarations import compile_declared
from emu.toolchain.programs.gcc import compile_program
from tests.toolchain.test_units import tree_of

EARLY_CALLS = """\
typedef unsigned char Boolean; struct Pair { short a; char b; }; /* static short Next( */
static const char gText[] = "\\pstatic short Next(";
#define TWICE(x) (2 * \\
  Next(x))
int gOut;
static short First(n) short n; { return Next(n) + Later(n); }
int Go(void)
{
    gOut = First(20) + Odd(3) + (Odd(4) << 8) + TWICE(100) + gText[0];
    return gOut;
}
static short Next(short n) { return n + 1; }
static short Later(n)
    short n;
{ return n + 2; }
Boolean Odd(Boolean n) { return n & 1; }
"""
OUTCOME = 21 + 22 + 1 + 2 * 101 + 18
DECLARED = """\
void Add(short); int gOut;
int Go(void) { void Twice(void); Add(3); Twice(); return gOut; }
static void Add(short n) { static short calls; gOut += n + calls++; }
static
void Twice(void) { gOut *= 2; }
"""


def outcome(folder: Path, text: str, cpu: str, build: str) -> int:
    tree = tree_of(folder, {"go.c": text}, ("gOut",))
    machine = Machine(read_program(compile_program(tree, BUILDS[build], TARGETS[cpu]).path), cpu)
    return int(machine.functions.Go())


@pytest.mark.parametrize(("cpu", "build"), [("68040", "O0"), ("601", "O2")])
@pytest.mark.parametrize(("text", "value"), [(EARLY_CALLS, OUTCOME), (DECLARED, 6)])
def test_late_declarations_compile(
    compilers: Callable[..., None], tmp_path: Path, text: str, value: int, cpu: str, build: str
) -> None:
    compilers()
    assert outcome(tmp_path, text, cpu, build) == value


def test_what_is_wrong_beside_them_is_said_with_its_line(
    compilers: Callable[..., None], tmp_path: Path
) -> None:
    compilers()
    with pytest.raises(CompileError) as caught:
        outcome(
            tmp_path, EARLY_CALLS.replace("{ return n & 1; }", "{ return m & 1; }"), "601", "O0"
        )
    assert "go.c:16:" in str(caught.value) and "'m' undeclared" in str(caught.value)
    assert "conflicting" not in str(caught.value)


def test_two_types_for_one_function_stay_an_error(
    compilers: Callable[..., None], tmp_path: Path
) -> None:
    compilers()
    with pytest.raises(CompileError, match="conflicting types for 'Add'"):
        outcome(tmp_path, DECLARED.replace("void Add(short)", "long Add(long)"), "601", "O0")


def test_a_routine_of_the_toolbox_stays_external(
    compilers: Callable[..., None], tmp_path: Path
) -> None:
    compilers()
    text = (
        "#include <Events.h>\nint gOut; int Go(void) { return TickCount(); }\n"
        "static pascal unsigned long TickCount(void) { return 1; }\n"
    )
    with pytest.raises(CompileError, match="static declaration of 'TickCount' follows"):
        outcome(
            tmp_path,
            f"{text}static pascal unsigned long TickCount(void) {{ return 1; }}",
            "601",
            "O0",
        )


def test_an_application_is_compiled_in_the_same_way(
    compilers: Callable[..., None], tmp_path: Path
) -> None:
    compilers()
    source = tmp_path / "main.c"
    source.write_text(EARLY_CALLS + "int main(void) { return Go(); }\n")
    build_application([source], "Late", "68000", None, tmp_path / "out")


def test_a_file_that_is_no_copy_is_left_alone(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.mkdir()
    other = tmp_path / "other.c"
    other.write_text("static int f(void);\n")
    said = (
        "{0}:1:12: error: static declaration of 'f' follows non-static declaration\n"
        "{0}:1:5: note: previous declaration of 'f' with type 'int(void)'"
    )

    def refuse() -> None:
        raise CompileError(other, said.format("../other.c"))

    with pytest.raises(CompileError):
        compile_declared(refuse, program)
    assert other.read_text() == "static int f(void);\n"
