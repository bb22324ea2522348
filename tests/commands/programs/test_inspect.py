"""``macproof inspect``: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.program.mac_file.mac_file import MacFile
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import COMPRESSED, Resource, make_resource_fork
from tests.program import fragment_samples, mac_samples
from tests.program.code_samples import (
    NEAR,
    application,
    code_0,
    near,
    split_application,
    uleb,
    write_application,
)
from tests.program.compressed_samples import with_repetitions
from tests.report import schemas

Run = Callable[..., Any]
PROGRAMS = Path(__file__).parents[2] / "programs"


def write(file: MacFile, folder: Path) -> Path:
    """A file as a bare resource fork, which names nothing and needs no container."""
    path = folder / "Sample.rsrc"
    path.write_bytes(make_resource_fork(file.resources.resources))
    return path


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """An application of two segments in the near model with MacsBug names and a trap each."""
    return write(
        application(
            {
                ("CODE", 0): code_0([(NEAR, 1, 0), (NEAR, 2, 0)], below=100),
                ("CODE", 1): near(bytes.fromhex("a974 4e75") + b"\x84Main" + bytes(3)),
                ("CODE", 2): near(bytes.fromhex("a31e a974 4e75") + b"\x85Other" + bytes(2)),
                ("STR ", 128): b"\x02Hi",
            }
        ),
        tmp_path,
    )


def test_an_application_in_words(macproof: Run, named: Path) -> None:
    outcome = macproof("inspect", named)
    assert outcome.code == 0, outcome.err
    for text in (
        "68K program: near model, 2 segments",
        "globals: 100 bytes below A5, 48 above; initial values: set by the program's start code",
        "jump table: 2 near entries at A5+0x20, 16 bytes",
        "symbols: 2, of them 2 functions; source: MacsBug names",
        "traps: 2 words used; disassembled: every function that a symbol names",
        "A31E  NewPtrClear",
        "A974  Button                    2  64K ROM (Macintosh, 1984); System 1.0",
        "CODE     3",
    ):
        assert text in outcome.out, text
    assert "Other" not in outcome.out
    verbose = macproof("inspect", "--verbose", named).out
    assert "Other" in verbose
    assert "CODE 2+0x4" in verbose
    assert macproof("inspect", "--quiet", named).out == ""


def test_the_json_says_the_same(macproof: Run, named: Path, tmp_path: Path) -> None:
    assert macproof("inspect", named, "--json", tmp_path / "facts.json").code == 0
    facts = schemas.read(tmp_path / "facts.json", "macproof.inspect/2")
    text = {"id": 128, "name": "", "size": 3, "compressed": False}
    assert facts["file"]["resources"]["STR "] == [text]
    (program,) = facts["programs"]
    assert program["architecture"] == "m68k"
    assert [s["id"] for s in program["segments"]] == [1, 2]
    assert program["jump_table"]["entries"][1] == {
        "index": 1,
        "segment": 2,
        "offset": 4,
        "far": False,
    }
    assert [(use["word"], use["count"], use["functions"]) for use in program["traps"]["used"]] == [
        ("A31E", 1, ["Other"]),
        ("A974", 2, ["Main", "Other"]),
    ]


def test_without_symbols_the_way_and_its_reach_are_said(macproof: Run, tmp_path: Path) -> None:
    outcome = macproof("inspect", write(split_application(), tmp_path))
    assert "Retro68, 2 segments" in outcome.out
    assert "source: none" in outcome.out
    assert "code reachable from the jump table" in outcome.out


def test_findings_are_printed(macproof: Run, tmp_path: Path) -> None:
    early = uleb((3, 0)) + uleb((8, 1), (4, 2), (4, 3)) + b"\0"
    outcome = macproof("inspect", write(split_application(rela_2=early), tmp_path))
    assert outcome.code == 0
    assert "warning: RELA 2 ends 1 bytes too early" in outcome.out


def test_a_shared_library(macproof: Run, tmp_path: Path) -> None:
    code, vector = b"\x4e\x80\x00\x20", bytes(8)
    loader = fragment_samples.loader_section(
        libraries=[fragment_samples.Library("InterfaceLib", [("TickCount", 2)])],
        exports=[("Answer", 2, 1, 0)],
        relocations={1: fragment_samples.run(3, 1)},
    )
    sections = [fragment_samples.Section(0, code), fragment_samples.Section(1, vector)]
    container = fragment_samples.pef(sections, loader)
    (tmp_path / "Bare").write_bytes(container)
    fragments = fragment_samples.cfrg((b"pwpc", 0, 1, 0, 0, "My Library"))
    fork = make_resource_fork([Resource("cfrg", 0, "", 0, fragments)])
    (tmp_path / "Named").write_bytes(
        make_macbinary("L", type="shlb", creator="cfmg", data=container, resource_fork=fork)
    )
    for name, title in (("Bare", "Bare"), ("Named", "My Library")):
        outcome = macproof("inspect", tmp_path / name)
        assert outcome.code == 0, outcome.err
        assert f"PowerPC program: PEF, shared library {title}" in outcome.out
        assert "imports from InterfaceLib: 1\n    TickCount\n  exports: Answer" in outcome.out
        assert macproof("run", tmp_path / name).code == 2


@pytest.mark.parametrize("name", ["plain-m68k", "types-ppc", "types-mips"])
def test_elf_programs(macproof: Run, name: str) -> None:
    outcome = macproof("inspect", PROGRAMS / f"{name}.elf")
    assert outcome.code == 0, outcome.err
    assert f"{name}.elf: ELF" in outcome.out
    assert "segment 0" in outcome.out
    assert ("traps: 0 words" in outcome.out) == (name == "plain-m68k")


def test_a_file_of_resources(macproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "document.rsrc"
    resources = [
        Resource("STR ", 1, "", 0, b"\0"),
        Resource("STR ", 2, "", COMPRESSED, with_repetitions(1, b"text" * 9)),
    ]
    path.write_bytes(make_resource_fork(resources))
    outcome = macproof("inspect", path, "--json", tmp_path / "facts.json")
    assert outcome.code == 0, outcome.err
    assert f"{path}: resource fork" in outcome.out
    assert "no program: it has neither CODE resources nor a PowerPC fragment" in outcome.out
    assert re.search(r"STR  +2 +\d+ bytes  1, 2  \(1 compressed\)", outcome.out)
    assert json.loads((tmp_path / "facts.json").read_text())["programs"] == []


def test_what_cannot_be_inspected(macproof: Run, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no program\n")
    table = struct.pack(">4I", 0x28, 0, 8, 0x20) + b"garbage!"
    broken = tmp_path / "broken.rsrc"
    resources = application({("CODE", 0): table, ("CODE", 1): near(b"Nu")}).resources.resources
    broken.write_bytes(make_resource_fork(resources))
    for path, problem in (
        (text, "text"),
        (tmp_path / "missing", "missing"),
        (broken, "entry 0 of the jump table is in no known form"),
        (tmp_path, str(tmp_path)),
    ):
        facts = tmp_path / "facts.json"
        outcome = macproof("inspect", path, "--json", facts)
        assert outcome.code == 2, (path, outcome.out)
        assert problem in outcome.err
        assert outcome.out == ""
        assert not facts.exists()


def test_symbols_from_elsewhere(macproof: Run, tmp_path: Path) -> None:
    program = write(split_application(), tmp_path)
    outcome = macproof("inspect", program, "--symbols", PROGRAMS / "plain-m68k.elf")
    assert outcome.code == 2
    assert "does not belong to the application" in outcome.err
    outcome = macproof("inspect", program, "--symbols", tmp_path / "missing")
    assert outcome.code == 2
    assert "there is no such file" in outcome.err


def test_names_cannot_command_the_terminal(macproof: Run, tmp_path: Path) -> None:
    resources = {
        ("CODE", 0): code_0([(NEAR, 1, 0)]),
        ("CODE", 1): near(bytes.fromhex("4e75")),
    }
    file = application(resources, {("CODE", 1): "\x1b[31mred"})
    outcome = macproof("inspect", write(file, tmp_path))
    assert "\x1b" not in outcome.out
    assert "\\x1b[31mred" in outcome.out


def test_containers_are_named(macproof: Run, tmp_path: Path) -> None:
    path = tmp_path / "Four Shifts.bin"
    path.write_bytes(mac_samples.macbinary(3))
    outcome = macproof("inspect", path)
    # The sample's CODE 0 is 24 zero bytes: a program without a jump table.
    assert "MacBinary III" in outcome.out + outcome.err


LISTED = "3b7c 0003 fffe 486d fff0 a86e 6004 4e71 4e71 a9f4 4eba fff8 4e75"


def test_the_code_of_a_routine_tells_where_globals_are(macproof: Run, tmp_path: Path) -> None:
    program = write_application(tmp_path, LISTED)
    listed = macproof("inspect", program, "--routine", "CODE 1+4").out.splitlines()
    assert [" ".join(line.split()) for line in listed] == [
        "CODE 1+0x4 3b7c0003fffe move.w #$3, A5-0x2",
        "CODE 1+0xa 486dfff0 pea.l A5-0x10",
        "CODE 1+0xe a86e _InitGraf",
        "CODE 1+0x10 6004 bra.b CODE 1+0x16",
        "CODE 1+0x12 4e71 nop",
        "CODE 1+0x14 4e71 nop",
        "CODE 1+0x16 a9f4 _ExitToShell",
        "CODE 1+0x18 4ebafff8 jsr CODE 1+0x12",
        "CODE 1+0x1c 4e75 rts",
    ]


def test_a_call_through_the_jump_table_names_its_routine(macproof: Run, tmp_path: Path) -> None:
    """The second entry leads to "Other" of CODE 2."""
    resources = {
        ("CODE", 0): code_0([(NEAR, 1, 0), (NEAR, 2, 0)], below=100),
        ("CODE", 1): near(bytes.fromhex("4ead 002a 4ead 0022 4e75") + b"\x84Main" + bytes(3)),
        ("CODE", 2): near(bytes.fromhex("a974 4e75") + b"\x85Other" + bytes(2)),
    }
    listed = macproof("inspect", write(application(resources), tmp_path), "--routine", "Main").out
    assert re.search(r"CODE 1\+0x4 +4ead002a +jsr +Other\n", listed)
    assert re.search(r"jsr +Main\n", listed)


def test_the_code_of_a_routine_on_the_powerpc(macproof: Run) -> None:
    """A routine is found by its name, and what it calls has one."""
    program = "tests/programs/mac/prebuilt/601/constructors.bin"
    listed = macproof("inspect", program, "--routine", "main").out
    assert "section 0+0x" in listed
    assert re.search(r"bl +printf", listed)
    assert re.search(r"\bb[a-z]* +section 0\+0x", listed)


def test_places_of_routines_and_globals(macproof: Run) -> None:
    program = "tests/programs/mac/prebuilt/68000/constructors.bin"
    verbose = macproof("inspect", "--verbose", program).out
    assert re.search(r"CODE 1\+0x[0-9a-f]+ +\d+ bytes  main\n", verbose)
    assert re.search(r"A5-0x[0-9a-f]+ +12 bytes  gTwo\n", verbose)


def test_a_routine_that_cannot_be_listed(macproof: Run, tmp_path: Path) -> None:
    program = write_application(tmp_path, LISTED)
    for arguments, message in (
        (("--routine", "Mix"), "there is no function Mix"),
        (("--routine", "CODE 1+0x99"), "beyond the"),
        (("--routine", "CODE 2+4"), "it has no code CODE 2. It has CODE 1"),
    ):
        outcome = macproof("inspect", program, *arguments)
        assert (outcome.code, message in outcome.err) == (2, True), outcome.err
    mips = macproof("inspect", PROGRAMS / "calls-mips.elf", "--routine", "Neg")
    assert "neither for the 68K nor for the PowerPC" in mips.err


def test_programs_are_inspected_one_at_a_time(macproof: Run, named: Path) -> None:
    outcome = macproof("inspect", named, named)
    assert outcome.code == 2
    assert "one program is inspected at a time" in outcome.err


def test_instructions_of_a_later_processor_are_named(macproof: Run, tmp_path: Path) -> None:
    """MULS.L D1,D0 twice; behind RTS the same words are data that nothing reaches."""
    later = "4c01 0800"
    path = write_application(tmp_path, f"{later} {later} 4e75 {later}")
    told = macproof("inspect", path).out
    assert 'a 68000 lacks (write cpus: ["68040"] in a case of this program)' in told
    assert "CODE 1+0x4 and 1 more: muls.l is no instruction of a 68000: the 68020" in told
    plain = macproof("inspect", write_application(tmp_path, f"c1c1 4e75 {later}")).out
    assert "a 68000 lacks" not in plain
