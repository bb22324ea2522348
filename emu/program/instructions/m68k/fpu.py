"""The operations of the 68040's floating-point unit, and those that it leaves to software.

Sources: MC68040 User's Manual (M68040UM/AD), table 9-10 (unimplemented floating-point
instructions) and section 9.6 (unimplemented data types); M68000 Family Programmer's Reference
Manual, section 5, for the fields of the command word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from emu.program.instructions.m68k.form_rows import SETS

_ANY, _ALTERABLE, _TARGET_MEMORY = SETS["all"], SETS["alt"], SETS["malt"]
_SOURCE_MEMORY = "IPMOXWLox#"
_PACKED, _PACKED_DYNAMIC = 3, 7
_CONSTANT = 7
# Formats by their number: letters of the sizes, and bytes of an immediate.
_FORMATS = "lsxpwdbp"
_BYTES = (4, 4, 12, 12, 2, 8, 2, 12)
_IN_DATA_REGISTER = "lswb"

_NATIVE: Mapping[int, str] = MappingProxyType(
    {
        **{0x00: "fmove", 0x04: "fsqrt", 0x18: "fabs", 0x1A: "fneg", 0x20: "fdiv", 0x22: "fadd"},
        **{0x23: "fmul", 0x24: "fsgldiv", 0x27: "fsglmul", 0x28: "fsub", 0x38: "fcmp"},
        **{0x3A: "ftst", 0x40: "fsmove", 0x41: "fssqrt", 0x44: "fdmove", 0x45: "fdsqrt"},
        **{0x58: "fsabs", 0x5A: "fsneg", 0x5C: "fdabs", 0x5E: "fdneg", 0x60: "fsdiv"},
        **{0x62: "fsadd", 0x63: "fsmul", 0x64: "fddiv", 0x66: "fdadd", 0x67: "fdmul"},
        **{0x68: "fssub", 0x6C: "fdsub"},
    }
)
_SOFTWARE: Mapping[int, str] = MappingProxyType(
    {
        **{0x01: "fint", 0x02: "fsinh", 0x03: "fintrz", 0x06: "flognp1", 0x08: "fetoxm1"},
        **{0x09: "ftanh", 0x0A: "fatan", 0x0C: "fasin", 0x0D: "fatanh", 0x0E: "fsin"},
        **{0x0F: "ftan", 0x10: "fetox", 0x11: "ftwotox", 0x12: "ftentox", 0x14: "flogn"},
        **{0x15: "flog10", 0x16: "flog2", 0x19: "fcosh", 0x1C: "facos", 0x1D: "fcos"},
        **{0x1E: "fgetexp", 0x1F: "fgetman", 0x21: "fmod", 0x25: "frem", 0x26: "fscale"},
        **{number: "fsincos" for number in range(0x30, 0x38)},
    }
)


@dataclass(frozen=True, slots=True)
class FpuOperation:
    """The meaning of a command word.

    Attributes:
        mnemonic: the operation, with its format if the format matters; "" if there is none.
        modes: the operand's addressing modes, as letters of `form_rows.MODES`; "" for none.
        size: bytes of an immediate operand.
        by_software: whether the 68040 leaves it to the floating-point software package.
    """

    mnemonic: str
    modes: str = ""
    size: int = 4
    by_software: bool = False


_NOTHING = FpuOperation("")


def fpu_operation(command: int) -> FpuOperation:
    """The operation of the word after 0xF200 to 0xF23F."""
    kind, selector = command >> 13, command >> 10 & 7
    match kind:
        case 0:
            return _computed(command & 0x7F, "", 4)
        case 2 if selector == _CONSTANT:
            return FpuOperation("fmovecr", by_software=True)
        case 2:
            modes = _ANY.replace("A", "") if _fits_register(selector) else _SOURCE_MEMORY
            operation = _computed(command & 0x7F, modes, _BYTES[selector])
            if operation.mnemonic and selector == _PACKED:
                return FpuOperation(f"{operation.mnemonic}.p", modes, 12, by_software=True)
            return operation
        case 3:
            modes = _ALTERABLE.replace("A", "") if _fits_register(selector) else _TARGET_MEMORY
            packed = selector in (_PACKED, _PACKED_DYNAMIC)
            return FpuOperation(f"fmove.{_FORMATS[selector]}", modes, by_software=packed)
        case 4 | 5:
            # Several control registers take one long word each.
            several = max(selector.bit_count(), 1)
            modes = _ALTERABLE if kind == 5 else _ANY
            if several > 1:
                modes = modes.replace("D", "")
            if selector > 1:  # not FPIAR alone
                modes = modes.replace("A", "")
            return FpuOperation("fmovem.l", modes, 4 * several)
        case 6:
            return FpuOperation("fmovem.x", SETS["restore"])
        case 7:
            return FpuOperation("fmovem.x", SETS["save"])
    return _NOTHING


def _fits_register(format_number: int) -> bool:
    return _FORMATS[format_number] in _IN_DATA_REGISTER


def _computed(opmode: int, modes: str, size: int) -> FpuOperation:
    if opmode in _NATIVE:
        return FpuOperation(_NATIVE[opmode], modes, size)
    if opmode in _SOFTWARE:
        return FpuOperation(_SOFTWARE[opmode], modes, size, by_software=True)
    return _NOTHING
