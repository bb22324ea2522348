"""The work of Dhrystone 2.1 (Reinhold P. Weicker, 1988): what a number of runs leaves behind.

Each run does the same to two records, two tables of numbers, two letters and a few texts; the
benchmark publishes what they must hold at the end, and `tests/pyref/test_dhrystone.py` holds this
reference against that. A scene is a number of runs, and what the tables hold before: nothing in
the benchmark, anything in scenes that are *varied*, so that every store into them can be seen.

Numbers are 32 bits wide; none here comes near their ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import Stream, check_origin

__all__ = ["FIRST", "GENERATORS", "SMALL", "DhrystoneState", "Runs", "make_scene", "run"]

SMALL = 50  # numbers in the row, rows and columns of the table
GENERATORS = ("standard", "varied")

FIRST, SECOND, THIRD, FOURTH, FIFTH = range(5)
_A, _B, _C = (ord(letter) for letter in "ABC")
_SOME, _FIRST_TEXT, _SECOND_TEXT, _THIRD_TEXT = (
    f"DHRYSTONE PROGRAM, {which} STRING" for which in ("SOME", "1'ST", "2'ND", "3'RD")
)
_LARGEST = 1000  # of what a varied table holds before


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """How often the work is done, and on what.

    Attributes:
        objects: the number of runs.
        generator: one of `GENERATORS`.
        seed: what the generator started from.
        row: int32 of shape (50,), the row of numbers before.
        table: int32 of shape (50, 50), the table before.
    """

    objects: int
    generator: str
    seed: int
    row: NDArray[np.int32]
    table: NDArray[np.int32]

    def keep(self, indices: ArrayLike) -> Runs:
        """As many runs as there are indices; one run is like another."""
        return replace(self, objects=len(np.asarray(indices).reshape(-1)))


@dataclass(frozen=True, slots=True, eq=False)
class DhrystoneState:
    """What is left at the end. Records are counted from 0, the current one first.

    Before the first run the second record has never been touched, so arrays over records have one
    element then, and two afterwards. Texts are bytes with their final zero.

    Attributes:
        runs: how often the work was done.
        next_records: which record each record points to.
        variants: which variant each record is, from 0.
        choices: the choice in each record, from 0.
        numbers: the number in each record.
        texts: int8 of shape (records, 31).
        record: the current record.
        older_record: the other one.
        number: the global number.
        flag: the global truth value.
        letter_1: the first global letter, as its code.
        letter_2: the second.
        row: int32 of shape (50,).
        table: int32 of shape (50, 50).
        one: the main procedure's first number.
        two: its second.
        three: its third.
        choice: its choice.
        text_1: its first text, int8.
        text_2: its second text, int8; of one byte, the zero, before the first run.
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


def make_scene(generator: str, objects: int, seed: int, *, width: int = 0, height: int = 0) -> Runs:
    """Make the scene of a number of runs.

    Args:
        generator: one of `GENERATORS`.
        objects: the number of runs.
        seed: 0 <= seed < 2**64; changes what varied tables hold.
        width: not used; there is no screen.
        height: not used.

    Raises:
        ValueError: there is no such generator, or a number is outside the limits.
    """
    check_origin(generator, seed, GENERATORS)
    if objects < 0:
        raise ValueError(f"{objects} runs: the number must not be negative")
    size = SMALL + SMALL * SMALL
    before = np.zeros(size, dtype=np.int32)
    if generator == "varied":
        before = Stream(seed).below(size, _LARGEST)[:, 0]
    return Runs(objects, generator, seed, before[:SMALL], before[SMALL:].reshape(SMALL, SMALL))


@dataclass(slots=True)
class _Record:
    next: int
    variant: int
    choice: int
    number: int
    text: str


class _Globals:
    """What the procedures share; each procedure is a method."""

    def __init__(self, scene: Runs) -> None:
        self.row, self.table = scene.row.copy(), scene.table.copy()
        self.table[8, 7] = 10
        self.records = [_Record(1, FIRST, THIRD, 40, _SOME)]
        self.number = self.flag = self.letter_1 = self.letter_2 = 0

    def match(self, a: int, b: int) -> int:
        if a != b:
            return FIRST
        self.letter_1 = a
        return SECOND

    def greater(self, a: str, b: str) -> bool:
        at = 2
        while at <= 2:
            if self.match(ord(a[at]), ord(b[at + 1])) == FIRST:
                at += 1
        if a > b:
            self.number = at + 7
            return True
        return False

    def pick(self, choice: int) -> int:
        small = FIRST if self.number > 100 else FOURTH
        return {FIRST: FIRST, SECOND: small, THIRD: SECOND, FOURTH: FOURTH, FIFTH: THIRD}[choice]

    def fill(self, a: int, b: int) -> None:
        at = a + 5
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
        older.next = current.next  # set twice, to the same
        current.number = add_with_two(10, self.number)
        if older.variant == FIRST:
            older.number = 6
            older.choice = self.pick(current.choice)
            older.next = current.next
            older.number = add_with_two(older.number, 10)
        else:
            self.records[0] = replace(older)

    def reduce(self, number: int) -> int:
        assert self.letter_1 == _A, "else it would go on for ever"
        return number + 10 - 1 - self.number


def add_with_two(a: int, b: int) -> int:
    """The sum of two numbers and 2."""
    return a + b + 2


def run(scene: Runs) -> DhrystoneState:
    """Do the work as often as the scene says.

    Args:
        scene: from `make_scene`.
    """
    shared = _Globals(scene)
    one = two = three = 0
    choice = FIRST
    text_2 = ""
    for count in range(1, scene.objects + 1):
        shared.letter_1, shared.flag = _A, 0
        shared.flag, shared.letter_2 = int(shared.letter_1 == _A) | shared.flag, _B
        one, two, choice, text_2 = 2, 3, SECOND, _SECOND_TEXT
        shared.flag = int(not shared.greater(_FIRST_TEXT, text_2))
        while one < two:
            three = add_with_two(one, two)
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
    records = shared.records
    return DhrystoneState(
        runs=scene.objects,
        next_records=_numbers([record.next for record in records]),
        variants=_numbers([record.variant for record in records]),
        choices=_numbers([record.choice for record in records]),
        numbers=_numbers([record.number for record in records]),
        texts=np.stack([_text(record.text) for record in records]),
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
        text_1=_text(_FIRST_TEXT),
        text_2=_text(text_2),
    )


def _numbers(values: list[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def _text(text: str) -> NDArray[np.int8]:
    return np.frombuffer(text.encode("ascii") + b"\0", dtype=np.int8)
