"""Finds the programs of a case: those asked for, where they come from, and those left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from emu.base.arguments import one_of, path_of, require, strings
from emu.base.errors import ProgramError, ToolMissingError, UsageError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import GIVEN, Case
from emu.cases.find import load_case
from emu.cases.programs.sources import GivenSource, Replacements, given_source, source_tree
from emu.cases.programs.subject import UNICORN, BorrowedTypes, Subject
from emu.machine.cpu import CPUS
from emu.program import host_file, read_program, untyped
from emu.toolchain.build_cache import digest_of
from emu.toolchain.builds import (
    ALL_TARGETS,
    Build,
    Target,
    executes_none,
    labelled,
    targets_of,
)
from emu.toolchain.compiler_choice import Named, named_compiler
from emu.toolchain.mac_c.named_headers import named_headers
from emu.toolchain.programs.gcc import BuiltProgram
from emu.toolchain.programs.native import compile_native
from emu.toolchain.programs.placement import moved
from emu.toolchain.programs.prebuilt import Provision, compiles, provide
from emu.toolchain.sanitizers import sanitized
from emu.toolchain.sources import Sources, SourceTree, mac_sources

PREBUILT = mac_sources() / "prebuilt"
"""The folder of the compiled programs that come with macproof."""

USES = ("auto", "compiled", "prebuilt")
"""The ways to get at the programs of a case."""

NOT_ASKED_FOR = "not asked for"
NOTHING_COMPILED = "not among the prebuilt programs, and nothing is compiled"


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that was not run.

    Attributes:
        what: what it is, such as "build O0, O1".
        why: the reason, as a clause such as "not asked for".
    """

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Selection:
    """Programs of a case. Iterated over or indexed, it gives them as `Subject` values.

    Attributes:
        case: the case.
        built: the programs and where each came from, one processor after the other.
        note: where they came from, as a sentence for the report.
        not_run: what was left out, each with the reason.
        source: what was compiled instead of the case's own sources, or None.
        given: the programs that nothing was compiled for: the one that the user gave instead of the
            case's own, or the program that the case names, once for each processor.
        engines: the names of the engines; each program is executed on each of them.
        names_engines: whether somebody has named them. If nobody has, translated code may make
            calls for Unicorn.
        natives: the programs that were compiled for this computer, by engine and build.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["601"], builds=["O0", "O2"])
        >>> [program.build for program in programs], programs.not_run[0]
        (['O0', 'O2'], Omission(what='CPU 68000, 68040', why='not asked for'))
    """

    case: Case
    built: tuple[BuiltProgram, ...]
    note: str
    not_run: tuple[Omission, ...] = ()
    source: Path | Replacements | None = None
    given: tuple[Subject, ...] = ()
    engines: tuple[str, ...] = (UNICORN,)
    names_engines: bool = False
    natives: Mapping[tuple[str, str], Path] = field(default_factory=dict)

    @property
    def subjects(self) -> list[Subject]:
        """The programs, each with its processor, build and engine, ready to be run."""
        subjects = [Subject(p.cpu, p.build, p.path, sha256=p.sha256) for p in self.built]
        ready = [subject.of_case(self.case) for subject in self.given or subjects]
        return [
            replace(subject, engine=engine, native=self.natives.get((engine, subject.build)))
            for subject in ready
            for engine in self.engines
        ]

    def on(self, engines: Mapping[str, bool | None]) -> Selection:
        """The same programs on other engines.

        Args:
            engines: by its name, None for one that executes these programs; for one that executes
                the sources compiled for this computer, whether with the compiler's sanitizers.

        Raises:
            ToolMissingError, CompileError: as of `compile_native`.
        """
        natives = {
            (name, build): compile_native(
                source_tree(self.case, self.source),
                self.case.builds[build],
                has_sanitizers=has_sanitizers,
            )
            for name, has_sanitizers in engines.items()
            if has_sanitizers is not None and self.case.units and not self.given
            for build in dict.fromkeys(built.build for built in self.built)
        }
        return replace(self, engines=tuple(engines), names_engines=True, natives=natives)

    @property
    def executed(self) -> list[BuiltProgram]:
        """Where each of `subjects` came from."""
        return [built for built in self.built for _ in self.engines]

    def __len__(self) -> int:
        return len(self.built) * len(self.engines)

    def __iter__(self) -> Iterator[Subject]:
        return iter(self.subjects)

    def __getitem__(self, index: int) -> Subject:
        return self.subjects[index]


def programs_of(
    case: Case | Path | str,
    *,
    cpus: Sequence[str] | None = None,
    builds: Sequence[str] | None = None,
    source: GivenSource = None,
    use: str = "auto",
    sanitize: Sequence[str] = (),
    layouts: int = 1,
    codes: Sequence[str] = (),
    compilers: Mapping[str, str] | None = None,
    prefix: Sequence[Path | str] = (),
    headers: Path | str | None = None,
) -> Selection:
    """Find or compile the programs of a case, one for every processor and build.

    Of a case that names a program in place of sources, that is this program on every processor, as
    the build "given".

    Args:
        case: the case, or its name, folder or file as for `load_case`.
        cpus: names of processors; those of the case if left out.
        builds: names of builds of the case. If left out, all of them; where nothing is compiled,
            those of them whose programs come with macproof.
        source: the path of a file to compile instead of all the case's sources; or the paths of
            files instead of some of them, by the names of these.
        use: "compiled", "prebuilt", or "auto", which compiles for each processor with a compiler.
        sanitize: GCC's sanitizers to compile with, "address" and "undefined": what they find
            refutes a program. A build then has their names in its own, as in "O2+undefined".
        layouts: 2 to have each program a second time, linked to other addresses with its variables
            in reverse order, as the build "O2+moved".
        codes: names of processors to compile for. Each processor then executes all of this code
            that it can: a 68040 also executes code for a 68000, as the build "O2, 68000 code". If
            left out, each processor executes only the code that was compiled for it.
        compilers: the C++ compilers to use, by families of processors ("m68k", "powerpc", "mips"):
            names in PATH, or paths. If left out, those that the environment, the case or the user's
            configuration file names, or that are installed.
        prefix: headers that every source begins with, beside those of the case: paths, or names of
            headers such as "MacHeaders".
        headers: the path of a folder of Toolbox headers in place of macproof's.

    Raises:
        UsageError: there is no such case, processor, build, source, header, sanitizer, layout or
            code; or one of ``cpus`` executes none of the code; or the compiler that is named is no
            GCC for its processor.
        ToolMissingError: a compiler is missing, and no prebuilt program was made from these
            sources.
        CompileError, CaseError: a source does not compile, or does not define what the case names.
        ProgramError: a prebuilt program is damaged, or differs from what the same compiler makes;
            or the program that the case names is damaged, or for another processor.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["68040", "601"], builds=["O2"])
        >>> [(program.cpu, program.build) for program in programs]
        [('68040', 'O2'), ('601', 'O2')]
    """
    case, source = load_case(case), given_source(source)
    one_of(use, "use", USES)
    case = with_headers(_with_compilers(case, compilers), prefix, headers)
    codes = strings(codes, "codes")
    wanted = tuple(dict.fromkeys(case.cpus if cpus is None else strings(cpus, "cpus")))
    _require(case, "CPU", wanted, ALL_TARGETS)
    targets = targets_of(wanted, codes, needs_all=cpus is not None)
    chosen = tuple(dict.fromkeys(target.cpu for target in targets))
    sanitizers = strings(sanitize, "sanitize")
    if layouts not in (1, 2):
        raise UsageError(f"layouts is {layouts!r}; it has to be 1 or 2")
    if case.program is not None:
        if sanitizers or layouts > 1 or codes:
            has = ", so it has no sanitizers, one layout and the code that it has"
            raise _not_compiled(case, case.program, has)
        return _program_of_case(case, case.program, chosen, builds, source)
    names = tuple(dict.fromkeys(case.builds if builds is None else strings(builds, "builds")))
    _require(case, "build", names, case.builds)
    variants = {
        name: _variants(sanitized(case.builds[name], sanitizers), layouts) for name in names
    }
    provided = _Supply(case, source_tree(case, source).read(), targets, variants, use)
    provided.provide(names_all_builds=builds is not None, names_all_cpus=cpus is not None)
    not_run = [*_not_run(case, wanted, names), *provided.not_run]
    not_run += [Omission(f"CPU {c}", executes_none(codes)) for c in wanted if c not in chosen]
    if source is None:
        not_run += [Omission(what, why) for what, why in case.not_run.items()]
    return Selection(case, provided.programs, provided.note, tuple(not_run), source)


class _Supply:
    """The programs of targets, from where each family of processors has them.

    Attributes:
        not_run: the builds that are not there for want of a compiler.
    """

    def __init__(
        self,
        case: Case,
        sources: Sources,
        targets: Sequence[Target],
        variants: Mapping[str, Sequence[Build]],
        use: str,
    ) -> None:
        self._case, self._sources, self._targets = case, sources, targets
        self._variants, self._use = variants, use
        self._programs: list[BuiltProgram] = []
        self._notes: list[str] = []
        self.not_run: list[Omission] = []

    def provide(self, *, names_all_builds: bool, names_all_cpus: bool) -> None:
        """Find or compile them.

        Args:
            names_all_builds: whether each build was asked for by its name, so that none is left out
                where nothing is compiled.
            names_all_cpus: likewise for processors: whether no others could be taken instead.
        """
        for group, is_compiled in _by_compiler(
            self._targets, self._use, self._sources.tree.compilers
        ):
            is_cut = not names_all_builds and self._case.prebuilt and not is_compiled
            uncompiled = [n for n in self._variants if is_cut and n not in self._case.prebuilt]
            try:
                self._provide_group(group, uncompiled)
            except ToolMissingError as error:
                others = [target.cpu for target in self._targets if target not in group]
                if names_all_cpus or not others:
                    raise
                raise _with_choice(error, others) from error

    def _provide_group(self, group: Sequence[Target], uncompiled: Sequence[str]) -> None:
        kept = [
            build
            for name, builds in self._variants.items()
            if name not in uncompiled
            for build in builds
        ]
        provision = provide(self._case.name, self._sources, group, kept, PREBUILT, use=self._use)
        self._programs += provision.programs
        self._notes.append(provision.note)
        if uncompiled:
            where = "" if len(group) == len(self._targets) else f" for the {_names_of(group)}"
            builds = ", ".join(uncompiled)
            self.not_run.append(Omission(f"build {builds}{where}", NOTHING_COMPILED))

    @property
    def programs(self) -> tuple[BuiltProgram, ...]:
        """The programs in the order of the targets."""
        order = [target.name for target in self._targets]
        return tuple(sorted(self._programs, key=lambda p: order.index(labelled(p.cpu, p.code))))

    @property
    def note(self) -> str:
        """Where they came from, in words."""
        return "; ".join(self._notes)


def _with_compilers(case: Case, compilers: Mapping[str, str] | None) -> Case:
    """The case with the compilers that a caller names; its selfchecks and searches use them, too.

    Raises:
        UsageError: one is for no family of processors.
    """
    if not compilers:
        return case
    by = "the argument compilers"
    own = {
        family: named_compiler(
            family, require(text, str, by, "a command"), by, Path.cwd(), is_first=True
        )
        for family, text in compilers.items()
    }
    return replace(case, compilers={**case.compilers, **own})


def with_headers(case: Case, prefix: Sequence[Path | str], headers: Path | str | None) -> Case:
    """The case with the headers that a caller names.

    Raises:
        UsageError: there is no such file or folder, or the case has nothing to compile.
    """
    if not prefix and headers is None:
        return case
    if case.program is not None:
        raise UsageError(f"{case.name} tests a program as it is; leave out prefix and headers")
    further, folder = named_headers(
        strings(map(str, prefix), "prefix"),
        None if headers is None else path_of(headers, "headers"),
    )
    return replace(case, prefix=(*case.prefix, *further), headers=folder or case.headers)


def _with_choice(error: ToolMissingError, cpus: Sequence[str]) -> ToolMissingError:
    """The error of a missing compiler, with the processors that have one."""
    rest = " ".join(f"--cpu {name}" for name in dict.fromkeys(cpus))
    return ToolMissingError(f"{error}. What there is a compiler for: {rest}")


def _by_compiler(
    targets: Sequence[Target], use: str, named: Named
) -> Iterator[tuple[list[Target], bool]]:
    """The targets whose programs are taken as they are, and those that are compiled."""
    is_compiled = {target: compiles(target, use, named) for target in targets}
    for wanted in (False, True):  # what is missing is told before anything is compiled
        group = [target for target in targets if is_compiled[target] is wanted]
        if group:
            yield group, wanted


def _names_of(targets: Sequence[Target]) -> str:
    return ", ".join(target.name for target in targets)


def _variants(build: Build, layouts: int) -> list[Build]:
    """A build in as many layouts."""
    return [build, moved(build)][:layouts]


def _not_compiled(case: Case, path: Path, what: str = "") -> UsageError:
    return UsageError(f"{case.name} tests the program {path.name}, which is not compiled{what}")


def _program_of_case(
    case: Case, path: Path, cpus: Sequence[str], builds: Sequence[str] | None, source: GivenSource
) -> Selection:
    """The program that a case names, on some processors.

    Args:
        case: the case.
        path: the program.
        cpus: the names of the processors.
        builds: names of builds; such a program has one, "given".
        source: what is to be compiled, which nothing is.
    """
    if source is not None or any(build not in case.builds for build in builds or ()):
        raise _not_compiled(case, path)
    built = [_as_it_is(path, cpu) for cpu in cpus]
    given = []
    for built_program in built:
        cpu = built_program.cpu
        read = read_program(path, architecture=CPUS[cpu].architecture)
        if not CPUS[cpu].accepts(read):
            what = f"it is a {read.architecture} program and cannot run on a {CPUS[cpu].title}"
            raise ProgramError(path, what)
        given.append(
            Subject(cpu, built_program.build, path, None, read.symbol_file, built_program.sha256)
        )
    other_cpus = [cpu for cpu in case.cpus if cpu not in cpus]
    not_run = (Omission(f"CPU {', '.join(other_cpus)}", NOT_ASKED_FOR),) if other_cpus else ()
    return Selection(case, tuple(built), f"{path.name}, as it is", not_run, given=tuple(given))


def _as_it_is(path: Path, cpu: str) -> BuiltProgram:
    """A program that nobody compiles here."""
    digest = digest_of(host_file(path))
    return BuiltProgram(
        path=path,
        cpu=cpu,
        build=GIVEN,
        compiler="unknown",
        flags=(),
        source_digest="",
        origin="given",
        sha256=digest,
        files={path.name: digest},
    )


def _not_run(case: Case, cpus: Sequence[str], builds: Sequence[str]) -> list[Omission]:
    """The processors and builds of a case that were not asked for."""
    return [
        Omission(f"{what} {', '.join(missing)}", NOT_ASKED_FOR)
        for what, missing in (
            ("CPU", [cpu for cpu in case.cpus if cpu not in cpus]),
            ("build", [build for build in case.builds if build not in builds]),
        )
        if missing
    ]


def given_program(
    case: Case | Path | str, path: Path | str, cpu: str, *, use: str = "auto"
) -> Selection:
    """Select a program file that the user gives, to be run in place of the case's own programs.

    If the program lacks types of globals, they are taken from a program of the case. What the case
    says of its own program (``start``, ``globals``, ``prototype``) holds for this one.

    Args:
        case: the case, or its name, folder or file as for `load_case`.
        path: the program, of any format that `read_program` knows.
        cpu: the processor it is for.
        use: where the program comes from whose types are taken; see `programs_of`.

    Raises:
        UsageError: there is no such case, processor or file.
        ProgramError: it is damaged.
        ToolMissingError, CompileError, CaseError: as for `programs_of`.

    Example:
        >>> case = macproof.load_case("brute-force")
        >>> own = macproof.programs_of(case, cpus=["601"], builds=["O2"])[0].program
        >>> macproof.given_program(case, own, "601")[0].build
        'given'
    """
    case, path = load_case(case), path_of(path, "path")
    one_of(use, "use", USES)
    _require(case, "CPU", [require(cpu, str, "cpu", "the name of a processor")], CPUS)
    file = host_file(path)
    if not file.is_file():
        raise UsageError(f"{path}: there is no such file")
    built = _as_it_is(path, cpu)
    read = read_program(path, architecture=CPUS[cpu].architecture)
    placed = [variable.name for variable in case.declared.globals]
    names = untyped(read, [name for name in case.variables if name not in placed])
    types = None
    if names and case.program is None and CPUS[cpu].accepts(read):
        # All builds of a case have the same declarations.
        build = next(iter(case.builds.values()))
        own = provide_for(case, source_tree(case), targets_of([cpu]), [build], use=use)
        types = BorrowedTypes(own.programs[0].path, build.name, names)
    everything = Omission("every other CPU and build", "one program was given, and is run as it is")
    subject = Subject(cpu, built.build, path, types, read.symbol_file, built.sha256)
    return Selection(case, (built,), f"{path}, as it is", (everything,), given=(subject,))


def provide_for(
    case: Case,
    tree: SourceTree | Sources,
    targets: Sequence[Target],
    builds: Sequence[Build],
    *,
    use: str,
) -> Provision:
    """Find or compile programs of given sources, under a case's name.

    Raises:
        ToolMissingError, CompileError, CaseError, ProgramError: as for `programs_of`.
    """
    return provide(case.name, tree, targets, builds, PREBUILT, use=use)


def _require(case: Case, what: str, names: Sequence[str], choices: Collection[str]) -> None:
    """Refuse unknown names and an empty choice."""
    for name in names:
        if name not in choices:
            raise UsageError(f"{case.name} has no {what} {name}{did_you_mean(name, choices)}")
    if not names:
        raise UsageError(f"{case.name}: no {what} was asked for")
