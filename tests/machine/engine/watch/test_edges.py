"""Edges counted in a hosted engine: through traps, stops, watches and code that changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from emu.machine.cpu import CPUS
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.stops import StopKind
from emu.machine.engine.watch.edges import Block, EdgeCounter, NewEdge, TooManyEdgesError
from emu.machine.engine.watch.executed_code import ExecutedCode
from emu.machine.memory.memory import GuestMemory, MemoryRegion

CODE, DATA, ROM = 0x1000, 0x8000, 0x10000
SENTINEL = ROM + 0xFF0
REGIONS = (
    MemoryRegion("code", 0, 0x4000, True, True),
    MemoryRegion("data", DATA, 0x4000, True, False),
    MemoryRegion("rom", ROM, 0x1000, False, True),
)
Started = tuple[HostedEngine, EdgeCounter, ExecutedCode]
Start = Callable[..., Started]

# MOVEQ #9,D0; loop: NOP; DBRA D0,loop; trap
M68K_LOOP = "7009 4e71 51c8fffc a850"
# li r4,10; mtctr r4; loop: nop; bdnz loop; sc
PPC_LOOP = "3880000a 7c8903a6 60000000 4200fffc 44000002"


@pytest.fixture
def start() -> Start:
    def begin(cpu: str, code: str, most: int = 64) -> Started:
        memory = GuestMemory(REGIONS)
        memory.write(CODE, bytes.fromhex(code))
        engine = HostedEngine(CPUS[cpu], memory, SENTINEL)
        edges, executed = engine.count_edges(most)
        engine.registers[engine.index["pc"]] = CODE
        engine.registers[engine.index["a7" if cpu != "601" else "r1"]] = DATA + 0x2000
        return engine, edges, executed

    return begin


def counts(edges: EdgeCounter) -> list[tuple[int, ...]]:
    return [
        (max(previous - CODE, -1), address - CODE, size, count)
        for previous, _, address, size, count in edges.edges().tolist()
    ]


def go_on(engine: HostedEngine, place: int) -> None:
    engine.registers[engine.index["pc"]] = CODE + place


@pytest.mark.parametrize(
    ("cpu", "code", "expected"),
    [
        ("68040", M68K_LOOP, [(-1, 0, 8, 1), (0, 2, 6, 1), (2, 2, 6, 8), (2, 8, 2, 1)]),
        ("601", PPC_LOOP, [(-1, 0, 16, 1), (0, 8, 8, 1), (8, 8, 8, 8), (8, 16, 4, 1)]),
    ],
)
def test_edges_of_a_loop(start: Start, cpu: str, code: str, expected: list) -> None:
    engine, edges, executed = start(cpu, code)
    assert engine.run().kind is StopKind.EXCEPTION
    assert counts(edges) == expected
    memory = bytes.fromhex(code)
    for address, size in edges.blocks():
        assert executed.code[address, size] == memory[address - CODE : address - CODE + size]


def test_prices_are_added_where_edges_are_taken(start: Start) -> None:
    engine, edges, _ = start("68040", M68K_LOOP)
    engine.run()
    asked: list[NewEdge] = []

    def price(edge: NewEdge) -> float:
        asked.append(edge)
        return {(CODE, 8): 100.0, (CODE + 2, 6): 0.5, (CODE + 8, 2): 7.0}[edge.block]

    assert edges.has_new and edges.cycles == 0
    edges.price_new(price)
    assert not edges.has_new and edges.cycles == 100 + 9 * 0.5 + 7
    assert [(edge.previous, edge.block) for edge in asked] == [
        ((0, 0), (CODE, 8)),
        ((CODE, 8), (CODE + 2, 6)),
        ((CODE + 2, 6), (CODE + 2, 6)),
        ((CODE + 2, 6), (CODE + 8, 2)),
    ]
    # The loop's likeliest predecessor is itself, and that of its entry is unknown.
    assert [edge.earlier for edge in asked] == [(0, 0), (0, 0), (CODE + 2, 6), (CODE + 2, 6)]
    go_on(engine, 0)
    engine.run()
    assert edges.cycles == 111.5 + 9 * 0.5 + 7, "the edge from the trap to the start is new"
    edges.price_new(price)
    assert edges.cycles == 2 * 111.5
    assert len(asked) == 5


@pytest.mark.parametrize(("cpu", "code"), [("68040", M68K_LOOP), ("601", PPC_LOOP)])
def test_a_limit_stops_between_two_blocks_and_nothing_is_lost(
    start: Start, cpu: str, code: str
) -> None:
    engine, edges, _ = start(cpu, code)
    for _ in range(2):
        go_on(engine, 0)
        engine.run()
    end = engine.registers[engine.index["pc"]]
    edges.price_new(lambda edge: 1.0)
    once = edges.cycles / 2
    # Every block costs 1 and the limit is moved on by less: it stops before every block.
    go_on(engine, 0)
    stops = 0
    edges.limit = edges.cycles
    while (stop := engine.run()).kind is StopKind.ASKED:
        assert edges.cycles == 2 * once + stops
        edges.limit = edges.cycles + 0.5
        stops += 1
    assert stop.kind is StopKind.EXCEPTION
    assert engine.registers[engine.index["pc"]] == end
    assert stops == once >= 11
    assert edges.cycles == 3 * once == sum(edge[-1] for edge in counts(edges))


@pytest.mark.parametrize(
    ("cpu", "code"),
    [
        # loop: ADDQ.L #1,D0; ADDQ.L #1,D1; CMPI.L #3000000,D0; BNE loop; trap
        ("68040", "5280 5281 0c80 002dc6c0 66f4 a850"),
        # lis r5,45; loop: addi r3,r3,1; addi r4,r4,1; cmpw r3,r5; bne loop; sc
        ("601", "3ca0002d 38630001 38840001 7c032800 4082fff4 44000002"),
    ],
)
def test_stops_from_another_thread_change_no_count(start: Start, cpu: str, code: str) -> None:
    engine, edges, _ = start(cpu, code)
    done = threading.Event()

    def pester() -> None:
        while not done.is_set():
            engine.stop()
            time.sleep(0.0005)

    pest = threading.Thread(target=pester)
    pest.start()
    stops = 0
    while engine.run().kind is StopKind.ASKED:
        stops += 1
    done.set()
    pest.join()
    total = sum(edge[-1] for edge in counts(edges))
    assert total == (3_000_000 + 1 if cpu == "68040" else 45 * 65536 + 1)
    names = ("d0", "d1") if cpu == "68040" else ("r3", "r4")
    assert len({engine.registers[engine.index[name]] for name in names}) == 1


def test_a_watched_block_is_counted_once(start: Start) -> None:
    engine, edges, _ = start("68040", M68K_LOOP)
    engine.run()
    whole = counts(edges)
    engine, edges, _ = start("68040", M68K_LOOP)
    engine.watch(CODE + 2)
    seen = 0
    while engine.run().kind is StopKind.WATCHED:
        seen += 1
    # A block that is watched begins anew there, so the first one is cut in two by the stop.
    assert seen == 10
    assert sum(edge[-1] for edge in counts(edges) if edge[1] == 2) == 10
    assert sum(edge[-1] for edge in counts(edges) if edge[1] == 8) == whole[-1][-1]


def test_a_watched_instruction_is_seen_once_although_a_limit_stops_it_again(start: Start) -> None:
    # BRA.S next; next: NOP; trap
    engine, edges, _ = start("68040", "6000 0002 4e71 a850")
    engine.watch(CODE + 4)
    assert engine.run().kind is StopKind.WATCHED
    edges.stop()
    assert engine.run().kind is StopKind.ASKED
    assert engine.run().kind is StopKind.EXCEPTION
    assert counts(edges) == [(-1, 0, 4, 1), (0, 4, 4, 1)]


# -- code that changes -------------------------------------------------------------------------


def changes_of(executed: ExecutedCode) -> list[tuple[Block, bytes]]:
    changes: list[tuple[Block, bytes]] = []
    executed.on_change = lambda block: changes.append((block, executed.code[block]))
    return changes


def test_code_that_python_overwrites_is_other_code(start: Start) -> None:
    engine, edges, executed = start("68040", "7001 a850")
    changes = changes_of(executed)
    engine.run()
    edges.price_new(lambda edge: 10.0)
    engine.memory.write(CODE, bytes.fromhex("7002"))
    engine.forget_code(CODE, 2)
    go_on(engine, 0)
    engine.run()
    assert changes == [((CODE, 4), bytes.fromhex("7001a850"))]
    assert executed.code[CODE, 4] == bytes.fromhex("7002a850")
    assert engine.registers[engine.index["d0"]] == 2
    # The old edge has its price; the new one has none yet, and gets its own.
    assert edges.cycles == 10 and edges.has_new
    edges.price_new(lambda edge: 3.0)
    assert edges.cycles == 13
    assert counts(edges) == [(-1, 0, 4, 1)]


def test_code_that_changes_itself_is_other_code(start: Start) -> None:
    # BRA there; there: ADDQ.W #1,D0; MOVE.W #$5440,there, which is ADDQ.W #2,D0;
    # SUBQ.L #1,D1; BNE there; trap
    code = "6000 0002 5240 31fc 5440 1004 5381 66f4 a850"
    engine, _, executed = start("68040", code)
    engine.registers[engine.index["d1"]] = 3
    changes = changes_of(executed)
    engine.run()
    assert engine.registers[engine.index["d0"]] == 1 + 2 + 2
    assert [block for block, _ in changes] == [(CODE + 4, 12)]
    assert changes[0][1][:2] == bytes.fromhex("5240")
    assert executed.code[CODE + 4, 12][:2] == bytes.fromhex("5440")


def test_code_that_stays_is_no_change(start: Start) -> None:
    engine, _, executed = start("68040", M68K_LOOP)
    changes = changes_of(executed)
    for _ in range(3):
        engine.run()
        go_on(engine, 0)
        engine.forget_code(CODE, 16)
    assert changes == []


def test_a_table_that_is_full_is_an_error_also_when_only_cycles_are_asked_for(
    start: Start,
) -> None:
    engine, edges, _ = start("68040", "6000 0002" * 20 + "a850", most=8)
    engine.run()
    with pytest.raises(TooManyEdgesError, match="more than 8 ways"):
        _ = edges.cycles


# -- pages ---------------------------------------------------------------------------------------


def test_a_page_that_was_data_can_be_executed_later_and_written_to_again(start: Start) -> None:
    # MOVE.L #$7005a850,$2000; BRA there; then the same page is written to and executed again.
    engine, _, _ = start("68040", "21fc 7005a850 2000 6000 0ff6")
    assert engine.run().kind is StopKind.EXCEPTION
    assert engine.registers[engine.index["d0"]] == 5
    engine.memory.write(CODE + 2, bytes.fromhex("7006a851"))
    engine.forget_code(CODE, 16)
    go_on(engine, 0)
    assert engine.run().kind is StopKind.EXCEPTION
    assert engine.registers[engine.index["d0"]] == 6
