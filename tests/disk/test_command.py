"""``macproof disk``: what it writes, prints and refuses."""

from __future__ import annotations

import json
import os
import shutil
import struct
from pathlib import Path

import pytest

from emu.program.mac_file.mac_file import read_mac_file
from emu.program.mac_file.macbinary import make_macbinary
from emu.results.scenes_file import SCENES_NAME, parse_scenes_file
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolchain.mac_app.mac_prebuilt import prebuilt_folder
from emu.toolchain.sources import mac_sources
from tests.disk.volume_check import check_volume

PREBUILT = Path(__file__).parents[1] / "programs" / "mac" / "prebuilt"
OLD, NEW = (PREBUILT / cpu / "drawing.bin" for cpu in ("68000", "601"))


@pytest.fixture
def image(tmp_path: Path) -> Path:
    return tmp_path / "made.dsk"


def test_a_disk_with_two_programs(macproof, image: Path) -> None:
    done = macproof("disk", OLD, f"{NEW}=Drawing PPC", "-o", image)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{image}: disk 'macproof' of 800K, ")
    assert check_volume(image.read_bytes()).entries.keys() == {
        b"drawing",
        b"Drawing PPC",
        b"Read Me",
    }
    (old,) = (line for line in done.out.splitlines() if line.startswith("  drawing "))
    assert old.endswith("68K")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "path"), [("drawing", OLD), ("Drawing PPC", NEW)])
def test_programs_run_straight_from_the_disk(macproof, image: Path, name: str, path: Path) -> None:
    assert macproof("disk", OLD, f"{NEW}=Drawing PPC", "-o", image).code == 0
    from_disk, from_file = (
        run_request(RunRequest(program=program, settings=Settings(timeout=120)))
        for program in (Path(f"{image}:{name}"), path)
    )
    assert from_disk.exit_code == 0
    assert (from_disk.text, from_disk.calls) == (from_file.text, from_file.calls)
    assert [p.png for p in from_disk.pictures] == [p.png for p in from_file.pictures]
    assert macproof("run", f"{image}:{name}", "--quiet").code == 0


def test_the_scenes_come_with_the_program_that_reads_them(macproof, image: Path) -> None:
    assert macproof("disk", f"{OLD}=PortCheck", "-o", image).code == 0
    scenes = read_mac_file(f"{image}:{SCENES_NAME}")
    assert scenes.type == "TEXT"
    assert parse_scenes_file(scenes.data).scenes
    assert b"macproof results" in read_mac_file(f"{image}:Read Me").data
    assert macproof("disk", f"{OLD}=PortCheck", "-o", image, "--programs-only").code == 0
    assert check_volume(image.read_bytes()).entries.keys() == {b"PortCheck"}


def test_the_summary_as_json(macproof, image: Path, tmp_path: Path) -> None:
    summary = tmp_path / "summary.json"
    folder = tmp_path / "shared"
    words = [OLD, "-o", image, "--folder", folder, "--json", summary, "--for", "basilisk"]
    assert macproof("disk", *words, "--quiet").out == ""
    found = json.loads(summary.read_text())
    assert found["schema"] == "macproof.disk/1"
    assert found["image"]["size"] == image.stat().st_size
    assert found["image"]["free"] == check_volume(image.read_bytes()).free
    assert found["folders"] == [{"path": str(folder), "layout": "emulator"}]
    first = found["files"][0]
    assert (first["name"], first["type"], first["processors"]) == ("drawing", "APPL", ["68K"])
    assert found["emulator"]["command"] == "BasiliskII --config PREFS"


def test_a_folder_alone_makes_no_image(
    macproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert macproof("disk", OLD, "--folder", "shared").code == 0
    assert macproof("disk", OLD, "--apple-double", "netatalk").code == 0
    assert macproof("disk", OLD, "--apple-double", "samba", "--server", "samba").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["netatalk", "samba", "shared"]
    assert (tmp_path / "shared" / ".rsrc" / "drawing").is_file()
    assert (tmp_path / "netatalk" / ".AppleDouble" / "drawing").is_file()
    assert (tmp_path / "samba" / "._drawing").is_file()
    assert macproof("run", "shared/drawing", "--quiet").code == 0
    assert macproof("disk", OLD).code == 0
    assert (tmp_path / "macproof.dsk").is_file()


def test_preferences_are_written_or_shown(macproof, image: Path, tmp_path: Path) -> None:
    prefs, rom = tmp_path / "prefs", tmp_path / "my.rom"
    rom.write_bytes(b"the user's")
    words = ["disk", OLD, NEW.as_posix() + "=New", "-o", image, "--for", "sheepshaver"]
    shown = macproof(*words, "--rom", rom)
    assert f"    disk {image}\n" in shown.out
    assert f"    rom {rom}\n" in shown.out
    assert "You supply: A disk image with a System" in shown.out
    assert "You supply: A ROM" not in shown.out
    done = macproof(*words, "--rom", rom, "--prefs", prefs)
    assert done.code == 0
    assert f"SheepShaver --config {prefs}" in done.out
    assert f"\ndisk {image}\n" in prefs.read_text()
    assert macproof(*words, "--prefs", prefs).code == 0, "it is ours"
    prefs.write_text("disk /my/own\n")
    refused = macproof(*words, "--prefs", prefs)
    assert refused.code == 2
    assert "macproof did not write it" in refused.err
    assert prefs.read_text() == "disk /my/own\n"
    assert macproof(*words, "--prefs", prefs, "--force").code == 0


def test_mini_vmac(macproof, image: Path) -> None:
    done = macproof("disk", OLD, f"{NEW}=New", "-o", image, "--for", "minivmac")
    assert f"Mini vMac: minivmac SYSTEM.dsk {image}" in done.out
    assert "do not run there: New" in done.out
    assert "None of this has been tried" in done.out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--size", "12"], "no size for a disk"),
        (["--size", "800K", "--folder", "x"], "add -o FILE"),
        (["--name", "Mine", "--folder", "x"], "--name is for a disk image: add -o FILE"),
        (["--server", "samba"], "add --apple-double DIR"),
        (["--server", "netatalk", "--folder", "x"], "add --apple-double DIR"),
        (["--prefs", "x"], "--prefs needs --for"),
        (["--rom", "x"], "--rom needs --for"),
        (["--for", "minivmac", "--prefs", "x"], "no preferences file"),
        (["--for", "basilisk", "--rom", "missing"], "there is no such file"),
        (["--folder", "x", "--apple-double", "./x"], "are the same"),
        (["--name", "x" * 28], "more than 27"),
        (["--name", "a:b"], "a colon"),
        ([str(OLD)], "two files would be called"),
        ([f"{OLD}=Read me"], "two files would be called"),
        ([f"{OLD}={'x' * 32}"], "32 characters"),
        (["missing.bin"], "cannot be read"),
        ([str(PREBUILT / "manifest.json")], "it is not a Mac file"),
    ],
)
def test_wrong_words_write_nothing(
    macproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = macproof("disk", OLD, *words)
    assert done.code == 2
    assert problem in done.err
    assert list(tmp_path.iterdir()) == []


def test_too_much_for_a_size_writes_nothing(macproof, tmp_path: Path, image: Path) -> None:
    large = tmp_path / "large.bin"
    large.write_bytes(make_macbinary("Large", type="APPL", creator="????", data=bytes(900_000)))
    folder = tmp_path / "shared"
    done = macproof("disk", large, "--size", "800K", "-o", image, "--folder", folder)
    assert done.code == 2
    assert "do not fit on a disk of 800K" in done.err
    assert "--size 1440K" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["large.bin"]


def test_a_disk_that_a_mac_has_used_is_kept(macproof, image: Path) -> None:
    words = ["disk", OLD, "-o", image]
    assert macproof(*words).code == 0
    assert macproof(*words, "--programs-only").code == 0, "nobody has used it"
    used = bytearray(image.read_bytes())
    struct.pack_into(">L", used, 1024 + 6, 3_000_000_000)
    image.write_bytes(used)
    done = macproof(*words)
    assert done.code == 2
    assert "a Mac has changed it" in done.err
    assert image.read_bytes() == used
    assert macproof(*words, "--force").code == 0
    assert image.read_bytes() != used


def test_a_file_that_is_no_disk_is_kept(macproof, image: Path, tmp_path: Path) -> None:
    image.write_text("mine")
    folder = tmp_path / "shared"
    done = macproof("disk", OLD, "-o", image, "--folder", folder)
    assert done.code == 2
    assert image.read_text() == "mine"
    assert not folder.exists()


def test_a_folder_that_refuses_keeps_the_image_from_being_written(
    macproof, image: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "drawing").write_text("mine")
    assert macproof("disk", OLD, "-o", image, "--folder", folder).code == 2
    assert not image.exists()


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_link_in_the_place_of_an_image_is_refused(macproof, image: Path, tmp_path: Path) -> None:
    image.symlink_to(tmp_path / "real.dsk")
    assert macproof("disk", OLD, "-o", image, "--force").code == 2
    assert not (tmp_path / "real.dsk").exists()


@pytest.mark.parametrize("where", ["", "missing file/inside"])
def test_images_that_cannot_be_written(macproof, tmp_path: Path, where: str) -> None:
    (tmp_path / "missing file").write_text("")
    assert macproof("disk", OLD, "-o", tmp_path / where, "--force").code == 2
    assert (tmp_path / "missing file").read_text() == ""


def test_a_program_without_a_type_is_pointed_out(macproof, image: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.pef"
    bare.write_bytes(read_mac_file(NEW).data)
    done = macproof("disk", bare, "-o", image)
    assert done.code == 0
    assert "warning: bare.pef: " in done.out


def test_a_disk_can_be_made_from_a_disk(macproof, image: Path, tmp_path: Path) -> None:
    assert macproof("disk", OLD, "-o", image, "--programs-only").code == 0
    again = tmp_path / "again.dsk"
    assert macproof("disk", f"{image}:drawing", "-o", again, "--programs-only").code == 0
    assert again.read_bytes() == image.read_bytes()


def _tree(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["in.dsk:drawing", "-o", "in.dsk"], "the disk image would be written over the program"),
        (["in.dsk:drawing=Other", "-o", "in.dsk"], "the disk image would be written over"),
        (["in.dsk", "-o", "./in.dsk"], "the disk image would be written over"),
        (["in.bin", "-o", "in.bin"], "over the program in.bin"),
        (["in.bin", "-o", "link.bin"], "it is a link"),
        (["in.bin", "--for", "basilisk", "--prefs", "in.bin"], "--prefs would be written over"),
        (["in.bin", "--json", "in.bin"], "--json would be written over"),
        (["in.bin", "-o", "x", "--json", "x"], "are the same"),
        (["in.bin", "--json", "macproof.dsk"], "the disk image and --json would be the same"),
        (["in.bin", "--folder", "y", "--json", "y/drawing"], "--json and a file in y"),
        (["shared/drawing", "--folder", "shared"], "a file in shared would be written over"),
        (["shared/drawing", "-o", "shared/.rsrc/drawing"], "over the program shared/drawing"),
        (["macproof.dsk:drawing"], "over the program macproof.dsk:drawing"),
        (["in.bin", "--for", "basilisk", "--rom", "rom", "--json", "./rom"], "are the same"),
        (
            ["in.bin", "--for", "basilisk", "--rom", "shared/drawing", "--folder", "shared"],
            "would be written over --rom",
        ),
    ],
)
def test_nothing_is_written_over_what_is_read(
    macproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(OLD, "in.bin")
    Path("link.bin").symlink_to("in.bin")
    Path("rom").write_bytes(b"the user's")
    Path("y").mkdir()
    assert macproof("disk", OLD, "-o", "in.dsk", "--folder", "shared").code == 0
    shutil.copy("in.dsk", "macproof.dsk")
    before = _tree(tmp_path)
    done = macproof("disk", *words, "--force")
    assert done.code == 2
    assert problem in " ".join(done.err.split())
    assert _tree(tmp_path) == before


def test_a_device_may_be_written_twice(macproof, tmp_path: Path) -> None:
    words = ["--json", os.devnull, "--for", "basilisk", "-o", tmp_path / "made.dsk"]
    assert macproof("disk", OLD, *words).code == 0
    assert macproof("disk", OLD, "-o", os.devnull, "--force").code == 0


@pytest.mark.parametrize(
    ("words", "made"),
    [
        (["--for", "minivmac", "--folder", "x"], True),
        (["--for", "basilisk", "--apple-double", "x"], True),
        (["--for", "minivmac", "--folder", "x", "--size", "800K", "--name", "Mine"], True),
        (["--for", "basilisk", "--folder", "x"], False),
        (["--folder", "x"], False),
    ],
)
def test_an_emulator_gets_something_that_it_mounts(
    macproof, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], made: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    assert macproof("disk", OLD, *words).code == 0
    assert Path("macproof.dsk").is_file() == made
    assert Path("x").is_dir()


def test_names_cannot_speak_to_the_terminal(macproof, image: Path, tmp_path: Path) -> None:
    evil = tmp_path / "evil.bin"
    evil.write_bytes(make_macbinary("a\x1b[31mb", type="AP\x07L", creator="????", data=b"x"))
    done = macproof("disk", evil, "-o", image)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\x07" not in done.out


def test_the_kits_own_disk(macproof, image: Path) -> None:
    assert macproof("disk", "-o", image).code == 0
    assert image.stat().st_size == 800 << 10, "a floppy for a Macintosh Plus"
    entries = check_volume(image.read_bytes()).entries
    assert {b"PortCheck", SCENES_NAME.encode(), b"Read Me"} <= entries.keys()
    program = read_mac_file(f"{image}:PortCheck")
    assert (program.type, program.creator) == ("APPL", "MPrf")
    assert {("CODE", 0), ("cfrg", 0)} <= program.resources.keys()


def test_the_kits_own_disk_is_of_these_sources(
    macproof, image: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Path(shutil.copytree(mac_sources(), tmp_path / "mac_src"))
    monkeypatch.setattr("emu.commands.programs.disk.mac_sources", lambda: copy)
    changed = copy / "port_check" / "port_check.cpp"
    changed.write_bytes(changed.read_bytes() + b"\n")
    done = macproof("disk", "-o", image)
    assert done.code == 3
    assert "was made from other sources" in done.err
    shutil.rmtree(prebuilt_folder(copy))
    done = macproof("disk", "-o", image)
    assert done.code == 3
    assert "there is no prebuilt Four Shifts" in done.err
    assert "macproof build --app" in done.err
    assert not image.exists()
