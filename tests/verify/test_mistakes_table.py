"""The table of mistakes in docs/checks.md, held against what macproof says of each of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import macproof
from emu.verify.batches.bench import Bench
from emu.verify.memory.screened_scenes import ScreenedScenes
from emu.verify.report.report import ProgramResult
from tests.verify.memory.test_memory_checks import CASE, DEAD, REFERENCE
from tests.verify.memory.test_screened_scenes import scenes_of

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "checks.md"
SOURCE = """
char gName[5];
short gOne, gTwo;
volatile long gSink;
{before}
short Work(short count, short *out)
{{
    {body}
    gTwo = *out = count + 1;
    return count;
}}
"""

HEAP = "#include <Memory.h>"
END = "volatile char *end = gName + 5; "
ON_68K, ON_POWERPC = "#ifdef __m68k__\n", "\n#else\n"
ODD_STACK = (
    ON_68K
    + r'asm volatile("subq.l #1,%%sp\n\tmove.w %0,-(%%sp)\n\taddq.l #3,%%sp" : : "d"(count));'
    + ON_POWERPC
    + r'asm volatile("addi 1,1,-17\n\tstw %0,8(1)\n\taddi 1,1,17" : : "r"(count));'
    + "\n#endif\n"
)
BELOW_STACK = (
    ON_68K
    + r'asm volatile("move.l %0,-8(%%sp)\n\tmove.l -8(%%sp),%0" : : "d"((long)count));'
    + ON_POWERPC
    + r'asm volatile("stw %0,-8(1)\n\tlwz %0,-8(1)" : : "r"((long)count));'
    + "\n#endif\n"
)

MISTAKES = {  # the lines of the routine, and what stands before it
    "a branch depends on a local variable that nobody has stored": (
        "volatile short x; if (x < 0) gSink = 1;",
        "",
    ),
    "a branch depends on a static variable that nobody has stored": (
        "if (gTwo < 0) gSink = 1;",
        "",
    ),
    "the result depends on a heap block that nobody has stored": (
        "Ptr block = NewPtr(8); count += block[3]; DisposePtr(block);",
        HEAP,
    ),
    "it reads behind the end of an array": (END + "gSink = *end;", ""),
    "it stores the same value behind the end of an array": (END + "*end = *end;", ""),
    "it stores behind the end of an array, and restores what was there": (
        END + "char kept = *end; *end = 1; *end = kept;",
        "",
    ),
    "it stores a zero between two variables": (END + "*end = 0;", ""),
    "it reads a word at an odd address": (
        "gSink = *(volatile short *)(gName + ((long)gName & 1 ? 0 : 1));",
        "",
    ),
    "it makes the stack pointer odd and stores a word there": (ODD_STACK, ""),
    "it keeps data below the stack pointer": (BELOW_STACK, ""),
    "it uses a local variable of a function that has returned": ("gSink = *Dead(count);", DEAD),
    "it uses a heap block that was disposed of": (
        "Ptr block = NewPtr(8); DisposePtr(block); gSink = *(volatile char *)block;",
        HEAP,
    ),
    "it uses 60 KB of stack": ("volatile char big[60000]; big[0] = 1; gSink = big[0];", ""),
    "it keeps a flag in the highest byte of an address": (
        "gOne = 7; gSink = *(volatile short *)((long)&gOne | 0x80000000);",
        "",
    ),
    "a signed addition overflows": ("volatile int most = 0x7FFFFFFF; gSink = most + 1;", ""),
    "it shifts by 33 places": ("volatile int places = 33; gSink = 1 << places;", ""),
    "the result depends on an absolute address": (
        "volatile long at = (long)gName; if (at & 0x80000) count++;",
        "",
    ),
}


def rows() -> Iterator[tuple[str, list[str]]]:
    """The mistakes of the table, each with its cells."""
    page = PAGE.read_text(encoding="utf-8")
    section = page.split("### Mistakes that leave the right results")[1].split("\n### ")[0]
    for line in section.splitlines():
        if line.startswith("|") and not line.startswith(("| mistake", "|---")):
            mistake, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            yield mistake, cells


TABLE = dict(rows())
CPUS = ("68000", "68040", "601")


def told(cell: str) -> dict[str, str]:
    """What a cell says of each processor."""
    own = re.findall(r"(\w+): ((?:verified|refuted|inconclusive)[^;]*)", cell)
    return dict(own) if own else dict.fromkeys(CPUS, cell)


def test_each_row_has_a_program() -> None:
    assert list(TABLE) == list(MISTAKES)
    assert all(len(cells) == 3 for cells in TABLE.values())


@pytest.fixture(params=MISTAKES)
def mistake(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def case(mistake: str, tmp_path: Path, compilers: Callable[..., None]) -> macproof.Case:
    compilers("68000", "601")
    body, before = MISTAKES[mistake]
    observed = CASE.replace('"*out": more', '"*out": more, gTwo: more')
    ignored = re.sub(r"ignore: .*", "ignore: [gName, gOne, gSink]", observed)
    (tmp_path / "work.c").write_text(SOURCE.format(body=body, before=before))
    (tmp_path / "case.yaml").write_text(ignored.format(more="").lstrip())
    (tmp_path / "work_reference.py").write_text(REFERENCE)
    return macproof.load_case(tmp_path)


def test_what_is_said_without_checks(mistake: str, case: macproof.Case) -> None:
    programs = macproof.programs_of(case, builds=["O0"], layouts=2)
    results = macproof.verify(case, programs, checks="usual", jobs=1).report.results
    said = told(TABLE[mistake][0])
    for usual, moved in zip(results[::2], results[1::2], strict=True):
        verdict = usual.verdict
        if moved.verdict != verdict:
            verdict += f", {moved.verdict} in the other layout"
        assert verdict.removeprefix("verified, ") == said[usual.cpu]


@pytest.mark.parametrize("checks", [None, "full"])
def test_what_checks_of_memory_say(mistake: str, case: macproof.Case, checks: str | None) -> None:
    programs = macproof.programs_of(case, builds=["O0"])
    results = macproof.verify(case, programs, checks=checks, jobs=1).report.results
    said = told(TABLE[mistake][1])
    if checks is None and mistake == "it uses a heap block that was disposed of":
        said |= {"68040": "verified", "601": "verified"}
        assert all(one.memory.left_calls == one.calls for one in results[1:] if one.memory)
    assert {one.cpu: _words(one) for one in results} == said


UNTRANSLATED = {  # calls of the Toolbox, odd addresses on a 68000, addresses that it cuts
    "the result depends on a heap block that nobody has stored": CPUS,
    "it uses a heap block that was disposed of": CPUS,
    "it reads a word at an odd address": ("68000",),
    "it makes the stack pointer odd and stores a word there": ("68000",),
    "it keeps a flag in the highest byte of an address": ("68000",),
}


def test_translated_code_looks_at_each_row(mistake: str, case: macproof.Case) -> None:
    """Full checks ask Unicorn's hooks where translated code cannot look: that would hide much."""
    said = told(TABLE[mistake][1])
    scenes = scenes_of(case)
    for subject in macproof.programs_of(case, builds=["O0"]).subjects:
        if said[subject.cpu].startswith("inconclusive"):
            continue  # no call ends, so there is nothing to look at
        bench = Bench.of(case, subject, screened=True)
        images = bench.before(scenes.scenes, scenes.preparations)
        checks = ScreenedScenes(subject, bench, images, scenes.specs)
        kinds = {str(one.kind) for one in checks.judge(checks.run()).violations}
        assert kinds == set(re.findall("`(.*?)`", said[subject.cpu])), subject.cpu
        screen = bench.machine.calls.screen
        assert screen is not None
        assert bool(screen.left) == (subject.cpu in UNTRANSLATED.get(mistake, ())), subject.cpu


def _words(result: ProgramResult) -> str:
    assert result.memory is not None
    words = str(result.verdict)
    for weight, before in (("refutes", ": "), ("note", ", a note: ")):
        kinds = [one.kind for one in result.memory.violations if one.weight == weight]
        words += before * bool(kinds) + ", ".join(f"`{kind}`" for kind in kinds)
    return words


def test_what_sanitizers_say(mistake: str, case: macproof.Case) -> None:
    programs = macproof.programs_of(case, builds=["O0"], sanitize=["address", "undefined"])
    report = macproof.verify(case, programs, jobs=1).report
    said = told(TABLE[mistake][2])
    for one in report.results:
        verdict, _, quoted = said[one.cpu].partition(": ")
        assert one.verdict == verdict
        assert all(words in str(one.defects) for words in re.findall("`(.*?)`", quoted))
        assert bool(one.defects) == bool(quoted), one
