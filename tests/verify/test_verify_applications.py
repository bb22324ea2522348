"""Routines inside applications: verified, refuted and explained like those of an ELF program."""

from __future__ import annotations

import io
import json
import os
import re
import struct
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.program import Program, read_elf, read_program
from emu.toolchain.sources import mac_sources
from tests.program import code_samples, mac_samples
from tests.program import fragment_samples as sample
from tests.rows import slow_but

Command = Callable[..., Any]
RETRO68 = os.environ.get("RETRO68", "")
VARIABLES = ("gCollisionArray", "gObjects", "gSectorArray")
# Where the compiled programs of a case are linked, and so where a section must come to lie.
CODE, DATA = 0x10000, 0x100000


def powerpc_application(
    elf: Path, folder: Path, *, sizes: Mapping[str, int] | None = None, symbols: bool = True
) -> Path:
    """An application in MacBinary of a compiled program, with an XCOFF file beside it.

    The code section is given so much room that the data comes to lie where it was linked.
    ``sizes`` are what the XCOFF file says of variables; Retro68's linker says nothing.
    """
    program = read_elf(elf)
    code, data = program.segments
    assert (code.address, data.address) == (CODE, DATA)
    room = DATA - 2 * CODE
    initial = data.data.rstrip(b"\0").ljust(4, b"\0")
    container = sample.pef(
        [
            sample.Section(0, code.data, room, len(code.data), share=4),
            sample.Section(1, initial, data.size, len(initial)),
        ]
    )
    fork = mac_samples.resource_fork(
        [("cfrg", 0, b"", 0, sample.cfrg((b"pwpc", 1, 1, 0, 0, "Four Shifts")))]
    )
    application = folder / "Four Shifts.bin"
    application.write_bytes(mac_samples.macbinary(0, container, fork))
    if symbols:
        made = _xcoff(program, initial, sizes or {})
        (folder / "Four Shifts.xcoff").write_bytes(made)
    return application


def _xcoff(program: Program, initial: bytes, sizes: Mapping[str, int]) -> bytes:
    code, data = program.segments
    symbols = []
    for symbol in program.symbols:
        if symbol.kind == "function":
            place = symbol.address - code.address
            symbols.append(
                sample.Symbol(f".{symbol.name}", place, sample.TEXT_SECTION, 0, length=symbol.size)
            )
        elif symbol.kind == "object" and symbol.address >= data.address:
            place = symbol.address - data.address
            zeroed = place >= len(initial)
            symbols.append(
                sample.Symbol(
                    symbol.name,
                    place,
                    sample.ZEROED_SECTION if zeroed else sample.DATA_SECTION,
                    sample.ZEROED if zeroed else sample.READ_WRITE,
                    length=sizes.get(symbol.name, 0),
                )
            )
    return sample.xcoff(code.data, initial, data.size - len(initial), symbols)


# A 68K application has its routine in CODE 2 and nothing but Retro68's first bytes in CODE 1.
_TRAMPOLINE = "4e71 6100 0002 0697 00000008 4e75 4e75"
_STARTUP = (
    f'.section .startup,"ax"\n.byte {", ".join(f"0x{b:02x}" for b in bytes.fromhex(_TRAMPOLINE))}\n'
)
_SCRIPT = """
ENTRY(_start)
SECTIONS {
  _start = 0;
  .code00001 0 : { *(.startup) }
  .code00002 0x1000 : {
    *(.text*) *(.rodata*) . = ALIGN(2); SHORT(0); . += 32; LONG(-34)
  }
  .data 0x20000 : { *(.data*) . = ALIGN(4); LONG(0) }
  .bss : { *(.bss*) *(COMMON) . = ALIGN(4); }
  /DISCARD/ : { *(.comment) *(.eh_frame*) *(.note*) }
}
"""
_R_68K_32 = 1


def _relocated(read: ELFFile, name: str, image: bytearray, below: int) -> bytes:
    """The relocations of a section, which the linker has done: they are undone in the image."""
    parts = {name: read.get_section_by_name(name) for name in _PARTS}
    start = parts[".data"]["sh_addr"]
    places = []
    relocations = read.get_section_by_name(f".rela{name}")
    for entry in relocations.iter_relocations() if relocations else ():
        if entry["r_info_type"] != _R_68K_32:
            continue  # relative to its own place, within the segment
        offset = entry["r_offset"] - parts[name]["sh_addr"]
        (target,) = struct.unpack_from(">I", image, offset)
        in_code = target < start
        code = parts[".code00002"]["sh_addr"] - 40
        value = target - code if in_code else target - start - below
        struct.pack_into(">i", image, offset, value)
        zeroed = target >= parts[".bss"]["sh_addr"]
        places.append((offset, 0 if in_code else 2 if zeroed else 1))
    places.sort()
    before = [-1, *(offset for offset, _ in places)]
    pairs = zip(places, before, strict=False)
    return code_samples.uleb(*((offset - at, kind) for (offset, kind), at in pairs))


def classic_application(source: Path, folder: Path) -> Path:
    """An application of CODE resources, as Retro68's linker would cut it, by Debian's compiler."""
    (folder / "startup.s").write_text(_STARTUP)
    (folder / "app.ld").write_text(_SCRIPT)
    sources, elf = mac_sources(), folder / "App.code.bin.gdb"
    command = [
        *("m68k-linux-gnu-g++", "-mcpu=68000", "-O2", "-ffreestanding", "-fno-pic", "-no-pie"),
        *("-ffixed-a5", "-fno-exceptions", "-fno-rtti", "-nostdlib", "-static", "-Dmacintosh"),
        *("-fno-tree-loop-distribute-patterns", "-fno-asynchronous-unwind-tables"),
        *(f"-I{sources / 'four_shifts'}", f"-I{sources / 'compat'}", "-fpermissive", "-w"),
        *(source, folder / "startup.s", "-xc", sources / "runtime" / "memory.c", "-xnone"),
        *(f"-Wl,--emit-relocs,--build-id=none,-T,{folder / 'app.ld'}", "-lgcc", "-o", elf),
    ]
    subprocess.run(command, check=True, capture_output=True)
    read = ELFFile(io.BytesIO(elf.read_bytes()))
    parts = {name: read.get_section_by_name(name) for name in _PARTS}
    below = parts[".data"]["sh_size"] + parts[".bss"]["sh_size"]
    start = parts[".data"]["sh_addr"]
    assert parts[".bss"]["sh_addr"] == start + parts[".data"]["sh_size"]
    images = {name: bytearray(parts[name].data()) for name in (".code00002", ".data")}
    lists = {name: _relocated(read, name, image, below) for name, image in images.items()}
    table = [(code_samples.NEAR, 1, 0), (code_samples.MARK, 0, 0), (code_samples.FAR, 2, 40)]
    resources = {
        ("CODE", 0): code_samples.code_0(table, below=below),
        ("CODE", 1): code_samples.near(parts[".code00001"].data()),
        ("CODE", 2): code_samples.far(bytes(images[".code00002"])),
        ("DATA", 0): bytes(images[".data"]),
        ("RELA", 0): lists[".data"] + b"\0",
        ("RELA", 1): b"\0\0",
        ("RELA", 2): lists[".code00002"] + b"\0",
    }
    fork = mac_samples.resource_fork(
        [(kind, number, b"", 0, data) for (kind, number), data in resources.items()]
    )
    application = folder / "App.bin"
    application.write_bytes(mac_samples.macbinary(0, b"", fork))
    return application


_PARTS = (".code00001", ".code00002", ".data", ".bss")


@pytest.mark.parametrize("cpu", slow_but(["68040"], ["68000", "68040"]))
def test_a_68k_application_is_verified(
    macproof: Command, compilers: Callable[..., None], tmp_path: Path, cpu: str
) -> None:
    compilers(cpu)
    application = classic_application(mac_sources() / "four_shifts" / "four_shifts.cpp", tmp_path)
    report = tmp_path / "report.json"
    words = ("--program", application, "--cpu", cpu, "--scenes", 20, "--programs", "prebuilt")
    done = macproof("verify", "four-shifts", *words, "--json", report)
    assert done.code == 0, done
    (result,) = json.loads(report.read_text())["results"]
    assert (result["abi"], result["scenes"]) == ("m68k-retro68", 20)
    assert result["program"]["types"]["variables"] == list(VARIABLES)
    elf = tmp_path / "App.code.bin.gdb"
    assert result["program"]["symbols"]["file"] == str(elf)
    assert read_program(elf).convention == "m68k-retro68", "it holds the same code"


@pytest.mark.slow
def test_a_broken_68k_application_is_refuted_and_explained(
    macproof: Command,
    compilers: Callable[..., None],
    broken_port: Callable[[str], str],
    tmp_path: Path,
) -> None:
    compilers("68040")
    source = tmp_path / "broken.cpp"
    source.write_text(broken_port("one flag of two"))
    application = classic_application(source, tmp_path)
    done = macproof("explain", "four-shifts", "--program", application, "--cpu", "68040")
    assert done.code == 1, done
    assert "First difference: gCollisionArray[" in done.out
    assert re.search(r"last written at 0x[0-9a-f]{8} memset\+0x", done.out)


@pytest.fixture
def application(prebuilt: Callable[..., list[Subject]], tmp_path: Path) -> Path:
    """The case's prebuilt program as an application."""
    (subject,) = prebuilt(("601",), ("O2",))
    return powerpc_application(subject.program, tmp_path)


def test_an_application_is_verified(macproof: Command, application: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = ("--program", application, "--cpu", "601", "--scenes", 40, "--programs", "prebuilt")
    done = macproof("verify", "four-shifts", *words, "--json", report)
    assert done.code == 0, done
    (result,) = json.loads(report.read_text())["results"]
    assert (result["verdict"], result["abi"], result["scenes"]) == ("verified", "ppc-poweropen", 40)
    assert result["comparisons"] > 10_000
    program = result["program"]
    assert program["symbols"]["file"] == str(application.with_suffix(".xcoff"))
    assert program["types"]["variables"] == list(VARIABLES)
    own = mac_sources() / "prebuilt"
    assert Path(program["types"]["file"]).parent == own
    said = f"They are taken from the case's own program, build O0 ({own}"
    assert said in done.out
    markdown = tmp_path / "report.md"
    macproof("verify", "four-shifts", *words, "--markdown", markdown)
    assert said.replace("_", "\\_") in markdown.read_text()


@pytest.mark.slow
def test_a_broken_application_is_refuted_and_explained(
    macproof: Command,
    compile_ports: Callable[..., Mapping[Any, Subject]],
    broken_port: Callable[[str], str],
    tmp_path: Path,
) -> None:
    ports = compile_ports({"broken": broken_port("one flag of two")}, ("601",), ("O2",))
    (subject,) = ports.values()
    application = powerpc_application(subject.program, tmp_path)
    report = tmp_path / "report.json"
    words = ("--program", application, "--cpu", "601", "--scenes", 10)
    done = macproof("verify", "four-shifts", *words, "--json", report)
    assert done.code == 1, done
    done = macproof("explain", report, "--trust")
    assert done.code == 1, done
    assert "First difference: gCollisionArray[" in done.out
    assert "still fails has 2 of the 200 objects" in done.out
    application.with_suffix(".xcoff").write_bytes(b"")
    done = macproof("explain", report, "--trust")
    assert (done.code, "is missing or has changed" in done.err) == (2, True)


@pytest.mark.slow
def test_the_routine_of_a_fault_has_its_name(
    macproof: Command,
    compile_ports: Callable[..., Mapping[Any, Subject]],
    broken_port: Callable[[str], str],
    tmp_path: Path,
) -> None:
    ports = compile_ports({"stray": broken_port("stray store")}, ("601",), ("O1",))
    (subject,) = ports.values()
    application = powerpc_application(subject.program, tmp_path)
    done = macproof("explain", "four-shifts", "--program", application, "--cpu", "601")
    assert done.code == 4, done  # no call returns, so the verdict is inconclusive
    assert "_DetermineCollisions+0x" in done.out


@pytest.mark.parametrize(("size", "code"), [(3200, 0), (3184, 2), (0, 0)])
def test_sizes_must_agree(
    macproof: Command,
    prebuilt: Callable[..., list[Subject]],
    tmp_path: Path,
    size: int,
    code: int,
) -> None:
    (subject,) = prebuilt(("601",), ("O1",))
    application = powerpc_application(subject.program, tmp_path, sizes={"gObjects": size})
    words = ("--program", application, "--cpu", "601", "--scenes", 4, "--programs", "prebuilt")
    done = macproof("verify", "four-shifts", *words)
    assert done.code == code, done
    if code:
        assert f"gObjects has {size} bytes, and 3200 in" in done.err


def test_an_application_without_symbols(
    macproof: Command, prebuilt: Callable[..., list[Subject]], tmp_path: Path
) -> None:
    (subject,) = prebuilt(("601",), ("O1",))
    application = powerpc_application(subject.program, tmp_path, symbols=False)
    done = macproof(
        "verify", "four-shifts", "--program", application, "--cpu", "601", "--scenes", 4
    )
    assert done.code == 2
    assert "there is no function _DetermineCollisions" in done.err


def test_an_application_for_the_other_processor(macproof: Command, application: Path) -> None:
    done = macproof(
        "verify", "four-shifts", "--program", application, "--cpu", "68040", "--scenes", 4
    )
    assert done.code == 2
    assert "cannot run on a Motorola 68040" in done.err


def test_an_elf_program_without_debugging_information(
    macproof: Command, prebuilt: Callable[..., list[Subject]], tmp_path: Path
) -> None:
    """Its symbols say where its globals lie, and how large they are."""
    (subject,) = prebuilt(("68040",), ("O2",))
    data = subject.program.read_bytes()
    path = tmp_path / "stripped.elf"
    path.write_bytes(data.replace(b".debug_info\0", b".gone__info\0"))
    assert not read_program(path).has_debug_information
    words = ("--program", path, "--cpu", "68040", "--scenes", 10, "--programs", "prebuilt")
    done = macproof("verify", "four-shifts", *words)
    assert done.code == 0, done
    assert "They are taken from the case's own program" in done.out


def test_the_case_names_its_variables(case: Case) -> None:
    assert case.variables == VARIABLES


# -- what Retro68 builds ------------------------------------------------------------------------

MAIN = '#include "four_shifts.h"\nint main() { _DetermineCollisions(); return 0; }\n'


def _retro68_application(triple: str, folder: Path) -> Path:
    tools = Path(RETRO68) / "bin"
    sources = mac_sources()
    (folder / "main.cpp").write_text(MAIN)
    classic = triple.startswith("m68k")
    linked = folder / ("App.code.bin" if classic else "App.xcoff")
    command = [
        tools / f"{triple}-g++",
        "-O2",
        "-fpermissive",
        "-Dmacintosh",
        *([] if classic else ["-Dpowerc"]),
        f"-I{sources / 'four_shifts'}",
        sources / "four_shifts" / "four_shifts.cpp",
        folder / "main.cpp",
        "-o",
        linked,
    ]
    subprocess.run(command, check=True, capture_output=True)
    if classic:
        return linked
    made = folder / "App.pef"
    subprocess.run([tools / "MakePEF", linked, "-o", made], check=True)
    return made


@pytest.mark.skipif(not RETRO68, reason="RETRO68 does not name the folder of a Retro68 toolchain")
@pytest.mark.parametrize(
    ("triple", "cpu", "abi"),
    [
        ("m68k-apple-macos", "68000", "m68k-retro68"),
        ("m68k-apple-macos", "68040", "m68k-retro68"),
        ("powerpc-apple-macos", "601", "ppc-poweropen"),
    ],
)
def test_what_retro68_builds_is_verified(
    macproof: Command, tmp_path: Path, triple: str, cpu: str, abi: str
) -> None:
    application = _retro68_application(triple, tmp_path)
    report = tmp_path / "report.json"
    words = ("--program", application, "--cpu", cpu, "--scenes", 60, "--programs", "prebuilt")
    done = macproof("verify", "four-shifts", *words, "--json", report)
    assert done.code == 0, done
    (result,) = json.loads(report.read_text())["results"]
    assert result["abi"] == abi
    assert "They are taken from the case's own program" in done.out
