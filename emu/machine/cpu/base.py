"""The description of a processor: everything in which processors differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emu.machine.cpu.special import FindSpecial, SpecialInstruction, StatusInstructions
from emu.program import Program


@dataclass(frozen=True, slots=True)
class Probe:
    """An instruction that some models of a family execute and others refuse.

    Attributes:
        name: the instruction, for messages.
        code: its bytes, big-endian as fetched.
        runs: whether the processor executes it.
    """

    name: str
    code: bytes
    runs: bool


@dataclass(frozen=True, slots=True)
class StateField:
    """Bits of a state register that mean one thing.

    Attributes:
        name: what they are, for messages ("rounding mode").
        mask: which bits of the register they are; there is no gap between them.
        words: what each value means; a value without words is shown as a number.
    """

    name: str
    mask: int
    words: tuple[str, ...] = ()

    def describe(self, value: int) -> str:
        """This field in words, out of a value of the whole register."""
        part = (value & self.mask) // (self.mask & -self.mask)
        return self.words[part] if part < len(self.words) else f"0x{part:x}"


@dataclass(frozen=True, slots=True)
class StateRegister:
    """A register with modes of the processor, which a routine must not change for its caller.

    Attributes:
        name: as in processor manuals ("fpcr").
        at_call: what it holds when a routine is called.
        fields: the bits that a routine must leave as they were; it may change all others.
    """

    name: str
    at_call: int
    fields: tuple[StateField, ...]

    @property
    def preserved(self) -> int:
        """The bits of all fields."""
        return sum(field.mask for field in self.fields)


@dataclass(frozen=True, slots=True)
class CacheEffect:
    """What an instruction does to the processor's caches.

    Attributes:
        stores: whether it writes the data cache back to memory.
        invalidates: whether it empties the instruction cache.
    """

    stores: bool
    invalidates: bool


def disassembler(architecture: str, *modes: str) -> Callable[[bytes], str]:
    """A function that gives the first instruction of some code as text, by Capstone.

    Args:
        architecture: the name of Capstone's constant, without CS_ARCH_.
        modes: the names of its constants for modes, without CS_MODE_.
    """

    def disassemble(code: bytes) -> str:
        import capstone  # loaded only where code is shown

        mode = sum(getattr(capstone, f"CS_MODE_{name}") for name in modes)
        decoder = capstone.Cs(getattr(capstone, f"CS_ARCH_{architecture}"), mode)
        for _, _, name, operands in decoder.disasm_lite(code, 0, 1):
            return f"{name} {operands}".strip()
        return f"0x{code[:4].hex()}"

    return disassemble


@dataclass(frozen=True, slots=True, eq=False)
class Cpu:
    """One processor model.

    Attributes:
        name: what a user types ("68040").
        title: what a reader is shown ("Motorola 68040").
        architecture: the `Program.architecture` it executes.
        family: the engine's name for the processor family ("M68K", "PPC", "MIPS").
        general_registers: names in their usual order, as the engine spells them.
        stack_pointer: the register that is the stack pointer.
        state: registers with modes, such as the rounding mode, which a call must preserve.
        boot: registers to set once, in this order, before anything else. The order matters on
            68K: writing SR exchanges the stack pointers.
        models: the engine's model numbers to try, the likeliest first.
        probes: instructions that tell this model from its relatives.
        interrupts: the engine's interrupt numbers in words.
        interrupt_bias: how far the program counter has moved on when an interrupt is reported.
        has_fpu: whether floating-point registers exist and are preserved across calls.
        count_instructions: how many instructions a block of code holds.
        disassemble: gives the first instruction of some code as text; a number if it is none.
        no_operation: an instruction that does nothing, which ends a probe.
        loses_fault_address: whether the engine does not tell where an exception happened, so that
            a traced run has to run again to find out.
        survives_faults: whether an engine that was stopped by a fault, an exception or the watchdog
            can run again.
        memory_hooks: whether the engine works correctly after a hook on an allowed memory access.
        stored: needed if ``memory_hooks`` is False: gives the addresses to which an instruction
            stores, from its bytes and a function that reads a general register by its number.
        special: finds the special instructions in a piece of code, by their offset: those that the
            engine must not execute, and those that are only noted. It looks at every offset, so it
            also finds bytes that look like one in the middle of another instruction, or in data.
        floats: the instructions that are special only in a program that reads or sets the status of
            the floating-point unit; None if there are none.
        planted: finds the words in a piece of code that other code nearby stores and then runs
            into, by their offsets.
        misread: gives the instruction with which some code begins, if the processor executes it and
            the engine reports an exception instead, without having done anything of it.
        misread_as: the engine's numbers of the exceptions that it reports instead.
        read_status: the code of an instruction that copies the flags to the first general register,
            and the whole status register where no other instruction reads it; b"" if none is known.
        branch: the code of a jump over a distance in bytes, from its own first byte on; b"" if
            none is known.
        odd_fetch: the engine's number of the exception that the processor takes at a jump to an odd
            address; -1 if it ignores the lowest bits of the address.
        cache_effect: gives the `CacheEffect` of an instruction from its first word (which is as
            long as ``no_operation``), or None if the instruction does nothing to caches. The
            attribute itself is None for a processor that executes changed code at once, or of
            which this is not known.
        system_call: the engine's number of the exception by which Macintosh programs call the
            operating system; -1 if none do.
        unwatched: what a real processor refuses and the engine executes all the same, as a plural
            for reports: "odd addresses".
        aligned: the largest power of two of which the address of a word or a longer access should
            be a multiple, less 1, and no larger than the access: 1 for a processor that refuses
            odd addresses, 3 for one that takes longer if a long word is not at a multiple of 4.
        address_lines: how many bits of an address the processor puts out; it ignores the others.
        page_margin: how many bytes before the end of a page of 4,096 bytes the engine ends a block
            that comes so far.
    """

    name: str
    title: str
    architecture: str
    family: str
    general_registers: tuple[str, ...]
    stack_pointer: str
    state: tuple[StateRegister, ...]
    boot: tuple[tuple[str, int], ...]
    models: tuple[int, ...]
    probes: tuple[Probe, ...]
    interrupts: Mapping[int, str]
    interrupt_bias: int
    has_fpu: bool
    count_instructions: Callable[[bytes], int]
    disassemble: Callable[[bytes], str]
    no_operation: bytes
    loses_fault_address: bool = False
    survives_faults: bool = True
    memory_hooks: bool = True
    stored: Callable[[bytes, Callable[[int], int]], range] | None = None
    special: FindSpecial = lambda code: {}
    floats: StatusInstructions | None = None
    planted: Callable[[bytes], frozenset[int]] = lambda code: frozenset()
    misread: Callable[[bytes], SpecialInstruction | None] = lambda code: None
    misread_as: frozenset[int] = frozenset()
    read_status: bytes = b""
    branch: Callable[[int], bytes] = lambda distance: b""
    odd_fetch: int = -1
    cache_effect: Callable[[int], CacheEffect | None] | None = None
    system_call: int = -1
    unwatched: tuple[str, ...] = ()
    aligned: int = 0
    address_lines: int = 32
    page_margin: int = 0

    def accepts(self, program: Program) -> bool:
        """Whether a program is for this processor's architecture."""
        return program.architecture == self.architecture
