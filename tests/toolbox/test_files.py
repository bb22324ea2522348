"""The File Manager's calls, on both processors where both have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.program.mac_file.resource_fork import Resource, make_resource_fork, parse_resource_fork
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.files import (
    CMovePBRec,
    DirInfo,
    FCBPBRec,
    HFileInfo,
    HVolumeParam,
    IOParam,
    WDPBRec,
)
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import do, make_mac, run_code

AT_MARK, FROM_START, FROM_END = 0, 1, 2
FIELDS = {
    field.name: field
    for kind in (IOParam, HFileInfo, CMovePBRec, HVolumeParam, WDPBRec, FCBPBRec)
    for field in kind.fields
}


class Desk:
    """Parameter blocks and names in guest memory, and calls on them."""

    def __init__(self, mac: Macintosh) -> None:
        self.mac = mac
        self.block = mac.memory.new_pointer(128, clear=True)
        self.name = mac.memory.new_pointer(256)
        self.other = mac.memory.new_pointer(256)
        self.buffer = mac.memory.new_pointer(1024)

    @property
    def io(self) -> IOParam:
        return IOParam(self.mac.guest, self.block)

    @property
    def file(self) -> HFileInfo:
        return self.io.cast(HFileInfo)

    @property
    def folder(self) -> DirInfo:
        return self.io.cast(DirInfo)

    @property
    def volume(self) -> HVolumeParam:
        return self.io.cast(HVolumeParam)

    @property
    def opened(self) -> FCBPBRec:
        return self.io.cast(FCBPBRec)

    @property
    def working(self) -> WDPBRec:
        return self.io.cast(WDPBRec)

    def string(self, text: str | bytes, *, other: bool = False) -> int:
        raw = text.encode("mac_roman") if isinstance(text, str) else text
        place = self.other if other else self.name
        self.mac.guest.put_pascal_string(place, raw)
        return place

    def pb(self, call: str, name: str | bytes | None = None, **fields: int) -> int:
        """A call with a parameter block that is zero but for the fields given; its result."""
        guest = self.mac.guest
        guest.write(self.block, bytes(128))
        if name is not None:
            self.io.ioNamePtr = self.string(name)
        for field, value in fields.items():
            self.io[FIELDS[field]] = value
        result = do(self.mac, call, self.block)
        assert self.io.ioResult == result
        return int(result)

    def open(self, name: str, permission: int = 3, call: str = "PBHOpenSync") -> int:
        assert self.pb(call, name, ioPermssn=permission) == 0
        return self.io.ioRefNum

    def write(self, reference: int, data: bytes, mode: int = 0, offset: int = 0) -> int:
        self.mac.guest.write(self.buffer, data)
        return self.pb(
            "PBWriteSync",
            ioRefNum=reference,
            ioBuffer=self.buffer,
            ioReqCount=len(data),
            ioPosMode=mode,
            ioPosOffset=offset,
        )

    def read(self, reference: int, count: int, mode: int = 0, offset: int = 0) -> tuple[int, bytes]:
        result = self.pb(
            "PBReadSync",
            ioRefNum=reference,
            ioBuffer=self.buffer,
            ioReqCount=count,
            ioPosMode=mode,
            ioPosOffset=offset,
        )
        return result, self.mac.guest.read(self.buffer, self.io.ioActCount)


@pytest.fixture
def desk(mac: Macintosh) -> Desk:
    mac.files.add("out", b"one\rtwo\rthree")
    return Desk(mac)


def problems(mac: Macintosh) -> list[str]:
    return [finding.problem for finding in mac.outputs.findings.values()]


# -- files that are open ---------------------------------------------------------------------------


def test_a_search_path_for_files_is_accepted() -> None:
    mac = make_mac("68040")
    block = mac.memory.new_pointer(128, clear=True)
    assert run_code(mac, "700c a260 4e75", a0=block)["d0"] == 0  # SetPMSP


def test_a_test_log_is_written_as_retro68_writes_it(desk: Desk) -> None:
    mac = desk.mac
    mac.files.add("out")
    for line in (b"One", b"Two"):
        reference = desk.open("out")
        assert desk.write(reference, line, FROM_END) == 0
        assert desk.write(reference, b"\n", FROM_END) == 0
        assert desk.pb("PBCloseSync", ioRefNum=reference) == 0
        assert desk.pb("PBFlushVolSync") == 0
    assert mac.files.contents("OUT") == b"One\nTwo\n"
    assert mac.files.changed_files() == {"out": b"One\nTwo\n"}


def test_reading_into_low_memory_is_reported(desk: Desk) -> None:
    reference = desk.open("out", 1)
    desk.buffer = 0x9DE
    desk.read(reference, 4)
    assert [check for check, _ in desk.mac.outputs.findings] == ["low memory"]
    assert problems(desk.mac)[0].endswith("wrote 4 bytes to low memory at 0x09de")


def test_reading_to_a_line_end_and_to_the_end(desk: Desk) -> None:
    reference = desk.open("out", 1)
    newline = 0x80 | ord("\r") << 8
    assert desk.read(reference, 100, newline) == (0, b"one\r")
    assert desk.io.ioPosOffset == 4, "the mark is told"
    assert desk.read(reference, 2, newline) == (0, b"tw")
    assert desk.read(reference, 100, newline) == (0, b"o\r")
    assert desk.read(reference, 100, newline) == (ResultCode.eofErr, b"three")
    assert desk.read(reference, 1) == (ResultCode.eofErr, b"")
    assert desk.read(reference, 3, FROM_START, 4) == (0, b"two")
    assert desk.read(reference, 3, FROM_START, -1) == (ResultCode.posErr, b"")
    assert desk.read(reference, -1) == (ResultCode.paramErr, b"")
    assert desk.read(reference, 0) == (0, b"")


def test_marks_and_ends(desk: Desk) -> None:
    reference = desk.open("out")
    assert desk.pb("PBGetEOFSync", ioRefNum=reference) == 0
    assert desk.io.ioMisc == 13
    assert desk.pb("PBSetFPosSync", ioRefNum=reference, ioPosMode=FROM_END, ioPosOffset=-3) == 0
    assert desk.pb("PBGetFPosSync", ioRefNum=reference) == 0
    assert desk.io.ioPosOffset == 10
    assert desk.pb("PBSetFPosSync", ioRefNum=reference, ioPosMode=FROM_START, ioPosOffset=99) == -39
    assert desk.io.ioPosOffset == 13
    assert desk.pb("PBSetEOFSync", ioRefNum=reference, ioMisc=3) == 0
    assert desk.pb("PBAllocateSync", ioRefNum=reference, ioReqCount=100) == 0
    assert desk.io.ioActCount == 2048
    assert desk.pb("PBFlushFileSync", ioRefNum=reference) == 0
    assert desk.mac.files.contents("out") == b"one"


def test_wrong_reference_numbers(desk: Desk) -> None:
    calls = ("Close", "Read", "Write", "GetEOF", "SetEOF", "GetFPos", "SetFPos", "Allocate")
    for call in (*calls, "FlushFile", "LockRange"):
        assert desk.pb(f"PB{call}Sync", ioRefNum=77) == ResultCode.rfNumErr, call
    assert "the program used a file that is not open" in problems(desk.mac)


def test_writing_without_permission_is_refused_and_reported(desk: Desk) -> None:
    reference = desk.open("out", 1)
    assert desk.write(reference, b"x") == ResultCode.wrPermErr
    assert desk.pb("PBSetEOFSync", ioRefNum=reference) == ResultCode.wrPermErr
    assert desk.pb("PBAllocateSync", ioRefNum=reference) == ResultCode.wrPermErr
    assert problems(desk.mac) == ["the program wrote to a file that is open only for reading"]
    assert desk.mac.files.changed_files() == {}


def test_the_second_writer_is_told_about_the_first(desk: Desk) -> None:
    first = desk.open("out")
    assert desk.pb("PBHOpenSync", "out", ioPermssn=3) == ResultCode.opWrErr
    assert desk.io.ioRefNum == first
    assert desk.open("out", 3, "PBHOpenRFSync") != first
    assert desk.open("out", 1, "PBOpenDFSync")


@pytest.mark.parametrize("is_cut_short", [False, True])
def test_what_is_left_open_is_reported_and_kept(desk: Desk, is_cut_short: bool) -> None:
    reference = desk.open("out")
    desk.write(reference, b"ONE")
    desk.mac.host.is_cut_short = is_cut_short
    desk.mac.files.finish()
    told = "the data fork of out was still open when the program ended"
    assert problems(desk.mac) == ([] if is_cut_short else [told])
    assert desk.mac.files.contents("out") == b"ONE\rtwo\rthree"
    desk.mac.files.finish()


def test_information_about_an_open_file(desk: Desk) -> None:
    reference = desk.open("out")
    desk.read(reference, 4)
    guest = desk.mac.guest
    assert desk.pb("PBGetFCBInfoSync", b"", ioRefNum=reference) == 0
    assert guest.pascal_string(desk.name) == b"out"
    assert desk.opened.ioFCBFlags == 0x100
    block = desk.opened
    assert (block.ioFCBEOF, block.ioFCBPLen, block.ioFCBCrPs, block.ioFCBParID) == (13, 2048, 4, 2)
    open_files = len(list(desk.mac.files.open))
    assert desk.pb("PBGetFCBInfoSync", ioFCBIndx=open_files) == 0
    assert desk.pb("PBGetFCBInfoSync", ioFCBIndx=open_files + 1) == ResultCode.fnOpnErr
    assert desk.pb("PBGetFCBInfoSync", ioFCBIndx=0, ioRefNum=77) == ResultCode.rfNumErr
    assert not problems(desk.mac), "a question about open files is no mistake"


def test_a_driver_that_is_not_there_is_named(desk: Desk) -> None:
    assert desk.pb("PBWriteSync", ioRefNum=-7) == ResultCode.notOpenErr
    assert desk.pb("PBReadSync", ioRefNum=-30) == ResultCode.badUnitErr
    assert problems(desk.mac) == [
        "the program used the serial driver .AOut, which it has not opened",
        "the program used the device driver -30, which this Macintosh does not have",
    ]
    assert desk.pb("PBWriteSync", ioRefNum=-10795) == ResultCode.badUnitErr
    found = desk.mac.outputs.findings.values()
    assert [finding.sureness for finding in found] == [Sureness.UNUSUAL] * 3, "the error says so"


def test_the_asynchronous_form_calls_back() -> None:
    """68K: the completion routine finds the block in A0 and the result in D0."""
    mac = make_mac("68040")
    mac.files.add("out", b"text")
    desk = Desk(mac)
    seen = mac.memory.new_pointer(8, clear=True)
    routine = mac.memory.new_pointer(32)
    # MOVEA.L #seen,A1; MOVE.L A0,(A1); MOVE.L D0,4(A1); RTS
    code = bytes.fromhex("227c") + seen.to_bytes(4, "big") + bytes.fromhex("22882340 00044e75")
    mac.guest.write(routine, code)
    mac.guest.write(desk.block, bytes(128))
    desk.io.ioNamePtr = desk.string("missing")
    desk.io.ioCompletion = routine
    assert do(mac, "PBHOpenAsync", desk.block) == ResultCode.fnfErr
    assert mac.guest.u32(seen) == desk.block
    assert mac.guest.i32(seen + 4) == ResultCode.fnfErr
    mac.guest.write(seen, bytes(8))
    assert do(mac, "PBHOpenSync", desk.block) == ResultCode.fnfErr
    assert mac.guest.u32(seen) == 0, "the synchronous form does not"


def test_traps_tell_their_forms_apart() -> None:
    """_HOpen has a directory ID and _Open has none; D0 and the flags hold the result."""
    mac = make_mac("68040")
    mac.files.add("out", b"text")
    desk = Desk(mac)
    desk.pb("PBDirCreateSync", "Sub")
    folder = desk.file.ioDirID
    for trap, result in (("a000", 0), ("a200", ResultCode.fnfErr)):
        mac.guest.write(desk.block, bytes(128))
        desk.io.ioNamePtr = desk.string("out")
        desk.file.ioDirID = folder
        registers = run_code(mac, trap + "4e75", a0=desk.block)
        assert registers["d0"] == result & 0xFFFFFFFF
    # _HFSDispatch with selector 9 in D0: GetCatInfo of the folder.
    mac.guest.write(desk.block, bytes(128))
    desk.io.ioNamePtr = desk.string("Sub")
    assert run_code(mac, "7009a2604e75", a0=desk.block)["d0"] == 0
    assert desk.file.ioDirID == folder


# -- names -----------------------------------------------------------------------------------------


def test_making_renaming_and_deleting(desk: Desk) -> None:
    mac = desk.mac
    assert desk.pb("PBHCreateSync", "new") == 0
    assert desk.pb("PBHCreateSync", "NEW") == ResultCode.dupFNErr
    assert desk.pb("PBDirCreateSync", "Sub") == 0
    folder = desk.file.ioDirID
    assert desk.pb("PBHCreateSync", "inner", ioDirID=folder) == 0
    assert mac.files.changed_files() == {"new": b"", "Sub:inner": b""}
    desk.string("renamed", other=True)
    assert desk.pb("PBHRenameSync", "inner", ioDirID=folder, ioMisc=desk.other) == 0
    assert desk.pb("PBCatMoveSync", "renamed", ioDirID=folder, ioNewDirID=2) == 0
    assert mac.files.contents("renamed") == b""
    reference = desk.open("renamed", 1)
    assert desk.pb("PBHDeleteSync", "renamed") == ResultCode.fBsyErr
    desk.pb("PBCloseSync", ioRefNum=reference)
    assert desk.pb("PBSetFLockSync", "renamed") == 0
    assert desk.pb("PBHDeleteSync", "renamed") == ResultCode.fLckdErr
    assert desk.pb("PBHOpenSync", "renamed", ioPermssn=3) == ResultCode.permErr
    assert desk.pb("PBRstFLockSync", "renamed") == 0
    assert desk.pb("PBHDeleteSync", "renamed") == 0
    assert desk.pb("PBHDeleteSync", "renamed") == ResultCode.fnfErr
    assert desk.pb("PBHCreateSync", "n" * 40) == ResultCode.bdNamErr
    assert desk.pb("PBHCreateSync", "x", ioVRefNum=5) == ResultCode.nsvErr
    assert desk.pb("PBHCreateSync", "x", ioDirID=999) == ResultCode.dirNFErr


def test_counting_a_folder(desk: Desk) -> None:
    guest = desk.mac.guest
    for name in ("Zebra", "apple"):
        assert desk.pb("PBDirCreateSync", name) == 0
    found = []
    for index in range(1, 10):
        if desk.pb("PBGetCatInfoSync", b"", ioFDirIndex=index, ioDirID=2) != 0:
            break
        kind = "folder" if desk.file.ioFlAttrib & 0x10 else "file"
        found.append((guest.pascal_string(desk.name), kind, desk.file.ioFlParID))
    assert found == [
        (b"apple", "folder", 2),
        (b"Application", "file", 2),
        (b"out", "file", 2),
        (b"Zebra", "folder", 2),
    ]
    assert desk.pb("PBGetCatInfoSync", b"", ioFDirIndex=-1, ioDirID=2) == 0
    assert guest.pascal_string(desk.name) == b"macproof"
    assert (desk.folder.ioDrDirID, desk.folder.ioDrParID) == (2, 1)
    assert desk.folder.ioDrNmFls == 4
    assert desk.pb("PBHGetFInfoSync", b"", ioFDirIndex=2, ioDirID=2) == 0
    assert guest.pascal_string(desk.name) == b"out", "only files are counted"


def test_the_parent_of_the_root_has_the_root_and_is_no_folder(desk: Desk) -> None:
    for index in (-1, 1):
        found = desk.pb("PBGetCatInfoSync", b"", ioFDirIndex=index, ioDirID=1)
        assert found == ResultCode.fnfErr
    assert desk.pb("PBGetCatInfoSync", "macproof", ioDirID=1) == 0
    assert (desk.folder.ioDrDirID, desk.folder.ioDrParID) == (2, 1)
    for path in (":macproof:out", "macproof:out"):
        assert desk.pb("PBGetCatInfoSync", path, ioDirID=1) == 0
        assert (desk.file.ioFlLgLen, desk.file.ioFlParID) == (13, 2)
    assert desk.pb("PBGetCatInfoSync", "macproof", ioDirID=2) == ResultCode.fnfErr
    assert desk.pb("PBGetCatInfoSync", ":macproof:out", ioDirID=2) == ResultCode.dirNFErr


def test_a_files_version_is_always_zero(desk: Desk) -> None:
    for call in ("PBHGetFInfoSync", "PBGetCatInfoSync"):
        assert desk.pb(call, "out", ioFlVersNum=42) == 0
        assert desk.file.ioFlVersNum == 0


def test_information_is_told_and_kept(desk: Desk) -> None:
    assert desk.pb("PBHGetFInfoSync", "out") == 0
    assert desk.file.ioFlFndrInfo.read()[:8] == b"TEXT????"
    assert (desk.file.ioFlLgLen, desk.file.ioFlPyLen, desk.file.ioFlRLgLen) == (13, 2048, 0)
    assert desk.file.ioFlCrDat == desk.mac.clock.seconds()
    desk.file.ioFlFndrInfo.write(b"PICTdraw")
    desk.file.ioFlMdDat = 12345
    assert desk.file.ioDirID > 15, "the file's number is where the folder's was"
    desk.file.ioDirID = 0
    assert do(desk.mac, "PBHSetFInfoSync", desk.block) == 0
    assert desk.pb("PBGetCatInfoSync", "out") == 0
    assert desk.file.ioFlFndrInfo.read()[:8] == b"PICTdraw"
    assert desk.file.ioFlMdDat == 12345
    desk.file.ioFlXFndrInfo = b"more"
    desk.file.ioDirID = 2
    assert do(desk.mac, "PBSetCatInfoSync", desk.block) == 0
    assert desk.pb("PBGetCatInfoSync", "out") == 0
    assert desk.file.ioFlXFndrInfo[:4] == b"more"
    desk.open("out", 3)
    desk.pb("PBGetCatInfoSync", "out")
    assert desk.file.ioFlAttrib == 0x88
    assert desk.pb("PBGetFInfoSync", "macproof:") == ResultCode.fnfErr


def test_a_specification_of_what_is_and_what_is_not_there(desk: Desk) -> None:
    guest = desk.mac.guest
    assert desk.pb("PBMakeFSSpecSync", "out", ioMisc=desk.buffer) == 0
    assert guest.read(desk.buffer, 10) == b"\xff\xff\0\0\0\2\3out"
    for name, code in (
        ("new", ResultCode.fnfErr),
        (":no:file", ResultCode.dirNFErr),
        ("other:file", ResultCode.nsvErr),
    ):
        assert do(desk.mac, "FSMakeFSSpec", 0, 0, desk.string(name), desk.buffer) == code
    assert do(desk.mac, "FSMakeFSSpec", 0, 0, desk.string("new"), desk.buffer) == -43
    assert guest.read(desk.buffer, 10) == b"\xff\xff\0\0\0\2\3new"
    assert do(desk.mac, "FSMakeFSSpec", -1, 2, desk.string(""), desk.buffer) == 0
    assert guest.read(desk.buffer, 15) == b"\xff\xff\0\0\0\1\x08macproof"
    assert do(desk.mac, "FSMakeFSSpec", -1, 1, desk.string("macproof"), desk.buffer) == 0


# -- volumes and working directories ---------------------------------------------------------------


def test_the_volume(desk: Desk) -> None:
    guest = desk.mac.guest
    assert desk.pb("PBHGetVInfoSync", b"", ioVolIndex=1) == 0
    assert guest.pascal_string(desk.name) == b"macproof"
    assert desk.volume.ioVRefNum == -1
    assert desk.volume.ioVSigWord == 0x4244
    blocks, size = desk.volume.ioVNmAlBlks, desk.volume.ioVAlBlkSiz
    assert blocks * size == 64 << 20
    assert 0 < desk.volume.ioVFrBlk < blocks
    assert desk.pb("PBHGetVInfoSync", ioVolIndex=2) == ResultCode.nsvErr
    assert desk.pb("PBGetVInfoSync", "other:", ioVolIndex=-1) == ResultCode.nsvErr
    assert desk.pb("PBUnmountVol") == ResultCode.fBsyErr
    assert desk.pb("PBEject") == ResultCode.fBsyErr
    assert desk.pb("PBOffLine") == ResultCode.fBsyErr
    assert desk.pb("PBMountVol", ioVRefNum=1) == ResultCode.volOnLinErr
    assert desk.pb("PBMountVol", ioVRefNum=2) == ResultCode.nsDrvErr
    assert desk.pb("PBFlushVolSync", "other:") == ResultCode.nsvErr
    assert desk.pb("PBFlushVolSync", "other") == ResultCode.nsvErr
    # A file's name beside a reference says nothing of the volume: Excalibur 2.6.
    assert desk.pb("PBFlushVolSync", "a file", ioVRefNum=-1) == 0
    assert desk.pb("PBSetFVersSync", "out") == ResultCode.wrgVolTypErr


def test_the_default_folder_and_working_directories(desk: Desk) -> None:
    mac = desk.mac
    assert desk.pb("PBDirCreateSync", "Sub") == 0
    folder = desk.file.ioDirID
    mac.files.add("Sub:inner", b"in")
    assert desk.pb("PBHOpenSync", "inner") == ResultCode.fnfErr
    assert desk.pb("PBOpenWDSync", ioWDDirID=folder, ioWDProcID=77) == 0
    directory = desk.working.ioVRefNum
    assert directory < -1
    assert desk.pb("PBOpenSync", "inner", ioVRefNum=directory) == 0
    assert desk.pb("PBGetWDInfoSync", b"", ioVRefNum=directory) == 0
    assert (desk.working.ioWDProcID, desk.working.ioWDDirID) == (77, folder)
    assert desk.pb("PBSetVolSync", ioVRefNum=directory) == 0
    assert desk.pb("PBHOpenSync", "inner", ioPermssn=1) == 0
    assert desk.pb("PBGetVolSync", b"") == 0
    assert desk.working.ioVRefNum == directory
    assert desk.pb("PBHGetVolSync", b"") == 0
    assert desk.working.ioWDDirID == folder
    assert desk.pb("PBHSetVolSync", b"", ioVRefNum=-1, ioWDDirID=2) == 0
    assert desk.pb("PBHOpenSync", "inner") == ResultCode.fnfErr
    assert desk.pb("PBHSetVolSync", ":Sub:") == 0
    assert desk.pb("PBHOpenSync", "inner", ioPermssn=1) == 0
    assert desk.pb("PBHSetVolSync", "inner") == ResultCode.dirNFErr
    assert desk.pb("PBSetVolSync", "macproof:") == 0
    assert desk.pb("PBCloseWDSync", ioVRefNum=directory) == 0
    assert desk.pb("PBCloseWDSync", ioVRefNum=directory) == ResultCode.nsvErr
    assert desk.pb("PBGetWDInfoSync", ioWDIndex=1) == ResultCode.nsvErr


# -- the high-level routines -----------------------------------------------------------------------


def test_powerpc_programs_import_high_level_routines() -> None:
    mac = make_mac("601")
    desk, guest = Desk(mac), mac.guest
    variable = mac.memory.new_pointer(16)
    name = desk.string("notes")
    assert do(mac, "HCreate", 0, 0, name, "ttxt", "TEXT") == 0
    assert do(mac, "HOpenDF", 0, 0, name, 3, variable) == 0
    reference = guest.i16(variable)
    guest.write(desk.buffer, b"hello")
    guest.put32(variable, 5)
    assert do(mac, "FSWrite", reference, variable, desk.buffer) == 0
    assert do(mac, "SetFPos", reference, FROM_START, 1) == 0
    guest.put32(variable, 10)
    assert do(mac, "FSRead", reference, variable, desk.buffer) == ResultCode.eofErr
    assert guest.read(desk.buffer, guest.u32(variable)) == b"ello"
    assert do(mac, "GetVRefNum", reference, variable) == 0
    assert guest.i16(variable) == -1
    assert do(mac, "GetEOF", reference, variable) == 0
    assert guest.u32(variable) == 5
    assert do(mac, "FSClose", reference) == 0
    assert do(mac, "FSClose", reference) == ResultCode.rfNumErr
    assert do(mac, "FlushVol", 0, -1) == 0
    assert do(mac, "GetFInfo", name, 0, desk.buffer) == 0
    assert guest.read(desk.buffer, 8) == b"TEXTttxt"
    assert do(mac, "Rename", name, 0, desk.string("Notes 2", other=True)) == 0
    assert mac.files.changed_files() == {"Notes 2": b"hello"}
    assert do(mac, "FSDelete", desk.other, 0) == 0
    assert do(mac, "GetVInfo", 1, desk.buffer, variable, variable + 4) == 0
    assert guest.pascal_string(desk.buffer) == b"macproof"
    assert do(mac, "UnmountVol", 0, -1) == ResultCode.fBsyErr


def test_routines_on_specifications(desk: Desk) -> None:
    mac, guest = desk.mac, desk.mac.guest
    spec, other, variable = desk.buffer, desk.buffer + 80, desk.buffer + 200
    do(mac, "FSMakeFSSpec", 0, 0, desk.string("new"), spec)
    assert do(mac, "FSpCreate", spec, "ttxt", "TEXT", 0) == 0
    assert do(mac, "FSpOpenDF", spec, 3, variable) == 0
    reference = guest.i16(variable)
    assert do(mac, "FSpOpenDF", spec, 3, variable) == ResultCode.opWrErr
    assert guest.i16(variable) == reference
    assert do(mac, "FSpOpenRF", spec, 3, variable) == 0
    assert do(mac, "FSpDelete", spec) == ResultCode.fBsyErr
    for one in (reference, guest.i16(variable)):
        mac.files.close(one)
    assert do(mac, "FSpGetFInfo", spec, variable) == 0
    assert guest.read(variable, 8) == b"TEXTttxt"
    guest.write(variable, b"PICT")
    assert do(mac, "FSpSetFInfo", spec, variable) == 0
    do(mac, "FSMakeFSSpec", 0, 0, desk.string("Sub"), other)
    assert do(mac, "FSpDirCreate", other, 0, variable) == 0
    assert do(mac, "FSpCatMove", spec, other) == 0
    assert mac.files.contents(":Sub:new") == b""
    do(mac, "FSMakeFSSpec", 0, 0, desk.string(":Sub:new"), spec)
    do(mac, "FSMakeFSSpec", 0, 0, desk.string("out"), other)
    assert do(mac, "FSpExchangeFiles", spec, other) == 0
    assert mac.files.contents(":Sub:new") == b"one\rtwo\rthree"
    assert do(mac, "FSpSetFLock", spec) == 0
    assert do(mac, "FSpRename", spec, desk.string("x")) == ResultCode.fLckdErr
    assert do(mac, "FSpRstFLock", spec) == 0
    assert do(mac, "FSpRename", spec, desk.string("x")) == 0
    do(mac, "FSMakeFSSpec", 0, 0, desk.string(":Sub:x"), spec)
    assert do(mac, "FSpDelete", spec) == 0


# -- what other managers and the command line use --------------------------------------------------


def test_the_program_is_on_its_own_disk() -> None:
    application = Application(name="Four Shifts", creator="FOUR", data=b"Joy!peff")
    mac = make_mac("601", application=application)
    assert mac.files.contents("four shifts") == b"Joy!peff"
    file = mac.files.find_file(0, 0, b"Four Shifts")
    assert file.finder[:8] == b"APPLFOUR"
    assert mac.files.changed_files() == {}


@pytest.mark.parametrize("name", ["", ".", "../x", "a:b", "日本語", "x" * 60])
def test_a_program_with_an_odd_name_runs_all_the_same(name: str, tmp_path: Path) -> None:
    make_mac("601", settings=Settings(folder=tmp_path), application=Application(name=name))
    assert list(tmp_path.iterdir()) == []


def test_a_program_in_the_folder_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "App").write_bytes(b"mine")
    settings = Settings(folder=tmp_path)
    mac = make_mac("601", settings=settings, application=Application(name="App"))
    assert mac.files.contents("App") == b"mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["App"]


def test_what_is_written_reaches_the_folder_whole(tmp_path: Path) -> None:
    mac = make_mac("68040", settings=Settings(folder=tmp_path))
    mac.files.add("out")
    assert (tmp_path / "out").read_bytes() == b""
    desk = Desk(mac)
    reference = desk.open("out")
    desk.write(reference, b"half")
    assert (tmp_path / "out").read_bytes() == b""
    desk.write(reference, b" and whole")
    desk.pb("PBCloseSync", ioRefNum=reference)
    assert (tmp_path / "out").read_bytes() == b"half and whole"


def test_a_host_that_refuses_is_reported(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"")
    (tmp_path / "._bad").write_bytes(b"\0\5\x16\7")
    mac = make_mac("68040", settings=Settings(folder=tmp_path))
    desk = Desk(mac)
    assert desk.pb("PBHOpenSync", "bad") == ResultCode.ioErr
    assert problems(mac) == ["bad cannot be read on the host, or is damaged there"]


def test_a_host_that_refuses_at_the_end_is_reported(tmp_path: Path) -> None:
    mac = make_mac("68040", settings=Settings(folder=tmp_path))
    mac.files.add("out")
    desk = Desk(mac)
    desk.write(desk.open("out"), b"lost")
    (tmp_path / "out").unlink()
    (tmp_path / "out").mkdir()
    mac.files.finish()
    assert "the host could not take what the program wrote to a file" in problems(mac)


def test_resource_forks_for_the_resource_manager(mac: Macintosh) -> None:
    files = mac.files
    files.create(0, 0, b"doc", "ttxt", "TEXT")
    reference = files.open_resource_fork(0, 0, b"doc", 3)
    files.write_fork(reference, b"a longer fork")
    files.write_fork(reference, b"fork")
    assert files.read_fork(reference) == b"fork"
    mac.files.finish()
    assert problems(mac) == [], "what the Resource Manager has open is not the program's fault"


def test_blocks_at_wild_addresses_stop_the_program(mac: Macintosh) -> None:
    from emu.base.errors import GuestError

    with pytest.raises(GuestError, match="PBOpen"):
        do(mac, "PBHOpenSync", 0x7FFFFFF0)


def test_a_program_reads_its_own_resource_fork_as_it_is() -> None:
    # Some programs keep checksums in front of the resource data, in 128 bytes that are theirs.
    fork = bytearray(make_resource_fork((Resource("TEXT", 1, "", 0, b"one"),)))
    fork[144:148] = b"SUMS"
    resources = parse_resource_fork(bytes(fork), Path("Own"))
    mac = make_mac(application=Application("Own", resources, fork=bytes(fork)))
    reference = do(mac, "CurResFile")
    assert mac.managers["files"].read_fork(reference) == fork
