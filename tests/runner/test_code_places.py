"""Counting the blocks of code that lay on the stack, among globals and elsewhere."""

from __future__ import annotations

from emu.runner.code_places import CodeBlocks, executed_blocks
from tests.toolbox.conftest import make_mac, run_code


def test_blocks_are_counted_by_where_they_lay() -> None:
    mac = make_mac("68040")
    stack, globals_at = mac.layout.stack_top - 8192, mac.layout.globals_start + 16
    # Two blocks in the heap: one writes BRA to the other, RTS at both places, and jumps there.
    run_code(
        mac, f"33fc4e75{stack:08x} 33fc4e75{globals_at:08x} 4eb9{stack:08x} 4ef9{globals_at:08x}"
    )
    blocks = executed_blocks(mac)
    assert (blocks.on_stack, blocks.among_globals) == (1, 1)
    assert blocks.usual >= 1
    run_code(mac, f"4ef9{stack:08x}")  # the same block once more
    assert executed_blocks(mac).on_stack == 1


def test_a_program_without_such_code_has_none() -> None:
    mac = make_mac("601")
    run_code(mac, "38600001 4e800020")
    assert executed_blocks(mac) == CodeBlocks(usual=executed_blocks(mac).usual)
