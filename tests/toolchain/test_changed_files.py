"""Files that change while they are compiled, kept or run: what is said is true of what was used."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import CaseError, CompileError, ProgramError
from emu.cases.case_file import read_case
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.compiler import Stage
from emu.toolchain.programs import linking
from emu.toolchain.programs.gcc import BuiltProgram, compile_program
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import VERIFIED
from emu.verify.scenes.scene_plan import plan_scenes
from tests.conftest import Outcome
from tests.rows import slow_but
from tests.toolchain.two_files import REFERENCE, TEXTS

pytestmark = pytest.mark.usefixtures("isolated_cache")

ONE = ("--cpu", "68040", "--build", "O1", "--jobs", 1)


@pytest.fixture(autouse=True)
def keeps_workers() -> None:
    """None are kept here: they do not forget modules that they found in the path for imports."""


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def built(folder: Path) -> BuiltProgram:
    case = read_case(folder / "case.yaml")
    return compile_program(source_tree(case), BUILDS["O1"], ALL_TARGETS["68040"])


# -- what is kept of compiled programs ---------------------------------------------------------


@pytest.mark.slow
def test_a_header_included_by_its_absolute_path_counts(
    macproof: Callable[..., Outcome], two_files: Path
):
    """Verified; then the header is broken: refuted, and not the program from before."""
    header = two_files / "elsewhere" / "factor.h"
    header.parent.mkdir()
    header.write_text("#define FACTOR 2\n")
    (two_files / "unpack.c").write_text(
        f'#include "{header}"\nint unpack(n) int n; {{ return n * FACTOR; }}\n'
    )
    words = ("verify", two_files, *ONE, "--json", "r.json")
    assert macproof(*words).code == 0
    files = json.loads(Path("r.json").read_text())["receipt"]["source"]["files"]
    assert files[str(header)] == digest("#define FACTOR 2\n")
    header.write_text("#define FACTOR 3\n")
    assert macproof(*words).code == 1
    files = json.loads(Path("r.json").read_text())["receipt"]["source"]["files"]
    assert files[str(header)] == digest("#define FACTOR 3\n")
    header.write_text("#define FACTOR 2\n")
    assert macproof(*words).code == 0


def test_what_the_assembler_reads_counts_too(two_files: Path):
    data = two_files / "data.bin"
    data.write_bytes(b"\0\1")
    (two_files / "unpack.c").write_text(
        f'asm(".globl data\\ndata: .incbin \\"{data}\\"");\n'
        "int unpack(n) int n; { extern char data[]; return n * data[0]; }\n"
    )
    first = built(two_files)
    assert str(data) in first.files
    assert built(two_files).origin == "cache"
    data.write_bytes(b"\2\1")
    second = built(two_files)
    assert (second.origin, second.sha256 == first.sha256) == ("compiled", False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    slow_but(["cut", "no entry"], ["cut", "empty", "another", "gone", "no entry", "bad entry"]),
)
def test_a_damaged_entry_is_made_again(two_files: Path, damage: str):
    first = built(two_files)
    content = first.path.read_bytes()
    (two_files / "unpack.c").write_text(TEXTS["wrong.c"])
    other = built(two_files).path.read_bytes()
    (two_files / "unpack.c").write_text(TEXTS["unpack.c"])
    assert built(two_files).origin == "cache"
    entries = [p for p in first.path.parent.glob("*.json") if first.sha256 in p.read_text()]
    assert len(entries) == 1
    if damage == "gone":
        first.path.unlink()
    elif damage == "no entry":
        entries[0].unlink()
    elif damage == "bad entry":
        entries[0].write_text("{")
    else:
        made = {"cut": content[:200], "empty": b"", "another": other}
        first.path.write_bytes(made[damage])
    again = built(two_files)
    assert (again.origin, again.sha256) == ("compiled", first.sha256)
    assert again.path.read_bytes() == content
    assert built(two_files).origin == "cache"


def test_an_entry_of_another_program_is_not_taken(two_files: Path):
    first = built(two_files)
    (two_files / "unpack.c").write_text(TEXTS["wrong.c"])
    wrong = built(two_files)
    folder = first.path.parent
    of = {
        program.sha256: next(p for p in folder.glob("*.json") if program.sha256 in p.read_text())
        for program in (first, wrong)
    }
    of[wrong.sha256].write_text(of[first.sha256].read_text())
    assert built(two_files).sha256 == wrong.sha256


def test_a_file_outside_that_changes_while_it_is_compiled(
    two_files: Path, monkeypatch: pytest.MonkeyPatch
):
    header = two_files / "elsewhere" / "factor.h"
    header.parent.mkdir()
    header.write_text("#define FACTOR 2\n")
    (two_files / "unpack.c").write_text(
        f'#include "{header}"\nint unpack(n) int n; {{ return n * FACTOR; }}\n'
    )
    plain = Stage.compile

    def and_edit(self: Stage, *what: Any) -> Path:
        time.sleep(0.05)  # the clock of files may be some milliseconds behind
        header.write_text("#define FACTOR 3\n")
        return plain(self, *what)

    monkeypatch.setattr(Stage, "compile", and_edit)
    with pytest.raises(CompileError, match=r"factor\.h: it was changed while it was being comp"):
        built(two_files)
    monkeypatch.setattr(Stage, "compile", plain)
    os.utime(header, (4e9, 4e9))  # by a clock that is ahead
    assert built(two_files).files[str(header)] == digest("#define FACTOR 3\n")


# -- what a receipt says -----------------------------------------------------------------------


@pytest.fixture
def edited_meanwhile(two_files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of two files, one of which is edited when the compiler has begun."""
    plain = linking.LinkJob.program

    def and_edit(self: linking.LinkJob) -> bytes:
        (two_files / "unpack.c").write_text(TEXTS["wrong.c"])
        return plain(self)

    monkeypatch.setattr(linking.LinkJob, "program", and_edit)
    return two_files


def test_the_receipt_is_of_what_was_compiled(
    macproof: Callable[..., Outcome], edited_meanwhile: Path
):
    assert macproof("verify", edited_meanwhile, *ONE, "--json", "r.json").code == 0
    source = json.loads(Path("r.json").read_text())["receipt"]["source"]
    assert source["files"]["unpack.c"] == digest(TEXTS["unpack.c"])
    assert (edited_meanwhile / "unpack.c").read_text() == TEXTS["wrong.c"]


def test_all_programs_of_a_run_are_of_the_same_text(
    macproof: Callable[..., Outcome], edited_meanwhile: Path
):
    words = ("--cpu", "68040", "--build", "O0", "--build", "O2", "--jobs", 1)
    assert macproof("verify", edited_meanwhile, *words).code == 0


def test_the_receipt_has_the_references_python(macproof: Callable[..., Outcome], two_files: Path):
    helper = "def twice(n):\n    return 2 * n\n"
    (two_files / "helper.py").write_text(helper)
    (two_files / "unused.py").write_text("x = 1\n")
    text = "from helper import twice\nimport pyref.scene\n" + REFERENCE.replace(
        "2 * scene.value", "twice(scene.value)"
    )
    (two_files / "macproof_test_two_files.py").write_text(text)
    assert macproof("verify", two_files, *ONE, "--json", "r.json").code == 0
    files = json.loads(Path("r.json").read_text())["receipt"]["reference_files"]
    assert files["helper.py"] == digest(helper)
    assert files["macproof_test_two_files.py"] == digest(text)
    assert {"pyref/__init__.py", "pyref/scene.py"} <= files.keys()
    kit = Path(__file__).parents[2] / "pyref" / "scene.py"
    assert files["pyref/scene.py"] == hashlib.sha256(kit.read_bytes()).hexdigest()
    assert "unused.py" not in files
    assert not any(name.startswith(("numpy", "dataclasses", "emu")) for name in files)


@pytest.mark.parametrize(
    "name", slow_but(["helper.py"], ["macproof_test_two_files.py", "helper.py", "case.yaml"])
)
def test_what_changes_before_a_worker_loads_it_is_refused(two_files: Path, name: str):
    (two_files / "helper.py").write_text("x = 1\n")
    (two_files / "macproof_test_two_files.py").write_text("import helper\n" + REFERENCE)
    case = read_case(two_files / "case.yaml")
    program = built(two_files)
    subject = Subject("68040", "O1", program.path, sha256=program.sha256)
    specs = plan_scenes(case, 4, 1)
    (result,) = verify(case, [subject], specs, jobs=1)
    assert result.verdict == VERIFIED
    with (two_files / name).open("a") as file:
        file.write("# edited\n")
    with pytest.raises(CaseError, match=rf"{name} was changed during the run. Run it again"):
        verify(case, [subject], specs, jobs=1)


def test_a_program_that_changes_before_it_is_run_is_refused(two_files: Path):
    case = read_case(two_files / "case.yaml")
    program = built(two_files)
    subject = Subject("68040", "O1", program.path, sha256=program.sha256)
    program.path.write_bytes(program.path.read_bytes() + b"\0")
    with pytest.raises(ProgramError, match="it was changed during the run"):
        verify(case, [subject], plan_scenes(case, 4, 1), jobs=1)


def test_a_file_that_changes_while_it_is_loaded(two_files: Path):
    text = "import pathlib\npathlib.Path(__file__).open('a').write('#')\n"
    (two_files / "macproof_test_two_files.py").write_text(text + REFERENCE)
    with pytest.raises(CaseError, match="changed while it was being loaded"):
        read_case(two_files / "case.yaml")
    assert "macproof_test_two_files" not in sys.modules
