"""A processor as GDB is told of it: its registers in their order, as XML.

Source: Debugging with GDB, appendix G "Target Descriptions".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DescribedRegister:
    """One register.

    Attributes:
        name: GDB's name for it.
        source: its name in `emu.debug.requests.RegisterValue`.
        bits: its size.
        kind: its type in GDB's words.
    """

    name: str
    source: str
    bits: int = 32
    kind: str = "int"

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return self.bits // 8


@dataclass(frozen=True, slots=True)
class RegisterGroup:
    """A group of registers, under a name that GDB knows."""

    name: str
    registers: tuple[DescribedRegister, ...]


@dataclass(frozen=True, slots=True)
class ProcessorDescription:
    """A processor.

    Attributes:
        architecture: GDB's name for it.
        features: its registers; GDB numbers them from 0 on in this order.
        program_counter: the number of the program counter.
        stack_pointer: the number of the stack pointer.
    """

    architecture: str
    features: tuple[RegisterGroup, ...]
    program_counter: int
    stack_pointer: int

    @property
    def registers(self) -> tuple[DescribedRegister, ...]:
        """All registers by their numbers."""
        return tuple(register for feature in self.features for register in feature.registers)

    def xml(self) -> str:
        """The description as GDB reads it."""
        lines = [
            '<?xml version="1.0"?>',
            '<!DOCTYPE target SYSTEM "gdb-target.dtd">',
            '<target version="1.0">',
            f"<architecture>{self.architecture}</architecture>",
            # Without a system GDB takes Linux's, and would look for Linux's shared libraries.
            "<osabi>none</osabi>",
        ]
        number = 0
        for feature in self.features:
            lines.append(f'<feature name="{feature.name}">')
            for register in feature.registers:
                lines.append(
                    f'<reg name="{register.name}" bitsize="{register.bits}" '
                    f'type="{register.kind}" regnum="{number}"/>'
                )
                number += 1
            lines.append("</feature>")
        return "\n".join([*lines, "</target>", ""])
