"""What answers where a program has no memory, and a Macintosh does not stop it.

Below the end of its RAM a Macintosh without memory protection has the memory of others. With
addresses of 24 bits there is an answer everywhere: a Macintosh Plus has no bus errors, and what is
stored where nothing is, is lost (Guide to the Macintosh Family Hardware, second edition, chapter
3). Here others' memory holds zeros, and what is stored there is lost, too. Where the program comes
to it is told, since elsewhere it is a fault or does harm: the engine asks once for a page, until it
asks for another.
"""

from __future__ import annotations

from emu.toolbox.computer.host import Host
from emu.toolbox.guest.layout import EMPTY

_MOST_PLACES = 20
"""Places in the program. One that looks through memory would fill the report."""


class EmptyBus:
    """Lets a program go on that accesses memory which is none of its own.

    Args:
        host: the machine, before the program runs.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._places: set[int] = set()
        for pages in (host.engine.pages, host.guest):
            pages.stand_in = self._stand_in

    def _stand_in(self, address: int, stores: bool) -> int | None:
        """The page for an address where the program has no memory; None if it is a fault."""
        host = self._host
        is_ram = address < host.layout.screen
        if not is_ram and not host.has_24_bits:
            return None
        engine = host.engine
        code = engine.register_file.read("pc") if engine.is_running else host.return_address
        if code not in self._places and len(self._places) < _MOST_PLACES:
            self._places.add(code)
            whose = "others have their memory" if is_ram else "a Macintosh Plus has no memory"
            host.report(
                "others' memory",
                f"the code at {host.place(code)} {'stores' if stores else 'reads'} at "
                f"0x{address:08x}, where {whose}",
            )
        return EMPTY.address + EMPTY.size // 2 * stores
