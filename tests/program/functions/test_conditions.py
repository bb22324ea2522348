"""Functions chosen by what they hold, call and touch."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.program.functions.conditions import (
    FunctionCondition,
    choose,
    number_of,
    places_in_data,
)
from emu.program.functions.find_functions import find_functions
from emu.program.functions.model import ProgramFunctions
from emu.program.instructions.listing import place_of
from emu.program.read import read_program

ARCHIVER = Path(__file__).parents[3] / "examples" / "old-application" / "Archiver.bin"


@pytest.fixture(scope="module")
def archiver() -> ProgramFunctions:
    """The functions of an application whose symbols are lost."""
    return find_functions(read_program(ARCHIVER))


@pytest.mark.parametrize(
    ("condition", "places", "reasons"),
    [
        (FunctionCondition(find=("0x1021",)), ["CODE 1+0x16e"], ("number 0x1021",)),
        (FunctionCondition(find=("archive",)), ["CODE 1+0x126"], ('text "archive"',)),
        (
            FunctionCondition(touches=("A5-0x10cc",)),
            ["CODE 1+0xd2", "CODE 1+0x126"],
            ("reads and writes A5-0x10cc",),
        ),
        (
            FunctionCondition(calls=("SetRect", "NewRgn")),
            ["CODE 1+0x394"],
            ("calls SetRect", "calls NewRgn"),
        ),
        (FunctionCondition(calls=("CODE 1+0xd2",)), ["CODE 1+0x126"], ("calls CODE 1+0xd2",)),
        (
            FunctionCondition(touches=("a5-0x10cc",), calls=("InitGraf",)),
            ["CODE 1+0x126"],
            ("calls InitGraf", "reads A5-0x10cc"),
        ),
        (FunctionCondition(find=("0x1021", "archive")), [], ()),
        (FunctionCondition(touches=("A5-0x2",)), [], ()),
    ],
)
def test_functions_have_all_that_is_asked_for(
    archiver: ProgramFunctions,
    condition: FunctionCondition,
    places: list[str],
    reasons: tuple[str, ...],
) -> None:
    choices = choose(archiver, condition)
    assert [choice.function.place for choice in choices] == places
    assert not choices or choices[0].reasons == reasons


def test_without_a_condition_all_are_chosen(archiver: ProgramFunctions) -> None:
    assert not FunctionCondition()
    assert len(choose(archiver, FunctionCondition())) == len(archiver.functions) > 50


def test_a_routine_that_nobody_has_is_refused(archiver: ProgramFunctions) -> None:
    with pytest.raises(UsageError, match=r"--calls SetRectt: .* did you mean SetRect\?"):
        choose(archiver, FunctionCondition(calls=("SetRectt",)))


def test_places_in_data(archiver: ProgramFunctions) -> None:
    places = list(places_in_data(archiver.program, "archive"))
    assert [place_of(archiver.program, place.address) for place in places] == ["CODE 1+0x1fe4"]
    assert list(places_in_data(archiver.program, "no such text")) == []
    assert list(places_in_data(archiver.program, "0x90")) == []  # nearly all data has it


@pytest.mark.parametrize(
    ("text", "number"), [("0x90", 0x90), ("-5", -5), ("12", 12), ("1a", None), ("abc", None)]
)
def test_numbers_and_texts(text: str, number: int | None) -> None:
    assert number_of(text) == number
