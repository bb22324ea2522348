"""Documents that a program is opened with, or that are dropped onto it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import UsageError
from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.system import EventRecord
from emu.toolbox.users.script import Script, ScriptError
from emu.toolbox.users.users import ScriptedUser
from tests.toolbox.conftest import do, make_mac

NAMES = ("letter", "Folder:picture")


def mac_of(cpu: str, *, aware: bool, documents: tuple[str, ...] = NAMES) -> Macintosh:
    size = Resource("SIZE", -1, "", 0, (b"\0\x40" if aware else b"\0\0") + bytes(8))
    application = Application("Own", ResourceFork((size,)))
    mac = make_mac(cpu, application=application, settings=Settings(documents=documents))
    mac.files.volume.create_folder(mac.files.volume.root, b"Folder", 0)
    mac.files.add("letter", b"text", "TEXT", "ttxt")
    mac.files.add("Folder:picture", b"", "PICT", "ttxt")
    return mac


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_program_without_apple_events_finds_them_in_the_finders_message(cpu: str) -> None:
    mac = mac_of(cpu, aware=False)
    message, count, file = (mac.memory.new_pointer(264) for _ in range(3))
    do(mac, "CountAppFiles", message, count)
    assert mac.guest.u16(count) == 0
    mac.documents.open(NAMES, is_starting=True)
    do(mac, "CountAppFiles", message, count)
    assert (mac.guest.u16(message), mac.guest.u16(count)) == (0, 2)
    for index, (kind, name) in enumerate(((b"TEXT", b"letter"), (b"PICT", b"picture")), 1):
        do(mac, "GetAppFiles", index, file)
        assert mac.guest.read(file + 2, 4) == kind
        assert mac.guest.pascal_string(file + 8) == name
        found = mac.files.find_file(mac.guest.i16(file), 0, name)
        assert found.finder[:4] == kind
    do(mac, "GetAppFiles", 3, file)
    assert mac.guest.read(file, 264) == bytes(264)
    data = mac.memory.contents(mac.guest.u32(LowMemory.APPLICATION_PARAMETERS))
    assert data[:4] == b"\0\0\0\2"
    assert data[12:19] == b"\6letter"
    assert data[20 + 8 :] == b"\7picture"  # the first name was made even


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_program_with_apple_events_is_sent_one_with_all_of_them(cpu: str) -> None:
    mac = mac_of(cpu, aware=True)
    mac.documents.open(NAMES, is_starting=True)
    record = mac.memory.new_pointer(EventRecord.size)
    assert do(mac, "GetNextEvent", 0xFFFF, record) is True
    assert mac.guest.read(record + 10, 4) == b"odoc"  # and no "oapp" before it
    found: list[tuple[int, bytes]] = []

    def handler(address: int, heading: str, *values: Any, registers: str | None = None) -> int:
        event = values[0]
        listed, spec, keyword, kind, size = (mac.memory.new_pointer(70) for _ in range(5))
        assert do(mac, "AEGetParamDesc", event, "----", "list", listed) == 0
        assert do(mac, "AECountItems", listed, size) == 0
        for index in range(mac.guest.u32(size)):
            words: Any = (listed, index + 1, "fss ", keyword, kind, spec, 70, size)
            assert do(mac, "AEGetNthPtr", *words) == 0
            found.append((mac.files.spec(spec)[1], mac.files.spec(spec)[2]))
        return 0

    mac.host.call_guest = handler
    assert do(mac, "AEInstallEventHandler", "aevt", "odoc", 4096, 0, False) == 0
    assert do(mac, "AEProcessAppleEvent", record) == 0
    folder = mac.files.find(-1, 0, b":Folder:")
    assert found == [(mac.files.volume.root.id, b"letter"), (folder.id, b"picture")]
    mac.guest.write(record, bytes(16))
    assert do(mac, "GetNextEvent", 0xFFFF, record) is False


def test_a_file_that_is_not_there_is_named() -> None:
    mac = mac_of("68040", aware=True)
    for name in ("lost", "Folder:lost", "Nowhere:letter", "Folder", "", "日本"):
        with pytest.raises(UsageError, match="there is no file"):
            mac.documents.open([name], is_starting=True)


@pytest.mark.parametrize("aware", [True, False])
def test_a_script_drops_files_on_a_program_that_is_running(tmp_path: Path, aware: bool) -> None:
    mac = mac_of("68040", aware=aware, documents=())
    path = tmp_path / "script.yaml"
    path.write_text("schema: macproof.script/1\nsteps:\n  - drop: [letter]\n  - drop: [lost]\n")
    user = ScriptedUser(mac, Script(path))
    if not aware:
        with pytest.raises(ScriptError, match=r"line 3: step 1 cannot be done: .*Apple events"):
            user.act()
        return
    record = mac.memory.new_pointer(EventRecord.size)
    assert do(mac, "GetNextEvent", 0xFFFF, record) is True
    assert mac.guest.read(record + 10, 4) == b"oapp"
    assert user.act()
    assert do(mac, "GetNextEvent", 0xFFFF, record) is True
    assert mac.guest.read(record + 10, 4) == b"odoc"
    with pytest.raises(ScriptError, match="line 4: step 2 cannot be done: there is no file 'lost'"):
        user.act()
