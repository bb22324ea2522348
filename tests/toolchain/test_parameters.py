"""A routine with parameters is refused with its signature: a case has no arguments to give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.program import Program, read_elf
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.programs.gcc import compile_program
from tests.rows import slow_but
from tests.toolchain.test_units import tree_of
from tests.toolchain.two_files import CASE, TEXTS

CPP = """\
struct Ball { short x; void Move(short dx); static short Count(); };
typedef Ball* BallPtr;
short gX;
extern "C" {
void Go() { gX = 1; }
void Nothing(void) {}
static void MoveBall(Ball* b, short dx) { b->x += dx; }
void Old(const char* name, BallPtr ball, unsigned long n[3], Ball& other, void (*then)(int)) {}
void Any(int n, ...) {}
Ball Make() { Ball made = { gX }; return made; }
}
void Ball::Move(short dx) { x += dx; }
short Ball::Count() { return gX; }
void Use() { Ball b = { 1 }; MoveBall(&b, 2); b.Move(3); }
"""
C = """\
short gX;
void Go() { gX = 1; }
void Old(n, text) short n; char *text; { gX = n + *text; }
const volatile short *Keep(struct rect *const r, enum colour { red } c) { return &gX; }
"""
WORDS = {
    "Go": "",
    "Nothing": "",
    "MoveBall": "MoveBall(Ball *b, short dx) takes 2 parameters",
    "Any": "Any(int n, ...) takes any number of parameters",
    "Make": "Ball Make() returns a struct, for which its caller gives room",
    "Move": "Move(short dx) is a method and needs an object",
    "Count": "",
    "Old": "Old(const char *name, BallPtr ball, unsigned long *n, Ball &other, function *then) "
    "takes 5 parameters",
}
C_WORDS = {
    "Go": "",
    "Old": "Old(short n, char *text) takes 2 parameters",
    "Keep": "Keep(rect *const r, colour c) takes 2 parameters",
}


def needs_of(program: Program, routine: str) -> str:
    signature = program.signature(routine)
    assert signature is not None
    return signature.needs(routine)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], ["68000", "601"]))
@pytest.mark.parametrize("build", slow_but(["O2"], ["O0", "O2"]))
@pytest.mark.parametrize(("name", "text", "words"), [("a.cpp", CPP, WORDS), ("a.c", C, C_WORDS)])
def test_signatures_in_words(
    compilers: Callable[..., None],
    tmp_path: Path,
    cpu: str,
    build: str,
    name: str,
    text: str,
    words: dict[str, str],
):
    compilers(cpu)
    found = {}
    for routine in words:
        if routine in ("Move", "Count"):
            continue  # no case can name them, as one cannot take the address of a method
        tree = tree_of(tmp_path, {name: text}, ("gX",), routine=routine)
        program = read_elf(compile_program(tree, BUILDS[build], ALL_TARGETS[cpu]).path)
        found[routine] = needs_of(program, routine)
    assert found == {routine: words[routine] for routine in found}


def test_methods_in_a_program_of_somebody_elses(compilers: Callable[..., None], tmp_path: Path):
    compilers("68040")
    text = CPP.replace(
        'extern "C" {\nvoid Go() { gX = 1; }',
        'void Use();\nextern "C" {\nvoid Go() { Use(); gX = Ball::Count(); }',
    )
    tree = tree_of(tmp_path, {"a.cpp": text}, ("gX",))
    program = read_elf(compile_program(tree, BUILDS["O0"], ALL_TARGETS["68040"]).path)
    for name in ("Move", "Count"):
        assert needs_of(program, name) == WORDS[name]


def test_a_case_that_calls_it_is_refused_at_its_line(macproof: Callable[..., Any], two_files: Path):
    """Compiled here, or given as a program."""
    (two_files / "go.cpp").write_text(
        TEXTS["go.cpp"].replace("void Go() {", "struct Ball;\nvoid Go(Ball* b, short dx) {")
    )
    said = (
        "case.yaml, line 5: Go(Ball *b, short dx) takes 2 parameters, and the case gives no "
        "arguments"
    )
    one = ("--cpu", "68040", "--build", "O1")
    assert macproof("build", two_files, *one, "-o", two_files / "made").code == 0
    given = ("--cpu", "68040", "--program", two_files / "made" / "two-files-68040-O1.elf")
    for words in (("verify", two_files, *one), ("verify", two_files, *given)):
        done = macproof(*words, "--jobs", 1)
        assert done.code == 2
        assert said in " ".join(done.err.split())


def test_a_program_that_says_nothing_of_parameters_is_run(
    macproof: Callable[..., Any], two_files: Path
):
    """In assembler there is no signature, and nothing to check."""
    (two_files / "case.yaml").write_text(CASE.replace("go.cpp]", "x.c, go.s]"))
    (two_files / "x.c").write_text("short gIn, gOut;\n")
    (two_files / "go.s").write_text(
        "        .globl Go\nGo:     move.w gIn,%d0\n        add.w %d0,%d0\n"
        "        move.w %d0,gOut\n        rts\n"
    )
    done = macproof("verify", two_files, "--cpu", "68040", "--build", "O1", "--jobs", 1)
    assert (done.code, done.err) == (0, "")
