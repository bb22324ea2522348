"""The arithmetic that GCC calls routines for, held against the host's, bit for bit.

A 68000 gets the routines of ``mac_src/runtime/m68000``; a 68040 and a 601 get their compilers' own.
Each call computes all pairs of 16 numbers with 16 others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from emu.base import exact_numbers as exact
from emu.checks.isa import check_block
from emu.machine import CPUS, BareMachine, CodeBlock
from emu.program import Program, read_elf
from emu.program.instructions.disassembly import Code
from emu.program.model.wide_floats import Extended
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import SourceTree, mac_sources
from tests.examples import examples
from tests.rows import slow_but

COUNT = 16
FOLDER = Path(__file__).parent / "arithmetic"
M64 = (1 << 64) - 1

Machines = Callable[[str, str, str], BareMachine]
Words = NDArray[np.uint64]

several = settings(
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
on_68000 = pytest.mark.parametrize("build", slow_but(["O2"], ["O1", "O2"]))


@pytest.fixture(scope="module")
def machines(compilers: Callable[..., None]) -> Machines:
    """Gives the machine of a source, a processor and a build; each is made once."""
    made: dict[tuple[str, str, str], BareMachine] = {}

    def give(name: str, cpu: str, build: str) -> BareMachine:
        key = (name, cpu, build)
        if key not in made:
            compilers(cpu)
            made[key] = BareMachine(program_of(FOLDER / name, cpu, build), CPUS[cpu])
        return made[key]

    return give


def program_of(source: Path, cpu: str, build: str) -> Program:
    tree = SourceTree(
        routine="Go",
        state=("gA",),
        units=((source,),),
        folders=(source.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
    )
    return read_elf(compile_program(tree, BUILDS[build], TARGETS[cpu]).path)


# -- numbers -----------------------------------------------------------------------------------


def edges(*bits: int) -> list[int]:
    """Powers of two and their neighbours, and the patterns around signs."""
    powers = {(1 << bit) + step for bit in bits for step in (-1, 0, 1)}
    return sorted({(sign * power) & M64 for power in powers for sign in (1, -1)})


integers = st.sampled_from(edges(0, 1, 15, 16, 24, 31, 32, 33, 47, 53, 62, 63)) | st.builds(
    lambda value, shift: value >> shift, st.integers(0, M64), st.integers(0, 63)
)


def floats(fraction: int, exponents: int) -> st.SearchStrategy[int]:
    """Bits of a format: every kind of number, many close to halfway between two others."""
    top = (1 << exponents) - 1
    bias = top // 2
    near = st.integers(bias - fraction - 2, bias + fraction + 2) | st.integers(bias, bias + 65)
    field = st.sampled_from([0, 1, 2, top - 1, top]) | near | st.integers(0, top)
    few = st.builds(lambda a, b: (1 << a) + (1 << b), *[st.integers(0, fraction - 1)] * 2)
    ends = st.sampled_from([0, 1, 2, 3, (1 << fraction) - 1, (1 << fraction) - 2])
    middle = st.sampled_from([(1 << (fraction - 1)) + step for step in (-1, 0, 1)])
    low = ends | middle | few | st.integers(0, (1 << fraction) - 1)
    return st.builds(
        lambda sign, high, rest: (
            (sign << exponents | high) << fraction | rest & ((1 << fraction) - 1)
        ),
        st.integers(0, 1),
        field,
        low,
    )


many = partial(st.lists, min_size=COUNT, max_size=COUNT)
doubles, singles = many(floats(52, 11)), many(floats(23, 8))


def bits_of(numbers: NDArray[np.floating]) -> Words:
    """Their bits; a result that is no number is the one quiet NaN."""
    if numbers.dtype == np.float64:
        return np.where(np.isnan(numbers), 0x7FF8 << 48, numbers.view(np.uint64))
    return np.where(np.isnan(numbers), 0x7FC0 << 16, numbers.view(np.uint32)).astype(np.uint64)


def require(machine: BareMachine, operands: str, **expected: object) -> None:
    """Every global must hold these bits."""
    for name, values in expected.items():
        found = machine.globals[name]
        found = (found["bits"] if found.dtype.names else found).astype(np.uint64)
        wanted = np.array(values, dtype=np.uint64).reshape(found.shape)
        wrong = np.argwhere(found != wanted)
        if len(wrong):
            at = tuple(wrong[0])
            pytest.fail(f"{name}{list(at)} is {found[at]:#x}, not {wanted[at]:#x}; {operands}")


# -- integers ----------------------------------------------------------------------------------


def signed(value: int, bits: int = 64) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(a: int, b: int) -> int:
    """Cut towards zero, as C does it; 0 for a divisor of 0, by which the guest does not divide."""
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    return 0 if b == 0 else a - b * quotient(a, b)


def divided(a: int, b: int, bits: int) -> tuple[int, ...]:
    """The quotients and remainders: signed, signed, unsigned, unsigned."""
    mask = (1 << bits) - 1
    a, b = a & mask, b & mask
    c, d = signed(a, bits), signed(b, bits)
    if bits == 32 and (a, b) == (1 << 31, mask):
        return 0, 0, quotient(a, b), remainder(a, b)  # the guest leaves this one out
    return (
        quotient(c, d) & mask,
        remainder(c, d) & mask,
        quotient(a, b),
        remainder(a, b),
    )


def order(a: int, b: int) -> int:
    return (a < b) | (a == b) << 1 | (a > b) << 2


def counted(a: int, bits: int) -> tuple[int, ...]:
    """Leading and trailing zeros, first one, ones, parity with the repeated sign bits."""
    trailing = bits if a == 0 else (a & -a).bit_length() - 1
    ones = a.bit_count()
    repeated = bits - (a ^ (((1 << bits) - 1) * (a >> (bits - 1)))).bit_length() - 1
    first = 0 if a == 0 else trailing + 1
    return bits - a.bit_length(), trailing, first, ones, ones & 1 | repeated << 1


def check_integers(machine: BareMachine, one: list[int], other: list[int]) -> None:
    machine.reset()  # where a divisor is 0, the results stay as they were
    machine.globals["gA"][:], machine.globals["gB"][:] = one, other
    machine.call("Go")
    pairs = [(a, b) for a in one for b in other]
    div, mod, udiv, umod = zip(*(divided(a, b, 64) for a, b in pairs), strict=True)
    div32, mod32, udiv32, umod32 = zip(*(divided(a, b, 32) for a, b in pairs), strict=True)
    by_sign = [order(signed(a), signed(b)) for a, b in pairs]
    plain = [order(a, b) for a, b in pairs]
    called = [
        3 * s.bit_length() - 3 + u.bit_length() - 1 for s, u in zip(by_sign, plain, strict=True)
    ]
    require(
        machine,
        f"{[hex(a) for a in one]} and {[hex(b) for b in other]}",
        gMul=[a * b & M64 for a, b in pairs],
        gMul32=[a * b & 0xFFFFFFFF for a, b in pairs],
        **dict(gDiv=div, gMod=mod, gUdiv=udiv, gUmod=umod),
        **dict(gDiv32=div32, gMod32=mod32, gUdiv32=udiv32, gUmod32=umod32),
        gShl=[a << (b & 63) & M64 for a, b in pairs],
        gShr=[a >> (b & 63) for a, b in pairs],
        gSar=[signed(a) >> (b & 63) & M64 for a, b in pairs],
        **dict(gOrder=by_sign, gUorder=plain, gCalled=called),
        gNegated=[-a & M64 for a in one],
        gBits64=[counted(a, 64) for a in one],
        gBits32=[counted(a & 0xFFFFFFFF, 32) for a in one],
    )


@pytest.mark.parametrize("cpu", TARGETS)
@on_68000
@several
@given(one=many(integers), other=many(integers))
def test_integers(machines: Machines, cpu: str, build: str, one: list[int], other: list[int]):
    check_integers(machines("integers.c", cpu, build), one, other)


@pytest.mark.parametrize("cpu", TARGETS)
def test_the_least_integer_divided_by_minus_one_is_itself(machines: Machines, cpu: str):
    least, minus_one = 1 << 63, M64
    machine = machines("integers.c", cpu, "O2")
    check_integers(machine, [least] * COUNT, [minus_one] * COUNT)
    assert machine.globals["gDiv"][0, 0] == least
    assert machine.globals["gMod"][0, 0] == 0


# -- floating point ----------------------------------------------------------------------------


def compared(a: NDArray[np.floating], b: NDArray[np.floating]) -> NDArray[np.int_]:
    bits = (a < b, a <= b, a == b, a != b, a >= b, a > b, np.isnan(a) | np.isnan(b))
    return sum((one.astype(int) << place for place, one in enumerate(bits)), np.zeros(1, int))


def cut(numbers: NDArray[np.floating], least: int, most: int) -> list[int]:
    """Towards zero; what does not fit becomes the nearest that does, and a NaN 0."""

    def one(value: float) -> int:
        if np.isnan(value):
            return 0
        return most if value >= most else least if value <= least else int(value)

    return [one(float(value)) & (M64 if most >> 32 else 0xFFFFFFFF) for value in numbers]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@on_68000
@several
@given(one=doubles, other=doubles, fewer=singles, others=singles)
def test_sums_products_quotients_and_order(
    machines: Machines,
    build: str,
    one: list[int],
    other: list[int],
    fewer: list[int],
    others: list[int],
):
    machine = machines("floats.c", "68000", build)
    for name, bits in (("gA", one), ("gB", other), ("gC", fewer), ("gD", others)):
        machine.globals[name]["bits"] = bits
    machine.call("Go")
    a, b = (np.array(bits, np.uint64).view(np.float64) for bits in (one, other))
    c, d = (np.array(bits, np.uint32).view(np.float32) for bits in (fewer, others))
    a, c = a[:, None], c[:, None]
    require(
        machine,
        f"{one} and {other}, {fewer} and {others}",
        gAdd=bits_of(a + b),
        gSub=bits_of(a - b),
        gMul=bits_of(a * b),
        gDiv=bits_of(a / b),
        gOrder=compared(a, b),
        gAdd4=bits_of(c + d),
        gSub4=bits_of(c - d),
        gMul4=bits_of(c * d),
        gDiv4=bits_of(c / d),
        gOrder4=compared(c, d),
    )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@on_68000
@several
@given(one=doubles, fewer=singles, whole=many(integers))
def test_conversions(
    machines: Machines, build: str, one: list[int], fewer: list[int], whole: list[int]
):
    machine = machines("floats.c", "68000", build)
    for name, bits in (("gA", one), ("gC", fewer)):
        machine.globals[name]["bits"] = bits
    machine.globals["gWhole"][:] = whole
    machine.call("Go")
    a = np.array(one, np.uint64).view(np.float64)
    c = np.array(fewer, np.uint32).view(np.float32)
    unsigned = np.array(whole, np.uint64)
    low = unsigned.astype(np.uint32)
    kinds = {"Int": low.view(np.int32), "Unsigned": low, "Long": unsigned.view(np.int64)}
    kinds["Ulong"] = unsigned
    of_integers = {f"gFrom{n}": bits_of(v.astype(np.float64)) for n, v in kinds.items()}
    of_integers |= {f"gFrom{n}4": bits_of(v.astype(np.float32)) for n, v in kinds.items()}
    limits = {n: (int(np.iinfo(v.dtype).min), int(np.iinfo(v.dtype).max)) for n, v in kinds.items()}
    to_integers = {f"gTo{n}": cut(a, *limit) for n, limit in limits.items()}
    to_integers |= {f"gTo{n}4": cut(c, *limit) for n, limit in limits.items()}
    sign, sign4 = 1 << 63, 1 << 31
    require(
        machine,
        f"{one}, {fewer}, {whole}",
        gNegated=[bits ^ sign for bits in one],
        gNegated4=[bits ^ sign4 for bits in fewer],
        gWide=bits_of(c.astype(np.float64))
        | np.where(np.isnan(c) & np.signbit(c), sign, 0).astype(np.uint64),
        gNarrow=bits_of(a.astype(np.float32))
        | np.where(np.isnan(a) & np.signbit(a), sign4, 0).astype(np.uint64),
        **of_integers,
        **to_integers,
    )


# -- long double -----------------------------------------------------------------------------------


def extended_bits(most: int = 0x7FFF) -> st.SearchStrategy[int]:
    """Bits of the 80-bit format: every kind of number, many close to halfway between two others."""
    bias = 16383
    near = st.integers(bias - 70, bias + 70)
    field = st.sampled_from([0, 1, 2, most - 1, most]) | near | st.integers(0, most)
    few = st.builds(lambda a, b: (1 << a) | (1 << b), *[st.integers(0, 62)] * 2)
    ends = st.sampled_from([0, 1, 2, 3, (1 << 63) - 1, (1 << 62) - 1, 1 << 62, (1 << 62) + 1])
    low = ends | few | st.integers(0, (1 << 63) - 1)
    lead = st.sampled_from([1, 1, 1, 0])  # also numbers that are not normalised
    return st.builds(
        lambda sign, high, top, rest: ((sign << 15 | high) << 1 | top) << 63 | rest,
        st.integers(0, 1),
        field,
        lead,
        low,
    )


def extended(bits: int) -> Extended:
    return Extended.from_bytes(bits.to_bytes(10, "big"))


def require_extended(machine: BareMachine, operands: object, **expected: list[Extended]) -> None:
    """Every global must hold these numbers, with the same sign of a zero."""
    for name, wanted in expected.items():
        found = np.array(machine.globals[name].tolist(), dtype=object).reshape(-1)
        for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
            assert other.is_same(one), f"{name}[{number}]: {other!r}, not {one!r}; {operands}"


extended_numbers = many(extended_bits())


@pytest.mark.slow
@on_68000
@several
@given(one=extended_numbers, other=extended_numbers)
def test_long_doubles(machines: Machines, build: str, one: list[int], other: list[int]):
    machine = machines("extended.c", "68000", build)
    a, b = [extended(bits) for bits in one], [extended(bits) for bits in other]
    machine.globals["gA"][:], machine.globals["gB"][:] = a, b
    machine.call("Go")
    pairs = [(x, y) for x in a for y in b]
    require_extended(
        machine,
        (one, other),
        gAdd=[x + y for x, y in pairs],
        gSub=[x - y for x, y in pairs],
        gMul=[x * y for x, y in pairs],
        gDiv=[x / y for x, y in pairs],
    )
    orders = [(x < y, x <= y, x == y, x != y, x >= y, x > y, x != x or y != y) for x, y in pairs]
    found = machine.globals["gOrder"].reshape(-1).tolist()
    assert found == [sum(bit << n for n, bit in enumerate(order)) for order in orders]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@on_68000
@several
@given(one=extended_numbers, wider=doubles, fewer=singles, whole=many(integers))
def test_conversions_of_long_doubles(
    machines: Machines,
    build: str,
    one: list[int],
    wider: list[int],
    fewer: list[int],
    whole: list[int],
):
    machine = machines("extended.c", "68000", build)
    a = [extended(bits) for bits in one]
    machine.globals["gA"][:] = a
    machine.globals["gC"]["bits"], machine.globals["gD"]["bits"] = wider, fewer
    machine.globals["gWhole"][:] = whole
    machine.call("Go")
    low = [n & 0xFFFFFFFF for n in whole]
    require_extended(
        machine,
        (one, wider, fewer, whole),
        gNegated=[-x for x in a],
        gOfDouble=[Extended(x) for x in np.array(wider, np.uint64).view(np.float64).tolist()],
        gOfSingle=[Extended(x) for x in np.array(fewer, np.uint32).view(np.float32).tolist()],
        gOfInt=[Extended(signed(n, 32)) for n in low],
        gOfUnsigned=[Extended(n) for n in low],
        gOfLong=[Extended(signed(n)) for n in whole],
        gOfUlong=[Extended(n) for n in whole],
    )
    for name, dtype in (("gDouble", ">f8"), ("gSingle", ">f4")):
        wanted = np.array([float_of(x, dtype) for x in a])
        found = machine.globals[name]["number"]
        same = (found == wanted) & (np.signbit(found) == np.signbit(wanted))
        assert (same | (np.isnan(found) & np.isnan(wanted))).all(), (name, one)
    for name, bits, least in (("Int", 32, True), ("Long", 64, True), ("Unsigned", 32, False)):
        limits = (-(1 << bits - 1), (1 << bits - 1) - 1) if least else (0, (1 << bits) - 1)
        found = machine.globals[f"gTo{name}"].astype(np.uint64).tolist()
        assert found == [whole_of(x, *limits) & (1 << bits) - 1 for x in a], (name, one)
    assert machine.globals["gToUlong"].tolist() == [whole_of(x, 0, M64) for x in a]


def float_of(number: Extended, dtype: str) -> float:
    """Rounded once to a format."""
    data = exact.pack(exact.unpack(number.data, "extended"), "double" if "8" in dtype else "single")
    return float(np.frombuffer(data, dtype)[0])


def whole_of(number: Extended, least: int, most: int) -> int:
    """Towards zero; what does not fit becomes the nearest that does, and a NaN 0."""
    if number != number:
        return 0
    if not number.is_finite:
        return most if number > 0 else least
    return min(max(int(number), least), most)


@pytest.mark.skipif(
    np.finfo(np.longdouble).nmant != 63, reason="the host has no floats of 80 bits to compare with"
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@given(one=extended_bits(), other=extended_bits())
def test_extended_is_what_the_floats_of_80_bits_of_the_host_are(one: int, other: int):
    """But for numbers with the exponent 0, which Motorola and Intel read in two ways."""
    lead = 1 << 63
    one, other = one | lead, other | lead  # a host takes others for no numbers
    assume(all(bits >> 64 & 0x7FFF for bits in (one, other)))
    a, b = extended(one), extended(other)
    x, y = (
        np.frombuffer(bits.to_bytes(10, "little").ljust(16, b"\0"), np.longdouble)[0]
        for bits in (one, other)
    )
    for mine, host in ((a + b, x + y), (a - b, x - y), (a * b, x * y), (a / b, x / y)):
        if host == 0 or abs(host) >= np.finfo(np.longdouble).tiny or host != host:
            assert mine.is_same(Extended(host)), (mine, host)
    assert a.sqrt().is_same(Extended(np.sqrt(x)))
    assert [a < b, a <= b, a == b, a != b] == [x < y, x <= y, x == y, x != y]
    assert float(a) == float(x) or a != a


# -- what is linked ----------------------------------------------------------------------------


def lacking(program: Program) -> set[str]:
    """The functions of a program with instructions that a 68000 does not have."""
    code = Code(program)
    return {
        symbol.name
        for symbol in program.symbols
        if symbol.kind == "function"
        for one in code.routine(symbol.address, symbol.address + symbol.size)
        if check_block("68000", CodeBlock(one.address, code.read(one.address, one.size)))
    }


@pytest.mark.parametrize("build", slow_but(["O2"], ["O0", "O1", "O2", "Os"]))
@pytest.mark.parametrize("name", ["integers.c", "floats.c", "extended.c"])
def test_a_68000_has_every_instruction_of_it(compilers: Callable[..., None], name: str, build: str):
    compilers("68000")
    assert lacking(program_of(FOLDER / name, "68000", build)) == set()


@pytest.mark.parametrize("name", ["integers.c", "floats.c", "extended.c"])
def test_the_library_of_the_compiler_needs_a_later_processor(
    compilers: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    isolated_cache: None,
    name: str,
):
    """Otherwise macproof would not need routines of its own, nor the test before this one."""
    compilers("68000")
    monkeypatch.setitem(TARGETS, "68000", replace(TARGETS["68000"], needs_arithmetic=False))
    assert len(lacking(program_of(FOLDER / name, "68000", "O1"))) > 3
