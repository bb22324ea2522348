"""The Toolbox headers: each compiles alone, and the prototypes in them are what the Toolbox has."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolbox.records import files, finder, lists, printing, quickdraw, system, text, windows
from emu.toolbox.records.kinds import Array
from emu.toolbox.records.record import Record
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import mac_sources
from tests.rows import slow_but
from tests.toolchain.test_units import tree_of

COMPAT = mac_sources() / "compat"
HEADERS = sorted(path.relative_to(COMPAT).as_posix() for path in COMPAT.rglob("*.h"))
STRICT = ("-Wall", "-Werror", "-Wno-multichar")  # codes of four characters are usual
LANGUAGES = {"c": ("-x", "c", "-std=gnu89"), "c++": ("-x", "c++", "-std=gnu++98")}


@pytest.mark.parametrize(
    "part", [name for name in HEADERS if name.startswith(("routines/", "callbacks/", "records/"))]
)
def test_a_header_includes_its_parts(part: str) -> None:
    including = [name for name in HEADERS if f'#include "{part}"' in (COMPAT / name).read_text()]
    assert including, f"no program gets what is declared in {part}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "language"),
    slow_but([("68000", "c++"), ("601", "c")], product(["68000", "601"], LANGUAGES)),
)
def test_every_header_compiles_alone_twice_and_with_all_others(
    compilers: Callable[..., None], cpu: str, language: str
):
    compilers(cpu)
    flags = (*STRICT, "-ffreestanding", f"-I{COMPAT}", "-fsyntax-only")
    target = TARGETS[cpu]
    command = [target.compiler, *target.flags, *LANGUAGES[language], *flags, "-"]
    headers = [name for name in HEADERS if language == "c++" or name != "iostream.h"]
    for names in (*([name, name] for name in headers), headers):
        text = "".join(f"#include <{name}>\n" for name in names)
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


SOURCE = """\
#include <MacTypes.h>
#include <Memory.h>
#include <ToolUtils.h>
#include <Resources.h>
#include <Files.h>
#include <SANE.h>
#include <FixMath.h>
#include <OSUtils.h>
#include <Quickdraw.h>
#include <Events.h>
#include <QDOffscreen.h>
#include <StandardFile.h>
#include <Errors.h>
short gSizes[9];
pascal void Go(void);
pascal void Go()
{
    gSizes[0] = sizeof(EventRecord), gSizes[1] = sizeof(GrafPort), gSizes[2] = sizeof(FSSpec);
    gSizes[3] = sizeof(SFReply), gSizes[4] = sizeof(StandardFileReply), gSizes[5] = sizeof(Rect);
    gSizes[6] = sizeof(decimal), gSizes[7] = sizeof(IOParam), gSizes[8] = sizeof(Fixed);
}
"""


@pytest.mark.parametrize("cpu", TARGETS)
def test_records_have_the_sizes_of_inside_macintosh(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    compilers(cpu)
    program = compile_program(
        tree_of(tmp_path, {"go.c": SOURCE}, ("gSizes",)), BUILDS["O1"], TARGETS[cpu]
    )
    machine = BareMachine(read_elf(program.path), CPUS[cpu])
    machine.call("Go")
    assert list(machine.globals["gSizes"]) == [16, 108, 70, 74, 88, 8, 26, 50, 4]


@pytest.mark.parametrize("cpu", TARGETS)
def test_the_structs_lie_as_the_declared_records_do(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    """Sizes and offsets as the compiler sees them; the structs are made from the declarations."""
    compilers(cpu)
    headers = sorted((COMPAT / "records").glob("*.h"))
    named = {name for path in headers for name in re.findall(r"struct (\w+)\n{", path.read_text())}
    records = [kind for kind in every_record() if kind.__name__ in named]
    assert len(records) == len(named) > 30
    source, expected = "", []
    for kind in records:
        name = kind.__name__
        source += f"sizeof({name}),\n"
        source += "".join(f"__builtin_offsetof({name}, {f.name}),\n" for f in kind.fields)
        expected += [kind.size + open_array_size(kind), *(field.offset for field in kind.fields)]
    source = (
        "".join(f"#include <{path.name}>\n" for path in headers)
        + f"short gPlaces[{len(expected)}] = {{\n{source}}};\n"
        + "void Go(void);\nvoid Go() { gPlaces[0] = gPlaces[0]; }\n"
    )
    tree = tree_of(tmp_path, {"go.c": source}, ("gPlaces",))
    program = compile_program(tree, BUILDS["O1"], TARGETS[cpu])
    machine = BareMachine(read_elf(program.path), CPUS[cpu])
    machine.call("Go")
    assert list(machine.globals["gPlaces"]) == expected


def open_array_size(kind: type[Record]) -> int:
    """The size of the one element that an open array has in C."""
    last = kind.fields[-1]
    return last.element.size if isinstance(last, Array) and not last.count else 0


def every_record() -> list[type[Record]]:
    """Every record that the Toolbox declares."""
    return [
        value
        for module in (quickdraw, windows, files, finder, lists, printing, system, text)
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Record)
        and value.__module__ == module.__name__
    ]


PATTERNS = """\
#define MACPROOF_OLD_GLOBALS
#include <Quickdraw.h>
#include <Windows.h>
unsigned char gFirst[4];
static unsigned char gOld[8] = { 5 };
static Pattern gPattern = { { 7 } };
static const void* gPassed[4];
#undef PenPat
static void KeepPenPat(const void* pattern) { gFirst[gOld[7]++] = *(const unsigned char*) pattern; }
#define PenPat(p) KeepPenPat(COMPAT_PATTERN(p))
void Go(void);
void Go()
{
    const Pattern* pointer = &gPattern;
    PenPat(gPattern), PenPat(&gPattern), PenPat(pointer), PenPat(gOld);
}
"""


def test_a_pattern_is_passed_by_value_by_address_and_as_an_array(
    compilers: Callable[..., None], tmp_path: Path
):
    """Sources of before 1992 say ``PenPat(gray)``, later ones ``PenPat(&qd.gray)``."""
    compilers("68040")
    tree = tree_of(tmp_path, {"go.c": PATTERNS}, ("gFirst",))
    machine = BareMachine(
        read_elf(compile_program(tree, BUILDS["O1"], TARGETS["68040"]).path), CPUS["68040"]
    )
    machine.call("Go")
    assert list(machine.globals["gFirst"]) == [7, 7, 7, 5]


TIMES = {
    "THINK C": """
        #include <Color.h>
        #include <ColorToolbox.h>
        #include <PrintTraps.h>
        void Go(WindowPtr w, DialogPtr d) {
            short kind; Handle item; Rect box; RGBColor c;
            GetDItem(d, 1, &kind, &item, &box); SetPort(w); FillRect(&thePort->portRect, gray);
            PenPat(black); CopyBits(&screenBits, &thePort->portBits, &box, &box, srcCopy, nil);
            RGBForeColor(&c); (**GetMainDevice()).gdRect = box; DisposDialog(d);
        }""",
    "Universal Headers 2": """
        #include <Quickdraw.h>
        #include <QDOffscreen.h>
        #include <Palettes.h>
        #include <Icons.h>
        #include <Drag.h>
        #include <Appearance.h>
        #include <Printing.h>
        OSErr Go(DialogPtr d, GWorldPtr* world, THPrint print, DragReference drag) {
            CGrafPtr port; GDHandle device; EventRecord event; KeyMap keys;
            GetGWorld(&port, &device); GetKeys(keys); PmForeColor(3);
            FillRect(&(**print).rPaper, &qd.gray);
            if ((**(*port).portPixMap).pixelSize > 8) SetDialogItemText(0, "x");
            if (TrackDrag(drag, &event, 0))
                return PlotIconID(&(**device).gdRect, atNone, ttNone, 128);
            return NewGWorld(world, 8, &(**device).gdRect, 0, device, useTempMem | noNewDevice);
        }""",
}


@pytest.mark.parametrize(("time", "language"), list(product(TIMES, LANGUAGES)))
def test_a_source_of_each_time_has_its_types_and_names(
    compilers: Callable[..., None], time: str, language: str
):
    compilers("601")
    target = TARGETS["601"]
    command = [target.compiler, *target.flags, *LANGUAGES[language], "-Wno-multichar"]
    command += ["-DTHINK_C=5"] if time == "THINK C" else []
    command += ["-Werror", "-ffreestanding", f"-I{COMPAT}", "-fsyntax-only", "-"]
    source = TIMES[time]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    wrong = source.replace("GetGWorld(&port", "GetGWorld(&d->portRect").replace(
        "gdRect =", "gdRectangle ="
    )
    done = subprocess.run(command, input=wrong, capture_output=True, text=True, check=False)
    assert done.returncode == 1
