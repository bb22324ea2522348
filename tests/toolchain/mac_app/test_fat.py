"""Fat applications: both programs in one file, and what keeps two files from being one."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import ProgramError
from emu.program.mac_file.mac_file import MacFile, read_mac_file
from emu.program.mac_file.macbinary import make_macbinary
from emu.program.mac_file.resource_fork import Resource, make_resource_fork
from emu.program.mac_program import read_executable
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolchain.mac_app.fat import make_fat_application
from tests.rows import slow_but

PREBUILT = Path(__file__).parents[2] / "programs" / "mac" / "prebuilt"
SIZE = ("SIZE", -1)


def application(name: str, cpu: str) -> Path:
    return PREBUILT / cpu / f"{name}.bin"


@pytest.fixture
def changed(tmp_path: Path) -> Callable[..., Path]:
    """An application with something about it changed; see the fields of `MacFile`."""

    def write(path: Path, *more: Resource, without: tuple[str, ...] = (), **fields: str) -> Path:
        file = read_mac_file(path)
        replaced = {(one.type, one.id) for one in more}
        kept = [
            one
            for one in file.resources.resources
            if (one.type, one.id) not in replaced and one.type not in without
        ]
        made = tmp_path / f"{path.parent.name}-{len(list(tmp_path.iterdir()))}.bin"
        made.write_bytes(
            make_macbinary(
                fields.get("name", file.name),
                type=fields.get("type", file.type),
                creator=fields.get("creator", file.creator),
                data=file.data,
                resource_fork=make_resource_fork([*kept, *more]),
                flags=file.flags,
            )
        )
        return made

    return write


def refusal(m68k: Path, powerpc: Path) -> str:
    with pytest.raises(ProgramError) as caught:
        make_fat_application(m68k, powerpc)
    return str(caught.value)


def fat(m68k: Path, powerpc: Path, folder: Path) -> MacFile:
    path = folder / "fat.bin"
    path.write_bytes(make_fat_application(m68k, powerpc))
    return read_mac_file(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(["menus"], ["stdio", "menus"]))
def test_it_runs_on_every_processor_and_says_the_same(name: str, tmp_path: Path):
    thin = {"68000": "68000", "68040": "68000", "601": "601"}
    path = tmp_path / f"{name}.bin"
    path.write_bytes(make_fat_application(application(name, "68000"), application(name, "601")))
    assert read_executable(path).architectures == ("m68k", "powerpc")
    script = PREBUILT.parent / f"{name}.script.yaml"
    for cpu, other in thin.items():
        results = [
            run_request(
                RunRequest(
                    program,
                    cpu=cpu,
                    settings=Settings(timeout=120),
                    script=script if script.exists() else None,
                )
            )
            for program in (path, application(name, other))
        ]
        assert results[0].completed
        assert results[0].windows == results[1].windows
        assert [p.png for p in results[0].pictures] == [p.png for p in results[1].pictures]


def test_it_has_everything_of_both_once(tmp_path: Path):
    first, second = application("menus", "68000"), application("menus", "601")
    made = fat(first, second, tmp_path)
    parts = [read_mac_file(path) for path in (first, second)]
    assert made.data == parts[1].data
    assert (made.name, made.type, made.creator) == (parts[0].name, "APPL", parts[0].creator)
    keys = [(one.type, one.id) for one in made.resources.resources]
    assert len(keys) == len(set(keys))
    assert set(keys) == {*parts[0].resources, *parts[1].resources}
    for part in parts:
        for one in part.resources.resources:
            assert made.resources[one.type, one.id] == one
    assert make_fat_application(first, second) == make_fat_application(first, second)


def test_the_larger_amount_of_memory_is_asked_for(changed: Callable[..., Path], tmp_path: Path):
    flags = struct.unpack(">H", read_mac_file(application("empty", "601")).resources[SIZE].data[:2])
    ours = struct.pack(">HII", *flags, 300 << 10, 200 << 10)
    theirs = struct.pack(">HII", *flags, 400 << 10, 100 << 10)
    made = fat(
        changed(application("empty", "68000"), Resource(*SIZE, "", 0, ours)),
        changed(application("empty", "601"), Resource(*SIZE, "", 0, theirs)),
        tmp_path,
    )
    assert struct.unpack(">HII", made.resources[SIZE].data) == (*flags, 400 << 10, 200 << 10)


@pytest.mark.parametrize(
    "data, problem",
    [
        (struct.pack(">HII", 0x4880, 1 << 20, 1 << 20), "its flags are 0x4880"),
        (b"\x08\x80", "has not 10 bytes"),
    ],
)
def test_sizes_that_cannot_be_one(data: bytes, problem: str, changed: Callable[..., Path]):
    other = changed(application("empty", "601"), Resource(*SIZE, "", 0, data))
    said = refusal(application("empty", "68000"), other)
    assert problem in said
    assert "'SIZE' -1" in said


@pytest.mark.parametrize(
    "fields, problem",
    [
        ({"name": "Another"}, "its name is 'Another', that of "),
        ({"creator": "MOSS"}, "its creator is 'MOSS', that of "),
        ({"type": "appe"}, "its type is 'appe', that of "),
    ],
)
def test_files_that_are_not_one_program(
    fields: dict[str, str], problem: str, changed: Callable[..., Path]
):
    said = refusal(application("empty", "68000"), changed(application("empty", "601"), **fields))
    assert problem in said
    assert "build both of the same sources" in said


def test_resources_that_differ(changed: Callable[..., Path]):
    pair = [
        changed(application("empty", cpu), Resource("STR ", 128, "", 0, text))
        for cpu, text in (("68000", b"\3one"), ("601", b"\3two"))
    ]
    said = refusal(*pair)
    assert f"its resource 'STR ' 128 is not the one of {pair[0]}" in said
    assert str(pair[1]) in said


def test_a_name_makes_a_resource_another(changed: Callable[..., Path]):
    pair = [
        changed(application("empty", cpu), Resource("STR ", 128, name, 0, b"\0"))
        for cpu, name in (("68000", "Hello"), ("601", ""))
    ]
    assert "'STR ' 128" in refusal(*pair)


def test_the_wrong_kind_of_program(changed: Callable[..., Path], tmp_path: Path):
    m68k, powerpc = application("empty", "68000"), application("empty", "601")
    assert "no program for the 68K, but for the PowerPC" in refusal(powerpc, m68k)
    assert "no program for the PowerPC, but for the 68K" in refusal(m68k, m68k)
    bare = changed(powerpc, without=("cfrg",))
    assert "no Power Macintosh starts it" in refusal(m68k, bare)
    nothing = tmp_path / "nothing.bin"
    nothing.write_bytes(make_macbinary("nothing", type="TEXT", creator="ttxt", data=b"words"))
    assert refusal(nothing, powerpc).endswith("it has no program for the 68K")
    both = tmp_path / "both.bin"
    both.write_bytes(make_fat_application(m68k, powerpc))
    assert "fat application already" in refusal(both, powerpc)
    assert "fat application already" in refusal(m68k, both)


def test_what_is_no_mac_file(tmp_path: Path):
    path = tmp_path / "text.bin"
    path.write_text("words")
    assert str(path) in refusal(path, application("empty", "601"))
    assert "cannot be read" in refusal(tmp_path / "none.bin", application("empty", "601"))
