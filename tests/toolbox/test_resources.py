"""Resources are found, loaded, changed and written as Inside Macintosh says."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.program.mac_file.resource_fork import Resource, ResourceFork, parse_resource_fork
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.block import LOCKED, PURGEABLE, RESOURCE
from emu.toolbox.managers.resources import manager as resources
from tests.program.compressed_samples import header, with_repetitions
from tests.toolbox.conftest import answering, do, make_mac, run_at

OWN = (
    Resource("TEXT", 128, "First", 0, b"one"),
    Resource("TEXT", 129, "S\u00e4cond", 0x20, b"two"),
    Resource("TEXT", -5, "", 0x10, b"locked"),
    Resource("CODE", 1, "", 0x08, b"protected"),
    Resource("PRLD", 1, "", 0x04, b"early"),
    Resource("ZIPD", 1, "", 0x01, b"not compressed"),
)
DISK_FULL, PAST_END = -34, -189
NOT_FOUND, NO_FILE, ADD_FAILED, REMOVE_FAILED, ATTRIBUTE = -192, -193, -194, -196, -198


@pytest.fixture(params=["68040", "601"])
def mac(request: pytest.FixtureRequest) -> Macintosh:
    return make_mac(request.param, application=Application("Own", ResourceFork(OWN)))


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_the_rom_has_the_standard_colour_tables(cpu: str):
    mac = make_mac(cpu, settings=Settings(depth=8))
    assert do(mac, "GetResource", "clut", 4) == 0, "only RGetResource searches the ROM"
    table = do(mac, "RGetResource", "clut", 4)
    assert mac.memory.contents(table) == mac.memory.contents(do(mac, "GetCTable", 4))
    assert mac.guest.u16(mac.memory.address(table) + 6) == 15
    assert error(mac) == 0
    assert do(mac, "RGetResource", "clut", 4) == table
    assert do(mac, "RGetResource", "clut", 3) == 0


def test_a_macintosh_without_color_quickdraw_has_none():
    mac = make_mac("68040", settings=Settings(depth=1))
    assert do(mac, "RGetResource", "clut", 1) == 0


def error(mac: Macintosh) -> int:
    code = do(mac, "ResError")
    assert code == mac.guest.i16(LowMemory.RESOURCE_ERROR)
    return int(code)


def checks(mac: Macintosh) -> list[str]:
    return [finding.check for finding in mac.outputs.findings.values()]


def string(mac: Macintosh, text: str) -> int:
    """The address of a Pascal string."""
    raw = text.encode("mac_roman")
    place = mac.memory.new_pointer(256)
    mac.guest.put_pascal_string(place, raw)
    return place


# -- finding and loading -----------------------------------------------------------------------


def test_a_resource_has_one_handle(mac: Macintosh) -> None:
    handle = do(mac, "GetResource", "TEXT", 128)
    assert mac.memory.contents(handle) == b"one"
    assert do(mac, "Get1Resource", "TEXT", 128) == handle
    assert do(mac, "GetNamedResource", "TEXT", string(mac, "FIRST")) == handle
    assert do(mac, "Get1NamedResource", "TEXT", string(mac, "first")) == handle
    assert do(mac, "HGetState", handle) == RESOURCE
    assert error(mac) == 0


def test_names_are_macroman(mac: Macintosh) -> None:
    handle = do(mac, "GetNamedResource", "TEXT", string(mac, "S\u00c4COND"))
    assert mac.memory.contents(handle) == b"two"


@pytest.mark.parametrize(
    ("type_", "number", "code"),
    [("TEXT", 1, NOT_FOUND), ("ICON", 500, NOT_FOUND), ("text", 128, 0), ("NONE", 0, 0)],
)
def test_what_is_not_there_is_nil_and_an_error_unless_its_type_is_not_there_either(
    mac: Macintosh, type_: str, number: int, code: int
) -> None:
    assert do(mac, "GetResource", type_, number) == 0
    assert error(mac) == code


def test_other_routines_tell_of_a_type_that_is_not_there_what_getresource_does(
    mac: Macintosh,
) -> None:
    for name, code in (("GetPicture", 0), ("GetMenu", NOT_FOUND)):  # the System has a menu
        mac.guest.put16(0xA60, 0xFFFF)  # ResErr
        assert do(mac, name, 500) == 0
        assert error(mac) == code, name


def test_in_the_current_file_alone_the_types_of_that_file_count(mac: Macintosh) -> None:
    assert do(mac, "Get1Resource", "ICON", 1) == 0  # only the System file has icons
    assert error(mac) == 0
    assert do(mac, "Get1Resource", "TEXT", 1) == 0
    assert error(mac) == NOT_FOUND


@pytest.mark.parametrize("routine", ["GetNamedResource", "Get1NamedResource"])
@pytest.mark.parametrize("type_", ["TEXT", "NONE"])
def test_a_name_that_is_not_there_is_an_error_whatever_the_type(
    mac: Macintosh, routine: str, type_: str
) -> None:
    assert do(mac, routine, type_, string(mac, "no such")) == 0
    assert error(mac) == NOT_FOUND


def test_attributes_become_flags_of_the_handle(mac: Macintosh) -> None:
    assert do(mac, "HGetState", do(mac, "GetResource", "TEXT", 129)) == RESOURCE | PURGEABLE
    assert do(mac, "HGetState", do(mac, "GetResource", "TEXT", -5)) == RESOURCE | LOCKED


def test_a_purged_resource_comes_back_in_the_same_handle(mac: Macintosh) -> None:
    handle = do(mac, "GetResource", "TEXT", 129)
    mac.guest.write(mac.memory.address(handle), b"TWO")
    do(mac, "EmptyHandle", handle)
    assert mac.resources.loaded("TEXT", 129) == 0
    do(mac, "LoadResource", handle)
    assert mac.memory.contents(handle) == b"two"
    do(mac, "EmptyHandle", handle)
    assert do(mac, "GetResource", "TEXT", 129) == handle
    assert do(mac, "HGetState", handle) == RESOURCE | PURGEABLE


def test_loading_can_be_put_off(mac: Macintosh) -> None:
    do(mac, "SetResLoad", False)
    handle = do(mac, "GetResource", "TEXT", 128)
    assert handle != 0
    assert mac.guest.u32(handle) == 0
    do(mac, "SetResLoad", True)
    do(mac, "LoadResource", handle)
    assert mac.memory.contents(handle) == b"one"


def test_preloaded_resources_are_in_memory_at_once(mac: Macintosh) -> None:
    assert mac.resources.loaded("PRLD", 1) != 0
    assert mac.resources.loaded("TEXT", 128) == 0


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_compressed_resource_is_expanded_when_it_is_loaded(cpu: str) -> None:
    packed = with_repetitions(1, b"Macintosh" * 9)
    resources = (
        Resource("ZIPD", 1, "", 0x01, packed),
        Resource("ZIPD", 2, "", 0x01, b"only the attribute"),
        Resource("ZIPD", 3, "", 0x01, header(40, 5) + b"own"),
        Resource("ZIPD", 4, "", 0x05, packed),
    )
    mac = make_mac(cpu, application=Application("Own", ResourceFork(resources)))
    assert mac.memory.contents(do(mac, "GetResource", "ZIPD", 1)) == b"Macintosh" * 9
    assert do(mac, "GetResourceSizeOnDisk", do(mac, "GetResource", "ZIPD", 1)) == 81
    assert mac.memory.contents(do(mac, "GetResource", "ZIPD", 2)) == b"only the attribute"
    assert mac.memory.contents(mac.resources.loaded("ZIPD", 4)) == b"Macintosh" * 9
    assert checks(mac) == []
    assert (do(mac, "GetResource", "ZIPD", 3), error(mac)) == (0, -186)
    (found,) = mac.outputs.findings.values()
    assert "'ZIPD' 3 cannot be expanded: its decompressor is 'dcmp' 40" in found.problem


def test_a_full_heap_is_an_error(mac: Macintosh) -> None:
    while mac.memory.heap.largest >= 5000:
        mac.memory.new_pointer(mac.memory.heap.largest)
    mac.resources.application.entries[0].data = bytes(5000)
    assert do(mac, "GetResource", "TEXT", 128) == 0
    assert error(mac) == -108


def test_resources_are_counted_and_indexed(mac: Macintosh) -> None:
    assert do(mac, "CountResources", "TEXT") == do(mac, "Count1Resources", "TEXT") == 3
    assert do(mac, "Count1Types") == 4
    assert do(mac, "CountTypes") > 4
    handles = [do(mac, "GetIndResource", "TEXT", index) for index in range(5)]
    assert [bool(handle) for handle in handles] == [False, True, True, True, False]
    assert mac.memory.contents(handles[3]) == b"locked"
    assert do(mac, "Get1IndResource", "TEXT", 1) == handles[1]
    place = mac.memory.new_pointer(4)
    types = []
    for index in range(1, 6):
        do(mac, "Get1IndType", place, index)
        types.append(mac.guest.read(place, 4))
    assert types == [b"TEXT", b"CODE", b"PRLD", b"ZIPD", bytes(4)]


def test_released_and_detached(mac: Macintosh) -> None:
    first, second = do(mac, "GetResource", "TEXT", 128), do(mac, "GetResource", "TEXT", 129)
    do(mac, "ReleaseResource", first)
    assert not mac.memory.is_handle(first)
    do(mac, "DetachResource", second)
    assert do(mac, "HGetState", second) == PURGEABLE
    assert do(mac, "GetResource", "TEXT", 129) != second
    do(mac, "DisposeHandle", second)
    assert checks(mac) == []


def test_what_is_no_resource_is_found(mac: Macintosh) -> None:
    handle = do(mac, "NewHandle", 4)
    do(mac, "ReleaseResource", handle)
    assert error(mac) == NOT_FOUND
    (found,) = mac.outputs.findings.values()
    assert (found.check, found.sureness) == ("not a resource", Sureness.UNUSUAL)
    assert mac.memory.is_handle(handle)


def test_a_resource_released_twice_is_found(mac: Macintosh) -> None:
    handle = do(mac, "GetResource", "TEXT", 128)
    do(mac, "ReleaseResource", handle)
    do(mac, "ReleaseResource", handle)
    (found,) = mac.outputs.findings.values()
    assert (found.check, found.sureness) == ("not a resource", Sureness.SOME)


def test_places_that_getresinfo_may_leave_out(mac: Macintosh) -> None:
    handle = do(mac, "GetResource", "TEXT", 128)
    place = mac.memory.new_pointer(8, clear=True)
    do(mac, "GetResInfo", handle, place, 0, 0)
    do(mac, "SetResInfo", handle, 128, 0)
    assert mac.guest.u16(place) == 128
    assert mac.guest.u32(0) == 0
    assert checks(mac) == []
    do(mac, "GetResInfo", handle, 4, place, 0)  # no place for a variable
    assert checks(mac) == ["low memory"]


def test_a_resource_that_was_disposed_of_as_a_handle_is_found(mac: Macintosh) -> None:
    handle = do(mac, "GetResource", "TEXT", 128)
    do(mac, "DisposeHandle", handle)
    assert checks(mac) == ["disposed resource"]
    again = do(mac, "GetResource", "TEXT", 128)
    assert mac.memory.contents(again) == b"one"


# -- information and changes -------------------------------------------------------------------


def test_information(mac: Macintosh) -> None:
    handle = do(mac, "GetResource", "TEXT", 129)
    place = mac.memory.new_pointer(300)
    do(mac, "GetResInfo", handle, place, place + 4, place + 8)
    assert mac.guest.i16(place) == 129
    assert mac.guest.read(place + 4, 4) == b"TEXT"
    assert mac.guest.pascal_string(place + 8) == b"S\x8acond"
    assert do(mac, "GetResAttrs", handle) == 0x20
    assert do(mac, "SizeResource", handle) == do(mac, "MaxSizeRsrc", handle) == 3
    assert do(mac, "HomeResFile", handle) == do(mac, "CurResFile")


def test_a_resource_is_added_changed_and_removed(mac: Macintosh) -> None:
    handle = mac.memory.handle_from(b"new")
    do(mac, "AddResource", handle, "TEXT", 200, string(mac, "New"))
    assert error(mac) == 0
    assert do(mac, "GetResource", "TEXT", 200) == handle
    assert do(mac, "GetResAttrs", handle) == 0x02
    do(mac, "AddResource", handle, "TEXT", 201, 0)
    assert error(mac) == ADD_FAILED
    do(mac, "ReleaseResource", handle)  # a changed resource is kept
    assert mac.memory.is_handle(handle)
    do(mac, "WriteResource", handle)
    assert do(mac, "GetResAttrs", handle) == 0
    do(mac, "RmveResource", handle)
    assert error(mac) == 0
    assert mac.memory.contents(handle) == b"new"
    assert do(mac, "HGetState", handle) == 0
    assert do(mac, "GetResource", "TEXT", 200) == 0


def test_protected_resources_stay(mac: Macintosh) -> None:
    handle = do(mac, "GetResource", "CODE", 1)
    do(mac, "ChangedResource", handle)
    assert error(mac) == ATTRIBUTE
    do(mac, "SetResInfo", handle, 2, 0)
    assert error(mac) == ATTRIBUTE
    do(mac, "RmveResource", handle)
    assert error(mac) == REMOVE_FAILED


def test_unique_numbers(mac: Macintosh) -> None:
    assert do(mac, "UniqueID", "TEXT") == 130
    assert do(mac, "Unique1ID", "NONE") == 128


def test_unique_numbers_differ_from_each_other_until_none_is_left(mac: Macintosh) -> None:
    """Speed Disk asks until it gets one above 256, and never went on."""
    numbers = [do(mac, "Unique1ID", "TEXT") for _ in range(0x8000 - 130)]
    assert numbers == list(range(130, 0x8000))
    assert do(mac, "Unique1ID", "TEXT") == 130


def test_numbers_and_names_change(mac: Macintosh) -> None:
    handle = do(mac, "GetResource", "TEXT", 128)
    do(mac, "SetResInfo", handle, 300, string(mac, ""))
    assert do(mac, "GetNamedResource", "TEXT", string(mac, "First")) == handle
    do(mac, "SetResInfo", handle, 300, string(mac, "Other"))
    assert do(mac, "GetResource", "TEXT", 300) == handle
    assert do(mac, "GetNamedResource", "TEXT", string(mac, "First")) == 0


def test_parts_of_a_resource(mac: Macintosh) -> None:
    do(mac, "SetResLoad", False)
    handle = do(mac, "GetResource", "TEXT", -5)
    buffer = mac.memory.new_pointer(8)
    do(mac, "ReadPartialResource", handle, 2, buffer, 3)
    assert mac.guest.read(buffer, 3) == b"cke"
    assert error(mac) == 0
    do(mac, "ReadPartialResource", handle, 4, buffer, 3)
    assert error(mac) == -190
    do(mac, "WritePartialResource", handle, 5, buffer, 3)
    assert error(mac) == -189
    assert do(mac, "SizeResource", handle) == 8
    do(mac, "SetResourceSize", handle, 1 << 30)
    assert error(mac) == -190
    do(mac, "SetResourceSize", handle, 2)
    assert do(mac, "SizeResource", handle) == 2


def test_resources_take_no_more_room_than_a_volume_has(
    mac: Macintosh, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = sum(len(resource.data) for resource in OWN)
    monkeypatch.setattr(resources, "CAPACITY", own + 1000)
    do(mac, "SetResLoad", False)
    first, second = (do(mac, "GetResource", "TEXT", number) for number in (128, 129))
    do(mac, "SetResourceSize", first, 603)
    assert error(mac) == 0
    do(mac, "SetResourceSize", second, 404)
    assert error(mac) == DISK_FULL
    assert do(mac, "SizeResource", second) == 3
    buffer = mac.memory.new_pointer(500)
    do(mac, "WritePartialResource", second, 3, buffer, 401)
    assert error(mac) == DISK_FULL
    do(mac, "WritePartialResource", second, 3, buffer, 400)
    assert error(mac) == PAST_END
    added = mac.memory.handle_from(b"!")
    do(mac, "AddResource", added, "MORE", 1, string(mac, ""))
    do(mac, "WriteResource", added)
    assert error(mac) == DISK_FULL
    do(mac, "SetResourceSize", first, 3)
    do(mac, "UpdateResFile", do(mac, "CurResFile"))
    assert error(mac) == 0
    assert do(mac, "SizeResource", added) == 1
    do(mac, "RemoveResource", added)
    assert mac.resources.application.size == own + 400


def test_code_read_from_a_resource_is_executed_as_it_is_now(mac: Macintosh) -> None:
    result = "d0" if mac.cpu.architecture == "m68k" else "r3"
    old, new = answering(mac, 1), answering(mac, 2)
    handle = mac.memory.handle_from(new)
    do(mac, "AddResource", handle, "CODE", 99, string(mac, ""))
    do(mac, "WriteResource", handle)
    place = mac.memory.new_pointer(len(old))
    mac.guest.write(place, old)
    assert run_at(mac, place)[result] == 1
    do(mac, "ReadPartialResource", handle, 0, place, len(new))
    assert run_at(mac, place)[result] == 2


# -- files -------------------------------------------------------------------------------------


def open_new(mac: Macintosh, name: str = "Prefs") -> int:
    do(mac, "CreateResFile", string(mac, name))
    assert error(mac) == 0
    return int(do(mac, "OpenResFile", string(mac, name)))


def test_a_file_is_made_filled_closed_and_read_again(mac: Macintosh) -> None:
    own = do(mac, "CurResFile")
    reference = open_new(mac)
    assert reference not in (own, -1)
    assert do(mac, "CurResFile") == reference
    handle = mac.memory.handle_from(b"kept")
    do(mac, "AddResource", handle, "PREF", 1, string(mac, "Name"))
    do(mac, "CloseResFile", reference)
    assert error(mac) == 0
    assert do(mac, "CurResFile") == own
    assert not mac.memory.is_handle(handle)
    again = do(mac, "OpenResFile", string(mac, "Prefs"))
    assert mac.memory.contents(do(mac, "GetResource", "PREF", 1)) == b"kept"
    assert do(mac, "HomeResFile", do(mac, "GetResource", "PREF", 1)) == again
    assert checks(mac) == []


def test_what_waits_is_written_though_another_was_written_before(mac: Macintosh) -> None:
    reference = open_new(mac)
    for number in (1, 2):
        do(mac, "AddResource", mac.memory.handle_from(b"kept"), "PREF", number, 0)
    do(mac, "WriteResource", do(mac, "GetResource", "PREF", 2))
    do(mac, "UpdateResFile", reference)
    do(mac, "DetachResource", do(mac, "GetResource", "PREF", 1))
    do(mac, "CloseResFile", reference)
    fork = parse_resource_fork(bytes(mac.files.find_file(0, 0, b"Prefs").resources), Path("Prefs"))
    assert [one.data for one in fork.resources] == [b"kept", b"kept"]


def test_what_is_changed_is_written_when_the_program_ends(mac: Macintosh) -> None:
    open_new(mac)
    do(mac, "AddResource", mac.memory.handle_from(b"kept"), "PREF", 1, 0)
    for manager in mac.managers.values():
        manager.finish()
    fork = parse_resource_fork(bytes(mac.files.find_file(0, 0, b"Prefs").resources), Path("Prefs"))
    assert fork.find("PREF", 1) == Resource("PREF", 1, "", 0, b"kept")


def test_files_are_searched_from_the_current_one(mac: Macintosh) -> None:
    own = do(mac, "CurResFile")
    reference = open_new(mac)
    mine = mac.memory.handle_from(b"mine")
    do(mac, "AddResource", mine, "TEXT", 128, 0)
    assert do(mac, "GetResource", "TEXT", 128) == mine
    assert mac.memory.contents(do(mac, "GetResource", "TEXT", 129)) == b"two"
    assert do(mac, "Get1Resource", "TEXT", 129) == 0
    assert do(mac, "CountResources", "TEXT") == 4
    assert do(mac, "Count1Resources", "TEXT") == 1
    do(mac, "UseResFile", own)
    assert mac.memory.contents(do(mac, "GetResource", "TEXT", 128)) == b"one"
    do(mac, "UseResFile", reference)
    do(mac, "UseResFile", 12345)
    assert error(mac) == NO_FILE
    assert do(mac, "CurResFile") == reference


def test_a_file_is_opened_once(mac: Macintosh) -> None:
    reference = open_new(mac)
    assert do(mac, "OpenResFile", string(mac, "Prefs")) == reference
    do(mac, "CreateResFile", string(mac, "Prefs"))
    assert error(mac) == -49, "it is open for writing"
    do(mac, "CloseResFile", reference)
    do(mac, "CreateResFile", string(mac, "Prefs"))
    assert error(mac) == -48


def test_files_that_cannot_be_opened(mac: Macintosh) -> None:
    assert do(mac, "OpenResFile", string(mac, "Missing")) == -1
    assert error(mac) == -43
    mac.files.add("Plain", b"data only")
    assert do(mac, "OpenResFile", string(mac, "Plain")) == -1
    assert error(mac) == -39
    mac.files.find_file(0, 0, b"Plain").resources[:] = b"damaged fork"
    assert do(mac, "OpenResFile", string(mac, "Plain")) == -1
    assert error(mac) == -199
    do(mac, "CloseResFile", 12345)
    assert error(mac) == NO_FILE


def test_the_programs_own_file_stays_open(mac: Macintosh) -> None:
    do(mac, "CloseResFile", do(mac, "CurResFile"))
    assert checks(mac) == ["resources"]
    assert do(mac, "GetResource", "TEXT", 128) != 0


def test_the_programs_own_file_is_known_to_the_file_manager(mac: Macintosh) -> None:
    own = do(mac, "CurResFile")
    assert mac.guest.i16(LowMemory.CURRENT_APPLICATION_REFERENCE) == own
    assert mac.files.open.find(own).file.name == b"Own"


def test_changed_resources_are_written_before_they_are_purged(mac: Macintosh) -> None:
    do(mac, "SetResPurge", True)
    handle = do(mac, "GetResource", "TEXT", 129)
    mac.guest.write(mac.memory.address(handle), b"NEW")
    do(mac, "ChangedResource", handle)
    do(mac, "PurgeMem", 1 << 30)
    assert mac.memory.address(handle) == 0
    do(mac, "LoadResource", handle)
    assert mac.memory.contents(handle) == b"NEW"


def test_strings_from_resources() -> None:
    listed = b"\0\2\3one\5three"
    own = (Resource("STR ", 7, "", 0, b"\4four"), Resource("STR#", 9, "", 0, listed))
    for cpu in ("68040", "601"):
        mac = make_mac(cpu, application=Application("Own", ResourceFork(own)))
        assert mac.memory.contents(do(mac, "GetString", 7)) == b"\4four"
        assert do(mac, "GetString", 8) == 0
        text = mac.memory.new_pointer(256)
        mac.guest.put_pascal_string(text, b"another")
        handle = do(mac, "NewString", text)
        assert mac.memory.contents(handle) == b"\7another"
        mac.guest.put_pascal_string(text, b"no")
        do(mac, "SetString", handle, text)
        assert mac.memory.contents(handle) == b"\2no"
        if cpu == "601":
            got = {}
            for index in (0, 1, 2, 3):
                do(mac, "GetIndString", text, 9, index)
                got[index] = mac.guest.pascal_string(text)
            assert got == {0: b"", 1: b"one", 2: b"three", 3: b""}
            do(mac, "GetIndString", text, 10, 1)
            assert mac.guest.pascal_string(text) == b""
