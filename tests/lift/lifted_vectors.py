"""Executes vectors of a 68000 on lifted code."""

from __future__ import annotations

from emu.engines.conformity.vectors import Vector
from emu.lift.decoder import Decoder, registers
from emu.lift.interpreter import Interpreter, LeftError
from emu.lift.m68k.m68k_forms import m68k_form
from emu.machine.cpu import M68000
from tests.lift.probe_machine import FLAGS

RIGHT, LEFT, NOT_ASKED = "right", "left", "not asked"
"""What can come of a vector but a mistake: the state that must follow; lifted code is left, as it
has to be for an exception; or a word at an odd address, which lifted code takes as a 68020 does."""

_SPACE = (1 << 24) - 1
_ADDRESS_ERROR = 3
_SYSTEM, _MODES = 0x2000, 0xFF00
_LONGEST = 10


def form_of_vector(vector: Vector) -> str:
    """The form of the instruction of a vector."""
    return m68k_form(M68000.name, _code(vector, vector.before.pc, _LONGEST))


def ask_lifted(vector: Vector) -> str:
    """What lifted code does with a vector: one of this module's words, or what is wrong."""
    memory = dict.fromkeys(vector.after.memory, 0) | dict(vector.before.memory)
    stored: set[int] = set()

    def read(address: int, size: int) -> bytes:
        return bytes(memory[address + n & _SPACE] for n in range(size))

    def write(address: int, data: bytes) -> None:
        for at, byte in enumerate(data, address):
            memory[at & _SPACE] = byte
            stored.add(at & _SPACE)

    decoder = Decoder(
        M68000, lambda address, size: _code(vector, address, size), is_compared=lambda code: True
    )
    lifted = Interpreter(decoder, read, write)
    _lay(lifted, vector)
    try:
        at = lifted.step(vector.before.pc & _SPACE)
    except LeftError:
        return LEFT
    except KeyError as error:
        wrong = f"it uses {error.args[0]:06x}, which the processor does not"
        return NOT_ASKED if vector.exception == _ADDRESS_ERROR else wrong
    if vector.exception == _ADDRESS_ERROR or _has_other_modes(vector):
        return NOT_ASKED
    if vector.exception is not None:
        return f"it must take exception {vector.exception}"
    return _compared(lifted, vector, at, memory, stored) or RIGHT


def _has_other_modes(vector: Vector) -> bool:
    """Whether MOVE from SR finds other modes than a program of macproof has."""
    return vector.group == "MOVEfromSR" and vector.before.registers["sr"] & _MODES != _SYSTEM


def _code(vector: Vector, address: int, size: int) -> bytes:
    code = bytearray()
    for at in range(address, address + size):
        if at & _SPACE not in vector.before.memory:
            break
        code.append(vector.before.memory[at & _SPACE])
    return bytes(code)


def _general(vector: Vector) -> dict[str, str]:
    """SLEIGH's names of registers, and those of the vector."""
    stack = "ssp" if vector.before.registers["sr"] & _SYSTEM else "usp"
    names = {f"{kind}{n}".upper(): f"{kind}{n}" for kind in "da" for n in range(8)}
    del names["A7"]
    return {**names, "SP": stack}


def _lay(lifted: Interpreter, vector: Vector) -> None:
    values = vector.before.registers
    for name, given in _general(vector).items():
        lifted.set(registers("m68k")[name], values[given])
    for bit, name in enumerate(FLAGS):
        lifted.set(registers("m68k")[name], values["sr"] >> bit & 1)


def _compared(
    lifted: Interpreter, vector: Vector, at: int, memory: dict[int, int], stored: set[int]
) -> str:
    """Where the state differs from the one that must follow."""
    names, wanted = registers("m68k"), vector.after.registers
    wrong = [
        given
        for name, given in _general(vector).items()
        if lifted.get(names[name]) != wanted[given]
    ]
    decided = ~(vector.ignored or {}).get("sr", 0)
    for bit, name in enumerate(FLAGS):
        differs = lifted.get(names[name]) != wanted["sr"] >> bit & 1
        wrong += [name] if differs and decided >> bit & 1 else []
    wrong += ["pc"] if (at ^ vector.after.pc) & _SPACE else []
    wrong += [f"{a:06x}" for a, byte in vector.after.memory.items() if memory[a] != byte]
    wrong += [f"a store to {address:06x}" for address in stored - set(vector.after.memory)]
    return " ".join(wrong)
