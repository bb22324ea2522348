"""The work of Dhrystone 2.1 (Reinhold P. Weicker, 1988), repeated for a number of runs.

Each run does the same to two records, two tables of numbers, two letters and a few texts. The
benchmark publishes their final values, and `tests/pyref/test_dhrystone.py` checks this reference
against them. A scene is a number of runs and the initial contents of the tables. These are zeros
in the benchmark. In *varied* scenes they are random, so that every store into them can be seen. In
scenes with *other texts* the texts and the first record's variant and choice are random too.

Later work overwrites much of the earlier work. So `DhrystoneState.calls` records numbers that each
procedure receives or computes, in the order of the work.

Numbers have 32 bits, and none of them overflows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import Stream, check_origin

__all__ = [
    "FIRST",
    "GENERATORS",
    "PROCEDURES",
    "SMALL",
    "DhrystoneState",
    "Runs",
    "make_scene",
    "run",
]

SMALL = 50  # numbers in the row, rows and columns of the table
GENERATORS = ("standard", "varied", "other-texts")

FIRST, SECOND, THIRD, FOURTH, FIFTH = range(5)
_A, _B, _C = (ord(letter) for letter in "ABC")
_SOME, _FIRST_TEXT, _SECOND_TEXT, _THIRD_TEXT = (
    f"DHRYSTONE PROGRAM, {which} STRING".encode() for which in ("SOME", "1'ST", "2'ND", "3'RD")
)
_LETTERS = 30  # the most letters of a text
_APART = 2**32 + 15  # makes the texts differ between numbers of runs
_COMPARED = 4  # letters that are compared even if a text is shorter
_LARGEST = 1000  # the limit of initial numbers in a varied table


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """A scene: how often the work is done, and the initial data.

    Attributes:
        objects: the number of runs.
        generator: one of `GENERATORS`.
        seed: what the generator started from.
        row: int32 of shape (50,), the initial row of numbers.
        table: int32 of shape (50, 50), the initial table.
        texts: three texts: that of the first record, with 30 letters, and the two that are
            compared, with 4 to 30 letters. No letter is 0. The third letter of the second text and
            the fourth of the third differ.
        variant: the first record's variant, 0 to 2.
        choice: the first record's choice, 0 to 4.
    """

    objects: int
    generator: str
    seed: int
    row: NDArray[np.int32]
    table: NDArray[np.int32]
    texts: tuple[bytes, bytes, bytes] = (_SOME, _FIRST_TEXT, _SECOND_TEXT)
    variant: int = FIRST
    choice: int = THIRD

    @property
    def some_text(self) -> NDArray[np.int8]:
        """The first record's text, with its final zero."""
        return _text(self.texts[0])

    @property
    def first_text(self) -> NDArray[np.int8]:
        """The first of the compared texts, with its final zero."""
        return _text(self.texts[1])

    @property
    def second_text(self) -> NDArray[np.int8]:
        """The second of the compared texts, with its final zero."""
        return _text(self.texts[2])

    def keep(self, indices: ArrayLike) -> Runs:
        """The scene with as many runs as there are indices; all runs are alike."""
        return replace(self, objects=len(np.asarray(indices).reshape(-1)))


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
    stream = Stream(seed)
    if generator != "standard":
        before = stream.below(size, _LARGEST)[:, 0]
    scene = Runs(objects, generator, seed, before[:SMALL], before[SMALL:].reshape(SMALL, SMALL))
    if generator != "other-texts":
        return scene
    # Other texts for every number of runs, because there are few scenes of each number.
    stream = Stream((seed + _APART * objects) % 2**64)
    some = _letters(stream, _LETTERS)
    variant, choice = stream.below(1, 3, 5)[0].tolist()
    return replace(scene, texts=(some, *_two_texts(stream)), variant=variant, choice=choice)


def _letters(stream: Stream, count: int) -> bytes:
    """Letters from 1 to 255; those above 127 are negative on processors with signed char."""
    return bytes(1 + letter for letter in stream.below(count, 255)[:, 0].tolist())


def _two_texts(stream: Stream) -> tuple[bytes, bytes]:
    """Two texts to compare: equal, one letter apart, one a prefix of the other, or unrelated.

    "One letter apart" means that codes of one letter differ by 1, the smallest difference.
    """
    length, kind, place, other = stream.below(1, _LETTERS - _COMPARED, 5, 1000, 1000)[0].tolist()
    first = bytearray(_letters(stream, _COMPARED + 1 + length))
    first[3] = _another(first[2], other)
    second = bytearray(first)
    last = len(first) - 1
    if kind == 1:  # one letter apart
        at = _COMPARED + place % (last - _COMPARED + 1)
        first[at] = 2 + other % 253
        second = bytearray(first)
        second[at] += -1 if place % 2 else 1
        second[at + 1 :] = _letters(stream, last - at)
    elif kind == 2:
        del second[_COMPARED + place % (last - _COMPARED + 1) :]
    elif kind == 3:
        del first[_COMPARED + place % (last - _COMPARED + 1) :]
    elif kind == 4:
        second = bytearray(_letters(stream, _COMPARED + other % (_LETTERS - _COMPARED + 1)))
        second[3] = _another(first[2], place)
    return bytes(first), bytes(second)


def _another(letter: int, draw: int) -> int:
    """Any other letter; in a quarter of the draws the negative one, if char is signed."""
    if draw % 4 == 0 and letter != 128:
        return 256 - letter
    return (letter + draw % 254) % 255 + 1


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
        scene: from `make_scene`.
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
        scene.objects, shared, (one, two, three), choice, (_text(first_text), _text(text_2))
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
        text_1=texts[0],
        text_2=texts[1],
        calls=np.array(shared.calls, dtype=np.int32).reshape(-1, 4),
    )


def _numbers(values: list[int]) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def _text(text: bytes) -> NDArray[np.int8]:
    return np.frombuffer(text + b"\0", dtype=np.int8)
