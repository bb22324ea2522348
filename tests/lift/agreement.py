"""Compares what translated code leaves with what Unicorn leaves, on all programs that come along.

    python -m tests.lift.agreement calls.jsonl --calls 1000000 --seed 1
    python -m tests.lift.agreement mutants.jsonl --mutants 1000 --seed 1

Both engines are in this process. The first command makes scenes of every case, and with each scene
a call of every prebuilt program of the case; all cases have the same share of the time, so that a
case with quick calls has more of them. The second turns one bit of a program's code round, and
makes four calls with the broken program. Each part is a line of the file, which begins with the
versions; a command that was stopped goes on where the file ends. It ends with 1 if anything
differs.

What is Unicorn's fault is counted apart. Where the engines differ, the calls are made again, and
macproof itself executes the floating-point instructions for Unicorn: a difference that is then
gone is one of its faults that docs/engine-faults.md lists, such as FCTIWZ of too large a number.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from unittest.mock import patch

from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.overview.report import list_cases
from emu.cases.programs.programs import programs_of
from emu.cases.programs.subject import Subject
from emu.engines.native_code.engine import ARCHITECTURES, translated_version
from emu.engines.registry import TRANSLATED
from emu.machine import CPUS, Batch, Budget
from emu.machine.engine.base.models import describe_engine
from emu.machine.engine.quirks.float_status import FloatStatus
from emu.program.model.patches import Patch
from emu.search.budget import PATIENT
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.scenes.sample import Sample
from emu.verify.scenes.scene_plan import chunks, plan_scenes

FIRST_SCENES = 20
"""So many scenes does a case have in its first part, by which its speed is measured."""

_MOST_SCENES = 2000
_CHUNK = 200
_SECONDS = 3.0
"""So much processor time does a case have in each later part, about."""

MUTANT_SCENES = 4


@dataclass(frozen=True, slots=True)
class Part:
    """What came of some scenes of a case.

    Attributes:
        case: the case's name.
        program: the programs, or the mutant.
        first: the number of scenes of the case in the parts before; of a mutant, its number.
        scenes: the number of scenes.
        calls: the number of calls that both engines have made, those that do not return included.
        translated: those that translated code has made by itself.
        wrong: for a mutant, whether it leaves something else than the program.
        seconds: processor time.
        differences: what the engines did not do alike, a sentence each.
        faults: the same, where it is a known fault of Unicorn.
    """

    case: str
    program: str
    first: int
    scenes: int
    calls: int
    translated: int
    wrong: bool
    seconds: float
    differences: tuple[str, ...]
    faults: tuple[str, ...] = ()


def subjects_of(name: str) -> tuple[Case, Sequence[Subject]]:
    """A case, and its prebuilt programs whose code is translated."""
    case = load_case(name)
    subjects = programs_of(case, use="prebuilt").subjects
    return case, [one for one in subjects if CPUS[one.cpu].architecture in ARCHITECTURES]


def translated_cases() -> list[str]:
    """The cases that have a prebuilt program whose code is translated."""
    return [case.name for case in list_cases().cases if subjects_of(case.name)[1]]


def difference(translated: Batch, unicorn: Batch) -> str:
    """What two engines have not done alike; "" if nothing."""
    if translated.completed != unicorn.completed:
        return f"{translated.completed} calls return, of {unicorn.completed}"
    rows = (translated.after != unicorn.after).any(axis=1)
    if rows.any():
        row = int(rows.argmax())
        places = (translated.after[row] != unicorn.after[row]).nonzero()[0]
        return (
            f"call {row} leaves other bytes at offset {int(places[0]):#x}, {len(places):,} in all"
        )
    if translated.violations != unicorn.violations:
        return f"{translated.violations}, not {unicorn.violations}"
    faults = translated.fault, unicorn.fault
    return "" if (faults[0] is None) == (faults[1] is None) else f"{faults[0]}, not {faults[1]}"


@contextmanager
def exact_floats() -> Iterator[None]:
    """Let macproof execute floating-point instructions for Unicorn, as if a program saw FPSCR."""

    def look(status: FloatStatus, *_: object) -> bool:
        is_first = not status._is_visible
        status._is_visible = status._floats is not None
        return is_first and status._is_visible

    with (
        patch.object(FloatStatus, "look_at", look),
        patch.object(FloatStatus, "look_at_page", look),
    ):
        yield


class Pair:
    """A program on both engines."""

    def __init__(self, case: Case, subject: Subject, budget: Budget | None = None) -> None:
        self.name = subject.name
        self._again = (case, subject, budget)
        self._benches = [
            Bench.of(case, replace(subject, engine=TRANSLATED)),
            Bench.of(case, subject),
        ]
        if budget is not None:
            for bench in self._benches:
                bench.machine.budget = budget

    def run(self, scenes: Scenes) -> Iterator[tuple[Batch, Batch]]:
        """What calls leave, translated and on Unicorn; scenes of one layout at a time."""
        for rows in self._benches[0].alike(scenes.preparations):
            alike = scenes.take(rows)
            translated, unicorn = (
                bench.run(bench.before(alike.scenes, alike.preparations)) for bench in self._benches
            )
            yield translated, unicorn

    def compare(
        self, scenes: Scenes, batches: Sequence[tuple[Batch, Batch]]
    ) -> Iterator[tuple[str, bool]]:
        """What `run` has found different, and whether that is a known fault of Unicorn."""
        found = [difference(*both) for both in batches]
        if not any(found):
            return
        with exact_floats():
            pair = Pair(*self._again)
            exact = [difference(*both) for both in pair.run(scenes)]
            pair.close()
        for what, remains in zip(found, exact, strict=True):
            if what:
                yield what, not remains

    def close(self) -> None:
        """Give up both machines."""
        for bench in self._benches:
            bench.machine.close()


class CaseCalls:
    """The calls of one case, a part after another.

    Args:
        name: the case's name.
        seed: the seed of its first scene.
        kept: the parts that were made already.
    """

    def __init__(self, name: str, seed: int, kept: Sequence[Part]) -> None:
        self._case, subjects = subjects_of(name)
        self._seed = seed
        self._first = sum(part.scenes for part in kept)
        self._cost = kept[-1].seconds / kept[-1].scenes if kept else _SECONDS / FIRST_SCENES
        self._pairs = [Pair(self._case, subject) for subject in subjects]

    def part(self) -> Part:
        """Make some more calls."""
        begins = time.process_time()
        count = max(FIRST_SCENES, min(_MOST_SCENES, int(_SECONDS / self._cost)))
        calls = left = 0
        found: list[tuple[str, bool]] = []
        specs = plan_scenes(self._case, count, self._seed, first=self._first)
        for chunk in chunks(specs, _CHUNK):
            scenes = Scenes.make(self._case, chunk, sample=Sample(usual=0))
            for pair in self._pairs:
                batches = list(pair.run(scenes))
                for translated, unicorn in batches:
                    calls += unicorn.completed + (unicorn.fault is not None)
                    left += len(translated.untranslated)
                found += [
                    (f"{pair.name}, {chunk[0]}: {what}", is_fault)
                    for what, is_fault in pair.compare(scenes, batches)
                ]
        seconds = time.process_time() - begins
        first, self._first, self._cost = self._first, self._first + count, seconds / count
        return Part(
            self._case.name,
            ", ".join(pair.name for pair in self._pairs),
            first,
            count,
            calls,
            calls - left,
            False,
            round(seconds, 3),
            *_apart(found),
        )


def _apart(found: Sequence[tuple[str, bool]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Differences, and those that are known faults."""
    return (
        tuple(what for what, is_fault in found if not is_fault),
        tuple(what for what, is_fault in found if is_fault),
    )


def mutant_of(subject: Subject, number: int, seed: int) -> Patch:
    """One bit of a program's code, changed: other instructions, other registers, no return."""
    chance = random.Random(f"{subject.name} {number} {seed}")
    segment = chance.choice([one for one in subject.read().segments if one.executable])
    offset = chance.randrange(len(segment.data))
    return (segment.address + offset, bytes([segment.data[offset] ^ 1 << chance.randrange(8)]))


def mutant_part(
    case: Case, subject: Subject, scenes: Scenes, right: Sequence[Batch], number: int, seed: int
) -> Part:
    """Make calls of a broken program.

    Args:
        case: the case.
        subject: the program.
        scenes: what it is called with.
        right: what the program leaves that is not broken.
        number: the number of the mutant.
        seed: what chooses the bit.
    """
    begins = time.process_time()
    patch = mutant_of(subject, number, seed)
    pair = Pair(case, replace(subject, patches=(patch,)), PATIENT)
    batches = list(pair.run(scenes))
    found = list(pair.compare(scenes, batches))
    pair.close()
    wrong = any(
        unicorn.completed < good.completed or bool((unicorn.after != good.after).any())
        for (_, unicorn), good in zip(batches, right, strict=True)
    )
    return Part(
        case.name,
        f"{subject.name}, {patch[0]:#x}: {patch[1].hex()}",
        number,
        len(scenes.specs),
        sum(unicorn.completed + (unicorn.fault is not None) for _, unicorn in batches),
        sum(one.completed - len(one.untranslated) for one, _ in batches),
        wrong,
        round(time.process_time() - begins, 3),
        *_apart(found),
    )


def mutant_parts(wanted: int, seed: int, done: int) -> Iterator[Part]:
    """Mutants of all programs in turn, those of one program together."""
    programs = [(name, one) for name in translated_cases() for one in subjects_of(name)[1]]
    each = -(-wanted // len(programs))
    for place, (name, subject) in enumerate(programs):
        numbers = [*range(max(done, place * each), min(wanted, (place + 1) * each))]
        if not numbers:
            continue
        case = load_case(name)
        scenes = Scenes.make(case, plan_scenes(case, MUTANT_SCENES, seed)[-MUTANT_SCENES:])
        pair = Pair(case, subject)
        right = [unicorn for _, unicorn in pair.run(scenes)]
        pair.close()
        for number in numbers:
            yield mutant_part(case, subject, scenes, right, number, seed)


def call_parts(wanted: int, seed: int, kept: Sequence[Part]) -> Iterator[Part]:
    """Calls of all cases in turn, until there are so many."""
    calls = sum(part.calls for part in kept)
    cases = [
        CaseCalls(name, seed, [part for part in kept if part.case == name])
        for name in translated_cases()
    ]
    while calls < wanted:
        for each in cases:
            part = each.part()
            calls += part.calls
            yield part


def read_parts(path: Path) -> list[Part]:
    """The parts that a file has."""
    if not path.exists():
        return []
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [
        Part(
            **{**line, **{key: tuple(line.get(key, ())) for key in ("differences", "faults")}},
        )
        for line in lines
        if "case" in line
    ]


def summary(parts: Sequence[Part]) -> str:
    """The parts of a file in two sentences."""
    calls, translated = (sum(getattr(p, k) for p in parts) for k in ("calls", "translated"))
    seconds = sum(part.seconds for part in parts)
    wrong = sum(part.wrong for part in parts)
    mutants = f" {wrong:,} of them leave something else." if wrong else ""
    faults = sum(len(part.faults) for part in parts)
    return (
        f"{len(parts):,} parts, {len({p.case for p in parts})} cases, {calls:,} calls, of which "
        f"{translated:,} were made in translated code, in {seconds:,.0f} s of processor time."
        f"{mutants} Differences: {sum(len(part.differences) for part in parts):,}, "
        f"and {faults:,} that are known faults of Unicorn."
    )


def main(arguments: Sequence[str]) -> int:
    """Compare, and keep what comes of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.lift.agreement", description=__doc__)
    parser.add_argument("file", type=Path, help="where the parts are kept, as lines of JSON")
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--calls", type=int)
    kind.add_argument("--mutants", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    kept = read_parts(options.file)
    if options.mutants:
        parts = mutant_parts(options.mutants, options.seed, len(kept))
    else:
        parts = call_parts(options.calls, options.seed, kept)
    with options.file.open("a") as file:
        print(json.dumps({"versions": [translated_version(), describe_engine()]}), file=file)
        for part in parts:
            kept.append(part)
            print(json.dumps(asdict(part)), file=file, flush=True)
            for what in part.differences:
                print(f"{part.case}, {part.program}: {what}", flush=True)
    print(summary(kept))
    return int(any(part.differences for part in kept))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
