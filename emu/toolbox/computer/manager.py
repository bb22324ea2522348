"""The base class of the Toolbox's managers."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self, dataclass_transform, get_type_hints

from emu.toolbox.computer.host import Host
from emu.toolbox.guest.guest_access import GuestAccess

_NEEDS: dict[type, tuple[type, ...]] = {}
"""The types of what each class of managers is made from: found once, for many a Macintosh."""


@dataclass_transform(eq_default=False, field_specifiers=(field,))
@dataclass(eq=False, repr=False)
class Manager:
    """A manager: methods that do routines (see `declaration.routine`), and their state.

    Every manager is a dataclass. The managers that it uses are its fields, and `made_from` hands
    them to it by their types::

        class ScrapManager(Manager):
            _memory: MemoryManager

    Attributes:
        plumbing: whether its calls are left out of the normalised log, because compilers' run-time
            libraries make them rather than the program (memory, segments, traps).
        powerpc_only: whether only a Power Macintosh has its routines, and does them by rules of its
            own: a C library, Mixed Mode, code fragments.
        host: the machine.
    """

    plumbing: ClassVar[bool] = False
    powerpc_only: ClassVar[bool] = False

    host: Host

    def __init_subclass__(cls) -> None:
        dataclass(eq=False, repr=False)(cls)

    @functools.cached_property
    def guest(self) -> GuestAccess:
        """Guest memory."""
        return self.host.guest

    @classmethod
    def made_from(cls, parts: Mapping[type, Any]) -> Self:
        """The manager, not yet started.

        Args:
            parts: the machine and the managers made before, by their types.

        Raises:
            TypeError: it needs a manager that has not been made.
        """
        needs = _NEEDS.get(cls)
        if needs is None:
            hints = get_type_hints(cls)
            needs = _NEEDS[cls] = tuple(
                hints[attribute.name] for attribute in fields(cls) if attribute.init
            )
        missing = [kind.__name__ for kind in needs if kind not in parts]
        if missing:
            raise TypeError(f"{cls.__name__} needs {missing[0]}, which is not made before it")
        return cls(*[parts[kind] for kind in needs])

    def start(self) -> None:
        """Prepare the manager; called when all managers exist and before the program is loaded."""

    def finish(self) -> None:
        """Report what the program left wrong; called when it has ended."""

    def also_return(self, register: str, value: int) -> None:
        """Return a second result in a 68K register, such as "a0"."""
        engine = self.host.engine
        engine.registers[engine.index[register]] = value & 0xFFFFFFFF
