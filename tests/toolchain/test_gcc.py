"""Compiling: the same bytes everywhere, kept by content, and refusals in the compiler's words."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import CompileError, InputError, ToolMissingError
from emu.cases.case import Case
from emu.cases.keys.scene_name import SceneName
from emu.cases.programs.sources import source_tree
from emu.cases.scenes import ask_reference, scene_of
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.compiler import compiler_version
from emu.toolchain.programs.gcc import compile_flags, compile_program
from emu.toolchain.programs.linking import wrapper
from emu.toolchain.sources import SourceTree
from emu.verify.batches.bench import Bench
from tests.rows import slow_but

pytestmark = pytest.mark.usefixtures("isolated_cache")

FOUR_SHIFTS = Path(__file__).parents[2] / "mac_src" / "four_shifts"


@pytest.fixture
def copy(case: Case, tmp_path: Path) -> Callable[[], SourceTree]:
    """The case's sources in a folder of their own, to be changed."""

    def make() -> SourceTree:
        folder = tmp_path / "copy"
        if not folder.exists():
            shutil.copytree(FOUR_SHIFTS, folder)
        own = source_tree(case)
        return dataclasses.replace(own, units=((folder / "four_shifts.cpp",),), folders=(folder,))

    return make


def compile_text(case: Case, folder: Path, text: str, build: str = "O1") -> Path:
    source = folder / "port.cpp"
    source.write_text(text)
    return compile_program(source_tree(case, source), BUILDS[build], TARGETS["68040"]).path


@pytest.mark.parametrize("cpu", slow_but(["68040"], TARGETS))
def test_a_program_is_compiled_once(compilers: Callable[..., None], case: Case, cpu: str):
    compilers(cpu)
    first = compile_program(source_tree(case), BUILDS["O2"], TARGETS[cpu])
    second = compile_program(source_tree(case), BUILDS["O2"], TARGETS[cpu])
    assert (first.origin, second.origin) == ("compiled", "cache")
    assert first.path == second.path
    assert first.sha256 == hashlib.sha256(first.path.read_bytes()).hexdigest()
    assert first.source_digest == source_tree(case).digest()
    assert first.flags == compile_flags(source_tree(case).read(), BUILDS["O2"], TARGETS[cpu])
    assert TARGETS[cpu].compiler in first.compiler
    assert CPUS[cpu].accepts(read_elf(first.path))


@pytest.mark.slow
def test_every_build_is_another_program(compilers: Callable[..., None], case: Case):
    compilers("68040")
    made = {
        name: compile_program(source_tree(case), build, TARGETS["68040"])
        for name, build in case.builds.items()
    }
    assert len({program.sha256 for program in made.values()}) == len(case.builds) == 6
    assert len({program.path for program in made.values()}) == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", ["four_shifts.h", "four_shifts.cpp", "compat/Types.h", "runtime/memory.c"]
)
def test_what_is_kept_goes_by_content(
    compilers: Callable[..., None], copy: Callable[[], SourceTree], tmp_path: Path, change: str
):
    compilers("68040")
    tree = copy()
    for room in ("compat", "runtime"):
        shutil.copytree(getattr(tree, room), tmp_path / room)
    tree = dataclasses.replace(tree, compat=tmp_path / "compat", runtime=tmp_path / "runtime")
    first = compile_program(tree, BUILDS["O1"], TARGETS["68040"])
    path = tmp_path / change if "/" in change else tree.folders[0] / change
    original = path.read_text()
    path.write_text("\n" + original)
    changed = compile_program(tree, BUILDS["O1"], TARGETS["68040"])
    assert changed.origin == "compiled"
    assert changed.path != first.path
    assert changed.source_digest != first.source_digest
    path.write_text(original)
    assert compile_program(tree, BUILDS["O1"], TARGETS["68040"]).path == first.path


def test_a_changed_header_gives_another_program(
    compilers: Callable[..., None], copy: Callable[[], SourceTree]
):
    compilers("601")
    tree = copy()
    before = compile_program(tree, BUILDS["O1"], TARGETS["601"])
    header = tree.folders[0] / "four_shifts.h"
    header.write_text(header.read_text().replace("kMaxObjects     = 200", "kMaxObjects     = 120"))
    after = compile_program(tree, BUILDS["O1"], TARGETS["601"])
    assert read_elf(before.path).variable("gObjects").type.shape == (200,)
    assert read_elf(after.path).variable("gObjects").type.shape == (120,)


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], ["68000", "601"]))
def test_the_bytes_do_not_depend_on_the_place(
    compilers: Callable[..., None],
    case: Case,
    copy: Callable[[], SourceTree],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cpu: str,
):
    compilers(cpu)
    made = []
    for number, tree in enumerate((source_tree(case), copy())):
        stage = tmp_path / ("deep/" * number) / f"temporary {number}"
        stage.mkdir(parents=True)
        monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / f"cache{number}"))
        monkeypatch.setattr(tempfile, "tempdir", str(stage))
        made.append(compile_program(tree, BUILDS["O2"], TARGETS[cpu]))
    assert made[0].origin == made[1].origin == "compiled"
    assert made[0].path.read_bytes() == made[1].path.read_bytes()
    assert str(tmp_path).encode() not in made[1].path.read_bytes()


def test_no_stage_is_left_behind(
    compilers: Callable[..., None], case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    compilers("68040")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "stage"))
    (tmp_path / "stage").mkdir()
    compile_program(source_tree(case), BUILDS["O1"], TARGETS["68040"])
    assert list((tmp_path / "stage").iterdir()) == []


def test_a_missing_compiler(no_compilers: None, case: Case):
    with pytest.raises(ToolMissingError) as caught:
        compile_program(source_tree(case), BUILDS["O2"], TARGETS["601"])
    assert caught.value.exit_code == 3
    assert "powerpc-linux-gnu-g++ is not installed" in str(caught.value)
    assert "apt-get install g++-powerpc-linux-gnu" in str(caught.value)


def test_the_version_of_what_is_not_there():
    assert compiler_version("no-such-compiler-of-macproof") is None


def test_a_cache_that_cannot_be_written(
    compilers: Callable[..., None], case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    compilers("68040")
    (tmp_path / "file").touch()
    monkeypatch.setenv("MACPROOF_CACHE", str(tmp_path / "file"))
    with pytest.raises(InputError, match="cannot be written"):
        compile_program(source_tree(case), BUILDS["O1"], TARGETS["68040"])


# -- sources -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int a = ;\n", "port.cpp:1:9: error: expected primary-expression"),
        ("#include <nothing.h>\n", "nothing.h: No such file"),
        ("#error no\n", "#error no"),
        ("\x7fELF\0\1\2\3", "error"),
    ],
)
def test_a_source_that_does_not_compile(
    compilers: Callable[..., None], case: Case, tmp_path: Path, text: str, words: str
):
    compilers("68040")
    with pytest.raises(CompileError) as caught:
        compile_text(case, tmp_path, text)
    said = str(caught.value).replace("\N{LEFT SINGLE QUOTATION MARK}", "'")
    assert "m68k-linux-gnu-g++ refused it:" in said
    assert words in said
    assert str(tmp_path / "port.cpp") in said
    assert "macproof-" not in said  # the folder where it was compiled is nobody's business
    assert caught.value.exit_code == 2


def test_a_source_that_does_not_link(compilers: Callable[..., None], case: Case, tmp_path: Path):
    compilers("68040")
    text = (FOUR_SHIFTS / "four_shifts.cpp").read_text()
    call = "_ClearCollisionArray();\n\n    UpdateSectors(0,    0);"
    assert call in text
    text = "extern void Elsewhere();\n" + text.replace(call, "Elsewhere();\n    " + call)
    with pytest.raises(CompileError, match=r"Elsewhere\(\) is not defined, but used by"):
        compile_text(case, tmp_path, text)


@pytest.mark.slow
def test_a_compiler_that_says_too_much_is_cut_short(
    compilers: Callable[..., None], case: Case, tmp_path: Path
):
    compilers("68040")
    with pytest.raises(CompileError) as caught:
        compile_text(case, tmp_path, "\x01 " * 5_000)
    assert len(str(caught.value)) < 25_000
    assert "more lines" in str(caught.value)


def test_a_source_that_is_gone(case: Case, tmp_path: Path):
    source = tmp_path / "port.cpp"
    source.touch()
    tree = source_tree(case, source)
    source.unlink()
    with pytest.raises(CompileError, match="cannot be read"):
        tree.digest()


@pytest.mark.slow
def test_static_routines_and_globals(
    compilers: Callable[..., None], case: Case, tmp_path: Path, changed: Callable[..., str]
):
    compilers("68040")
    text = changed(
        {
            "obj     gObjects[kMaxObjects];": "static obj gObjects[kMaxObjects];",
            "obj*    gSectorArray[kNumX": "static obj* gSectorArray[kNumX",
            "Boolean gCollisionArray[kMax": "static Boolean gCollisionArray[kMax",
            "void _DetermineCollisions()\n": "static void _DetermineCollisions()\n",
        }
    )
    header = (FOUR_SHIFTS / "four_shifts.h").read_text()
    # In C++ nothing static can be declared and defined later, except a function.
    header = re.sub(r"^extern .*\n", "", header, flags=re.MULTILINE)
    header = header.replace("void _Determine", "static void _Determine")
    assert "extern" not in header
    (tmp_path / "four_shifts.h").write_text(header)
    for build in ("O0", "O2", "Os"):
        program = read_elf(compile_text(case, tmp_path, text, build))
        bench = Bench.lay(case, BareMachine(program, CPUS["68040"]))
        scene = scene_of(case, SceneName("clustered", 100, 3))
        images = bench.expect(bench.before([scene]), [ask_reference(case, scene)])
        before, expected = images.before, images.expected
        batch = bench.machine.calls.run(bench.bound.calls.first, before)
        assert np.array_equal(batch.after, expected)


def test_a_source_with_a_header_beside_it(
    compilers: Callable[..., None], case: Case, tmp_path: Path, changed: Callable[..., str]
):
    """Its own headers win over the case's of the same name."""
    compilers("68040")
    (tmp_path / "shifts.h").write_text("#define HALF (kSectorSize / 2)\n")
    text = changed(
        {
            '#include "four_shifts.h"\n': '#include "four_shifts.h"\n#include "shifts.h"\n',
            "const scalar half = kSectorSize / 2;": "const scalar half = HALF;",
        }
    )
    compile_text(case, tmp_path, text)
    header = (FOUR_SHIFTS / "four_shifts.h").read_text()
    (tmp_path / "four_shifts.h").write_text(
        header.replace("kMaxObjects     = 200", "kMaxObjects = 3")
    )
    program = read_elf(compile_text(case, tmp_path, text))
    assert program.variable("gObjects").type.shape == (3,)


def test_what_is_compiled_is_what_was_given(case: Case, tmp_path: Path):
    """Lines end as the compiler takes them; the receipt names the bytes that were given."""
    source = tmp_path / "old.cpp"
    source.write_bytes(b"// \xa5 caf\x8e\r\nint x;\r// end")
    sources = source_tree(case, source).read()
    staged = sources.files
    assert staged["program/old.cpp"].splitlines()[1:] == [b"int x;", b"// end"]
    assert sources.digests()["old.cpp"] == hashlib.sha256(source.read_bytes()).hexdigest()
    names = map(sources.tree.staged_name, sources.units[0].paths)
    assert wrapper(names).splitlines()[1] == '#include "program/old.cpp"'
    assert list(staged) == sorted(staged)
    assert {"guest.ld", "compat/Types.h", "runtime/memory.c"} <= staged.keys()


def test_a_digest_tells_files_and_flags_apart(case: Case, tmp_path: Path) -> None:
    def digests() -> Iterator[str]:
        source = tmp_path / "a.cpp"
        source.write_text("one")
        tree = source_tree(case, source)
        yield tree.digest()
        yield dataclasses.replace(tree, flags=(*tree.flags, "-DX")).digest()
        yield dataclasses.replace(tree, state=tree.state[1:]).digest()
        yield dataclasses.replace(tree, routine="Other").digest()
        (tmp_path / "b.h").write_text("")
        yield tree.digest()
        source.write_text("two")
        yield tree.digest()

    made = list(digests())
    assert len(set(made)) == len(made) == 6
