"""When two calls of the Toolbox count as the same."""

from __future__ import annotations

import pytest

from emu.port.hybrid.call_comparison import CallTexts, OtherCall, compared_texts, is_same


@pytest.mark.parametrize(
    ("original", "text", "same"),
    [
        ("MoveTo (3, 4)", "MoveTo (3, 4)", True),
        ("MoveTo (3, 4)", "MoveTo (4, 3)", False),
        ("PBOpen (a local)", "PBOpen (a local)", True),
        ("DrawText (A5-0x1a2, 0, 3)", "DrawText (a constant, 0, 3)", True),
        ("DrawText (CODE 2+0x1a2, 0, 3)", "DrawText (a constant, 0, 3)", True),
        ("DrawText (section 1+0x40, 0, 3)", "DrawText (a constant, 0, 3)", True),
        ("DrawText (A5-0x1a2, 0, 3)", "DrawText (a constant, 0, 4)", False),
        ("DrawText (0x12345, 0, 3)", "DrawText (a constant, 0, 3)", False),
        ("DrawText (A5-0x1a2, 0, 3)", "DrawText (A5-0x1a6, 0, 3)", False),
    ],
)
def test_calls_are_held_against_each_other(original: str, text: str, same: bool) -> None:
    assert is_same(original, text) is same


def test_the_room_on_the_stack_depends_on_frames_and_is_not_compared() -> None:
    room, free = ("StackSpace ()", "StackSpace () = 9"), ("FreeMem ()", "FreeMem () = 9")
    assert compared_texts("StackSpace", *room) == CallTexts(room[0])
    assert compared_texts("FreeMem", *free) == CallTexts(*free)


def test_a_call_that_differs_is_told() -> None:
    assert str(OtherCall(8, "SysBeep (1)", "MoveTo (3, 4)", "Draw (a.c, line 7)")) == (
        "Toolbox call 8 is SysBeep (1), called by Draw (a.c, line 7); it is MoveTo (3, 4) in the "
        "original"
    )
    assert str(OtherCall(8, "", "MoveTo (3, 4)")) == "Toolbox call 8, MoveTo (3, 4), is not made"
    assert str(OtherCall(8, "SysBeep (1)", "")) == (
        "Toolbox call 8 is SysBeep (1); the original makes no more"
    )
