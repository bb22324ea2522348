"""Programs that wait in a loop for the tick count, or for what they do at interrupt time."""

from __future__ import annotations

import pytest

from emu.toolbox.computer.run_time import RunTime
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.system import VBLTask
from tests.toolbox.conftest import do, make_mac, run_code

_TICKS = 20

# MOVE.L Ticks,D0; ADD.L #20,D0; CMP.L Ticks,D0; BHI.S the comparison; RTS.
_M68K = "2038 016a 0680 0000 0014 b0b8 016a 62fa 4e75"
# The same with the address in A0.
_BY_REGISTER = "307c 016a 2010 0680 0000 0014 b090 62fc 4e75"
_POWERPC = "8060016a 38630014 8080016a 7c041840 4180fff8 4e800020"

# MOVE.L Ticks,D3; ADDQ.L #2,D3; InitCursor; CMP.L Ticks,D3; BHI.S to InitCursor; RTS.
_WITH_CALLS = "2638 016a 5483 a850 b6b8 016a 62f8 4e75"


@pytest.mark.parametrize(
    ("cpu", "code"), [("68040", _M68K), ("68040", _BY_REGISTER), ("601", _POWERPC)]
)
def test_a_loop_that_reads_the_tick_count_sees_every_tick(cpu: str, code: str) -> None:
    mac = make_mac(cpu)
    mac.heartbeat.seconds = 0.005
    mac.host.show_time()
    with mac.heartbeat.beating():
        wanted = run_code(mac, code)["d0" if cpu == "68040" else "r3"]
    assert wanted - mac.clock.first_ticks >= _TICKS
    assert mac.guest.u32(LowMemory.TICKS) == mac.clock.ticks() == wanted


def test_calls_at_one_moment_take_a_tick_at_last(mac_68k: Macintosh) -> None:
    mac_68k.host.show_time()
    run_code(mac_68k, _WITH_CALLS)
    assert mac_68k.clock.ticks() - mac_68k.clock.first_ticks == 2
    assert mac_68k.calls["InitCursor"] in range(2000, 2004)


def _install(mac: Macintosh, flag: int) -> None:
    """Have a task set a byte after five ticks."""
    if mac.cpu.architecture == "m68k":
        code = bytes.fromhex(f"50f9 {flag:08x} 4e75")  # ST flag; RTS
        procedure = mac.memory.new_pointer(len(code))
        mac.guest.write(procedure, code)
    else:
        # lis r4,flag; li r5,1; stb r5,flag(r4); blr
        high, low = flag + 0x8000 >> 16, flag & 0xFFFF
        code = bytes.fromhex(f"3c80{high:04x} 38a00001 98a4{low:04x} 4e800020")
        procedure = mac.memory.new_pointer(len(code) + 8)
        mac.guest.write(procedure, code)
        mac.guest.put32(procedure + len(code), procedure)
        procedure += len(code)
    task = VBLTask(mac.guest, mac.memory.new_pointer(VBLTask.size, clear=True))
    task.qType, task.vblAddr, task.vblCount = 1, procedure, 5
    assert do(mac, "VInstall", task.address) == 0


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_loop_ends_that_waits_for_a_task(cpu: str) -> None:
    mac = make_mac(cpu)
    mac.heartbeat.seconds, mac.heartbeat.time = 0.005, RunTime(60)
    flag = mac.memory.new_pointer(4, clear=True)
    _install(mac, flag)
    if cpu == "68040":
        # MOVEQ #7,D3; CMP.L D3,D3; TST.B flag; BEQ.S back to TST; RTS
        code, kept = f"7607 b683 4a39 {flag:08x} 67f8 4e75", "d3"
    else:
        # lis r4; li r3,7; loop: lbz r5,flag(r4); cmpwi r5,0; beq loop; blr
        high, low = flag + 0x8000 >> 16, flag & 0xFFFF
        code = f"3c80{high:04x} 38600007 88a4{low:04x} 2c050000 4182fff8 4e800020"
        kept = "r3"
    with mac.heartbeat.beating():
        after = run_code(mac, code)
    assert mac.guest.u8(flag)
    assert after[kept] == 7
    assert mac.clock.ticks() - mac.clock.first_ticks >= 4


def test_code_that_counts_in_memory_is_not_taken_for_a_wait(mac_68k: Macintosh) -> None:
    mac = mac_68k
    mac.heartbeat.seconds = 0.002
    flag, counter = mac.memory.new_pointer(4, clear=True), mac.memory.new_pointer(4, clear=True)
    _install(mac, flag)
    # ADDQ.L #1,counter; CMPI.L #3000000,counter; BNE.S to ADDQ; RTS
    with mac.heartbeat.beating():
        run_code(mac, f"52b9 {counter:08x} 0cb9 002dc6c0 {counter:08x} 66ee 4e75")
    assert not mac.guest.u8(flag)
    assert mac.clock.now() == 0
