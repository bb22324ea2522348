"""Hardware and parts of the System that a desktop Macintosh lacks, or that nobody has installed."""

from __future__ import annotations

import pytest

from emu.toolbox.computer.macintosh_models import MACHINES
from emu.toolbox.computer.settings import Settings
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac, run_code

NO_REPLY, NO_COMPONENT, NO_MORE = -13001, -3000, -344


def test_nothing_sleeps(mac: Macintosh):
    record = mac.memory.new_pointer(12, clear=True)
    do(mac, "SleepQInstall", record)
    do(mac, "SleepQRemove", record)
    assert mac.gestalt.ask("powr") == (0, 0)
    assert not mac.outputs.findings


@pytest.mark.parametrize(
    ("name", "clock"), [("plus", 8), ("se30", 16), ("quadra", 25), ("6100", 60)]
)
def test_the_speed_is_the_model_s(name: str, clock: int):
    mac = make_mac(MACHINES[name].cpu, settings=Settings(machine=name))
    if name == "6100":
        assert do(mac, "GetCPUSpeed") == clock
    else:  # moveq #-1,d0; _IdleState; rts
        assert run_code(mac, "70ffa4854e75")["d0"] == clock


def test_68k_code_calls_the_power_manager_as_power_h_does(mac_68k: Macintosh):
    # moveq #1,d0; _IdleState; move.l d0,d3; moveq #4,d0; _SerialPower; or.l d0,d3; _IdleUpdate; rts
    before = do(mac_68k, "TickCount")
    after = run_code(mac_68k, "7001a485 2600 7004a685 8680 a285 4e75")
    assert after["d3"] == 0
    assert before < after["d0"] < do(mac_68k, "TickCount")
    block = mac_68k.memory.new_pointer(12, clear=True)
    assert run_code(mac_68k, "a085 4e75", a0=block)["d0"] & 0xFFFF == NO_REPLY & 0xFFFF


def test_a_power_macintosh_has_no_battery_and_no_timer():
    mac = make_mac("601")
    before = do(mac, "TickCount")
    assert before < do(mac, "IdleUpdate") < do(mac, "TickCount")
    for name in ("EnableIdle", "DisableIdle", "AOn", "AOnIgnoreModem", "BOn", "AOff", "BOff"):
        do(mac, name)
    first, second = mac.memory.new_pointer(4), mac.memory.new_pointer(4)
    assert (
        do(mac, "BatteryStatus", first, second) == do(mac, "GetWUTime", first, second) == NO_REPLY
    )
    assert do(mac, "ModemStatus", first) == do(mac, "SetWUTime", 0) == NO_REPLY
    assert do(mac, "DisableWUTime") == NO_REPLY
    for name in ("PMSelectorCount", "PMFeatures", "BatteryCount", "GetSleepTimeout"):
        assert do(mac, name) == 0
    assert do(mac, "IsProcessorCyclingEnabled") is False


def test_no_component_can_be_registered_from_a_file(mac: Macintosh):
    assert do(mac, "RegisterComponentResourceFile", 0, 0) == 0
    for name, more in (("UnregisterComponent", ()), ("SetDefaultComponent", (0,))):
        assert do(mac, name, 0x10001, *more) == NO_COMPONENT
    assert do(mac, "GetComponentRefcon", 0x10001) == 0


def test_the_slot_manager_has_a_version_and_no_cards(mac: Macintosh):
    block = mac.memory.new_pointer(56)
    assert do(mac, "SVersion", block) == 0
    assert mac.guest.read(block, 8) == bytes.fromhex("0000000200000000")
    assert do(mac, "SNextTypeSRsrc", block) == NO_MORE
    for name in ("SGetSRsrcPtr", "SFindBigDevBase", "SGetDriver", "SReadPBSize"):
        assert do(mac, name, block) == -300  # smEmptySlot


def test_the_scrap_has_globals_and_the_retrace_queue_a_header():
    mac = make_mac("601")
    do(mac, "ZeroScrap")
    assert (do(mac, "LMGetScrapSize"), do(mac, "LMGetScrapState")) == (0, 1)
    count = do(mac, "LMGetScrapCount")
    do(mac, "ZeroScrap")
    assert do(mac, "LMGetScrapCount") == count + 1
    do(mac, "LMSetScrapState", -1)
    assert mac.guest.i16(0x96A) == -1
    assert mac.guest.read(do(mac, "GetVBLQHdr"), 10) == bytes(10)
    assert not mac.outputs.findings
