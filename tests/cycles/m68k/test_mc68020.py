"""The 68020 and the 68030: printed clocks, sums of the manual, caches and buses by hand."""

from __future__ import annotations

import pytest

from emu.base.errors import MacproofError
from emu.cycles.base.counting import count_calls
from emu.cycles.base.model import Code, Instruction
from emu.cycles.base.tables import table
from emu.cycles.m68k import m68k_code
from emu.cycles.m68k.mc68020 import (
    FROM_MEMORY,
    IN_CACHE,
    CachedModel,
    CachedModelOptions,
    Mc68020,
    Mc68030,
)
from emu.cycles.m68k.mc68020_cells import timing_of
from emu.cycles.micro_loops import check, micro_loops
from emu.cycles.models import model_for
from emu.cycles.pricing import price, price_sequence
from tests.cycles.conftest import OneByOne, four_shifts, images
from tests.cycles.m68k_programs import FOR_68000, instructions

FAST = CachedModelOptions(code=IN_CACHE)

# MC68020 User's Manual, section 8.2: cache case and worst case. Entered apart from the data, as
# tested in m68k-rs or listed in another transcription (cpu_model_020 of an Amiga optimiser).
PRINTED_68020 = [
    ("moveq #$1, d0", "7001", 2, 3),
    ("move.l d4, (a1)", "2284", 4, 5),
    ("move.l d1, -(a2)", "2501", 5, 6),
    ("move.l (a0), (a1)", "2290", 7, 9),
    ("move.l $4(a0), d0", "20280004", 7, 9),
    ("move.l $4(a0, d1.l), $4(a1)", "237018040004", 10, 15),
    ("move.w #$7, (a0)+", "30fc0007", 6, 8),
    ("add.l d0, d1", "d280", 2, 3),
    ("add.l (a0), d0", "d090", 6, 7),
    ("add.l d0, $4(a0)", "d1a80004", 9, 12),
    ("addi.w #$7, (a0)", "06500007", 8, 10),
    ("addi.l #$7, d0", "068000000007", 6, 8),
    ("cmpi.w #$7, (a0)", "0c500007", 6, 7),
    ("eor.b d0, d0", "b100", 2, 3),
    ("mulu.w d1, d0", "c0c1", 27, 28),
    ("divs.w d1, d0", "81c1", 56, 57),
    ("divu.w d1, d0", "80c1", 44, 44),
    ("lsl.b #$8, d0", "e108", 4, 4),
    ("lsl.w d1, d0", "e368", 6, 6),
    ("asl.l #$1, d0", "e380", 8, 8),
    ("asr.l #$1, d0", "e280", 6, 6),
    ("swap d0", "4840", 4, 4),
    ("tst.w (a0)", "4a50", 6, 7),
    ("rts", "4e75", 10, 12),
    ("nop", "4e71", 2, 3),
    ("bra.b $1000", "60fe", 6, 9),
]

# MC68030 User's Manual, section 11.6: head, tail, cached, uncached. Sums are worked out by hand.
PRINTED_68030 = [
    ("moveq #$1, d0", "7001", 2, 0, 2, 2),
    ("move.l d1, d0", "2001", 2, 0, 2, 2),
    ("move.l d1, (a0)", "2081", 0, 1, 3, 4),
    ("move.l (a0)+, d0", "2018", 0, 0, 5, 5),
    ("move.l (a0), (a1)", "2290", 1, 0, 3 + 4 - 1, 3 + 5),
    ("move.w #$7, (a0)", "30bc0007", 4, 0, 6, 7),
    ("add.w d1, d0", "d041", 2, 0, 2, 2),
    ("add.l d0, (a0)", "d190", 1, 1, 3 + 3, 3 + 4),
    ("addq.w #$1, -(a0)", "5260", 2, 1, 4 + 3, 4 + 4),
    ("andi.w #$7, d0", "02400007", 4, 0, 4, 4),
    ("andi.l #$7, d0", "028000000007", 6, 0, 6, 6),
    ("muls.w $4(a0, d1.l), d0", "c1f01804", 4, 0, 34, 34),
    ("lea.l $4(a0), a1", "43e80004", 4, 0, 4, 4),
    ("pea.l $4(a0)", "48680004", 2, 2, 6, 6),
    ("jsr (a0)", "4e90", 2, 0, 6, 9),
    ("movem.l d0-d2, -(a7)", "48e7e000", 2, 0, 2 + 4 + 6, 2 + 4 + 6),
    ("asl.w #$2, d0", "e540", 2, 0, 6, 6),
    ("asr.w #$2, d0", "e440", 2, 0, 4, 4),
    ("seq.b d0", "57c0", 0, 0, 4, 4),
    ("link.w a6, #$fffc", "4e56fffc", 0, 0, 4, 5),
    ("unlk a6", "4e5e", 0, 0, 5, 5),
    ("rts", "4e75", 1, 0, 9, 11),
    ("bra.b $1000", "60fe", 0, 0, 6, 8),
]


@pytest.mark.parametrize(("text", "code", "cached", "uncached"), PRINTED_68020)
def test_printed_clocks_of_the_68020(text: str, code: str, cached: int, uncached: int) -> None:
    (instruction,) = m68k_code.decode(bytes.fromhex(code), 0x1000)
    assert instruction.text == text
    timing = timing_of("68020", instruction, True)
    assert (timing.cached, timing.uncached) == (cached, uncached)
    assert timing.source.kind == "manual"


@pytest.mark.parametrize(("text", "code", "head", "tail", "cached", "uncached"), PRINTED_68030)
def test_printed_clocks_of_the_68030(
    text: str, code: str, head: int, tail: int, cached: int, uncached: int
) -> None:
    (instruction,) = m68k_code.decode(bytes.fromhex(code), 0x1000)
    assert instruction.text == text
    timing = timing_of("68030", instruction, True)
    found = (timing.head, timing.tail, timing.cached, timing.uncached)
    assert found == (head, tail, cached, uncached)


@pytest.mark.parametrize("processor", ["68020", "68030"])
@pytest.mark.parametrize(
    ("code", "taken", "clocks"),
    [
        ("66fe", True, 6),
        ("66fe", False, 4),
        ("66000010", False, 6),
        ("51c8fffe", True, 6),
        ("51c8fffe", False, 10),
        ("56c8fffe", False, 6),
    ],
)
def test_branches(processor: str, code: str, taken: bool, clocks: int) -> None:
    (instruction,) = m68k_code.decode(bytes.fromhex(code), 0x1000)
    assert timing_of(processor, instruction, taken).cached == clocks


@pytest.mark.parametrize("processor", ["68020", "68030"])
def test_all_68000_code_has_clocks_but_traps(processor: str) -> None:
    for name, address, data in instructions(FOR_68000):
        (one,) = m68k_code.decode(data, address)
        if one.operation != "a-line":
            timing = timing_of(processor, one, True)
            assert 0 < timing.cached <= timing.uncached, (name, hex(address), one.text)
            assert 0 <= timing.tail <= timing.cached and timing.head <= timing.cached, one.text


@pytest.mark.parametrize(
    ("code", "why"),
    [("a000", "no cell aline"), ("203019200004", "no source was found for modes with a full")],
)
def test_what_has_no_clocks_is_told_with_its_place(code: str, why: str) -> None:
    with pytest.raises(MacproofError, match=rf"68030: no timing for .* at \$1000: .*{why}"):
        Mc68030().decode(bytes.fromhex(code), 0x1000)


def prices(model: CachedModel, *codes: str, before: str = "", address: int = 0x1000) -> list[float]:
    earlier = bytes.fromhex(before)
    context: Code = model.decode(earlier, address - len(earlier)) if earlier else ()
    return list(model.price(context, model.decode(bytes.fromhex("".join(codes)), address)))


def test_a_tail_overlaps_the_next_head() -> None:
    # move.l d1,(a0) has a tail of 1, add.w d1,d0 a head of 2, rts one of 1
    store, add, back = "2081", "d041", "4e75"
    assert prices(Mc68030(FAST), store, add, add) == [3, 2 - 1, 2]
    assert prices(Mc68030(FAST), store, back) == [3, 9 - 1]
    assert prices(Mc68030(FAST), add, before=store) == [2 - 1]
    apart = Mc68030(CachedModelOptions(code=IN_CACHE, overlaps=False))
    assert prices(apart, store, add) == [3, 2]
    assert prices(Mc68020(FAST), store, add) == [4, 2], "the 68020 has no heads and tails"


def test_code_that_is_not_in_the_cache_overlaps_nothing() -> None:
    store, add = "2081", "d041"
    cold = CachedModelOptions(code=FROM_MEMORY)
    # Both lie in one long word, so the second is fetched with the first.
    assert prices(Mc68030(cold), store, add) == [4, 2]
    assert prices(Mc68030(cold), store, add, address=0x1002) == [4, 2]
    assert prices(Mc68020(cold), add, add) == [3, 2]
    assert prices(Mc68020(cold), add, add, address=0x1002) == [3, 3]


@pytest.mark.parametrize(
    ("memory", "read", "write", "word"),
    [("", 6, 4, 6), ("ii", 7, 5, 7), ("lc", 6 + 5, 4 + 5, 7)],
)
def test_reads_and_stores_take_the_bus_of_their_machine(
    memory: str, read: int, write: int, word: int
) -> None:
    """A cycle has 3 clocks in the manual, 4 in a Macintosh II, 2 x 4 for a long word in an LC."""
    model = Mc68020(CachedModelOptions(memory=memory, code=IN_CACHE, posted=False))
    assert prices(model, "d090", "2081", "d050") == [read, write, word]


def test_a_store_delays_only_what_needs_the_bus() -> None:
    lc = Mc68020(CachedModelOptions(memory="lc", code=IN_CACHE))
    store, add = "2081", "d041"  # its bus cycle ends 5 clocks later than the manual's
    assert prices(lc, store, add, add, add) == [4, 2, 2, 2]
    assert prices(lc, store, store) == [4, 4 + 5 - 1]  # the second needs the bus after 1 clock
    assert prices(lc, store, add, add, add, store) == [4, 2, 2, 2, 4]
    assert prices(lc, store, "d050") == [4, 6 + 1 + 5]


def test_movem_has_room_for_two_wait_states() -> None:
    load, store = "4cdf0007", "48e7e000"  # three registers
    se30 = Mc68030(CachedModelOptions(memory="se30", code=IN_CACHE))  # two wait states
    assert prices(se30, load) == [4 + 8 + 4 * 3]
    # (4 + 2n) + (n - 1) w: the last store's wait states overlap what follows
    assert prices(se30, store) == [2 + 4 + 2 * 3 + 2 * 2]


def test_reads_that_hit_the_data_cache_do_not_wait() -> None:
    memory = CachedModelOptions(memory="se30", code=IN_CACHE)
    assert prices(Mc68030(memory), "d090") == [3 + 2 + 2]
    assert prices(Mc68030(CachedModelOptions("se30", IN_CACHE, data_hits=True)), "d090") == [3 + 2]


@pytest.mark.parametrize(("address", "clocks"), [(0x1000, 7), (0x1002, 6)])
def test_a_loop_on_a_long_word_takes_a_clock_more(address: int, clocks: int) -> None:
    model = Mc68020(FAST)
    loop = model.decode(bytes.fromhex("51cefffe"), address)
    assert sum(model.price(loop * 3, loop)) == clocks
    plain = Mc68020(CachedModelOptions(code=IN_CACHE, aligned=False))
    assert sum(plain.price(loop * 3, loop)) == 6


def test_measured_loops_of_the_68020_and_68030() -> None:
    loops = tuple(one for one in micro_loops() if one.cpu in ("68020", "68030"))
    found = check(loops)
    checking = [one for one in found if one.loop.checks]
    assert len(checking) >= 8
    assert all(abs(one.ratio - 1) < 0.01 for one in checking), checking

    class Slow(Mc68020):
        def price(self, before: Code, block: Code) -> tuple[float, ...]:
            return tuple(1.1 * each for each in super().price(before, block))

    wrong = check(loops, lambda cpu: Slow() if cpu == "68020" else model_for(cpu))
    assert any(abs(one.ratio - 1) > 0.05 for one in wrong if one.loop.checks)


@pytest.mark.parametrize("cpu", ["68020", "68030"])
def test_prices_by_edges_are_nearly_those_of_the_sequence(cpu: str) -> None:
    machine, routine = four_shifts("68000", "O2")
    before = images(machine, 20, 1)
    counts = count_calls(machine, routine, before)
    model = model_for(cpu).knowing(counts.edges.tolist())
    (sequence,) = OneByOne(machine, routine, before).sequences
    exact = price_sequence(sequence, counts.code, model)
    assert price(counts, model_for(cpu)).cycles == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize("cpu", ["68020", "68030"])
def test_each_change_changes_something(cpu: str) -> None:
    machine, routine = four_shifts("68000", "O2")
    counts = count_calls(machine, routine, images(machine, 20, 1))
    model = model_for(cpu)
    usual = price(counts, model).cycles
    signs = {
        words: price(counts, other).cycles - usual for words, other in model.sensitivities().items()
    }
    unused = {"DBcc as the manual prints it"}  # the routine has no DBcc
    assert all(difference for words, difference in signs.items() if words not in unused), signs
    assert signs["all code in the cache"] < 0 < signs["no code in the cache"]
    assert signs["memory without wait states"] < 0


def test_a_machine_has_its_own_memory() -> None:
    machine, routine = four_shifts("68000", "O2")
    counts = count_calls(machine, routine, images(machine, 20, 1))
    ii, lc, usual = (price(counts, model_for("68020", name)).cycles for name in ("ii", "lc", ""))
    assert usual == ii < lc
    told = "\n".join(model_for("68020", "lc").assumptions())
    assert table("buses")["lc"].source.title in told


def test_another_processors_instruction_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="is not a decoded 68K instruction"):
        Mc68020().price((), (Instruction(0, 2, "nop", "nop", "nop"),))
