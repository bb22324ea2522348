"""The volume, its files' contents, and the walls around the host's folder."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import UsageError
from emu.program.mac_file.mac_file import read_mac_file
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.host_folder import (
    DEEPEST,
    HostFolder,
    StoredFile,
    host_name,
    is_valid_name,
    mac_name,
)
from emu.toolbox.managers.files.nodes import File, Folder, folded
from emu.toolbox.managers.files.open_files import (
    AT_MARK,
    FROM_END,
    FROM_MARK,
    FROM_START,
    NEWLINE_MODE,
    OpenFiles,
)
from emu.toolbox.managers.files.volume import CAPACITY, Volume
from emu.toolbox.records.results import ResultCode
from tests.examples import examples
from tests.program.mac_samples import apple_single

NOW = 1000


def volume(folder: Path | None = None) -> Volume:
    return Volume(b"macproof", folder, NOW)


def code_of(error: pytest.ExceptionInfo[FileError]) -> ResultCode:
    return error.value.code


# -- reading and writing, against a plain array of bytes -------------------------------------------

MODES = st.sampled_from([AT_MARK, FROM_START, FROM_END, FROM_MARK])
OFFSETS = st.integers(-40, 60)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), MODES, OFFSETS, st.binary(max_size=20)),
        st.tuples(st.just("read"), MODES, OFFSETS, st.integers(-1, 40)),
        st.tuples(st.just("line"), MODES, OFFSETS, st.integers(0, 40)),
        st.tuples(st.just("end"), MODES, st.integers(-2, 60), st.just(0)),
        st.tuples(st.just("mark"), MODES, OFFSETS, st.just(0)),
    ),
    max_size=40,
)


@given(steps=STEPS)
def test_an_open_file_is_an_array_with_a_mark(steps: list[tuple[str, int, int, object]]) -> None:
    disk = volume()
    files = OpenFiles(disk)
    opened = files.open(disk.create_file(disk.root, b"f", NOW), False, 3)
    model, mark = bytearray(), 0
    for step, mode, offset, what in steps:
        base = {AT_MARK: mark, FROM_START: 0, FROM_END: len(model), FROM_MARK: mark}[mode]
        place = base if mode == AT_MARK else base + offset
        try:
            if step == "write":
                assert isinstance(what, bytes)
                files.write(opened, what, NOW, mode, offset)
                model.extend(bytes(max(0, place + len(what) - len(model))))
                model[place : place + len(what)] = what
                mark = place + len(what)
            elif step == "end":
                files.set_end(opened, offset, NOW)
                model = bytearray(bytes(model[:offset]).ljust(offset, b"\0"))
                mark = min(mark, offset)
            elif step == "mark":
                files.set_mark(opened, mode, offset)
                mark = place
            else:
                assert isinstance(what, int)
                flags = NEWLINE_MODE | 7 << 8 if step == "line" else 0
                data = files.read(opened, what, mode | flags, offset)
                expected = bytes(model[place : place + what])
                if step == "line" and 7 in expected:
                    expected = expected[: expected.index(7) + 1]
                assert data == expected
                mark = place + len(expected)
        except FileError as error:
            if error.code is ResultCode.posErr:
                assert place < 0
            elif error.code is ResultCode.paramErr:
                assert (what if step == "read" else offset) < 0
            else:
                assert error.code is ResultCode.eofErr
                assert place > len(model)
                mark = len(model)
        assert (bytes(opened.fork), opened.mark) == (bytes(model), mark)
        assert disk.used == len(model)


def test_a_full_disk_takes_nothing_and_loses_nothing() -> None:
    disk = volume()
    files = OpenFiles(disk)
    opened = files.open(disk.create_file(disk.root, b"f", NOW), False, 3)
    files.write(opened, b"kept", NOW)
    for act in (
        lambda: files.set_end(opened, CAPACITY + 1, NOW),
        lambda: files.write(opened, b"x", NOW, FROM_START, CAPACITY),
        lambda: files.write(opened, b"x", NOW, FROM_START, 0x7FFFFFFF),
    ):
        with pytest.raises(FileError) as error:
            act()
        assert code_of(error) is ResultCode.dskFulErr
    assert bytes(opened.fork) == b"kept"


def test_who_may_write() -> None:
    disk = volume()
    files = OpenFiles(disk)
    file = disk.create_file(disk.root, b"f", NOW)
    writer = files.open(file, False, 0)
    assert writer.writes
    assert not files.open(file, False, 0).writes
    assert not files.open(file, False, 1).writes
    assert files.open(file, True, 3).writes, "the other fork is another matter"
    for permission in (2, 3, 4):
        with pytest.raises(FileError) as error:
            files.open(file, False, permission)
        assert code_of(error) is ResultCode.opWrErr
    files.close(writer.reference)
    assert files.open(file, False, 4).writes
    assert files.open(file, False, 4).writes, "both share"


def test_a_locked_file_is_only_read() -> None:
    disk = volume()
    files = OpenFiles(disk)
    file = disk.create_file(disk.root, b"f", NOW)
    file.locked = True
    with pytest.raises(FileError) as error:
        files.open(file, False, 3)
    assert code_of(error) is ResultCode.permErr
    opened = files.open(file, False, 0)
    with pytest.raises(FileError) as error:
        files.write(opened, b"x", NOW)
    assert code_of(error) is ResultCode.wrPermErr
    for act in (lambda: disk.delete(file), lambda: disk.rename(file, b"g")):
        with pytest.raises(FileError) as error:
            act()
        assert code_of(error) is ResultCode.fLckdErr


def test_reference_numbers_are_used_again_and_run_out() -> None:
    disk = volume()
    files = OpenFiles(disk)
    file = disk.create_file(disk.root, b"f", NOW)
    first, second = (files.open(file, False, 1).reference for _ in range(2))
    assert (first, second) == (2, 96)
    files.close(first)
    assert files.open(file, False, 1).reference == first
    with pytest.raises(FileError) as error:
        for _ in range(1000):
            files.open(file, False, 1)
    assert code_of(error) is ResultCode.tmfoErr
    with pytest.raises(FileError) as error:
        files.close(3)
    assert code_of(error) is ResultCode.rfNumErr


# -- names and folders -----------------------------------------------------------------------------


def test_paths_lead_where_they_say() -> None:
    disk = volume()
    outer = disk.create_folder(disk.root, b"Outer", NOW)
    inner = disk.create_folder(disk.root, b":Outer:Inner", NOW)
    file = disk.create_file(inner, b"File", NOW)
    assert (outer.id, inner.id, file.id) == (16, 17, 18)
    for start, path in (
        (disk.root, b"macproof:Outer:Inner:File"),
        (inner, b"MACPROOF:outer:inner:file"),
        (disk.root, b":Outer:Inner:File"),
        (outer, b":Inner:File"),
        (inner, b"File"),
        (inner, b":File"),
        (inner, b"::Inner:File"),
        (inner, b":::Outer:Inner:File"),
    ):
        assert disk.find(start, path) is file
    assert disk.find(disk.root, b"macproof:") is disk.root
    assert disk.find(inner, b"::") is outer
    assert file.path == "Outer:Inner:File"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (b"Nothing", ResultCode.fnfErr),
        (b":No:File", ResultCode.dirNFErr),
        (b"::", ResultCode.dirNFErr),
        (b"Other:File", ResultCode.nsvErr),
        (b"n" * 32, ResultCode.bdNamErr),
        (b"a\0b", ResultCode.bdNamErr),
        (b"..", ResultCode.bdNamErr),
        (b"._out", ResultCode.bdNamErr),
        (b":File:Inside", ResultCode.dirNFErr),
    ],
)
def test_paths_that_lead_nowhere(path: bytes, code: ResultCode) -> None:
    disk = volume()
    disk.create_file(disk.root, b"File", NOW)
    with pytest.raises(FileError) as error:
        disk.find(disk.root, path)
    assert code_of(error) is code


def test_names_differ_by_accents_and_not_by_case() -> None:
    disk = volume()
    disk.create_file(disk.root, "Übung".encode("mac_roman"), NOW)
    with pytest.raises(FileError) as error:
        disk.create_file(disk.root, "übung".encode("mac_roman"), NOW)
    assert code_of(error) is ResultCode.dupFNErr
    disk.create_file(disk.root, b"Ubung", NOW)
    assert folded(b"\xa7") == "ß", "its capital has two letters"


def test_moving_and_deleting() -> None:
    disk = volume()
    outer = disk.create_folder(disk.root, b"Outer", NOW)
    inner = disk.create_folder(outer, b"Inner", NOW)
    file = disk.create_file(disk.root, b"File", NOW)
    disk.move(file, inner)
    assert disk.find(disk.root, b":Outer:Inner:File") is file
    for act, code in (
        (lambda: disk.move(outer, inner), ResultCode.badMovErr),
        (lambda: disk.move(disk.root, inner), ResultCode.badMovErr),
        (lambda: disk.delete(inner), ResultCode.fBsyErr),
        (lambda: disk.delete(disk.root), ResultCode.fBsyErr),
    ):
        with pytest.raises(FileError) as error:
            act()
        assert code_of(error) is code
    disk.delete(file)
    disk.delete(inner)
    assert [node.name for node in outer.sorted()] == []


# -- the host's folder -----------------------------------------------------------------------------


def test_files_of_the_folder_are_there_and_come_back(tmp_path: Path) -> None:
    (tmp_path / "Read me").write_bytes(b"text")
    (tmp_path / "Sub").mkdir()
    (tmp_path / "Sub" / "a:b").write_bytes(b"slash")
    disk = volume(tmp_path)
    files = OpenFiles(disk)
    file = disk.find(disk.root, b":Sub:a/b")
    assert isinstance(file, File)
    opened = files.open(file, False, 3)
    assert files.read(opened, 9) == b"slash"
    files.write(opened, b"!", NOW)
    assert (tmp_path / "Sub" / "a:b").read_bytes() == b"slash", "not before it is closed"
    files.close(opened.reference)
    assert (tmp_path / "Sub" / "a:b").read_bytes() == b"slash!"
    assert not (tmp_path / "Sub" / "._a:b").exists()
    disk.rename(file, b"c")
    disk.move(file, disk.root)
    assert (tmp_path / "c").read_bytes() == b"slash!"
    disk.delete(file)
    assert sorted(os.listdir(tmp_path)) == ["Read me", "Sub"]


def test_both_forks_are_what_a_mac_file_is_read_from(tmp_path: Path) -> None:
    disk = volume(tmp_path)
    files = OpenFiles(disk)
    file = disk.create_file(disk.root, b"Doc", NOW)
    file.finder = b"TEXTttxt\x20\x00".ljust(32, b"\0")
    from emu.program.mac_file.resource_fork import Resource, make_resource_fork

    fork = make_resource_fork([Resource("STR ", 128, "", 0, b"\x02hi")])
    for resource, data in ((False, b"data"), (True, fork)):
        opened = files.open(file, resource, 3)
        files.write(opened, data, NOW)
        files.close(opened.reference)
    read = read_mac_file(tmp_path / "Doc")
    assert (read.data, read.type, read.creator, read.flags) == (b"data", "TEXT", "ttxt", 0x2000)
    found = read.resources.find("STR ", 128)
    assert found is not None
    assert found.data == b"\x02hi"
    again = volume(tmp_path)
    file = again.find(again.root, b"doc")
    assert isinstance(file, File)
    again.load(file)
    assert (bytes(file.resources), file.finder[:10]) == (fork, b"TEXTttxt\x20\x00")
    again.delete(file)
    assert os.listdir(tmp_path) == []


def make_outside(tmp_path: Path) -> Path:
    """A folder for the volume, beside a secret, with every kind of link to that."""
    inside = tmp_path / "inside"
    inside.mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    (tmp_path / "secret").write_bytes(b"secret")
    (inside / "link").symlink_to(tmp_path / "secret")
    (inside / "folder").symlink_to(outside)
    (inside / "gone").symlink_to(tmp_path / "new")
    (inside / "up").symlink_to("..")
    (inside / ".hidden").write_bytes(b"hidden")
    (inside / "ok").write_bytes(b"ok")
    os.mkfifo(inside / "pipe")
    return inside


ESCAPES = [
    b"::..:secret",
    b"..",
    b":..:secret",
    b"/etc/passwd",
    b":/etc/passwd",
    b"../secret",
    b"link",
    b"folder",
    b":folder:secret",
    b"up",
    b":up:secret",
    b"gone",
    b"pipe",
    b".hidden",
    b"._ok",
    b"macproof:..:secret",
    b"macproof::secret",
    b"::secret",
    b"\0",
    b"ok\0/../../secret",
    b"x" * 255,
    b":" * 255,
    b"a:" * 120,
]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "inside" not in path.relative_to(folder).parts
    }


@pytest.mark.parametrize("path", ESCAPES, ids=repr)
def test_nothing_outside_can_be_reached(path: bytes, tmp_path: Path) -> None:
    inside = make_outside(tmp_path)
    before = snapshot(tmp_path)
    disk = volume(inside)
    with pytest.raises(FileError):
        disk.find(disk.root, path)
    files = OpenFiles(disk)
    for make in (disk.create_file, disk.create_folder):
        try:
            made = make(disk.root, path, NOW)
        except FileError:
            continue
        if isinstance(made, File):
            opened = files.open(made, False, 3)
            files.write(opened, b"overwritten", NOW)
            files.close(opened.reference)
    ok = disk.find(disk.root, b"ok")
    with contextlib.suppress(FileError):
        disk.rename(ok, path)
    assert snapshot(tmp_path) == before


@settings(max_examples=examples(60), deadline=None)
@given(path=st.binary(max_size=60) | st.text(alphabet=":./a\0", max_size=20).map(str.encode))
def test_no_path_gets_out(path: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    parent = tmp_path_factory.mktemp("walls")
    (parent / "inside").mkdir()
    (parent / "secret").write_bytes(b"secret")
    disk = volume(parent / "inside")
    for make in (disk.create_file, disk.create_folder):
        try:
            make(disk.root, path, NOW)
        except FileError:
            continue
    assert sorted(os.listdir(parent)) == ["inside", "secret"]
    assert (parent / "secret").read_bytes() == b"secret"


def test_a_link_that_appears_later_is_not_followed(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    (inside / "sub" / "f").write_bytes(b"mine")
    (inside / "g").write_bytes(b"mine")
    (tmp_path / "f").write_bytes(b"secret")
    disk = volume(inside)
    (inside / "sub" / "f").unlink()
    (inside / "sub").rmdir()
    (inside / "sub").symlink_to(tmp_path)
    (inside / "g").unlink()
    (inside / "g").symlink_to(tmp_path / "f")
    for path in (b":sub:f", b"g"):
        file = disk.find(disk.root, path)
        assert isinstance(file, File)
        with pytest.raises(FileError) as error:
            disk.load(file)
        assert code_of(error) is ResultCode.ioErr
        file.loaded = file.changed = True
        with pytest.raises(FileError):
            disk.flush(file)
        assert (tmp_path / "f").read_bytes() == b"secret"


def test_a_name_that_the_host_has_hidden_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/nowhere")
    (tmp_path / "._new").write_bytes(b"somebody's")
    disk = volume(tmp_path)
    file = disk.create_file(disk.root, b"mine", NOW)
    for name in (b"link", b"new"):
        for act in (
            lambda name=name: disk.create_file(disk.root, name, NOW),
            lambda name=name: disk.create_folder(disk.root, name, NOW),
            lambda name=name: disk.rename(file, name),
        ):
            with pytest.raises(FileError) as error:
                act()
            assert code_of(error) is ResultCode.dupFNErr
    assert (tmp_path / "._new").read_bytes() == b"somebody's"


def test_a_companion_left_behind_takes_no_name(tmp_path: Path) -> None:
    disk = volume(tmp_path)
    file = disk.create_file(disk.root, b"results", NOW)
    file.resources[:] = b"resources"
    file.changed = True
    disk.flush(file)
    assert (tmp_path / "._results").exists()
    (tmp_path / "results").unlink()
    again = volume(tmp_path)
    part = again.create_file(again.root, b"part", NOW)
    again.rename(part, b"results")
    assert (tmp_path / "results").exists()
    assert not (tmp_path / "part").exists()


FORMS = {
    "._": ("._{}",),
    ".AppleDouble": (".AppleDouble/{}",),
    ".rsrc": (".rsrc/{}", ".finf/{}"),
}
"""Where the hidden parts of a file are, in each form."""


def put_file(folder: Path, form: str) -> None:
    """Put a file "Doc" with both forks into a folder, in one of the forms."""
    (folder / "Doc").write_bytes(b"data")
    places = [folder / place.format("Doc") for place in FORMS[form]]
    finder, fork = b"TEXTttxt\x20\x00".ljust(32, b"\0"), b"resources"
    for place in places:
        place.parent.mkdir(exist_ok=True)
    if form == ".rsrc":
        places[0].write_bytes(fork)
        places[1].write_bytes(finder)
    else:
        places[0].write_bytes(apple_single(double=True, entries={9: finder, 2: fork}))


def hidden(folder: Path) -> set[str]:
    """The hidden files in a folder and in its hidden folders."""
    found = {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}
    return {one for one in found if one.startswith(".")}


@pytest.mark.parametrize("form", FORMS)
def test_neighbours_have_both_forks_in_every_form(tmp_path: Path, form: str) -> None:
    put_file(tmp_path, form)
    disk = volume(tmp_path)
    doc = disk.find(disk.root, b"Doc")
    assert isinstance(doc, File)
    assert doc.size > 4
    disk.load(doc)
    assert (doc.data, doc.resources, doc.finder[:10]) == (
        b"data",
        b"resources",
        b"TEXTttxt\x20\x00",
    )
    doc.resources[:] = b"changed"
    doc.changed = True
    disk.flush(doc)
    new = disk.create_file(disk.root, b"New", NOW)
    new.resources[:], new.changed = b"new", True
    disk.flush(new)
    for name in ("Doc", "New"):
        assert {place.format(name) for place in FORMS[form]} <= hidden(tmp_path)
    sub = disk.create_folder(disk.root, b"Sub", NOW)
    disk.move(doc, sub)
    disk.rename(new, b"Newer")
    assert hidden(tmp_path) == {place.format("Newer") for place in FORMS[form]}
    again = volume(tmp_path)
    for path, contents in ((b":Sub:Doc", b"changed"), (b"Newer", b"new")):
        file = again.find(again.root, path)
        assert isinstance(file, File)
        again.load(file)
        assert file.resources == contents
        again.delete(file)
    again.delete(again.find(again.root, b"Sub"))
    assert hidden(tmp_path) == set()
    assert not (tmp_path / "Sub").exists()


def test_a_link_to_hidden_files_leads_nowhere(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
    put_file(outside, ".rsrc")
    (inside / "Doc").write_bytes(b"data")
    for name in (".rsrc", ".finf"):
        (inside / name).symlink_to(outside / name)
    disk = volume(inside)
    file = disk.find(disk.root, b"Doc")
    assert isinstance(file, File)
    disk.load(file)
    assert file.resources == b""
    file.resources[:], file.changed = b"mine", True
    disk.flush(file)
    assert (outside / ".rsrc" / "Doc").read_bytes() == b"resources"
    assert (inside / "._Doc").exists()
    (inside / ".rsrc" / "Doc").unlink()
    (inside / "Sub" / ".rsrc").mkdir(parents=True)
    (inside / "Sub" / ".rsrc" / "Doc").write_bytes(b"other")
    (inside / "Sub" / "Doc").write_bytes(b"other")
    disk = volume(inside)
    disk.delete(disk.find(disk.root, b"Doc"))
    with pytest.raises(FileError) as error:
        disk.move(disk.find(disk.root, b":Sub:Doc"), disk.root)
    assert code_of(error) is ResultCode.ioErr
    assert not (outside / ".rsrc" / "Doc").exists()


def test_a_damaged_companion_is_an_error_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"data")
    (tmp_path / "._f").write_bytes(b"\0\5\x16\7 and no more")
    disk = volume(tmp_path)
    file = disk.find(disk.root, b"f")
    assert isinstance(file, File)
    with pytest.raises(FileError) as error:
        disk.load(file)
    assert code_of(error) is ResultCode.ioErr


def test_what_the_host_refuses_is_an_error_of_the_disk(tmp_path: Path) -> None:
    disk = volume(tmp_path)
    file = disk.create_file(disk.root, b"f", NOW)
    (tmp_path / "f").unlink()
    with pytest.raises(FileError) as error:
        disk.delete(file)
    assert code_of(error) is ResultCode.ioErr
    (tmp_path / "f").mkdir()
    file.changed = True
    with pytest.raises(FileError) as error:
        disk.flush(file)
    assert code_of(error) is ResultCode.ioErr


def test_a_folder_that_is_too_much_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        volume(tmp_path / "missing")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError, match="not a folder"):
        volume(tmp_path / "file")
    with (tmp_path / "big").open("wb") as file:
        file.truncate(CAPACITY + 1)
    with pytest.raises(UsageError, match="has room for"):
        volume(tmp_path)
    deep = tmp_path / "deep"
    deep.joinpath(*["d"] * 30).mkdir(parents=True)
    with pytest.raises(UsageError, match="nested"):
        volume(deep)


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emu.toolbox.managers.files.host_folder.MOST_ENTRIES", 3)
    for number in range(4):
        (tmp_path / f"f{number}").touch()
    with pytest.raises(UsageError, match="more than 3"):
        volume(tmp_path)


@pytest.mark.parametrize("on_host", [True, False])
def test_a_run_leaves_no_more_files_than_the_next_one_accepts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_host: bool
) -> None:
    for place in ("host_folder", "volume"):
        monkeypatch.setattr(f"emu.toolbox.managers.files.{place}.MOST_ENTRIES", 4)
    disk = volume(tmp_path if on_host else None)
    inner = disk.create_folder(disk.root, b"inner", NOW)
    gone = disk.create_file(inner, b"gone", NOW)
    for name in (b"a", b"b"):
        disk.create_file(disk.root, name, NOW)
    for create in (disk.create_file, disk.create_folder):
        with pytest.raises(FileError) as error:
            create(inner, b"c", NOW)
        assert code_of(error) is ResultCode.dirFulErr
    disk.create_file(disk.root, b"the program's own", NOW, stored=False)
    disk.delete(gone)
    disk.create_file(inner, b"c", NOW)
    if on_host:
        assert {file.name for file in volume(tmp_path).files()} == {b"a", b"b", b"c"}


def test_files_that_the_volume_does_not_show_count_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("host_folder", "volume"):
        monkeypatch.setattr(f"emu.toolbox.managers.files.{place}.MOST_ENTRIES", 2)
    (tmp_path / "one").touch()
    (tmp_path / "ONE").touch()
    disk = volume(tmp_path)
    assert len(list(disk.files())) == 1
    with pytest.raises(FileError) as error:
        disk.create_file(disk.root, b"two", NOW)
    assert code_of(error) is ResultCode.dirFulErr


def test_a_run_nests_folders_no_deeper_than_the_next_one_accepts(tmp_path: Path) -> None:
    disk = volume(tmp_path)
    place = disk.root
    for _ in range(DEEPEST):
        place = disk.create_folder(place, b"d", NOW)
    other = disk.create_folder(disk.root, b"other", NOW)
    for act in (
        lambda: disk.create_folder(place, b"d", NOW),
        lambda: disk.move(other, place),
    ):
        with pytest.raises(FileError) as error:
            act()
        assert code_of(error) is ResultCode.dirFulErr
    disk.create_file(place, b"file", NOW)
    assert [file.name for file in volume(tmp_path).files()] == [b"file"]


def test_what_vanishes_while_the_folder_is_read_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").touch()
    (tmp_path / "there").write_bytes(b"12345")
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "file").touch()
    scan = os.scandir

    def scandir(folder: Path) -> list[os.DirEntry[str]]:
        if folder.name == "closed":
            raise PermissionError(13, "Permission denied")
        found = list(scan(folder))
        (tmp_path / "gone").unlink()
        return found

    monkeypatch.setattr("emu.toolbox.managers.files.host_folder.os.scandir", scandir)
    entries = HostFolder(tmp_path).entries()
    assert [(entry.host_name, entry.size, entry.inside) for entry in entries] == [
        ("closed", 0, ()),
        ("there", 5, None),
    ]


def test_a_folder_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scandir(folder: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("emu.toolbox.managers.files.host_folder.os.scandir", scandir)
    with pytest.raises(UsageError, match="cannot be read: Permission denied"):
        HostFolder(tmp_path).entries()


def test_the_host_folder_takes_no_way_out(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    host = HostFolder(tmp_path / "inside")
    from emu.base.errors import InputError

    for parts in (("..", "f"), ("a/../../f",), ("",), (".",), ("f\0",), ("/etc/f",)):
        with pytest.raises(InputError):
            host.write(parts, StoredFile(b"x", b"", bytes(32)))
    assert sorted(os.listdir(tmp_path)) == ["inside"]


@given(name=st.binary(min_size=1, max_size=31))
def test_names_of_the_macintosh_come_back_from_the_host(name: bytes) -> None:
    if is_valid_name(name):
        assert "/" not in host_name(name)
        assert mac_name(host_name(name)) == name


@pytest.mark.parametrize("name", ["日本", "\udcff", "x" * 32, ".git", "a\x00"])
def test_names_a_macintosh_cannot_have(name: str) -> None:
    assert mac_name(name) is None


def test_a_folder_is_no_file() -> None:
    disk = volume()
    assert isinstance(disk.folder(2), Folder)
    with pytest.raises(FileError) as error:
        disk.folder(disk.create_file(disk.root, b"f", NOW).id)
    assert code_of(error) is ResultCode.dirNFErr


def test_folders_can_be_nested_deeper_than_calls_of_python() -> None:
    disk = volume()
    folder = disk.root
    for _ in range(2000):
        folder = disk.create_folder(folder, b"a", NOW)
    file = disk.create_file(folder, b"f", NOW)
    assert file.path == "a:" * 2000 + "f"
    disk.rename(file, b"g")  # which asks for its place on a host
    assert file.path == "a:" * 2000 + "g"
