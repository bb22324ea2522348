"""Bit-fields by name: as inputs, observed, compared, and read and written from Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import macproof
from tests.rows import slow, slow_but

SOURCE = """
#include <Types.h>
typedef struct {
    unsigned open:1; unsigned mode:3; int level:5; unsigned :4; unsigned amount:20;
    short plain; unsigned last:7;
} flags;
typedef struct { short id; flags state; } item;
flags gFlags, gMany[4];
item gItem;
long gSum;
void Step(flags *out, short count)
{
    short i;
    gSum = 0;
    for (i = 0; i < count; i++) {
        gSum += gMany[i].level;
        gMany[i].amount += gMany[i].mode;
    }
    gFlags.open = !gFlags.open;
    gFlags.level = -gFlags.level;
    out->mode = 7 - gFlags.mode;
    gItem.state.last = gFlags.mode + 100;
}
flags Opened(flags f) { f.open = 1; f.level--; return f; }
void *gKept = (void *) Opened;
"""

CASE = """
schema: macproof.case/1
name: flags
title: Members that are some bits
sources: [flags.c]
call: Step
arguments:
  out: {points_to: {open: open, mode: zero, amount: zero, plain: zero}, count: 1}
  count: objects
input:
  gFlags: {open: open, mode: mode, level: level}
  gMany: {mode: modes, level: levels, amount: counts}
scene: {make: "flags_reference:make_scene", generators: [any], objects: [0, 1, 4], count: 40}
observe:
  gFlags: {open: open, level: level}
  gMany: {amount: counts}
  gSum: total
  "*out": {mode: mode}
  gItem: {state.last: last}
reference: flags_reference:step
cpus: ["68000", "68040", "601", mips]
ignore: [gKept]
"""

REFERENCE = """
from types import SimpleNamespace
import numpy as np
from numpy.random import Generator, PCG64

class Scene(SimpleNamespace):
    def keep(self, kept):
        values = dict(vars(self), objects=len(kept))
        for name in ("modes", "levels", "counts"):
            values[name] = getattr(self, name)[kept]
        return Scene(**values)

def make_scene(generator, objects, seed, *, width, height):
    rng = Generator(PCG64(seed))
    return Scene(generator=generator, objects=objects, seed=seed, open=seed % 2, zero=0,
                 mode=int(rng.integers(0, 8)), level=int(rng.integers(-15, 16)),
                 modes=rng.integers(0, 8, objects), levels=rng.integers(-16, 16, objects),
                 counts=rng.integers(0, 1 << 20, objects))

def step(scene):
    return SimpleNamespace(open=1 - scene.open, level=-scene.level,
                           counts=(scene.counts + scene.modes) % (1 << 20),
                           total=int(scene.levels.sum()), mode=7 - scene.mode,
                           last=scene.mode + 100)
"""
CPUS = ("68000", "68040", "601", "mips")
on_each = pytest.mark.parametrize("cpu", slow_but(["68000", "601"], CPUS))


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers(*CPUS)
    texts = {"flags.c": SOURCE, "case.yaml": CASE, "flags_reference.py": REFERENCE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text.lstrip())
    return tmp_path


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def verify(folder: Path, cpu: str, build: str = "O2") -> macproof.Verification:
    case = macproof.load_case(folder)
    return macproof.verify(case, macproof.programs_of(case, cpus=[cpu], builds=[build]), jobs=1)


@pytest.mark.parametrize("build", slow_but(["O2"], ["O0", "O2"]))
@on_each
def test_they_are_set_and_compared(folder: Path, cpu: str, build: str) -> None:
    report = verify(folder, cpu, build)
    assert report.verdict == "verified", report.to_json()[1000:4000]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ("= -gFlags.level", "= 1 - gFlags.level", "gFlags.level"),
        slow(("+= gMany[i].mode", "+= 2 * gMany[i].mode", r"gMany.\d..amount")),
        slow(("= 7 - gFlags.mode", "= gFlags.mode", r"\*out.mode|out.*mode")),
        slow(("gSum = 0;", "gSum = 0; gFlags.mode ^= 1;", r"\*out.mode")),
        slow(("gSum = 0;", "gSum = 0; gFlags.last = 5;", "byte .* of gFlags")),
    ],
)
@on_each
def test_a_wrong_one_is_named(folder: Path, cpu: str, before: str, after: str, place: str) -> None:
    change(folder / "flags.c", before, after)
    report = verify(folder, cpu)
    assert report.verdict == "refuted"
    found = macproof.explain(report)
    assert found is not None and found.explanation.divergence is not None
    assert re.match(place, found.explanation.divergence.place), found.explanation.divergence.place


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (
            "mode=int(rng.integers(0, 8))",
            "mode=8",
            "gFlags.mode (unsigned int:3) cannot hold: a bit-field of 3 bits holds 0 to 7",
        ),
        (
            "levels=rng.integers(-16, 16, objects)",
            "levels=np.full(objects, 16)",
            "gMany.level (int:5) cannot hold: a bit-field of 5 bits holds -16 to 15",
        ),
        ("level=-scene.level,", "level=0.5,", "gFlags.level (int:5) cannot hold"),
    ],
)
def test_what_does_not_fit(folder: Path, before: str, after: str, words: str) -> None:
    change(folder / "flags_reference.py", before, after)
    with pytest.raises(macproof.CaseError, match=re.escape(words)):
        verify(folder, "68040")


@pytest.mark.parametrize("cpu", CPUS)
def test_from_python(folder: Path, cpu: str) -> None:
    case = macproof.load_case(folder)
    (program,) = macproof.programs_of(case, cpus=[cpu], builds=["O2"])
    with macproof.Machine(program) as machine:
        flags: Any = machine.globals["gFlags"]
        flags["level"] = -3
        flags["mode"] = 5
        assert (int(flags["open"]), int(flags["mode"]), int(flags["level"])) == (0, 5, -3)
        many: Any = machine.globals["gMany"]
        many["amount"] = [1, 2, 3, 4]
        many["mode"] = 7
        many[2]["level"] = -16
        out: Any = machine.new("flags", open=1, amount=70000)
        machine.functions.Step(out, 3)
        assert many["amount"].tolist() == [8, 9, 10, 4]
        assert (int(flags["open"]), int(flags["level"])) == (1, 3)
        assert machine.globals["gSum"] == -16
        assert [int(out[name]) for name in ("open", "mode", "amount")] == [1, 2, 70000]
        assert int(machine.globals["gItem"]["state"]["last"]) == 105
        opened: Any = machine.functions.Opened(
            {"open": 0, "mode": 2, "level": 4, "amount": 9, "plain": -1, "last": 0}
        )
        assert [int(opened[n]) for n in ("open", "mode", "level", "amount", "plain")] == [
            *(1, 2, 3, 9, -1)
        ]
        assert int(machine.functions.Opened(opened)["level"]) == 2
        for set_it in (
            lambda: flags.__setitem__("mode", 8),
            lambda: machine.new("flags", mode=8),
            lambda: many.__setitem__("mode", np.array([1, 2, 3, -1])),
        ):
            with pytest.raises(
                macproof.UsageError, match="a bit-field of 3 bits, which holds 0 to 7"
            ):
                set_it()
