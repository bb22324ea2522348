"""Open Transport's lists, whose elements begin with the address of the next one.

Source: Inside Macintosh: Networking With Open Transport, chapter "Utilities Reference".
"""

from __future__ import annotations

from collections.abc import Sequence

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.networking.open_transport.providers import open_transport

_MOST_ELEMENTS = 100_000


class LinkedLists(Manager):
    """Elements put in and taken out."""

    plumbing = True
    powerpc_only = True

    def _elements(self, first: int) -> list[int]:
        """The elements from one on; a list that leads back into itself ends the run."""
        found: list[int] = []
        while first:
            found.append(first)
            if len(found) > _MOST_ELEMENTS:
                raise self.host.stopped("a list of Open Transport leads back into itself")
            first = self.guest.u32(first)
        return found

    def _join(self, elements: Sequence[int]) -> int:
        """Link elements in this order; the first, or 0."""
        following = 0
        for element in reversed(elements):
            self.guest.put32(element, following)
            following = element
        return following

    @open_transport("PROCEDURE OTLIFOEnqueue (list: Ptr; link: Ptr)", "OTAddFirst")
    def add_first(self, place: int, link: int) -> None:
        """Put an element in front."""
        self.guest.put32(link, self.guest.u32(place))
        self.guest.put32(place, link)

    @open_transport("PROCEDURE OTAddLast (list: Ptr; link: Ptr)")
    def add_last(self, place: int, link: int) -> None:
        """Put an element behind the others."""
        self.guest.put32(place, self._join([*self._elements(self.guest.u32(place)), link]))

    @open_transport("FUNCTION OTLIFODequeue (list: Ptr): Ptr", "OTRemoveFirst")
    def remove_first(self, place: int) -> int:
        """Take the first element out; 0 if there is none."""
        first = self.guest.u32(place)
        if first:
            self.guest.put32(place, self.guest.u32(first))
        return first

    @open_transport("FUNCTION OTRemoveLast (list: Ptr): Ptr")
    def remove_last(self, place: int) -> int:
        """Take the last element out; 0 if there is none."""
        elements = self._elements(self.guest.u32(place))
        if not elements:
            return 0
        self.guest.put32(place, self._join(elements[:-1]))
        return elements[-1]

    @open_transport("FUNCTION OTLIFOStealList (list: Ptr): Ptr")
    def take_all(self, place: int) -> int:
        """Take all elements out; the first of them."""
        first = self.guest.u32(place)
        self.guest.put32(place, 0)
        return first

    @open_transport("FUNCTION OTReverseList (list: Ptr): Ptr")
    def reverse(self, first: int) -> int:
        """Link elements the other way round; the first then."""
        return self._join(self._elements(first)[::-1])

    @open_transport("FUNCTION OTGetFirst (list: Ptr): Ptr")
    def first(self, place: int) -> int:
        """The first element, or 0."""
        return self.guest.u32(place)

    @open_transport("FUNCTION OTGetLast (list: Ptr): Ptr")
    def last(self, place: int) -> int:
        """The last element, or 0."""
        return (self._elements(self.guest.u32(place)) or [0])[-1]

    @open_transport("FUNCTION OTIsInList (list: Ptr; link: Ptr): BOOLEAN")
    def has(self, place: int, link: int) -> bool:
        """Whether an element is in a list."""
        return link in self._elements(self.guest.u32(place))

    @open_transport("FUNCTION OTRemoveLink (list: Ptr; link: Ptr): BOOLEAN")
    def remove(self, place: int, link: int) -> bool:
        """Take an element out; False if it was not there."""
        elements = self._elements(self.guest.u32(place))
        if link not in elements:
            return False
        elements.remove(link)
        self.guest.put32(place, self._join(elements))
        return True

    @open_transport("FUNCTION OTGetIndexedLink (list: Ptr; index: UInt32): Ptr")
    def element(self, place: int, index: int) -> int:
        """An element by its number, from 0; 0 if there are fewer."""
        elements = self._elements(self.guest.u32(place))
        return elements[index] if index < len(elements) else 0
