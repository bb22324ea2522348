"""Decodes PowerPC instructions for cycle models: unit, registers, memory, branches.

The 601 dispatches instructions to three units, and an instruction waits for registers that are not
ready. Therefore this module finds for every instruction the unit, the registers it reads and writes
(general, floating-point, fields of the condition register, LR, CTR and XER) and the kind of memory
access; for branches also the target and the prediction. Capstone only writes the instruction as
text: for PowerPC it tells neither implicit registers nor which registers are written.

The module knows the instructions of the 32-bit PowerPC architecture that a program may use, and the
few of POWER that the 601 kept and compilers emitted. Of privileged instructions it knows only the
system call.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from emu.base.errors import MacproofError
from emu.cycles.base.model import Instruction
from emu.cycles.powerpc.ppc_opcodes import extended_opcode, row_of

IU, FPU, BPU = "IU", "FPU", "BPU"
"""The units of the 601: integer (with all loads and stores), floating point, branches."""

LR, CTR, XER = "lr", "ctr", "xer"


@dataclass(frozen=True, slots=True)
class PpcBranch:
    """The target and the condition of a branch.

    Attributes:
        target: where it leads; None if that is in a register.
        condition: the field of the condition register it tests ("cr0"), or "".
        counts: whether it counts CTR down and tests it.
        through: "lr" or "ctr" if the target is there, else "".
        predicted: whether it is predicted to be taken while its condition is not known. Backward
            branches are, forward branches are not; the instruction's y bit reverses this.
    """

    target: int | None
    condition: str
    counts: bool
    through: str
    predicted: bool

    @property
    def conditional(self) -> bool:
        """Whether control may go on with the next instruction instead."""
        return bool(self.condition) or self.counts


@dataclass(frozen=True, slots=True)
class PpcInstruction(Instruction):
    """A decoded PowerPC instruction.

    Attributes:
        word: its 32 bits.
        unit: the unit that executes it, `IU`, `FPU` or `BPU`.
        reads: registers whose values it needs to begin.
        writes: registers it gives new values, among them its address register if that is updated.
        updates: that address register, or "".
        access: "load", "store" or "".
        registers: how many registers a load or store of several moves; 1 for other instructions.
        branch: target and condition of a branch; None for other instructions.
    """

    word: int
    unit: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    updates: str
    access: str
    registers: int
    branch: PpcBranch | None

    @property
    def next(self) -> int:
        """The address after it."""
        return self.address + self.size


_STRING = 4  # bytes a register holds


@functools.cache
def _capstone() -> Any:
    import capstone  # loaded only where code is decoded

    return capstone.Cs(capstone.CS_ARCH_PPC, capstone.CS_MODE_32 | capstone.CS_MODE_BIG_ENDIAN)


def decode(code: bytes, address: int) -> tuple[PpcInstruction, ...]:
    """The instructions of a block.

    Args:
        code: whole words.
        address: where the first word lies.

    Raises:
        MacproofError: a word is no instruction that is known here; the message has its address.
    """
    if len(code) % 4:
        raise MacproofError(f"the block at {address:#x} is {len(code)} bytes long: no whole words")
    words = struct.unpack(f">{len(code) // 4}I", code)
    return tuple(decode_word(word, address + 4 * i) for i, word in enumerate(words))


@functools.lru_cache(maxsize=65536)
def decode_word(word: int, address: int) -> PpcInstruction:
    """The instruction of a word.

    Raises:
        MacproofError: the instruction is not known here.
    """
    if word >> 26 in (16, 18) or (word >> 26 == 19 and extended_opcode(word) in (16, 528)):
        return _decode_branch(word, address)
    row = row_of(word)
    if row is None:
        raise MacproofError(
            f"the word {word:#010x} at {address:#x} is no PowerPC instruction that can be priced"
        )
    float_only = row.cell.startswith("float") and row.cell not in ("float_load", "float_store")
    writes = [name for letter in row.writes for name in _registers(letter, word)]
    mnemonic = row.mnemonic
    if "r" in row.flags and word & 1:
        writes.append("cr1" if float_only else "cr0")
        mnemonic += "."
    access = next((kind for kind in ("load", "store") if kind in row.cell), "")
    moved = [*_registers("M", word)] if "multiple" in row.cell else [*_registers("N", word)]
    return PpcInstruction(
        address=address,
        size=4,
        mnemonic=mnemonic,
        text=_text(word, address, mnemonic),
        cell=row.cell,
        word=word,
        unit=FPU if float_only else IU,
        reads=tuple(name for letter in row.reads for name in _registers(letter, word)),
        writes=tuple(writes),
        updates=_general(word >> 16) if "U" in row.writes else "",
        access=access,
        registers=len(moved) if "multiple" in row.cell or "string" in row.cell else 1,
        branch=None,
    )


def _general(field: int) -> str:
    return f"r{field & 31}"


def _registers(letter: str, word: int) -> Iterator[str]:
    """The registers that a letter of a row stands for in a word."""
    first, second, third = word >> 21 & 31, word >> 16 & 31, word >> 11 & 31
    match letter:
        case "D":
            yield f"r{first}"
        case "A" | "U":
            yield f"r{second}"
        case "0":
            if second:
                yield f"r{second}"
        case "B":
            yield f"r{third}"
        case "d":
            yield f"f{first}"
        case "a":
            yield f"f{second}"
        case "b":
            yield f"f{third}"
        case "c":
            yield f"f{word >> 6 & 31}"
        case "F" | "t":
            yield f"cr{first >> 2}"
        case "G" | "u":
            yield f"cr{second >> 2}"
        case "v":
            yield f"cr{third >> 2}"
        case "Z":
            yield "cr0"
        case "X":
            yield XER
        case "W":
            yield from (f"cr{field}" for field in range(8))
        case "K":
            yield from (f"cr{field}" for field in range(8) if word >> 12 & 0x80 >> field)
        case "M":
            yield from (f"r{register}" for register in range(first, 32))
        case "N":
            # lswx and stswx take their length from XER, at run time; a full word count is taken.
            count = (
                (third or 32) if word >> 26 == 31 and extended_opcode(word) in (597, 725) else 32
            )
            for index in range(-(-count // _STRING)):
                yield f"r{(first + index) & 31}"
        case "P":
            yield {1: XER, 8: LR, 9: CTR}.get(third << 5 | second, f"spr{third << 5 | second}")


def _decode_branch(word: int, address: int) -> PpcInstruction:
    opcode, options = word >> 26, word >> 21 & 31
    link, absolute = word & 1, word >> 1 & 1
    target: int | None = None
    through = ""
    if opcode == 18:
        options = 0b10100
        target = _target(word & 0x03FFFFFC, 26, address, absolute)
        mnemonic = "b"
    elif opcode == 16:
        target = _target(word & 0xFFFC, 16, address, absolute)
        mnemonic = "bc"
    else:
        through = LR if extended_opcode(word) == 16 else CTR
        mnemonic = "bclr" if through == LR else "bcctr"
    condition = "" if options & 0b10000 else f"cr{word >> 18 & 7}"
    counts = not options & 0b00100
    backward = opcode == 16 and bool(word & 0x8000)
    taken = not condition and not counts
    branch = PpcBranch(target, condition, counts, through, taken or backward != bool(options & 1))
    mnemonic += ("l" if link else "") + ("a" if absolute and not through else "")
    return PpcInstruction(
        address=address,
        size=4,
        mnemonic=mnemonic,
        text=_text(word, address, mnemonic),
        cell="branch",
        word=word,
        unit=BPU,
        reads=tuple(
            name for name in (condition, CTR if counts or through == CTR else "",
                              LR if through == LR else "") if name
        ),
        writes=(CTR,) * counts + (LR,) * link,
        updates="",
        access="",
        registers=1,
        branch=branch,
    )  # fmt: skip


def _target(field: int, bits: int, address: int, absolute: int) -> int:
    distance = field - (1 << bits) if field >> bits - 1 else field
    return (distance if absolute else address + distance) & 0xFFFFFFFF


def _text(word: int, address: int, mnemonic: str) -> str:
    for like in _alike(word):
        for _, _, name, operands in _capstone().disasm_lite(struct.pack(">I", like), address, 1):
            return f"{name if like == word else mnemonic} {operands}".strip()
    return f"{mnemonic} ({word:#010x})"


def _alike(word: int) -> Iterator[int]:
    """A word, and then some with the same operands: Capstone lacks forms with OE or Rc, and more.

    LSWX has the operands of LWZX, STSWX those of STWX, and FCMPO those of FCMPU.
    """
    yield word
    extended = extended_opcode(word)
    match word >> 26:
        case 31:
            like = {533: 23, 661: 151}.get(extended, extended & 0x1FF)
            yield word & ~0x7FF | like << 1
        case 63:
            yield word & ~1
            yield word & ~0x7FF | (0 if extended == 32 else extended) << 1
