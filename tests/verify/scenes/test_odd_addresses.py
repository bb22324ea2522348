"""Buffers of bytes begin at odd addresses on a third of the scenes, and all else stays even."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.cases.scenes import scene_of
from emu.checks.levels import CheckLevel
from emu.search.fuzz.execute import FuzzTerms, execute
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.verify.batches.bench import Bench
from emu.verify.explain.explanation import explain_scene
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import REFUTED, VERIFIED, Result
from emu.verify.scenes.changed_scenes import ChangedScene
from emu.verify.scenes.fills import Preparation, is_odd
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

SOURCE = """
typedef unsigned char byte;
typedef struct { byte only; } single;
long gBytes;
static long sum(const byte *s, long n)
{ long i, total = 0; for (i = 0; i < n; i++) total += s[i]; return total; }
long Any(const byte *s, long n, byte *last) { *last = n ? s[n - 1] : 0; return sum(s, n); }
long Even(const byte *s, long n, byte *last) /* right for even addresses alone */
{ s = (const byte *) ((unsigned long) s & ~1UL); return Any(s, n, last); }
long Words(const byte *s, long n, byte *last)
{ const unsigned short *w = (const unsigned short *) s; long i;
  for (i = 0; i < n / 2; i++) gBytes += w[i];
  gBytes = 0;
  return Any(s, n, last); }
void Kinds(void *any, char *text, short *words, single *one, byte **handle) { gBytes = 1; }
"""
CASE = """\
schema: macproof.case/1
name: bytes
title: Bytes
sources: [bytes.c]
cpus: [68000, 68040]
call: ROUTINE
scene: {make: "odd_scenes:make", generators: [any], objects: [5], count: 9}
arguments:
  s: {points_to: values, count: 8ALIGNED}
  n: objects
  last: {count: 1}
observe: {return: total, "*last": last}
reference: odd_scenes:reference
"""
PYTHON = """
from dataclasses import dataclass
from types import SimpleNamespace
import numpy as np

@dataclass(frozen=True)
class Bytes:
    values: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self):
        return len(self.values)

    def keep(self, indices):
        return Bytes(self.values[indices], self.generator, self.seed)

def make(generator, objects, seed, width, height):
    drawn = np.random.PCG64([seed, objects]).random_raw(objects)
    return Bytes(drawn.astype(np.uint8), generator, seed)

def reference(scene):
    values = scene.values.tolist()
    return SimpleNamespace(total=sum(values), last=values[-1] if values else 0)
"""
WORDS = "*s, *last began at odd addresses"
ODD, EVEN = SceneSpec("any", 5, 3), SceneSpec("any", 5, 4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("odd")
    (made / "bytes.c").write_text(SOURCE)
    (made / "odd_scenes.py").write_text(PYTHON)
    return made


@pytest.fixture
def case_of(compilers: Callable[..., None], folder: Path) -> Callable[..., tuple[Case, Subject]]:
    """A case of a routine, and its program for a processor."""

    def case_of(routine: str, cpu: str = "68040", aligned: str = "") -> tuple[Case, Subject]:
        compilers(cpu)
        file = folder / f"{routine.lower()}{len(aligned)}.case.yaml"
        file.write_text(CASE.replace("ROUTINE", routine).replace("ALIGNED", aligned))
        case = read_case(file)
        made = compile_program(source_tree(case), BUILDS["O1"], TARGETS[cpu])
        return case, Subject(cpu, "O1", made.path)

    return case_of


def verified(case: Case, subject: Subject, checks: CheckLevel = CheckLevel.USUAL) -> Result:
    (result,) = verify(case, [subject], plan_scenes(case, 9, 1), jobs=1, checks=checks)
    return result


def test_a_routine_that_needs_even_addresses_is_refuted_on_odd_ones_alone(case_of):
    case, subject = case_of("Even")
    result = verified(case, subject)
    assert result.verdict == REFUTED
    assert {one.spec.seed for one in result.failures} == {3, 6, 9}
    assert all(WORDS in str(one) for one in result.failures)
    assert (result.odd, sum(result.calls), result.diverged) == (3, 12, 3)


def test_a_routine_for_all_addresses_is_verified_and_so_is_one_that_is_promised_even_ones(case_of):
    right, promised = (
        verified(*case_of("Any")),
        verified(*case_of("Even", aligned=", aligned: true")),
    )
    assert (right.verdict, right.odd) == (VERIFIED, 3)
    assert promised.verdict == VERIFIED
    assert promised.odd == 3, "*last still begins at odd addresses"


def test_words_at_odd_addresses_are_wrong_on_a_68000_alone(case_of):
    refuted, right = (
        verified(*case_of("Words", cpu), CheckLevel.FULL) for cpu in ("68000", "68040")
    )
    assert refuted.memory is not None
    assert [one.name for one in refuted.memory.refuting] == ["misaligned Words"]
    assert right.verdict == VERIFIED


def test_without_full_checks_some_calls_are_watched_for_odd_addresses(case_of):
    refuted, right = (verified(*case_of(routine, "68000")) for routine in ("Words", "Any"))
    newer = verified(*case_of("Words", "68040"))
    assert refuted.memory is None and refuted.alignment is not None
    assert [one.name for one in refuted.alignment.refuting] == ["misaligned Words"]
    assert refuted.verdict == REFUTED
    assert (refuted.alignment.calls, sum(refuted.calls)) == (11, 12), "eight of nine scenes"
    assert right.verdict == VERIFIED and right.alignment is not None
    assert (right.alignment.calls, right.alignment.violations) == (11, ())
    assert newer.verdict == VERIFIED and newer.alignment is None


def test_which_calls_are_watched_depends_on_nothing_but_their_scenes(case_of):
    case, subject = case_of("Any", "68000")
    plan = plan_scenes(case, 300, 1)
    watched = [
        result.alignment.calls
        for jobs in (1, 2)
        for result in verify(case, [subject], plan, jobs=jobs)
        if result.alignment is not None
    ]
    assert watched[0] == watched[1]
    assert 0 < watched[0] < 30


def test_an_explanation_and_a_search_use_the_layout_of_the_scene(case_of):
    case, subject = case_of("Even")
    bench = Bench.of(case, subject)
    found = explain_scene(bench, ODD)
    assert found is not None
    assert found.layout == WORDS
    assert explain_scene(bench, EVEN) is None
    kinds = [
        [
            one.symptom.kind
            for one in execute(case, [subject], ChangedScene(spec), FuzzTerms()).suspicions
        ]
        for spec in (ODD, EVEN)
    ]
    assert kinds == [["divergence"], []]


def test_only_memory_that_may_begin_anywhere_is_moved(case_of, folder: Path):
    _, subject = case_of("Any")
    text = CASE.replace("ROUTINE", "Kinds").partition("arguments:")[0]
    file = folder / "kinds.case.yaml"
    file.write_text(
        text + "arguments: {any: {count: 8}, text: {count: 8}, words: {count: 8}, one: {count: 8}, "
        "handle: {handle_to: values, count: 8}}\n"
        "observe: {gBytes: total}\nreference: odd_scenes:reference\n"
    )
    bench = Bench.of(read_case(file), subject)
    usual, odd = (bench.bound_for(Preparation(is_odd=one)) for one in (False, True))
    assert usual is bench.bound is not odd is bench.bound_for(Preparation(is_odd=True))
    assert bench.alike([Preparation(is_odd=is_odd(seed)) for seed in range(5)]) == [
        [1, 2, 4],
        [0, 3],
    ]
    scenes = [scene_of(bench.case, spec) for spec in (EVEN, ODD)]
    mixed = [Preparation(is_odd=one) for one in (False, True)]
    with pytest.raises(ValueError, match="two layouts"):
        bench.before(scenes, mixed)
    begins = {one.name: one.address for one in usual.argument_variables}
    moved = {one.name: one.address - begins[one.name] for one in odd.argument_variables}
    assert {name for name, offset in moved.items() if offset} == {"*any", "*text"}
    assert all(address % 2 == 0 for address in begins.values())
