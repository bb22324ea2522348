"""Routines of the Toolbox that a scene answers in the Toolbox's place."""

from __future__ import annotations

from collections.abc import Iterator

from emu.machine.calls.system import ANSWERS, EVERY_TIME, Leftover, unasked
from emu.toolbox.computer.declaration import Routine
from emu.toolbox.macintosh import Macintosh


class Answers:
    """Answers calls of one routine from guest memory; see `SystemTerms.answers`.

    Args:
        name: the routine.
        address: where the answers are.
        mac: the Macintosh.
    """

    def __init__(self, name: str, address: int, mac: Macintosh) -> None:
        self._name = name
        self._address = address
        self._mac = mac
        self._calls = 0
        self._has_arguments = False

    def __call__(self, *arguments: object, **_: object) -> int:
        """The next answer; the arguments are those of the routine."""
        host, guest = self._mac.host, self._mac.guest
        if host.routine is not None:
            self._check(host.routine, arguments)
        count = guest.u32(self._address)
        place = 0 if count == EVERY_TIME else self._calls
        if place >= count:
            raise host.stopped(
                f"{self._name} was called more often than the {count} times that the scene answers"
            )
        self._calls += 1
        return guest.i32(self._address + 4 + 4 * place)

    def leftovers(self) -> Iterator[Leftover]:
        """What is to be told of the answers when all calls are over."""
        count = self._mac.guest.u32(self._address)
        if self._calls < (1 if count == EVERY_TIME else count):
            yield unasked(self._name)
        if self._has_arguments:
            what = f"arguments of {self._name}, which the scene answers whatever they are"
            yield Leftover(ANSWERS, what)

    def _check(self, routine: Routine, arguments: tuple[object, ...]) -> None:
        """Report handles that are none, and addresses at which there is no memory."""
        self._has_arguments |= bool(routine.parameters)
        for parameter, value in zip(routine.parameters, arguments, strict=False):
            kind = parameter.type
            if not isinstance(value, int) or (value == 0 and not kind.refers_to):
                continue
            if kind.name.endswith("Handle"):
                self._mac.memory.check_handle(value)
            elif kind.refers_to or kind.name.endswith("Ptr"):
                region = self._mac.guest.memory.find(value)
                if region is None or region.name == "low memory":
                    self._mac.host.report(
                        "memory",
                        f"{routine.name} was given 0x{value:08x} for {parameter.name}, where there "
                        "is no memory of the program's",
                    )
