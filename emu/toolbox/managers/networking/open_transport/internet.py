"""Open Transport's services of TCP/IP: names are not resolved, since no server answers.

Source: Inside Macintosh: Networking With Open Transport, chapter "TCP/IP Services Reference".
"""

from __future__ import annotations

import socket

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.networking.mactcp import ADDRESS, MASK
from emu.toolbox.managers.networking.open_transport.providers import (
    NetworkEvent,
    Providers,
    open_transport,
)
from emu.toolbox.managers.networking.open_transport.records import InetAddress, InetInterfaceInfo
from emu.toolbox.records.results import ResultCode

_INTERNET, _BY_NAME = 2, 42
_VERSION, _LARGEST_PACKET = 3, 1500
_LONGEST_NAME = 255
_HOSTS = 10
_NAME_FIELD = 256
_SYSTEM_FIELD = 32


def host_number(text: bytes) -> int | None:
    """An address written with dots as a number; None if it is none."""
    parts = text.split(b".")
    if len(parts) != 4 or not all(part.isdigit() and int(part) < 256 for part in parts):
        return None
    return int.from_bytes(socket.inet_aton(".".join(str(int(part)) for part in parts)), "big")


class InternetServices(Manager):
    """Addresses, names, and what is known of the interface."""

    plumbing = True
    powerpc_only = True

    _providers: Providers

    @open_transport(
        "FUNCTION OTOpenInternetServices (cfig: Ptr; oflag: UInt32; err: Ptr): Ptr",
        "OTOpenInternetServicesPriv",
        "OTOpenInternetServicesInContext",
    )
    def open(self, configuration: int, flags: int, error: int) -> int:
        """Open the services: their reference, or 0."""
        return self._providers.open_now(configuration, error, service="inet")

    @open_transport(
        "FUNCTION OTAsyncOpenInternetServices (cfig: Ptr; oflag: UInt32; proc: ProcPtr; "
        "contextPtr: Ptr): LONGINT",
        "OTAsyncOpenInternetServicesPriv",
        "OTAsyncOpenInternetServicesInContext",
    )
    def open_later(self, configuration: int, flags: int, notifier: int, context: int) -> int:
        """Open the services; the notifier gets their reference."""
        return self._providers.open_later(configuration, notifier, context, service="inet")

    def _unanswered(self, reference: int, event: NetworkEvent, cookie: int) -> int:
        """The end of a question to a server of names: its timer expires."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        return self._providers.complete(provider, event, ResultCode.kETIMEDOUTErr, cookie)

    @open_transport("FUNCTION OTInetStringToAddress (ref: Ptr; name: Ptr; hinfo: Ptr): LONGINT")
    def find_host(self, reference: int, name: int, answer: int) -> int:
        """The addresses of a host: only one that is written with dots is known."""
        event = NetworkEvent.NAME_TO_ADDRESS_COMPLETE
        text = self.guest.c_string(name)
        number = host_number(text)
        provider = self._providers.find(reference)
        if number is None or provider is None:
            return self._unanswered(reference, event, answer)
        self.guest.write(answer, text[:_LONGEST_NAME].ljust(_NAME_FIELD, b"\0"))
        self.guest.write(answer + _NAME_FIELD, number.to_bytes(4, "big").ljust(4 * _HOSTS, b"\0"))
        return self._providers.complete(provider, event, 0, answer)

    @open_transport("FUNCTION OTInetAddressToName (ref: Ptr; addr: UInt32; name: Ptr): LONGINT")
    def find_name(self, reference: int, address: int, name: int) -> int:
        """The name of a host."""
        return self._unanswered(reference, NetworkEvent.ADDRESS_TO_NAME_COMPLETE, name)

    @open_transport("FUNCTION OTInetSysInfo (ref: Ptr; name: Ptr; sysinfo: Ptr): LONGINT")
    def find_system(self, reference: int, name: int, answer: int) -> int:
        """Processor and system of a host."""
        return self._unanswered(reference, NetworkEvent.SYSTEM_INFO_COMPLETE, answer)

    @open_transport("FUNCTION OTInetMailExchange (ref: Ptr; name: Ptr; num: Ptr; mx: Ptr): LONGINT")
    def find_mail(self, reference: int, name: int, count: int, answer: int) -> int:
        """The hosts that take mail for a name."""
        return self._unanswered(reference, NetworkEvent.MAIL_EXCHANGE_COMPLETE, answer)

    @open_transport(
        "FUNCTION OTInetQuery (ref: Ptr; name: Ptr; qClass: UInt16; qType: UInt16; buf: Ptr; "
        "buflen: UInt32; argv: Ptr; argvlen: UInt32; flags: UInt32): LONGINT"
    )
    def ask(self, reference: int, name: int, *more: int) -> int:
        """Any question to a server of names."""
        return self._unanswered(reference, NetworkEvent.QUERY_COMPLETE, 0)

    @open_transport("FUNCTION OTInetGetInterfaceInfo (info: Ptr; val: LONGINT): LONGINT")
    def interface(self, place: int, number: int) -> int:
        """What is known of the interface, once TCP/IP has been loaded for a provider."""
        if number > 0 or not self._providers.has_tcp:
            return ResultCode.kOTNotFoundErr
        information = InetInterfaceInfo(self.guest, place)
        information.clear()
        information.fAddress, information.fNetmask = ADDRESS, MASK
        information.fBroadcastAddr = ADDRESS | ~MASK & 0xFFFFFFFF
        information.fVersion, information.fIfMTU = _VERSION, _LARGEST_PACKET
        return 0

    @open_transport(
        "FUNCTION OTInetGetSecondaryAddresses (addr: Ptr; count: Ptr; val: LONGINT): LONGINT"
    )
    def other_addresses(self, addresses: int, count: int, number: int) -> int:
        """Further addresses of the interface: there are none."""
        self.guest.put32(count, 0)
        return 0

    # -- addresses ---------------------------------------------------------------------------------

    @open_transport("PROCEDURE OTInitInetAddress (addr: Ptr; port: UInt16; host: UInt32)")
    def make_address(self, place: int, port: int, host: int) -> None:
        """Fill an address of a port and a host."""
        address = InetAddress(self.guest, place)
        address.clear()
        address.fAddressType, address.fPort, address.fHost = _INTERNET, port, host

    @open_transport("FUNCTION OTInitDNSAddress (addr: Ptr; str: Ptr): UInt32")
    def make_name(self, place: int, text: int) -> int:
        """Fill an address of a name; its length."""
        name = self.guest.c_string(text)[:_LONGEST_NAME]
        self.guest.write(place, _BY_NAME.to_bytes(2, "big") + name + b"\0")
        return len(name) + 2

    @open_transport("FUNCTION OTInetStringToHost (str: Ptr; host: Ptr): LONGINT")
    def read_host(self, text: int, host: int) -> int:
        """The number of an address written with dots."""
        number = host_number(self.guest.c_string(text))
        if number is None:
            return ResultCode.kOTBadNameErr
        self.guest.put32(host, number)
        return 0

    @open_transport("PROCEDURE OTInetHostToString (host: UInt32; str: Ptr)")
    def write_host(self, host: int, text: int) -> None:
        """An address written with dots."""
        dotted = ".".join(map(str, host.to_bytes(4, "big")))
        self.guest.write(text, dotted.encode("ascii") + b"\0")
