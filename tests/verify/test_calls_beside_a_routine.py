"""Several calls in a row, beside the routines of an old program or of a library."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from tests.rows import slow_but

QUEUE = Path(__file__).parents[2] / "examples" / "queue"
OLD = """
static long sRing[5]; static short sFirst, sCount;
void Empty(void) { sFirst = sCount = 0; }
short Enter(long what) {
    short end = sFirst + sCount;
    sRing[end < 5 ? end : end - 5] = what;
    if (sCount < 5) { ++sCount; return 0; }
    sFirst = sFirst < 4 ? sFirst + 1 : 0;
    return 1;
}
long Leave(void) {
    long what;
    if (!sCount) return -1;
    what = sRing[sFirst]; sFirst = sFirst < 4 ? sFirst + 1 : 0; --sCount;
    return what;
}
"""
PROGRAM = """
  program: old.elf
  symbol: {Clear: Empty, Push: Enter, Pop: Leave}
  before: []
  prototype:
    Clear: void Empty(void)
    Push: unsigned char Enter(long entry)
    Pop: long Leave(void)
  ignore: [sRing, sFirst, sCount]
"""
LIBRARY = """
  library: libqueue.so
  function: {Clear: empty, Push: enter, Pop: leave}
  before: []
  prototype:
    Clear: void empty(void)
    Push: uint8_t enter(int32_t entry)
    Pop: int32_t leave(void)
  ignore: [sRing, sFirst, sCount]
"""
Making = Callable[..., macproof.Case]


@pytest.fixture
def making(tmp_path: Path, compilers: Callable[..., None]) -> Making:
    compilers("68000", "601")

    def make(reference: str, *changes: tuple[str, str], old: str = OLD) -> macproof.Case:
        folder = tmp_path / f"case_{len(list(tmp_path.iterdir()))}"
        shutil.copytree(QUEUE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "old.c").write_text(old)
        words = ["m68k-linux-gnu-gcc", "-m68000", "-O1", "-ffreestanding", "-nostdlib", "-static"]
        words += ["-Wl,--build-id=none", "-Wl,-e,Empty", "-o", "old.elf", "old.c", "-lgcc"]
        modern = old.replace("Empty", "empty").replace("Enter", "enter").replace("Leave", "leave")
        (folder / "modern.c").write_text(modern.replace("long", "int"))
        compiler = shutil.which("cc")
        assert compiler is not None, "a C compiler for this computer is needed"
        for command in (words, [compiler, "-shared", "-fPIC", "-o", "libqueue.so", "modern.c"]):
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        case = folder / "case.yaml"
        text = case.read_text()
        text = text[: text.index("observe:")] + f"observe: [return]\nreference:{reference}"
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        case.write_text(text)
        return macproof.load_case(case)

    return make


def verify(case: macproof.Case, cpu: str = "601") -> macproof.Verification:
    programs = macproof.programs_of(case, cpus=[cpu], builds=["O2"])
    return macproof.verify(case, programs, scenes=24, jobs=1)


@pytest.mark.slow
@pytest.mark.parametrize("reference", slow_but([PROGRAM], [PROGRAM, LIBRARY]))
def test_a_script_is_played_by_both(making: Making, reference: str) -> None:
    assert verify(making(reference)).verdict == "verified"
    wrong = OLD.replace("return 1;", "return sFirst != 3;")
    found = verify(making(reference, old=wrong))
    assert found.verdict == "refuted"
    explained = macproof.explain(found)
    assert explained is not None
    assert "Push.return" in str(explained.explanation.divergence)


@pytest.mark.slow
@pytest.mark.parametrize("reference", slow_but([PROGRAM], [PROGRAM, LIBRARY]))
def test_calls_that_are_always_the_same(making: Making, reference: str) -> None:
    entry = "- Push: {entry: objects}"
    listed = (
        ("- Push: {entry: entries}\n  - Pop", f"{entry}\n  - Pop\n  {entry}\n  - Pop\n  - Pop"),
        ("script: operations\n", ""),
    )
    assert verify(making(reference, *listed), "68000").verdict == "verified"
    wrong = OLD.replace("return -1;", "return -2;")
    assert verify(making(reference, *listed, old=wrong)).verdict == "refuted"


@pytest.mark.slow
def test_a_library_begins_each_scene_as_it_was_loaded(making: Making) -> None:
    """What an earlier scene left in it would be taken out in this one."""
    listed = ("- Clear\n  - Push: {entry: entries}\n  - Pop", "- Pop\n  - Push: {entry: objects}")
    listed_script = ("script: operations\n", "")
    text = LIBRARY.replace("Clear: empty, ", "").replace("    Clear: void empty(void)\n", "")
    assert verify(making(text, listed, listed_script)).verdict == "verified"


@pytest.mark.slow
def test_functions_of_a_library_are_called_before(making: Making) -> None:
    started = ("before: []", "before: [start]")
    other = OLD.replace("sFirst, sCount;", "sFirst, sCount = 2;").replace(
        "void Empty", "void start(void) { sCount = 0; }\nvoid Empty"
    )
    unset = OLD.replace("sFirst, sCount;", "sFirst, sCount = 2;")
    assert verify(making(LIBRARY, started, old=other)).verdict == "verified"
    assert verify(making(LIBRARY, old=unset)).verdict == "refuted"
    with pytest.raises(macproof.CaseError, match=r"libqueue\.so has no function start"):
        verify(making(LIBRARY, started))
    with pytest.raises(macproof.CaseError, match=r"libqueue\.so has no function Clear"):
        verify(making(LIBRARY.replace("  before: []\n", "")))


def test_results_in_a_row_are_no_trees(making: Making) -> None:
    python = ("observe: [return]", "observe: {return: results up to 4 nodes}")
    reference = " queue_reference:play\n"
    with pytest.raises(macproof.CaseError, match=r"the results of .* Observe the global"):
        verify(making(reference, python))
    listed = ("observe: [return]", "observe: [return up to 4 nodes]")
    with pytest.raises(
        macproof.CaseError, match="trees and lists are compared with a reference in"
    ):
        making(LIBRARY, listed)


@pytest.mark.slow
def test_a_crash_in_a_row_is_no_verdict(making: Making) -> None:
    crashing = OLD.replace("return -1;", "return *(volatile long *) 8;")
    with pytest.raises(macproof.GuestError, match=r"crashed \(SIGSEGV\)"):
        verify(making(LIBRARY, old=crashing))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reference", "before", "after", "message"),
    [
        (
            PROGRAM,
            "Push: Enter",
            "Pusch: Enter",
            r"line \d+: the case does not call Pusch; did you",
        ),
        (PROGRAM, "Push: Enter", "Push: Entre", "there is no function Entre"),
        (
            PROGRAM,
            "symbol: {Clear: Empty, Push: Enter, Pop: Leave}",
            "symbol: Enter",
            r"line \d+: symbol is of a single routine.*symbol: \{Clear: \.\.\.\}",
        ),
        (PROGRAM, "long Leave(void)", "lung Leave(void)", r"line \d+: column 1: there is no type"),
        (
            PROGRAM,
            "void Empty(void)",
            "pascal void Empty(void)",
            "Push is not declared pascal, and others are",
        ),
        (LIBRARY, "int32_t entry", "int32_t entries", "has no parameter entry; did you mean"),
        (LIBRARY, "Pop: leave", "Pop: left", r"libqueue\.so has no function left"),
        (LIBRARY, "observe:", "input: {gA: objects}\nobserve:", "nothing is known of the type"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    making: Making, reference: str, before: str, after: str, message: str
) -> None:
    with pytest.raises(macproof.MacproofError, match=message):
        verify(making(reference, (before, after)))
