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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "language"),
    slow_but([("68000", "c++"), ("601", "c")], product(["68000", "601"], LANGUAGES)),
)
def test_every_header_compiles_alone_twice_and_with_all_others(
    compilers: Callable[..., None], cpu: str, language: str
):
    compilers(cpu)
    flags = (*STRICT, "-ffreestanding", "-nostdinc", f"-I{COMPAT}", "-fsyntax-only")
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
