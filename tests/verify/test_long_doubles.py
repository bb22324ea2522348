"""Numbers of 80 bits and of two doubles: in cases, from Python, drawn by Hypothesis, explained."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import hypothesis
import pytest

import macproof
from emu.base.errors import CaseError, UsageError
from macproof import DoubleDouble, Extended, strategies
from tests.rows import slow_but

SOURCE = """
typedef struct { short n; long double v; } item;
typedef struct { short n; long double v[4]; } row;
long double gScale, gCopy[4];
row gRow;
item gLast;

long double Sum(const long double *x, short count, long double first, item one, long double *out)
{
    long double total = first;
    short i;
    for (i = 0; i < count; i++) {
        total += x[i] * gScale;
        gCopy[i] = gRow.v[i];
    }
    *out = x[count - 1];
    gLast = one;
    gLast.v = -*out;
    return total;
}
long double Third(long double x) { return x / 3; }
long double Applied(long double (*f)(long double), long double x) { return f(x); }
void *gAll[] = { Third, Applied };
"""
CASE = """\
schema: macproof.case/1
name: sums
title: Sums of long doubles
sources: [sums.c]
scene: {make: "macproof_sums:make", generators: [any], objects: [1, 3], count: 12}
input:
  gScale: scale
  gRow: {n: objects, v: values}
call: Sum
arguments:
  x: {points_to: values, count: 4}
  count: objects
  first: first
  one: {n: objects, v: first}
  out: {count: 1}
observe:
  return: total
  "*out": last
  gLast: {n: objects, v: negative}
  gCopy: values
ignore: [gAll]
reference: macproof_sums:add
"""
PYTHON = """
import random
from dataclasses import dataclass
from types import SimpleNamespace

from macproof import Extended


@dataclass
class Numbers:
    generator: str
    objects: int
    seed: int
    scale: Extended
    first: float
    values: list

    def keep(self, indices):
        values = [self.values[i] for i in indices]
        return Numbers(self.generator, len(values), self.seed, self.scale, self.first, values)


def make(generator, objects, seed, **named):
    draw = random.Random(4 * seed + objects).random
    values = [Extended(draw()) / 7 for _ in range(objects)]
    return Numbers(generator, objects, seed, Extended(draw()) / 3, draw(), values)


def add(scene):
    total = Extended(scene.first)
    for value in scene.values:
        total += value * scene.scale
    last = scene.values[-1]
    return SimpleNamespace(
        total=total, last=last, negative=-last, values=scene.values, objects=scene.objects
    )
"""


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers("68000", "68040", "601")
    (tmp_path / "sums.c").write_text(SOURCE)
    (tmp_path / "case.yaml").write_text(CASE)
    (tmp_path / "macproof_sums.py").write_text(PYTHON)
    return tmp_path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def verify(folder: Path, *cpus: str, build: str = "O2") -> macproof.Verification:
    case = macproof.load_case(folder)
    return macproof.verify(case, macproof.programs_of(case, cpus=cpus, builds=[build]))


@pytest.mark.parametrize("build", slow_but(["O2"], ["O0", "O2"]))
def test_a_68k_computes_the_same_bits_with_and_without_an_fpu(folder: Path, build: str) -> None:
    assert verify(folder, "68000", "68040", build=build).verdict == "verified"


@pytest.mark.parametrize(("within", "verdict"), [("", "refuted"), (" within 1e-18", "verified")])
def test_two_doubles_have_more_bits_than_80(folder: Path, within: str, verdict: str) -> None:
    change(folder / "case.yaml", "return: total", f"return: total{within}")
    assert verify(folder, "601").verdict == verdict


@pytest.mark.parametrize(("within", "verdict"), [("0.5", "refuted"), ("1", "verified")])
def test_a_tolerance_counts_units_in_the_last_place(
    folder: Path, within: str, verdict: str
) -> None:
    change(folder / "case.yaml", "return: total", f"return: total within {within} ulp")
    change(folder / "macproof_sums.py", "total=total", "total=total + total.ulp()")
    assert verify(folder, "68000").verdict == verdict


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_wrong_one_is_explained(folder: Path, cpu: str) -> None:
    change(folder / "sums.c", "gLast.v = -*out;", "gLast.v = (double) -*out;")
    found = macproof.explain(verify(folder, cpu))
    assert found is not None and found.explanation.divergence is not None
    if cpu == "68000":
        assert found.explanation.divergence.place == "gLast.v"
    assert len(found.explanation.divergence.expected) > 18
    assert "Extended" not in str(found.explanation.inputs)
    assert found.to_json()


def test_what_would_be_rounded_is_refused(folder: Path) -> None:
    change(folder / "macproof_sums.py", "Extended(draw()) / 3, draw()", "1, Fraction(1, 3)")
    change(folder / "macproof_sums.py", "import random", "import random\nfrom fractions import *")
    with pytest.raises(CaseError, match=r"first has values that .* would be rounded to 0.33333"):
        verify(folder, "68040")


@pytest.mark.parametrize(
    ("cpu", "kind", "third"),
    [
        ("68000", Extended, "0.33333333333333333334"),
        ("68040", Extended, "0.33333333333333333334"),
        ("601", DoubleDouble, "0.333333333333333333333333333333332"),
    ],
)
def test_from_python(folder: Path, cpu: str, kind: type[Extended], third: str) -> None:
    case = macproof.load_case(folder)
    machine = macproof.Machine(macproof.programs_of(case, cpus=[cpu], builds=["O2"])[0])
    functions = machine.functions
    found = functions.Third(1)
    assert isinstance(found, kind) and str(found) == third
    assert functions.Applied(lambda x: x + 1, found) == found + 1
    for special in ("inf", "-inf", "nan", "-0.0"):
        assert functions.Applied(lambda x: x, kind(special)).is_same(kind(special))
    machine.globals["gCopy"][:2] = [found, 5]
    assert machine.globals["gCopy"].tolist() == [found, 5, 0, 0]
    machine.globals["gRow"]["v"][1] = found
    assert machine.globals["gRow"]["v"][1] == found
    made = machine.new("item", n=1, v=found)
    assert made["v"] == found
    with pytest.raises(UsageError, match=f"would be rounded to {third}, for long double x; give"):
        functions.Third(Fraction(1, 3))
    for wrong in ("1", True, [1], None):
        with pytest.raises(UsageError, match="is given for long double x, which needs a number"):
            functions.Third(wrong)

    @hypothesis.settings(max_examples=20)
    @hypothesis.given(strategies.of_type(machine.program, "long double"))
    def returns(number: Extended) -> None:
        assert functions.Applied(lambda x: x, number).is_same(number)

    returns()
    smallest = hypothesis.find(strategies.of_type(machine.program, "long double"), bool)
    assert smallest == 1
