"""The runtime's floating point for a 68000, and numbers as text, held against the host's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emu.machine import CPUS, BareMachine
from emu.program import read_program
from emu.toolchain.mac_app.application import build_application
from tests.rows import slow_but

COUNT = 600

SOURCE = """
#include <stdio.h>
#include <string.h>

enum { kCount = 600 };

double gA[kCount], gB[kCount];
float gC[kCount], gD[kCount];
long gLong[kCount];
unsigned long gUnsigned[kCount];

double gSum[kCount], gDifference[kCount], gProduct[kCount], gQuotient[kCount];
float gFloatSum[kCount], gFloatDifference[kCount], gFloatProduct[kCount], gFloatQuotient[kCount];
float gNarrow[kCount];
double gWide[kCount], gFromLong[kCount], gFromUnsigned[kCount];
float gFloatFromLong[kCount], gFloatFromUnsigned[kCount];
long gToLong[kCount];
unsigned long gToUnsigned[kCount];
unsigned char gOrder[kCount];
char gText[kCount][32];

extern "C" void Compute()
{
    for (int i = 0; i < kCount; i++)
    {
        double a = gA[i], b = gB[i];
        float c = gC[i], d = gD[i];

        gSum[i] = a + b;
        gDifference[i] = a - b;
        gProduct[i] = a * b;
        gQuotient[i] = a / b;
        gFloatSum[i] = c + d;
        gFloatDifference[i] = c - d;
        gFloatProduct[i] = c * d;
        gFloatQuotient[i] = c / d;
        gNarrow[i] = (float) a;
        gWide[i] = c;
        gFromLong[i] = gLong[i];
        gFromUnsigned[i] = gUnsigned[i];
        gFloatFromLong[i] = gLong[i];
        gFloatFromUnsigned[i] = gUnsigned[i];
        gOrder[i] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a >= b) << 4
            | (a > b) << 5;
    }
}

extern "C" void Cut()
{
    for (int i = 0; i < kCount; i++)
    {
        gToLong[i] = (long) gA[i];
        gToUnsigned[i] = (unsigned long) gB[i];
    }
}

extern "C" void Print(int from, int end)
{
    for (int i = from; i < end; i++)
        sprintf(gText[i], "%.17g", gA[i]);
}

int main()
{
    Compute();
    Cut();
    Print(0, kCount);
}
"""


@pytest.fixture(scope="module")
def machine(
    compilers: Callable[..., None], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], BareMachine]:
    folder = tmp_path_factory.mktemp("numbers")

    def give(cpu: str) -> BareMachine:
        compilers(cpu)
        source = folder / "numbers.cpp"
        source.write_text(SOURCE)
        path: Path = build_application([source], "Numbers", cpu, None, folder / cpu)
        return BareMachine(read_program(path), CPUS[cpu])

    return give


def _bits(seed: int, bits: int) -> NDArray[np.uint64]:
    """Numbers of every kind as bits: any, near each other, small, large, and the special ones."""
    rng = np.random.default_rng(seed)
    fraction, exponents = (52, 2047) if bits == 64 else (23, 255)
    any_bits = rng.integers(0, 1 << bits, COUNT, dtype=np.uint64)
    sign = rng.integers(0, 2, COUNT, dtype=np.uint64) << np.uint64(bits - 1)
    near = sign | (np.uint64(exponents // 2) + rng.integers(0, 4, COUNT, dtype=np.uint64)) << (
        np.uint64(fraction)
    )
    near |= rng.integers(0, 1 << fraction, COUNT, dtype=np.uint64) & ~np.uint64(
        (1 << rng.integers(0, fraction)) - 1
    )
    tiny = sign | rng.integers(0, 1 << (fraction + 3), COUNT, dtype=np.uint64)
    one = np.uint64(1)
    special = np.array(
        [0, 1, one << np.uint64(fraction), (one << np.uint64(fraction)) - one,
         np.uint64(exponents) << np.uint64(fraction),
         (np.uint64(exponents) << np.uint64(fraction)) - one,
         (np.uint64(exponents) << np.uint64(fraction)) + one,
         np.uint64(exponents // 2) << np.uint64(fraction)],
        dtype=np.uint64,
    )  # fmt: skip
    special = sign | special[rng.integers(0, len(special), COUNT)]
    kinds = [any_bits, near, near, tiny, special]
    return np.choose(rng.integers(0, len(kinds), COUNT), kinds)


def _doubles(seed: int) -> NDArray[np.float64]:
    return _bits(seed, 64).view(np.float64)


def _floats(seed: int) -> NDArray[np.float32]:
    return _bits(seed, 32).astype(np.uint32).view(np.float32)


def require_same(name: str, machine: BareMachine, expected: NDArray[np.floating]) -> None:
    """Bit by bit, but one value that is no number is as good as another."""
    got = machine.globals[name].astype(expected.dtype)
    kind = np.uint64 if expected.dtype == np.float64 else np.uint32
    same = (got.view(kind) == expected.view(kind)) | (np.isnan(got) & np.isnan(expected))
    assert same.all(), f"{name}[{np.argmin(same)}]: {got[~same][0]!r}, not {expected[~same][0]!r}"


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", range(4))
def test_arithmetic_is_that_of_the_standard(machine: Callable[[str], BareMachine], seed: int):
    guest = machine("68000")
    a, b, c, d = _doubles(seed), _doubles(100 + seed), _floats(200 + seed), _floats(300 + seed)
    rng = np.random.default_rng(seed)
    longs = rng.integers(-(2**31), 2**31, COUNT) >> rng.integers(0, 31, COUNT)
    for name, values in (("gA", a), ("gB", b), ("gC", c), ("gD", d), ("gLong", longs)):
        guest.globals[name][:] = values
    guest.globals["gUnsigned"][:] = longs & 0xFFFFFFFF
    guest.call("Compute")
    for name, expected in (
        ("gSum", a + b),
        ("gDifference", a - b),
        ("gProduct", a * b),
        ("gQuotient", a / b),
        ("gFloatSum", c + d),
        ("gFloatDifference", c - d),
        ("gFloatProduct", c * d),
        ("gFloatQuotient", c / d),
        ("gNarrow", a.astype(np.float32)),
        ("gWide", c.astype(np.float64)),
        ("gFromLong", longs.astype(np.float64)),
        ("gFromUnsigned", (longs & 0xFFFFFFFF).astype(np.float64)),
        ("gFloatFromLong", longs.astype(np.float32)),
        ("gFloatFromUnsigned", (longs & 0xFFFFFFFF).astype(np.float32)),
    ):
        require_same(name, guest, expected)
    order = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a >= b) << 4 | (a > b) << 5
    assert (guest.globals["gOrder"] == order).all()


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_fractions_are_cut(machine: Callable[[str], BareMachine], cpu: str):
    guest = machine(cpu)
    rng = np.random.default_rng(1)
    a = rng.uniform(-1, 1, COUNT) * 2.0 ** rng.integers(0, 32, COUNT)
    a = np.clip(a, -(2.0**31), 2.0**31 - 1)
    b = rng.uniform(0, 1, COUNT) * 2.0 ** rng.integers(0, 33, COUNT)
    b = np.clip(b, 0, 2.0**32 - 1)
    guest.globals["gA"][:], guest.globals["gB"][:] = a, b
    guest.call("Cut")
    assert (guest.globals["gToLong"] == np.trunc(a)).all()
    assert (guest.globals["gToUnsigned"] == np.trunc(b)).all()


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["68000"], ["68000", "601"]))
def test_numbers_are_printed_exactly(machine: Callable[[str], BareMachine], cpu: str):
    guest = machine(cpu)
    for seed in (7, 8) if cpu == "601" else (7,):
        a = _doubles(seed)
        guest.globals["gA"][:] = a
        for start in range(0, COUNT, 20):
            guest.call("Print", start, start + 20)
        for value, raw in zip(a.tolist(), guest.globals["gText"], strict=True):
            text = bytes(raw.astype(np.uint8)).split(b"\0")[0].decode()
            assert text.lstrip("-") == f"{value:.17g}".lstrip("-")
