"""The digests of all that verdicts rest on, so that a verdict can be told from one that is due."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from emu import __version__
from emu.port.graft.assembly import CALL
from emu.port.graft.places import GraftPlaces, places_of
from emu.port.graft.units import PortObjects, PortUnit
from emu.port.model import ClaimedFunction
from emu.port.recording.recordings import recording_digests
from emu.port.status.verdicts import PortDigests
from emu.port.verify.build import PortBuild
from emu.port.verify.terms import VerifyTerms
from emu.toolchain.compiler import compiler_version


def grounds_of(
    port: PortBuild, functions: Sequence[ClaimedFunction], digests: PortDigests, terms: VerifyTerms
) -> dict[str, dict[str, str]]:
    """The digests of all that the verdict of each function rests on, by its place.

    Raises:
        ProgramError: two marks are about one name and differ.
        UsageError: the file of recordings is damaged, or of another program.
    """
    project = port.project
    compiler = port.objects.target.compiler
    making = f"{__version__} {terms.build} {compiler} {compiler_version(compiler)}"
    common = {"original": project.digest, "build": _digest(making)}
    if terms.together:
        common["sources"] = digests.of_all
    if terms.vary is not None:
        common["changes"] = _digest(f"{terms.vary.amount} {terms.vary.seed}")
    # This process may be forked for an engine, so it makes none.
    recordings = recording_digests(project, [one.place for one in functions])
    names = _NamesInUse(port.objects, places_of(port.claims, port.objects, project)).digests()
    return {
        place: {
            **common,
            "source": digests.of(place),
            "recording": digest,
            "names": names.get(place, ""),
        }
        for place, digest in recordings.items()
    }


class _NamesInUse:
    """What the names stand for that a unit uses.

    A name with a place is the old program's: the place counts. One without a place is new, with the
    unit that defines it, and with what that uses.
    """

    def __init__(self, objects: PortObjects, places: GraftPlaces) -> None:
        self._units, self._places = objects.units, places
        self._definers = {
            symbol.reference: unit for unit in objects.units for symbol in unit.symbols
        }

    def digests(self) -> Mapping[str, str]:
        """The digest for each function, by its place."""
        of_units = {unit.path: _digest(repr(self._of(unit))) for unit in self._units}
        return {
            claim.place: of_units[self._definers[reference].path]
            for reference, claim in self._places.functions.items()
            if reference in self._definers
        }

    def _of(self, unit: PortUnit) -> list[tuple[str, str]]:
        """The names, each with what it stands for: a place, or the digest of a unit."""
        found: dict[str, str] = {}
        units = [unit]
        for each in units:  # it grows meanwhile
            for name in each.undefined:
                reference = name.removeprefix(CALL)
                function = self._places.functions.get(reference)
                place = function.place if function else self._places.globals.get(reference, "")
                definer = self._definers.get(reference)
                if not place and definer is not None:
                    place = hashlib.sha256(definer.image).hexdigest()
                    units += [definer] if definer not in units else []
                found[reference] = place
        return sorted(found.items())


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()
