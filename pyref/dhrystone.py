"""The work of Dhrystone 2.1 (Reinhold P. Weicker, 1988): what a number of runs leaves behind.

Each run does the same to two records, two tables of numbers, two letters and a few texts; the
benchmark publishes what they must hold at the end, and `tests/pyref/test_dhrystone.py` holds this
reference against that. A scene is a number of runs, and what the tables hold before: nothing in
the benchmark, anything in scenes that are *varied*, so that every store into them can be seen. In
scenes with *other texts* the texts and the first record's variant and choice are others too, so
that it can be seen what is done with them.

Much of the work is written over by what comes after it. `DhrystoneState.calls` has what each
procedure finds or makes, in the order of the work.

Numbers are 32 bits wide; none here comes near their ends.
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
_LETTERS = 30  # of a text, at most
_APART = 2**32 + 15  # so that other numbers of runs have texts of other seeds
_COMPARED = 4  # letters that are looked at even where a text is shorter
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
        texts: of the first record, and the two that are compared: the first has 30 letters, the
            others 4 to 30, none of them 0. The third letter of the second text and the fourth of
            the third differ.
        variant: of the first record, 0 to 2.
        choice: of the first record, 0 to 4.
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
        """The first of the two that are compared, with its final zero."""
        return _text(self.texts[1])

    @property
    def second_text(self) -> NDArray[np.int8]:
        """The second of the two that are compared, with its final zero."""
        return _text(self.texts[2])

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
        calls: int32 of shape (calls, 4): the number of a procedure in `PROCEDURES`, and three
            numbers that it notes.
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
        """How many notes there are."""
        return len(self.calls)

    @property
    def call_procedures(self) -> NDArray[np.int32]:
        """Who made each note."""
        return self.calls[:, 0]

    @property
    def call_first(self) -> NDArray[np.int32]:
        """The first number of each note."""
        return self.calls[:, 1]

    @property
    def call_second(self) -> NDArray[np.int32]:
        """The second number of each note."""
        return self.calls[:, 2]

    @property
    def call_third(self) -> NDArray[np.int32]:
        """The third number of each note."""
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
    # Of their own for every number of runs: there are not many scenes of each.
    stream = Stream((seed + _APART * objects) % 2**64)
    some = _letters(stream, _LETTERS)
    variant, choice = stream.below(1, 3, 5)[0].tolist()
    return replace(scene, texts=(some, *_two_texts(stream)), variant=variant, choice=choice)


def _letters(stream: Stream, count: int) -> bytes:
    """Letters from 1 to 255: those above 127 are negative where a letter has a sign."""
    return bytes(1 + letter for letter in stream.below(count, 255)[:, 0].tolist())


def _two_texts(stream: Stream) -> tuple[bytes, bytes]:
    """Two texts to be compared: equal, one letter apart, one the other's beginning, or strangers.

    A letter apart is one more or one less in the alphabet, which is the least there is.
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
    """Any letter but one; rather often the negative of it, where a letter has a sign."""
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
"""The procedures that note something, by the number they have in `DhrystoneState.calls`."""


class _Globals:
    """What the procedures share; each procedure is a method."""

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
        """The sum of two numbers and 2; ``before`` is what the sum is written over."""
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
        assert self.letter_1 == _A, "else it would go on for ever"
        self.note("reduce number", number, self.number, self.letter_1)
        return number + 10 - 1 - self.number


def _signed(letter: int) -> int:
    """A letter as a char with a sign has it."""
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
