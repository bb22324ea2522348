"""A mutant: one small change of a routine, in its source or in its instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TextChange:
    """A change of a file's text.

    Attributes:
        start: where the text that is replaced begins in the file.
        end: and where it ends.
        text: what takes its place.
    """

    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        """The file's text with the change made."""
        return source[: self.start] + self.text + source[self.end :]


@dataclass(frozen=True, slots=True)
class CodeChange:
    """A change of instructions in memory.

    Attributes:
        program: the name of the program: "601 O1".
        address: where the instructions that are replaced begin.
        code: what takes their place, as many bytes.
    """

    program: str
    address: int
    code: bytes


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file.

    Attributes:
        file: the file's name.
        line: the line of the change, from 1; 0 if it is not known.
        function: the function it is in; of an instruction also how far it is from its beginning.
        operator: the kind of change.
        before: the lines or the instruction that is touched, spaces run together.
        after: the same, changed.
        change: what is changed.
        number: 2 for the second of a function with the same lines and the same change, and so on.
    """

    file: str
    line: int
    function: str
    operator: str
    before: str
    after: str
    change: TextChange | CodeChange
    number: int = 1

    @property
    def key(self) -> str:
        """By what a list names the mutant; it outlives changes elsewhere in the file."""
        which = f" ({self.number})" if self.number > 1 else ""
        return f"{self.place}: {self.before} -> {self.after}{which}"

    @property
    def place(self) -> str:
        """The file, or of instructions the program, and the function that it is in."""
        whole = self.change.program if isinstance(self.change, CodeChange) else self.file
        return f"{whole}, {self.function}"

    @property
    def where(self) -> str:
        """The file and the line: "four_shifts.cpp:100"."""
        return f"{self.file}:{self.line}" if self.line else self.file


def numbered(mutants: Iterable[Mutant]) -> list[Mutant]:
    """The same mutants, of which those that would have the same key are told apart by numbers."""
    times: Counter[str] = Counter()
    mutants_numbered = []
    for mutant in mutants:
        times[mutant.key] += 1
        mutants_numbered.append(replace(mutant, number=times[mutant.key]))
    return mutants_numbered
