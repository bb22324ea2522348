"""A case: what is called, on which scenes, what is observed, and what it must equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.errors import CaseError
from emu.base.yaml_document import YamlSection
from emu.cases.change_marks import ChangeMark
from emu.cases.keys.arguments import (
    RESULT,
    Argument,
    Call,
    Phrase,
    Pointer,
    addresses_in,
    phrases_in,
)
from emu.cases.keys.declarations import NOTHING_DECLARED, Declarations
from emu.cases.keys.parts import (
    ALL_INPUTS,
    CaseProof,
    CaseTiming,
    IgnoredVariable,
    InitialValue,
    ObservedVariable,
    ScenePicture,
)
from emu.cases.keys.references import Routine
from emu.cases.keys.toolbox_state import TOOLBOX
from emu.toolchain.builds import BUILDS, TARGETS, Build
from emu.toolchain.compiler_choice import Named
from emu.toolchain.mac_c.named_headers import HeaderFolder, Prefix

LINKED_LIST = "linked-list"
GIVEN = "given"
"""The name of the build of a program that macproof does not compile."""

DEFAULT_SCENES = 3000
DEFAULT_SEED = 1994
"""Of the first scene of each kind, wherever none is asked for."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A program of a case that says what is right for its other programs.

    Attributes:
        program: its file.
        cpu: the name of the processor that executes it.
        name: its name within the case: "68040 O0".
        sha256: SHA-256 of the file.
    """

    program: Path
    cpu: str
    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class KnownCase:
    """Which case somebody has; also a key for what is kept of it.

    Attributes:
        path: its file.
        files: the digests of `Case.read_from`, as pairs in the order of the names.
        budget: `Case.budget`, which need not be that of the file; None is that of the file.
        against: `Case.against`.
    """

    path: Path
    files: tuple[tuple[str, str], ...]
    budget: int | None = None
    against: Opponent | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A case file's contents, checked: what `load_case` gives.

    ``emu/cases/case.schema.json`` describes each key of the file.

    Attributes:
        path: the case file.
        name: what a user types for it ("four-shifts").
        title: the title, in a few words.
        credit: author and year of the original.
        units: the file names of each translation unit.
        call: the guest routine that is called; if there are several, the first of them.
        make: the dotted name of the Python function that makes scenes.
        generators: the names of its ways to make a scene ("uniform", "sector-edge").
        objects: how many objects scenes have: scenes are made with each of these numbers.
        width: the width of the screen that scenes are made for, in pixels.
        height: its height, in pixels.
        pointers: for each guest variable, which of its members are pointers to memory of their own,
            and what that holds; the member "" is the whole variable.
        inputs: for each guest variable, what fills its members; the member "" is the whole
            variable.
        observed: the variables and members that are compared with the reference.
        reference: the dotted name of the Python function that says what is right; or the name of
            the routine that does; "" if the case names none.
        bulk_reference: the dotted name of a function that gives the reference's answers to many
            scenes in one call, or "".
        bulk_make: the dotted name of a function that makes many scenes in one call, for
            ``bulk_reference``; or "".
        specification: the dotted name of a function that says what is right on scenes that the
            reference refuses; or "".
        builds: sets of compiler flags by their names.
        picture: how scenes are drawn, or None.
        cpus: the names of the processors that the case is for.
        scene_count: the number of scenes that are run by default.
        also: further numbers of objects for some generators, in addition to ``objects``.
        timing: which scenes are timed, and the published figures, or None.
        proof: for which inputs the routine is proved, and to be what.
        prebuilt: the names of the builds whose programs come with macproof.
        not_run: what a reader would expect to run and does not, with the reasons: the original, of
            which others have the copyright.
        extra: what the file says for other packages, by their names.
        defines: preprocessor names that its sources are compiled with.
        include: folders of headers, relative to the case file.
        cflags: further flags of the compiler.
        prefix: the headers that every source begins with.
        headers: the folder of headers in place of macproof's, or None.
        compilers: the compilers that it names, by families of processors.
        arguments: what the routine is called with, by the names of its parameters.
        further: the C types of those arguments that stand in place of ``...``; they are named
            "more1", "more2" and so on, and come last.
        repeat: the scene's attribute that says how often the routine is called; "" for once.
        calls: the calls that are made in a row, if they are of several routines.
        script: the scene's attribute that says which of ``calls`` are made, and in which order; ""
            for each of them once.
        before: routines that are called before ``call``, in this order: for example "InitTables".
        ignored: the variables that the routine may change and that are not compared.
        program: the program whose routine is called, if it is there already and no sources are
            compiled; else None.
        suppressed: the mistakes that ``--checks full`` does not report, by their names.
        stack: how many bytes of stack the program has; 0 for what applications usually have.
        budget: after how many instructions a call that has not returned counts as endless; 0 if the
            file does not say.
        declared: what the case file adds to a program without debugging information: where its
            globals lie, how its routines are declared.
        routine: the routine of another program or library that says what is right, or None.
        against: the program of the case that says what is right in place of its reference; None for
            the reference. ``routine`` is then its routine.
        environment: numbers of the Macintosh that calls find, such as the time, by name: each a
            constant, or the scene's attribute that has it.
        toolbox_state: the parts of the Toolbox's state that are compared.
        keeps_blocks: whether it is a mistake to dispose of a block of the heap that the case gives
            to the routine and its reference does not dispose of.
        toolbox: Toolbox routines whose answers the scene gives, and its attributes that hold them:
            "TickCount" and "ticks".
        lines: the line of the case file in which the routine and each variable is named.
        marks: what the case file still marks CHANGE.
        sha256: the digest of the case file.
        python: the digests of the Python files of its functions and of the reference's program, by
            their names.

    Example:
        >>> case = macproof.load_case("examples/bounce")
        >>> [one.variable for one in case.observed], case.reference
        (['gBalls', 'gBalls', 'gBounceCount'], 'bounce_reference:move_balls')
    """

    path: Path
    name: str
    title: str
    credit: str
    units: tuple[tuple[str, ...], ...]
    call: str
    make: str
    generators: tuple[str, ...]
    objects: tuple[int, ...]
    width: int
    height: int
    inputs: Mapping[str, Mapping[str, Phrase]]
    pointers: Mapping[str, Mapping[str, Pointer]]
    observed: tuple[ObservedVariable, ...]
    reference: str
    builds: Mapping[str, Build] = field(default_factory=lambda: BUILDS)
    picture: ScenePicture | None = None
    cpus: tuple[str, ...] = tuple(TARGETS)
    scene_count: int = DEFAULT_SCENES
    also: tuple[tuple[str, int], ...] = ()
    timing: CaseTiming | None = None
    proof: CaseProof = ALL_INPUTS
    prebuilt: tuple[str, ...] = tuple(BUILDS)
    not_run: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, YamlSection] = field(default_factory=dict)
    defines: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    prefix: tuple[Prefix, ...] = ()
    headers: HeaderFolder | None = None
    compilers: Named = field(default_factory=dict)
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    further: tuple[str, ...] = ()
    repeat: str = ""
    calls: tuple[Call, ...] = ()
    script: str = ""
    before: tuple[str, ...] = ()
    ignored: tuple[IgnoredVariable, ...] = ()
    suppressed: tuple[str, ...] = ()
    stack: int = 0
    budget: int = 0
    program: Path | None = None
    declared: Declarations = NOTHING_DECLARED
    routine: Routine | None = None
    against: Opponent | None = None
    bulk_reference: str = ""
    bulk_make: str = ""
    specification: str = ""
    toolbox: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, int | str] = field(default_factory=dict)
    toolbox_state: tuple[str, ...] = ()
    keeps_blocks: bool = True
    lines: Mapping[str, int] = field(default_factory=dict)
    marks: tuple[ChangeMark, ...] = ()
    sha256: str = ""
    python: Mapping[str, str] = field(default_factory=dict)

    @property
    def read_from(self) -> dict[str, str]:
        """The digests of the case file and of the files of its functions, by their names."""
        return {self.path.name: self.sha256, **self.python}

    @property
    def known_case(self) -> KnownCase:
        """Its file and all digests, by which others read the same case, and know it in caches."""
        digests = tuple(sorted(self.read_from.items()))
        return KnownCase(self.path, digests, self.budget, self.against)

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the files to compile, of all units in their order."""
        return tuple(name for unit in self.units for name in unit)

    def usual_build(self, preferred: str = "O2") -> str:
        """The build that is used where one is enough and none is asked for.

        Args:
            preferred: the build to use if the case has it; else it is the case's first.
        """
        return preferred if preferred in self.builds else next(iter(self.builds))

    def error(self, name: str, problem: str, remedy: str = "") -> CaseError:
        """An error about something that the case file names, with its line where it is known.

        Args:
            name: a name of ``lines``.
            problem: what is wrong, as a clause.
            remedy: what the reader can do about it, as a sentence.
        """
        line = self.lines.get(name)
        where = "" if line is None else f"line {line}"
        return CaseError(self.path, problem, where=where, remedy=remedy)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the scene's attributes that the case uses."""
        phrases = [phrase for members in self.inputs.values() for phrase in members.values()]
        for argument in self.all_arguments:
            phrases += phrases_in(argument)
        names = [name for name in (self.script, self.repeat) if name]
        names += [phrase.attribute for phrase in phrases]
        names += self.toolbox.values()
        names += [value for value in self.environment.values() if isinstance(value, str)]
        return tuple(dict.fromkeys(names))

    @property
    def all_arguments(self) -> list[Argument]:
        """The arguments of all calls, and what pointers in variables lead to."""
        further = [argument for call in self.calls for argument in call.arguments.values()]
        led_to = [member for members in self.pointers.values() for member in members.values()]
        return [*self.arguments.values(), *further, *led_to]

    @property
    def structures(self) -> set[str]:
        """The names of the attributes that are trees or lists linked by pointers."""
        phrases = [member for members in self.inputs.values() for member in members.values()]
        phrases += [variable.phrase for variable in self.observed]
        phrases += [phrase for argument in self.all_arguments for phrase in phrases_in(argument)]
        return {phrase.attribute for phrase in phrases if phrase.nodes}

    @property
    def object_counts(self) -> tuple[int, ...]:
        """All numbers of items that scenes have."""
        return (*self.objects, *(number for _, number in self.also))

    @property
    def called(self) -> tuple[str, ...]:
        """The names of the routines that are called, each once."""
        return tuple(dict.fromkeys([self.call, *(call.routine for call in self.calls)]))

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of guest functions that are called before, or whose address is an argument."""
        variables = set(self.variables)
        given = [
            name
            for argument in self.all_arguments
            for name in addresses_in(argument)
            if name not in variables
        ]
        return tuple(dict.fromkeys([*self.before, *self.called[1:], *given]))

    @property
    def is_in_a_row(self) -> bool:
        """Whether a scene is several calls in a row, of one routine or of several."""
        return bool(self.calls or self.repeat)

    @property
    def keeps_state(self) -> bool:
        """Whether some calls find the ignored variables as calls of earlier scenes left them.

        A scene of several calls does so only if a routine of ``before`` resets that state first.
        """
        kept = any(
            variable.begins is not InitialValue.FRESH and variable.is_own
            for variable in self.ignored
        )
        return kept and (bool(self.before) or not self.is_in_a_row)

    @property
    def ignored_names(self) -> tuple[str, ...]:
        """The names of what the routine may change and is not compared."""
        return tuple(variable.variable for variable in self.ignored)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the guest globals that the case sets, observes or ignores."""
        named = {*self.inputs, *self.pointers, *(o.variable for o in self.observed)}
        named |= set(self.ignored_names)
        return tuple(sorted(name for name in named if is_global(name)))


def is_global(name: str) -> bool:
    """Whether a name means a global, and not an argument ("*out") or a static ("F::n")."""
    return not name.startswith("*") and name not in (RESULT, TOOLBOX) and "::" not in name
