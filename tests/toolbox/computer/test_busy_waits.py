"""Programs that wait in a loop for the tick count in low memory."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import make_mac, run_code

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
