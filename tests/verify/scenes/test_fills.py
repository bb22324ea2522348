"""A routine that reads what nobody has promised is refuted by the first scenes already."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from emu.cases.case import Case
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import ask_reference, scene_of
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.verify.batches.bench import Bench
from emu.verify.explain.explanation import explain_scene
from emu.verify.images.observations import observation
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED, VERIFIED, Result
from emu.verify.scenes import scene_plan as module
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec
from tests.conftest import Outcome
from tests.rows import slow_but
from tests.small_cases import SmallCases, require_compilers

# Every way of going wrong in one program, so that it is compiled once: the scene says which.
SOURCE = """
struct Item { short value; Item* next; };
Item gItems[20];
long gCount, gMode;
long gSum, gCalls;
unsigned char gFlags[20], gMark;
Item* gLargest;

static long Local(bool all)
{
    volatile long sum;        // else the compiler may well choose to begin with 0
    if (all) sum = 0;
    for (long i = 0; i < gCount; i++) sum += gItems[i].value;
    return sum;
}

static long Register()
{
    long value;
#ifdef powerc
    asm volatile("mr %0,11" : "=r"(value));
#else
    asm volatile("move.l %%d1,%0" : "=r"(value));
#endif
    return value;
}

void Run()
{
    switch (gMode)
    {
    case 8: return;                                              // does nothing
    }
    long count = gMode == 3 ? gCount + 1 : gCount;
    Item* largest = 0;
    if (gMode == 2)                                              // trusts what is there
        largest = gLargest;
    if (gMode == 4)
        for (Item* i = gItems; i != 0; i = i->next)              // links behind the last item
            if (i == &gItems[gCount - 1] && i[1].next != 0) gItems[0].value++;
    long sum = Local(gMode != 1);
    if (gMode == 3) sum += gItems[count - 1].value;              // one too many
    if (gMode == 5) sum += Register() > 0;
    for (long i = 0; i < gCount; i++)
    {
        if (gMode != 6 || gFlags[i] != 1)                        // believes a flag that is set
            gFlags[i] = gItems[i].value > 500;
        if (largest == 0 || gItems[i].value > largest->value) largest = &gItems[i];
    }
    gSum = sum;
    gLargest = largest;
    gCalls = gMode == 7 ? gCalls + 1 : 1;                        // counts on from what is there
    gMark = gMode == 10 ? 0xA5 : 3;
    if (gMode == 11) gFlags[gCount - 1] = 7;
}
"""
PYTHON = """
MODES = ["right", "local", "trusting", "too many", "links", "register", "flags", "counting"]
MODES += ["idle", "empty", "mark", "last"]

@dataclass(frozen=True)
class Moded(Numbers):
    @property
    def mode(self):
        return MODES.index(self.generator)

    def keep(self, indices):
        return Moded(self.values[indices], self.generator, self.seed)

def make_moded(generator, objects, seed, width, height):
    one = make_numbers(generator, objects, seed, width, height)
    return Moded(one.values, generator, seed)
"""
REFERENCE = """
values = scene.values.tolist()
largest = values.index(max(values))
return answer(total=sum(values), calls=1, largest=largest, flags=[v > 500 for v in values],
              mark=3)
"""
WRONG = ("local", "trusting", "too many", "links", "register", "flags", "counting")
GIVEN = "{gItems: {value: values, next: linked-list}, gCount: objects, gMode: mode}"
OBSERVE = "{gSum: total, gCalls: calls, gFlags: flags, gLargest: largest, gMark: mark}"
PROGRAMS = [(cpu, build) for cpu in ("68000", "68040", "601") for build in ("O0", "O2")]


CPUS_AND_BUILDS = pytest.mark.parametrize(
    ("cpu", "build"), slow_but([("68040", "O2"), ("601", "O0")], PROGRAMS)
)


@pytest.fixture(scope="module")
def moded(small_cases: SmallCases) -> Case:
    generators = f"[{', '.join(('right', *WRONG, 'idle', 'mark', 'last'))}]"
    return small_cases.make(
        SOURCE, REFERENCE, OBSERVE, GIVEN, PYTHON, "make_moded", generators=generators
    )


@pytest.fixture(scope="module")
def run(moded: Case, small_cases: SmallCases) -> Callable[..., Result]:
    """Verifies one mode of the program."""

    def verify_mode(cpu: str, build: str, mode: str, scenes: int = 8) -> Result:
        subject = small_cases.subject(moded, cpu, build)
        one = dataclasses.replace(moded, generators=(mode,))
        (result,) = verify(one, [subject], plan_scenes(one, scenes, 3), jobs=1)
        return result

    return verify_mode


@CPUS_AND_BUILDS
def test_a_right_routine_is_verified(run: Callable[..., Result], cpu: str, build: str):
    result = run(cpu, build, "right")
    assert [str(failure) for failure in result.failures] == []
    assert result.verdict == VERIFIED
    # Two kinds of scenes, each with its first scene filled in all ways.
    assert (result.scenes, result.calls) == (8, (2, 4, 4, 4, 0))
    assert (len(result.inputs), result.changed_scenes) == (8, 8)


@CPUS_AND_BUILDS
@pytest.mark.parametrize("mode", WRONG)
def test_a_routine_that_reads_what_nobody_promised_is_refuted(
    run: Callable[..., Result], cpu: str, build: str, mode: str
):
    assert run(cpu, build, mode, scenes=2).verdict == REFUTED


def test_what_is_said_of_a_wrong_value(run: Callable[..., Result]):
    """Poison is a value in data of 8 bits: what a routine wrote is told, whatever it is."""
    written = run("68040", "O2", "mark")
    told = {str(f.divergence).removesuffix(" (it was 3 before)") for f in written.failures}
    assert told == {"gMark is 165, expected 3"}
    idle = run("68040", "O2", "idle")
    assert {f.divergence.found for f in idle.failures if f.divergence} == {"unset"}
    counting = [str(failure.divergence) for failure in run("68040", "O2", "counting").failures]
    poisoned = next(text for text in counting if "-1515870811" in text)
    assert poisoned == (
        "gCalls is -1515870810, expected 1 (it began as rubbish, -1515870811, and the result "
        "depends on that; if the routine is meant to read it, name it under input)"
    )


def test_one_scene_meets_every_fill(run: Callable[..., Result]):
    assert run("68040", "O2", "right", scenes=1).calls == (1, 1, 1, 1, 0)


def test_a_failure_is_replayed_with_its_fill(
    run: Callable[..., Result], moded: Case, small_cases: SmallCases
):
    """Only stale memory has a flag of 1 that is not right, so only there it can be explained."""
    result = run("68040", "O2", "flags", scenes=1)
    (spec,) = {failure.spec for failure in result.failures if failure.spec.fill is Fill.STALE}
    assert str(spec).endswith("seed 3, memory as another scene's results had left it")
    program = small_cases.subject(moded, "68040", "O2").program
    bench = Bench.lay(moded, BareMachine(read_elf(program), CPUS["68040"]))
    found = explain_scene(bench, spec)
    assert found is not None
    assert str(found.divergence).startswith("gFlags[0] is 1, expected 0 (it began as rubbish, 1,")
    assert len(found.kept) == 1
    assert explain_scene(bench, dataclasses.replace(spec, fill=Fill.LOADED)) is None


@pytest.mark.slow
def test_how_memory_is_filled_depends_on_the_scene_alone(
    moded: Case, small_cases: SmallCases, monkeypatch: pytest.MonkeyPatch
):
    subject = small_cases.subject(moded, "601", "O2")
    one = dataclasses.replace(moded, generators=("right", "counting"))
    specs = plan_scenes(one, 40, 6)
    bench = Bench.lay(one, BareMachine(read_elf(subject.program), CPUS["601"]))

    def images(pieces: list[list[SceneSpec]]) -> dict[str, tuple[bytes, bytes]]:
        found = {}
        for piece in pieces:
            scenes = Scenes.make(one, piece)
            made = bench.before(scenes.scenes, scenes.preparations)
            for spec, image, other in zip(piece, made.before, made.around, strict=True):
                found[repr(spec)] = (image.tobytes(), other.stack.tobytes())
        return found

    together = images(module.chunks(specs))
    assert together == images([[spec] for spec in reversed(specs)])
    assert len({image for image, _ in together.values()}) == len(specs)
    results = []
    for chunk, jobs in ((3, 1), (3, 2), (50, 1)):
        monkeypatch.setattr(module, "_CHUNK", chunk)
        results += verify(one, [subject], specs, jobs=jobs)
    assert results[0] == results[1]
    # Of many failures those of the first pieces are told.
    assert dataclasses.replace(results[0], failures=results[2].failures) == results[2]


def test_what_a_scene_fills_in_is_filled_with_nothing_else(moded: Case, small_cases: SmallCases):
    program = read_elf(small_cases.subject(moded, "601", "O2").program)
    bench = Bench.lay(moded, BareMachine(program, CPUS["601"]))
    specs = [SceneSpec("right", 9, 4, fill) for fill in Fill.of(moded)]
    scenes = Scenes.make(moded, specs)
    before = bench.before(scenes.scenes, scenes.preparations).before
    loaded, poison, noise, stale = (observation(bench.bound, image) for image in before)
    for name in ("gItems.value", "gItems.next"):
        for other in (poison, noise, stale):
            assert (other[name][:9] == loaded[name][:9]).all()
            assert (other[name][9:] != loaded[name][9:]).any()
    assert {int(one["gCount"]) for one in (loaded, poison, noise, stale)} == {9}
    assert set(poison["gFlags"].tolist()) == {0xA5}
    assert len(set(noise["gFlags"].tolist())) > 10
    neighbour = scene_of(moded, SceneName("right", 9, 5))
    answer = ask_reference(moded, neighbour)
    assert stale["gSum"] == answer.total
    assert stale["gFlags"].tolist() == np.resize(answer.flags, 20).tolist()
    assert stale["gItems.value"][9:18].tolist() == neighbour.values.tolist()
    assert stale["gItems.next"][9:18].tolist() == [*range(1, 9), -1]
    # Nothing else: the words of the program that the case does not name are as loaded.
    named = {"gItems", "gFlags", "gMark", "gCount", "gMode", "gSum", "gCalls", "gLargest"}
    places = np.zeros(before.shape[1], dtype=bool)
    for name in named:
        variable = program.variable(name)
        start = bench.machine.data.offset(variable.address)
        places[start : start + variable.type.size] = True
    assert (before[:, ~places] == before[0, ~places]).all()


def test_nothing_done_is_no_evidence(small_cases: SmallCases):
    """A case whose only answer is what it was given has no work to tell of."""
    case = small_cases.make(
        "short gValues[10]; short gCount; void Run() {}",
        "return answer(values=scene.values)",
        "{gValues: values}",
    )
    result = small_cases.verify(case, "601", "O2", scenes=6)
    assert (result.verdict, result.diverged, result.changed_scenes) == (INCONCLUSIVE, 0, 0)
    assert result.undecided.startswith("it changed no data memory in any of the 6 scenes")


def test_scenes_that_are_alike_are_counted_once(
    small_cases: SmallCases, macproof: Callable[..., Outcome]
):
    case = small_cases.make(
        "short gValues[10]; short gCount; long gSum;"
        "void Run() { gSum = 0; for (int i = 0; i < gCount; i++) gSum += gValues[i]; }",
        "return answer(total=int(scene.values.sum()))",
        "{gSum: total}",
        python="def make_alike(generator, objects, seed, width, height):\n"
        "    return Numbers(np.arange(objects), generator, seed)",
        make="make_alike",
    )
    require_compilers("601")
    done = macproof("verify", case.path, "--cpu", "601", "--build", "O1", "--scenes", "30")
    assert done.code == 0
    assert "scenes: 30, 2 of them distinct" in done.out
    assert done.out.splitlines()[-1].endswith("s (2 distinct scenes of 30)")
