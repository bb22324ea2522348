"""Open Transport's providers: opening and closing them, their modes, and telling their notifiers.

A call of an asynchronous provider is done at once; its notifier is called soon after it, as soon as
tasks may run.
Source: Inside Macintosh: Networking With Open Transport, chapters "Getting Started With Open
Transport", "Providers Reference" and "Advanced Topics" (result codes: appendix B). That the static
part of a program calls routines whose names end with Priv and have the client's record as a last
argument is read from programs; what is behind the last argument that is declared is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.time.tasks import TimeManager
from emu.toolbox.records.results import ResultCode

NOT_A_CONFIGURATION = 0xFFFFFFFF
_DEFAULT_SERVICES = frozenset((0xFFFFFFFD, 0xFFFFFFFC))
"""Configurations that stand for the usual services of TCP/IP and of AppleTalk."""

_KINDS = ("tcp", "udp", "rawip", "ddp", "adsp", "atp", "asp", "pap", "nbp", "inet", "serial")
_FIRST_CONFIGURATION, _FIRST_PROVIDER, _FIRST_EVENT = 0x00F20001, 0x00F30001, 1 << 40
_NOTIFY = "PROCEDURE Notify (context: Ptr; code: UInt32; result: LONGINT; cookie: Ptr)"
_MOST_PROVIDERS = 1000
_Method = TypeVar("_Method", bound=Callable[..., Any])


def open_transport(heading: str, *imports: str) -> Callable[[_Method], _Method]:
    """Declare a routine that only PowerPC programs import, with further names of it."""
    return routine(heading, architecture="powerpc", imports=imports)


class EndpointState(IntEnum):
    """The states of an endpoint."""

    UNBOUND = 1
    IDLE = 2
    CONNECTING = 3
    CONNECTED = 5


class NetworkEvent(IntEnum):
    """What a notifier is told."""

    DATA = 0x4
    DISCONNECT = 0x10
    BIND_COMPLETE = 0x20000001
    UNBIND_COMPLETE = 0x20000002
    DISCONNECT_COMPLETE = 0x20000005
    OPTIONS_COMPLETE = 0x20000006
    OPEN_COMPLETE = 0x20000007
    PROTOCOL_ADDRESS_COMPLETE = 0x20000008
    RESOLVE_COMPLETE = 0x20000009
    REGISTER_COMPLETE = 0x2000000D
    DELETE_COMPLETE = 0x2000000E
    LOOK_UP_COMPLETE = 0x2000000F
    SYNC_IDLE = 0x20000011
    NAME_TO_ADDRESS_COMPLETE = 0x10000001
    ADDRESS_TO_NAME_COMPLETE = 0x10000002
    SYSTEM_INFO_COMPLETE = 0x10000003
    MAIL_EXCHANGE_COMPLETE = 0x10000004
    QUERY_COMPLETE = 0x10000005


@dataclass(slots=True)
class Provider:
    """An endpoint, a mapper of names, or a service.

    Attributes:
        reference: its number for the program.
        kind: the protocol, such as "udp".
        state: of an endpoint.
        is_asynchronous: whether its calls end by its notifier.
        is_blocking: whether a call waits for data.
        is_idling: whether the notifier is called while a call waits.
        notifier: its routine; 0 for none.
        context: what the notifier is given first.
        port: of TCP/IP; 0 if it is not bound.
        queue: how many connections may wait to be accepted.
        event: what OTLook tells; 0 for nothing.
        reason: why the connection ended.
        cancelled: the result of a call that is to end, once it waits; 0 for none.
        arrived: packets that have arrived, with host and port of their sender.
    """

    reference: int
    kind: str
    state: EndpointState = EndpointState.UNBOUND
    is_asynchronous: bool = False
    is_blocking: bool = False
    is_idling: bool = False
    notifier: int = 0
    context: int = 0
    port: int = 0
    queue: int = 0
    event: int = 0
    reason: int = 0
    cancelled: int = 0
    arrived: list[tuple[int, int, bytes]] = field(default_factory=list)


class Providers(Manager):
    """The providers of the program."""

    plumbing = True
    powerpc_only = True

    _time: TimeManager

    def __post_init__(self) -> None:
        self._configurations: dict[int, str] = {}
        self._providers: dict[int, Provider] = {}
        self._events: dict[int, Callable[[], None]] = {}
        self._next_provider, self._next_event = _FIRST_PROVIDER, _FIRST_EVENT
        self.has_tcp = False

    def __iter__(self) -> Any:
        return iter(self._providers.values())

    def find(self, reference: int) -> Provider | None:
        """The provider of a reference; None if there is none."""
        return self._providers.get(reference)

    # -- events ------------------------------------------------------------------------------------

    def later(self, action: Callable[[], None], microseconds: int = 0) -> None:
        """Do something after a time, as soon as tasks may run."""
        number, self._next_event = self._next_event, self._next_event + 1
        self._events[number] = action
        self._time.set_alarm(number, self.host.clock.now() + microseconds, self._happen)

    def _happen(self, number: int) -> None:
        self._events.pop(number)()

    def tell(self, provider: Provider, event: int, result: int = 0, cookie: int = 0) -> None:
        """Call a provider's notifier, if it still has one."""
        if provider.notifier and provider.reference in self._providers:
            self.host.call_guest(
                provider.notifier, _NOTIFY, provider.context, event, result, cookie
            )

    def complete(self, provider: Provider, event: int, result: int = 0, cookie: int = 0) -> int:
        """The result of a call: the notifier gets it if the provider is asynchronous."""
        if not provider.is_asynchronous:
            return result
        self.later(lambda: self.tell(provider, event, result, cookie))
        return 0

    # -- Open Transport itself ---------------------------------------------------------------------

    @open_transport(
        "FUNCTION InitOpenTransport: LONGINT",
        "InitOpenTransportPriv",
        "InitOpenTransportInContext",
        "InitOpenTransportUtilities",
        "InitOpenTransportUtilitiesPriv",
    )
    def begin(self) -> int:
        """Begin to use Open Transport."""
        return 0

    @open_transport(
        "PROCEDURE CloseOpenTransport", "CloseOpenTransportPriv", "CloseOpenTransportInContext"
    )
    def end(self) -> None:
        """Close all that the program has opened."""
        self._providers.clear()

    @open_transport("FUNCTION OTExitPatchPriv: LONGINT", "OTUnregisterAsClient")
    @open_transport("FUNCTION OTRegisterAsClient: LONGINT", "OTRegisterAsClientPriv")
    def no_error(self) -> int:
        """Be told about the program's end, or tell it: there is nothing to be done."""
        return 0

    @open_transport("FUNCTION OTCreateConfiguration (path: Ptr): Ptr")
    def create_configuration(self, path: int) -> int:
        """A configuration of protocols, such as "tilisten,tcp"; -1 if it names none."""
        text = self.guest.c_string(path).decode("mac_roman").lower()
        names = re.sub(r"\([^)]*\)", "", text).split(",")
        found = next((kind for kind in _KINDS for name in names if name.startswith(kind)), "")
        if not found:
            return NOT_A_CONFIGURATION
        reference = _FIRST_CONFIGURATION + len(self._configurations)
        self._configurations[reference] = found
        return reference

    @open_transport("FUNCTION OTCloneConfiguration (configuration: Ptr): Ptr")
    def clone_configuration(self, configuration: int) -> int:
        """The same configuration once more: opening a provider uses one up."""
        return configuration

    @open_transport("PROCEDURE OTDestroyConfiguration (configuration: Ptr)")
    def destroy_configuration(self, configuration: int) -> None:
        """Be done with a configuration."""

    # -- opening -----------------------------------------------------------------------------------

    def open(self, configuration: int, *, service: str = "") -> Provider | int:
        """A new provider; an error code if the configuration is none, or there are too many."""
        kind = self._configurations.get(configuration, "")
        if service and configuration in _DEFAULT_SERVICES:
            kind = service
        if not kind:
            return ResultCode.kOTBadConfigurationErr
        if len(self._providers) >= _MOST_PROVIDERS:
            return ResultCode.kOTOutOfMemoryErr
        provider = Provider(self._next_provider, kind)
        self._next_provider += 1
        self._providers[provider.reference] = provider
        self.has_tcp |= kind in ("tcp", "udp", "rawip", "inet")
        return provider

    def open_now(self, configuration: int, error: int, *, service: str = "") -> int:
        """Open a provider for a call that stores its result; the reference, or 0."""
        opened = self.open(configuration, service=service)
        code = opened if isinstance(opened, int) else 0
        if error:
            self.guest.put32(error, code)
        return 0 if isinstance(opened, int) else opened.reference

    def open_later(
        self, configuration: int, notifier: int, context: int, *, service: str = ""
    ) -> int:
        """Open a provider, and tell a notifier that it is asynchronous and open."""
        opened = self.open(configuration, service=service)
        if isinstance(opened, int):
            return opened
        opened.notifier, opened.context, opened.is_asynchronous = notifier, context, True
        return self.complete(opened, NetworkEvent.OPEN_COMPLETE, 0, opened.reference)

    @open_transport("FUNCTION OTCloseProvider (ref: Ptr): LONGINT", "OTCloseProviderPriv")
    def close(self, reference: int) -> int:
        """Close a provider."""
        closed = self._providers.pop(reference, None)
        return 0 if closed is not None else ResultCode.kOTBadReferenceErr

    # -- modes -------------------------------------------------------------------------------------

    def _set(self, reference: int, **values: Any) -> int:
        provider = self.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        for name, value in values.items():
            setattr(provider, name, value)
        return 0

    @open_transport("FUNCTION OTSetAsynchronous (ref: Ptr): LONGINT")
    def set_asynchronous(self, reference: int) -> int:
        """Have calls end by the notifier."""
        return self._set(reference, is_asynchronous=True)

    @open_transport("FUNCTION OTSetSynchronous (ref: Ptr): LONGINT")
    def set_synchronous(self, reference: int) -> int:
        """Have calls end before they return."""
        return self._set(reference, is_asynchronous=False)

    @open_transport("FUNCTION OTSetBlocking (ref: Ptr): LONGINT")
    def set_blocking(self, reference: int) -> int:
        """Have calls wait for data."""
        return self._set(reference, is_blocking=True)

    @open_transport("FUNCTION OTSetNonBlocking (ref: Ptr): LONGINT")
    def set_non_blocking(self, reference: int) -> int:
        """Have calls return without data."""
        return self._set(reference, is_blocking=False)

    @open_transport("FUNCTION OTIsSynchronous (ref: Ptr): BOOLEAN")
    def is_synchronous(self, reference: int) -> bool:
        """Whether calls end before they return."""
        provider = self.find(reference)
        return provider is not None and not provider.is_asynchronous

    @open_transport("FUNCTION OTIsBlocking (ref: Ptr): BOOLEAN")
    def is_blocking(self, reference: int) -> bool:
        """Whether calls wait for data."""
        provider = self.find(reference)
        return provider is not None and provider.is_blocking

    @open_transport(
        "FUNCTION OTInstallNotifier (ref: Ptr; proc: ProcPtr; contextPtr: Ptr): LONGINT"
    )
    def install_notifier(self, reference: int, notifier: int, context: int) -> int:
        """Have a routine told of what happens; a provider has one at a time."""
        provider = self.find(reference)
        if provider is not None and provider.notifier:
            return ResultCode.kOTAccessErr
        return self._set(reference, notifier=notifier, context=context)

    @open_transport("PROCEDURE OTRemoveNotifier (ref: Ptr)")
    def remove_notifier(self, reference: int) -> None:
        """No longer tell it."""
        self._set(reference, notifier=0, context=0)

    @open_transport("FUNCTION OTUseSyncIdleEvents (ref: Ptr; useEvents: BOOLEAN): LONGINT")
    def use_idle_events(self, reference: int, used: bool) -> int:
        """Have the notifier called while a call waits."""
        return self._set(reference, is_idling=bool(used))

    @open_transport("FUNCTION OTCancelSynchronousCalls (ref: Ptr; err: LONGINT): LONGINT")
    def cancel(self, reference: int, error: int) -> int:
        """Have a call end that waits, with a result."""
        return self._set(reference, cancelled=error)

    @open_transport("FUNCTION OTEnterNotifier (ref: Ptr): BOOLEAN")
    def enter_notifier(self, reference: int) -> bool:
        """Hold the notifier back: it is never called within another call."""
        return self.find(reference) is not None

    @open_transport("PROCEDURE OTLeaveNotifier (ref: Ptr)")
    def leave_notifier(self, reference: int) -> None:
        """Let it be called again."""

    @open_transport("FUNCTION OTAckSends (ref: Ptr): LONGINT")
    @open_transport("FUNCTION OTDontAckSends (ref: Ptr): LONGINT")
    def set_acknowledging(self, reference: int) -> int:
        """Say whether data are copied before they are sent: they are."""
        return self._set(reference)

    @open_transport("FUNCTION OTIoctl (ref: Ptr; cmd: UInt32; data: Ptr): LONGINT")
    def io_control(self, reference: int, command: int, data: int) -> int:
        """Send a command to a module of a stream: none knows any."""
        return self._set(reference) or ResultCode.kENOTTYErr
