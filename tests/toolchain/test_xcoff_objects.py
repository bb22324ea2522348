"""What the objects of Retro68's PowerPC compiler define and need."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.toolchain.objects import Definition, definitions_of, has_constructors, undefined_in
from emu.toolchain.xcoff_objects import shown_names
from tests.program import fragment_samples as sample
from tests.program.fragment_samples import Symbol

HIDDEN, WEAK = 107, 111
TEXT, DATA, ZEROED = sample.TEXT_SECTION, sample.DATA_SECTION, sample.ZEROED_SECTION
CODE, LABEL = sample.PROGRAM_CODE, sample.LABEL
SYMBOLS = [
    Symbol(".text", 0, TEXT, CODE, storage=HIDDEN),
    Symbol(".Run", 0, TEXT, CODE, LABEL),
    Symbol("._ZN5Shape4AreaEv", 4, TEXT, CODE, LABEL, storage=WEAK),
    Symbol("._ZL6Helperv", 8, TEXT, CODE, LABEL, storage=HIDDEN),
    Symbol("Run", 0, DATA, sample.DESCRIPTOR, length=12),
    Symbol("gTable", 12, DATA, sample.READ_WRITE, length=4),
    Symbol("gTable", 8, DATA, sample.ENTRY, length=4, storage=HIDDEN),
    Symbol("_ZL5gLast", 24, ZEROED, sample.ZEROED, sample.COMMON, 4, storage=HIDDEN),
    Symbol(".SetRect", 0, 0, CODE, 0),
    Symbol("gElsewhere", 0, 0, sample.READ_WRITE, 0),
]


@pytest.fixture
def made(tmp_path: Path):
    def write(*more: Symbol) -> Path:
        path = tmp_path / "unit0.o"
        code, data = bytes(16), bytes(24)
        path.write_bytes(sample.xcoff(code, data, 16, [*SYMBOLS, *more], linked=False))
        return path

    return write


def test_functions_and_variables_have_their_names_in_the_source(made) -> None:
    assert definitions_of(made()) == [
        Definition("Run", "Run", "global", "function"),
        Definition("Shape::Area", "_ZN5Shape4AreaEv", "weak", "function"),
        Definition("Helper", "_ZL6Helperv", "local", "function"),
        Definition("gTable", "gTable", "global", "object"),
        Definition("gLast", "_ZL5gLast", "local", "object"),
    ]


def test_what_an_object_needs_and_shows(made) -> None:
    path = made()
    assert undefined_in(path) == {"SetRect", "gElsewhere"}
    assert shown_names(path.read_bytes()) == [".Run", "._ZN5Shape4AreaEv", "Run", "gTable"]


def test_constructors_are_known_by_their_name(made) -> None:
    assert not has_constructors(made())
    assert has_constructors(made(Symbol("._GLOBAL__I_65535_0_gShape", 12, TEXT, CODE, LABEL)))
