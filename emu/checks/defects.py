"""Defects of guest code that a check has seen while the code ran."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Defect:
    """Something that code must not do, whatever comes of it.

    Attributes:
        check: what has seen it: "address" or "undefined", as GCC names its sanitizers.
        kind: what kind of defect it is: "shift", "signed-integer-overflow".
        what: what happened, with its values: "shift exponent 33 is too large for 32-bit type
            'int'".
        place: the function, source file and line.
        thing: the object that the code wanted to get at, as far as it is known; "" if it is not.
    """

    check: str
    kind: str
    what: str
    place: str
    thing: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What two sightings of one defect have in common; values may differ."""
        return self.check, self.kind, self.place

    def __str__(self) -> str:
        thing = f" ({self.thing})" if self.thing else ""
        return f"{self.what}{thing}, in {self.place}"
