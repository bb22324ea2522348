"""What a verdict rests on less than it seems: calls only counted, libraries not seen, no checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import macproof
from emu.verify.answers.host.library_globals import unseen_variables
from emu.verify.batches.bench import Bench
from emu.verify.documents.memory_document import memory_sections
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import run_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.verify.small_cases import SmallCase, library

CALLS = """
short Each(short n, short times, void (*f)(short))
{ short i, k; for (i = 0; i < times; ++i) for (k = 0; k < n; ++k) f(i == LATE ? -i : i); return n; }
"""
KEYS = """call: Each
arguments: {n: objects, times: times, f: {python: "small:f"}}
observe: {return: objects}
reference: small:expect
"""
PYTHON = """
Numbers.times = TIMES


def f(number):
    pass


def expect(scene, f):
    for number in range(scene.times):
        for _ in range(scene.objects):
            f(number)
    return SimpleNamespace(objects=scene.objects)
"""


def calls(folder: Path, times: int, late: int = -1) -> SmallCase:
    """A routine that calls a function up to five times for each number, one of them wrong."""
    source = CALLS.replace("LATE", str(late))
    return SmallCase(folder, source, KEYS, PYTHON.replace("TIMES", str(times)))


def test_calls_that_are_only_counted_are_told(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    found = calls(tmp_path, 500).verify(scenes=12)
    assert found.verdict == "verified"
    (beyond,) = found.report.results[0].answers.calls_beyond
    assert (beyond.function, beyond.compared, beyond.most) == ("f", 2048, 2500)
    told = str(found.document.sections)
    assert "The first 2,048 calls of f on a scene were compared with their arguments" in told
    assert "up to 452 more were only counted" in told
    assert "calls of f beyond the first 2,048 were only counted" in str(found.document.outcome)
    assert calls(tmp_path, 500, late=400).verify(scenes=12).verdict == "refuted"  # the 2,000th call


def test_nothing_is_told_if_all_are_compared(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    found = calls(tmp_path, 3).verify()
    assert found.report.results[0].answers.calls_beyond == ()
    assert "only counted" not in str(found.document)


def test_the_library_is_watched_only_if_its_file_says_where_variables_are(tmp_path: Path) -> None:
    place = tmp_path / "libone.so"
    library("static int kept; int One(void) { return ++kept; }", place)
    assert unseen_variables(place, "One") == ""
    mach_o = tmp_path / "libone.dylib"
    mach_o.write_bytes(bytes.fromhex("cffaedfe0c000001") + bytes(100))
    assert unseen_variables(mach_o, "One").startswith(
        "changes that libone.dylib makes to its own variables were not seen: only an ELF file"
    )
    stripped = tmp_path / "stripped.so"
    library("static int kept; int One(void) { return ++kept; }", stripped, "-s")
    assert "own static variables were not seen" in unseen_variables(stripped, "One")


def test_a_library_that_is_not_seen_is_told(tmp_path: Path, compilers: Callable[..., None]) -> None:
    compilers("68040")
    source = "short Twice(short n) { return 2 * n; }"
    library(source, tmp_path / "libtwice.so", "-s")
    keys = (
        "call: Twice\narguments: {n: objects}\nobserve: [return]\n"
        "reference: {library: libtwice.so, function: Twice, prototype: short Twice(short n)}\n"
    )
    found = SmallCase(tmp_path, source, keys).verify()
    assert found.verdict == "verified"
    assert "libtwice.so makes to its own static variables were not seen" in str(found.document)
    assert "own static variables were not seen" in str(found.document.outcome)


SLOW = """
short Count(short n)
{
    volatile long k;
    short sum = 0;
    if (n == 5)
        for (k = 0; k < MOST; ++k) ;
    return n + sum;
}
"""


@pytest.mark.parametrize(("most", "patience", "unchecked"), [(2_000_000, 1e-4, 1), (10, 1.0, 0)])
def test_a_slow_call_without_checks_is_told(
    tmp_path: Path,
    compilers: Callable[..., None],
    most: int,
    patience: float,
    unchecked: int,
) -> None:
    compilers("68040")
    keys = "call: Count\narguments: {n: objects}\nobserve: {return: objects}\n"
    python = "\n\ndef same(scene):\n    return scene\n"
    source = SLOW.replace("MOST", str(most))
    case = SmallCase(tmp_path, source, f"{keys}reference: small:same\n", python).case
    (subject,) = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
    bench = Bench.of(case, subject, checked=True)
    bench.machine.budget = replace(bench.machine.budget, patience=patience)
    scenes = Scenes.make(case, [SceneSpec("any", objects, 1) for objects in (1, 5, 0)])
    result = run_scenes(subject, bench, scenes)
    assert (result.fault, result.crash, result.scenes) == ("", "", 3)
    assert result.memory is not None
    assert result.memory.unchecked == unchecked


def test_the_report_says_how_many_were_run_without_checks(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    keys = "call: Count\narguments: {n: objects}\nobserve: {return: objects}\n"
    python = "\n\ndef same(scene):\n    return scene\n"
    source = SLOW.replace("MOST", "10")
    case = SmallCase(tmp_path, source, f"{keys}reference: small:same\n", python)
    (one,) = case.verify(checks="full").report.results
    assert one.memory is not None
    assert "without these checks" not in str([*memory_sections([one])])
    slow = replace(one, memory=replace(one.memory, unchecked=3))
    assert "3 scenes took so long that they were run again without these checks" in str(
        [*memory_sections([slow])]
    )
