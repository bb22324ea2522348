"""Cases with floating point and 64-bit integers, on processors with and without them."""

from __future__ import annotations

import pytest

from emu.cases.case import Case
from emu.verify.runs.verdicts import REFUTED, VERIFIED
from tests.small_cases import SmallCases

SOURCE = """
long gValues[20], gCount;
long long gSquares, gRest;
double gMean, gDeviation;
float gLast;

void Run()
{
    double sum = 0, deviation = 0;

    gSquares = 0;
    for (long i = 0; i < gCount; i++)
    {
        sum += gValues[i];
        gSquares += (long long) gValues[i] * 10000019 * gValues[i];
    }
    gMean = sum / gCount;
    for (long i = 0; i < gCount; i++)
    {
        double away = gValues[i] - gMean;
        deviation += away < 0 ? -away : away;
    }
    gDeviation = deviation / gCount;
    gLast = (float) (1.0 / gValues[gCount - 1]);
    gRest = gSquares % 1000003 + (gSquares >> 7) / 11;
}
"""
REFERENCE = """
values = [int(value) for value in scene.values]
squares = sum(value * value * 10000019 for value in values)
mean = float(sum(values)) / len(values)
deviation = 0.0
for value in values:
    deviation += abs(value - mean)
last = np.float32(np.float64(1.0) / np.float64(values[-1]))
rest = squares % 1000003 + (squares >> 7) // 11
return answer(
    mean=mean, deviation=deviation / len(values), last=last, squares=squares, rest=rest
)
"""
OBSERVE = "{gMean: mean, gDeviation: deviation, gLast: last, gSquares: squares, gRest: rest}"
MAKE = """
def make_from_1(generator, objects, seed, width, height):
    made = make_numbers(generator, objects, seed, width, height)
    return Numbers(made.values + 1, generator, seed)
"""


def case_of(small_cases: SmallCases, source: str) -> Case:
    return small_cases.make(source, REFERENCE, OBSERVE, python=MAKE, make="make_from_1")


@pytest.mark.parametrize("build", ["O0", "O2"])
@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_doubles_and_64_bits_are_verified(small_cases: SmallCases, cpu: str, build: str):
    result = small_cases.verify(case_of(small_cases, SOURCE), cpu, build)
    assert (result.verdict, result.scenes) == (VERIFIED, 12)


def test_a_sum_of_less_precision_is_refuted_on_a_68000(small_cases: SmallCases):
    less = SOURCE.replace("double away = gValues[i] - gMean;", "float away = gValues[i] - gMean;")
    assert less != SOURCE
    result = small_cases.verify(case_of(small_cases, less), "68000", "O2")
    assert result.verdict == REFUTED
