"""What old functions read that nobody wrote is their fault, and no mistake of the new source."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.port.model import INCONCLUSIVE, REFUTED, VERIFIED
from tests.port.small_application import SmallPort, small_port

# Top (count) calls Fill and Middle; Middle calls Deep, where READ reads what nobody wrote.
# Top has its own 5 in D7. What Deep found goes to A5-0x10, and the sum of all counts to A5-0xc.
ASSEMBLY = """
        .text
        moveq   #3, %d6
        moveq   #1, %d7
1:      move.w  %d6, -(%sp)
        bsr.w   Top
        addq.l  #2, %sp
        dbra    %d6, 1b
        .short  0xA9F4
Top:    link    %a6, #-20
        move.l  %d7, -(%sp)
        moveq   #5, %d7
        bsr.w   Fill
        bsr.w   Middle
        move.w  8(%a6), %d0
        add.w   %d0, -12(%a5)
        move.l  (%sp)+, %d7
        unlk    %a6
        rts
Fill:   link    %a6, #-40
        moveq   #9, %d0
        lea     -40(%a6), %a0
1:      move.l  %a0, %d1
        move.l  %d1, (%a0)+
        dbra    %d0, 1b
        unlk    %a6
        rts
Middle: link    %a6, #0
        bsr.w   Deep
        unlk    %a6
        rts
Deep:   link    %a6, #-4
        READ
        move.w  %d0, -16(%a5)
        unlk    %a6
        rts
"""
READS = {"D7": "move.w %d7, %d0", "its frame": "move.w -2(%a6), %d0"}
SOURCE = """
// GLOBAL: A5-0xc
short total;
// GLOBAL: A5-0x10
short found;
// FUNCTION: @Fill@
void Fill(void) {}
// FUNCTION: @Middle@
void Middle(void) { extern void Deep(void); Deep(); }
// FUNCTION: @Deep@
void Deep(void) { short it = 0; found = it; }
// FUNCTION: @Top@
void Top(short count)
{
    volatile char room[200];
    room[0] = 1;
    Fill();
    Middle();
    total += count;
}
"""


@pytest.fixture(scope="module", params=sorted(READS))
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[SmallPort, str]:
    folder = tmp_path_factory.mktemp("small")
    port = small_port(folder, ASSEMBLY.replace("READ", READS[request.param]), SOURCE)
    port.record(["Top", "Deep"])
    return port, request.param


@pytest.fixture
def case(recorded: tuple[SmallPort, str]) -> tuple[SmallPort, str]:
    recorded[0].write(SOURCE)
    return recorded


def test_a_callee_of_a_callee_is_blamed(case: tuple[SmallPort, str]) -> None:
    port, part = case
    found = port.verdict("Top")
    assert found.verdict == VERIFIED, found.reason
    assert found.calls == 4
    remarks = " ".join(found.remarks)
    assert "4 of 4 calls differ by the original's own fault" in remarks
    words = f"Deep ({port.places['Deep']}) reads {part} before it has written it"
    assert words in remarks
    assert "Middle" not in remarks


def test_a_mistake_beside_such_a_fault_is_refuted(case: tuple[SmallPort, str]) -> None:
    port, _ = case
    port.write(SOURCE.replace("total += count", "total += count + 1"))
    found = port.verdict("Top")
    assert found.verdict == REFUTED
    assert "total is" in found.reason
    assert "found is" not in found.reason
    assert "4 of 4 calls differ" in found.remarks


def test_a_value_that_is_passed_on_wrongly_is_no_fault_of_the_original(
    case: tuple[SmallPort, str],
) -> None:
    """Deep is not called at all, so nothing that it finds explains the difference."""
    port, _ = case
    port.write(SOURCE.replace("    Middle();\n", ""))
    found = port.verdict("Top")
    assert found.verdict == REFUTED
    assert "found is" in found.reason


def test_a_function_with_the_fault_is_named_itself(case: tuple[SmallPort, str]) -> None:
    port, part = case
    found = port.verdict("Deep")
    remarks = " ".join(found.remarks)
    assert found.verdict == VERIFIED, found.reason
    assert "leaves in found what nobody wrote" in remarks
    assert f"Deep ({port.places['Deep']}) reads {part} before" in remarks


def test_changed_calls_do_not_refute_for_it_either(case: tuple[SmallPort, str]) -> None:
    port, part = case
    found = port.verdict("Top", vary=20)
    assert found.verdict == VERIFIED, found.reason
    # What Deep finds in its frame also differs deeper in the stack, so these are left out.
    dropped = any("accesses its own frame" in remark for remark in found.remarks)
    assert (found.varied, dropped) == ((20, False) if part == "D7" else (0, True))


def test_changed_calls_show_a_mistake_beside_it(recorded: tuple[SmallPort, str]) -> None:
    port, part = recorded
    port.write(SOURCE.replace("total += count", "total += count == 77 ? 0 : count & 255"))
    found = port.verdict("Top", vary=200)
    assert found.verdict == (REFUTED if part == "D7" else VERIFIED), found.reason
    assert ("total is" in found.reason) == (part == "D7")
    assert "found is" not in found.reason


PICK = """
        .text
        moveq   #3, %d6
1:      bsr.w   Pick
        dbra    %d6, 1b
        .short  0xA9F4
Pick:   link    %a6, #-4
        move.w  -2(%a6), %d0
        and.w   #6, %d0
        lea     -32(%a5), %a0
        move.w  #1, (%a0,%d0.w)
        unlk    %a6
        rts
"""
PICK_SOURCE = """
// GLOBAL: A5-0x20
short many[4];
// FUNCTION: @Pick@
void Pick(void) { volatile short it; many[it >> 3 & 3] = 1; }
"""


def test_where_both_go_by_what_nobody_wrote_nothing_is_compared(tmp_path: Path) -> None:
    port = small_port(tmp_path, PICK, PICK_SOURCE)
    port.record(["Pick"])
    found = port.verdict("Pick")
    assert (found.verdict, found.calls) == (INCONCLUSIVE, 0)
    left = "1 calls were left out: both go by what nobody wrote"
    assert left in found.remarks
    port.write(PICK_SOURCE.replace("volatile short it;", "short it = 0;"))
    found = port.verdict("Pick")
    assert (found.verdict, "many[0] is 1" in found.reason) == (REFUTED, True), found.reason


GATED = (
    PICK.replace("bsr.w   Pick", "move.w  %d6, -(%sp)\n bsr.w Pick\n addq.l #2, %sp")
    .replace("link    %a6, #-4", "link    %a6, #-4\n        cmp.w   #1, 8(%a6)\n        beq     2f")
    .replace("unlk", "2:      unlk")
)
GATED_SOURCE = PICK_SOURCE.replace("Pick(void)", "Pick(short gate)").replace(
    "many[it", "if (gate != 1) many[it"
)


def test_changed_calls_in_which_both_go_by_chance_do_not_refute(tmp_path: Path) -> None:
    port = small_port(tmp_path, GATED, GATED_SOURCE)
    port.record(["Pick"])
    found = port.verdict("Pick", vary=50)
    assert found.verdict == VERIFIED, found.reason
    assert any("both functions go by what nobody wrote" in remark for remark in found.remarks)
    port.write(GATED_SOURCE.replace("volatile short it;", "short it = 0;"))
    assert port.verdict("Pick", vary=50).verdict == REFUTED
