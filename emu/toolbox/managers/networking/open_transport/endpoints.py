"""Open Transport's endpoints: TCP, UDP and the protocols of AppleTalk, of which nobody answers.

What is sent to the machine itself by UDP arrives; all else is lost, and kept for the user if it is
UDP. A connection times out after 75 seconds, as in most TCP of the time.
Source: Inside Macintosh: Networking With Open Transport, chapter "Endpoints Reference"; the header
OpenTransport.h for TEndpointInfo.
"""

from __future__ import annotations

import functools

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.networking.mactcp import ADDRESS
from emu.toolbox.managers.networking.open_transport.endpoint_options import UDP_SIZE
from emu.toolbox.managers.networking.open_transport.providers import (
    EndpointState,
    NetworkEvent,
    Provider,
    Providers,
    open_transport,
)
from emu.toolbox.managers.networking.open_transport.records import (
    InetAddress,
    TBind,
    TDiscon,
    TEndpointInfo,
    TNetbuf,
    TUnitData,
    contents,
    fill,
)
from emu.toolbox.records.results import ResultCode

_FIRST_PORT, _LAST_PORT = 49152, 65535
_CONNECT_SECONDS = 75
_LOOPBACK = 127
_INTERNET = 2
_INVALID, _INFINITE = -2, -1
_CONNECTION, _DATAGRAMS = 2, 3
_TICK = 16_667
_MOST_IDLE = 3600
"""How many ticks a call waits for data that cannot come before the run ends."""


class Endpoints(Manager):
    """Endpoints that are opened, bound and used."""

    plumbing = True
    powerpc_only = True

    _providers: Providers

    # -- opening and asking ------------------------------------------------------------------------

    @open_transport(
        "FUNCTION OTOpenEndpoint (config: Ptr; oflag: UInt32; info: Ptr; err: Ptr): Ptr",
        "OTOpenEndpointPriv",
        "OTOpenEndpointInContext",
    )
    def open(self, configuration: int, flags: int, information: int, error: int) -> int:
        """Open an endpoint: its reference, or 0."""
        reference = self._providers.open_now(configuration, error)
        provider = self._providers.find(reference)
        if information and provider is not None:
            self._describe(provider, information)
        return reference

    @open_transport(
        "FUNCTION OTAsyncOpenEndpoint (config: Ptr; oflag: UInt32; info: Ptr; proc: ProcPtr; "
        "contextPtr: Ptr): LONGINT",
        "OTAsyncOpenEndpointPriv",
        "OTAsyncOpenEndpointInContext",
    )
    def open_later(
        self, configuration: int, flags: int, information: int, notifier: int, context: int
    ) -> int:
        """Open an endpoint whose reference the notifier gets."""
        return self._providers.open_later(configuration, notifier, context)

    def _describe(self, provider: Provider, place: int) -> None:
        information = TEndpointInfo(self.guest, place)
        is_stream = provider.kind in ("tcp", "adsp")
        information.addr, information.options = InetAddress.size, 0
        information.tsdu = 0 if is_stream else UDP_SIZE
        information.etsdu = _INFINITE if is_stream else _INVALID
        information.connect = information.discon = _INVALID
        information.servtype = _CONNECTION if is_stream else _DATAGRAMS
        information.flags = 0

    @open_transport("FUNCTION OTGetEndpointInfo (ref: Ptr; info: Ptr): LONGINT")
    def get_information(self, reference: int, information: int) -> int:
        """What an endpoint can do."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        self._describe(provider, information)
        return 0

    @open_transport("FUNCTION OTGetEndpointState (ref: Ptr): LONGINT")
    def get_state(self, reference: int) -> int:
        """The state of an endpoint, or an error code."""
        provider = self._providers.find(reference)
        return ResultCode.kOTBadReferenceErr if provider is None else provider.state

    @open_transport("FUNCTION OTLook (ref: Ptr): LONGINT")
    def look(self, reference: int) -> int:
        """What has happened; 0 for nothing."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        return provider.event or (NetworkEvent.DATA if provider.arrived else 0)

    @open_transport("FUNCTION OTSync (ref: Ptr): LONGINT")
    def sync(self, reference: int) -> int:
        """Bring the endpoint's state up to date: it is."""
        return self.get_state(reference)

    @open_transport("FUNCTION OTCountDataBytes (ref: Ptr; countPtr: Ptr): LONGINT")
    def count_bytes(self, reference: int, count: int) -> int:
        """How much of the next packet can be read."""
        provider = self._providers.find(reference)
        if provider is None or not provider.arrived:
            return ResultCode.kOTNoDataErr
        self.guest.put32(count, len(provider.arrived[0][2]))
        return 0

    # -- addresses ---------------------------------------------------------------------------------

    def _address(self, netbuf: TNetbuf) -> tuple[int, int] | None:
        """Host and port in a buffer; None if that is no address of TCP/IP by numbers."""
        if not netbuf.buf or netbuf.len < 8:
            return None
        address = InetAddress(self.guest, netbuf.buf)
        if address.fAddressType != _INTERNET:
            return None
        return address.fHost, address.fPort

    @staticmethod
    def _packed(host: int, port: int) -> bytes:
        return b"".join((_INTERNET.to_bytes(2), port.to_bytes(2), host.to_bytes(4), bytes(8)))

    def _free_port(self, kind: str) -> int:
        used = {provider.port for provider in self._providers if provider.kind == kind}
        return next(port for port in range(_FIRST_PORT, _LAST_PORT + 1) if port not in used)

    @open_transport("FUNCTION OTBind (ref: Ptr; reqAddr: Ptr; retAddr: Ptr): LONGINT")
    def bind(self, reference: int, requested: int, answer: int) -> int:
        """Give an endpoint a port: the one that it asks for, or a free one."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if provider.state is not EndpointState.UNBOUND:
            return ResultCode.kOTOutStateErr
        port = 0
        if requested:
            wanted = TBind(self.guest, requested)
            provider.queue = wanted.qlen
            found = self._address(wanted.addr)
            port = found[1] if found is not None else 0
        others = (other for other in self._providers if other.kind == provider.kind)
        if port and any(other.port == port for other in others):
            return self._providers.complete(
                provider, NetworkEvent.BIND_COMPLETE, ResultCode.kOTAddressBusyErr, answer
            )
        provider.port = port or self._free_port(provider.kind)
        provider.state = EndpointState.IDLE
        result = self._tell_address(provider, answer)
        return self._providers.complete(provider, NetworkEvent.BIND_COMPLETE, result, answer)

    def _tell_address(self, provider: Provider, answer: int) -> int:
        """Store the port of an endpoint in a TBind; the result."""
        if not answer:
            return 0
        bound = TBind(self.guest, answer)
        bound.qlen = provider.queue
        packed = self._packed(0, provider.port)
        fits = not bound.addr.maxlen or fill(self.guest, bound.addr, packed)
        return 0 if fits else ResultCode.kOTBufferOverflowErr

    @open_transport("FUNCTION OTUnbind (ref: Ptr): LONGINT")
    def unbind(self, reference: int) -> int:
        """Take an endpoint's port away."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if provider.state is not EndpointState.IDLE:
            return ResultCode.kOTOutStateErr
        provider.state, provider.port = EndpointState.UNBOUND, 0
        provider.arrived.clear()
        return self._providers.complete(provider, NetworkEvent.UNBIND_COMPLETE)

    @open_transport("FUNCTION OTGetProtAddress (ref: Ptr; boundAddr: Ptr; peerAddr: Ptr): LONGINT")
    def get_address(self, reference: int, bound: int, peer: int) -> int:
        """The address of an endpoint; it has no peer."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        result = self._tell_address(provider, bound)
        if peer:
            TBind(self.guest, peer).addr.len = 0
        return self._providers.complete(
            provider, NetworkEvent.PROTOCOL_ADDRESS_COMPLETE, result, bound
        )

    @open_transport(
        "FUNCTION OTResolveAddress (ref: Ptr; reqAddr: Ptr; retAddr: Ptr; timeOut: UInt32): LONGINT"
    )
    def resolve(self, reference: int, requested: int, answer: int, milliseconds: int) -> int:
        """The address of a name: no server answers."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        code = ResultCode.kETIMEDOUTErr
        return self._providers.complete(provider, NetworkEvent.RESOLVE_COMPLETE, code, answer)

    # -- connections -------------------------------------------------------------------------------

    @open_transport("FUNCTION OTConnect (ref: Ptr; sndCall: Ptr; rcvCall: Ptr): LONGINT")
    def connect(self, reference: int, call: int, answer: int) -> int:
        """Connect to another machine, which does not answer."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if provider.state is not EndpointState.IDLE:
            return ResultCode.kOTOutStateErr
        target = self._address(TUnitData(self.guest, call).addr) if call else None
        is_here = target is not None and self._is_here(target[0])
        reason = ResultCode.kECONNREFUSEDErr if is_here else ResultCode.kETIMEDOUTErr
        provider.state = EndpointState.CONNECTING
        if provider.is_asynchronous or not provider.is_blocking:
            delay = 0 if is_here else _CONNECT_SECONDS * 1_000_000
            self._providers.later(lambda: self._fail(provider, reason), delay)
            return ResultCode.kOTNoDataErr
        self._fail(provider, reason)
        return ResultCode.kOTLookErr

    def _fail(self, provider: Provider, reason: int) -> None:
        """End the wait for a connection, unless the program has ended it."""
        if provider.state is EndpointState.CONNECTING:
            provider.event, provider.reason = NetworkEvent.DISCONNECT, reason
            self._providers.tell(provider, NetworkEvent.DISCONNECT)

    @staticmethod
    def _is_here(host: int) -> bool:
        return host >> 24 == _LOOPBACK or host == ADDRESS

    def _without_connection(self, reference: int, otherwise: int) -> int:
        """The result of a call that needs a connection: there is none."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        return ResultCode.kOTLookErr if provider.event else otherwise

    @open_transport("FUNCTION OTRcvConnect (ref: Ptr; call: Ptr): LONGINT")
    @open_transport("FUNCTION OTListen (ref: Ptr; call: Ptr): LONGINT")
    def receive_connection(self, reference: int, call: int) -> int:
        """Whether a connection has been made: none has."""
        return self._without_connection(reference, ResultCode.kOTNoDataErr)

    @open_transport("FUNCTION OTAccept (listener: Ptr; worker: Ptr; call: Ptr): LONGINT")
    def accept(self, listener: int, worker: int, call: int) -> int:
        """Accept a connection that waits: none does."""
        return self._without_connection(listener, ResultCode.kOTOutStateErr)

    @open_transport("FUNCTION OTRcvDisconnect (ref: Ptr; discon: Ptr): LONGINT")
    def receive_disconnect(self, reference: int, record: int) -> int:
        """Why a connection ended, or was not made."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if provider.event != NetworkEvent.DISCONNECT:
            return ResultCode.kOTNoDisconnectErr
        if record:
            told = TDiscon(self.guest, record)
            told.udata.len = 0
            told.reason, told.sequence = provider.reason, 0
        provider.event, provider.state = 0, EndpointState.IDLE
        return 0

    @open_transport("FUNCTION OTSndDisconnect (ref: Ptr; call: Ptr): LONGINT")
    def send_disconnect(self, reference: int, call: int) -> int:
        """Give up a connection that is being made."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if provider.state is not EndpointState.CONNECTING:
            return ResultCode.kOTOutStateErr
        provider.state, provider.event = EndpointState.IDLE, 0
        return self._providers.complete(provider, NetworkEvent.DISCONNECT_COMPLETE)

    @open_transport("FUNCTION OTSndOrderlyDisconnect (ref: Ptr): LONGINT")
    def send_orderly_disconnect(self, reference: int) -> int:
        """End a connection: there is none."""
        return self._without_connection(reference, ResultCode.kOTOutStateErr)

    @open_transport("FUNCTION OTRcvOrderlyDisconnect (ref: Ptr): LONGINT")
    def receive_orderly_disconnect(self, reference: int) -> int:
        """Whether the other side has ended a connection: there is none."""
        return self._without_connection(reference, ResultCode.kOTNoReleaseErr)

    @open_transport("FUNCTION OTSnd (ref: Ptr; buf: Ptr; nbytes: UInt32; flags: UInt32): LONGINT")
    def send(self, reference: int, buffer: int, count: int, flags: int) -> int:
        """Send through a connection: there is none."""
        return self._without_connection(reference, ResultCode.kOTOutStateErr)

    @open_transport("FUNCTION OTRcv (ref: Ptr; buf: Ptr; nbytes: UInt32; flags: Ptr): LONGINT")
    def receive(self, reference: int, buffer: int, count: int, flags: int) -> int:
        """Receive through a connection: there is none."""
        return self._without_connection(reference, ResultCode.kOTOutStateErr)

    # -- packets -----------------------------------------------------------------------------------

    @open_transport("FUNCTION OTSndUData (ref: Ptr; udata: Ptr): LONGINT")
    def send_packet(self, reference: int, record: int) -> int:
        """Send a packet; only the machine itself gets any."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if provider.kind == "tcp":
            return ResultCode.kOTNotSupportedErr
        if provider.state is not EndpointState.IDLE:
            return ResultCode.kOTOutStateErr
        packet = TUnitData(self.guest, record)
        if not packet.addr.len:
            return ResultCode.kOTBadAddressErr
        data = contents(self.guest, packet.udata)
        if provider.kind == "udp":
            self.host.outputs.keep_datagram(data)
        target = self._address(packet.addr)
        if target is not None and self._is_here(target[0]):
            self._deliver(provider, target, data)
        return 0

    def _deliver(self, sender: Provider, target: tuple[int, int], data: bytes) -> None:
        for provider in self._providers:
            if (provider.kind, provider.port) == (sender.kind, target[1]):
                provider.arrived.append((target[0], sender.port, data))
                tell = functools.partial(self._providers.tell, provider, NetworkEvent.DATA)
                self._providers.later(tell)

    @open_transport("FUNCTION OTRcvUData (ref: Ptr; udata: Ptr; flags: Ptr): LONGINT")
    def receive_packet(self, reference: int, record: int, flags: int) -> int:
        """Receive a packet."""
        provider = self._providers.find(reference)
        if provider is None:
            return ResultCode.kOTBadReferenceErr
        if provider.state is not EndpointState.IDLE:
            return ResultCode.kOTOutStateErr
        if not provider.arrived:
            return self._wait(provider) if self._waits(provider) else ResultCode.kOTNoDataErr
        host, port, data = provider.arrived.pop(0)
        packet = TUnitData(self.guest, record)
        fill(self.guest, packet.addr, self._packed(host, port))
        packet.opt.len = 0
        if flags:
            self.guest.put32(flags, 0)
        fits = fill(self.guest, packet.udata, data)
        return 0 if fits else ResultCode.kOTBufferOverflowErr

    @staticmethod
    def _waits(provider: Provider) -> bool:
        return provider.is_blocking and not provider.is_asynchronous

    def _wait(self, provider: Provider) -> int:
        """Wait for a packet that cannot come, until the notifier cancels that."""
        provider.cancelled = 0
        for _ in range(_MOST_IDLE if provider.is_idling else 0):
            self.host.clock.wait(_TICK)
            self._providers.tell(provider, NetworkEvent.SYNC_IDLE)
            if provider.cancelled:
                return provider.cancelled
        raise self.host.stopped(
            "the program waits for a packet of UDP, and no network is connected to send one"
        )

    @open_transport("FUNCTION OTRcvUDErr (ref: Ptr; uderr: Ptr): LONGINT")
    def receive_error(self, reference: int, record: int) -> int:
        """Why a packet was not delivered: nobody tells."""
        return self._without_connection(reference, ResultCode.kOTNoUDErrErr)
