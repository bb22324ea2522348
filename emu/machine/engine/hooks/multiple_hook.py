"""A hook on the PowerPC instructions of `several_words`: reports what they are about to access."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from emu.machine.engine.hooks.several_words import DCBZ, EXTENDED, LINE, STMW, STSWI

_READ, _WRITE = 16, 17  # UC_MEM_READ, UC_MEM_WRITE
_INT, _INT32 = ir.IntType(64), ir.IntType(32)


def write_hook(write: Any, on_access: ir.Function, code: ir.Value, first: int) -> None:
    """Write a function that reports what an instruction is about to access.

    Args:
        write: the `access_hook.Function` that is written; its first argument is the engine.
        on_access: the function that is told of each access.
        code: a pointer to the instruction.
        first: the header's word with the engine's number of r0.
    """
    build = write.build
    engine, header = write.arguments[0], write.header
    word = build.zext(build.bswap(build.load(code, align=1)), _INT)
    primary = build.lshr(word, _INT(26))
    extended = build.and_(build.lshr(word, _INT(1)), _INT(0x3FF))
    target, base_register, other = (
        build.and_(build.lshr(word, _INT(shift)), _INT(31)) for shift in (21, 16, 11)
    )
    is_zero = build.icmp_unsigned("==", base_register, _INT(0))
    base = build.select(is_zero, _INT(0), write.register(first, base_register))

    def report(kind: ir.Value, start: ir.Value, count: ir.Value, size: int) -> None:
        before = build.block
        loop, end = (write.function.append_basic_block() for _ in range(2))
        build.branch(loop)
        build.position_at_end(loop)
        number = build.phi(_INT)
        place = build.and_(build.add(start, build.mul(number, _INT(size))), _INT(0xFFFFFFFF))
        build.call(on_access, (engine, kind, place, _INT32(size), _INT(0), header))
        following = build.add(number, _INT(1))
        number.add_incoming(_INT(0), before)
        number.add_incoming(following, loop)
        build.cbranch(build.icmp_unsigned("<", following, count), loop, end)
        build.position_at_end(end)

    def kind_of(stores: ir.Value) -> ir.Value:
        return build.select(stores, _INT32(_WRITE), _INT32(_READ))

    with build.if_else(build.icmp_unsigned("!=", primary, _INT(EXTENDED))) as (words, rest):
        with words:
            distance = build.sext(build.trunc(word, ir.IntType(16)), _INT)
            stores = build.icmp_unsigned("==", primary, _INT(STMW))
            count = build.sub(_INT(32), target)
            report(kind_of(stores), build.add(base, distance), count, 4)
        with rest:
            is_clear = build.icmp_unsigned("==", extended, _INT(DCBZ))
            with build.if_else(is_clear) as (line, string):
                with line:
                    place = build.add(base, write.register(first, other))
                    start = build.and_(place, _INT(-LINE))
                    report(_INT32(_WRITE), start, _INT(LINE // 4), 4)
                with string:
                    stores = build.icmp_unsigned("==", extended, _INT(STSWI))
                    is_whole = build.icmp_unsigned("==", other, _INT(0))
                    report(kind_of(stores), base, build.select(is_whole, _INT(32), other), 1)
    build.ret_void()
