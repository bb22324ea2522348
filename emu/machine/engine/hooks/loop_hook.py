"""Writes the code that tells whether an access goes on with those of a loop.

The last accesses are remembered in a ring of `LAST` entries of `LAST_SIZE` words: what is accessed
(the address times 256, plus twice the size, plus 1 for a store), by which block, and the number of
blocks up to then.
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir

LAST = 256
"""Accesses that are remembered, a power of two."""
LAST_SIZE = 4

_INT = ir.IntType(64)


@dataclass(frozen=True, slots=True)
class Places:
    """Indexes of words behind the header's address.

    Attributes:
        block: the address of the block under way.
        blocks: its number.
        accesses: the number of the next access.
        ring: the first word of the ring.
    """

    block: int
    blocks: int
    accesses: int
    ring: int


def remember(build: ir.IRBuilder, header: ir.Value, what: ir.Value, places: Places) -> None:
    """Keep an access among the last ones."""
    number = build.load(_word(build, header, places.accesses))
    entry = _entry(build, header, number, places)
    for index, value in enumerate(
        (
            what,
            *(build.load(_word(build, header, block)) for block in (places.block, places.blocks)),
        )
    ):
        build.store(value, _word(build, entry, index))
    build.store(build.add(number, _INT(1)), _word(build, header, places.accesses))


def make_is_loop(module: ir.Module, places: Places) -> ir.Function:
    """A function of an access, its size and the header: 1 if it goes on with those of a loop.

    Some blocks ago the same block made such an access at the place in front, and as many blocks
    before that at the place in front of that one. The function looks for them from the last on.
    """
    function = ir.Function(module, ir.FunctionType(_INT, (_INT, _INT, _INT)), "is_loop")
    what, size, header = function.args
    begin, search, look, known, first, second, further, no = (
        function.append_basic_block() for _ in range(8)
    )
    build = ir.IRBuilder(begin)
    step = build.shl(size, _INT(8))
    block, now, count = (
        build.load(_word(build, header, place))
        for place in (places.block, places.blocks, places.accesses)
    )
    build.branch(search)
    build.position_at_end(search)
    number, wanted, distance, since = (build.phi(_INT) for _ in range(4))
    build.cbranch(build.icmp_unsigned("<", number, _INT(LAST)), look, no)
    build.position_at_end(look)
    entry = _entry(build, header, build.sub(count, number), places)
    front = build.sub(wanted, step)
    seen, by, then = (build.load(_word(build, entry, index)) for index in range(3))
    is_same = build.and_(
        build.icmp_unsigned("==", seen, front), build.icmp_unsigned("==", by, block)
    )
    following = build.add(number, _INT(1))
    build.cbranch(is_same, known, further)
    build.position_at_end(known)
    passed = build.sub(since, then)
    build.cbranch(build.icmp_unsigned("==", distance, _INT(0)), first, second)
    build.position_at_end(first)
    build.cbranch(build.icmp_unsigned("==", passed, _INT(0)), no, further)
    build.position_at_end(second)
    build.ret(build.zext(build.icmp_unsigned("==", passed, distance), _INT))
    build.position_at_end(further)
    changed = [build.phi(_INT) for _ in range(3)]
    for value, old, new, initial in zip(
        changed, (wanted, distance, since), (front, passed, then), (what, _INT(0), now), strict=True
    ):
        value.add_incoming(old, look)
        value.add_incoming(new, first)
        old.add_incoming(initial, begin)
        old.add_incoming(value, further)
    number.add_incoming(_INT(1), begin)
    number.add_incoming(following, further)
    build.branch(search)
    build.position_at_end(no)
    build.ret(_INT(0))
    return function


def _word(build: ir.IRBuilder, start: ir.Value, index: int) -> ir.Value:
    return build.inttoptr(build.add(start, _INT(8 * index)), _INT.as_pointer())


def _entry(build: ir.IRBuilder, header: ir.Value, number: ir.Value, places: Places) -> ir.Value:
    """The address of the entry of an access by its number."""
    slot = build.and_(number, _INT(LAST - 1))
    offset = build.add(build.mul(slot, _INT(8 * LAST_SIZE)), _INT(8 * places.ring))
    return build.add(header, offset)
