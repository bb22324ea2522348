"""A Macintosh without a program, on either processor, and ways to call its routines."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from emu.machine.cpu import CPUS
from emu.quickdraw import bytes_in_row
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.computer.clock import CallClock, Clock
from emu.toolbox.computer.declaration import Routine, routines_of
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.guest.layout import plan
from emu.toolbox.macintosh import Macintosh

HEAP = 1 << 20
STACK = 64 << 10
NewMac = Callable[..., Macintosh]


def make_mac(
    cpu: str = "68040",
    *,
    settings: Settings | None = None,
    application: Application | None = None,
    clock: Clock | None = None,
    is_grown: bool = True,
) -> Macintosh:
    """A Macintosh that is about to run nothing, with registers set as for a program.

    Its zone has all its memory, unless ``is_grown`` says otherwise.
    """
    settings = settings or Settings()
    settings = replace(settings, depth=settings.depth or 1)
    width, height = settings.screen
    screen_size = bytes_in_row(width, settings.depth) * height
    layout = plan(HEAP, STACK, screen_size, below_a5=0x1000, above_a5=0x400)
    mac = Macintosh(CPUS[cpu], layout, settings, clock or CallClock(), application)
    if is_grown:
        mac.memory.application.grow()
        mac._low_memory.accept()
    if isinstance(mac.dispatcher, M68kDispatcher):
        mac.dispatcher.start(layout.heap, layout.stack_top, layout.a5)
    else:
        assert isinstance(mac.dispatcher, PowerPcDispatcher)
        mac.dispatcher.start(layout.heap, layout.stack_top, 0)
    return mac


@pytest.fixture(params=["68040", "601"])
def mac(request: pytest.FixtureRequest) -> Macintosh:
    """One of each processor."""
    return make_mac(request.param)


@pytest.fixture
def mac_68k() -> Macintosh:
    """A 68040."""
    return make_mac("68040")


def run_code(mac: Macintosh, code: bytes | str, **registers: int) -> dict[str, int]:
    """Run 68K or PowerPC code, placed in a block of the heap, until it returns; its registers.

    68K code ends with RTS (4e75), PowerPC code with blr (4e800020).
    """
    raw = bytes.fromhex(code) if isinstance(code, str) else code
    place = mac.memory.new_pointer(len(raw))
    mac.guest.write(place, raw)
    mac.engine.forget_code(place, len(raw))
    return run_at(mac, place, **registers)


def run_at(mac: Macintosh, place: int, **registers: int) -> dict[str, int]:
    """Run the code at an address until it returns; its registers."""
    index = mac.engine.index
    if isinstance(mac.dispatcher, M68kDispatcher):
        mac.dispatcher.start(place, mac.layout.stack_top, mac.layout.a5)
    else:
        mac.dispatcher.start(place, mac.layout.stack_top, 0)
    for name, value in registers.items():
        mac.engine.registers[index[name]] = value
    mac.run_until_return()
    return {name: mac.engine.registers[number] for name, number in index.items()}


def has_found(mac: Macintosh, problem: str) -> bool:
    """Whether a mistake was reported whose sentence a regular expression matches."""
    return any(re.search(problem, found.problem) for found in mac.outputs.findings.values())


def answering(mac: Macintosh, number: int) -> bytes:
    """Code of the processor's that returns a small number in D0 or R3."""
    if mac.cpu.architecture == "m68k":
        return bytes([0x70, number]) + bytes.fromhex("4e75")
    return (0x38600000 + number).to_bytes(4, "big") + bytes.fromhex("4e800020")


def do(mac: Macintosh, name: str, *arguments: Any, **extra: Any) -> Any:
    """Perform a routine by its name, as a call from a program would; its result."""
    kinds = tuple((key, type(manager)) for key, manager in mac.managers.items())
    declared = _routines_by_name(mac.dispatcher.architecture, kinds)
    assert name in declared, f"no manager declares {name}"
    routine, manager, method = declared[name]
    if routine.variants:
        extra.setdefault("trap", dict(routine.variants).get(name, routine.trap))
    return mac.perform(routine, getattr(mac.managers[manager], method), arguments, extra)


@functools.cache
def _routines_by_name(
    architecture: str, kinds: tuple[tuple[str, type], ...]
) -> dict[str, tuple[Routine, str, str]]:
    """Routines with the manager and the method of each; the first manager goes first."""
    found: dict[str, tuple[Routine, str, str]] = {}
    for manager, kind in kinds:
        for routine, method in routines_of(kind):
            if routine.architecture in ("", architecture):
                for name in (routine.name, *routine.imports, *dict(routine.variants)):
                    found.setdefault(name, (routine, manager, method))
    return found
