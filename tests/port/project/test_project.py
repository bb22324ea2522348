"""port.yaml, and what is said of a wrong one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.port.graft.units import compile_units
from emu.port.model import Claims
from emu.port.original.session import PLAIN_SETTINGS, SessionTerms
from emu.port.project.places import require_places
from emu.port.project.project import original_digest, read_project
from tests.port.project.small_port import ORIGINAL, write_port


def test_a_port_is_read(tmp_path: Path) -> None:
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "board.h").touch()
    (tmp_path / "names.csv").write_text("place,name\n")
    path = write_port(
        tmp_path,
        more="include: [headers]\nmarks: [names.csv]\ncflags: [-DOLD]\nignore: [A5-0x10+4]\n",
    )
    project = read_project(tmp_path)
    assert read_project(path) == project
    assert project.architecture == "m68k"
    assert project.recordings == tmp_path / ".recordings"
    assert [file.name for file in project.marked_files] == ["sum.c", "board.h", "names.csv"]
    assert (project.flags, project.ignore) == (("-DOLD",), ("A5-0x10+4",))
    assert project.read_original().architecture == "m68k"


def test_the_old_program_has_the_disk_that_the_port_names(tmp_path: Path) -> None:
    write_port(tmp_path, more="disk: files\n")
    with pytest.raises(CaseError, match=r"there is no folder .*files"):
        read_project(tmp_path)
    (tmp_path / "files").mkdir()
    terms = SessionTerms.of(read_project(tmp_path))
    assert terms.settings == replace(PLAIN_SETTINGS, folder=tmp_path / "files")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("sources: [sum.c]", "sources: [lost.c]", "line 6: there is no file lost.c beside it"),
        ("sources: [sum.c]", "sources: [port.yaml]", "line 6: port.yaml is no source of C or C++"),
        ('cpu: "68000"', 'cpu: "68050"', "line 4: there is no cpu 68050; did you mean 68040?"),
        ("m68k-elf", "think-d", "line 5: there is no convention think-d"),
        ("sources", "sourcs", "line 6: the key sourcs is not known; did you mean sources?"),
        ("convention", "digest", "line 5: the key digest is not known"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, said: str, tmp_path: Path) -> None:
    path = write_port(tmp_path)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(CaseError, match=r"port\.yaml") as caught:
        read_project(path)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("ignore", "said"),
    [
        ("A5-0x99910+4", "it has no data of 4 bytes at A5-0x99910"),
        ("A5-0x10+99999999999", "no data has 99,999,999,999 bytes"),
        ("CODE 7+0x4+4", "it has no data CODE 7"),
    ],
)
def test_what_is_not_compared_lies_in_data(ignore: str, said: str, tmp_path: Path) -> None:
    project = read_project(write_port(tmp_path, more=f"ignore: [{ignore}]\n"))
    with pytest.raises(CaseError, match=f"line 7: {re.escape(ignore)} cannot be left out: {said}"):
        require_places(project, Claims({}, ()))
    right = read_project(write_port(tmp_path, more="ignore: [A5-0x10+4]\n"))
    require_places(right, Claims({}, ()))


def test_a_convention_of_another_processor_is_refused_with_its_line(tmp_path: Path) -> None:
    path = write_port(tmp_path)
    path.write_text(path.read_text().replace("m68k-elf", "ppc-poweropen"))
    with pytest.raises(CaseError, match=r"line 5: no function can be compiled for the convention"):
        compile_units(read_project(path))


def test_a_prefix_that_is_nowhere_is_refused_with_its_line(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    project = read_project(write_port(tmp_path, more="prefix: Nope\n"))
    with pytest.raises(CaseError, match=r"line 7: there is no prefix header Nope"):
        compile_units(project)


def test_a_changed_original_is_noticed(tmp_path: Path) -> None:
    old = tmp_path / "Old.bin"
    old.write_bytes(ORIGINAL.read_bytes())
    path = write_port(tmp_path, original=old)
    digest = original_digest(old)
    content = bytearray(ORIGINAL.read_bytes())
    content[len(content) // 2] ^= 1
    old.write_bytes(content)
    assert original_digest(old) != digest
    with pytest.raises(CaseError, match=r"port.yaml, line 3: the original .* has changed"):
        read_project(path).read_original()


def test_an_original_that_is_not_there_is_told_when_it_is_read(tmp_path: Path) -> None:
    path = write_port(tmp_path)
    path.write_text(path.read_text().replace("original: ", "original: /none"))
    project = read_project(path)
    with pytest.raises(CaseError, match=r"port.yaml, line 2: the original cannot be read: /none"):
        project.read_original()


def test_a_folder_without_a_port(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="macproof port new"):
        read_project(tmp_path)


def test_an_original_without_a_program_for_the_processor(tmp_path: Path) -> None:
    path = write_port(tmp_path)
    path.write_text(path.read_text().replace('"68000"', '"601"'))
    with pytest.raises(CaseError, match=r"port.yaml, line 4: the original has no program for"):
        read_project(path).read_original()


def test_a_file_that_a_source_includes_may_have_marks(tmp_path: Path) -> None:
    """Old sources include tables with the name of a source; those elsewhere are somebody else's."""
    source = '#include "table.c"\r#include <stdio.h>\r#include "../absent.c"\r'
    path = write_port(tmp_path, {"sum.c": source})
    (tmp_path / "table.c").write_text("short table[2] = {1, 2};\n")
    assert [one.name for one in read_project(path).marked_files] == ["sum.c", "table.c"]
