"""Finds the instruction of a new function that wrote a byte."""

from __future__ import annotations

from collections.abc import Mapping

from emu.port.recording.store import RecordedCall
from emu.port.replay.replayer import Replayer


def last_stores(
    replayer: Replayer,
    call: RecordedCall,
    entry: int,
    watched: range,
    changed: Mapping[int, bytes] | None,
    most_code: int,
) -> list[int]:
    """The addresses of the instructions that wrote last to some addresses, in their order.

    Args:
        replayer: where the call is made again.
        call: the call.
        entry: the address of the function.
        watched: the addresses.
        changed: bytes to change before, by their address.
        most_code: how many bytes of code the call executes.
    """
    engine = replayer.session.mac.engine
    with engine.watched_accesses.noting_stores(watched) as stores:
        replayer.run(call, entry, changed=changed, most_code=most_code)
    return [stores[address] for address in sorted(stores)]
