"""A report of one fault of Unicorn or QEMU: the smallest program that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SAME = "the same"


class Remedy(StrEnum):
    """What macproof does about a fault.

    Attributes:
        MENDED: its engine leaves what the processor leaves.
        SEEN: its engine leaves that in a program that reads the status of results, or sets it on
            a 601, and in others what Unicorn leaves.
        SEEN_REFUSED: in a program that reads that status its engine stops before the instruction,
            and in others it leaves what Unicorn leaves.
        REFUSED: its engine stops before the instruction, and says which one it is.
        APART: routines run in processes of their own, whose end is reported.
        NOTICED: a call that may depend on it is no evidence, and is reported as such.
        CHECKED: full checks report what the processor refuses.
        OPEN: its engine leaves what Unicorn leaves.
    """

    MENDED = "mended"
    SEEN = "mended in a program that reads FPSR, or reads or sets FPSCR"
    SEEN_REFUSED = "refused by name in a program that reads FPSR"
    REFUSED = "refused by name"
    APART = "runs apart; the end of the process is reported"
    NOTICED = "noticed; such a call decides nothing"
    CHECKED = "reported by full checks"
    OPEN = "not mended"


@dataclass(frozen=True, slots=True)
class EngineFault:
    """One instruction that an engine executes wrongly.

    Attributes:
        title: what goes wrong, as a sentence without its full stop.
        cpu: the processor, as `bare` takes it.
        code: the instruction in hexadecimal; a second one where the first alone shows nothing.
        assembly: the same as text.
        before: the registers before it, as `bare` takes them; all others are 0.
        unicorn: what Unicorn 2.1.4 leaves: the registers that change, or how it ends.
        qemu: what qemu-user 7.2 leaves; `SAME` if it is what Unicorn leaves.
        processor: what the processor leaves.
        manual: where that is said.
        remedy: what macproof does about it.
        remark: more about it; empty if there is nothing.
        cause: where the mistake is in the engine's source, if that is known.
        ends_qemu: whether QEMU has the fault though it leaves something else: its process ends.
    """

    title: str
    cpu: str
    code: str
    assembly: str
    before: str
    unicorn: str
    qemu: str
    processor: str
    manual: str
    remedy: Remedy
    remark: str = ""
    cause: str = ""
    ends_qemu: bool = False

    @property
    def values(self) -> dict[str, int]:
        """The registers before it."""
        pairs = (word.split("=") for word in self.before.split())
        return {name: int(value, 16) for name, value in pairs}

    @property
    def is_in_qemu(self) -> bool:
        """Whether QEMU has the fault, too."""
        return self.qemu == SAME or self.ends_qemu

    @property
    def by_qemu(self) -> str:
        """What QEMU leaves."""
        return self.unicorn if self.qemu == SAME else self.qemu


@dataclass(frozen=True, slots=True)
class InterfaceFault:
    """A call of Unicorn's interface that answers wrongly.

    Attributes:
        title: what goes wrong, as a sentence without its full stop.
        script: a program in Python that prints one line.
        prints: the line with Unicorn 2.1.4.
        expected: the line that is right.
        remark: why that is right, and what macproof does about it.
    """

    title: str
    script: str
    prints: str
    expected: str
    remark: str
