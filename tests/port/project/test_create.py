"""A new port: what it begins with, and what is left after an error."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from emu.base.errors import InputError, ProgramError, UsageError
from emu.cases.skeletons.convention import recognise_program_convention
from emu.cli import main
from emu.port.project.create import NewPort, create_port
from emu.port.project.marks import read_marks
from emu.port.project.project import read_project
from emu.program.code68k.compiler import THINK_C, RecognisedCompiler
from emu.program.functions.find_functions import find_functions
from emu.program.read import read_program
from tests.port.project.small_port import ORIGINAL, ROOT


def test_a_new_port_is_one(tmp_path: Path) -> None:
    path, recognition = create_port(tmp_path / "port", NewPort(ORIGINAL))
    project = read_project(path)
    assert (project.cpu, project.convention) == ("68040", recognition.convention)
    (mark,) = read_marks(project.marked_files)
    assert mark.kind == "STUB"
    assert project.read_original().path == project.original
    assert (path.parent / ".gitignore").read_text() == ".recordings/\n"
    assert "macproof port verify" in (path.parent / "AGENTS.md").read_text()


def test_a_port_of_own_sources_leaves_them_where_they_are(tmp_path: Path) -> None:
    source = tmp_path / "src" / "sum.c"
    source.parent.mkdir()
    source.write_text("short a;\n")
    words = ["port", "new", f"{tmp_path}/port", "--original", str(ORIGINAL), "--quiet"]
    assert main([*words, "--source", str(source), "--cpu", "68000"]) == 0
    project = read_project(tmp_path / "port")
    assert project.sources == (source,)
    assert not (tmp_path / "port" / "port.c").exists()


GAME = ROOT / "examples" / "old-game" / "Turncoat.bin"


@pytest.mark.parametrize(
    ("original", "source", "prefix"),
    [
        (GAME, "short a;\n", ("MacHeaders",)),
        (GAME, '#include <stdio.h>\n#include "beside.h"\n', ("MacHeaders",)),
        (GAME, "short a;\r#include <Quickdraw.h>\r", ()),
        (GAME, '#include "toolbox.h"\n', ()),  # which includes one
        (GAME, "#include <Toolbox/windows.h>\n", ()),
        (ORIGINAL, "short a;\n", ()),  # made by neither of the two compilers
    ],
)
def test_sources_that_include_no_header_of_the_toolbox_get_the_prefix(
    tmp_path: Path, original: Path, source: str, prefix: tuple[str, ...]
) -> None:
    (tmp_path / "beside.h").write_text("#include <beside.h>\n")
    (tmp_path / "toolbox.h").write_text('#include "toolbox.h"\n# include "Events.h"\n')
    (tmp_path / "a.c").write_text(source, newline="")
    path, _ = create_port(tmp_path / "port", NewPort(original, sources=(tmp_path / "a.c",)))
    assert read_project(path).prefix == prefix


def test_one_source_that_includes_a_header_of_the_toolbox_does_not_speak_for_the_others(
    tmp_path: Path,
) -> None:
    """The others could not be compiled, and match would leave them out."""
    sources = (tmp_path / "print.c", tmp_path / "window.c")
    sources[0].write_text("#include <PrintTraps.h>\n")
    sources[1].write_text("WindowPtr front;\n")
    path, _ = create_port(tmp_path / "port", NewPort(GAME, sources=sources))
    assert read_project(path).prefix == ("MacHeaders",)


@pytest.mark.parametrize(
    ("port", "said"),
    [
        (NewPort(ORIGINAL, sources=(Path("lost.c"),)), "--source lost.c: there is no such file"),
        (NewPort(ORIGINAL, convention="ppc-poweropen"), "the original is for the 68K"),
        (NewPort(Path("none.bin")), "none.bin"),
        (NewPort(ORIGINAL, cpu="601"), "--cpu 601: the original is for the 68K"),
    ],
)
def test_nothing_is_left_of_a_port_that_cannot_be(port: NewPort, said: str, tmp_path: Path) -> None:
    with pytest.raises((UsageError, ProgramError)) as caught:
        create_port(tmp_path / "port", port)
    assert said in str(caught.value)
    assert not (tmp_path / "port").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("mine\n")
    create_port(tmp_path, NewPort(ORIGINAL))
    assert (tmp_path / "AGENTS.md").read_text() == "mine\n"
    before = (tmp_path / "port.yaml").read_bytes()
    with pytest.raises(UsageError, match="exists already"):
        create_port(tmp_path, NewPort(ORIGINAL))
    assert (tmp_path / "port.yaml").read_bytes() == before


def test_a_folder_that_was_there_keeps_its_files_after_an_error(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine\n")
    original = tmp_path / "Old.bin"
    shutil.copy(ORIGINAL, original)
    (tmp_path / "port.c").mkdir()  # not a file that could be a source
    with pytest.raises(Exception, match=r"port\.c"):
        create_port(tmp_path, NewPort(original))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Old.bin", "mine.txt", "port.c"]


def test_a_link_to_nowhere_is_not_followed_and_not_taken_away(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="it is a link, and links are not followed"):
        create_port(tmp_path, NewPort(ORIGINAL))
    assert [path.name for path in tmp_path.iterdir()] == ["AGENTS.md"]
    (tmp_path / "folder").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="folder is not a folder"):
        create_port(tmp_path / "folder", NewPort(ORIGINAL))


def test_the_next_command_can_be_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["port", "new", f"{tmp_path}/it's mine", "--original", str(ORIGINAL)]) == 0
    following = capsys.readouterr().out.splitlines()[-1].removeprefix("Next: ")
    assert main([*shlex.split(following)[1:], "--quiet"]) == 0


def test_the_convention_of_a_whole_program() -> None:
    """All arguments of Retro68's and GCC's programs take multiples of four bytes."""
    prebuilt = ROOT / "tests" / "programs" / "mac" / "prebuilt"
    powerpc = find_functions(read_program(prebuilt / "601" / "menus.bin"))
    assert recognise_program_convention(powerpc, None).convention == "ppc-poweropen"
    known = find_functions(read_program(ORIGINAL))
    found = recognise_program_convention(known, RecognisedCompiler(THINK_C, "its names say so"))
    assert found.convention == known.program.convention != ""
