"""Pieces of 68K code for what a calibration does not ask: jumps, calls, returns, FMOVEM.

A jump lands in its own piece, behind an LEA that it passes over; that changes a register and no
flag, so that a jump that is not taken is seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.engines.calibration.instructions import ProbeInstruction
from emu.engines.calibration.stubs import SHORT, TARGET
from emu.lift.m68k.m68k_forms import m68k_form
from tests.lift.probe_machine import PIECE_END

_NOTE = bytes.fromhex("41e80001")  # LEA 1(A0),A0


def jump_probes(processor: str) -> Iterator[tuple[str, ProbeInstruction]]:
    """Each piece with the form that it is about."""
    found = [*_branches(processor), *_calls(processor), *_returns(processor)]
    if processor != "68000":
        found += _float_moves(processor)
    for form, code in found:
        yield form, ProbeInstruction(form, form, code, frozenset(range(8, 16)))


def _named(processor: str, code: bytes, *parts: bytes) -> tuple[str, bytes]:
    """A piece, with the form of the instruction that it is about."""
    return m68k_form(processor, code), b"".join(parts)


def _branches(processor: str) -> Iterator[tuple[str, bytes]]:
    """BRA, Bcc and BSR with each size, DBcc: forwards over the note, and backwards to it."""
    for condition in range(16):
        for size in (2, 4) if processor == "68000" else (2, 4, 6):
            yield _forwards(processor, condition, size)
            yield _backwards(processor, condition, size)
        code = bytes([0x50 | condition, 0xC8 | 2]) + b"\0\6"
        yield _named(processor, code, code, _NOTE)


def _branch(condition: int, size: int, distance: int) -> bytes:
    """A branch by some bytes from behind its first word."""
    first = bytes([0x60 | condition])
    if size == 2:
        return first + (distance & 0xFF).to_bytes(1, "big")
    mark = b"\0" if size == 4 else b"\xff"
    return first + mark + (distance & (1 << 8 * (size - 2)) - 1).to_bytes(size - 2, "big")


def _forwards(processor: str, condition: int, size: int) -> tuple[str, bytes]:
    code = _branch(condition, size, size - 2 + len(_NOTE))
    return _named(processor, code, code, _NOTE)


def _backwards(processor: str, condition: int, size: int) -> tuple[str, bytes]:
    """BRA to the branch, which goes back to a note; BRA from there to the end."""
    code = _branch(condition, size, -(len(_NOTE) + 4))
    over = b"\x60" + bytes([size])
    return _named(processor, code, b"\x60\x06", _NOTE, over, code)


def _calls(processor: str) -> Iterator[tuple[str, bytes]]:
    """JSR and JMP: A1 or the program counter leads behind the note, as far as the mode allows."""
    for word in (0x4E80, 0x4EC0):
        for mode, words, lead in _modes(processor):
            code = (word | mode).to_bytes(2, "big") + words
            yield _named(processor, code, lead, code, _NOTE)


def _modes(processor: str) -> Iterator[tuple[int, bytes, bytes]]:
    """Modes, their extension words, and code that makes them lead 4 bytes behind the jump."""
    yield 0o21, b"", _address_in_a1(6)
    yield 0o51, b"\xff\xf0", _address_in_a1(8 + 16)
    yield 0o61, b"\x08\x10", b"\x70\xf8" + _address_in_a1(8 - 8)  # MOVEQ #-8,D0
    yield 0o61, b"\x00\xf0", b"\x70\x08" + _address_in_a1(8 + 8)
    yield 0o71, PIECE_END, b""
    yield 0o72, b"\0\6", b""
    yield 0o73, b"\x08\x0e", b"\x70\xf8"
    if processor == "68000":
        return
    yield 0o61, b"\x0c\x10", b"\x70\xfc" + _address_in_a1(8)  # D0.L * 4
    yield 0o61, b"\x09\x20\0\x10", b"\x70\xf8" + _address_in_a1(10 - 8)  # the full format
    yield 0o73, b"\x09\x20\0\x10", b"\x70\xf8"
    # MOVE.L A1,(A2); and the address is read there.
    yield 0o62, b"\x01\x51", _address_in_a1(10) + b"\x24\x89"


def _address_in_a1(distance: int) -> bytes:
    """LEA (d16,PC),A1, so that A1 leads so many bytes behind the end of this instruction."""
    return b"\x43\xfa" + (distance + 2 & 0xFFFF).to_bytes(2, "big")


def _returns(processor: str) -> Iterator[tuple[str, bytes]]:
    """RTS, RTR, RTD with both signs, to behind the note."""
    push, code = bytes.fromhex("487a0008"), b"\x4e\x75"
    yield _named(processor, code, push, code, _NOTE)
    code = b"\x4e\x77"
    move = b"\x3f\x01"  # MOVE.W D1,-(A7)
    yield _named(processor, code, bytes.fromhex("487a000a"), move, code, _NOTE)
    if processor != "68000":
        for dropped in (8, -8):
            code = b"\x4e\x74" + (dropped & 0xFFFF).to_bytes(2, "big")
            yield _named(processor, code, bytes.fromhex("487a000a"), code, _NOTE)


def _float_moves(processor: str) -> Iterator[tuple[str, bytes]]:
    """FMOVEM.X: registers are loaded from (A3), and what they hold in the end is stored to (A2)."""
    load, store = bytes.fromhex("f213d0ff"), bytes.fromhex("f212f0ff")
    short, target = SHORT.to_bytes(2, "big"), TARGET.to_bytes(4, "big")
    places = [
        (0o21, b""),
        (0o51, b"\xff\xf0"),
        (0o70, short),
        (0o71, target),
    ]
    for mode, words in [*places, (0o31, b""), (0o72, b"\0\x10")]:
        code = (0xF200 | mode).to_bytes(2, "big") + b"\xd0\xa5" + words
        yield _named(processor, code, load, code, store)
    for mode, words in [*places, (0o41, b"")]:
        mask = b"\xe0\xa5" if mode == 0o41 else b"\xf0\xa5"
        code = (0xF200 | mode).to_bytes(2, "big") + mask + words
        yield _named(processor, code, load, code, store)
    for mode, words in [*places, (0o31, b""), (0o41, b""), (0o02, b"")]:
        code = (0xF200 | mode).to_bytes(2, "big") + b"\xb0\0" + words
        yield _named(processor, code, code)
