"""Shared libraries of PowerPC programs: found, connected, initialised, refused by name."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.program.fragments.fragment_program import pef_program
from emu.program.fragments.shared_libraries import libraries_for
from emu.program.mac_file.mac_file import read_mac_file
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.program.pef.pef import parse_pef
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.computer.settings import Settings
from emu.toolbox.loader import load
from emu.toolbox.macintosh import Macintosh
from tests.program import fragment_samples as sample
from tests.program.code_samples import NEAR, RTS, code_0, near
from tests.program.fragment_samples import T_VECTOR, WEAK, Library
from tests.toolbox.conftest import do, make_mac, run_code

CALL = (
    "7c0802a6 90010008 9421ffc0"  # mflr r0; stw r0,8(r1); stwu r1,-64(r1)
    "818200{:02x} 90410014 800c0000 804c0004"  # lwz r12,n(r2); stw r2,20(r1); its code and TOC
    "7c0903a6 4e800421 80410014"  # mtctr r0; bctrl; lwz r2,20(r1)
    "906200{:02x}"  # stw r3,n(r2)
    "38210040 80010008 7c0803a6 4e800020"  # return
)
"""Call the routine whose vector is at an offset of the table of contents, and keep its result."""


def application(
    library: str = "TestLib",
    symbols: tuple[tuple[str, int], ...] = (("Answer", T_VECTOR), ("Absent", T_VECTOR | WEAK)),
    options: int = 0,
) -> bytes:
    """A program that keeps what the first symbol answers at 16, and has the second's address at 12.

    Its table of contents is its data: vector, the two imports, the result.
    """
    data = struct.pack(">5I", 0, 0, 0, 0, 0)
    loader = sample.loader_section(
        libraries=[Library(library, symbols, options)],
        relocations={1: sample.run(3, 1) + sample.run(5, 2)},
        main=(1, 0),
    )
    code = bytes.fromhex(CALL.format(8, 16))
    return sample.pef([sample.Section(0, code), sample.Section(1, data)], loader)


def library(answer: int = 42, error: int = 0, needs: str = "") -> bytes:
    """A library whose initialisation stores the answer that its routine gives."""
    code = bytes.fromhex(
        "80620010 4e800020"  # lwz r3,16(r2); blr
        f"3800{answer:04x} 90020010 3860{error & 0xFFFF:04x} 4e800020"
    )
    data = struct.pack(">6I", 0, 0, 8, 0, 0, 0)
    loader = sample.loader_section(
        libraries=[Library(needs, [("Answer", T_VECTOR)])] if needs else [],
        exports=[("Answer", T_VECTOR, 1, 0), ("Cell", 1, 1, 16)],
        relocations={
            1: sample.run(3, 2) + sample.incr_position(4) + sample.run(5, 1) * bool(needs)
        },
        initialise=(1, 8),
    )
    return sample.pef([sample.Section(0, code), sample.Section(1, data)], loader)


def put(folder: Path, name: str, data: bytes, *fragments: tuple[int, int, int, str]) -> Path:
    """A file with fragments in its data fork: usage, offset, length and name of each."""
    records = sample.cfrg(*((b"pwpc", usage, 1, *rest) for usage, *rest in fragments))
    fork = make_resource_fork([Resource("cfrg", 0, "", 0, records)])
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(
        make_macbinary(name, type="APPL", creator="????", data=data, resource_fork=fork)
    )
    return path


def results(mac: Macintosh) -> tuple[int, int]:
    """The answer that the program got, and the address of what it imports weakly."""
    data = next(r for r in mac.layout.sections if r.name == "section 1 (data)")
    return mac.guest.u32(data.address + 16), mac.guest.u32(data.address + 12)


def test_a_program_is_connected_to_a_library_beside_it(tmp_path: Path) -> None:
    path = put(tmp_path, "App", application(), (1, 0, 0, "App"))
    put(tmp_path, "Library file", library(), (0, 0, 0, "TestLib"))
    mac = load(path)
    mac.run()
    assert results(mac) == (42, 0)
    assert not mac.outputs.findings


def test_libraries_are_in_the_program_s_own_file_or_in_the_folder(tmp_path: Path) -> None:
    program, own = application(), library(1)
    places = (1, 0, len(program), "Both"), (0, len(program), len(own), "TestLib")
    both = put(tmp_path / "own", "Both", program + own, *places)
    put(tmp_path, "Library file", library(2), (0, 0, 0, "TestLib"))
    mac = load(both, settings=Settings(folder=tmp_path))
    mac.run()
    assert results(mac)[0] == 1, "its own file is searched first"
    other = tmp_path / "other"
    path = put(other, "App", program, (1, 0, 0, "App"))
    (other / "damaged").write_bytes(b"Joy!peffpwpc")
    mac = load(path, settings=Settings(folder=tmp_path))
    mac.run()
    assert results(mac)[0] == 2
    (other / "TestLib").write_bytes(library(3))
    assert libraries_for(read_mac_file(path), path, None)["TestLib"].fragment is None


def test_a_library_s_own_libraries_are_initialised_before_it(tmp_path: Path) -> None:
    path = put(tmp_path, "App", application(), (1, 0, 0, "App"))
    put(tmp_path, "One", library(7, needs="Deeper"), (0, 0, 0, "TestLib"))
    put(tmp_path, "Two", library(8, needs="TestLib"), (0, 0, 0, "Deeper"))
    mac = load(path)
    order = [fragment.name for fragment in mac.fragments.waiting]
    assert order == ["Deeper", "TestLib", "App"]
    mac.run()
    assert results(mac)[0] == 7


def test_what_is_missing_is_named_before_the_program_starts(tmp_path: Path) -> None:
    path = put(tmp_path, "App", application(), (1, 0, 0, "App"))
    with pytest.raises(ProgramError) as caught:
        load(path)
    assert "App imports Answer from TestLib, which is not there" in str(caught.value)
    assert (
        "This machine has InterfaceLib, MathLib, ObjectSupportLib, StdCLib, ThreadsLib and the "
        "libraries of Open Transport." in str(caught.value)
    )
    put(tmp_path, "One", library(needs="Deeper"), (0, 0, 0, "TestLib"))
    with pytest.raises(ProgramError, match="TestLib imports Answer from Deeper, which is not"):
        load(path)
    symbols = (("Other", T_VECTOR), ("Absent", T_VECTOR | WEAK))
    put(tmp_path, "One", library(), (0, 0, 0, "TestLib"))
    path = put(tmp_path, "App", application(symbols=symbols), (1, 0, 0, "App"))
    with pytest.raises(ProgramError, match="imports Other from TestLib, which does not have it"):
        load(path)


def test_a_fat_application_that_lacks_a_library_runs_for_the_68k(tmp_path: Path) -> None:
    records = sample.cfrg((b"pwpc", 1, 1, 0, 0, "App"))
    fork = make_resource_fork(
        [
            Resource("cfrg", 0, "", 0, records),
            Resource("CODE", 0, "", 0, code_0([(NEAR, 1, 0)], below=64)),
            Resource("CODE", 1, "", 0, near(RTS)),
        ]
    )
    path = tmp_path / "Fat"
    path.write_bytes(
        make_macbinary("Fat", type="APPL", creator="????", data=application(), resource_fork=fork)
    )
    assert load(path).cpu.name == "68040"
    with pytest.raises(ProgramError, match="Its 68K program runs with --cpu 68040"):
        load(path, "601")
    put(tmp_path, "Library file", library(), (0, 0, 0, "TestLib"))
    assert load(path).cpu.name == "601"


def test_a_library_of_a_later_system_is_there_for_who_cannot_do_without(tmp_path: Path) -> None:
    """But not for who asks whether it is there."""
    symbols = (("NewDrag", T_VECTOR), ("TrackDrag", T_VECTOR | WEAK))
    path = put(tmp_path, "App", application("DragLib", symbols), (1, 0, 0, "App"))
    mac = load(path)
    data = next(r for r in mac.layout.sections if r.name == "section 1 (data)").address
    heading = "FUNCTION NewDrag (drag: Ptr): OSErr"
    drag = mac.memory.new_pointer(4)
    assert mac.host.call_guest(mac.guest.u32(data + 8), heading, drag) == 0
    assert mac.guest.u32(drag) == 1
    assert mac.guest.u32(data + 12) == 0
    name = mac.memory.new_pointer(8)
    mac.guest.put_pascal_string(name, b"DragLib")
    answers = (mac.memory.new_pointer(256) for _ in range(3))
    assert do(mac, "GetSharedLibrary", name, "pwpc", 1, *answers) == -2804  # cfragNoLibraryErr


def test_a_file_with_such_a_library_goes_first(tmp_path: Path) -> None:
    path = put(tmp_path, "App", application("DragLib"), (1, 0, 0, "App"))
    put(tmp_path, "Library file", library(9), (0, 0, 0, "DragLib"))
    mac = load(path)
    mac.run()
    assert results(mac)[0] == 9


@pytest.mark.parametrize("name", ["NoSuchLib", "InterfaceLib"])
def test_what_is_imported_weakly_is_nil(tmp_path: Path, name: str) -> None:
    symbols = (("TickCount", T_VECTOR | WEAK), ("NoSuchRoutine", T_VECTOR | WEAK))
    path = put(tmp_path, "App", application(name, symbols), (1, 0, 0, "App"))
    mac = load(path)
    data = next(r for r in mac.layout.sections if r.name == "section 1 (data)")
    assert bool(mac.guest.u32(data.address + 8)) == (name == "InterfaceLib")
    assert mac.guest.u32(data.address + 12) == 0


@pytest.mark.parametrize("name", ["NoSuchLib", "InterfaceLib"])
def test_calling_what_is_imported_weakly_and_absent_is_named(tmp_path: Path, name: str) -> None:
    symbols = (("NoSuchRoutine", T_VECTOR | WEAK), ("TickCount", T_VECTOR | WEAK))
    path = put(tmp_path, "App", application(name, symbols), (1, 0, 0, "App"))
    result = run_request(RunRequest(path))
    assert result.exit_code == 4
    assert f"it calls NoSuchRoutine of {name}, which it imports weakly" in result.problem


def test_variables_of_the_system_s_libraries(tmp_path: Path) -> None:
    path = put(tmp_path, "App", application("MathLib", (("pi", 1), ("pi", 1))), (1, 0, 0, "App"))
    mac = load(path)
    answer = next(r for r in mac.layout.sections if r.name == "section 1 (data)").address
    first, second = mac.guest.u32(answer + 8), mac.guest.u32(answer + 12)
    assert first == second
    assert struct.unpack(">d", mac.guest.read(first, 8)) == (math.pi,)
    symbols = (("_StdDevs", 1), ("errno", 1))
    path = put(tmp_path, "App", application("StdCLib", symbols), (1, 0, 0, "App"))
    with pytest.raises(
        ProgramError, match="App imports _StdDevs from StdCLib, which does not have it"
    ):
        load(path)


@pytest.mark.parametrize(
    ("name", "size"),
    [("_IntEnv", 14), ("__C_phase", 4), ("_exit_status", 4), ("__NubAt3", 4)],
)
def test_what_start_up_code_takes_from_stdclib_is_there(
    name: str, size: int, tmp_path: Path
) -> None:
    """A program linked with StdCLib was not started, whatever it does with them."""
    symbols = ((name, 1), ("__target_for_exit", 1))
    mac = load(put(tmp_path, "App", application("StdCLib", symbols), (1, 0, 0, "App")))
    data = next(r for r in mac.layout.sections if r.name == "section 1 (data)").address
    first, jump = mac.guest.u32(data + 8), mac.guest.u32(data + 12)
    assert mac.guest.read(first, size) == bytes(size)  # no debugger, and main has no arguments
    assert jump >= first + size


CLASSES = {
    "A": 0x81, "F": 0x81, "G": 0x01, "a": 0x82, "g": 0x02, "7": 0x84, " ": 0x48, "\t": 0x28,
    "\r": 0x28, "\x0e": 0x20, "\x7f": 0x20, "!": 0x10, "_": 0x10, "\x80": 0, "\xff": 0,
}  # fmt: skip
"""What the macros of MPW's ctype.h look up."""


def test_characters_are_looked_up_in_the_table_of_stdclib(tmp_path: Path) -> None:
    symbols = (("__p_CType", 1), ("_iob", 1))
    mac = load(put(tmp_path, "App", application("StdCLib", symbols), (1, 0, 0, "App")))
    data = next(r for r in mac.layout.sections if r.name == "section 1 (data)").address
    table, streams = mac.guest.u32(mac.guest.u32(data + 8)), mac.guest.u32(data + 12)
    found = {letter: mac.guest.u8(table + ord(letter)) for letter in CLASSES}
    assert found == CLASSES
    assert mac.guest.read(streams, 40 * 24) == bytes(40 * 24)


def test_a_program_without_the_machine_has_the_table_too(tmp_path: Path) -> None:
    """As `inspect`, `port` and cases read it."""
    symbols = (("errno", 1), ("__p_CType", 1))
    program = pef_program(parse_pef(application("StdCLib", symbols), tmp_path), tmp_path)
    (segment,) = (s for s in program.segments if s.name == "imported variables")
    at = next(s.address for s in program.symbols if s.name == "__p_CType") - segment.address
    table = int.from_bytes(segment.data[at : at + 4], "big") - segment.address
    assert [segment.data[table + ord(letter)] for letter in CLASSES] == list(CLASSES.values())
    assert segment.data[at - 8 : at] == bytes(8)


def test_a_variable_is_data_however_it_is_imported(tmp_path: Path) -> None:
    """Not every linker notes what is data; the bytes of a stub were taken for its value."""
    symbols = (("errno", T_VECTOR), ("MacOSErr", T_VECTOR))
    mac = load(put(tmp_path, "App", application("StdCLib", symbols), (1, 0, 0, "App")))
    data = next(r for r in mac.layout.sections if r.name == "section 1 (data)").address
    for place in (8, 12):
        variable = mac.guest.u32(data + place)
        region = mac.guest.memory.find(variable)
        assert region is not None and region.name == "heap" and region.writable
        assert mac.guest.u16(variable) == 0


def test_calls_of_components_go_through_a_variable(tmp_path: Path) -> None:
    """Glue for one component imports InterfaceLib's CallComponentUPP, and was not started."""
    symbols = (("CallComponentUPP", 1), ("errno", 1))
    mac = load(put(tmp_path, "App", application("InterfaceLib", symbols), (1, 0, 0, "App")))
    data = next(r for r in mac.layout.sections if r.name == "section 1 (data)").address
    pointer = mac.guest.u32(mac.guest.u32(data + 8))
    heading = "FUNCTION CallComponent (parameters: Ptr): LONGINT"
    assert mac.host.call_guest(pointer, heading, 0) & 0xFFFFFFFF == 0x80008001


def test_a_library_that_cannot_be_initialised_stops_the_program(tmp_path: Path) -> None:
    path = put(tmp_path, "App", application(), (1, 0, 0, "App"))
    put(tmp_path, "Library file", library(error=-1), (0, 0, 0, "TestLib"))
    result = run_request(RunRequest(path))
    assert result.exit_code == 4
    assert "the initialisation routine of TestLib failed" in result.problem


def test_a_library_is_told_from_an_application(tmp_path: Path) -> None:
    path = put(tmp_path, "Library file", library(), (0, 0, 0, "TestLib"))
    with pytest.raises(ProgramError, match=r"it is a shared library \(TestLib\), which does noth"):
        load(path)
    (tmp_path / "Bare").write_bytes(library())
    with pytest.raises(ProgramError, match=r"it is a shared library \(Bare\)"):
        load(tmp_path / "Bare")


# -- calls -----------------------------------------------------------------------------------------


class Caller:
    """A Power Macintosh with a library in a file, and room for the results of calls."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.mac = make_mac("601")
        for name in names:
            put(folder, name, library(needs="Missing" if name == "Lame" else ""), (0, 0, 0, name))
        path = put(folder, "App", application(), (1, 0, 0, "App"))
        self.mac.fragments.available = libraries_for(read_mac_file(path), path, None)
        self.room = self.mac.memory.new_pointer(600, clear=True)
        self.connection, self.main, self.message = self.room, self.room + 4, self.room + 300

    def text(self, text: str) -> int:
        place = self.mac.memory.new_pointer(256)
        self.mac.guest.put_pascal_string(place, text.encode())
        return place

    def get(self, name: str, flags: int = 1, architecture: str = "pwpc") -> int:
        places = self.connection, self.main, self.message
        return int(do(self.mac, "GetSharedLibrary", self.text(name), architecture, flags, *places))

    def find(self, name: str) -> tuple[int, int, int]:
        """Result, address and kind of a symbol of the connection."""
        connection = self.mac.guest.u32(self.connection)
        places = self.room + 8, self.room + 12
        code = do(self.mac, "FindSymbol", connection, self.text(name), *places)
        return int(code), self.mac.guest.u32(places[0]), self.mac.guest.u8(places[1])


def test_a_program_connects_to_a_library_itself(tmp_path: Path) -> None:
    caller = Caller(tmp_path, "TestLib")
    mac = caller.mac
    assert caller.get("TestLib", flags=2) == -2804, "it is found only if it is loaded"
    assert caller.get("TestLib") == 0
    assert mac.guest.u32(caller.main) == 0
    code, vector, kind = caller.find("Answer")
    assert (code, kind) == (0, 2)
    assert mac.call_guest(vector, "FUNCTION Answer: LONGINT") == 42
    code, cell, kind = caller.find("Cell")
    assert (code, mac.guest.u32(cell), kind) == (0, 42, 1)
    assert caller.find("Nothing")[0] == -2802
    connection = mac.guest.u32(caller.connection)
    assert do(mac, "CountSymbols", connection, caller.room + 16) == 0
    assert mac.guest.u32(caller.room + 16) == 2
    found = set()
    for index in range(3):
        places = caller.room + 20, caller.room + 8, caller.room + 12
        code = do(mac, "GetIndSymbol", connection, index, *places)
        found.add((code, mac.guest.pascal_string(places[0])) if code == 0 else (code, b""))
    assert found == {(0, b"Answer"), (0, b"Cell"), (-2802, b"")}
    assert caller.get("TestLib", flags=2) == 0
    assert do(mac, "CloseConnection", caller.connection) == 0
    assert caller.find("Answer")[0] == 0, "it was connected twice"
    assert do(mac, "CloseConnection", caller.connection) == 0
    assert do(mac, "CloseConnection", caller.connection) == -2801
    assert caller.find("Answer")[0] == -2801
    assert caller.get("TestLib", flags=2) == -2804
    assert not mac.outputs.findings


def test_the_system_s_libraries_can_be_connected_too(tmp_path: Path) -> None:
    caller = Caller(tmp_path)
    assert caller.get("InterfaceLib") == 0
    code, vector, kind = caller.find("TickCount")
    assert (code, kind) == (0, 2)
    assert caller.mac.call_guest(vector, "FUNCTION TickCount: LONGINT") >= 0
    assert caller.find("NoSuchRoutine")[0] == -2802
    assert do(caller.mac, "CloseConnection", caller.connection) == 0


def test_a_library_that_cannot_be_connected_is_named(tmp_path: Path) -> None:
    caller = Caller(tmp_path, "Lame")
    for name, message in (("Nowhere", b"Nowhere"), ("Lame", b"Missing")):
        assert caller.get(name) == -2804
        assert caller.mac.guest.pascal_string(caller.message) == message
    assert caller.get("Lame", flags=2) == -2804, "nothing of it stays"
    assert caller.get("Lame", architecture="m68k") == -2804


def test_fragments_of_a_file_and_of_memory(tmp_path: Path) -> None:
    caller = Caller(tmp_path)
    mac, data = caller.mac, b"in front" + library(9)
    mac.files.add("Plug-in", data)
    specification = mac.memory.new_pointer(70, clear=True)
    mac.guest.put16(specification, 0xFFFF)
    mac.guest.put32(specification + 2, 2)
    mac.guest.put_pascal_string(specification + 6, b"Plug-in")
    places = caller.connection, caller.main, caller.message
    for offset, length, expected in ((8, 0, 0), (8, len(data) - 8, 0), (0, 0, -2806)):
        code = do(mac, "GetDiskFragment", specification, offset, length, 0, 1, *places)
        assert code == expected
    assert mac.call_guest(caller.find("Answer")[1], "FUNCTION Answer: LONGINT") == 9
    mac.guest.put_pascal_string(specification + 6, b"Nothing")
    assert do(mac, "GetDiskFragment", specification, 8, 0, 0, 1, *places) == -43
    place = mac.memory.new_pointer(len(data))
    mac.guest.write(place, data)
    name = caller.text("In memory")
    assert do(mac, "GetMemFragment", place + 8, len(data) - 8, name, 5, *places) == 0
    assert mac.call_guest(caller.find("Answer")[1], "FUNCTION Answer: LONGINT") == 9


@pytest.mark.parametrize(("value", "answer"), [(7, 7), (0, 1)])
def test_longjmp_comes_back_from_setjmp(value: int, answer: int) -> None:
    """The C library's routines are guest code: they keep all registers that must be preserved."""
    mac = make_mac("601")
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    code = {
        name: mac.guest.u32(mac.dispatcher.import_address(name)) for name in ("__setjmp", "longjmp")
    }
    program = (
        "7fa802a6 7c7e1b78 7d7c5b78 3b600005"  # mflr r29; mr r30,r3; mr r28,r11; li r27,5
        "c9c30000 7d8903a6 4e800421"  # lfd f14,0(r3); mtctr r12; bctrl
        "2c030000 4082001c"  # cmpwi r3,0; bne to the end
        "3b600009 c9de0008 7fc3f378"  # li r27,9; lfd f14,8(r30); mr r3,r30
        f"3880{value:04x} 7f8903a6 4e800420"  # li r4,value; mtctr r28; bctr
        "7c63da14 d9de0100 7fa803a6 4e800020"  # add r3,r3,r27; stfd f14,256(r30); return
    )
    room = mac.memory.new_pointer(280, clear=True)
    mac.guest.write(room, struct.pack(">2d", 1.5, 2.5))
    found = run_code(mac, program, r3=room, r12=code["__setjmp"], r11=code["longjmp"])
    assert found["r3"] == answer + 5
    assert struct.unpack(">d", mac.guest.read(room + 256, 8)) == (1.5,)
