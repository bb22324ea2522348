"""New 68K functions beside old ones of all compilers of the time."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CompileError, ProgramError, UsageError
from emu.toolchain.compiler import Stage
from tests.port.graft.old_program import old_program

SOURCE = """
typedef struct { short a, b, c, d, e; } Five;
short counter;
char table[16];
static char letter;

char *Next(char c);
Five Doubled(Five x, char c);
short Find(char c, short n)
{
    char *next;
    counter += n;
    next = Next(c);
    letter = *next;
    return counter + n;
}

char *Pointer(char c, short n)
{
    letter = c;
    return Next(n) + Find(c, 1);
}

Five Sum(Five x, char c)
{
    Five r = Doubled(x, c);
    r.a += x.a;
    return r;
}
"""
# Arguments as THINK C pushes them. D2 is spoiled, A0 has nothing of use.
THINK = """
    .text
    .globl Next, Doubled, Find, Pointer, Sum
Next:
    move.b 4(%sp), %d0
    ext.w %d0
    ext.l %d0
    add.l #table, %d0
    moveq #-1, %d2
    suba.l %a0, %a0
    rts
Doubled:
    move.l 4(%sp), %a1
    lea 8(%sp), %a0
    moveq #4, %d1
1:  move.w (%a0)+, %d0
    add.w %d0, %d0
    move.w %d0, (%a1)+
    dbra %d1, 1b
    move.b 18(%sp), %d0
    ext.w %d0
    add.w %d0, -(%a1)
    moveq #-1, %d2
    rts
Find:
    moveq #77, %d0
    rts
Pointer:
    rts
Sum:
    rts
    .data
    .globl counter, table, letter
counter: .short 40
table: .ascii "abcdefghijklmnop"
letter: .byte 0
"""
# CodeWarrior returns a pointer in A0.
CODEWARRIOR = THINK.replace("suba.l %a0, %a0", "move.l %d0, %a0\n    moveq #0, %d0")


@pytest.mark.parametrize("build", ["O0", "O2", "period"])
@pytest.mark.parametrize(
    ("convention", "assembly"), [("think-c-16", THINK), ("codewarrior-16", CODEWARRIOR)]
)
def test_chars_pointers_and_structs_pass_between_old_and_new(
    convention: str, assembly: str, build: str, tmp_path: Path
) -> None:
    old = old_program(tmp_path, SOURCE, assembly, convention=convention)
    graft = old.graft("Find", "Pointer", "Sum", build=build)
    assert graft.remarks == ()
    with old.machine(graft) as machine:
        assert machine.functions["Find"](3, -5) == 30
        assert machine.globals["counter"] == 35
        assert machine.globals["letter"] == ord("d")
        table = graft.program.variable("table").address
        # The old Find answers 77.
        assert machine.functions["Pointer"](-2, 4) == table + 4 + 77
        assert machine.globals["letter"] == -2
        result = machine.functions["Sum"]((1, 2, 3, 4, 5), -3)
        assert tuple(result) == (3, 4, 6, 8, 7)


def test_together_new_functions_call_each_other(tmp_path: Path) -> None:
    old = old_program(tmp_path, SOURCE, THINK)
    graft = old.graft("Find", "Pointer", together=True)
    with old.machine(graft) as machine:
        table = graft.program.variable("table").address
        assert machine.functions["Pointer"](2, 4) == table + 4 + 42
        assert machine.globals["counter"] == 41


def test_an_old_function_is_called_by_its_entry_in_the_jump_table(tmp_path: Path) -> None:
    """The entry loads the segment, if it is not in memory."""
    source = "extern short Other(void);\nshort Find(void)\n{\n    return Other() + 1;\n}\n"
    old_code = "Find: rts\nOther: moveq #5, %d0\nrts\nEntry: moveq #8, %d0\nrts\n"
    assembly = f".globl Find, Other, Entry\n{old_code}"
    old = old_program(tmp_path, source, assembly)
    places = {name: one.place for name, one in old.claims.functions.items()}
    with old.machine(old.graft("Find")) as machine:
        assert machine.functions["Find"]() == 6
    graft = old.graft("Find", entries={places["Other"]: places["Entry"]})
    with old.machine(graft) as machine:
        assert machine.functions["Find"]() == 9


def test_a_graft_is_kept_and_made_again_for_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = old_program(tmp_path, SOURCE, THINK)
    first = old.graft("Find", "Sum")

    def refuse(*arguments: object) -> None:
        raise AssertionError("a tool runs")

    monkeypatch.setattr(Stage, "run", refuse)
    monkeypatch.setattr(Stage, "compile", refuse)
    again = old.graft("Find", "Sum")
    assert (again.image, again.functions) == (first.image, first.functions)
    assert again.remarks == first.remarks
    assert again.program.signatures.keys() == first.program.signatures.keys()
    with pytest.raises(AssertionError, match="a tool runs"):
        old.graft("Find")


def test_a_graft_says_how_the_old_program_calls(tmp_path: Path) -> None:
    old = old_program(tmp_path, SOURCE, THINK)
    graft = old.graft("Find", "Pointer", "Sum")
    find, pointer, total = (graft.functions[name] for name in ("Find", "Pointer", "Sum"))
    assert (find.arguments, find.result_registers) == (4, ("d0",))
    assert (pointer.arguments, pointer.result_registers) == (4, ("d0",))
    assert (total.arguments, total.result_registers) == (16, ())
    assert find.result is not None
    assert find.result.size == 2
    assert {"d0", "d1", "d2", "a0", "a1"} <= find.scratch
    assert not {"d3", "a2", "a5", "a7", "sr"} & find.scratch
    assert find.old == old.program.function("Find")
    assert graft.program.locate(graft.program.symbols[0].address) is not None


def test_a_name_without_a_place_is_refused_with_its_line(tmp_path: Path) -> None:
    source = "short Other(void);\nshort Find(void)\n{\n    return Other();\n}\n"
    old = old_program(tmp_path, source, "Find: rts\n.globl Find\n")
    with pytest.raises(CompileError, match=r"Other is not defined, but used by Find \(port.c, lin"):
        old.graft("Find")
    with pytest.raises(UsageError, match="no source defines a function Fond; did you mean Find"):
        old.graft("Fond")


def test_a_variable_without_a_place_is_refused_if_a_new_function_needs_it(tmp_path: Path) -> None:
    source = """
    static short count;
    short Find(void) { static short calls; return ++calls + count; }
    short Other(void) { return 2; }
    """
    old = old_program(tmp_path, source, "Find: rts\nOther: rts\n.globl Find, Other\n")
    with pytest.raises(ProgramError, match=r"calls\.0 lies in .*, used by Find \(port\.c, line 3"):
        old.graft("Find")
    with old.machine(old.graft("Other")) as machine:
        assert machine.functions["Other"]() == 2


LONG_SOURCE = """
typedef struct { char a, b, c; } Three;
short counter;
char table[16];
char *Next(char c, short n, int i);
int Plain(int a, int b);
Three Turned(Three t);

char *Find(char c, short n, int i, long l)
{
    counter += n;
    return Next(c, n, i) + l;
}

int Twice(int a) { return Plain(a, a) + counter; }
Three Back(Three t) { return Turned(t); }
"""
WORDS = """
    .text
    .globl Next, Plain, Turned, Find, Twice, Back
Next:
    move.b 4(%sp), %d0
    ext.w %d0
    add.w 6(%sp), %d0
    ext.l %d0
    add.l 8(%sp), %d0
    add.l #table, %d0
    move.l %d0, {pointer}
    moveq #-1, %d2
    rts
Plain:
    move.l 4(%sp), %d0
    add.l 8(%sp), %d0
    moveq #-1, %d2
    rts
Turned:
    move.l 4(%sp), %a1
    move.b 8(%sp), 2(%a1)
    move.b 9(%sp), 1(%a1)
    move.b 10(%sp), (%a1)
    rts
Find:
Twice:
Back:
    rts
    .data
    .globl counter, table
counter: .short 40
table: .ascii "abcdefghijklmnop"
"""
# MPW C extends whole numbers to 4 bytes.
LONGS = WORDS.replace(
    "move.b 4(%sp), %d0\n    ext.w %d0\n    add.w 6(%sp), %d0\n    ext.l %d0\n    add.l 8(%sp)",
    "move.l 4(%sp), %d0\n    add.l 8(%sp), %d0\n    add.l 12(%sp)",
)


@pytest.mark.parametrize(
    ("convention", "assembly", "pointer"),
    [
        ("think-c-32", WORDS, "%d0\n    suba.l %a0, %a0"),
        ("codewarrior-32", WORDS, "%a0\n    moveq #0, %d0"),
        ("mpw-c", LONGS, "%d0\n    suba.l %a0, %a0"),
    ],
)
def test_ints_of_four_bytes(convention: str, assembly: str, pointer: str, tmp_path: Path) -> None:
    assembly = assembly.replace("{pointer}", pointer)
    old = old_program(tmp_path, LONG_SOURCE, assembly, convention=convention)
    three = convention != "mpw-c"  # how that passes so small a struct is not known
    with old.machine(old.graft("Find", "Twice", *(["Back"] if three else []))) as machine:
        table = old.program.variable("table").address if old.program.variables else 0
        found = machine.functions["Find"](-3, 5, 70_000, -70_000)
        assert found - machine.program.variable("table").address == 2
        assert not table
        assert machine.functions["Twice"](100_000) == 200_045
        if three:
            assert [int(n) for n in machine.functions["Back"]((1, 2, 3))] == [3, 2, 1]


PASCAL_SOURCE = """
#include <Types.h>
typedef struct { short top, left, bottom, right; } Box;
short counter;
pascal unsigned char IsOpen(char c, short n, Box box);
pascal void Count(short n);
pascal short Height(char c, Box box);
pascal char *Here(long n);

pascal short Height(char c, Box box)
{
    if (IsOpen(c, 7, box)) return box.bottom - box.top + c;
    Count(c);
    return counter;
}

pascal char *Here(long n) { return (char *)n + counter; }

short Plain(char c)
{
    Box box;
    box.top = 1; box.left = 2; box.bottom = 3; box.right = 4;
    return Height(c, box);
}
"""
PASCAL = """
    .text
    .globl IsOpen, Count, Height, Here, Plain
IsOpen:
    move.l (%sp)+, %a1
    move.l (%sp)+, %a0
    move.w (%sp)+, %d0
    move.b (%sp)+, %d1
    ext.w %d1
    add.w 2(%a0), %d0
    add.w %d1, %d0
    cmp.w #20, %d0
    sgt (%sp)
    moveq #-1, %d2
    jmp (%a1)
Count:
    move.l (%sp)+, %a1
    move.w (%sp)+, %d0
    add.w %d0, counter
    jmp (%a1)
Height:
    move.l (%sp)+, %a1
    addq.l #6, %sp
    move.w #99, (%sp)
    jmp (%a1)
Here:
Plain:
    rts
    .data
    .globl counter
counter: .short 40
"""


def test_functions_of_pascal_are_called_and_called_back(tmp_path: Path) -> None:
    old = old_program(tmp_path, PASCAL_SOURCE, PASCAL)
    graft = old.graft("Height", "Here")
    assert graft.functions["Height"].arguments == 8
    with old.machine(graft, pascal=("Height",)) as machine:
        # -3 and 7 and 30 are more than 20.
        assert machine.functions["Height"](-3, (1, 30, 9, 4)) == 5
        assert machine.functions["Height"](-3, (1, 2, 9, 4)) == 37
        assert machine.functions["Here"](1000) == 1037
    with old.machine(old.graft("Plain")) as machine:
        assert machine.functions["Plain"](5) == 99


GESTALT = """
    short Gestalt(long selector, long *response);
    short Ask(long n) { long found = 0; return Gestalt(n, &found) ? -1 : (short)found + counter; }
"""
GESTALT_GLUE = """
    move.l (%sp)+, %a0
    move.l (%sp)+, %d0
    addq.l #1, %d0
    move.l %d0, (%a0)
    clr.w (%sp)
"""
STRING = """
    void GetIndString(unsigned char *text, short list, short index);
    short Ask(short n) {
        unsigned char text[256];
        GetIndString(text, 40, n);
        return text[0] + counter;
    }
"""
STRING_GLUE = """
    move.w (%sp)+, %d0
    sub.w (%sp)+, %d0
    move.l (%sp)+, %a0
    move.b %d0, (%a0)
"""


@pytest.mark.parametrize(
    ("name", "source", "glue", "asked", "answer"),
    [
        ("Gestalt", GESTALT, GESTALT_GLUE, 30, 36),
        ("GetIndString", STRING, STRING_GLUE, 72, 37),  # a routine that has no trap
    ],
)
def test_old_glue_to_the_toolbox_is_called_as_pascal_does(
    name: str, source: str, glue: str, asked: int, answer: int, tmp_path: Path
) -> None:
    """Headers declare a routine of the Toolbox for C; its old glue takes its arguments away."""
    code = f".globl {name}, Ask\n{name}: move.l (%sp)+, %a1\n{glue}jmp (%a1)\nAsk: rts\n"
    assembly = f"{code}.data\n.globl counter\ncounter: .short 5\n"
    old = old_program(tmp_path, f"short counter;\n{source}", assembly)
    with old.machine(old.graft("Ask")) as machine:
        assert machine.functions["Ask"](asked) == answer


def test_parameters_without_types_are_passed_as_int(tmp_path: Path) -> None:
    source = """
    short counter;
    short Next();
    short Find(c, n) char c; short n; { counter += c; return Next(c, n) + n; }
    """
    assembly = """
    .globl Next, Find
    Next: move.w 4(%sp), %d0
    add.w 6(%sp), %d0
    rts
    Find: rts
    .data
    .globl counter
    counter: .short 0
    """
    old = old_program(tmp_path, source, assembly)
    graft = old.graft("Find")
    assert b"\x4e\x56" not in graft.image  # there is no frame, so nothing lies between
    with old.machine(graft) as machine:
        at = machine.program.function("Find")
        word = (3 << 16 | 0xFFFE) & 0xFFFFFFFF  # the words 3 and -2
        assert at == graft.functions["Find"].address
        assert machine.call("Find", word) & 0xFFFF == 0xFFFF & (3 - 2 - 2)


def test_the_address_of_a_function_is_that_of_the_old_one(tmp_path: Path) -> None:
    source = """
    typedef char *(*Finder)(short n);
    Finder finder;
    char *Next(char c);
    char *Find(char c) { return Next(c); }
    Finder Chosen(short n) { finder = n ? (Finder)Find : (Finder)Next; return finder; }
    char *Called(short n) { return finder(n); }
    """
    assembly = """
    .globl Next, Find, Chosen, Called
    Next: moveq #5, %d0
    suba.l %a0, %a0
    rts
    Find: move.w 4(%sp), %d0
    ext.l %d0
    suba.l %a0, %a0
    rts
    Chosen: rts
    Called: rts
    .data
    .globl finder
    finder: .long 0
    """
    old = old_program(tmp_path, source, assembly)
    graft = old.graft("Find", "Chosen", "Called", together=True)
    with old.machine(graft) as machine:
        assert machine.functions["Chosen"](1) == old.program.function("Find")
        assert machine.functions["Called"](-9) == 2**32 - 9
        assert machine.functions["Chosen"](0) == old.program.function("Next")
        assert machine.functions["Called"](-9) == 5


def test_what_is_not_known_of_a_function_is_said(tmp_path: Path) -> None:
    source = "long long Half(short n);\nshort Find(short n) { return Half(n); }\n"
    old = old_program(tmp_path, source, "Half: rts\nFind: rts\n.globl Half, Find\n")
    graft = old.graft("Find")
    (remark,) = graft.remarks
    assert remark.startswith("Half is called as GCC calls it: think-c-16: it is not known how a l")


def test_a_pointer_to_a_function_without_a_place_is_said(tmp_path: Path) -> None:
    source = """
    short (*chosen)(void);
    static short None(void) { return 0; }
    static short Unused(void) { return 0; }
    short Find(void) { return chosen == None; }
    short (*Other(void))(void) { return Unused; }
    """
    assembly = "Find: rts\nOther: rts\n.globl Find, Other, chosen\n.data\nchosen: .long 0\n"
    old = old_program(tmp_path, source, assembly)
    (remark,) = old.graft("Find").remarks
    assert remark.startswith("None of port.c has no place in the old program: a pointer to it")


def test_a_routine_of_two_traps_is_called_as_headers_of_the_time_did(tmp_path: Path) -> None:
    source = "#include <Memory.h>\nvoid Hold(Handle h) { HLockHi(h); }\n"
    old = old_program(tmp_path, source, ".globl Hold\nHold: rts\n", convention="mpw-c")
    assert b"\x20\x6f\x00\x04\xa0\x64\xa0\x29\x4e\x75" in old.graft("Hold").image


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("unsigned long now; Delay(10, &now); return now;", "206f0004 a03b 226f0008 2280 4e75"),
        (
            "Handle h = 0; return HandToHand(&h) ? 0 : (long)h;",
            "226f0004 2051 a9e1 226f0004 2288 4e75",
        ),
        (
            "Handle h; return PtrToHand((Ptr)8, &h, 2);",
            "206f0004 202f000c a9e3 226f0008 2288 4e75",
        ),
        ("CloseCPort(0); return 0;", "2f2f0004 a87d 4e75"),
        ("return GetMMUMode();", "7000 10380cb2 4e75"),
        ("return (long)NewRoutineDescriptor(0, 0, 0);", "206f0004 2008 4e75"),
    ],
)
def test_a_trap_that_gives_something_in_a_register_is_called_as_old_programs_did(
    body: str, code: str, tmp_path: Path
) -> None:
    """The arguments that are compared are the trap's, and no address of a local is among them."""
    headers = ("MixedMode", "OSUtils", "Memory", "Quickdraw")
    source = "".join(f"#include <{name}.h>\n" for name in headers)
    source += f"long Use(void) {{ {body} }}\n"
    old = old_program(tmp_path, source, ".globl Use\nUse: rts\n", convention="mpw-c")
    assert bytes.fromhex(code) in old.graft("Use").image


def test_macros_of_ctype_need_nothing_of_the_old_program(tmp_path: Path) -> None:
    source = """
    #include <ctype.h>
    short Letters(const char *text)
    {
        short n = 0;
        while (*text)
            n += isalpha(*text++) != 0;
        return n;
    }
    """
    old = old_program(tmp_path, source, ".globl Letters\nLetters: rts\n")
    with old.machine(old.graft("Letters")) as machine:
        text = machine.allocate(6)
        machine.memory.write(text, b"a1b c\0")
        assert machine.functions["Letters"](text) == 3
