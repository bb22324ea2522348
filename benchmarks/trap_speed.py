"""How long a Toolbox call takes, from the trap word to the next instruction.

Run it on a quiet machine: ``python benchmarks/trap_speed.py``. A loop of guest code calls one
routine 20,000 times; the figure is processor time, divided.
"""

from __future__ import annotations

import statistics
import time

import unicorn

from benchmarks.short_form import parser_of
from emu.machine.cpu import CPUS
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.computer.clock import CallClock
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.layout import plan
from emu.toolbox.macintosh import Macintosh

CALLS = 20_000
TURNS = 5


def make(cpu: str) -> Macintosh:
    layout = plan(1 << 20, 64 << 10, 64 * 480, below_a5=0x1000, above_a5=0x400)
    return Macintosh(CPUS[cpu], layout, Settings(screen=(512, 480), depth=1), CallClock())


def microseconds(mac: Macintosh, code: bytes, turns: int) -> float:
    """The median of several turns, for one call."""
    place = mac.layout.heap + mac.layout.heap_size - 0x1000
    mac.guest.write(place, code)
    mac.engine.forget_code(place, len(code))
    times = []
    for _ in range(turns):
        if isinstance(mac.dispatcher, M68kDispatcher):
            mac.dispatcher.start(place, mac.layout.stack_top, mac.layout.a5)
        else:
            mac.dispatcher.start(place, mac.layout.stack_top, 0)
        began = time.process_time()
        mac.run_until_return()
        times.append((time.process_time() - began) / CALLS * 1e6)
    return statistics.median(times)


def loop_68k(body: str) -> bytes:
    """MOVE.W #count-1,D7; the body; DBRA D7; RTS."""
    inside = bytes.fromhex(body)
    back = -(len(inside) + 2) & 0xFFFF
    return (
        bytes.fromhex("3e3c")
        + (CALLS - 1).to_bytes(2, "big")
        + inside
        + bytes.fromhex(f"51cf{back:04x}4e75")
    )


def loop_powerpc(mac: Macintosh, name: str, setup: str = "") -> bytes:
    """Call an import's stub CALLS times: r30 counts, r31 holds the stub, r29 keeps LR."""
    dispatcher = mac.dispatcher
    assert isinstance(dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(dispatcher.import_address(name))
    words = [
        0x7FA802A6,  # mflr r29
        0x3FE00000 | stub >> 16,  # lis r31,stub@h
        0x63FF0000 | stub & 0xFFFF,  # ori r31,r31,stub@l
        0x3BC00000 | CALLS,  # li r30,CALLS
    ]
    body = [int(word, 16) for word in setup.split()] + [
        0x7FE903A6,  # mtctr r31
        0x4E800421,  # bctrl
        0x37DEFFFF,  # addic. r30,r30,-1
    ]
    words += body
    words.append(0x40820000 | -4 * len(body) & 0xFFFC)  # bne body
    words += [0x7FA803A6, 0x4E800020]  # mtlr r29; blr
    return b"".join(word.to_bytes(4, "big") for word in words)


def main() -> None:
    turns = 1 if parser_of(__doc__).parse_args().short else TURNS
    print(f"unicorn {unicorn.__version__}; microseconds of processor time for a call")
    mac = make("68040")
    rectangle = mac.memory.new_pointer(8)
    for name, body in (
        ("TickCount", "42a7 a975 201f"),
        ("Microseconds", "a193"),
        ("SetRect", f"2f3c{rectangle:08x} 3f3c0001 3f3c0002 3f3c0003 3f3c0004 a8a7"),
        ("OffsetRect", f"2f3c{rectangle:08x} 3f3c0001 3f3c0002 a8a8"),
    ):
        print(f"68040  {name:14}{microseconds(mac, loop_68k(body), turns):6.2f}")
    mac = make("601")
    rectangle = mac.memory.new_pointer(8)
    arguments = " ".join(
        f"{0x38000000 | register << 21 | value:08x}"  # li register,value
        for register, value in ((4, 1), (5, 2), (6, 3), (7, 4))
    )
    address = f"{0x3C600000 | rectangle >> 16:08x} {0x60630000 | rectangle & 0xFFFF:08x}"
    code = loop_powerpc(mac, "TickCount")
    print(f"601    TickCount     {microseconds(mac, code, turns):6.2f}")
    code = loop_powerpc(mac, "SetRect", f"{address} {arguments}")
    print(f"601    SetRect       {microseconds(mac, code, turns):6.2f}")


if __name__ == "__main__":
    main()
