"""Writes a case whose scenes are recorded calls of a function of a port."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.base.temporary import temporary_folder
from emu.cases.case_file import read_outline
from emu.cases.files.places import CASE_FILE
from emu.cases.skeletons.own_sources import OwnFunction, read_interface, require_linking
from emu.cases.skeletons.skeleton import new_folder
from emu.machine.cpu import CPUS
from emu.port.carry.calls import CallReader, FunctionTerms, TypedCall, numbers_of
from emu.port.carry.case_files import RecordedCase
from emu.port.carry.moments import moment_of
from emu.port.carry.pointers import FUNCTION, KnownPlaces, UntypedError
from emu.port.carry.rooms import CasePlace, CasePlaces, CaseScene
from emu.port.graft.assembly import symbol_of
from emu.port.graft.borders import form_of
from emu.port.graft.places import places_of
from emu.port.graft.units import source_name_of
from emu.port.model import ClaimedFunction
from emu.port.original.session import SessionTerms
from emu.port.recording.recordings import open_store
from emu.port.recording.store import RecordedCall, RecordingStore
from emu.port.replay.replayer import Replayer
from emu.port.verify.build import PortBuild
from emu.port.verify.run_places import RunPlaces
from emu.program.elf.interface import FunctionInterface
from emu.program.model.types import UNKNOWN


@dataclass(frozen=True, slots=True)
class ExportedCase:
    """A case that was written, and what it lacks of the recordings.

    Attributes:
        function: the function.
        place: where the old one lies.
        folder: the folder of the case.
        recorded: how many calls are kept of the function.
        exported: how many of them the case has.
        dropped: how many of the others there are for each reason.
        rooms: what the case fills and observes.
        remarks: what else is to be known, a sentence each.
    """

    function: str
    place: str
    folder: Path
    recorded: int
    exported: int
    dropped: Mapping[str, int]
    rooms: tuple[CasePlace, ...]
    remarks: tuple[str, ...]


def export_case(port: PortBuild, function: ClaimedFunction, folder: Path) -> ExportedCase:
    """Write a case of a function; the old one runs in this process, and may crash it.

    Raises:
        UsageError: doubles have 12 bytes, or the file of recordings is damaged; or as of
            `CaseExporter.export`.
        ToolMissingError, CompileError, InputError: as of `CaseExporter.export`.
    """
    if port.project.double != 8:
        raise UsageError(
            f"{port.project.path}: {function.name} cannot be exported: the port has doubles of "
            f"{port.project.double} bytes, and a case for other processors has them of 8"
        )
    terms = SessionTerms.of(port.project)
    with open_store(port.project, terms) as store:
        return CaseExporter(port, store, terms).export(function, folder)


class CaseExporter:
    """Makes cases of recorded calls.

    Args:
        port: the port, compiled.
        store: its recordings.
        terms: the program and how it was run.
    """

    def __init__(self, port: PortBuild, store: RecordingStore, terms: SessionTerms) -> None:
        self._port, self._store = port, store
        self._replayer = Replayer(terms, store)
        self._runs = {run.script: run for run in store.runs()}

    def export(self, function: ClaimedFunction, folder: Path) -> ExportedCase:
        """Write a case of a function, whole or not at all.

        Args:
            function: the function.
            folder: the folder of the case, which is made.

        Raises:
            UsageError: the folder is there, or its name cannot be that of a case; no call is kept
                or none can be typed; or the function calls what the sources do not define.
            ToolMissingError, CompileError: the sources are not compiled.
            InputError: the folder cannot be written.
        """
        project = self._port.project
        calls = list(self._store.calls(function.place))
        if not calls:
            raise UsageError(
                f"{project.path}: no call of {function.name} is kept; macproof port record keeps "
                "those that a script leads to"
            )
        own = OwnFunction(function.name, self._sources(function), self._keys())
        with temporary_folder() as outline:
            of_old = OwnFunction(own.name, own.sources, {**own.keys, "cpus": [project.cpu]})
            interface, target = read_interface(of_old, outline)
        old, remarks = self._old_function(function, interface)
        typed, dropped = self._typed_calls(old, function, calls)
        rooms = CasePlaces(old, typed)
        self._require_observed(function, rooms)
        own = replace(own, sources=self._needed(own.sources, interface, rooms.rooms))
        with new_folder(folder.name, folder.parent) as place:
            keys = {"sources": [name for (name,) in own.names(place)], **own.lines(place)}
            self._write(place, folder.name, function, keys, rooms.rooms, list(rooms.scenes()))
            require_linking(read_outline(place / CASE_FILE), own, interface, target)
        return ExportedCase(
            function.name,
            function.place,
            folder,
            len(calls),
            len(typed),
            dict(dropped),
            rooms.rooms,
            tuple(remarks),
        )

    # -- the function ------------------------------------------------------------------------------

    def _sources(self, function: ClaimedFunction) -> tuple[Path, ...]:
        """The port's sources, that with the function first; a mark may stand elsewhere."""
        reference = self._reference(function)
        own = next(
            unit.path
            for unit in self._port.objects.units
            if any(symbol.reference == reference for symbol in unit.symbols)
        )
        return (own, *(path for path in self._port.project.sources if path != own))

    def _needed(
        self, sources: Sequence[Path], interface: FunctionInterface, rooms: Sequence[CasePlace]
    ) -> tuple[Path, ...]:
        """The sources with the function, what it calls or is given, and the globals of these."""
        given = (room.kind.removeprefix(FUNCTION) for room in rooms)
        names = {*interface.functions, *(one.name for one in interface.globals), *given}
        units = {
            unit.path
            for unit in self._port.objects.units
            if any(source_name_of(symbol_of(one.reference)) in names for one in unit.symbols)
        }
        return tuple(path for path in sources if path in units)

    def _reference(self, function: ClaimedFunction) -> str:
        """The name by which compiled code calls a function.

        Raises:
            UsageError: no source defines it.
        """
        objects = self._port.objects
        defined = {symbol.reference for unit in objects.units for symbol in unit.symbols}
        places = places_of(self._port.claims, objects, self._port.project)
        for reference, claim in places.functions.items():
            if claim is function and reference in defined:
                return reference
        raise UsageError(f"{function.file}: no source defines {function.name}")

    def _keys(self) -> dict[str, Any]:
        """How a case compiles the port's sources: with its headers and flags, and the old int."""
        project = self._port.project
        sizes = [flag for flag in self._port.objects.dialect.flags if flag == "-mshort"]
        keys: dict[str, Any] = {}
        if flags := [*sizes, *project.flags]:
            keys["cflags"] = flags
        if project.include:
            keys["include"] = [str(path) for path in project.include]
        if project.prefix:
            keys["prefix"] = [str(prefix) for prefix in project.prefix]
        return keys

    def _old_function(
        self, function: ClaimedFunction, interface: FunctionInterface
    ) -> tuple[FunctionTerms, list[str]]:
        signature, path = interface.signature, function.file
        if signature.is_variadic:
            raise UsageError(f"{path}: {function.name} takes any number of arguments")
        cpu = CPUS[self._port.objects.target.cpu]
        form = form_of(self._port.objects, cpu, self._reference(function), signature)
        if form.outer is None:
            raise UsageError(f"{path}: how {function.name} is called is not known: {form.reason}")
        remarks = []
        result = signature.result_type
        is_returned = form.outer.result is not None and not form.outer.result.by_address
        if result is not None and not (is_returned and numbers_of(result)):
            remarks.append(f"what {function.name} returns is not compared: it is a {result.name}")
            result = None
        sizes = {one.name: one.size for one in self._port.claims.globals}
        used = {}
        for one in interface.globals:
            if one.is_constant:
                continue
            if one.name not in sizes:
                remarks.append(
                    f"{one.name} begins as the source has it: no mark says where it lies"
                )
            elif one.declared.type is UNKNOWN:
                remarks.append(f"{one.name} begins as the source has it: its type has no numbers")
            else:
                used[one.name] = one.declared
        return FunctionTerms(signature, form.outer, result, used), remarks

    def _require_observed(self, function: ClaimedFunction, rooms: CasePlaces) -> None:
        if not any(room.observed for room in rooms.rooms):
            raise UsageError(
                f"{function.file}: {function.name} leaves nothing that can be compared: it returns "
                "nothing, and no call of it changed memory that has a type"
            )

    # -- its calls ---------------------------------------------------------------------------------

    def _typed_calls(
        self, old: FunctionTerms, function: ClaimedFunction, calls: Sequence[RecordedCall]
    ) -> tuple[list[TypedCall], Counter[str]]:
        """The calls that one case can have, and why the others are dropped.

        Raises:
            UsageError: it can have none.
        """
        dropped: Counter[str] = Counter()
        typed: list[TypedCall] = []
        readers = {
            script: CallReader(old, known) for script, known in self._places_of_runs(old).items()
        }
        moments = []
        for call in calls:
            moment = moment_of(self._replayer, call)
            if isinstance(moment, str):
                dropped[moment] += 1
            else:
                moments.append((moment, readers[call.script]))
        pointers = set[str]().union(*(reader.used_pointers(one) for one, reader in moments))
        for moment, reader in moments:
            try:
                typed.append(reader.read(moment, pointers))
            except UntypedError as error:
                dropped[str(error)] += 1
        if not typed:
            reasons = "; ".join(f"{count} times {why}" for why, count in dropped.most_common(5))
            raise UsageError(
                f"{function.file}: none of the {len(calls)} kept calls of {function.name} becomes "
                f"a scene: {reasons}"
            )
        shapes = Counter(call.shape.key for call in typed)
        ((usual, _),) = shapes.most_common(1)
        alike = [call for call in typed if call.shape.key == usual]
        for one in typed:
            if one.shape.key != usual:
                dropped[f"{one.shape.words()}, and in most calls {alike[0].shape.words()}"] += 1
        return _with_same_constants(alike, dropped), dropped

    def _places_of_runs(self, old: FunctionTerms) -> dict[str, KnownPlaces]:
        """What has a name in each run."""
        claims = self._port.claims
        places = {one.name: one.place for one in claims.globals}
        known = {}
        for script, run in self._runs.items():
            run_places = RunPlaces(self._replayer.session, run.places)
            functions = {
                address: one.name
                for one in claims.functions.values()
                if (address := run_places.address_of(one.place)) is not None
            }
            addresses = {
                name: (address, declared.type)
                for name, declared in old.globals.items()
                if (address := run_places.address_of(places[name])) is not None
            }
            others = {
                one.name: range(address, address + max(one.size, 1))
                for one in claims.globals
                if one.name not in addresses
                and (address := run_places.address_of(one.place)) is not None
            }
            known[script] = KnownPlaces(addresses, others, functions)
        return known

    def _write(
        self,
        place: Path,
        name: str,
        function: ClaimedFunction,
        keys: Mapping[str, Any],
        rooms: Sequence[CasePlace],
        scenes: Sequence[CaseScene],
    ) -> None:
        case = RecordedCase(
            name, function.name, function.place, self._port.project.digest, keys, rooms, scenes
        )
        for file, content in case.files().items():
            write_whole(place / file, content)


def _with_same_constants(calls: Sequence[TypedCall], dropped: Counter[str]) -> list[TypedCall]:
    """The calls in which bytes without a name, such as literals, are the same as in the first."""
    seen: dict[int, int] = {}
    kept = []
    for call in calls:
        changed = [a for a, value in call.constants.items() if seen.setdefault(a, value) != value]
        if changed:
            layout = call.moment.replayer.session.mac.layout
            where = f"A5-{layout.a5 - min(changed):#x}"
            dropped[f"it reads {where}, which no mark names and which is not always the same"] += 1
        else:
            kept.append(call)
    return kept
