"""Applications made with Debian's compilers: what goes wrong between Linux's C and a Mac."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import CompileError, MacproofError, ProgramError, ToolMissingError
from emu.machine import CPUS, BareMachine
from emu.program import read_program
from emu.program.mac_program import read_executable
from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.all_managers import MANAGERS
from emu.toolchain.builds import BUILDS
from emu.toolchain.mac_app import glue
from emu.toolchain.mac_app.application import SYMBOL_SUFFIXES, build_application
from emu.toolchain.mac_app.resources import read_description
from emu.toolchain.sources import mac_sources
from tests.rows import slow_but

FOUR_SHIFTS = mac_sources() / "four_shifts"
MAC_PROGRAMS = Path(__file__).parents[1] / "programs" / "mac"
BOTH = ("68000", "601")
OBJDUMP = "m68k-linux-gnu-objdump"


@pytest.fixture(params=BOTH)
def cpu(request: pytest.FixtureRequest, compilers: Callable[..., None]) -> str:
    compilers(request.param)
    return str(request.param)


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Path]:
    """Builds the application of one source text."""

    def make(text: str, cpu: str, **options: Any) -> Path:
        source = tmp_path / "program.cpp"
        source.write_text(text)
        return build_application([source], "Program", cpu, None, tmp_path / cpu, **options)

    return make


def run(path: Path, cpu: str) -> RunResult:
    return run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))


def instructions(path: Path) -> list[tuple[str, str]]:
    """Every instruction of a 68K application's functions as a 68000 has them: (function, text)."""
    elf = path.with_suffix(SYMBOL_SUFFIXES["m68k"])
    said = subprocess.run(
        [OBJDUMP, "-d", "-m", "m68k:68000", "--no-show-raw-insn", str(elf)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    sizes = {s.name: s.size for s in read_program(path).symbols if s.kind == "function"}
    found, name, start = [], "", 0
    for line in said.splitlines():
        if head := re.match(r"([0-9a-f]+) <(.+)>:", line):
            name, start = head[2], int(head[1], 16)
            continue
        part = re.match(r" *([0-9a-f]+):\t(.*)", line)
        if part and int(part[1], 16) - start < sizes.get(name, 0):
            found.append((name, part[2]))
    assert len(found) > 20
    return found


# -- QuickDraw's globals ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_program_may_define_qd_as_for_mpw_and_retro68(cpu: str, build: Callable[..., Path]):
    text = """
        #include <stdio.h>
        #include <Quickdraw.h>
        QDGlobals qd;
        int main() { InitGraf(&qd.thePort); printf("%d", qd.screenBits.bounds.right); return 0; }
    """
    assert run(build(text, cpu), cpu).text.strip() == "640"


@pytest.mark.slow
def test_thinkc_s_names_are_no_places_in_a_qd_of_the_program_s(
    compilers: Callable[..., None], build: Callable[..., Path]
):
    compilers("68000")
    text = "#include <MacHeaders.h>\nQDGlobals qd;\nint main() { return thePort != 0; }\n"
    with pytest.raises(CompileError, match="thePort"):
        build(text, "68000")


# -- the first trap: A5 ----------------------------------------------------------------------------

HUNGRY = """
int Hungry(volatile int* a, volatile int* b, volatile int* c, volatile int* d, volatile int* e)
{
    for (int i = 0; i < *a; i++)
        *a += *b * *c, *d += *e + i, *e += *a, *b -= *d;
    return *a;
}
int main() { int n[5] = { 1, 2, 3, 4, 5 }; return Hungry(n, n + 1, n + 2, n + 3, n + 4); }
"""


def users_of_a5(path: Path) -> set[str]:
    return {name for name, text in instructions(path) if "%a5" in text}


@pytest.mark.slow
def test_a5_is_left_to_the_toolbox(compilers: Callable[..., None], build: Callable[..., Path]):
    compilers("68000")
    assert users_of_a5(build(HUNGRY, "68000")) <= {"_start"}
    allowed = build(HUNGRY, "68000", flags=("-fcall-saved-a5",))
    assert "Hungry" in "".join(users_of_a5(allowed)), "or this test sees nothing"


@pytest.mark.slow
def test_another_a5_is_found_at_the_first_trap(
    compilers: Callable[..., None], build: Callable[..., Path]
):
    compilers("68000")
    text = """
    #include <Quickdraw.h>
    int main()
    {
        register long inA5 __asm__("a5") = 5;
        __asm__ volatile ("" : "+r" (inA5));
        Rect r;
        SetRect(&r, 1, 2, 3, 4);
        __asm__ volatile ("" : "+r" (inA5));
    }
    """
    result = run(build(text, "68000"), "68000")
    assert result.completed
    (mistake,) = result.findings
    assert "SetRect was called with A5 0x00000005" in mistake.problem
    assert "-ffixed-a5" in mistake.problem


# -- the second: libgcc, which is for another processor --------------------------------------------


def foreign(path: Path) -> list[tuple[str, str]]:
    """Instructions that a 68000 has not; traps look like data."""
    return [
        (name, text)
        for name, text in instructions(path)
        if text.startswith((".short", ".long", "bsrl", "bral", "f")) and ".short 0xa" not in text
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["floats", "stdio", "callbacks"])
def test_a_program_has_only_instructions_of_a_68000(
    compilers: Callable[..., None], tmp_path: Path, name: str
):
    compilers("68000")
    path = build_application(
        [MAC_PROGRAMS / f"{name}.cpp"], name, "68000", None, tmp_path, debug=False
    )
    assert foreign(path) == []


@pytest.mark.slow
def test_instructions_of_other_processors_are_seen(
    compilers: Callable[..., None], build: Callable[..., Path]
):
    compilers("68000")
    text = "long Times(long a, long b) { return a * b; } int main() { return Times(2, 3); }"
    assert foreign(build(text, "68000", flags=("-mcpu=68020", "-fno-inline"))) != []


@pytest.mark.slow
def test_code_that_a_mac_cannot_relocate_is_refused(
    compilers: Callable[..., None], build: Callable[..., Path]
):
    compilers(*BOTH)
    text = "int gValue = 3; int* Where() { return &gValue; } int main() { return *Where(); }"
    with pytest.raises((ProgramError, CompileError), match="R_68K_GOT16"):
        build(text, "68000", flags=("-fPIC",))
    with pytest.raises(ProgramError, match=r"R_PPC_ADDR16_HA, which no Mac relocates"):
        build(text, "601", flags=("-fno-pic",))


@pytest.mark.slow
def test_an_address_at_an_odd_place_is_refused(
    compilers: Callable[..., None], build: Callable[..., Path]
):
    compilers("68000")
    text = """
    struct __attribute__((packed)) Odd { char c; void* p; };
    Odd gOdd = { 1, &gOdd };
    int main() { return gOdd.p == &gOdd; }
    """
    with pytest.raises(ProgramError, match="at an odd place"):
        build(text, "68000")


# -- the third: no C library -----------------------------------------------------------------------


@pytest.mark.slow
def test_what_is_not_there_is_named(cpu: str, build: Callable[..., Path]):
    text = 'extern "C" long FrobMac(const char*);\nint main() { return FrobMac("x"); }'
    with pytest.raises(CompileError, match="FrobMac is not defined, but used by main"):
        build(text, cpu)


@pytest.mark.slow
def test_the_compilers_own_calls_are_there(cpu: str, build: Callable[..., Path]):
    """Structures copied, long division, long long: what becomes a call unasked."""
    text = """
    #include <stdio.h>
    struct Big { long n[40]; };
    volatile long gSeven = 7, gMinus = -1000001;
    volatile unsigned long gLarge = 4000000007UL;
    volatile unsigned long long gWide = 0x123456789abcdefULL;
    int main()
    {
        Big a = {{ 1, 2 }}, b = a;
        printf("%ld %ld\\n", b.n[1], b.n[39]);
        printf("%ld %ld %ld\\n", gMinus / gSeven, gMinus % gSeven, gMinus * gSeven);
        printf("%lu %lu\\n", gLarge / 70000UL, gLarge % 70000UL);
        unsigned long long q = gWide / gLarge, r = gWide % gLarge, p = gWide * gLarge;
        printf("%lx%08lx %lx %lx%08lx\\n", (long) (q >> 32), (long) q, (long) r,
               (long) (p >> 32), (long) p);
        printf("%lx\\n", (long) (gWide >> (int) (gSeven * 4)) ^ (long) (gWide << gSeven));
        long long n = -(long long) gWide;
        printf("%ld %ld\\n", (long) (n / gSeven >> 20), (long) (n % gSeven));
    }
    """
    wide, large = 0x123456789ABCDEF, 4000000007
    quotient, product = wide // large, wide * large % 2**64
    shifted = (wide >> 28 ^ wide << 7) & 0xFFFFFFFF
    high = ((-(wide // 7) >> 20) + 2**31) % 2**32 - 2**31
    assert run(build(text, cpu), cpu).console.splitlines() == [
        "2 0",
        "-142857 -2 -7000007",
        f"{large // 70000} {large % 70000}",
        f"{quotient >> 32:x}{quotient & 0xFFFFFFFF:08x} {wide % large:x} "
        f"{product >> 32:x}{product & 0xFFFFFFFF:08x}",
        f"{shifted:x}",
        f"{high} {-(wide % 7)}",
    ]


# -- the fourth: calling conventions ---------------------------------------------------------------


class Probe(Manager):
    """Routines with every kind of argument and result, which spoil what a routine may spoil."""

    def _note(self, *values: Any) -> None:
        seen.append(values)
        registers, index = self.host.engine.registers, self.host.engine.index
        m68k = self.host.cpu.architecture == "m68k"
        for name in ("d1", "d2", "a1") if m68k else [f"r{n}" for n in range(4, 13)]:
            registers[index[name]] = 0xDEADBEEF

    @routine(
        "FUNCTION ProbeMixed (a: INTEGER; b: LONGINT; c: BOOLEAN; d: Point; e: SignedByte; "
        "f: CHAR; g: OSType; h: UInt16; i: INTEGER; j: Point; k: BOOLEAN): LONGINT",
        trap=0xABD1,
    )
    def mixed(self, *values: Any) -> int:
        self._note(*values)
        return -123456

    @routine("FUNCTION ProbeShort (a: INTEGER): INTEGER", trap=0xABD2)
    def short(self, a: int) -> int:
        self._note(a)
        return -a

    @routine("FUNCTION ProbeBoolean (a: BOOLEAN): BOOLEAN", trap=0xABD3)
    def boolean(self, a: bool) -> bool:
        self._note(a)
        return not a

    @routine("FUNCTION ProbePointer (a: Ptr): Ptr", trap=0xABD4)
    def pointer(self, a: int) -> int:
        self._note(a)
        return a + 1

    @routine("FUNCTION ProbeOnStack (a: INTEGER): LONGINT", trap=0xABD5, selector=("stack", 7))
    def on_stack(self, a: int) -> int:
        self._note(a)
        return 7

    @routine("FUNCTION ProbeInD0 (a: INTEGER): LONGINT", trap=0xABD6, selector=("D0", 70000))
    def in_d0(self, a: int) -> int:
        self._note(a)
        return 8

    @routine(
        "FUNCTION ProbeRegisters (a: LONGINT; b: Ptr): OSErr", trap=0xA0F1, registers="D0,A0 -> D0"
    )
    def registers(self, a: int, b: int) -> int:
        self._note(a, self.guest.u8(b))
        return -43

    @routine("FUNCTION ProbeVersion (a: INTEGER; b: Point): NumVersion", trap=0xABD8)
    def version(self, a: int, b: Point) -> int:
        self._note(a, b)
        return 0x0310_8005

    @routine("FUNCTION ProbeCell (a,b,c,d,e,f,g: LONGINT; h: Point): Cell", trap=0xABD9)
    def cell(self, *values: Any) -> Point:
        self._note(*values)
        return Point(-2, 5)

    @routine("FUNCTION ProbeCallBack (procedure: ProcPtr): LONGINT", trap=0xABD7)
    def call_back(self, procedure: int) -> int:
        heading = (
            "FUNCTION Called (a: BOOLEAN; b: INTEGER; c: LONGINT; d: Point; e: SignedByte): INTEGER"
        )
        for a, b in ((True, -2), (False, 32767)):
            self._note(self.host.call_guest(procedure, heading, a, b, -70000, Point(5, -6), 77))
        return 9


seen: list[tuple[Any, ...]] = []

PROBES = """
#include <stdio.h>
#include <MixedMode.h>

extern "C"
{
    long ProbeMixed(short a, long b, Boolean c, Point d, SignedByte e, short f, OSType g,
                    unsigned short h, short i, Point j, Boolean k);
    short ProbeShort(short a);
    Boolean ProbeBoolean(Boolean a);
    Ptr ProbePointer(Ptr a);
    long ProbeOnStack(short a);
    long ProbeInD0(short a);
    OSErr ProbeRegisters(long a, const char* b);
    NumVersion ProbeVersion(short a, Point b);
    Point ProbeCell(long a, long b, long c, long d, long e, long f, long g, Point h);
    long ProbeCallBack(UniversalProcPtr procedure);
}

static pascal short _Called(Boolean a, short b, long c, long point, SignedByte e)
{
    printf("%d %d %ld %lx %d\\n", a, b, c, (unsigned long) point, e);
    return (short) (b - 1);
}

int main()
{
    Point d = { 300, -4 }, j = { -1, 2 };
    long total = 0;

    for (long i = 1; i <= 3; i++)       // with i and total in registers that routines spoil
    {
        total += i * ProbeMixed(-1, 100000, 1, d, -5, 'f', 0x4D4F5353, 65535, -32768, j, 0);
        total += ProbeShort((short) (i << 8)) + ProbeBoolean(i == 2);
        total += ProbePointer((Ptr) 1000) - (Ptr) 0;
        total += ProbeOnStack(1) + ProbeInD0(2) + ProbeRegisters(-7, "*");
    }
    printf("%ld\\n", total);

    NumVersion version = ProbeVersion(-3, d);
    Point cell = ProbeCell(1, 2, 3, 4, 5, 6, 7, j);
    printf("%x %x %x %d %d\\n", version.majorRev, version.stage, version.nonRelRev, cell.v, cell.h);

    UniversalProcPtr called = NewRoutineDescriptor(
        (ProcPtr) _Called,
        kPascalStackBased | RESULT_SIZE(kTwoByteCode) | STACK_ROUTINE_PARAMETER(1, kOneByteCode)
            | STACK_ROUTINE_PARAMETER(2, kTwoByteCode) | STACK_ROUTINE_PARAMETER(3, kFourByteCode)
            | STACK_ROUTINE_PARAMETER(4, kFourByteCode) | STACK_ROUTINE_PARAMETER(5, kOneByteCode),
        kCurrentISA);
    printf("%ld\\n", ProbeCallBack(called));
    DisposeRoutineDescriptor(called);
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["68000"], BOTH), indirect=True)
def test_every_kind_of_argument_arrives(
    cpu: str, build: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(MANAGERS, "probe", Probe)
    for kept in ("all_entries", "_whole_glue"):  # of a Toolbox without that manager
        monkeypatch.setattr(glue, kept, getattr(glue, kept).__wrapped__)
    seen.clear()
    result = run(build(PROBES, cpu), cpu)
    assert result.problem == ""
    total = 6 * -123456 + -256 * 6 + 2 + 3 * (1001 + 7 + 8 - 43)
    assert result.console.splitlines() == [
        f"{total}",
        "3 80 5 -2 5",
        "1 -2 -70000 5fffa 77",
        "0 32767 -70000 5fffa 77",
        "9",
    ]
    mixed = (
        -1,
        100000,
        True,
        Point(300, -4),
        0xFB,
        0x66,
        "MOSS",
        65535,
        -32768,
        Point(-1, 2),
        False,
    )
    calls = [[mixed, (i << 8,), (i == 2,), (1000,), (1,), (2,), (-7, 0x2A)] for i in (1, 2, 3)]
    records = [(-3, Point(300, -4)), (1, 2, 3, 4, 5, 6, 7, Point(-1, 2))]
    assert seen == [*calls[0], *calls[1], *calls[2], *records, (-3,), (32766,)]


def test_a_68k_routine_with_another_heading_than_in_c_is_called_by_name():
    """In a case; an application has the glue of the runtime, since that of entries is weak."""
    from emu.toolchain.mac_app.glue import entries, m68k_glue

    table = {entry.name: entry for entry in entries("m68k")}
    for name in ("Microseconds", "HandToHand", "PtrToHand", "Delay", "Gestalt", "StringToNum"):
        text = m68k_glue([table[name]])
        assert f'.asciz "{name}"' in text and f".weak {name}\n" in text


_SIZES = {
    "Boolean": 1, "SignedByte": 1, "Byte": 1, "Style": 1, "char": 1, "unsigned char": 1,
    "short": 2, "OSErr": 2, "unsigned short": 2, "ThreadState": 2,
}  # fmt: skip


def _c_size(words: str, is_result: bool) -> int:
    if "*" in words:
        return 4
    parts = [w for w in words.split() if w not in ("const", "struct", "extern")]
    if not is_result and len(parts) > 1:
        parts.pop()
    return _SIZES.get(" ".join(parts), 4)


def test_the_headers_say_what_the_toolbox_declares():
    """A prototype with an argument more, or a wider one, would pass something else in silence."""
    from emu.toolbox.guest.guest_types import ParameterKind
    from emu.toolchain.mac_app.glue import entries

    table = {e.name: e.routine for e in (*entries("m68k"), *entries("powerpc"))}
    checked = 0
    for header in (mac_sources() / "compat").rglob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        for result, name, inside in re.findall(
            r"^([A-Za-z][\w ]*?[ *]+)(\w+)\(([^;{}()]*)\);", text, flags=re.MULTILINE
        ):
            if name not in table or header.name[0].islower():
                continue
            declared = table[name]
            arguments = [a for a in inside.split(",") if a.strip() not in ("void", "...")]
            where = f"{header.name}: {name}"
            assert len(arguments) == len(declared.parameters), where
            for argument, parameter in zip(arguments, declared.parameters, strict=True):
                size, shape = _c_size(argument, False), parameter.type.shape
                if shape in (ParameterKind.BOOLEAN, ParameterKind.BYTE):
                    assert size == 1, f"{where}, {argument}"
                elif shape is ParameterKind.CHARACTER:
                    assert size in (1, 2), f"{where}, {argument}"
                else:
                    assert size == parameter.type.stack_size, f"{where}, {argument}"
            checked += 1
            if "..." in inside:  # its result is that of the routine it calls
                continue
            if declared.result is None:
                assert result.strip() == "void", where
            else:
                small = declared.result.shape in (ParameterKind.BOOLEAN, ParameterKind.BYTE)
                assert _c_size(result, True) == (1 if small else declared.result.stack_size), where
    assert checked > 200


# -- the fifth: main -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("main", ["void main()", "int main()"])
def test_main_ends_where_it_ends(cpu: str, build: Callable[..., Path], main: str):
    """An int function without a return has no end to this compiler; main is excepted."""
    text = f"""
    #include <stdio.h>
    {main} {{ printf("main\\n"); }}
    void Behind() {{ printf("behind\\n"); }}
    """
    result = run(build(text, cpu), cpu)
    assert (result.exit_code, result.console) == (0, "main\n")


# -- whole programs --------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def four_shifts(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    def give(cpu: str) -> Path:
        sources = [FOUR_SHIFTS / "four_shifts.cpp", FOUR_SHIFTS / "four_shifts_mac.cpp"]
        return build_application(sources, "FourShifts", cpu, None, tmp_path_factory.mktemp(cpu))

    return give


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["68000"], BOTH), indirect=True)
def test_the_program_of_1994_runs(cpu: str, four_shifts: Callable[[str], Path]):
    result = run(four_shifts(cpu), cpu)
    assert result.problem == ""
    lines = result.console.splitlines()
    assert lines[0] == "Collision testing..."
    assert [line.split(" objects")[0] for line in lines[1:]] == ["0", "50", "100", "200"]
    assert result.pictures[0].name == "1-window"


def test_the_listing_as_it_was_printed_runs(
    cpu: str, macproof: Callable[..., Any], post: Path, tmp_path: Path
):
    """With void main, Pascal strings, old streams, and RAND_MAX + 1."""
    listing = tmp_path / "listing.cpp"
    assert macproof("import", post, "-o", listing).code == 0
    path = build_application([listing], "Listing", cpu, None, tmp_path / cpu)
    result = run(path, cpu)
    assert result.problem == ""
    assert result.console.splitlines()[1].endswith(" us/iter, 80 iter/s")


@pytest.mark.slow
def test_one_routine_of_an_application_can_be_called(cpu: str, four_shifts: Callable[[str], Path]):
    """Types come from the linked file beside it, and its own convention is used."""
    program = read_program(four_shifts(cpu))
    assert program.convention == {"68000": "m68k-elf", "601": "ppc-sysv"}[cpu]
    machine = BareMachine(program, CPUS[cpu])
    objects = machine.globals["gObjects"]
    objects["x"][:2], objects["y"][:2] = (100, 129), (50, 79)
    objects["obj_link"][0] = program.variable("gObjects").address + objects.dtype.itemsize
    machine.call("_DetermineCollisions")
    assert list(machine.globals["gCollisionArray"][:3]) == [1, 1, 0]


@pytest.mark.slow
def test_a_program_of_several_files(cpu: str, tmp_path: Path):
    """In C and C++, with a header beside them and the names of before 1994."""
    (tmp_path / "both.h").write_text(
        '#ifdef __cplusplus\nextern "C"\n#endif\nlong Twice(long n);\n'
    )
    (tmp_path / "one.c").write_text('#include "both.h"\nlong Twice(long n) { return n + n; }\n')
    (tmp_path / "two.cpp").write_text(
        '#include "both.h"\n#include <Memory.h>\n#include <stdio.h>\n'
        'int main() { DisposHandle(NewHandle(9)); printf("%ld\\n", Twice(21)); }\n'
    )
    sources = [tmp_path / "one.c", tmp_path / "two.cpp"]
    path = build_application(sources, "Several", cpu, None, tmp_path / "out")
    assert run(path, cpu).console == "42\n"


@pytest.mark.slow
@pytest.mark.parametrize("flags", slow_but(["period"], ["O0", "O1", "Os", "period"]))
def test_every_build_does_the_same(cpu: str, tmp_path: Path, flags: str):
    source = MAC_PROGRAMS / "floats.cpp"
    path = build_application([source], "Floats", cpu, None, tmp_path, build=BUILDS[flags])
    assert run(path, cpu).console == (MAC_PROGRAMS / "expected" / "floats.txt").read_text()


@pytest.mark.slow
def test_what_is_in_the_file(cpu: str, four_shifts: Callable[[str], Path]):
    found = read_executable(four_shifts(cpu))
    assert (found.file.name, found.file.type, found.file.creator) == ("FourShifts", "APPL", "????")
    resources = found.file.resources
    assert resources[("SIZE", -1)].data.hex() == "08800010000000100000"
    assert resources[("vers", 1)].data.endswith(b"\x0eFourShifts 1.0")
    if cpu == "68000":
        assert found.architectures == ("m68k",)
        assert {key for key in resources if key[0] in ("CODE", "DATA", "RELA")} == {
            ("CODE", 0), ("CODE", 1), ("DATA", 0), ("RELA", 0), ("RELA", 1),
        }  # fmt: skip
        return
    assert found.architectures == ("powerpc",)
    assert found.fragments[0].name == "FourShifts"
    assert found.pef is not None
    assert [s.kind for s in found.pef.sections] == ["executable data", "loader"]
    assert [library.name for library in found.pef.libraries] == ["InterfaceLib"]
    names = [symbol.name for symbol in found.pef.imports]
    assert names == sorted(names)
    assert {"NewWindow", "PaintRect", "ExitToShell"} <= set(names)


@pytest.mark.slow
def test_a_file_of_symbols_of_another_program_is_refused(
    cpu: str, build: Callable[..., Path], tmp_path: Path
):
    first = build("int main() { return 1; }", cpu)
    suffix = SYMBOL_SUFFIXES[CPUS[cpu].architecture]
    symbols = first.with_suffix(suffix).read_bytes()
    second = build("long gN[9]; int main() { return gN[3] += 7; }", cpu)
    second.with_suffix(suffix).write_bytes(symbols)
    with pytest.raises(ProgramError, match=r"does not belong|is not what .* was made of"):
        read_program(second)


def test_a_description_goes_into_the_file(cpu: str, tmp_path: Path):
    source = MAC_PROGRAMS / "menus.cpp"
    path = build_application(
        [source], "Menus", cpu, read_description(source.with_suffix(".yaml")), tmp_path
    )
    file = read_executable(path).file
    assert file.creator == "TEST"
    assert {("MENU", 128), ("DITL", 128), ("DLOG", 128), ("STR#", 128)} <= set(file.resources)


# -- errors ----------------------------------------------------------------------------------------


def test_nothing_is_left_of_a_program_that_is_refused(cpu: str, tmp_path: Path):
    source = tmp_path / "program.cpp"
    source.write_text("int main() { return nothing; }")
    with pytest.raises(CompileError, match="'nothing' was not declared"):
        build_application([source], "Program", cpu, None, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [("program.txt", "int main;", "it is not a source file"), ("gone.cpp", None, "cannot be read")],
)
def test_sources_that_are_none(tmp_path: Path, name: str, text: str | None, words: str):
    source = tmp_path / name
    if text is not None:
        source.write_text(text)
    with pytest.raises(MacproofError, match=words):
        build_application([source], "Program", "68000", None, tmp_path)


def test_two_sources_of_one_name(tmp_path: Path):
    (tmp_path / "other").mkdir()
    sources = [tmp_path / "a.cpp", tmp_path / "other" / "a.cpp"]
    for source in sources:
        source.write_text("int main() { }")
    with pytest.raises(CompileError, match="another source has the same name"):
        build_application(sources, "Program", "68000", None, tmp_path / "out")


@pytest.mark.usefixtures("no_compilers")
def test_a_compiler_is_needed(tmp_path: Path):
    with pytest.raises(ToolMissingError, match=r"apt-get install g\+\+-m68k-linux-gnu"):
        build_application([MAC_PROGRAMS / "empty.cpp"], "Empty", "68000", None, tmp_path)


OLD_GLOBALS = """\
#define THINK_C 5
#include <stdio.h>
#include <Quickdraw.h>
#include <Fonts.h>
#include <Windows.h>
int main() {
    InitGraf(&thePort);
    InitFonts();
    InitWindows();
    printf("%d %d %d\\n", thePort == qd.thePort && thePort != 0, screenBits.bounds.right,
           (int) ((char*) &gray - (char*) &qd.gray));
    return 0;
}
"""
OWN_BLACK = """\
#include <stdio.h>
#include <Quickdraw.h>
int black[3] = { 4, 5, 6 };
int main() { printf("%d\\n", black[2]); return 0; }
"""


@pytest.mark.parametrize(
    ("text", "said"), [(OLD_GLOBALS, ["1 640 0"]), (OWN_BLACK, ["6"])], ids=["old", "own"]
)
def test_the_globals_of_quickdraw_have_their_own_names_too(
    cpu: str, build: Callable[..., Path], text: str, said: list[str]
):
    """In an application as THINK C gave them; a program's own variable of a name comes first."""
    assert run(build(text, cpu), cpu).console.splitlines() == said
