"""Compiles translation units, finds in them what a case names, and links them.

The linker keeps names with external linkage. A ``static`` name is harder: the compiler drops a
variable that nothing in its unit reads. When a name is missing, the units are first compiled
without optimisation, which keeps every name, to learn which unit defines it. Then that unit is
compiled again with pointers to the name at its end, so that the compiler must keep it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CompileError
from emu.program.elf.elf import CONVENTION_MARK
from emu.toolchain.builds import TARGETS, Build, Target
from emu.toolchain.compiler import Stage
from emu.toolchain.compilers.libraries import (
    CODE_FLAGS,
    RUNTIME_CODE_FLAGS,
    Libraries,
    stage_headers,
)
from emu.toolchain.mac_c.late_declarations import compile_declared
from emu.toolchain.mac_c.named_headers import PREFIX
from emu.toolchain.objects import Definition, definitions_of, has_constructors, undefined_in
from emu.toolchain.pascal_strings import translate_pascal_strings
from emu.toolchain.programs.callable_functions import MAIN, callable_in, linkable
from emu.toolchain.programs.named_definitions import DefinitionInUnit, NamedDefinitions
from emu.toolchain.programs.placement import moved_script
from emu.toolchain.programs.xcoff_linking import XcoffLinkJob
from emu.toolchain.retro68 import RETRO68_CONVENTION
from emu.toolchain.sanitizers import linker_flags
from emu.toolchain.sources import Sources, SourceTree, Unit
from emu.toolchain.user_flags import IMPLIED, M68K_FLAGS

_LINK_FLAGS = (
    "-nostdlib",
    "-static",
    "-no-pie",
    "-Wl,--gc-sections,--build-id=none,-z,max-page-size=4096,-T,guest.ld,-e,0",
)
_SURVEY_FLAGS = (
    "-Wl,--emit-relocs,--unresolved-symbols=ignore-all,--build-id=none,-Ttext=0x10000,-e,0"
)
_LIST_FLAGS = (
    "-Wl,-T,constructors.ld",
    "-Wl,-u,__macproof_constructors",
    "-Wl,-u,__macproof_constructors_end",
)
# With this flag GCC emits the inline methods of a unit, to which there are no plain pointers.
_KEEP_METHODS = "-fkeep-inline-functions"
# With these flags GCC emits everything that a unit defines.
_KEEP_ORDER = ("-fno-toplevel-reorder", "-fkeep-static-functions", "-fno-function-cse")
_KEEP_ALL = ("-O0", *_KEEP_ORDER, _KEEP_METHODS)


def code_flags(sources: Sources, target: Target, build: Sequence[str]) -> tuple[str, ...]:
    """The flags that units of every language are compiled with."""
    asked = _asked(sources, target)
    letters = ["-fextended-identifiers"] if sources.have_letters_beyond_ascii() else []
    own = (*CODE_FLAGS, *sources.tree.flags, *target.flags)
    return (*own, *asked, *build, *_implied(asked), *letters)


def _asked(sources: Sources, target: Target) -> list[str]:
    """The flags that the case asks for and that the processor's compiler has."""
    return [flag for flag in sources.tree.cflags if target.takes(flag)]


def _implied(flags: Iterable[str]) -> list[str]:
    return [more for flag in flags for more in IMPLIED.get(flag, ())]


@dataclass(frozen=True, slots=True)
class LinkJob:
    """The making of one program.

    Attributes:
        sources: the files.
        build: the build.
        target: the processor.
        version: the compiler's version line.
        stage: where the files are staged.
    """

    sources: Sources
    build: Build
    target: Target
    version: str
    stage: Stage

    def program(self) -> bytes:
        """The linked program.

        Raises:
            CompileError: a tool refused something.
            CaseError: a name that the case asks for is not defined, or more than once.
        """
        stage_headers(self.sources.tree, self.target, self.stage)
        units = range(len(self.sources.units))
        objects = [self._compile(number) for number in units]
        places = self._places(objects)
        hidden: dict[int, list[str]] = {}
        for name, place in places.items():
            if place.definition.binding != "global":
                hidden.setdefault(place.unit, []).append(name)
        for number, names in hidden.items():
            self._compile(number, keep=names)
        shown = [p.definition.symbol for p in places.values() if p.definition.binding != "local"]
        more = [] if self.sources.tree.trimmed else callable_in(objects)
        return self._link([path.name for path in objects], shown, more)

    def everything(self) -> bytes:
        """A program of all that the units define, with relocations and nothing that they lack.

        It tells what the sources are made of and cannot be executed.

        Raises:
            CompileError: a tool refused something.
        """
        stage_headers(self.sources.tree, self.target, self.stage)
        kept = (*_KEEP_ALL, *(flag for flag in self.build.flags if flag.startswith("-D")))
        units = range(len(self.sources.units))
        objects = [self._compile(number, build=kept).name for number in units]
        command = [self.target.compiler, *self.target.flags, "-nostdlib", "-static", "-no-pie"]
        command += [_SURVEY_FLAGS, *self.target.link_flags, *objects, "-o", "everything.elf"]
        self.stage.run(command, self.sources.tree.sources[0])
        return (self.stage.folder / "everything.elf").read_bytes()

    def object_files(self) -> list[bytes]:
        """Each unit compiled and not linked, with all that it defines, in the order of its source.

        Raises:
            CompileError: a tool refused something.
        """
        stage_headers(self.sources.tree, self.target, self.stage)
        build = (*self.build.flags, *_KEEP_ORDER)
        units = range(len(self.sources.units))
        return [self._compile(number, build=build).read_bytes() for number in units]

    def assembly(self, number: int) -> str:
        """The assembler text that the compiler makes of one unit, with all that it defines.

        Raises:
            CompileError: the compiler refuses it.
        """
        stage_headers(self.sources.tree, self.target, self.stage)
        build = (*self.build.flags, *_KEEP_ORDER)
        return self._compile(number, build=build, to_text=True).read_text("utf-8")

    def _compile(
        self,
        number: int,
        *,
        build: Sequence[str] | None = None,
        keep: Sequence[str] = (),
        to_text: bool = False,
    ) -> Path:
        """Compile one unit; the path of its object file, or of its assembler text."""
        unit = self.sources.units[number]
        language, tree = unit.language, self.sources.tree
        names = [tree.staged_name(path) for path in unit.paths]
        source, option = names[0], language.option
        if language.is_compiled:
            source = f"unit{number}.{'cpp' if language.name == 'C++' else 'c'}"
            (self.stage.folder / source).write_text(wrapper([*self._prefix(), *names], keep))
        build = self.build.flags if build is None else build
        flags = [*language.flags, *code_flags(self.sources, self.target, build)]
        flags = [flag for flag in flags if language.takes(flag)]
        if self.sources.is_foreign(unit):
            flags += language.quiet
        if any("::" in name for name in keep):
            flags.append(_KEEP_METHODS)
        command = [self.target.compiler, *flags, *_search(tree)]

        def compile_once() -> Path:
            text, kind = source, option
            if language.is_compiled and self.sources.have_pascal_strings():
                text = self._preprocess([*command, "-x", option], source, unit)
                kind = language.preprocessed
            make = self.stage.translate if to_text else self.stage.compile
            output = f"unit{number}.{'s' if to_text else 'o'}"
            return make([*command, "-x", kind], text, output, unit.paths[0])

        return compile_declared(compile_once, self.stage.folder / "program")

    def _prefix(self) -> list[str]:
        """What every unit begins with."""
        return [PREFIX] if PREFIX in self.sources.files else []

    def _preprocess(self, command: Sequence[str], source: str, unit: Unit) -> str:
        """Preprocess a file and translate its Pascal strings; the name of what is to be compiled.

        In the text before the preprocessor, a string may go on in a macro.
        """
        preprocessed = f"{source}.preprocessed"
        text = self.stage.preprocess(command, source, preprocessed, unit.paths[0])
        text.write_bytes(translate_pascal_strings(text.read_bytes(), unit.paths[0]))
        return preprocessed

    # -- where things are --------------------------------------------------------------------

    def _places(self, objects: Sequence[Path]) -> dict[str, DefinitionInUnit]:
        """Find where each name that the case asks for is defined."""
        tree = self.sources.tree
        definitions = [definitions_of(path) for path in objects]
        wanted = dict.fromkeys([tree.routine, *tree.also, *tree.state])
        shown = {d.name for defined in definitions for d in defined if d.binding == "global"}
        if not shown.issuperset(wanted):
            definitions = [
                self._all_definitions(n, of_unit) for n, of_unit in enumerate(definitions)
            ]
        if tree.foreign:  # a port without a global is linked, so that it can be refuted
            there = {d.name for defined in definitions for d in defined}
            wanted = {n: None for n in wanted if n in there or n not in tree.state}
        named = NamedDefinitions(self.sources, definitions)
        return {name: named.find(name) for name in wanted}

    def _all_definitions(self, number: int, of_unit: list[Definition]) -> list[Definition]:
        """Everything that a unit defines, including what an optimising compiler drops."""
        if not self.sources.units[number].language.is_compiled:
            return of_unit
        defines = [flag for flag in self.build.flags if flag.startswith("-D")]
        content = (self.stage.folder / f"unit{number}.o").read_bytes()
        path = self._compile(number, build=[*_KEEP_ALL, *defines])
        definitions = definitions_of(path)
        path.write_bytes(content)
        return definitions

    # -- the linker --------------------------------------------------------------------------

    def _link(self, objects: Sequence[str], shown: Sequence[str], more: Sequence[str]) -> bytes:
        """Link the objects.

        Args:
            objects: the objects of the units.
            shown: the symbols that the case needs.
            more: the symbols of functions that are kept, unless what they need is missing.
        """
        # The sizes of types are those of the program.
        sizes = [flag for flag in _asked(self.sources, self.target) if flag in M68K_FLAGS]
        own = Libraries(self.sources, self.build, self.target, self.version, self.stage)
        libraries = own.stage_objects((*sizes, *_implied(sizes)))
        paths = [self.stage.folder / n for n in (*objects, *libraries) if n.endswith(".o")]
        defined = {definition.symbol for path in paths for definition in definitions_of(path)}
        missing = {name for path in paths for name in undefined_in(path)} - defined
        libraries += own.of_applications(missing, defined, _search(self.sources.tree))
        libraries += self._toolbox_glue(missing)
        if self.target.makes_xcoff:
            linking = XcoffLinkJob(
                self.build, self.target, self.stage, self.sources.tree.sources[0]
            )
            inputs = [*objects, *libraries, *self._constructors(objects)]
            return linking.program(inputs, shown, more)
        # A script that inserts sections has to come before the one that it inserts them into.
        command = [self.target.compiler, *self.target.flags, *self._constructors(objects)]
        if self.build.is_moved:
            script = self.stage.folder / "guest.ld"
            paths = [self.stage.folder / name for name in objects]
            script.write_text(moved_script(script.read_text(), paths))
        self._note_convention()
        command += [*linker_flags(self.build), *_LINK_FLAGS, *self.target.link_flags]
        command += [*objects, *libraries, *own.of_gcc, "-o", "program.elf"]
        return self._link_most(command, shown, more)

    def _link_most(
        self, command: Sequence[str], shown: Sequence[str], more: Sequence[str]
    ) -> bytes:
        """Run the linker, with those of the further symbols for which nothing is missing."""
        if not self._links(command, [*shown, *more]):
            self._run_linker(command, shown)  # to say what is wrong, if it is not about `more`
            kept_too = linkable(lambda symbols: self._links(command, symbols), more)
            self._run_linker(command, [*shown, *kept_too])
        return (self.stage.folder / "program.elf").read_bytes()

    def _note_convention(self) -> None:
        """Let the program tell how its routines are called, if that is not as usual."""
        if self.target.convention:
            script = self.stage.folder / "guest.ld"
            mark = f'"{CONVENTION_MARK}{self.target.convention}" = 0;\n'
            script.write_text(script.read_text() + mark)

    def _run_linker(self, command: Sequence[str], keep: Iterable[str]) -> None:
        kept_names = [f"-Wl,-u,{symbol}" for symbol in keep]
        self.stage.run([*command, *kept_names], self.sources.tree.sources[0])

    def _links(self, command: Sequence[str], keep: Iterable[str]) -> bool:
        try:
            self._run_linker(command, keep)
        except CompileError:
            return False
        return True

    def _toolbox_glue(self, missing: set[str]) -> list[str]:
        """Make the functions by which the program calls the Toolbox; none if it does not."""
        if all(name.startswith("_") for name in missing) or self.target.cpu not in TARGETS:
            return []
        from emu.toolchain.mac_app import glue  # reads all declarations of the Toolbox

        architecture = self.target.architecture
        table = [entry for entry in glue.all_entries(architecture) if entry.name in missing]
        if not table:
            return []
        blamed = self.sources.tree.sources[0]
        is_short = "-mshort" in _asked(self.sources, self.target)
        is_retro = self.target.convention == RETRO68_CONVENTION
        slot = 2 if is_short or is_retro else 4
        if self.target.makes_xcoff:
            text = glue.poweropen_glue(table)
        elif self.target.architecture == "m68k":
            text = glue.m68k_glue(table, slot, chars_in_upper_bytes=is_retro)
        else:
            text = glue.system_call_glue(architecture, table, slot)
        (self.stage.folder / "toolbox.s").write_text(text)
        self.stage.note(Path(glue.__file__))
        command = [self.target.compiler, *self.target.flags]
        return [self.stage.compile(command, "toolbox.s", "toolbox.o", blamed).name]

    def _constructors(self, objects: Sequence[str]) -> list[str]:
        """Stage what lists the constructors of global objects; nothing if there are none.

        `emu.machine` calls them before it keeps the image that every call begins with.
        """
        if not any(has_constructors(self.stage.folder / name) for name in objects):
            return []
        folder = self.sources.tree.runtime / "constructors"
        for name in ("constructors.ld", "at_exit.c"):
            (self.stage.folder / name).write_bytes((folder / name).read_bytes())
            self.stage.note(folder / name)
        command = [self.target.compiler, *CODE_FLAGS, *self.target.flags, *RUNTIME_CODE_FLAGS]
        path = self.stage.compile(command, "at_exit.c", "at_exit.o", self.sources.tree.sources[0])
        return [path.name] if self.target.makes_xcoff else [*_LIST_FLAGS, path.name]


def _search(tree: SourceTree) -> list[str]:
    """The options that tell the compiler where headers are.

    As on a Macintosh, <Memory.h> is the Toolbox's, and "Memory.h" the program's if it has one.
    """
    program, *further = tree.search()
    quoted = [f"-iquote{folder}" for folder in (*further, program)]
    return [*quoted, "-Icompat", *(f"-I{folder}" for folder in (*further, program))]


def wrapper(names: Iterable[str], keep: Sequence[str] = ()) -> str:
    """The text of the file that is compiled for a unit: it includes the sources unchanged.

    ``main`` gets another name, because macproof calls the routine without running ``main``. A
    pointer to each variable in ``keep`` makes the compiler keep the variable and all stores to it.
    """
    includes = "".join(f'#include "{name}"\n' for name in names)
    text = f"#define main {MAIN}\n{includes}#undef main\n"
    plain = [name for name in keep if "::" not in name]
    pointers = ", ".join(f"(const volatile void *) &{name}" for name in plain)
    if not pointers:
        return text
    return (
        f"{text}"
        '__attribute__((used, section(".macproof.keep")))\n'
        f"static const volatile void *const macproof_kept[] = {{ {pointers} }};\n"
    )
