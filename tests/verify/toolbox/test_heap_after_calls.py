"""The heap is checked when a call is over, and damage there refutes."""

from __future__ import annotations

import pytest

from tests.verify.toolbox.conftest import Asking, words

NUMBER = "arguments: {x: number}\nobserve: {return: twice}"
TWICE = "twice=2 * scene.number"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("short *p = (short *) NewPtr(4); for (n = 0; n < 20; n++) p[n] = x;", "was overwritten"),
        ("Ptr p = NewPtr(5); p[5] = x;", "wrote behind the end of the block"),
        pytest.param(
            "Handle h = NewHandle(6); for (n = 0; n < 7; n++) (*h)[n] = 1; DisposeHandle(h);",
            "wrote behind the end of the block",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "Handle h = NewHandle(4); for (n = 0; n < 20; n++) ((short *) *h)[n] = x;",
            "was overwritten",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "Ptr p = NewPtr(4); for (n = 0; n < 20; n++) p[n] = x; DisposePtr(p);",
            "was overwritten",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "Ptr p = NewPtr(40); DisposePtr(p); p[9] = x;", "wrote to", marks=pytest.mark.slow
        ),
        pytest.param(
            "Ptr p = NewPtr(4); DisposePtr(p); DisposePtr(p); *(short *) 0 = 1;",
            "DisposePtr was given",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_store_outside_of_its_blocks_refutes(asking: Asking, body: str, told: str) -> None:
    """Also in the last statement, and where the call does not come back."""
    found = asking.verify(
        f"long Go(short x) {{ short n = 0; {body} return 2L * x; }}", NUMBER, TWICE
    )
    assert found.verdict == "refuted"
    assert told in words(found)


@pytest.mark.slow
def test_stores_that_fill_blocks_to_their_ends_are_right(asking: Asking) -> None:
    source = (
        "long Go(short x) { short n, size; for (size = 1; size < 9; size++) { "
        "Ptr p = NewPtr(size); Handle h = NewHandle(size); "
        "for (n = 0; n < size; n++) p[n] = (*h)[n] = x; "
        "SetPtrSize(p, size - 1); SetHandleSize(h, size + 3); (*h)[size + 2] = x; DisposePtr(p); "
        "DisposeHandle(h); } return 2L * x; }"
    )
    assert asking.verify(source, NUMBER, TWICE).verdict == "verified"
