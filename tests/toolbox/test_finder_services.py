"""Aliases, the desktop database and components: what the System knows beside its files."""

from __future__ import annotations

from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.files import FIDParam, FSSpec
from emu.toolbox.records.finder import AliasRecord, DTPBRec
from tests.toolbox.conftest import do, make_mac, run_code

NOT_FOUND, NO_VOLUME, BAD_PARAMETER, NOT_IN_DATABASE, NOT_OPEN = -43, -35, -50, -5012, -51
ROOT = 2


class Disk:
    """A Macintosh with a file on its disk, and an alias of that file."""

    def __init__(self, mac: Macintosh) -> None:
        self.mac, self.guest = mac, mac.guest
        mac.files.add("Letter", b"Dear", "TEXT", "ttxt")
        self.spec, self.found = (FSSpec(mac.guest, self.new(70)) for _ in range(2))
        self.spec.vRefNum, self.spec.parID, self.spec.name = -1, ROOT, b"Letter"
        self.byte, result = self.new(2), self.new(4)
        assert do(mac, "NewAlias", 0, self.spec.address, result) == 0
        self.alias = mac.guest.u32(result)

    def new(self, size: int) -> int:
        return self.mac.memory.new_pointer(size, clear=True)

    def resolve(self) -> int:
        arguments = (0, self.alias, self.found.address, self.byte)
        return int(do(self.mac, "ResolveAlias", *arguments))

    def told(self, index: int) -> bytes:
        name = self.new(64)
        assert do(self.mac, "GetAliasInfo", self.alias, index, name) == 0
        return self.guest.pascal_string(name)


def test_an_alias_leads_to_its_file(mac: Macintosh) -> None:
    disk = Disk(mac)
    assert disk.resolve() == 0
    assert (disk.found.parID, disk.found.name) == (ROOT, b"Letter")
    assert mac.guest.u8(disk.byte) == 0
    assert [disk.told(index) for index in (-2, -1, 0, 1, 2)] == [
        b"", b"macproof", b"Letter", b"macproof", b""
    ]  # fmt: skip


def test_an_alias_finds_a_file_that_was_renamed_and_then_is_up_to_date(mac: Macintosh) -> None:
    disk = Disk(mac)
    mac.files.volume.rename(mac.files.find(-1, ROOT, b"Letter"), b"Old letter")
    found, count = disk.new(70), disk.new(2)
    mac.guest.put16(count, 1)
    assert do(mac, "MatchAlias", 0, 1, disk.alias, count, found, disk.byte, 0, 0) == 0
    assert (mac.guest.u16(count), mac.guest.u8(disk.byte)) == (1, 1)
    assert disk.resolve() == 0
    assert disk.found.name == b"Old letter"
    assert mac.guest.u8(disk.byte) == 1
    assert (disk.resolve(), mac.guest.u8(disk.byte), disk.told(0)) == (0, 0, b"Old letter")


def test_an_alias_of_a_path_and_one_of_the_finders(mac: Macintosh) -> None:
    disk = Disk(mac)
    for path, error, name in (
        (b"macproof:Letter", 0, b"Letter"),
        (b"macproof:Missing", NOT_FOUND, b"Missing"),
        (b"macproof:", 0, b"macproof"),
    ):
        place, result = disk.new(len(path)), disk.new(4)
        mac.guest.write(place, path)
        arguments = (len(path), place, 0, 0, result)
        assert do(mac, "NewAliasMinimalFromFullPath", *arguments) == 0
        disk.alias = mac.guest.u32(result)
        assert disk.resolve() == error
        assert disk.found.name == name
        found = (0, disk.alias, False, disk.found.address, disk.byte)
        assert do(mac, "FollowFinderAlias", *found) == error
    other = (len(b"Disk:x"), disk.new(8), 0, 0, disk.new(4))
    mac.guest.write(other[1], b"Disk:x")
    assert do(mac, "NewAliasMinimalFromFullPath", *other) == NO_VOLUME


def test_an_alias_of_a_file_that_is_gone_or_of_another_disk_leads_nowhere(mac: Macintosh) -> None:
    disk = Disk(mac)
    mac.files.delete(mac.files.find(-1, ROOT, b"Letter"))
    assert disk.resolve() == NOT_FOUND
    assert (disk.found.parID, disk.found.name) == (ROOT, b"Letter")  # where it would be made
    AliasRecord(mac.guest, mac.memory.address(disk.alias)).volumeName = b"Other disk"
    assert disk.resolve() == NO_VOLUME
    mac.memory.set_contents(disk.alias, bytes(20))
    assert disk.resolve() == BAD_PARAMETER
    assert do(mac, "NewAlias", 0, disk.spec.address, disk.new(4)) == NOT_FOUND


class Desktop:
    """The desktop database of a disk with one program, called by parameter blocks."""

    def __init__(self) -> None:
        self.mac = make_mac("68040")
        self.mac.files.add("Writer", b"", "APPL", "wRit")
        self.block = DTPBRec(self.mac.guest, self.mac.memory.new_pointer(DTPBRec.size, clear=True))
        self.name, self.buffer = (self.mac.memory.new_pointer(256) for _ in range(2))
        self.block.ioNamePtr, self.block.ioVRefNum = 0, -1
        assert self.call("GetPath") == 0
        self.block.ioNamePtr, self.block.ioDTBuffer = self.name, self.buffer
        self.block.ioDirID = ROOT

    def call(self, name: str) -> int:
        return int(do(self.mac, f"PBDT{name}", self.block.address))

    def put(self, name: bytes, data: bytes = b"") -> None:
        self.mac.guest.put_pascal_string(self.name, name)
        self.mac.guest.write(self.buffer, data)
        self.block.ioDTReqCount = len(data)


def test_the_desktop_database_knows_the_programs_of_the_disk() -> None:
    desktop = Desktop()
    desktop.block.ioFileCreator = b"wRit"
    assert desktop.call("GetAPPL") == 0
    assert desktop.mac.guest.pascal_string(desktop.name) == b"Writer"
    assert desktop.block.ioAPPLParID == ROOT
    assert desktop.call("RemoveAPPL") == 0
    assert desktop.call("GetAPPL") == NOT_IN_DATABASE
    assert desktop.call("AddAPPL") == desktop.call("GetAPPL") == 0
    desktop.block.ioFileCreator = b"none"
    assert desktop.call("GetAPPL") == NOT_IN_DATABASE
    desktop.block.ioDTRefNum = 5
    assert desktop.call("GetAPPL") == NOT_OPEN


def test_the_desktop_database_has_no_file_and_stays_open() -> None:
    desktop, is_busy = Desktop(), -47
    desktop.block.ioDTLgLen = desktop.block.ioDTPyLen = 7
    assert desktop.call("GetInfo") == 0
    assert (desktop.block.ioDTLgLen, desktop.block.ioDTPyLen) == (0, 0)
    assert desktop.call("Delete") == is_busy


def test_comments_and_icons_come_back() -> None:
    desktop = Desktop()
    desktop.put(b"Writer", b"the one for letters")
    assert desktop.call("GetComment") == NOT_IN_DATABASE
    assert desktop.call("SetComment") == 0
    desktop.put(b"Writer", bytes(30))
    assert (desktop.call("GetComment"), desktop.block.ioDTActCount) == (0, 19)
    assert desktop.mac.guest.read(desktop.buffer, 19) == b"the one for letters"
    assert desktop.call("RemoveComment") == 0
    assert desktop.call("RemoveComment") == NOT_IN_DATABASE

    desktop.put(b"", b"\x0f" * 64)
    block = desktop.block
    block.ioFileCreator, block.ioFileType, block.ioIconType, block.ioTagInfo = b"w", b"T", 4, 99
    assert desktop.call("AddIcon") == 0
    block.ioIndex = block.ioIconType = 1
    assert desktop.call("GetIcon") == NOT_IN_DATABASE
    assert (desktop.call("GetIconInfo"), block.ioIconType, block.ioTagInfo) == (0, 4, 99)
    desktop.put(b"", bytes(64))
    assert (desktop.call("GetIcon"), block.ioDTActCount) == (0, 64)
    assert desktop.mac.guest.read(desktop.buffer, 64) == b"\x0f" * 64
    assert desktop.call("Reset") == 0
    assert desktop.call("GetIcon") == NOT_IN_DATABASE


def test_no_component_is_installed(mac: Macintosh) -> None:
    assert do(mac, "OpenDefaultComponent", "PREF", "ICAP") == 0
    description = mac.memory.new_pointer(20, clear=True)
    assert do(mac, "FindNextComponent", 0, description) == 0
    assert do(mac, "CountComponents", description) == 0
    assert do(mac, "CloseComponent", 0) == -3000


def test_a_file_is_found_by_its_number_and_changes_places(mac: Macintosh) -> None:
    mac.files.add("Letter", b"Dear")
    mac.files.add("Copy", b"Copied")
    block = FIDParam(mac.guest, mac.memory.new_pointer(FIDParam.size, clear=True))
    name, other = (mac.memory.new_pointer(64) for _ in range(2))
    mac.guest.put_pascal_string(name, b"Letter")
    mac.guest.put_pascal_string(other, b"Copy")
    block.ioNamePtr, block.ioDestNamePtr = name, other
    block.ioSrcDirID = block.ioDestDirID = ROOT
    assert do(mac, "PBCreateFileIDRef", block.address) == 0
    assert do(mac, "PBExchangeFiles", block.address) == 0
    assert (mac.files.contents("Letter"), mac.files.contents("Copy")) == (b"Copied", b"Dear")
    mac.files.volume.rename(mac.files.find(-1, ROOT, b"Letter"), b"Old letter")
    block.ioSrcDirID = 0
    assert do(mac, "PBResolveFileIDRef", block.address) == 0
    assert (mac.guest.pascal_string(name), block.ioSrcDirID) == (b"Old letter", ROOT)
    block.ioFileID = 12345
    assert do(mac, "PBResolveFileIDRef", block.address) == -1300
    assert do(mac, "PBDeleteFileIDRef", block.address) == -1300


def test_the_volume_is_no_file_server(mac: Macintosh) -> None:
    block = FIDParam(mac.guest, mac.memory.new_pointer(FIDParam.size, clear=True))
    for call in ("PBHOpenDeny", "PBHGetDirAccess", "PBCatSearch"):
        assert do(mac, call, block.address) == BAD_PARAMETER
        assert block.ioResult == BAD_PARAMETER
    assert not mac.outputs.findings


def test_a_call_of_a_component_from_the_stack_has_no_instance(mac_68k: Macintosh) -> None:
    # CLR.L -(SP); CLR.L -(SP), the instance; PEA $1234.W, a parameter; its size and the routine's
    # number; MOVEQ #0,D0; _ComponentDispatch; then D3 and A7
    found = run_code(mac_68k, "42a7 42a7 48781234 2f3c00040001 7000 a82a 261f 2a0f 4e75")
    assert found["d3"] == 0x80008001
    assert found["d5"] == found["a7"] - 4
