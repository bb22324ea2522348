"""Places the globals of a port's sources in the old program.

The uses in functions that are placed vote; see `emu.program.functions.matched_globals`. THINK C
lays out each file: variables with first values, then the others, each in the order in which they
are declared first. So the variables of a file vote together, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from emu.port.match.names import Key, PortFile, PortNames
from emu.program.elf.declarations import FUNCTION, SourceDeclaration
from emu.program.functions.matched_globals import FunctionPair, GlobalMatching, MatchedGlobal
from emu.program.functions.model import ProgramFunction

_LEAST_ALONE, _LEAST_BESIDE = 1.5, 0.9
"""So many uses have to fit where no layout says the same, without and with a neighbour."""


def is_sure(found: MatchedGlobal) -> bool:
    """Whether a place is certain enough to be written: one use alone can be another's.

    It is not alone if its bytes adjoin those of another global.
    """
    votes = found.candidates[0].votes
    alone = found.layout is None and votes < (_LEAST_BESIDE if found.neighbours else _LEAST_ALONE)
    return found.is_certain and not alone


class GlobalPlaces:
    """Where the globals of a port's sources lie.

    Args:
        files: the files of the port.
        names: what their names mean.
        known: variables whose places are known.
    """

    def __init__(
        self, files: Sequence[PortFile], names: PortNames, known: Mapping[Key, int]
    ) -> None:
        self._files = files
        self._names = names
        self._known = known

    def sizes(self, form: int) -> dict[Key, int]:
        """The bytes of the variables, as a form compiles them."""
        return {
            self._names.key(file, one): _least_size(file, form, one)
            for file in self._files
            for one in _variables(file, form)
        }

    def matches(self, functions: Mapping[Key, ProgramFunction]) -> dict[Key, MatchedGlobal]:
        """Place the globals by the form whose places have most votes.

        Args:
            functions: the old functions of those that are placed.
        """
        forms = range(len(self._files[0].objects)) if self._files else ()
        every = [self._matched(form, functions) for form in forms]
        return max(every, key=_fit, default={})

    def _matched(
        self, form: int, functions: Mapping[Key, ProgramFunction]
    ) -> dict[Key, MatchedGlobal]:
        keys = list(self.sizes(form))
        text = {key: f"{number} {key[1]}" for number, key in enumerate(keys)}
        layouts = [
            [{text[key]: at for key, at in part.items()} for part in self._layouts(file, form)]
            for file in self._files
        ]
        sizes = {text[key]: size for key, size in self.sizes(form).items()}
        known = {text[key]: address for key, address in self._known.items() if key in text}
        matching = GlobalMatching(sizes, layouts, known)
        for file in self._files:
            pairs = list(_pairs(file, form, functions))
            name = partial(self._name, text, file, form)
            matching.add(file.objects[form].functions, pairs, name)
        found = matching.globals()
        return {key: found[text[key]] for key in keys if text[key] in found}

    def _name(
        self, text: Mapping[Key, str], file: PortFile, form: int, address: int
    ) -> tuple[str, int] | None:
        found = self._names.variable(file, form, address)
        return None if found is None or found[0] not in text else (text[found[0]], found[1])

    def _layouts(self, file: PortFile, form: int) -> list[dict[Key, int]]:
        """How a file's variables may lie: all together, or those with and without first values.

        The second may lie elsewhere, for texts follow the first.
        """
        own = [o for o in _variables(file, form) if self._names.key(file, o)[0] == file.path]
        filled = [one for one in own if one.is_initialised]
        empty = [one for one in own if not one.is_initialised]
        groups = ([*filled, *empty], filled, empty)
        return [self._layout(file, group) for group in groups]

    def _layout(self, file: PortFile, variables: Sequence[SourceDeclaration]) -> dict[Key, int]:
        layout: dict[Key, int] = {}
        at = 0
        for one in variables:
            at += at % 2 if one.size % 2 == 0 else 0
            layout[self._names.key(file, one)] = at
            at += one.size
        return layout


def _variables(file: PortFile, form: int) -> list[SourceDeclaration]:
    definitions = file.objects[form].definitions
    return [one for one in definitions if one.kind != FUNCTION]


def _least_size(file: PortFile, form: int, one: SourceDeclaration) -> int:
    """The bytes of a variable; THINK C ends no array of a Pascal string by a zero, as GCC does."""
    content = file.content(form, one)
    has_zero = len(content) == one.size > 2 and content[0] == one.size - 2 and not content[-1]
    return one.size - has_zero


def _pairs(
    file: PortFile, form: int, functions: Mapping[Key, ProgramFunction]
) -> Iterator[FunctionPair]:
    for one in file.objects[form].functions.functions:
        definition = file.definition(form, one.address)
        old = functions.get((file.path, definition.name)) if definition is not None else None
        if old is not None:
            yield one, old


def _fit(found: Mapping[Key, MatchedGlobal]) -> float:
    """How many votes the places have, less those for the next ones."""
    return sum(
        one.candidates[0].votes - sum(place.votes for place in one.candidates[1:])
        for one in found.values()
    )
