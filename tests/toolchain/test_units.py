"""Sources as their compiler would see them: each file alone, by its own language, and linked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import CaseError, CompileError, MacproofError, UsageError
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.languages import language_of
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources
from tests.rows import slow_but
from tests.toolchain.two_files import CASE, TEXTS

Run = Callable[..., dict[str, list[int]]]


def tree_of(
    folder: Path,
    texts: Mapping[str, str],
    state: tuple[str, ...],
    *,
    routine: str = "Go",
    units: tuple[tuple[str, ...], ...] = (),
    foreign: bool = False,
) -> SourceTree:
    """Sources in a folder; headers among them are no units."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    names = units or tuple((name,) for name in texts if not name.endswith(".h"))
    paths = tuple(tuple(folder / name for name in unit) for unit in names)
    return SourceTree(
        routine=routine,
        state=state,
        units=paths,
        folders=(folder,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
        foreign=tuple(path for unit in paths for path in unit) if foreign else (),
        asked_by=folder / "case.yaml",
        lines={name: number for number, name in enumerate((routine, *state), 7)},
    )


@pytest.fixture
def run(compilers: Callable[..., None], tmp_path: Path) -> Run:
    """Compiles texts, calls the routine, and gives what the variables hold."""

    def compile_and_call(
        texts: Mapping[str, str],
        *state: str,
        cpu: str = "68040",
        build: str = "O2",
        **named: object,
    ) -> dict[str, list[int]]:
        compilers(cpu)
        tree = tree_of(tmp_path, texts, state, **named)  # type: ignore[arg-type]
        program = compile_program(tree, BUILDS[build], ALL_TARGETS[cpu])
        machine = BareMachine(read_elf(program.path), CPUS[cpu])
        machine.call(tree.routine)
        return {name: machine.globals[name].reshape(-1).tolist() for name in state}

    return compile_and_call


LEAKING = {
    "first.cpp": "#define STEP 10\nshort gFirst;\nvoid First() { gFirst = STEP; }\n",
    "second.cpp": "#ifndef STEP\n#define STEP 1\n#endif\nvoid First();\nshort gSecond;\n"
    "void Go() { First(); gSecond = STEP; }\n",
}


def test_a_define_does_not_leak_into_the_next_file(run: Run):
    assert run(LEAKING, "gFirst", "gSecond") == {"gFirst": [10], "gSecond": [1]}


def test_files_of_one_unit_see_what_came_before(run: Run):
    found = run(LEAKING, "gFirst", "gSecond", units=(("first.cpp", "second.cpp"),))
    assert found == {"gFirst": [10], "gSecond": [10]}


@pytest.mark.parametrize("cpu", ["68000", "68040", "601", "mips"])
def test_c_is_compiled_as_c(run: Run, cpu: str):
    """By its own rules, and in the manner of before 1989; C++ calls it as its header says."""
    texts = {
        "unpack.h": '#ifdef __cplusplus\nextern "C" {\n#endif\nextern long gSizes[3];\n'
        "int twice();\nvoid unpack(void);\n#ifdef __cplusplus\n}\n#endif\n",
        "unpack.c": '#include "unpack.h"\n#include <Types.h>\nlong gSizes[3];\n'
        "static Boolean was;\n"
        "int twice(n) short n; { return n * 2; }\n"
        "void unpack() { int class = 21; was = !was; gSizes[0] = sizeof('a');\n"
        "  gSizes[1] = twice(class); gSizes[2] = later(); }\n"
        "later() { return was; }\n",
        "go.cpp": '#include "unpack.h"\nvoid Go() { unpack(); }\n',
    }
    assert run(texts, "gSizes", cpu=cpu) == {"gSizes": [4, 42, 1]}


@pytest.mark.parametrize("build", slow_but(["O2"], ["O0", "O2", "Os"]))
@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_static_names_of_two_files_do_not_collide(run: Run, build: str, suffix: str):
    texts = {
        f"a.{suffix}": "static short count = 3;\nstatic int next(void) { return ++count; }\n"
        "short gA;\nvoid A(void) { gA = next(); }\n",
        f"b.{suffix}": "static short count = 30;\nstatic int next(void) { return --count; }\n"
        "void A(void);\nshort gB;\nvoid Go(void) { A(); gB = next(); }\n",
    }
    assert run(texts, "gA", "gB", build=build) == {"gA": [4], "gB": [29]}


@pytest.mark.parametrize("build", slow_but(["O2"], ["O0", "O1", "O2", "Os", "period"]))
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_what_is_static_is_kept_with_all_stores_to_it(run: Run, cpu: str, build: str):
    """Nobody in its unit reads any of it, nor calls the routine."""
    texts = {
        "helper.c": "static long gHidden[4];\nstatic const short gTable[2] = { 5, 6 };\n"
        "static volatile char gFlag;\n"
        "void Set(n) int n; { gHidden[n] = n + 1; gFlag = 1; }\n",
        "go.cpp": 'extern "C" void Set(int);\nnamespace { short gSecret; }\nstatic short gOwn;\n'
        "static void Go() { Set(0); Set(2); gSecret = 9; gOwn = 4; }\n",
    }
    found = run(texts, "gHidden", "gTable", "gFlag", "gSecret", "gOwn", cpu=cpu, build=build)
    assert found == {
        "gHidden": [1, 0, 3, 0],
        "gTable": [5, 6],
        "gFlag": [1],
        "gSecret": [9],
        "gOwn": [4],
    }


def test_an_inline_routine_in_a_header_is_found(run: Run):
    texts = {
        "go.h": "extern short gX;\ninline void Go() { gX = 5; }\n",
        "a.cpp": '#include "go.h"\nshort gX;\nvoid A() { Go(); }\n',
        "b.cpp": '#include "go.h"\nvoid B() { Go(); }\n',
    }
    assert run(texts, "gX") == {"gX": [5]}


M68K_ADD = "        .globl add\nadd:    move.w 6(%sp),%d0\n        add.w 10(%sp),%d0\n        rts\n"
PPC_ADD = "        .globl add\nadd:    add 3,3,4\n        blr\n"


@pytest.mark.parametrize(("cpu", "text"), [("68000", M68K_ADD), ("601", PPC_ADD)])
def test_assembler_is_assembled_and_linked(run: Run, cpu: str, text: str):
    texts = {
        "add.s": text,
        "go.c": "int add(int, int);\nshort gSum;\nvoid Go(void) { gSum = (short) add(20, 22); }\n",
    }
    assert run(texts, "gSum", cpu=cpu) == {"gSum": [42]}


def test_a_routine_in_assembler_with_the_preprocessor(run: Run):
    """The label needs no .type, and with .S there are #define and #include."""
    texts = {
        "value.h": "#define VALUE 7\n",
        "go.S": '#include "value.h"\n        .text\n        .globl Go\nGo:     move.w #VALUE,gX\n'
        "        rts\n",
        "x.c": "short gX;\n",
    }
    assert run(texts, "gX") == {"gX": [7]}


def test_the_debugging_information_names_the_users_files(
    compilers: Callable[..., None], tmp_path: Path
):
    compilers("68040")
    texts = {
        "first.c": "short gX;\n\n\nvoid First(void)\n{\n    gX = 1;\n}\n",
        "second.cpp": 'extern "C" void First();\nvoid Go()\n{\n    First();\n}\n',
    }
    tree = tree_of(tmp_path, texts, ("gX",))
    program = read_elf(compile_program(tree, BUILDS["O0"], ALL_TARGETS["68040"]).path)
    places = {name: program.locate(program.function(name)) for name in ("First", "Go")}
    assert {name: (p.file, p.line) for name, p in places.items()} == {
        "First": ("first.c", 5),
        "Go": ("second.cpp", 3),
    }


def test_a_file_that_a_source_includes_is_taken_along(run: Run):
    texts = {
        "go.cpp": '#include "table.inc"\nshort gX;\nvoid Go() { gX = kTable[1]; }\n',
        "table.inc": '#include "more.tab"\n',
        "more.tab": "static const short kTable[] = { 3, 4 };\n",
    }
    assert run(texts, "gX", units=(("go.cpp",),)) == {"gX": [4]}


# -- what is refused ---------------------------------------------------------------------------

GO = (
    "short gCount;\nstatic short gHidden;\n"
    "void Go() { gCount = ++gHidden; }\nint MoveBall() { return 1; }\n"
)


@pytest.mark.parametrize(
    ("names", "line", "words"),
    [
        (("Go", "gCuont"), 8, "there is no variable gCuont in go.cpp; did you mean gCount?"),
        (("Go", "gHiden"), 8, "there is no variable gHiden in go.cpp; did you mean gHidden?"),
        (
            ("MovBall", "gCount"),
            7,
            "there is no function MovBall in go.cpp; did you mean MoveBall?",
        ),
        (("gCount", "gHidden"), 7, "gCount is not a function in go.cpp"),
        (("Go", "MoveBall"), 8, "MoveBall is not a variable in go.cpp"),
    ],
)
@pytest.mark.parametrize("build", slow_but(["O2"], ["O0", "O2"]))
def test_a_misspelled_name(
    compilers: Callable[..., None],
    tmp_path: Path,
    names: tuple[str, str],
    line: int,
    words: str,
    build: str,
):
    compilers("68040")
    tree = tree_of(tmp_path, {"go.cpp": GO}, names[1:], routine=names[0])
    with pytest.raises(CaseError) as caught:
        compile_program(tree, BUILDS[build], ALL_TARGETS["68040"])
    assert str(caught.value).startswith(f"{tmp_path / 'case.yaml'}, line {line}: ")
    assert str(caught.value).endswith(words)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (
            {"a.c": "static short gX;\n", "b.c": "static short gX;\nvoid Go() { gX = 1; }\n"},
            "2 variables are named gX, in a.c and b.c. Rename all but one",
        ),
        (
            {"a.cpp": "short gX;\nvoid Go() {}\nvoid Go(int n) { gX = n; }\n"},
            "2 functions are named Go, in a.cpp. Rename all but one",
        ),
        (
            {"a.c": "short gX;\n", "b.s": "Go:     rts\n"},
            "Go is a local label of b.s. Make it known to the linker: .globl Go",
        ),
    ],
)
def test_a_name_that_is_not_one_thing(
    compilers: Callable[..., None], tmp_path: Path, texts: Mapping[str, str], words: str
):
    compilers("68040")
    with pytest.raises(CaseError) as caught:
        compile_program(tree_of(tmp_path, texts, ("gX",)), BUILDS["O1"], ALL_TARGETS["68040"])
    assert words in str(caught.value)


def test_only_somebody_elses_source_is_forgiven(compilers: Callable[..., None], tmp_path: Path):
    compilers("68040")
    texts = {"go.cpp": "short gX;\nvoid Go() { short* p = (void*) &gX; *p = 1; }\n"}
    with pytest.raises(CompileError, match=r"go\.cpp:2:.*invalid conversion"):
        compile_program(tree_of(tmp_path, texts, ("gX",)), BUILDS["O1"], ALL_TARGETS["68040"])
    tree = tree_of(tmp_path, texts, ("gX",), foreign=True)
    compile_program(tree, BUILDS["O1"], ALL_TARGETS["68040"])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("go.txt", "go.txt has no suffix of a language that macproof compiles: .cpp .cp"),
        ("go", "go has no suffix"),
        ('g"o.c', "a quotation mark or a control character"),
        ("g\no.c", "a quotation mark or a control character"),
        ("caf\udce9.c", r"the file name caf\xe9.c is not UTF-8"),
    ],
)
def test_a_name_that_cannot_be_compiled(tmp_path: Path, name: str, words: str):
    with pytest.raises(UsageError) as caught:
        tree_of(tmp_path, {name: "short gX;\nvoid Go() {}\n"}, ("gX",)).read()
    assert words in str(caught.value)
    str(caught.value).encode()


def test_units_that_cannot_be(tmp_path: Path):
    texts = {"a.c": "", "b.cpp": ""}
    tree = tree_of(tmp_path, texts, ("gX",), units=(("a.c", "b.cpp"),))
    with pytest.raises(UsageError, match=r"a\.c, b\.cpp cannot be one unit"):
        tree.read()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.c").touch()
    twice = SourceTree(
        **{
            **{name: getattr(tree, name) for name in tree.__slots__},
            "units": ((tmp_path / "a.c",), (tmp_path / "other" / "a.c",)),
            "foreign": (tmp_path / "other" / "a.c",),
        }
    )
    with pytest.raises(UsageError, match=r"two sources are named a\.c"):
        twice.read()


@pytest.mark.usefixtures("isolated_cache")
def test_a_header_with_an_odd_name_does_no_harm(compilers: Callable[..., None], tmp_path: Path):
    compilers("68040")
    (tmp_path / "caf\udce9.h").touch()
    tree = tree_of(tmp_path, {"go.cpp": "short gX;\nvoid Go() {}\n"}, ("gX",))
    assert compile_program(tree, BUILDS["O1"], ALL_TARGETS["68040"]).origin == "compiled"


def test_languages_by_suffix():
    names = {"a.c": "C", "a.C": "C++", "a.CPP": "C++", "a.cp": "C++", "a.s": "assembler"}
    found = {name: language_of(name) for name in names}
    assert {name: one.name for name, one in found.items() if one is not None} == names
    assert language_of("a.p") is None


def test_a_unit_that_does_not_link_names_what_is_missing(
    compilers: Callable[..., None], tmp_path: Path
):
    compilers("68040")
    texts = {"a.c": "short gX;\n", "b.cpp": "void Elsewhere();\nvoid Go() { Elsewhere(); }\n"}
    with pytest.raises(MacproofError, match=r"Elsewhere\(\) is not defined.*b\.cpp, line 2"):
        compile_program(tree_of(tmp_path, texts, ("gX",)), BUILDS["O1"], ALL_TARGETS["68040"])


# -- on the command line -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 0, "verified"),
        (("--source", "unpack.c=mine.c"), 0, "verified"),
        (("--source", "unpack.c=mine.c", "--source", "go.cpp=go.cpp"), 0, "verified"),
        (("--source", "unpack.c=wrong.c"), 1, "refuted"),
        (("--source", "unpak.c=mine.c"), 2, "has no source unpak.c; did you mean unpack.c?"),
        (("--source", "unpack.c=gone.c"), 2, "gone.c: there is no such file"),
        (("--source", "unpack.c=mine.c", "--source", "mine.c"), 2, "give it once, alone"),
        (("--source", "a=mine.c", "--source", "a=mine.c"), 2, "takes the place of a twice"),
        (("--source", "mine.c"), 2, "--source unpack.c=mine.c"),
        (("--source", "case.yaml"), 2, "case.yaml has no suffix of a language"),
    ],
)
def test_one_source_of_several_is_replaced(
    macproof: Callable[..., Any], two_files: Path, words: tuple[str, ...], code: int, said: str
):
    done = macproof("verify", two_files, "--cpu", "68040", "--build", "O1", "--jobs", 1, *words)
    assert done.code == code, done.err
    assert said in " ".join((done.out + done.err).split())


def test_a_replaced_source_is_in_the_receipt(macproof: Callable[..., Any], two_files: Path):
    words = ("--cpu", "601", "--build", "O1", "--source", "unpack.c=mine.c", "--json", "r.json")
    assert macproof("verify", two_files, "--jobs", 1, *words).code == 0
    source = json.loads((two_files / "r.json").read_text())["receipt"]["source"]
    assert source["replaced_by"] == {"unpack.c": "mine.c"}
    digests = {n: hashlib.sha256(t.encode()).hexdigest() for n, t in TEXTS.items()}
    assert {n: d for n, d in source["files"].items() if n in TEXTS} == {
        name: digests[name] for name in ("go.cpp", "mine.c")
    }


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (("call: Go", "call: Goo"), 5, "there is no function Goo in unpack.c, go.cpp"),
        (("  gIn: value", "  gInn: value"), 12, "did you mean gIn?"),
        (("  gOut: out", "  gOutt: out"), 14, "did you mean gOut?"),
        (("unpack.c,", "unpack.c, notes.txt,"), 4, "notes.txt has no suffix of a language"),
        (("unpack.c, go.cpp", "[unpack.c, go.cpp]"), 4, "unpack.c, go.cpp cannot be one unit"),
    ],
)
def test_a_mistake_is_reported_at_the_line_of_the_case_file(
    macproof: Callable[..., Any], two_files: Path, change: tuple[str, str], line: int, said: str
):
    (two_files / "notes.txt").touch()
    (two_files / "case.yaml").write_text(CASE.replace(*change))
    done = macproof("verify", two_files, "--cpu", "68040", "--build", "O1")
    text = " ".join(done.err.split())
    assert done.code == 2
    assert f"case.yaml, line {line}: " in text
    assert said in text
    assert "unit0" not in text


@pytest.mark.slow
def test_a_source_with_an_odd_name_on_the_command_line(
    macproof_apart: Callable[..., Any], two_files: Path
):
    for name in ("caf\udce9.cpp", 'a"b.cpp', "a\nb.cpp"):
        (two_files / name).write_text(TEXTS["go.cpp"])
        done = macproof_apart("verify", two_files, "--cpu", "68040", "--source", two_files / name)
        assert done.code == 2
        assert "rename it to compile it" in " ".join(done.err.split())
