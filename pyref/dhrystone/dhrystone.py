"""The work of Dhrystone 2.1 (Reinhold P. Weicker, 1988), repeated for a number of runs.

Each run does the same to two records, two tables of numbers, two letters and a few texts. The
benchmark publishes their final values, and `tests/pyref/dhrystone/test_dhrystone.py` checks this
reference against them. Later work overwrites much of the earlier work. So `DhrystoneState.calls`
records numbers that each procedure receives or computes, in the order of the work. Numbers have
32 bits, and none of them overflows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pyref.dhrystone.dhrystone_scene import FIFTH, FIRST, FOURTH, SECOND, THIRD, Runs, letters

_A, _B, _C = (ord(letter) for letter in "ABC")
_THIRD_TEXT = b"DHRYSTONE PROGRAM, 3'RD STRING"


@dataclass(frozen=True, slots=True, eq=False)
class DhrystoneState:
    """The final state. Records are numbered from 0; the current one is the first.

    Before the first run the second record has never been touched, so arrays over records have one
    element then, and two afterwards. Texts are bytes with their final zero.

    Attributes:
        runs: how often the work was done.
        next_records: which record each record points to.
        variants: which variant each record is, from 0.
        choices: the choice in each record, from 0.
        numbers: the number in each record.
        texts: int8 of shape (records, 31).
        record: the number of the current record.
        older_record: the number of the other record.
        number: the global number.
        flag: the global boolean.
        letter_1: the code of the first global letter.
        letter_2: the code of the second global letter.
        row: int32 of shape (50,).
        table: int32 of shape (50, 50).
        one: the first number of the main procedure.
        two: the second number of the main procedure.
        three: the third number of the main procedure.
        choice: the choice of the main procedure.
        text_1: the first text of the main procedure, int8.
        text_2: the second text, int8; before the first run only its final zero.
        calls: int32 of shape (calls, 4), the records of calls: the procedure's number in
            `PROCEDURES`, and three numbers.
    """

    runs: int
    next_records: NDArray[np.int32]
    variants: NDArray[np.int32]
    choices: NDArray[np.int32]
    numbers: NDArray[np.int32]
    texts: NDArray[np.int8]
    record: int
    older_record: int
    number: int
    flag: int
    letter_1: int
    letter_2: int
    row: NDArray[np.int32]
    table: NDArray[np.int32]
    one: int
    two: int
    three: int
    choice: int
    text_1: NDArray[np.int8]
    text_2: NDArray[np.int8]
    calls: NDArray[np.int32]

    @property
    def call_count(self) -> int:
        """How many calls are recorded."""
        return len(self.calls)

    @property
    def call_procedures(self) -> NDArray[np.int32]:
        """The procedure of each recorded call."""
        return self.calls[:, 0]

    @property
    def call_first(self) -> NDArray[np.int32]:
        """The first number of each recorded call."""
        return self.calls[:, 1]

    @property
    def call_second(self) -> NDArray[np.int32]:
        """The second number of each recorded call."""
        return self.calls[:, 2]

    @property
    def call_third(self) -> NDArray[np.int32]:
        """The third number of each recorded call."""
        return self.calls[:, 3]


@dataclass(slots=True)
class _Record:
    next: int
    variant: int
    choice: int
    number: int
    text: bytes


PROCEDURES = (
    "run",
    "compare texts",
    "is third",
    "pick choice",
    "add with two",
    "fill tables",
    "match letters",
    "is text greater",
    "follow record",
    "change records",
    "reduce number",
    "set second letter",
    "set first letter",
)
"""The procedures whose calls are recorded; `DhrystoneState.calls` has their indices."""


class _Globals:
    """The data that the procedures share; each procedure is a method."""

    def __init__(self, scene: Runs) -> None:
        self.row, self.table = scene.row.copy(), scene.table.copy()
        self.table[8, 7] = 10
        self.records = [_Record(1, scene.variant, scene.choice, 40, scene.texts[0])]
        self.number = self.flag = self.letter_1 = self.letter_2 = 0
        self.calls: list[tuple[int, int, int, int]] = []

    def note(self, procedure: str, first: int, second: int, third: int = 0) -> None:
        self.calls.append((PROCEDURES.index(procedure), first, second, third))

    def match(self, a: int, b: int) -> int:
        self.note("match letters", a, b, a != b)
        if a != b:
            return FIRST
        self.letter_1 = a
        return SECOND

    def greater(self, a: bytes, b: bytes) -> bool:
        at = 2
        while at <= 2:
            if self.match(_signed(a[at]), _signed(b[at + 1])) == FIRST:
                at += 1
        apart = next(
            (i for i, pair in enumerate(zip(a, b, strict=False)) if len({*pair}) > 1), None
        )
        apart = min(len(a), len(b)) if apart is None else apart
        ends = [_signed(text[apart]) if apart < len(text) else 0 for text in (a, b)]
        self.note("compare texts", *ends)
        if a > b:
            self.number = at = at + 7
        self.note("is text greater", at, _A, a > b)
        return a > b

    def pick(self, choice: int) -> int:
        self.note("is third", choice, choice == THIRD)
        self.note("pick choice", choice, self.number, THIRD if choice == THIRD else FOURTH)
        small = FIRST if self.number > 100 else FOURTH
        return {FIRST: FIRST, SECOND: small, THIRD: SECOND, FOURTH: FOURTH, FIFTH: THIRD}[choice]

    def add_with_two(self, a: int, b: int, before: int) -> int:
        """The sum of two numbers and 2; the sum overwrites ``before``."""
        self.note("add with two", a, b, before)
        return a + b + 2

    def fill(self, a: int, b: int) -> None:
        at = a + 5
        self.note("fill tables", a, b, self.number)
        self.row[at] = self.row[at + 1] = b
        self.row[at + 30] = at
        self.table[at, at] = self.table[at, at + 1] = at
        self.table[at, at - 1] += 1
        self.table[at + 20, at] = b
        self.number = 5

    def change(self) -> None:
        current = self.records[0]
        older = replace(current)
        self.records[1:] = [older]
        current.number = 5
        older.number = current.number
        older.next = current.next  # set twice, to the same
        self.note("change records", current.number, older.number, older.variant)
        self.note("follow record", older.next, current.number, self.number)
        current.number = self.add_with_two(10, self.number, current.number)
        if older.variant == FIRST:
            older.number = 6
            older.choice = self.pick(current.choice)
            older.next = current.next
            older.number = self.add_with_two(older.number, 10, older.number)
        else:
            self.records[0] = replace(older)

    def reduce(self, number: int) -> int:
        assert self.letter_1 == _A, "the loop would not end"
        self.note("reduce number", number, self.number, self.letter_1)
        return number + 10 - 1 - self.number


def _signed(letter: int) -> int:
    """The value of a letter as a signed char."""
    return letter - 256 if letter > 127 else letter


def run(scene: Runs) -> DhrystoneState:
    """Do the work as often as the scene says.

    Args:
        scene: from `dhrystone_scene.make_scene`.
    """
    shared = _Globals(scene)
    one = two = three = 0
    choice = FIRST
    first_text, second_text = scene.texts[1:]
    text_2 = b""
    for count in range(1, scene.objects + 1):
        shared.letter_1, shared.flag = _A, 0
        shared.note("set first letter", _A, shared.flag)
        shared.flag, shared.letter_2 = int(shared.letter_1 == _A) | shared.flag, _B
        shared.note("set second letter", 1, shared.flag, _B)
        one, two, choice, text_2 = 2, 3, SECOND, second_text
        shared.flag = int(not shared.greater(first_text, text_2))
        while one < two:
            three = shared.add_with_two(one, two, 5 * one - two)
            one += 1
        shared.fill(one, three)
        shared.change()
        for letter in range(_A, shared.letter_2 + 1):
            if choice == shared.match(letter, _C):
                choice, text_2 = shared.pick(FIRST), _THIRD_TEXT
                two = shared.number = count
        two *= one
        one = two // three
        two = 7 * (two - three) - one
        one = shared.reduce(one)
        shared.note("run", one, two, choice)
    return _final_state(
        scene.objects, shared, (one, two, three), choice, (letters(first_text), letters(text_2))
    )


def _final_state(
    runs: int,
    shared: _Globals,
    numbers: tuple[int, int, int],
    choice: int,
    texts: tuple[NDArray[np.int8], NDArray[np.int8]],
) -> DhrystoneState:
    """The shared data, and the main procedure's three numbers, choice and two texts."""
    records = shared.records
    one, two, three = numbers
    return DhrystoneState(
        runs=runs,
        next_records=_numbers([record.next for record in records]),
        variants=_numbers([record.variant for record in records]),
        choices=_numbers([record.choice for record in records]),
        numbers=_numbers([record.number for record in records]),
        texts=np.stack([letters(record.text) for record in records]),
        record=0,
        older_record=1,
        number=shared.number,
        flag=shared.flag,
        letter_1=shared.letter_1,
        letter_2=shared.letter_2,
        row=shared.row,
        table=shared.table,
        one=one,
        two=two,
        three=three,
        choice=choice,
        text_1=texts[0],
        text_2=texts[1],
        calls=np.array(shared.calls, dtype=np.int32).reshape(-1, 4),
    )


def _numbers(values: list[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)
