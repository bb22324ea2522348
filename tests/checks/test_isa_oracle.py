"""The tables of instructions beside those of GNU binutils, whose disassembler has its own.

Where the two disagree, this file says why the manual is on our side; any other disagreement fails.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from emu.checks.isa_m68k import check_68000, check_68040
from emu.checks.isa_model import REFUTES, InstructionFinding
from emu.checks.isa_ppc import check_601, row_of
from emu.program.instructions.m68k.forms import find_form

pytestmark = pytest.mark.slow

_NOP = b"\x4e\x71"
_SLOT = 32  # the longest instruction has 22 bytes; the disassembler is in step again after that
_LINE = re.compile(r"\s*([0-9a-f]+):\t(\S+)")
_NO_INSTRUCTION = b"\xff\xff"
_CHECKS = {"68000": check_68000, "68040": check_68040}


def _disassembled(tool: str, options: list[str], code: bytes, folder: Path) -> dict[int, str]:
    """Mnemonics by address, as binutils see them."""
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed; on Debian and Ubuntu: apt-get install binutils-...")
    file = folder / "code.bin"
    file.write_bytes(code)
    command = [tool, "-D", "-z", "-b", "binary", *options, "--no-show-raw-insn", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = map(_LINE.match, done.stdout.splitlines())
    return {int(match[1], 16): match[2] for match in found if match}


# -- 68K -----------------------------------------------------------------------------------------

# Reserved bits of second words: binutils look at them, the check does not.
_WITH_RESERVED_BITS = frozenset(
    {"cas", "cas2", "cmp2/chk2", "moves", "mul.l", "div.l", "bfchg", "bfclr", "bfset", "bftst"}
    | {"move16", "fpu"}
)
# What binutils alone take for instructions, by the beginning of the name.
_ONLY_IN_BINUTILS: Mapping[str, Mapping[str, str]] = {
    "68000": {
        "p": "binutils give it a 68851, which it cannot have",
        "f": "binutils give it a 68881, which no Macintosh with a 68000 has",
        "b": "a displacement of 0xFF leads to an odd address, where a 68000 stops",
        "subqb": "there is no SUBQ.B #n,An: address registers have no bytes",
        "swbegl": "it is one of the ColdFire family",
    },
    "68040": {
        "p": "binutils give it a 68851, which it cannot have",
        "subqb": "there is no SUBQ.B #n,An: address registers have no bytes",
        "swbegl": "it is one of the ColdFire family",
        "movec": "binutils name control registers that do not exist",
    },
}
# Binutils leave out the predicate's word: FTRAPcc.W has three words, FTRAPcc.L four.
_WRONG_LENGTH = frozenset({"ftrapfw", "ftrapfl"})


@pytest.mark.parametrize("cpu", ["68000", "68040"])
@pytest.mark.parametrize(
    "extension",
    [(0, 0, 0, 0), (0x1000, 0x1000, 0x1000, 0x1000), (0x0161, 0x0161, 2, 0)],
    ids=["zeros", "brief", "full"],
)
def test_all_opcode_words(cpu: str, extension: tuple[int, ...], tmp_path: Path):
    """Every first word but those of A-line traps, each with the same words after it."""
    codes = [_slot(word, *extension) for word in range(0x10000) if word >> 12 != 0xA]
    for code, theirs, found, size in _both(cpu, codes, tmp_path):
        if theirs and not found:
            # What comes right after it is looked at next, so they agree on its length.
            after = [f.address for f in _CHECKS[cpu](0, code[:size] + _NO_INSTRUCTION)]
            assert after == [size] or theirs in _WRONG_LENGTH, (code[:10].hex(), theirs, after)
        elif theirs and found:
            reasons = [text for name, text in _ONLY_IN_BINUTILS[cpu].items() if _is(theirs, name)]
            # Binutils show operands for the 68000 that only its successors have.
            assert reasons or (cpu == "68000" and "extension word" in found.why), (theirs, found)
        elif not theirs and not found:
            form = find_form(int.from_bytes(code[:2], "big"))
            assert form is not None
            assert form.mnemonic in _WITH_RESERVED_BITS, code[:10].hex()


def _is(mnemonic: str, name: str) -> bool:
    return mnemonic.startswith(name) if len(name) == 1 else mnemonic == name


def test_all_operations_of_the_floating_point_unit(tmp_path: Path):
    """All formats and operations, between registers and from memory: no disagreement."""
    commands = [(0xF200, command) for command in range(0x2000)]
    commands += [(0xF210, command) for command in range(0x4000, 0x5C00)]
    commands += [(0xF210, 0x6000 | to << 7 | f << 10) for to in range(8) for f in range(8)]
    codes = [_slot(*words) for words in commands]
    wrong = [
        (code[:4].hex(), theirs, found)
        for code, theirs, found, _ in _both("68040", codes, tmp_path)
        if bool(theirs) == bool(found)
    ]
    assert not wrong


def _slot(*words: int) -> bytes:
    code = b"".join(word.to_bytes(2, "big") for word in words)
    return code + _NOP * ((_SLOT - len(code)) // 2)


def _both(
    cpu: str, codes: list[bytes], folder: Path
) -> Iterator[tuple[bytes, str, InstructionFinding | None, int]]:
    """Each code with its mnemonic in binutils ("" for none), what the check refutes, and its size
    in bytes in binutils."""
    options = ["-m", f"m68k:{cpu}"]
    listing = _disassembled("m68k-linux-gnu-objdump", options, b"".join(codes), folder)
    sizes = dict(zip(listing, np.diff([*listing, len(codes) * _SLOT]).tolist(), strict=True))
    for number, code in enumerate(codes):
        at = number * _SLOT
        refuted = [f for f in _CHECKS[cpu](0, code) if f.address == 0 and f.weight == REFUTES]
        theirs = "" if listing[at] == ".short" else listing[at]
        yield code, theirs, next(iter(refuted), None), sizes[at]


# -- PowerPC -------------------------------------------------------------------------------------

_NOT_ON_A_601 = frozenset(
    # Binutils let a 601 have every optional instruction of the PowerPC.
    {"fres", "frsqrte", "fsel", "fsqrt", "fsqrts", "stfiwx", "tlbia", "tlbld", "tlbli", "tlbsync"}
    # Instructions of POWER that the 601 does not keep.
    | {"dclst", "mfsri", "rac"}
)
# Binutils disassemble what is privileged, and special registers of other processors.
_OTHER_REASONS = ("is privileged", "is for no special register")
# Values of the three register fields; some instructions want certain of them to be zero.
_FIELDS = [(4, 5, 6), (0, 0, 0), (4, 5, 0), (4, 0, 0), (4, 0, 6), (0x14, 0, 0)]


def test_all_extended_opcodes(tmp_path: Path):
    """Nothing that binutils know for a 601 is missing; nothing is here that they never know."""
    words = [
        opcode << 26 | d << 21 | a << 16 | b << 11 | low
        for opcode in range(64)
        for d, a, b in _FIELDS
        for low in (range(0x800) if opcode in (4, 19, 30, 31, 58, 59, 62, 63) else (0, 2, 3))
    ]
    code = b"".join(word.to_bytes(4, "big") for word in words)
    options = ["-EB", "-m", "powerpc", "-M", "601"]
    listing = _disassembled("powerpc-linux-gnu-objdump", options, code, tmp_path)
    here, known = set(), set()
    for number, word in enumerate(words):
        theirs = listing[number * 4].rstrip(".")
        refuted = [
            f
            for f in check_601(0, word.to_bytes(4, "big"))
            if f.weight == REFUTES and not any(allowed in f.why for allowed in _OTHER_REASONS)
        ]
        if not refuted:
            here.add(row_of(word))
        if theirs != ".long":
            assert not refuted or theirs in _NOT_ON_A_601, (hex(word), theirs, refuted)
            known.add(row_of(word))
    assert len(here) > 200
    assert {row for row in here - known if row is not None and row[1] in ("601", "power")} == set()
