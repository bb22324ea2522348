"""Preferences and command lines of the emulators, and what is said beside them."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.disk.contents import DiskFile
from emu.disk.emulators import EMULATORS, MARK, Mounts, advice, command_line, preferences

WITH_PREFERENCES = ["basilisk", "sheepshaver"]
# The items of prefs_items.cpp that both emulators know.
COMMON = {"disk", "extfs", "rom", "screen", "ramsize"}
NUMBERS = {"ramsize", "modelid", "cpu"}
OLD = DiskFile("Old", "APPL", "????", 0, b"", b"", ("68K",))
NEW = DiskFile("New", "APPL", "????", 0, b"", b"", ("PowerPC",))
FAT = DiskFile("Fat", "APPL", "????", 0, b"", b"", ("68K", "PowerPC"))


def parse(prefs: bytes) -> list[tuple[str, str]]:
    """As the emulators do: lines of at most 255 bytes, comments, a word and the rest."""
    items = []
    for line in prefs.split(b"\n"):
        assert len(line) <= 254
        if line and line[:1] not in (b"#", b";"):
            keyword, _, value = line.partition(b" ")
            items.append((keyword.decode("ascii"), os.fsdecode(value)))
    return items


@pytest.mark.parametrize("name", WITH_PREFERENCES)
def test_preferences_with_everything(name: str, tmp_path: Path) -> None:
    mounts = Mounts(
        image=tmp_path / "my disk.dsk",
        folder=tmp_path / "shared",
        rom=tmp_path / "ROM",
        system=tmp_path / "System.dsk",
    )
    prefs = preferences(EMULATORS[name], mounts)
    assert prefs.startswith(MARK.encode())
    assert prefs.endswith(b"\n")
    items = parse(prefs)
    assert [value for keyword, value in items if keyword == "disk"] == [
        str(mounts.system),
        str(mounts.image),
    ], "the first that has a System is started from"
    single = {keyword: value for keyword, value in items if keyword != "disk"}
    assert len(single) == len(items) - 2
    assert single["rom"] == str(mounts.rom)
    assert single["extfs"] == str(mounts.folder)
    assert re.fullmatch(r"win/\d+/\d+", single["screen"])
    assert single.keys() - COMMON <= ({"modelid", "cpu"} if name == "basilisk" else set())
    assert all(single[keyword].isdigit() for keyword in single.keys() & NUMBERS)


@pytest.mark.parametrize("name", WITH_PREFERENCES)
def test_what_was_not_given_is_a_comment(name: str) -> None:
    prefs = preferences(EMULATORS[name], Mounts(image=Path("made.dsk")))
    items = dict(parse(prefs))
    assert items["disk"] == str(Path.cwd() / "made.dsk"), "emulators start elsewhere"
    assert items.keys().isdisjoint({"rom", "extfs"})
    assert b"\n# rom " in prefs
    assert b"\n# disk " in prefs


def test_paths_that_preferences_cannot_hold(tmp_path: Path) -> None:
    for path in (tmp_path / "two\nlines", Path("/" + "x" * 300)):
        with pytest.raises(UsageError):
            preferences(EMULATORS["basilisk"], Mounts(image=path))
    longest = Path("/" + "x" * (254 - len("disk /")))
    assert ("disk", str(longest)) in parse(preferences(EMULATORS["basilisk"], Mounts(longest)))


def test_mini_vmac_takes_arguments() -> None:
    emulator = EMULATORS["minivmac"]
    with pytest.raises(UsageError, match="no preferences file"):
        preferences(emulator, Mounts(image=Path("made.dsk")))
    assert command_line(emulator, Mounts(image=Path("made.dsk"))) == "minivmac SYSTEM.dsk made.dsk"
    mounts = Mounts(Path("my disk.dsk"), rom=Path("my ROM"), system=Path("it's.dsk"))
    words = shlex.split(command_line(emulator, mounts))
    assert words == ["minivmac", "-r", "my ROM", "it's.dsk", "my disk.dsk"]


@pytest.mark.parametrize("name", WITH_PREFERENCES)
def test_the_others_take_a_file(name: str) -> None:
    line = command_line(EMULATORS[name], Mounts(), Path("my prefs"))
    assert shlex.split(line)[1:] == ["--config", "my prefs"]


@pytest.mark.parametrize("name", EMULATORS)
def test_the_user_is_told_what_to_supply(name: str) -> None:
    emulator = EMULATORS[name]
    nothing = advice(emulator, Mounts(image=Path("made.dsk")), [OLD, FAT])
    assert len([line for line in nothing if line.startswith("You supply")]) == 2
    assert "ROM" in nothing[0]
    assert "System" in nothing[1]
    assert nothing[-1].startswith("None of this has been tried")
    everything = Mounts(Path("made.dsk"), rom=Path("ROM"), system=Path("System.dsk"))
    assert len(advice(emulator, everything, [OLD, FAT])) == 1


def test_the_wrong_processor_is_said() -> None:
    mounts = Mounts(image=Path("made.dsk"))
    for name in ("minivmac", "basilisk"):
        text = "\n".join(advice(EMULATORS[name], mounts, [OLD, NEW, FAT]))
        assert "do not run there: New" in text
    assert "do not run" not in "\n".join(advice(EMULATORS["sheepshaver"], mounts, [OLD, NEW]))
