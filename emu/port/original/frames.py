"""How a function of an old program finds its return address, and what it may leave behind.

Everything in which the processors differ for recordings, replays and hybrids is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.memory.memory import GuestMemory
from emu.program.instructions.branches import powerpc_branch

_POWERPC_LINKAGE = 24
"""The bytes that the caller leaves to a function for its link and condition registers (Inside
Macintosh: PowerPC System Software, chapter 1)."""
_POWERPC_ARGUMENTS = 4 * 8
"""The room for arguments in registers, which belongs to the function that is called."""


class Frames(ABC):
    """Reads and writes what a call leaves in registers and on the stack.

    Args:
        engine: the processor, which has stopped at the first instruction of a function.

    Attributes:
        preserved: the registers that a function gives back as they were.
        scratch: those that hold nothing when a function begins.
        callers: those among the preserved ones that hold what its callers need, and of which it may
            make nothing.
        arguments_start: how far above the stack pointer what the caller has pushed begins.
        pointer_name: the stack pointer.
    """

    preserved: ClassVar[tuple[str, ...]]
    scratch: ClassVar[tuple[str, ...]]
    callers: ClassVar[tuple[str, ...]]
    arguments_start: ClassVar[int] = 0
    pointer_name: ClassVar[str]

    def __init__(self, engine: HostedEngine) -> None:
        self._registers, self._index = engine.registers, engine.index
        self._memory: GuestMemory = engine.memory
        self._at = engine.index[self.pointer_name]
        self.preserved_at = tuple((name, engine.index[name]) for name in self.preserved)

    @property
    def stack_pointer(self) -> int:
        """The stack pointer."""
        return int(self._registers[self._at])

    def pointer_in(self, registers: Sequence[int]) -> int:
        """The stack pointer among recorded registers."""
        return registers[self._at]

    def deepen(self, amount: int) -> None:
        """Move what lies above the stack pointer, and the pointer, so many bytes down."""
        pointer = self.stack_pointer
        self._memory.write(pointer - amount, self._memory.view(pointer, amount).tobytes())
        self._registers[self._at] = pointer - amount

    @abstractmethod
    def return_address(self) -> int:
        """Where the function that begins goes on when it ends."""

    @abstractmethod
    def return_address_now(self, engine: HostedEngine) -> int:
        """The same while the guest runs."""

    @abstractmethod
    def return_to(self, address: int) -> None:
        """Have it go on elsewhere."""

    def returned_to(self, address: int) -> None:  # noqa: B027
        """Have registers as if a function had just gone back to an address."""

    @abstractmethod
    def jump(self, start: int, target: int) -> bytes:
        """The instruction at an address that leads to another one and changes nothing else."""

    @abstractmethod
    def arguments(self) -> bytes:
        """What may be arguments, to tell calls apart."""

    @abstractmethod
    def is_branch(self, code: bytes) -> bool:
        """Whether an instruction, given its first 4 bytes, is a conditional branch."""

    @abstractmethod
    def callee_bytes(self, arguments: int) -> int:
        """How many bytes from the stack pointer on belong to the function that is called.

        Args:
            arguments: `CallForm.stack_bytes`; 0 if it is not known.
        """

    def _word(self, address: int) -> int:
        return int.from_bytes(self._memory.view(address, 4).tobytes(), "big")


class M68kFrames(Frames):
    """Of the 68K: everything is on the stack.

    D2 is scratch: THINK C and MPW C do not preserve it (Inside Macintosh: Mac OS Runtime
    Architectures, chapter 11).
    """

    preserved = ("d3", "d4", "d5", "d6", "d7", "a2", "a3", "a4", "a5", "a6")
    scratch = ("d0", "d1", "d2", "a0", "a1")
    callers = ("d3", "d4", "d5", "d6", "d7", "a2", "a3")  # A4 is for globals of code resources
    arguments_start = 4  # behind the return address
    pointer_name = "a7"
    _ARGUMENTS = 32

    def return_address(self) -> int:  # noqa: D102
        return self._word(self.stack_pointer)

    def return_address_now(self, engine: HostedEngine) -> int:  # noqa: D102
        return self._word(engine.register_file.read(self.pointer_name))

    def return_to(self, address: int) -> None:  # noqa: D102
        self._memory.write(self.stack_pointer, address.to_bytes(4, "big"))

    def jump(self, start: int, target: int) -> bytes:  # noqa: D102
        return b"\x4e\xf9" + target.to_bytes(4, "big")

    def arguments(self) -> bytes:  # noqa: D102
        return self._memory.view(self.stack_pointer + 4, self._ARGUMENTS).tobytes()

    def is_branch(self, code: bytes) -> bool:  # noqa: D102
        word = int.from_bytes(code[:2], "big")
        return 0x6200 <= word <= 0x6FFF or word & 0xF0F8 == 0x50C8  # Bcc and DBcc

    def callee_bytes(self, arguments: int) -> int:  # noqa: D102
        return 4 + arguments


class PowerPcFrames(Frames):
    """Of the PowerPC: arguments are in registers, and the return address, too."""

    preserved = ("r1", "r2", *(f"r{number}" for number in range(13, 32)))
    scratch = ("r0", "r11", "r12")
    callers = tuple(f"r{number}" for number in range(13, 32))
    pointer_name = "r1"

    def return_address(self) -> int:  # noqa: D102
        return int(self._registers[self._index["lr"]])

    def return_address_now(self, engine: HostedEngine) -> int:  # noqa: D102
        return engine.register_file.read("lr")

    def return_to(self, address: int) -> None:  # noqa: D102
        self._registers[self._index["lr"]] = address

    def returned_to(self, address: int) -> None:  # noqa: D102
        self.return_to(address)

    def jump(self, start: int, target: int) -> bytes:  # noqa: D102
        return (0x4800_0000 | (target - start) & 0x03FF_FFFC).to_bytes(4, "big")

    def arguments(self) -> bytes:  # noqa: D102
        first = self._index["r3"]
        return b"".join(word.to_bytes(4, "big") for word in self._registers[first : first + 8])

    def is_branch(self, code: bytes) -> bool:  # noqa: D102
        branch = powerpc_branch(0, int.from_bytes(code, "big"))
        return branch is not None and branch.is_conditional

    def callee_bytes(self, arguments: int) -> int:  # noqa: D102
        return max(_POWERPC_LINKAGE + _POWERPC_ARGUMENTS, arguments)


def frames_of(engine: HostedEngine, architecture: str) -> Frames:
    """The frames of a processor."""
    return M68kFrames(engine) if architecture == "m68k" else PowerPcFrames(engine)
