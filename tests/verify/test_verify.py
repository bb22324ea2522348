"""The main job: right programs are verified, wrong ones are not, and the report is the same."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import GuestError, UsageError
from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.machine import BareMachine
from emu.verify.batches.bench import Bench
from emu.verify.batches.differences import Divergence
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import require_correct, run_scenes
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import (
    INCONCLUSIVE,
    REFUTED,
    VERIFIED,
    CountedCall,
    Failure,
    Result,
    verdict_of,
)
from emu.verify.scenes import scene_plan as module
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.rows import slow_but

Prebuilt = Callable[..., list[Subject]]
Ports = dict[tuple[str, str, str], Subject]

# For each number of objects: 200 flags, 99 heads, links, and three inputs an object. Of none the
# first element is filled in.
VALUES = {0: 303, 1: 303, 50: 499, 100: 699, 200: 1099}
COMPARISONS = 4 * (7 * (1099 + 699 + 499 + 303) + 2 * 303)
"""In 30 scenes, each on memory that was filled in four ways: 7 generators, then 2 of no objects."""
IMAGE = 4096


# -- the plan ----------------------------------------------------------------------------------


def test_a_plan_spreads_scenes_over_kinds(case: Case):
    specs = plan_scenes(case, 700, 1994)
    assert len(specs) == len(set(specs)) == 700 + 3 * 35
    scenes = list(dict.fromkeys(spec.scene for spec in specs))
    assert set(Counter(scene.kind for scene in scenes).values()) == {20}
    assert specs[0] == SceneSpec("uniform", 200, 1994)
    assert plan_scenes(case, 700, 1994) == specs
    assert plan_scenes(case, 45, 1994) == specs[: 45 + 3 * 35]


def test_a_plan_fills_memory_in_every_way_for_every_kind_and_then_in_turn(case: Case):
    specs = plan_scenes(case, 280, 8)
    fills: dict[tuple[str, int], list[tuple[int, str]]] = {}
    for spec in specs:
        fills.setdefault(spec.kind, []).append((spec.seed - 8, spec.fill.value))
    names = [fill.value for fill in Fill.of(case)]
    assert names == ["loaded", "poison", "noise", "stale"]
    first = [(0, name) for name in names]
    rest = [(number, names[number % 4]) for number in range(1, 8)]
    assert list(fills.values()) == [first + rest] * 35


def test_ranges_of_seeds_do_not_overlap(case: Case):
    first, second = (plan_scenes(case, 90, seed) for seed in (8, 8 + 3))
    assert {s.seed for s in first} == {8, 9, 10}
    assert not {s.scene for s in first} & {s.scene for s in second}


def test_a_plan_of_other_sizes_or_of_nothing(case: Case):
    assert {s.objects for s in plan_scenes(case, 12, 0, [7, 3])} == {3, 7}
    assert plan_scenes(case, 0, 0) == []


def test_a_plan_has_the_further_numbers_of_some_generators(case: Case):
    also = (("clustered", 7), ("clustered", 150), ("uniform", 3))
    larger = dataclasses.replace(case, also=also)
    usual = len(case.generators) * len(case.objects)
    kinds = [(spec.generator, spec.objects) for spec in plan_scenes(larger, 2 * usual + 6, 1994)]
    kinds = list(dict.fromkeys(kinds))
    assert kinds[:usual] == list(
        dict.fromkeys((s.generator, s.objects) for s in plan_scenes(case, usual, 1994))
    )
    assert kinds[usual:] == list(also)
    assert {s.objects for s in plan_scenes(larger, 12, 0, [9])} == {9}


@pytest.mark.parametrize("count", [0, 1, 2, 99, 100, 101, 600])
@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_chunks_hold_every_scene_once_and_one_size_each(case: Case, count: int, chunk: int):
    specs = plan_scenes(case, count, 5)
    chunks = module.chunks(specs, chunk)
    assert sorted(map(str, itertools.chain(*chunks))) == sorted(map(str, specs))
    assert all(len({spec.objects for spec in piece}) == 1 for piece in chunks)
    assert [len(piece) for piece in chunks[:1]] == [4] * bool(count)
    assert all(len(piece) <= max(chunk, 4) for piece in chunks)
    pieces = [{spec.scene for spec in piece} for piece in chunks]
    assert sum(map(len, pieces)) == len(set().union(*pieces)), "a scene is in one piece"
    later = module.chunks(specs, 1000, is_first=False)
    assert len(later) == len({spec.objects for spec in specs}), "none is alone in a later shard"


# -- verdicts ----------------------------------------------------------------------------------

SUBJECT = Subject("68040", "O2", Path("some.elf"))
GOOD = Result(
    SUBJECT,
    calls=(3, 1, 0, 0, 0),
    scenes=3,
    changed_scenes=2,
    inputs=frozenset({b"a"}),
    comparisons=9,
)


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (GOOD, VERIFIED),
        (Result(SUBJECT), INCONCLUSIVE),
        (dataclasses.replace(GOOD, comparisons=0), INCONCLUSIVE),
        (dataclasses.replace(GOOD, changed_scenes=0), INCONCLUSIVE),
        (dataclasses.replace(GOOD, diverged=1), REFUTED),
        (dataclasses.replace(GOOD, violated=1), REFUTED),
        (dataclasses.replace(GOOD, fault="it jumped"), REFUTED),
        (Result(SUBJECT, fault="it jumped"), INCONCLUSIVE),
        (dataclasses.replace(GOOD, crash="down"), INCONCLUSIVE),
        (dataclasses.replace(GOOD, crash="down", diverged=1), REFUTED),
    ],
)
def test_the_verdict_on_one_program(result: Result, verdict: str):
    assert result.verdict == verdict


def test_the_verdict_on_several():
    refuted = dataclasses.replace(GOOD, diverged=1)
    nothing = Result(SUBJECT)
    assert verdict_of([]) == INCONCLUSIVE
    assert verdict_of([GOOD, GOOD]) == VERIFIED
    assert verdict_of([GOOD, nothing]) == INCONCLUSIVE
    assert verdict_of([nothing, refuted, GOOD]) == REFUTED


def test_the_sum_of_parts():
    spec = SceneSpec("uniform", 5, 1)
    failure = Failure(spec, Divergence("here", "1", "0", 4, True, 1), ("a rule",))
    part = dataclasses.replace(
        GOOD, bytes_compared=7, diverged=1, violated=1, failures=(failure,), abi="m68k-elf"
    )
    measured = dataclasses.replace(GOOD, instructions=CountedCall(12, 4, spec))
    total = Result(SUBJECT) + measured + part + part
    assert (total.scenes, total.comparisons, total.bytes_compared) == (9, 27, 14)
    assert (total.calls, total.changed_scenes, total.inputs) == (
        (9, 3, 0, 0, 0),
        6,
        frozenset({b"a"}),
    )
    assert (total.diverged, total.violated, len(total.failures)) == (2, 2, 2)
    assert total.instructions == CountedCall(12, 4, spec)
    assert total.abi == "m68k-elf"
    assert len((part + dataclasses.replace(part, failures=(failure,) * 30)).failures) == 10
    assert str(failure) == "here is 0, expected 1; a rule"


# -- right programs ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def of_every_program(case: Case, prebuilt: Prebuilt) -> list[Result]:
    return verify(case, prebuilt(), plan_scenes(case, 30, 1994), jobs=2)


@pytest.mark.slow
def test_every_prebuilt_program_is_verified(of_every_program: list[Result], case: Case):
    assert [(r.subject.cpu, r.subject.build) for r in of_every_program] == [
        (cpu, build) for cpu in ("68000", "68040", "601") for build in case.builds
    ]
    assert {r.verdict for r in of_every_program} == {VERIFIED}
    assert {r.abi for r in of_every_program} == {"m68k-elf", "ppc-sysv"}


@pytest.mark.slow
def test_counts_are_exact(of_every_program: list[Result], case: Case):
    for result in of_every_program:
        assert result.scenes == 30
        assert result.calls == (30, 30, 30, 30, 0)  # nothing is ignored, so nothing is kept
        # Scenes of no objects are all alike, and two of one object happen to be.
        assert (len(result.inputs), result.changed_scenes) == (27, 30)
        assert result.comparisons == COMPARISONS
        assert result.bytes_compared == 4 * 30 * IMAGE
        assert result.diverged == result.violated == 0
        assert result.failures == ()
        assert result.instructions is not None
        assert result.instructions.spec == SceneSpec("uniform", 200, 1994)
    counts = {
        (r.subject.cpu, r.subject.build): r.instructions.count
        for r in of_every_program
        if r.instructions is not None
    }
    # A fact of these very programs, the same on every machine.
    assert counts["68040", "O2"] == 41_231
    assert counts["601", "O2"] == 41_861
    assert counts["68040", "O0"] > counts["68040", "period"] > counts["68040", "O2"]


@pytest.mark.parametrize("objects", VALUES)
def test_values_of_one_scene(case: Case, prebuilt: Prebuilt, objects: int):
    (result,) = verify(
        case, prebuilt(("601",), ("O1",)), [SceneSpec("clustered", objects, 3)], jobs=1
    )
    assert (result.verdict, result.scenes, result.comparisons) == (VERIFIED, 1, VALUES[objects])


@pytest.mark.slow
def test_neither_workers_nor_chunks_change_a_result(
    case: Case, prebuilt: Prebuilt, monkeypatch: pytest.MonkeyPatch
):
    subjects = prebuilt(("68000", "601"), ("O2",))
    specs = plan_scenes(case, 45, 77)
    alone = verify(case, subjects, specs, jobs=1)
    assert verify(case, subjects, specs, jobs=2) == alone
    monkeypatch.setattr(module, "_CHUNK", 5)
    assert verify(case, subjects[::-1], specs, jobs=2) == alone[::-1]


def test_progress_counts_every_call(case: Case, prebuilt: Prebuilt):
    seen: list[int] = []
    subjects = prebuilt(("68040",), ("O1", "O2"))
    verify(case, subjects, plan_scenes(case, 12, 0), jobs=2, on_progress=seen.append)
    assert sum(seen) == 2 * 4 * 12


def test_comparing_nothing_is_inconclusive(case: Case, prebuilt: Prebuilt):
    (result,) = verify(case, prebuilt(("68040",), ("O2",)), [])
    assert (result.verdict, result.scenes, result.comparisons) == (INCONCLUSIVE, 0, 0)
    assert verify(case, [], plan_scenes(case, 3, 0)) == []


def test_what_a_worker_refuses_reaches_the_caller(case: Case, prebuilt: Prebuilt):
    with pytest.raises(UsageError, match="201 objects, where the routine holds 200"):
        verify(case, prebuilt(("68040",), ("O2",)), [SceneSpec("uniform", 201, 0)], jobs=1)


# -- wrong programs ----------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Wrong:
    """What must come of a port of `BROKEN_PORTS`: a verdict, and words of its first failure."""

    verdict: str
    words: str
    cpus: tuple[str, ...] = ("68040", "601")


MISSED = r"gCollisionArray\[\d+\] is 0, expected 1"
OTHER_HEAD = r"gSectorArray\[\d+\]\[\d+\] is &gObjects\[\d+\], expected "
ENTRY = r"_DetermineCollisions\+0x[0-9a-f]+ \(port_\w+\.cpp:\d+\)"
KEPT = r" \(which the routine must not change\)"
REGISTER = r"register (d5|r20) was 0x[0-9a-f]{8} and came back as 0x0000004d"

WRONG = {
    "no shift 00": Wrong(REFUTED, MISSED, ("68040",)),
    "no shift 0h": Wrong(REFUTED, MISSED),
    "no shift h0": Wrong(REFUTED, MISSED, ("601",)),
    "no shift hh": Wrong(REFUTED, MISSED, ("68040",)),
    "other order": Wrong(REFUTED, OTHER_HEAD, ("601",)),
    "touching collides": Wrong(REFUTED, r"gCollisionArray\[\d+\] is 1, expected 0"),
    "sectors not cleared": Wrong(REFUTED, "did not return within|from unmapped", ("601",)),
    "flags not cleared": Wrong(REFUTED, r"gCollisionArray\[\d+\] is unset, expected 0"),
    "one flag of two": Wrong(REFUTED, MISSED, ("601",)),
    "sectors of 128": Wrong(REFUTED, OTHER_HEAD + "null", ("68040",)),
    "first in first out": Wrong(REFUTED, OTHER_HEAD + r"&gObjects\[\d+\]"),
    "rows for columns": Wrong(REFUTED, OTHER_HEAD, ("601",)),
    "list not ended": Wrong(REFUTED, r"gObjects\[\d+\]\.sector_link is &gObjects\[\d+\], .* null"),
    # What lies behind the flags is the linker's choice; on both it is the sector array.
    "one byte past": Wrong(REFUTED, r"gSectorArray\[0\]\[0\] is 0x01\w{6} \(outside\), expected"),
    "input changed": Wrong(REFUTED, r"gObjects\[3\]\.x is \d+, expected \d+" + KEPT),
    "list cut": Wrong(REFUTED, r"gObjects\[0\]\.obj_link is null, expected &gObjects\[1\]" + KEPT),
    "register clobbered": Wrong(REFUTED, REGISTER),
    "never returns": Wrong(INCONCLUSIVE, f"did not return within [^$]* {ENTRY}", ("68040",)),
    "sometimes a stray store": Wrong(REFUTED, f"unmapped memory at 0x00300000[^$]* {ENTRY}"),
    "no end of calls": Wrong(INCONCLUSIVE, r"write of 4 bytes to unmapped [^$]* Deeper\+0x"),
    "jump to 0": Wrong(INCONCLUSIVE, "jump to unmapped memory at 0x00000000"),
    "stray store": Wrong(
        INCONCLUSIVE, f"write of 4 bytes to unmapped memory at 0x00300000[^$]* {ENTRY}"
    ),
    "store into code": Wrong(
        INCONCLUSIVE, f"write of 1 byte to memory that may not be written[^$]* {ENTRY}"
    ),
    "stack smashed": Wrong(INCONCLUSIVE, "jump to unmapped memory at 0x4141414"),
    "division by zero": Wrong(
        INCONCLUSIVE, f"processor exception: division by zero[^$]* {ENTRY}", ("68040",)
    ),
    "illegal instruction": Wrong(
        INCONCLUSIVE, f"processor exception: illegal instruction[^$]* {ENTRY}", ("68040",)
    ),
    # The 68K has an instruction ILLEGAL. A word of zeros is none of the PowerPC's.
    "no instruction": Wrong(
        REFUTED, f"processor exception: illegal instruction[^$]* {ENTRY}", ("601",)
    ),
}
CASES = [(name, cpu) for name, wrong in WRONG.items() for cpu in wrong.cpus]
# One of each sort, on one processor: wrong values, a rule broken, and faults on some or all scenes.
QUICK = {
    "no shift 0h": "68040",
    "touching collides": "601",
    "one byte past": "68040",
    "register clobbered": "601",
    "sometimes a stray store": "601",
    "stray store": "68040",
    "jump to 0": "601",
}
QUICK_CASES = list(QUICK.items())


def port_name(name: str) -> str:
    return "port_" + name.replace(" ", "_")


@pytest.fixture(scope="module")
def of_wrong_programs(
    case: Case,
    broken_port: Callable[[str], str],
    compile_ports: Callable[..., Ports],
) -> Callable[[str, str], Result]:
    """What comes of a port; many are run together, so that they also must not disturb another."""

    @functools.cache
    def run(*cases: tuple[str, str]) -> dict[tuple[str, str], Result]:
        ports: Ports = {}
        for cpu in ("68040", "601"):
            names = [name for name, its_cpu in cases if its_cpu == cpu]
            texts = {port_name(name): broken_port(name) for name in names}
            ports |= compile_ports(texts, (cpu,), ("O2",))
        subjects = [ports[port_name(name), cpu, "O2"] for name, cpu in cases]
        results = verify(case, subjects, plan_scenes(case, 30, 1994), jobs=2)
        return dict(zip(cases, results, strict=True))

    def result_of(name: str, cpu: str) -> Result:
        return run(*(QUICK_CASES if QUICK.get(name) == cpu else CASES))[name, cpu]

    return result_of


@pytest.mark.slow
@pytest.mark.parametrize(("name", "cpu"), slow_but(QUICK_CASES, CASES))
def test_a_wrong_program_is_not_verified(
    of_wrong_programs: Callable[[str, str], Result], name: str, cpu: str
):
    result, wrong = of_wrong_programs(name, cpu), WRONG[name]
    assert result.verdict == wrong.verdict
    assert result.failures
    assert re.search(wrong.words, "\n".join(str(f) for f in result.failures[:3]))
    if wrong.verdict == INCONCLUSIVE:
        assert (result.scenes, result.comparisons) == (0, 0)
        assert result.fault
    elif not result.fault:
        assert result.scenes == 30


@pytest.mark.slow
def test_a_routine_that_faults_on_some_scenes_is_refuted_by_the_others(
    of_wrong_programs: Callable[[str, str], Result],
):
    result = of_wrong_programs("sometimes a stray store", "601")
    assert result.diverged == result.violated == 0
    assert 0 < result.scenes < 30
    assert "100 objects" in result.fault
    # The call that did not come back was seen at full speed, and then with its line.
    (failure,) = result.failures
    assert failure.spec.objects == 100
    assert "last blocks, oldest first" in failure.fault


def test_what_only_some_scenes_show_is_counted(
    of_wrong_programs: Callable[[str, str], Result],
):
    dropped = of_wrong_programs("no shift 0h", "68040")
    assert 0 < dropped.diverged < dropped.scenes == 30
    assert dropped.diverged < len(dropped.failures) <= 10
    clobbered = of_wrong_programs("register clobbered", "601")
    assert (clobbered.violated, clobbered.diverged) == (30, 0)


def test_passes_one_and_two_may_change_places(
    case: Case, changed: Callable[..., str], compile_ports: Callable[..., Ports]
):
    """The flags are a union over passes, and only the last pass leaves its lists: no difference.

    That this is verified shows that the others are refuted for what they leave behind.
    """
    first = "UpdateSectors(0,    half);  _UpdateCollisionArray();"
    second = "UpdateSectors(half, 0);     _UpdateCollisionArray();"
    ports = compile_ports({"same": changed({first: second, second: first})}, ("68040",), ("O2",))
    (result,) = verify(case, list(ports.values()), plan_scenes(case, 30, 1994), jobs=1)
    assert result.verdict == VERIFIED


@pytest.mark.slow
def test_workers_do_not_change_what_is_said_of_wrong_programs(
    case: Case,
    broken_port: Callable[[str], str],
    compile_ports: Callable[..., Ports],
    monkeypatch: pytest.MonkeyPatch,
):
    names = ("no shift 0h", "one byte past", "sometimes a stray store")
    texts = {port_name(name): broken_port(name) for name in names}
    subjects = list(compile_ports(texts, ("68040",), ("O1",)).values())
    specs = plan_scenes(case, 45, 3)
    alone = verify(case, subjects, specs, jobs=1)
    assert {r.verdict for r in alone} == {REFUTED}
    assert bool(alone[2].fault)
    assert verify(case, subjects, specs, jobs=2) == alone
    # How many scenes come before a fault does depend on the pieces, and nothing else.
    monkeypatch.setattr(module, "_CHUNK", 4)
    assert verify(case, subjects[:2], specs, jobs=2) == alone[:2]


def test_what_the_engine_cannot_execute_decides_nothing(case: Case, prebuilt: Prebuilt):
    (subject,) = prebuilt(("68040",), ("O2",))
    bench = Bench.lay(case, BareMachine(subject))
    bench.machine.memory.write(bench.bound.calls.first.routine, bytes.fromhex("4848 4e75"))
    scenes = Scenes.make(case, plan_scenes(case, 3, 1994)[:1])
    result = run_scenes(subject, bench, scenes)
    assert (result.verdict, result.scenes, result.fault) == (INCONCLUSIVE, 0, "")
    assert result.crash.startswith("the engine cannot execute BKPT #0, so this decides nothing, at")
    assert str(scenes.specs[0]) in result.crash
    with pytest.raises(GuestError, match="cannot execute BKPT"):
        require_correct(result, "the program")


@pytest.mark.slow
def test_a_program_that_kills_the_engine_harms_no_other(
    case: Case,
    prebuilt: Prebuilt,
    broken_port: Callable[[str], str],
    compile_ports: Callable[..., Ports],
):
    names = ("kills the engine", "kills the engine late")
    texts = {port_name(name): broken_port(name) for name in names}
    at_once, late = compile_ports(texts, ("68040",), ("O2",)).values()
    good, other = prebuilt(("68040", "601"), ("O2",))
    specs = plan_scenes(case, 30, 1994)
    results = verify(case, [at_once, good, late, other], specs, jobs=2)
    assert [r.verdict for r in results] == [INCONCLUSIVE, VERIFIED, INCONCLUSIVE, VERIFIED]
    said = results[0].crash
    assert said.startswith("the guest code brought the engine's process down (SIGFPE); ")
    assert "the last instruction it began was divs" in said
    assert said.endswith(" (uniform, 200 objects, seed 1994)")
    assert results[0].scenes == 0
    assert "brought the engine's process down" in results[2].crash
    assert "100 objects" in results[2].crash
    assert results[2].scenes == 7  # those of 200 objects, which come before
    for result in (results[1], results[3]):
        assert (result.scenes, result.comparisons) == (30, COMPARISONS)
