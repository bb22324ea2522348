"""Every block of code is reported once, before it is executed for the first time."""

from __future__ import annotations

from emu.machine import CPUS, BareMachine
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.watch.edges import Block
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion

CODE, DATA = 0x1000, 0x5000
CALLS = {  # what `Bump` ends with
    "68040": bytes.fromhex("4e75"),
    "601": bytes.fromhex("4e800020"),
    "mips": bytes.fromhex("03e00008"),
}


def seen(engine: FastEngine) -> list[tuple[Block, bytes]]:
    """The blocks that the engine reports from now on."""
    found: list[tuple[Block, bytes]] = []

    def note(block: Block, code: bytes) -> str:
        found.append((block, code))
        return ""

    engine.translated.observers.append(note)
    return found


def engine_with(code: str, *, writable: bool = False) -> tuple[FastEngine, GuestMemory]:
    memory = GuestMemory(
        [
            MemoryRegion("code", CODE, PAGE, writable, True),
            MemoryRegion("data", DATA, PAGE, True, False),
        ]
    )
    memory.write(CODE, bytes.fromhex(code))
    return FastEngine(CPUS["68040"], memory), memory


def test_the_blocks_of_a_routine_are_reported_with_their_bytes(machine: BareMachine) -> None:
    machine.call("Bump")
    code = machine.calls._runner.engine.translated.code
    routine = machine.program.function("Bump")
    (block,) = [block for block in code if block[0] == routine]
    assert code[block] == machine.memory.view(*block).tobytes()
    assert CALLS[machine.cpu.name] in code[block]
    reported = seen(machine.calls._runner.engine)
    machine.call("Bump")
    assert routine not in [address for (address, _), _ in reported], "it was translated before"


def test_a_refused_block_is_not_executed() -> None:
    # BRA.S next; NOP; next: MOVE.L #1,$5000; NOP
    engine, memory = engine_with("6002 4e71 23fc 0000 0001 0000 5000 4e71 4e71")

    def refuse(block: Block, code: bytes) -> str:
        return "it stores" if code.startswith(b"\x23\xfc") else ""

    later = seen(engine)
    engine.translated.observers.insert(0, refuse)
    engine.run(CODE, CODE + 14)
    assert memory.view(DATA, 4).tolist() == [0, 0, 0, 0]
    refusal = engine.translated.refusal
    assert refusal is not None
    assert (refusal.block[0], refusal.reason) == (CODE + 4, "it stores")
    assert later == [], "nobody is asked after the first reason"
    assert refusal.block not in engine.translated.code


def test_code_that_the_program_changes_is_reported_anew() -> None:
    # BRA.S first; first: MOVEQ #1,D0; BRA.S second; second: MOVE.B #2,first+1; BRA.S first
    engine, _ = engine_with("6002 4e71 7001 6002 4e71 13fc 0002 0000 1005 60f0", writable=True)
    reported: list[bytes] = []

    def note(block: Block, code: bytes) -> str:
        if block[0] == CODE + 4:
            reported.append(code)
        return "enough" if len(reported) == 2 else ""

    engine.translated.observers.append(note)
    engine.run(CODE, CODE + 0xF00)
    assert reported == [bytes.fromhex("70016002"), bytes.fromhex("70026002")]
    assert engine.translated.code[CODE + 4, 4] == reported[0]


def test_a_new_engine_reports_to_the_same_observers() -> None:
    engine, _ = engine_with("6002 4e71 7001 4e71 4e71")
    reported = seen(engine)
    engine.run(CODE, CODE + 8)
    engine._engine = engine._open()
    engine.run(CODE, CODE + 8)
    assert [block[0] for block, _ in reported] == [CODE + 4] * 2
