"""Instructions of the 601 that SLEIGH describes wrongly, or not at all, against the manual.

What must follow is worked out by hand of the PowerPC 601 RISC Microprocessor User's Manual,
chapter 10, and of the PowerPC Architecture, Book I.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from emu.lift.interpreter import LeftError
from emu.lift.powerpc.conditions import with_short_record
from tests.lift.lifted_ppc import CODE, DATA, LiftedInstruction601

_ONE, _HALF, _TWO = 0x3FF0000000000000, 0x3FE0000000000000, 0x4000000000000000
_INFINITY, _MINUS, _NAN = 0x7FF0000000000000, 1 << 63, 0x7FF8000000000000
_SIGNALLING, _QUIETED = 0x7FF4000000000001, 0x7FFC000000000001
_OTHER_NAN = 0xFFF8000000000007
_NEAR_ONE = _ONE + 0x10000000  # 1 + 2 to the power of -24, half way between two single numbers
_ULP = 0x3E70000000000000  # 2 to the power of -24
_TINY = 0x3AF0000000000000  # 2 to the power of -80
_SO, _OV, _CA = 1 << 31, 1 << 30, 1 << 29


@dataclass(frozen=True, slots=True)
class _Row:
    """An instruction with registers before and after it."""

    text: str
    word: int
    before: dict[str, int]
    after: dict[str, int] = field(default_factory=dict)


_INTEGERS = (
    _Row("divw r3,r4,r5", 0x7C642BD6, {"r4": 7, "r5": -2 & 0xFFFFFFFF}, {"r3": 0xFFFFFFFD}),
    _Row("divw r3,r4,r5", 0x7C642BD6, {"r4": 7, "r5": 0, "xer": _CA}, {"r3": 7, "xer": _CA}),
    _Row(
        "divwo. r3,r4,r5",
        0x7C642FD7,
        {"r4": 1 << 31, "r5": 0xFFFFFFFF},
        {"r3": 1 << 31, "xer": _SO | _OV, "cr": 0x90000000},
    ),
    _Row(
        "divwo. r3,r4,r5",
        0x7C642FD7,
        {"r4": 8, "r5": 2, "xer": _SO | _OV},
        {"r3": 4, "xer": _SO, "cr": 0x50000000},
    ),
    _Row(
        "divwuo r3,r4,r5",
        0x7C642F96,
        {"r4": 0xFFFFFFFF, "r5": 0},
        {"r3": 0xFFFFFFFF, "xer": _SO | _OV},
    ),
    _Row("divwuo r3,r4,r5", 0x7C642F96, {"r4": 0xFFFFFFFF, "r5": 2}, {"r3": 0x7FFFFFFF}),
    _Row("abso r3,r4", 0x7C6406D0, {"r4": 0xFFFFFFFB}, {"r3": 5, "xer": 0}),
    _Row("abso r3,r4", 0x7C6406D0, {"r4": 1 << 31}, {"r3": 1 << 31, "xer": _SO | _OV}),
    _Row("nabso r3,r4", 0x7C6407D0, {"r4": 5, "xer": _SO | _OV}, {"r3": 0xFFFFFFFB, "xer": _SO}),
    _Row(
        "add. r3,r4,r5",
        0x7C642A15,
        {"r4": 1, "r5": 1 << 31, "xer": _SO, "cr": 0x66666666},
        {"r3": 0x80000001, "cr": 0x96666666},
    ),
    _Row("andi. r3,r4,0xff00", 0x7083FF00, {"r4": 0xFF, "cr": 0xFFFFFFFF}, {"cr": 0x2FFFFFFF}),
    _Row("mtxer r3", 0x7C6103A6, {"r3": 0xFFFFFFFF}, {"xer": 0xFFF3FFFF}),
    _Row("mfxer r3", 0x7C6102A6, {"xer": _OV | 0x7F}, {"r3": _OV | 0x7F}),
)
_FLOATS = (
    _Row("fadd f1,f2,f3", 0xFC22182A, {"f2": _INFINITY, "f3": _INFINITY | _MINUS}, {"f1": _NAN}),
    _Row("fadd f1,f2,f3", 0xFC22182A, {"f2": _OTHER_NAN, "f3": _SIGNALLING}, {"f1": _OTHER_NAN}),
    _Row("fadd f1,f2,f3", 0xFC22182A, {"f2": _ONE, "f3": _SIGNALLING}, {"f1": _QUIETED}),
    _Row("fadd f1,f2,f3", 0xFC22182A, {"f2": _ONE, "f3": _ONE | _MINUS}, {"f1": 0}),
    _Row("fsub f1,f2,f3", 0xFC221828, {"f2": _ONE, "f3": _OTHER_NAN}, {"f1": _OTHER_NAN}),
    _Row("fmul f1,f2,f3", 0xFC2200F2, {"f2": 0, "f3": _INFINITY}, {"f1": _NAN}),
    _Row("fdivs f1,f2,f3", 0xEC221824, {"f2": 0, "f3": 0}, {"f1": _NAN}),
    _Row("fdivs f1,f2,f3", 0xEC221824, {"f2": _ONE, "f3": _MINUS}, {"f1": _INFINITY | _MINUS}),
    _Row(
        "fmadds f1,f2,f3,f4: 1 + 2**-24 + 2**-47, above half way",
        0xEC2220FA,
        {"f2": _ONE + 0x20000000, "f3": _ULP, "f4": _ONE},
        {"f1": _ONE + 0x20000000},
    ),
    _Row(
        "fmsubs f1,f2,f3,f4: 4097 * 4097 - 2**-80, just below half way",
        0xEC2220F8,
        {"f2": 0x40B0010000000000, "f3": 0x40B0010000000000, "f4": _TINY},
        {"f1": 0x4170020000000000},
    ),
    _Row(
        "fmadds f1,f2,f3,f4: 4097 * 4097 + 2**-80, just above half way",
        0xEC2220FA,
        {"f2": 0x40B0010000000000, "f3": 0x40B0010000000000, "f4": _TINY},
        {"f1": 0x4170020020000000},
    ),
    _Row(
        "fnmadd f1,f2,f3,f4",
        0xFC2220FE,
        {"f2": _ONE, "f3": _ONE, "f4": _ONE},
        {"f1": _TWO | _MINUS},
    ),
    _Row(
        "fnmadd f1,f2,f3,f4: a NaN keeps its sign",
        0xFC2220FE,
        {"f2": _ONE, "f3": _SIGNALLING, "f4": _ONE},
        {"f1": _QUIETED},
    ),
    _Row(
        "fnmsub f1,f2,f3,f4: of two NaNs frB counts before frC",
        0xFC2220FC,
        {"f2": _ONE, "f3": _SIGNALLING, "f4": _OTHER_NAN},
        {"f1": _OTHER_NAN},
    ),
    _Row(
        "fmadd f1,f2,f3,f4, rounded once",
        0xFC2220FA,
        {"f2": _ONE + 1, "f3": _ONE + 1, "f4": _ONE + 2 | _MINUS},
        {"f1": 0x3970000000000000},
    ),
    _Row("frsp f1,f2", 0xFC201018, {"f2": _NEAR_ONE}, {"f1": _ONE}),
    _Row("frsp f1,f2", 0xFC201018, {"f2": _NEAR_ONE + 1}, {"f1": _ONE + 0x20000000}),
    _Row("frsp f1,f2", 0xFC201018, {"f2": _SIGNALLING}, {"f1": 0x7FFC000000000000}),
    _Row("fctiw f1,f2: 2.5", 0xFC20101C, {"f2": 0x4004000000000000}, {"f1": 2}),
    _Row("fctiw f1,f2: 3.5", 0xFC20101C, {"f2": 0x400C000000000000}, {"f1": 4}),
    _Row("fctiwz f1,f2: 3.5", 0xFC20101E, {"f2": 0x400C000000000000}, {"f1": 3}),
    _Row("fctiwz f1,f2: 2**31", 0xFC20101E, {"f2": 0x41E0000000000000}, {"f1": 0x7FFFFFFF}),
    _Row("fctiw f1,f2: 1e300", 0xFC20101C, {"f2": 0x7E37E43C8800759C}, {"f1": 0x7FFFFFFF}),
    _Row("fneg f1,f2", 0xFC201050, {"f2": _SIGNALLING}, {"f1": _SIGNALLING | _MINUS}),
    _Row("fabs f1,f2", 0xFC201210, {"f2": _SIGNALLING | _MINUS}, {"f1": _SIGNALLING}),
    _Row("fnabs f1,f2", 0xFC201110, {"f2": _ONE}, {"f1": _ONE | _MINUS}),
    _Row("fmr f1,f2", 0xFC201090, {"f2": _SIGNALLING}, {"f1": _SIGNALLING}),
    _Row("fcmpu cr2,f1,f2", 0xFD011000, {"f1": _ONE, "f2": _NAN}, {"cr": 0x00100000}),
    _Row("mtfsf 255,f1", 0xFDFE0D8E, {"f1": 0xFFFFFF00}),
    _Row("mtfsfi 7,0", 0xFF80010C, {}),
    _Row("mtfsfi 0,1", 0xFC00110C, {}),
    _Row("mtfsb1 3", 0xFC60004C, {}),
    _Row("mtfsb0 31", 0xFFE0008C, {}),
)


@pytest.mark.parametrize("row", [*_INTEGERS, *_FLOATS])
def test_registers_are_as_the_manual_says(row: _Row) -> None:
    lifted = LiftedInstruction601(row.word)
    lifted.set(row.before)
    assert lifted.step() == CODE + 4, row.text
    found = {name: hex(lifted.get(name)) for name in row.after}
    assert found == {name: hex(value) for name, value in row.after.items()}


_TAKEN, _NOT_TAKEN = CODE + 16, CODE + 4
_CR6 = 1 << 31 - 6  # the bit that these branches test


@pytest.mark.parametrize(
    ("text", "word", "before", "target"),
    [
        ("bdnzf 6,.+16", 0x40060010, {"ctr": 2, "cr": ~_CR6 & 0xFFFFFFFF}, _TAKEN),
        ("bdnzf 6,.+16", 0x40060010, {"ctr": 2, "cr": _CR6}, _NOT_TAKEN),
        ("bdnzf 6,.+16", 0x40060010, {"ctr": 1, "cr": 0}, _NOT_TAKEN),
        ("bdnzt 6,.+16", 0x41060010, {"ctr": 2, "cr": _CR6}, _TAKEN),
        ("bdzflr 6", 0x4C460020, {"ctr": 1, "cr": 0, "lr": 0x20003}, 0x20000),
        ("bdzflr 6", 0x4C460020, {"ctr": 1, "cr": _CR6, "lr": 0x20003}, _NOT_TAKEN),
        ("blr", 0x4E800020, {"lr": 0x20003}, 0x20000),
        ("bctrl", 0x4E800421, {"ctr": 0x20002}, 0x20000),
        ("bdnz .+16", 0x42000010, {"ctr": 0}, _TAKEN),
    ],
)
def test_branches(text: str, word: int, before: dict[str, int], target: int) -> None:
    lifted = LiftedInstruction601(word)
    lifted.set(before)
    assert lifted.step() == target, text


@pytest.mark.parametrize(
    ("text", "word", "before", "wanted"),
    [
        ("stfs f1,8(r3)", 0xD0230008, {"f1": _NEAR_ONE + 1}, "3f800000"),
        ("stfs f1,8(r3)", 0xD0230008, {"f1": _SIGNALLING}, "7fa00000"),
        ("stfs f1,8(r3): 2**-149", 0xD0230008, {"f1": 0x36A0000000000000}, "00000001"),
        ("stfs f1,8(r3): -2**-150", 0xD0230008, {"f1": 0xB690000000000000}, "80000000"),
        ("stfsu f1,8(r3)", 0xD4230008, {"f1": _ONE | _MINUS}, "bf800000"),
    ],
)
def test_a_store_of_a_single_number_does_not_round(
    text: str, word: int, before: dict[str, int], wanted: str
) -> None:
    lifted = LiftedInstruction601(word)
    lifted.set({**before, "r3": DATA})
    lifted.step()
    assert lifted.memory[8:12].hex() == wanted
    assert lifted.get("r3") == DATA + (8 if "stfsu" in text else 0)


@pytest.mark.parametrize(
    ("single", "double"),
    [("7fa00001", 0x7FF4000020000000), ("ffc00000", 0xFFF8000000000000), ("00000001", 0x36A << 52)],
)
def test_a_load_of_a_single_number_changes_no_nan(single: str, double: int) -> None:
    lifted = LiftedInstruction601(0xC0230008)  # lfs f1,8(r3)
    lifted.memory[8:12] = bytes.fromhex(single)
    lifted.set({"r3": DATA})
    lifted.step()
    assert lifted.get("f1") == double


def test_a_string_ends_in_the_middle_of_a_register() -> None:
    lifted = LiftedInstruction601(0x7FC355AA)  # stswi r30,r3,10
    lifted.set({"r3": DATA, "r30": 0x01020304, "r31": 0x05060708, "r0": 0x090A0B0C})
    lifted.step()
    assert lifted.memory[:12].hex() == "0102030405060708090a0000"


def test_a_sector_of_the_cache_is_cleared() -> None:
    lifted = LiftedInstruction601(0x7C0327EC)  # dcbz r3,r4
    lifted.memory[:] = b"\xff" * len(lifted.memory)
    lifted.set({"r3": DATA, "r4": 0x2F})
    lifted.step()
    assert lifted.memory[:96].hex() == "ff" * 32 + "00" * 32 + "ff" * 32


_LEFT: dict[str, tuple[int, dict[str, int]]] = {
    "twlge r3,r4": (0x7CA32008, {"r3": 4, "r4": 4}),
    "twi 16,r3,-2": (0x0E03FFFE, {"r3": 0xFFFFFFFD}),
    "mtfsf 1,f1: another rounding mode": (0xFC020D8E, {"f1": 1}),
    "mtfsf 255,f1: an enabled exception": (0xFDFE0D8E, {"f1": 0x80}),
    "mtfsfi 7,1": (0xFF80110C, {}),
    "mtfsb1 30": (0xFFC0004C, {}),
    "fmadds f1,f2,f3,f4 of numbers that are not single": (
        0xEC2220FA,
        {"f2": _ONE + 1, "f3": _ONE + 1},
    ),
    "fadd. f1,f2,f3": (0xFC22182B, {}),
    "mffs f1": (0xFC20048E, {}),
    "mffs. f1": (0xFC20048F, {}),
    "mcrfs cr1,cr2": (0xFC880080, {}),
    "mfmsr r3": (0x7C6000A6, {}),
    "mtmsr r3": (0x7C600124, {}),
    "isync": (0x4C00012C, {}),
    "icbi r3,r4": (0x7C0327AC, {}),
    "lwarx r3,r4,r5": (0x7C642828, {}),
    "stwcx. r3,r4,r5": (0x7C64292D, {}),
    "sc": (0x44000002, {}),
    "mfrtcu r3": (0x7C6402A6, {}),
    "lswx r3,r4,r5": (0x7C642C2A, {}),
    "lwzu r3,4(r3), an invalid form": (0x84630004, {}),
    "fsel f1,f2,f3,f4, which the 601 lacks": (0xFC2220EE, {}),
    "stfiwx f1,r3,r4, which the 601 lacks": (0x7C2327AE, {}),
    "mftb r3, which the 601 lacks": (0x7C6C42E6, {}),
}


@pytest.mark.parametrize("text", _LEFT)
def test_what_is_not_lifted_leaves(text: str) -> None:
    word, before = _LEFT[text]
    lifted = LiftedInstruction601(word)
    lifted.set(before)
    with pytest.raises(LeftError):
        lifted.step()


@pytest.mark.parametrize(
    ("text", "word", "before"),
    [
        ("twlge r3,r4", 0x7CA32008, {"r3": 3, "r4": 4}),
        ("twi 16,r3,-2", 0x0E03FFFE, {"r3": 5}),
        ("sync", 0x7C0004AC, {}),
        ("eieio", 0x7C0006AC, {}),
        ("dcbt r3,r4", 0x7C03222C, {"r3": 3, "r4": 5}),
    ],
)
def test_what_changes_nothing_goes_on(text: str, word: int, before: dict[str, int]) -> None:
    lifted = LiftedInstruction601(word)
    lifted.set(before)
    assert lifted.step() == CODE + 4, text
    assert {name: lifted.get(name) for name in before} == before


@pytest.mark.parametrize("bits", [0x00000001, 0x00400000, 0x00200000])
def test_reserved_bits_and_words_of_64_bits_are_not_lifted(bits: int) -> None:
    """CMPW with such a bit, and CMPD."""
    assert LiftedInstruction601(0x7F832000).instruction.refusal == ""
    assert LiftedInstruction601(0x7F832000 | bits).instruction.refusal


def test_a_record_of_sleigh_is_as_long_as_expected() -> None:
    """Every instruction with a record keeps what it computes, which stands before the record."""
    lifted = LiftedInstruction601(0x7C642A15).instruction  # add. r3,r4,r5
    first, *record = lifted.operations
    assert first.opcode == "INT_ADD"
    assert len(record) == 10


def test_another_record_stays_as_it_is() -> None:
    first, *_ = LiftedInstruction601(0x7C642A15).instruction.operations
    assert with_short_record((first,) * 40) == (first,) * 40
    assert with_short_record((first,)) == (first,)
