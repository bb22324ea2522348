"""The prebuilt programs: of exactly these sources, whole, and what the compilers give."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import ProgramError, ToolMissingError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.files.places import find_cases
from emu.cases.programs.sources import source_tree
from emu.toolchain.builds import ALL_TARGETS, TARGETS, targets_of
from emu.toolchain.programs.gcc import compile_flags, compile_program
from emu.toolchain.programs.prebuilt import provide, write
from emu.toolchain.sources import mac_sources

PREBUILT = mac_sources() / "prebuilt"
MANIFEST = json.loads((PREBUILT / "manifest.json").read_text())
CPUS = tuple(TARGETS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the prebuilt programs, to be damaged."""
    return shutil.copytree(PREBUILT, tmp_path / "prebuilt")


def entry(case: str, cpu: str, build: str) -> dict[str, Any]:
    (found,) = [
        e for e in MANIFEST["programs"] if (e["case"], e["cpu"], e["build"]) == (case, cpu, build)
    ]
    return found


# -- what is committed -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", list(find_cases()), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_prebuilt_programs_are_of_the_sources_beside_them(path: Path):
    """A source was changed and the programs not: macproof build --write-prebuilt."""
    case = read_case(path)
    tree = source_tree(case).read()
    assert case.prebuilt
    for cpu in case.cpus:
        for name in case.prebuilt:
            found = entry(case.name, cpu, name)
            assert found["source_sha256"] == tree.digest(), f"{cpu} {name} is stale"
            flags = compile_flags(tree, case.builds[name], ALL_TARGETS[cpu])
            assert tuple(found["flags"]) == flags


def test_the_folder_holds_what_the_manifest_names_and_nothing_else():
    named = {e["file"] for e in MANIFEST["programs"]}
    there = {path.name for path in PREBUILT.iterdir() if path.is_file()}
    assert there == named | {"manifest.json"}
    assert len(named) == len(MANIFEST["programs"])
    keys = [(e["case"], e["cpu"], e["build"]) for e in MANIFEST["programs"]]
    assert keys == sorted(set(keys))


def test_no_program_tells_where_it_was_compiled():
    for found in MANIFEST["programs"]:
        data = (PREBUILT / found["file"]).read_bytes()
        for word in (b"/home/", b"/tmp/", b"macproof-", str(PREBUILT.parent).encode()):
            assert word not in data


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS)
def test_the_same_compiler_gives_the_same_bytes(
    compilers: Callable[..., None], case: Case, cpu: str
):
    compilers(cpu)
    for build in case.builds.values():
        made = compile_program(source_tree(case), build, TARGETS[cpu])
        found = entry(case.name, cpu, build.name)
        if made.compiler != found["compiler"]:
            pytest.skip(f"made with {found['compiler']}, and here is {made.compiler}")
        assert made.path.read_bytes() == (PREBUILT / found["file"]).read_bytes()


# -- how they are used -------------------------------------------------------------------------


def test_they_are_used_where_there_is_no_compiler(no_compilers: None, case: Case):
    builds = list(case.builds.values())
    found = provide(case.name, source_tree(case), targets_of(CPUS), builds, PREBUILT)
    assert [(p.cpu, p.build) for p in found.programs] == [
        (cpu, build) for cpu in CPUS for build in case.builds
    ]
    assert {p.origin for p in found.programs} == {"prebuilt"}
    assert found.note == "18 prebuilt, of these very sources"
    assert all(p.sha256 == entry(case.name, p.cpu, p.build)["sha256"] for p in found.programs)


def test_code_for_another_processor_is_that_one_s_program(no_compilers: None, case: Case):
    targets = targets_of(["68040"], ["68000"])
    (found,) = provide(
        case.name, source_tree(case), targets, [case.builds["O2"]], PREBUILT
    ).programs
    assert (found.cpu, found.build, found.code) == ("68040", "O2, 68000 code", "68000")
    assert found.sha256 == entry(case.name, "68000", "O2")["sha256"]


def test_they_are_checked_where_there_is_one(
    compilers: Callable[..., None], case: Case, folder: Path
):
    compilers("68040")
    builds = [case.builds["O2"]]
    found = provide(case.name, source_tree(case), targets_of(["68040"]), builds, PREBUILT)
    if found.programs[0].compiler != entry(case.name, "68040", "O2")["compiler"]:
        pytest.skip("another version of the compiler")
    assert found.note == "1 compiled, 1 identical to the prebuilt ones"
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace(found.programs[0].sha256, "0" * 64))
    with pytest.raises(ProgramError, match="give another program") as caught:
        provide(case.name, source_tree(case), targets_of(["68040"]), builds, folder)
    assert "build --write-prebuilt" in str(caught.value)


def test_other_sources_are_not_checked_against_them(
    compilers: Callable[..., None], case: Case, tmp_path: Path, changed: Callable[..., str]
):
    compilers("68040")
    source = tmp_path / "mine.cpp"
    source.write_text(changed({"const scalar half": "scalar const half"}))
    tree = source_tree(case, source)
    found = provide(case.name, tree, targets_of(["68040"]), [case.builds["O2"]], PREBUILT)
    assert found.note == "1 compiled, 1 of them from sources that no prebuilt program is made of"


@pytest.mark.parametrize("use", ["auto", "prebuilt"])
def test_a_changed_source_needs_a_compiler(
    no_compilers: None, case: Case, tmp_path: Path, changed: Callable[..., str], use: str
):
    source = tmp_path / "mine.cpp"
    source.write_text(changed({"const scalar half": "scalar const half"}))
    with pytest.raises(ToolMissingError) as caught:
        provide(
            case.name,
            source_tree(case, source),
            targets_of(["601"]),
            [case.builds["O2"]],
            PREBUILT,
            use=use,
        )
    assert caught.value.exit_code == 3
    assert "made from other sources or flags" in str(caught.value)
    assert "apt-get install g++-powerpc-linux-gnu" in str(caught.value)


def test_compiled_means_compiled(no_compilers: None, case: Case):
    with pytest.raises(ToolMissingError, match="apt-get install g"):
        provide(
            case.name,
            source_tree(case),
            targets_of(["68040"]),
            [case.builds["O2"]],
            PREBUILT,
            use="compiled",
        )


# -- damage ------------------------------------------------------------------------------------


def provide_one(case: Case, folder: Path) -> None:
    tree = source_tree(case)
    provide(case.name, tree, targets_of(["68040"]), [case.builds["O2"]], folder, use="prebuilt")


@pytest.mark.parametrize("damage", ["changed", "cut", "empty", "gone", "a folder"])
def test_a_damaged_program(case: Case, folder: Path, damage: str):
    path = folder / entry(case.name, "68040", "O2")["file"]
    provide_one(case, folder)
    data = bytearray(path.read_bytes())
    path.unlink()
    if damage == "changed":
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    elif damage == "cut":
        path.write_bytes(data[:-1])
    elif damage == "empty":
        path.touch()
    elif damage == "a folder":
        path.mkdir()
    missing = damage in ("gone", "a folder")
    words = "but it is missing" if missing else "its SHA-256 is not the one in the manifest"
    with pytest.raises(ProgramError, match=words) as caught:
        provide_one(case, folder)
    assert path.name in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is damaged"),
        ("[]", "it is damaged"),
        ("{}", "it is damaged"),
        ('{"programs": []}', "it is damaged"),
        ('{"schema": "macproof.prebuilt/9", "programs": []}', "schema macproof.prebuilt/9"),
        ('{"schema": "macproof.prebuilt/1", "programs": 7}', "it is damaged"),
        ('{"schema": "macproof.prebuilt/1", "programs": [7]}', "it is damaged"),
        ('{"schema": "macproof.prebuilt/1", "programs": [{"case": "four-shifts"}]}', "is damaged"),
        ("[" * 100_000, "it is damaged"),
        ("\0\1\2", "it is damaged"),
    ],
)
def test_a_damaged_manifest(case: Case, folder: Path, text: str, words: str):
    (folder / "manifest.json").write_text(text)
    with pytest.raises(ProgramError, match=words):
        provide_one(case, folder)


def test_a_manifest_of_bytes_that_are_no_text(case: Case, folder: Path):
    (folder / "manifest.json").write_bytes(b"\xff\xfe\x80")
    with pytest.raises(ProgramError, match="it is damaged"):
        provide_one(case, folder)


def test_no_manifest(case: Case, tmp_path: Path):
    with pytest.raises(ToolMissingError, match="there is no prebuilt program of four-shifts"):
        provide_one(case, tmp_path)


# -- writing -----------------------------------------------------------------------------------


def test_they_are_written_as_they_are_read(
    compilers: Callable[..., None], case: Case, tmp_path: Path
):
    compilers("68040", "601")
    build = case.builds["O1"]
    tree = source_tree(case)
    programs = [compile_program(tree, build, TARGETS[cpu]) for cpu in ("68040", "601")]
    write("another", programs[:1], tmp_path)
    write(case.name, programs, tmp_path)
    manifest = write(case.name, programs[::-1], tmp_path)
    found = json.loads(manifest.read_text())
    assert [(e["case"], e["cpu"]) for e in found["programs"]] == [
        ("another", "68040"),
        ("four-shifts", "601"),
        ("four-shifts", "68040"),
    ]
    back = provide(case.name, tree, targets_of(["68040", "601"]), [build], tmp_path, use="prebuilt")
    assert [p.sha256 for p in back.programs] == [p.sha256 for p in programs]
