"""Names of functions: as they were written, and no two alike."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from emu.cycles.function_names import function_names, readable_name
from emu.program import Symbol


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("main", "main"),
        ("__mulsi3", "__mulsi3"),
        ("_Z11_IntersectQP3objS0_", "_IntersectQ"),
        ("_ZL4_Abss", "_Abs"),
        ("_ZL4_Abss.constprop.0", "_Abs.constprop.0"),
        ("_ZNK8cCritter4kindEv", "cCritter::kind"),
        ("_ZN8cCritterC1Ess", "cCritter::cCritter"),
        ("_ZN8cCritterD1Ev", "cCritter::~cCritter"),
        ("_ZN8cCritterD0Ev", "cCritter::~cCritter (deleting)"),
        ("_ZN8cCritternwEjPv", "cCritter::operator new"),
        ("_ZN1A1B1cEv.part.1", "A::B::c.part.1"),
        # What is not known here stays as it is.
        ("_ZN3BoxIiE3getEv", "_ZN3BoxIiE3getEv"),
        ("_ZN4Name", "_ZN4Name"),
        ("_ZN999999Name", "_ZN999999Name"),
        ("_ZNE", "_ZNE"),
        ("_ZNC1E", "_ZNC1E"),
        ("", ""),
    ],
)
def test_a_name_is_as_it_was_written(symbol: str, name: str) -> None:
    assert readable_name(symbol) == name


@example("_Z0")
@given(st.text(alphabet="_ZNKECD0123AbnwI.é", max_size=30))
def test_any_symbol_has_a_name(symbol: str) -> None:
    assert readable_name(symbol) or not symbol


def test_no_two_functions_are_called_the_same() -> None:
    names = ["_Z3Fooi", "_Z3Foos", "_ZL3Barv", "_ZL3Barv", "_Z3Bazv"]
    symbols = [Symbol(name, 16 * at, 16, "function") for at, name in enumerate(names)]
    assert list(function_names(symbols).values()) == [
        "_Z3Fooi",
        "_Z3Foos",
        "_ZL3Barv at 0x20",
        "_ZL3Barv at 0x30",
        "Baz",
    ]
