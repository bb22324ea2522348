"""The engines that calls can be made on, and what each is able to do."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.engines.host import host_of
from emu.engines.musashi import Musashi, musashi_version
from emu.engines.native_code.engine import TranslatedEngine, translated_version
from emu.engines.native_code.screen import TranslatedScreen
from emu.engines.qemu_user import QemuUser, qemu_version
from emu.machine.calls.call_screen import MakeScreen
from emu.machine.calls.other_engine import MakeEngine
from emu.machine.cpu import Cpu
from emu.machine.engine.base.models import describe_engine
from emu.toolchain.programs.native import host_compiler

UNICORN, TRANSLATED = "unicorn", "translated"
"""The names of the engine that every machine has, and that explains every disagreement, and of the
one that is fastest."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an engine is able to do.

    Attributes:
        counts: it counts instructions, and tells which of them the processor lacks.
        checks: the whole data image is compared, so that stray stores are found, and an access
            outside of memory is a fault.
        contract: registers and stack are checked after each call.
        bulk: thousands of scenes are no trouble to it.
        toolbox: calls of the Macintosh Toolbox are answered.
        independence: what it does not have in common with Unicorn, as a clause.
    """

    counts: bool
    checks: bool
    contract: bool
    bulk: bool
    toolbox: bool
    independence: str


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine.

    Attributes:
        name: what a user types ("qemu-user").
        abilities: what it is able to do.
        describe: gives its name and version; raises `ToolMissingError` if it is not installed.
        make: makes it for a machine; None for Unicorn, which each machine has already, and for an
            engine that needs a native program.
        make_native: gives what makes it, from the file of a native program; None for an engine that
            executes the guest's own program.
        has_sanitizers: whether the native program is compiled with the compiler's sanitizers.
    """

    name: str
    abilities: Abilities
    describe: Callable[[], str]
    make: MakeEngine | None
    make_native: Callable[[Path | None], MakeEngine] | None = None
    has_sanitizers: bool = False

    def made_for(self, native: Path | None) -> MakeEngine | None:
        """What makes it for a machine; see ``make`` and ``make_native``."""
        return self.make if self.make_native is None else self.make_native(native)


def _describe_host(name: str) -> str:
    return f"{name} {host_compiler()}"


_EVERY_ENGINE: tuple[Engine, ...] = (
    Engine(
        UNICORN,
        Abilities(
            counts=True,
            checks=True,
            contract=True,
            bulk=True,
            toolbox=True,
            independence="the engine that all others are held against",
        ),
        describe_engine,
        None,
    ),
    Engine(
        TRANSLATED,
        Abilities(
            counts=True,
            checks=True,
            contract=True,
            bulk=True,
            toolbox=True,
            independence="the instructions as Ghidra describes them, amended, in native code of "
            "LLVM; what is not translated is left to Unicorn",
        ),
        translated_version,
        TranslatedEngine,
    ),
    Engine(
        "qemu-user",
        Abilities(
            counts=False,
            checks=True,
            contract=True,
            bulk=True,
            toolbox=False,
            independence="a later QEMU than the one that Unicorn was made from, with its own "
            "translation of floating point",
        ),
        lambda: f"qemu-user {qemu_version('qemu-m68k')}",
        QemuUser,
    ),
    Engine(
        "musashi",
        Abilities(
            counts=False,
            checks=True,
            contract=True,
            bulk=False,
            toolbox=False,
            independence="an emulator of the 68K that has nothing in common with QEMU",
        ),
        musashi_version,
        Musashi,
    ),
)
_NATIVE = Abilities(
    counts=False,
    checks=False,
    contract=False,
    bulk=True,
    toolbox=False,
    independence="neither an emulator nor a cross compiler has a part in its results",
)
_EVERY_ENGINE += tuple(
    Engine(
        name,
        _NATIVE,
        functools.partial(_describe_host, name),
        None,
        host_of(name),
        has_sanitizers=name != "host",
    )
    for name in ("host", "host-sanitizers")
)
ENGINES: Mapping[str, Engine] = MappingProxyType({engine.name: engine for engine in _EVERY_ENGINE})
"""By name."""


_SCREENED = ("unicorn", "translated")
_LIFTED = ("m68k", "powerpc")


def screen_for(name: str, cpu: Cpu) -> MakeScreen | None:
    """What looks at the accesses of calls beside an engine; None where only hooks can do that.

    Args:
        name: the engine.
        cpu: the processor.
    """
    return None if why_unscreened(name, cpu) else TranslatedScreen


def why_unscreened(name: str, cpu: Cpu) -> str:
    """Why translated code cannot look at accesses beside an engine; "" where it can."""
    if name not in _SCREENED:
        return f"they were made on {name}"
    if cpu.architecture not in _LIFTED:
        return f"code of the {cpu.name} is not translated"
    missing = [one for one in ("llvmlite", "pypcode") if not importlib.util.find_spec(one)]
    return f"{' and '.join(missing)} is not installed" if missing else ""


@functools.cache
def engine_of(name: str) -> Engine:
    """The engine of a name.

    Raises:
        UsageError: there is none.
    """
    if name not in ENGINES:
        raise UsageError(
            f"there is no engine {name}{did_you_mean(name, ENGINES)}; there are "
            f"{', '.join(ENGINES)}"
        )
    return ENGINES[name]


def describe_engines(names: Sequence[str]) -> str:
    """Names and versions of engines, with commas between them.

    Raises:
        UsageError: there is no such engine.
        ToolMissingError: one is not installed.
    """
    return ", ".join(engine_of(name).describe() for name in names)
