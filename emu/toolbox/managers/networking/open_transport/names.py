"""Open Transport's mappers, which find names on AppleTalk: one can be registered, none is found.

Source: Inside Macintosh: Networking With Open Transport, chapters "Mappers Reference" and
"AppleTalk Services Reference".
"""

from __future__ import annotations

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.networking.open_transport.providers import (
    NetworkEvent,
    Providers,
    open_transport,
)
from emu.toolbox.managers.networking.open_transport.records import TNetbuf
from emu.toolbox.records.results import ResultCode

_AT_ID, _AT_COUNT = TNetbuf.size, TNetbuf.size


class NetworkNames(Manager):
    """Registers and looks up names."""

    plumbing = True
    powerpc_only = True

    _providers: Providers

    @open_transport(
        "FUNCTION OTOpenMapper (config: Ptr; oflag: UInt32; err: Ptr): Ptr",
        "OTOpenMapperPriv",
        "OTOpenMapperInContext",
    )
    def open_mapper(self, configuration: int, flags: int, error: int) -> int:
        """Open a mapper: its reference, or 0."""
        return self._providers.open_now(configuration, error)

    @open_transport(
        "FUNCTION OTAsyncOpenMapper (config: Ptr; oflag: UInt32; proc: ProcPtr; "
        "contextPtr: Ptr): LONGINT",
        "OTAsyncOpenMapperPriv",
        "OTAsyncOpenMapperInContext",
    )
    def open_mapper_later(self, configuration: int, flags: int, notifier: int, context: int) -> int:
        """Open a mapper; the notifier gets its reference."""
        return self._providers.open_later(configuration, notifier, context)

    @open_transport(
        "FUNCTION OTOpenAppleTalkServices (cfig: Ptr; flags: UInt32; err: Ptr): Ptr",
        "OTOpenAppleTalkServicesPriv",
        "OTOpenAppleTalkServicesInContext",
    )
    def open_services(self, configuration: int, flags: int, error: int) -> int:
        """Open the services of AppleTalk: their reference, or 0."""
        return self._providers.open_now(configuration, error, service="ddp")

    @open_transport("FUNCTION OTRegisterName (ref: Ptr; req: Ptr; reply: Ptr): LONGINT")
    def register(self, reference: int, request: int, reply: int) -> int:
        """Register a name: nobody else has it."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if reply:
            TNetbuf(self.guest, reply).len = 0
            self.guest.put32(reply + _AT_ID, 1)
        return self._providers.complete(provider, NetworkEvent.REGISTER_COMPLETE, 0, reply)

    @open_transport("FUNCTION OTDeleteName (ref: Ptr; name: Ptr): LONGINT", "OTDeleteNameByID")
    def delete(self, reference: int, name: int) -> int:
        """Take a name back."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        return self._providers.complete(provider, NetworkEvent.DELETE_COMPLETE)

    @open_transport("FUNCTION OTLookupName (ref: Ptr; req: Ptr; reply: Ptr): LONGINT")
    def look_up(self, reference: int, request: int, reply: int) -> int:
        """Look for names: nobody answers."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if reply:
            TNetbuf(self.guest, reply).len = 0
            self.guest.put32(reply + _AT_COUNT, 0)
        code = ResultCode.kOTNoDataErr
        return self._providers.complete(provider, NetworkEvent.LOOK_UP_COMPLETE, code, reply)

    @open_transport("FUNCTION OTATalkGetMyZone (ref: Ptr; zone: Ptr): LONGINT")
    @open_transport("FUNCTION OTATalkGetLocalZones (ref: Ptr; zones: Ptr): LONGINT")
    @open_transport("FUNCTION OTATalkGetZoneList (ref: Ptr; zones: Ptr): LONGINT")
    def find_zones(self, reference: int, answer: int) -> int:
        """The zones: there is no router, so none."""
        if self._providers.find(reference) is None:
            return ResultCode.kOTBadReferenceErr
        TNetbuf(self.guest, answer).len = 0
        return ResultCode.kOTNoDataErr
