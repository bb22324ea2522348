"""Whatever is given to a command, it ends with one clear message and the right code."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.cli import all_commands, make_parser
from emu.commands.interface.outputs import output_file, output_folder
from emu.toolchain.sources import mac_sources

ONE = ("--cpu", "68040", "--build", "O2", "--programs", "prebuilt")
SHIPPED = mac_sources() / "four_shifts"
DOCUMENTS = str(Path(__file__).parents[1] / "programs/mac/prebuilt/68000/documents.bin")
Command = Callable[..., Any]


def refused(done: Any, words: str, code: int = 2) -> None:
    """One message on standard error, nothing else, no file left behind."""
    assert done.code == code, done
    assert words in done.err
    assert "Traceback" not in done.err
    assert done.err.startswith("macproof: ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no command was given; macproof --help lists them"),
        (("frobnicate",), "there is no command 'frobnicate'; there are cases, doctor, new, "),
        (
            ("verify", "--frobnicate"),
            "there is no option --frobnicate (see macproof verify --h",
        ),
        (("verfy",), "there is no command 'verfy'; did you mean verify? (see macproof --help)"),
        (("",), "there is no command ''; there are cases"),
        (("--verison",), "there is no option --verison; did you mean --version?"),
        (("run", "--mahcine", "plus"), "there is no option --mahcine; did you mean --machine?"),
        (("verify", "--scenes-=3"), "there is no option --scenes-; did you mean --scenes?"),
        (("run", "x", "--machine", "plsu"), "there is no 'plsu'; did you mean plus?"),
        (("verify", "--cpu", "68041"), "there is no '68041'; did you mean 68040? (see macproof v"),
        (("verify", "--seed", "1", "--seed", "1"), "--seed is given twice; give it once"),
        (("show", "-o", "a.png", "--output=b.png"), "-o/--output is given twice"),
        (("completion", "bash", "zsh"), "'zsh' is one word too many (see macproof completion --h"),
        (("compare", "-x"), "there is no option -x (see"),
        (("run", ""), "argument PROGRAM: the name is empty (see macproof run --help)"),
        (("campaign", "run", "", "four-shifts"), "argument DIR: the name is empty"),
        (("results", "a", "--collect="), "argument --collect: the name is empty"),
        (("run", "x", "--timeout", "0"), "--timeout 0: it is more than 0 and at most 86400"),
        (("run", "x", "--timeout", "nan"), "--timeout nan: it is more than 0 and at most"),
        (("play", "x", "--port", "70000"), "--port 70000: it is from 0 to 65535"),
        (("play", "x", "--screen", "1x1"), "--screen 1x1: it is WIDTHxHEIGHT, each from 64"),
        (("play", "x", "--against-cpu", "601"), "about the program of --against, which is missing"),
        (("run", "x", "--against-cpu", "601"), "about the program of --against, which is missing"),
        (("run", DOCUMENTS, "--open", "lost"), "there is no file 'lost' on the program's disk"),
        (("play", "nothing"), "nothing: cannot be read: No such file or directory"),
        (("verify", "nothing"), "there is no case nothing; there are "),
        (("verify", "four-shift"), "did you mean four-shifts?"),
        (("verify", ""), "there is no case"),
        (("verify", "/"), "there is no case /"),
        (("verify", "--cpu", "6502"), "argument --cpu: there is no '6502'"),
        (("verify", "--build", "O9"), "has no build O9; there are O0, O1, O2, Os, period"),
        (("verify", "--scenes", "-1"), "'-1' is not a whole number"),
        (("verify", "--scenes", "x"), "'x' is not a whole number"),
        (("verify", "--scenes", "1.5"), "'1.5' is not a whole number"),
        (("verify", "--scenes", ""), "'' is not a whole number"),
        (("verify", "--scenes", "٣"), "is not a whole number"),
        (("verify", "--scenes", "²"), "is not a whole number"),
        (("verify", "--scenes", "9" * 30), "is not a whole number"),
        (("verify", "--scenes", "9" * 5000), "is not a whole number"),
        (("verify", "--scenes", "1000001"), "1000001 is more than 1,000,000"),
        (("verify", "--seed", "-1"), "'-1' is not a whole number"),
        (("verify", "--jobs", "-1"), "'-1' is not a whole number"),
        (("verify", "--objects", "1,,2"), "'' is not a whole number"),
        (("verify", "--objects", "1;2"), "'1;2' is not a whole number"),
        (("verify", "--objects", "100001"), "100001 is more than 100,000"),
        (("verify", "--programs", "borrowed"), "argument --programs: there is no 'borrowed'"),
        (
            ("verify", "four-shifts", "--source", "no/such.cpp"),
            "no/such.cpp: there is no such file",
        ),
        (("verify", "four-shifts", "--source", "/"), "/: it is not a file"),
        (("show", "--objects", "-3"), "'-3' is not a whole number"),
        (("show", "--generator", "nope", *ONE), "there is no generator nope; there are uniform"),
        (("show", "nothing"), "there is no case nothing"),
        (("show", "collider"), "each of its objects has operation, first, second"),
        (("explain",), "the following arguments are required: REPORT|CASE"),
        (("explain", "nothing"), "there is no case nothing"),
        (("explain", "no/such.json"), "no/such.json: cannot be read: No such file"),
        (("calibrate", "--case", "four-shifts", "--scenes", "0"), "--scenes 0 leaves nothing of"),
        (("prove", "nothing"), "there is no case nothing"),
        (("prove", "--seconds", "0"), "--seconds: 0 is not more than 0 and at most 86400"),
        (("prove", "--seconds", "nan"), "nan is not more than 0"),
        (("prove", "--where", "x=3"), "x=3 is not NAME=LOW..HIGH, such as x=0..671"),
        (("prove", "--where", "x=3..2"), "x=3..2 is not NAME=LOW..HIGH"),
        (("prove", "--rounds", "x"), "'x' is not a whole number"),
        (("prove", "four-shifts", "--against", "O9"), "--against takes a processor (68000, "),
        (("conform",), "the following arguments are required: PATH"),
        (("conform", "no/such"), "no/such: there is no such file or folder"),
        (("build", "nothing"), "there is no case nothing"),
        (("build", "--toolchain", "borland"), "argument --toolchain: there is no 'borland'"),
        (("timing", "four-shifts", "--figures", "f.yaml"), "--published DIR has measured: give a"),
        (("timing", "--measured-compilers", "--figures", "f.yaml"), "has measured: give a folder"),
        (("import",), "the following arguments are required: POST"),
        (("import", "no/such.txt"), "no/such.txt: cannot be read: No such file"),
        (("import", "/"), "/: cannot be read: Is a directory"),
    ],
)
def test_bad_words(macproof: Command, words: tuple[str, ...], message: str):
    done = macproof(*words)
    refused(done, message)
    assert (done.out, done.err.count("\n")) == ("", 1)


def test_an_option_may_be_repeated_where_that_says_more(macproof: Command):
    words = ("--cpu", "601", "--cpu", "68040", "--quiet", "--quiet")
    refused(macproof("verify", "nothing", *words), "there is no case nothing")


@pytest.mark.slow
def test_more_objects_than_the_routine_holds(macproof: Command, tmp_path: Path):
    done = macproof("verify", "four-shifts", *ONE, "--scenes", 3, "--objects", 201)
    refused(done, "201 objects, where the routine holds 200")
    done = macproof("show", *ONE, "--objects", 201, "-o", tmp_path / "x.png")
    refused(done, "201 objects")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_few_of_these_in_a_process_of_their_own(macproof_apart: Command, tmp_path: Path):
    """What crosses from worker processes arrives as a message too."""
    refused(macproof_apart("verify", "nothing"), "there is no case nothing")
    refused(
        macproof_apart("verify", "four-shifts", *ONE, "--scenes", 3, "--objects", 201),
        "the routine holds 200",
    )
    refused(macproof_apart("show", *ONE, "--objects", 300, "-o", tmp_path / "x.png"), "300 objects")
    refused(macproof_apart("explain", "/"), "there is no case /")


# -- files -------------------------------------------------------------------------------------


# Every option that names a file or a folder to write, with what else the command needs.
REPORTS = ("--json", "--junit", "--markdown", "--html")
OUTPUT_FILES = [
    *(("cases", option) for option in REPORTS),
    *(("doctor", option) for option in REPORTS),
    *(("verify", option) for option in (*REPORTS, "--lcov")),
    *(("campaign", "report", "x", option) for option in REPORTS),
    *(("explain", "x", option) for option in REPORTS),
    *(("show", option) for option in (*REPORTS, "-o")),
    *(("selfcheck", option) for option in REPORTS),
    *(("fuzz", option) for option in REPORTS),
    *(("domain", option) for option in REPORTS),
    *(("prove", option) for option in REPORTS),
    *(("findings", option) for option in REPORTS),
    *(("audit", option) for option in REPORTS),
    *(("calibrate", option) for option in REPORTS),
    *(("conform", "x", option) for option in REPORTS),
    *(("timing", o) for o in (*REPORTS, "--plot", "--events-plot", "--figures")),
    *(("compare", option) for option in (*REPORTS, "--plot")),
    ("inspect", "x", "--json"),
    *(("run", "x", option) for option in (*REPORTS, "--log")),
    *(("run", "x", option) for option in ("--serial", "--datagrams")),
    *(("disk", option) for option in ("-o", "--prefs", "--json")),
    *(("results", "x", option) for option in (*REPORTS, "--write-scenes", "--png")),
    ("import", "x", "-o"),
    *(("replay", "x", option) for option in REPORTS),
]
OUTPUT_FOLDERS = [
    ("audit", "--plots"),
    ("build", "-o"),
    ("fuzz", "--folder"),
    ("domain", "--folder"),
    ("replay", "x", "--into"),
    *(("run", "x", option) for option in ("--png", "--files", "--sounds")),
    *(("disk", option) for option in ("--folder", "--apple-double")),
]


def test_every_option_that_names_an_output_is_among_these():
    """An option that is not would be found out at the end of an hour's work."""
    found = {}
    for command in all_commands():
        parser = make_parser([command])
        (subparsers,) = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
        for action in subparsers.choices[command]._actions:
            if action.type in (output_file, output_folder):
                found[command, action.option_strings[0]] = action.type
            # Files that are read have no verb of writing in their help.
            elif action.type is Path and action.option_strings:
                assert not re.search("write|draw|copy", action.help or ""), action
    assert {key for key, kind in found.items() if kind is output_file} == {
        (words[0], words[-1]) for words in OUTPUT_FILES
    }
    assert {key for key, kind in found.items() if kind is output_folder} == {
        (words[0], words[-1]) for words in OUTPUT_FOLDERS
    }


@pytest.mark.parametrize("words", OUTPUT_FILES, ids=" ".join)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(
    macproof: Command, tmp_path: Path, words: tuple[str, ...]
):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("precious")
    for place, why in (
        ("folder", "folder cannot be written: it is a folder"),
        ("file/below", "file is not a folder"),
        ("missing/x", "missing does not exist; make it first"),
        ("deep/er/x", "deep/er does not exist; make it first"),
        ("name\0", "is no name of a file"),
        ("x" * 300, "cannot be written: File name too long"),
    ):
        done = macproof(*words, f"{tmp_path}/{place}")
        refused(done, why)
        assert done.out == ""
    refused(macproof(*words, ""), "'' is no name of a file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.parametrize("words", OUTPUT_FOLDERS, ids=" ".join)
def test_a_folder_that_cannot_be_made_is_refused_before_the_work(
    macproof: Command, tmp_path: Path, words: tuple[str, ...]
):
    (tmp_path / "file").write_text("precious")
    for place in ("file", "file/below", "file/below/that"):
        refused(macproof(*words, tmp_path / place), "file is not a folder")
    refused(macproof(*words, ""), "'' is no name of a folder")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_without_permission(macproof: Command, tmp_path: Path):
    tmp_path.chmod(0o500)
    for kind in (output_file, output_folder):
        with pytest.raises(argparse.ArgumentTypeError, match="permission denied"):
            kind(str(tmp_path / "x"))


def test_places_that_will_do(tmp_path: Path):
    assert output_file(str(tmp_path / "new")) == tmp_path / "new"
    assert output_file("/dev/null") == Path("/dev/null")
    assert output_file("plain") == Path("plain")
    assert output_folder(str(tmp_path / "new" / "deep")) == tmp_path / "new" / "deep"
    assert output_folder("new/deep") == Path("new/deep")


def test_links_and_pipes_are_no_places_to_write_to(tmp_path: Path):
    """Somebody else may have put them there."""
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(tmp_path / "pipe")
    for name, why in (("link", "it is a link"), ("pipe", "no regular file")):
        with pytest.raises(argparse.ArgumentTypeError, match=why):
            output_file(str(tmp_path / name))


def test_programs_that_cannot_be_written(macproof: Command, tmp_path: Path):
    (tmp_path / "file").touch()
    refused(macproof("build", "four-shifts", *ONE, "-o", tmp_path / "file"), "is not a folder")


@pytest.mark.parametrize(
    "content",
    [b"", b"\x7fELF\x01\x02\x01", b"just text\n", b"x" * 300_000, b"[" * 600, bytes(range(256))],
    ids=["empty", "ELF", "text", "huge", "deep", "binary"],
)
def test_files_of_another_kind(macproof: Command, tmp_path: Path, content: bytes):
    path = tmp_path / "given"
    path.write_bytes(content)
    for words in (("verify",), ("explain",), ("show", "--report"), ("import",)):
        done = macproof(*words, path)
        refused(done, str(path))
        assert len(done.err) < 1_000
    case = tmp_path / "case.yaml"
    case.write_bytes(content)
    refused(macproof("verify", case), str(case))
    refused(macproof("explain", case), str(case))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("credit:", "credits:", "line 5: the key credits is not known; did you mean credit?"),
        ("[four_shifts.cpp]", "[gone.cpp]", "line 6: there is no file gone.cpp beside it"),
        ("width: 640", "width: 0x280", 'line 13: scene.width: "0x280" is not a whole number'),
        ("name: four-shifts", "name: &n [*n]", "an alias, *n, is not allowed here"),
        (
            "pyref.sectors.four_shifts:make_scene",
            "pyref.scene:no",
            "line 9: pyref.scene:no cannot be imported",
        ),
        ("like: O2", "like: O7", "line 27: there is no build O7"),
    ],
)
def test_a_case_file_with_a_mistake(
    macproof: Command, tmp_path: Path, old: str, new: str, message: str
):
    text = (SHIPPED / "case.yaml").read_text()
    assert old in text
    (tmp_path / "case.yaml").write_text(text.replace(old, new))
    (tmp_path / "many_objects.case.yaml").touch()  # which it names
    (tmp_path / "four_shifts.cpp").touch()
    refused(macproof("verify", tmp_path), message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("call: _DetermineCollisions", "call: _Determine", "did you mean _DetermineCollisions?"),
        ("gCollisionArray: flags", "gCollision: flags", "there is no variable gCollision in"),
        ("Array: flags\n", "Array: no_flags\n", "determine_collisions gives no no_flags"),
        ("{sector_link: sector_links}", "{sector: sector_links}", "structs with a sector"),
        ("gObjects: {x: x, y: y, obj", "gObjects: {x: y, y: x, obj", ""),
    ],
)
def test_a_case_that_does_not_fit_its_program(
    macproof: Command,
    tmp_path: Path,
    compilers: Callable[..., None],
    old: str,
    new: str,
    message: str,
):
    compilers("68040")
    text = (SHIPPED / "case.yaml").read_text()
    assert text.count(old) == 1
    (tmp_path / "case.yaml").write_text(text.replace(old, new))
    (tmp_path / "many_objects.case.yaml").touch()  # which it names
    for name in ("four_shifts.cpp", "four_shifts.h"):
        (tmp_path / name).write_text((SHIPPED / name).read_text())
    done = macproof("verify", tmp_path, "--cpu", "68040", "--build", "O1", "--scenes", 8)
    if message:
        refused(done, message)
    else:  # x for y is no mistake of form, and shows in the result
        assert done.code == 1


# -- sources -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int a = ;\n", "given.cpp:1:9: error:"),
        ("", "line 7: there is no function _DetermineCollisions in given.cpp"),
        (
            "int gObjects, gSectorArray, gCollisionArray;\nint _DetermineCollisions;\n",
            "_DetermineCollisions is not a function in given.cpp",
        ),
        ("\0\1\2", "error:"),
    ],
)
def test_sources_that_cannot_be_used(
    macproof: Command, tmp_path: Path, compilers: Callable[..., None], text: str, message: str
):
    compilers("68040")
    source = tmp_path / "given.cpp"
    source.write_text(text)
    words = ("--cpu", "68040", "--build", "O1", "--scenes", 3, "--jobs", 1)
    refused(macproof("verify", "four-shifts", "--source", source, *words), message)


@pytest.mark.skipif(os.name != "posix", reason="devices of POSIX")
def test_files_without_an_end(macproof: Command):
    refused(macproof("import", "/dev/zero"), "too large for a newsgroup post")
    refused(macproof("show", "--report", "/dev/zero"), "too large for a report")
    refused(macproof("verify", "/dev/zero"), "there is no case")
    refused(macproof("verify", "four-shifts", "--source", "/dev/zero"), "it is not a file")


# -- programs given as they are ----------------------------------------------------------------

PROGRAM = mac_sources() / "prebuilt" / "four-shifts-68040-O2.elf"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--program", PROGRAM), "--program needs one --cpu"),
        (("--program", PROGRAM, "--cpu", "68040", "--cpu", "601"), "--program needs one --cpu"),
        (("--program", PROGRAM, "--cpu", "68040", "--build", "O2"), "leave out --source and"),
        (("--program", PROGRAM, "--cpu", "68040", "--source", "x"), "leave out --source and"),
        (("--program", "no/such.elf", "--cpu", "68040"), "no/such.elf: there is no such file"),
        (("--program", PROGRAM, "--cpu", "601"), "it is a m68k program and cannot run on a Power"),
    ],
)
def test_a_program_given_in_the_wrong_way(
    macproof: Command, words: tuple[str | Path, ...], message: str
):
    refused(macproof("verify", "four-shifts", *words, "--scenes", 3, "--jobs", 1), message)


@pytest.mark.parametrize("kept", [0, 3, 52, 4_000, 11_000])
def test_a_program_cut_short(macproof: Command, tmp_path: Path, kept: int):
    path = tmp_path / "cut.elf"
    path.write_bytes(PROGRAM.read_bytes()[:kept])
    done = macproof(
        "verify", "four-shifts", "--program", path, "--cpu", "68040", "--scenes", 3, "--jobs", 1
    )
    refused(done, str(path))


def test_a_program_that_is_none(macproof: Command, tmp_path: Path):
    path = tmp_path / "text.elf"
    path.write_text("just text\n")
    done = macproof("verify", "four-shifts", "--program", path, "--cpu", "68040", "--scenes", 3)
    refused(done, str(path))


def test_a_source_in_place_of_several(macproof: Command, compilers, tmp_path: Path):
    compilers("68040")
    source = tmp_path / "collider.cpp"
    source.write_text("int nothing;\n")
    done = macproof("verify", "collider", "--cpu", "68040", "--build", "O2", "--source", source)
    refused(done, "takes the place of all that collider is made of: collider.cpp, pairs_as")
