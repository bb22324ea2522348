"""Sections of files with symbols lie where the code and data of the program are."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from emu.base.errors import ProgramError
from emu.debug.places import segments_of
from emu.debug.symbols.elf_sections import read_outline
from emu.debug.symbols.loadable_file import segment_key
from emu.debug.symbols.program_files import application_files
from emu.debug.symbols.unloaded_code import UNLOADED
from emu.machine.cpu import CPUS
from emu.toolbox.computer.settings import Settings
from emu.toolbox.loader import load
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.users.patient_user import PatientUser
from tests.program.test_read import POWER, XCOFF

ROOT = Path(__file__).parents[3]
PROGRAMS = ROOT / "tests/programs/mac/prebuilt"


class ReachedError(Exception):
    """The program is where it was to be stopped."""


def _stop(*_: object, **__: object) -> NoReturn:
    raise ReachedError


def started(path: Path, until: str) -> Macintosh:
    """A program that has run to its first call of a routine."""
    mac = load(path, settings=Settings(timeout=20))
    mac.events.user = PatientUser(mac)
    mac.instead[until] = _stop
    with pytest.raises(ReachedError):
        mac.run()
    return mac


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_code_lies_where_it_is_told(cpu: str) -> None:
    path = PROGRAMS / cpu / "globals.bin"
    mac = started(path, "InitGraf")
    (file,) = application_files(path, mac.cpu.architecture, None)
    segments = {segment_key(s.name): s.address for s in segments_of(mac)}
    same = {}
    for section in file.sections:
        if section.data:
            memory = mac.guest.read(section.place(segments), section.size)
            pairs = zip(memory, section.data, strict=True)
            same[section.name] = sum(a == b for a, b in pairs) / section.size
            at = section.data.find(b"can be changed")
            assert at < 0 or memory[at:].startswith(b"can be changed")
    # Longs that are relocated differ.
    assert same[".code00001" if cpu == "68000" else ".text"] > 0.85
    assert ".data" in same
    main = file.find("main", segments)
    assert main is not None
    assert "main+0x0" in mac.host.locate(main)


def test_names_in_the_code_become_a_file(tmp_path: Path) -> None:
    """Without a linked file the names that MacsBug reads are used."""
    (file,) = application_files(ROOT / "examples/old-game/Turncoat.bin", "m68k", None)
    mac = started(ROOT / "examples/old-game/Turncoat.bin", "InitGraf")
    segments = {segment_key(s.name): s.address for s in segments_of(mac)}
    place = file.find("CountDiscs", segments)
    assert place is not None
    assert "CountDiscs+0x0" in mac.host.locate(place)
    (tmp_path / "names.elf").write_bytes(file.image)
    outline = read_outline(tmp_path / "names.elf")
    assert outline.routines == file.routines
    assert [s.name for s in outline.sections] == ["CODE1"]


@pytest.mark.parametrize("is_beside", [True, False])
def test_names_of_an_xcoff_file(is_beside: bool, tmp_path: Path) -> None:
    """Retro68's linked file for the PowerPC; GDB gets its names as an ELF file."""
    path = tmp_path / "App.bin"
    path.write_bytes(POWER)
    symbols = tmp_path / ("App.xcoff" if is_beside else "Elsewhere.xcoff")
    symbols.write_bytes(XCOFF)
    (file,) = application_files(path, "powerpc", None if is_beside else symbols)
    assert file.find("Routine", {"section 0": 0x5000}) == 0x5004
    symbols.write_bytes(XCOFF[:40])
    if not is_beside:
        with pytest.raises(ProgramError):
            application_files(path, "powerpc", symbols)


@pytest.mark.parametrize(("cpu", "segment"), [("68000", "CODE1"), ("601", "section0")])
def test_routines_without_names_are_called_by_their_places(
    cpu: str, segment: str, tmp_path: Path
) -> None:
    path = tmp_path / "menus.bin"
    path.write_bytes((PROGRAMS / cpu / "menus.bin").read_bytes())
    (file,) = application_files(path, CPUS[cpu].architecture, None)
    (section,) = file.sections
    assert len(file.routines) > 50
    assert file.routines == {
        f"{segment}_{address - section.address:x}": address for address in file.routines.values()
    }


def test_segment_that_is_not_loaded_lies_nowhere() -> None:
    path = PROGRAMS / "68000/callbacks.bin"
    (file,) = application_files(path, "m68k", None)
    assert [section.place({}) for section in file.sections] == [
        UNLOADED + section.address for section in file.sections
    ]
    assert file.unloaded()[0].data == file.sections[0].data
