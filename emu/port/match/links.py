"""What functions have to do with functions and globals that are placed already, as traits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from emu.port.match.names import Key, PortFile, PortNames
from emu.port.traits import CALLEE, CALLER, VARIABLE, Trait
from emu.program.functions.model import ProgramFunctions

Places = Mapping[Key, int]
Traits = Mapping[int, Counter[Trait]]


def _trait(kind: str, address: int) -> Trait:
    return Trait(kind, f"{address:#x}")


class SourceLinks:
    """The calls and the uses of globals in the files of a port.

    Args:
        files: the files.
        names: what their names mean.
    """

    def __init__(self, files: Sequence[PortFile], names: PortNames) -> None:
        self._callees: dict[Key, set[Key]] = {}
        self._callers: dict[Key, set[Key]] = defaultdict(set)
        self._variables: dict[Key, set[tuple[Key, int]]] = {}
        for file in files:
            for function in file.objects[0].functions.functions:
                definition = file.definition(0, function.address)
                if definition is None:
                    continue
                own = file.path, definition.name
                self._callees[own] = set(names.callees(file, 0, function)) - {own}
                for key in self._callees[own]:
                    self._callers[key].add(own)
                uses = (names.variable(file, 0, u.address) for u in function.contents.globals)
                self._variables[own] = {use for use in uses if use is not None}

    def traits(self, own: Key, functions: Places, variables: Places) -> Counter[Trait]:
        """The traits of a function by what is placed."""
        traits: Counter[Trait] = Counter()
        for kind, keys in (
            (CALLEE, self._callees.get(own, ())),
            (CALLER, self._callers.get(own, ())),
        ):
            traits.update(_trait(kind, functions[key]) for key in keys if key in functions)
        for key, offset in self._variables.get(own, ()):
            if key in variables:
                traits[_trait(VARIABLE, variables[key] + offset)] += 1
        return traits


def old_links(
    old: ProgramFunctions, functions: Sequence[int], variables: Sequence[range]
) -> Traits:
    """The traits of each old function by what is placed.

    Args:
        old: the functions of the old program.
        functions: the addresses of those that are placed.
        variables: the bytes of the globals that are placed.
    """
    placed = set(functions)
    taken = {address for room in variables for address in room}
    traits: dict[int, Counter[Trait]] = {}
    for one in old.functions:
        own = {one.address}
        links = [_trait(CALLEE, address) for address in (set(one.callees) & placed) - own]
        links += [_trait(CALLER, address) for address in (set(one.callers) & placed) - own]
        links += [_trait(VARIABLE, u.address) for u in one.contents.globals if u.address in taken]
        traits[one.address] = Counter(links)
    return traits
