"""``macproof new``: what it makes is verified, can be refuted, and takes nobody's place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from emu.base.errors import InputError
from emu.cases.case_file import read_case
from emu.cases.files.places import find_cases
from emu.cases.skeletons import skeleton
from emu.cases.skeletons.prototype import read_prototype
from tests.rows import slow_but

ROOT = Path(__file__).parents[2]
SCHEMA_LINE = "# yaml-language-server: $schema="
PROTOTYPES = {
    "numbers": "short Neg(short, short)",
    "buffers": "long Mix(const short *values, char *to, unsigned char count, Byte add)",
    "texts": "short Same(const char *a, char *b, const Str63 c, StringPtr d, ConstStr255Param e)",
    "fractions": "float Scale(float *x, char *y, unsigned long long *z, short n, double by)",
    "wide": "unsigned long long Wide(long long a, unsigned long long *b, int n)",
    "boolean": "Boolean Odd(Boolean a, OSErr b, SignedByte c)",
    "fixed": "Fixed Blend(Fixed a, const Fract *b, short n)",
    "boolean of a fraction": "Boolean Odd(float a, unsigned long long b)",
    "nothing returned": "void Fill(double *x, short n)",
    "single values": "void Put(short a, short *b, const char *c, float *d, Boolean *e)",
    "names of Python and of the case": "short F(short from, short objects, short total, "
    "long *i, long is, short yes, short self, short result)",
    "structs": "struct RC4State { unsigned char S[256]; unsigned char i, j; }; "
    "Point RC4Init(struct RC4State *s, const unsigned char *key, short length, Point at)",
    "lists of structs": "typedef struct Ball { struct Ball *next; short x[2][3]; Fixed y; "
    "char c; } Ball; void Bounce(Ball *balls, short count, Rect *walls)",
    "structs without a name": "#define kRows 3\n#define kAll (kRows * sizeof(long))\n"
    "typedef struct { struct { short v, h; } at; struct { char c; union { short w; Byte b; }; }; "
    "Byte marks[kRows][kAll]; } Table, *TablePtr; "
    "typedef struct { struct { short n; }; struct { char c; } d; } Sum; "
    "Sum Add(TablePtr table, short n, short wanted[kRows])",
    "a record": "void SecondsToDate(unsigned long secs, DateTimeRec *d)",
    "handles": "OSErr Encode(Handle source, Handle dest, Ptr table, const void *key)",
    "counted memory": "pascal long PackRow(Ptr src, Byte **dst, short cells[][4], short bytes)",
    "a list of handles": "short CountItems(Handle *list, short n)",
    "functions": "long Apply(long (*visit)(long, Ptr), void (*done)(void), long *n)",
    "nothing": "void Tick(void)",
    "a struct returned": "typedef struct { short a[3]; float b; UInt16 c; } R; R Make(short n)",
}
Command = Callable[..., "Outcome"]


class Outcome:
    """What `macproof` of conftest.py gives."""

    code: int
    out: str
    err: str


def made(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("kind", slow_but(["buffers"], PROTOTYPES))
def test_what_is_made_is_verified(
    kind: str, macproof: Command, tmp_path: Path, compilers: Callable[..., None]
):
    compilers()
    done = macproof("new", "mine", "--function", PROTOTYPES[kind], "--folder", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert f"Next: macproof verify {tmp_path / 'mine'}" in done.out
    done = macproof(
        *("verify", tmp_path / "mine", "--build", "O2", "--build", "O0", "--scenes", 80)
    )
    assert done.code == 0, done.out
    assert [line.split()[:3] for line in done.out.splitlines() if " verified " in line] == [
        [cpu, build, "verified"] for cpu in ("68000", "68040", "601") for build in ("O2", "O0")
    ]


@pytest.mark.parametrize("kind", slow_but(["buffers"], PROTOTYPES))
def test_it_is_refuted_where_the_source_is_changed(
    kind: str, macproof: Command, tmp_path: Path, compilers: Callable[..., None]
):
    compilers("68040")
    assert macproof("new", "mine", "--function", PROTOTYPES[kind], "--folder", tmp_path).code == 0
    source = tmp_path / "mine" / "mine.c"
    text = source.read_text()
    total = "total_" if "total," in text else "total"
    assert text.count(f"{total} = 0;") == 1
    source.write_text(text.replace(f"{total} = 0;", f"{total} = 1;"))
    done = macproof("verify", tmp_path / "mine", "--cpu", "68040", "--build", "O2")
    assert done.code == 1, done.out


@pytest.mark.slow
def test_it_is_refuted_where_the_reference_is_changed(
    macproof: Command, tmp_path: Path, compilers: Callable[..., None]
):
    compilers("601")
    assert macproof("new", "mine", "--folder", tmp_path).code == 0
    reference = tmp_path / "mine" / "mine_reference.py"
    text = reference.read_text()
    assert text.count("scene.a + scene.b") == 1
    reference.write_text(text.replace("scene.a + scene.b", "scene.a - scene.b"))
    done = macproof("verify", tmp_path / "mine", "--cpu", "601", "--build", "O2")
    assert done.code == 1
    assert "return is " in done.out
    done = macproof("explain", tmp_path / "mine", "--cpu", "601", "--build", "O2")
    assert done.code == 1
    assert "\na: 0\nb: -1\n" in done.out


def run_test(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the test of the case unpack-bits, without rewriting assertions of emu."""
    plugins = ("-p", "emu.pytest_plugin", "-p", "no:cacheprovider")
    words = ("-m", "pytest", "-q", "-rs", "--disable-plugin-autoload", *plugins)
    return subprocess.run(
        [sys.executable, *words, "test_unpack_bits.py"],
        cwd=folder / "unpack-bits",
        env={**os.environ, "COLUMNS": "1000", "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_its_test_passes_and_fails(tmp_path: Path, compilers: Callable[..., None]):
    compilers()
    skeleton.write_skeleton("unpack-bits", read_prototype("short F(short a)"), tmp_path)
    done = run_test(tmp_path)
    assert (done.returncode, "3 passed" in done.stdout) == (0, True), done.stdout
    source = tmp_path / "unpack-bits" / "unpack_bits.c"
    source.write_text(source.read_text().replace("+=", "-="))
    done = run_test(tmp_path)
    assert (done.returncode, "3 failed" in done.stdout) == (1, True), done.stdout
    assert "First difference: return is " in done.stdout


def test_its_test_is_skipped_without_a_compiler(tmp_path: Path):
    skeleton.write_skeleton("unpack-bits", read_prototype("short F(short a)"), tmp_path)
    done = run_test(tmp_path, PATH=str(tmp_path), RETRO68="")
    assert (done.returncode, "3 skipped" in done.stdout) == (0, True), done.stdout
    assert "powerpc-linux-gnu-g++ is not installed" in " ".join(done.stdout.split())
    assert "Traceback" not in done.stdout + done.stderr


def test_every_file_says_where_to_change_what(tmp_path: Path):
    place = skeleton.write_skeleton("mine", read_prototype("short F(short a)"), tmp_path)
    texts = made(place)
    schema = texts.pop("case.schema.json")
    assert sorted(texts) == ["case.yaml", "mine.c", "mine_reference.py", "test_mine.py"]
    assert all("CHANGE" in text for text in texts.values())
    assert json.loads(schema)["title"] == "macproof case"
    assert texts["case.yaml"].startswith(f"{SCHEMA_LINE}case.schema.json\n")


def test_nothing_is_overwritten(macproof: Command, tmp_path: Path):
    assert macproof("new", "mine", "--folder", tmp_path).code == 0
    (tmp_path / "other").write_text("mine\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    before = made(tmp_path / "mine")
    for name in ("mine", "other", "empty", "dangling"):
        done = macproof("new", name, "--folder", tmp_path, "--function", "long F(long a)")
        assert done.code == 2
        assert "exists already, and nothing is overwritten" in " ".join(done.err.split())
    assert made(tmp_path / "mine") == before
    assert (tmp_path / "other").read_text() == "mine\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("dangling", "empty", "mine", "other")
    ]


@pytest.mark.parametrize(
    "name", ["Mine", "my_case", "1st", "a b", "../a", "", "-a", "a-", "\u00e4"]
)
def test_a_name_that_no_case_can_have(name: str, macproof: Command, tmp_path: Path):
    done = macproof("new", f"--folder={tmp_path}", "--", name)
    assert done.code == 2
    assert "cannot be the name of a case" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["null", "true", "yes"])
def test_a_name_that_yaml_takes_for_something_else(name: str, macproof: Command, tmp_path: Path):
    assert macproof("new", name, "--folder", tmp_path).code == 0
    assert read_case(tmp_path / name / "case.yaml").name == name


def test_all_files_are_written_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    written = []

    def write_some(path: Path, content: bytes) -> None:
        written.append(path)
        if len(written) == 3:
            raise InputError(path, "cannot be written: the disk is full")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)

    monkeypatch.setattr(skeleton, "write_whole", write_some)
    with pytest.raises(InputError, match="the disk is full"):
        skeleton.write_skeleton("mine", read_prototype("short F(short a)"), tmp_path)
    assert len(written) == 3
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file(macproof: Command, tmp_path: Path):
    (tmp_path / "file").touch()
    done = macproof("new", "mine", "--folder", tmp_path / "file")
    assert done.code == 2
    assert "cannot be written" in done.err


def test_a_wrong_prototype_writes_nothing(macproof: Command, tmp_path: Path):
    done = macproof("new", "mine", "--folder", tmp_path, "--function", "short F(extended r)")
    assert done.code == 2
    assert (
        "no scene can be made with values of the type extended. macproof new makes functions of"
        in done.err
    )
    assert list(tmp_path.iterdir()) == []


def test_a_header_is_copied(macproof: Command, tmp_path: Path):
    header = tmp_path / "ball.h"
    header.write_text("typedef struct { short x, dx; } Ball;\nvoid Move(Ball *balls, short n);\n")
    words = ("--header", header, "--function", "Move", "--folder", tmp_path)
    assert macproof("new", "mine", *words).code == 0
    texts = made(tmp_path / "mine")
    assert texts["ball.h"] == header.read_text()
    assert '#include "ball.h"\n\nvoid Move(Ball *balls, short n)\n' in texts["mine.c"]
    assert "  balls: {points_to: {x: balls_x, dx: balls_dx}, count: 20}\n" in texts["case.yaml"]
    done = macproof("new", "other", *words[:-3], "Mov", "--folder", tmp_path)
    assert done.code == 2
    assert "it declares no function Mov; did you mean Move?" in " ".join(done.err.split())


def test_the_schema_is_printed(macproof: Command):
    done = macproof("new", "--schema")
    assert (done.code, done.err) == (0, "")
    assert done.out == (ROOT / "emu" / "cases" / "case.schema.json").read_text()
    for words in ((), ("mine", "--schema")):
        done = macproof("new", *words)
        assert done.code == 2
        assert "either the NAME of a case or --schema" in done.err


@pytest.mark.slow
def test_every_case_tells_editors_its_schema():
    """By a path from the file, so that an editor needs no setting and no network."""
    files = [*find_cases(), *find_cases(ROOT / "examples")]
    assert len(files) > 30
    for path in files:
        first = path.read_text().splitlines()[0]
        assert first.startswith(SCHEMA_LINE), path
        schema = json.loads((path.parent / first.removeprefix(SCHEMA_LINE)).read_text())
        assert schema["$id"] == yaml.safe_load(path.read_text())["schema"]
        assert read_case(path).name
