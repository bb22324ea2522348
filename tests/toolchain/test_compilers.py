"""Which compiler is taken, what is wrong with one that is named, and that all commands use it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import macproof as kit
from emu.base.errors import CaseError, MacproofError, ToolMissingError, UsageError
from emu.cases.case import Case
from emu.cases.programs.programs import programs_of
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain import compiler_choice
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.compiler_choice import USUAL, Named, NamedCompiler, named_compiler
from emu.toolchain.compilers.find import find_compiler, how_to_install, require_compiler
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources
from tests.conftest import Outcome
from tests.small_cases import SmallCases, require_compilers
from tests.toolchain.fake_compilers import fake_compiler, saying, write_tool

Command = Callable[..., Outcome]

M32 = (1 << 32) - 1
NUMBERS = st.integers(0, M32) | st.integers(0, 40) | st.integers(M32 - 40, M32)
SOURCE = """
#include <string.h>
long gValues[16], gSum;
short gCount;

extern "C" void Run()
{
    long values[16];
    memcpy(values, gValues, sizeof values);
    gSum = 0;
    for (short n = 0; n < gCount; n++)
        gSum += values[n] / 3 * gCount;
}
"""
REFERENCE = "return answer(total=scene.objects * sum(int(n / 3) for n in scene.values.tolist()))"


@pytest.fixture
def case(small_cases: SmallCases) -> Case:
    return small_cases.make(SOURCE, REFERENCE, "{gSum: total}")


def m68k(folder: Path, name: str) -> Path:
    """A tool that says it is a working GCC for the 68K."""
    linker = saying(folder / "parts", "ld", version="GNU ld 2.40")
    return saying(
        folder,
        name,
        version=f"{name} (GCC) 12.2.0",
        dumpmachine="m68k-elf",
        print_prog_name=str(linker),
        **{"print-prog-name=ld": str(linker)},
    )


# -- who decides -------------------------------------------------------------------------------


def test_the_nearest_who_names_a_compiler_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken away one after the other, from the first to the last."""
    target = ALL_TARGETS["68040"]
    tools = {
        name: m68k(tmp_path / name / "bin", "m68k-apple-macos-g++" if name == "retro" else name)
        for name in ("argument", "variable", "case", "config", "retro")
    }
    (tmp_path / "config.yaml").write_text(f"compilers:\n  m68k: {tools['config']}\n")
    in_path = m68k(tmp_path / "path", "m68k-elf-g++")
    monkeypatch.setenv("PATH", f"{in_path.parent}:/usr/bin:/bin")
    monkeypatch.setitem(USUAL, "m68k", ("m68k-elf-g++",))
    by_environment = partial(os.environ.get, "RETRO68", "")
    monkeypatch.setattr(compiler_choice, "retro68_by_environment", by_environment)
    monkeypatch.setenv("RETRO68", str(tmp_path / "retro"))
    monkeypatch.setenv("MACPROOF_CONFIG", str(tmp_path / "config.yaml"))
    monkeypatch.setenv("MACPROOF_M68K_CXX", str(tools["variable"]))
    named = {"m68k": NamedCompiler(str(tools["case"]), "case.yaml, line 3,")}
    first = {"m68k": NamedCompiler(str(tools["argument"]), "the argument", is_first=True)}

    def chosen(named: Named) -> str:
        return require_compiler(target, named).command

    assert chosen(first) == str(tools["argument"])
    assert chosen(named) == str(tools["variable"])
    monkeypatch.delenv("MACPROOF_M68K_CXX")
    assert chosen(named) == str(tools["case"])
    assert chosen({}) == str(tools["config"])
    (tmp_path / "config.yaml").write_text("")
    assert chosen({}) == str(tools["retro"])
    monkeypatch.delenv("RETRO68")
    assert chosen({}) == "m68k-elf-g++"
    in_path.unlink()
    assert find_compiler(target, {}) is None


def test_a_path_is_relative_to_where_it_is_written(tmp_path: Path) -> None:
    one = named_compiler("m68k", "tools/m68k-elf-g++", "case.yaml", tmp_path)
    assert one.command == str(tmp_path / "tools" / "m68k-elf-g++")
    assert named_compiler("m68k", "m68k-elf-g++", "case.yaml", tmp_path).command == "m68k-elf-g++"
    home = named_compiler("m68k", "~/bin/g++", "config.yaml", tmp_path)
    assert home.command == str(Path.home() / "bin" / "g++")


# -- what is wrong with it ---------------------------------------------------------------------


def test_a_compiler_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path) -> None:
    plain = write_tool(tmp_path / "plain", "text")
    plain.chmod(0o644)
    (tmp_path / "folder").mkdir()
    wrong: list[tuple[Path, type[MacproofError], str]] = [
        (tmp_path / "gone-g++", ToolMissingError, "is not there"),
        (plain, UsageError, "may not be executed"),
        (tmp_path / "folder", UsageError, "is a folder"),
        (saying(tmp_path, "mute"), UsageError, "is no working GCC"),
        (write_tool(tmp_path / "noise", "\x7fELF"), UsageError, "is no working GCC"),
    ]
    linker = {"print-prog-name=ld": str(saying(tmp_path, "ld", version="GNU ld 2.40"))}
    host = saying(tmp_path, "host", version="g++ 12", dumpmachine="x86_64-linux-gnu", **linker)
    clang = saying(tmp_path, "c", version="clang 15", dumpmachine="m68k-linux-gnu", **linker)
    wrong += [
        (host, UsageError, "compiles for x86_64-linux-gnu"),
        (clang, UsageError, "is Clang; macproof compiles with GCC"),
    ]
    for path, kind, words in wrong:
        named = {"m68k": NamedCompiler(str(path), "case.yaml, line 3,")}
        with pytest.raises(kind) as refused:
            find_compiler(ALL_TARGETS["68000"], named)
        assert type(refused.value) is kind
        start = f"{path}, which case.yaml, line 3, names for the m68k, {words}"
        assert str(refused.value).startswith(start)


def a_powerpc(folder: Path, machine: str) -> dict[str, NamedCompiler]:
    linker = {"print-prog-name=ld": str(saying(folder, "ld", version="GNU ld 2.40"))}
    path = saying(folder, f"{machine}-g++", version="g++ 12", dumpmachine=machine, **linker)
    return {"powerpc": NamedCompiler(str(path), "--compiler")}


def test_a_compiler_for_no_macintosh_is_refused(tmp_path: Path) -> None:
    named = a_powerpc(tmp_path, "powerpc-ibm-aix7.2.0.0")
    with pytest.raises(UsageError, match=r"compiles for powerpc-ibm-aix.*, not for a Macintosh"):
        find_compiler(ALL_TARGETS["601"], named)


def test_retro68_for_the_powerpc_makes_xcoff(tmp_path: Path) -> None:
    """Its GCC has no small data, and only on demand debugging information that is read."""
    found = find_compiler(ALL_TARGETS["601"], a_powerpc(tmp_path, "powerpc-apple-macos"))
    assert found is not None
    assert found.makes_xcoff
    assert "-gdwarf-4" in found.flags
    assert "-msdata=none" not in found.flags
    usual = find_compiler(ALL_TARGETS["601"], a_powerpc(tmp_path, "powerpc-linux-gnu"))
    assert usual is not None
    assert not usual.makes_xcoff
    assert "-msdata=none" in usual.flags


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("compilers: [m68k-elf-g++]\n", "line 1: compilers are named by families"),
        ("compilers:\n  m86k: x\n", "line 2: .*did you mean m68k"),
        ("compilers:\n  m68k: 3\n", "line 2: 3 is not the name or path"),
        ("compilers:\n  m68k: ''\n", "line 2: .* names no compiler"),
        ("compiler:\n  m68k: x\n", 'line 1: .* has the key "compilers" and no other'),
    ],
)
def test_a_configuration_file_that_is_wrong(
    text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.yaml").write_text(text)
    monkeypatch.setenv("MACPROOF_CONFIG", str(tmp_path / "config.yaml"))
    with pytest.raises(CaseError, match=words):
        find_compiler(ALL_TARGETS["68000"], {})


def test_a_configuration_file_that_is_named_has_to_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MACPROOF_CONFIG", str(tmp_path / "config.yaml"))
    with pytest.raises(UsageError, match="which MACPROOF_CONFIG names, is no file"):
        find_compiler(ALL_TARGETS["68000"], {})


def test_what_to_install_depends_on_the_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    targets = [ALL_TARGETS["68000"], ALL_TARGETS["601"]]
    monkeypatch.setattr(sys, "platform", "linux")
    assert how_to_install(targets) == (
        "On Debian and Ubuntu: apt-get install g++-m68k-linux-gnu g++-powerpc-linux-gnu"
    )
    monkeypatch.setattr(sys, "platform", "darwin")
    said = how_to_install(targets)
    assert "brew install m68k-elf-gcc" in said and "Retro68" in said and "apt-get" not in said


# -- commands ----------------------------------------------------------------------------------


def test_a_compiler_without_any_library_is_enough(
    case: Case, macproof: Command, tmp_path: Path
) -> None:
    """It has neither string.h nor what a 68000 has no instruction for: products and quotients."""
    path = fake_compiler(tmp_path, "m68k-elf-g++", has_library=False, has_libgcc=False)
    report = tmp_path / "report.json"
    words = ("--cpu", "68000", "--cpu", "68040", "--build", "O2", "--scenes", "8")
    done = macproof("verify", case.path, *words, "--compiler", path, "--json", report, "--verbose")
    assert done.code == 0, done.err
    assert f"compiler: {path} is m68k-elf-g++ (Debian" in " ".join(done.out.split())
    programs = [one["program"] for one in json.loads(report.read_text())["results"]]
    assert [one["command"] for one in programs] == [str(path)] * 2
    assert all(one["compiler"].startswith("m68k-elf-g++ (") for one in programs)


def test_the_options_of_a_command_are_forgotten_after_it(
    case: Case, macproof: Command, tmp_path: Path
) -> None:
    gone = tmp_path / "m68k-elf-g++"
    for _ in range(2):
        done = macproof("verify", case.path, "--cpu", "68040", "--compiler", gone)
        assert (done.code, "is not there" in done.err) == (3, True), done.err
    assert "MACPROOF_M68K_CXX" not in os.environ


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--compiler", "/opt/bin/g++"), "say what /opt/bin/g++ compiles for"),
        (("--compiler", "m86k=g++"), "did you mean m68k"),
        (("--compiler", "m68k="), "names no compiler"),
        (("--compiler", "m68k=a", "--compiler", "m68k-elf-g++"), "two compilers for the m68k"),
        (("--compiler", "m68k=a", "--programs", "prebuilt"), "are for compiling"),
    ],
)
def test_options_that_are_wrong(words: tuple[str, ...], says: str, macproof: Command) -> None:
    done = macproof("verify", "four-shifts", *words)
    assert (done.code, says in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    "words",
    [
        ("verify",),
        ("selfcheck", "--limit", "1"),
        ("fuzz", "--executions", "1"),
        ("domain", "--executions", "1"),
        ("explain",),
        ("show",),
        ("build",),
        ("timing",),
    ],
)
def test_every_command_that_compiles_takes_the_compiler(
    words: tuple[str, ...],
    case: Case,
    macproof: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A compiler that is not there is missed by each, whoever names it."""
    monkeypatch.chdir(tmp_path)
    gone = tmp_path / "m68k-elf-g++"
    path = "four-shifts" if words[0] in ("show", "timing") else str(case.path)
    (name, *more), usual = words, ("--cpu", "68040", "--build", "O1")
    done = macproof(name, path, *more, *usual, "--compiler", gone)
    assert (done.code, f"{gone}, which --compiler" in done.err) == (3, True), done.err
    monkeypatch.setenv("MACPROOF_M68K_CXX", str(gone))
    done = macproof(name, path, *more, *usual)
    assert (done.code, f"{gone}, which --compiler" in done.err) == (3, True), done.err


def test_a_case_names_its_compilers(case: Case, macproof: Command, tmp_path: Path) -> None:
    text = case.path.read_text()
    path = fake_compiler(case.path.parent / "tools", "m68k-own-g++")
    case.path.write_text(f"{text}compilers:\n  m68k: tools/m68k-own-g++\n")
    found = programs_of(case.path, cpus=["68040"], builds=["O1"])
    assert found.built[0].command == str(path)
    assert found.note.startswith(f"1 compiled by {path}")
    path.unlink()
    done = macproof("verify", case.path, "--cpu", "68040", "--build", "O1")
    line = text.count("\n") + 2
    assert (done.code, f"which case.yaml, line {line}, names" in done.err) == (3, True), done.err


def test_a_caller_names_compilers_and_a_selfcheck_uses_them(case: Case, tmp_path: Path) -> None:
    path = fake_compiler(tmp_path, "m68k-own-g++")
    programs = kit.programs_of(case, cpus=["68040"], builds=["O1"], compilers={"m68k": str(path)})
    assert programs.built[0].command == str(path)
    report = kit.selfcheck(case, programs, scenes=4, limit=2, jobs=1).report
    assert report.receipt.programs.startswith(f"1 compiled by {path}")
    with pytest.raises(UsageError, match="did you mean m68k"):
        kit.programs_of(case, compilers={"m68": "m68k-elf-g++"})


# -- what a compiler lacks ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> BareMachine:
    """The routines of 32 bits under other names, so that GCC does not know them."""
    require_compilers("68040")
    file = mac_sources() / "runtime" / "bare" / "integer32.c"
    text = file.read_text().replace("__mulsi3", "Product").replace("__udivsi3", "Quotient")
    source = tmp_path_factory.mktemp("bare") / "bare.c"
    source.write_text(f"{text}\nlong gA;\nvoid Go(void) {{ gA = Product(gA, Quotient(gA, 3)); }}\n")
    tree = SourceTree(
        routine="Go",
        state=("gA",),
        units=((source,),),
        folders=(source.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
        also=("Product", "Quotient"),
    )
    program = read_elf(compile_program(tree, BUILDS["O2"], ALL_TARGETS["68040"]).path)
    return BareMachine(program, CPUS["68040"])


@given(a=NUMBERS, b=NUMBERS)
def test_products_and_quotients_of_a_compiler_without_libgcc(
    bare: BareMachine, a: int, b: int
) -> None:
    product = bare.functions.Product(a, b)
    assert int(product) & M32 == a * b & M32
    if b:
        assert int(bare.functions.Quotient(a, b)) & M32 == a // b


# -- one compiler of two -----------------------------------------------------------------------


@pytest.fixture
def only_m68k(compilers: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    compilers("68040")
    monkeypatch.setitem(USUAL, "powerpc", ())


@pytest.mark.usefixtures("only_m68k")
def test_what_has_a_compiler_is_compiled_beside_what_has_none() -> None:
    found = programs_of("four-shifts", cpus=["601", "68040"], builds=["O2"])
    assert [(one.cpu, one.origin == "prebuilt") for one in found.built] == [
        ("601", True),
        ("68040", False),
    ]
    assert found.note.startswith("1 prebuilt, of these very sources; 1 compiled")


@pytest.mark.usefixtures("only_m68k")
def test_the_compiler_that_is_missing_is_named(case: Case, macproof: Command) -> None:
    done = macproof("verify", case.path, "--build", "O2")
    assert done.code == 3
    assert done.err.startswith("macproof: powerpc-linux-gnu-g++ is not installed")
    assert "m68k-linux-gnu" not in done.err
    assert "What there is a compiler for: --cpu 68000 --cpu 68040" in done.err


# -- mistakes come before a missing compiler ---------------------------------------------------


@pytest.mark.usefixtures("no_compilers")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("explain", "CASE", "--against", "nothing"), "nothing is none of these"),
        (("campaign", "run", "F", "CASE", "--scenes", "0"), "needs at least one scene"),
        (("selfcheck", "CASE", "--equivalent", "none.yaml"), "none.yaml"),
        (("show", "CASE", "--generator", "nothing"), "there is no generator nothing"),
        (("show", "CASE"), "has no picture"),
        (("verify", "CASE", "--build", "O7"), "has no build O7"),
        (("build", "--app", "--source", "README.md"), "it is not a source file"),
        (("calibrate", "--engine", "unicorn", "nothing.elf"), "nothing.elf"),
    ],
)
def test_a_mistake_is_told_before_a_compiler_is_missed(
    words: tuple[str, ...], says: str, case: Case, macproof: Command
) -> None:
    done = macproof(*(str(case.path) if word == "CASE" else word for word in words))
    assert (done.code, says in done.err) == (2, True), done.err


# -- how its code calls routines ---------------------------------------------------------------


def test_a_program_tells_how_its_compiler_calls(case: Case, tmp_path: Path) -> None:
    """Not that of Debian's compiler, which the code here really has: only the mark is tried."""
    path = fake_compiler(tmp_path, "m68k-elf-g++", machine="m68k-elf")
    programs = programs_of(case, cpus=["68040"], builds=["O1"], compilers={"m68k": str(path)})
    program = read_elf(programs.built[0].path)
    assert program.convention == "m68k-bare"
    with BareMachine(program, CPUS["68040"]) as machine:
        assert machine.convention.name == "m68k-bare"
    usual = programs_of(case, cpus=["68040"], builds=["O1"])
    assert read_elf(usual.built[0].path).convention == ""
