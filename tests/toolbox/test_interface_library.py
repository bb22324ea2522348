"""Routines that InterfaceLib has for PowerPC programs alone, and their older and later names."""

from __future__ import annotations

import pytest

from emu.toolbox.declarations import declarations
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac

BAD_INSTANCE = 0x80008001


@pytest.fixture
def ppc() -> Macintosh:
    return make_mac("601")


def test_globals_are_read_and_set_by_calls(ppc: Macintosh) -> None:
    for name, address, size in (("MenuDisable", 0xB54, 4), ("TopMenuItem", 0xA0A, 2),
                                ("FSFCBLen", 0x3F6, 2), ("GNEFilter", 0x29A, 4)):  # fmt: skip
        do(ppc, f"LMSet{name}", 0x1234)
        assert ppc.guest.read(address, size) == (0x1234).to_bytes(size, "big")
        assert do(ppc, f"LMGet{name}") == 0x1234
    assert do(ppc, "LMGetCPUFlag") == ppc.guest.u8(0x12F) > 0
    assert do(ppc, "LMGetJGNEFilter") == 0x1234
    assert do(ppc, "LMGetVCBQHdr") == do(ppc, "GetVCBQHdr") == LowMemory.VOLUME_QUEUE
    assert do(ppc, "LMGetDrvQHdr") == LowMemory.DRIVE_QUEUE


def test_the_highlight_colour_by_calls(ppc: Macintosh) -> None:
    color = ppc.memory.new_pointer(12)
    ppc.guest.write(color, bytes.fromhex("ffff80000000"))
    do(ppc, "LMSetHiliteRGB", color)
    do(ppc, "LMGetHiliteRGB", color + 6)
    assert ppc.guest.read(color + 6, 6) == ppc.guest.read(0xDA0, 6) == ppc.guest.read(color, 6)


def test_the_usual_size_of_text(ppc: Macintosh) -> None:
    for size, usual in ((0, 12), (9, 9)):
        ppc.guest.put16(0xBA8, size)
        assert do(ppc, "GetDefFontSize") == usual


def test_the_exception_handler_before_is_told(ppc: Macintosh) -> None:
    assert [do(ppc, "InstallExceptionHandler", handler) for handler in (16, 0)] == [0, 16]


def test_a_component_that_is_not_there_has_no_version(ppc: Macintosh) -> None:
    assert do(ppc, "GetComponentVersion", 0) & 0xFFFFFFFF == BAD_INSTANCE


@pytest.mark.parametrize(
    ("name", "also"),
    [("CompareString", "IUCompPString"), ("IdenticalString", "IUEqualPString"),
     ("DriverInstall", "DrvrInstall"), ("DriverRemove", "DrvrRemove"),
     ("IULDateString", "LongDateString"), ("IULTimeString", "LongTimeString")],
)  # fmt: skip
def test_old_and_new_names_are_of_one_routine(name: str, also: str) -> None:
    imports = declarations("powerpc").by_name
    assert imports[name] == imports[also]
