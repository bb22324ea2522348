"""The systems of a comparison: cases with a section ``compare``, and their programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from emu.base.processes.workers import default_jobs
from emu.cases.case_file import read_case
from emu.cases.find import cases_with
from emu.toolchain.builds import Target
from emu.toolchain.programs.gcc import BuiltProgram
from macproof import Case, CaseError, Subject, ToolMissingError, UsageError, load_case, programs_of
from posts.comparison.contender import Contender, contender_of


@dataclass(frozen=True, slots=True)
class SystemForm:
    """A case with its programs.

    Attributes:
        path: the case's file.
        name: the case's name.
        programs: the programs, by `Target.name` of processor and code.
    """

    path: Path
    name: str
    programs: Mapping[str, BuiltProgram]

    def subjects(self) -> dict[str, Subject]:
        """The programs by processor and code, ready to be run."""
        return {name: Subject(p.cpu, p.build, p.path) for name, p in self.programs.items()}


@dataclass(frozen=True, slots=True)
class System:
    """A system that takes part.

    Attributes:
        contender: the section ``compare`` of its case file.
        form: the case that is run.
        larger: the case that is run where ``form`` has no room for the objects, or None.
        counts_tests: whether the guest counts its tests, so that the count can be compared.
        tells_who: whether the guest's memory tells which objects collide, so that this can be
            compared.
        timed: the case that is timed in place of ``form``, or None if ``form`` is timed.
    """

    contender: Contender
    form: SystemForm
    larger: SystemForm | None
    counts_tests: bool
    tells_who: bool
    timed: SystemForm | None = None

    @property
    def name(self) -> str:
        """The case's name."""
        return self.form.name


@dataclass(frozen=True, slots=True)
class Systems:
    """The systems that take part, and those that do not, each with the reason."""

    systems: tuple[System, ...]
    left_out: tuple[tuple[str, str], ...]


def choose_cases(names: Sequence[str], also: Sequence[str]) -> list[Case]:
    """Load the cases that take part.

    Args:
        names: the cases; if empty, all of ``mac_src`` that have a section ``compare``.
        also: further cases, such as the user's own.

    Raises:
        UsageError: there is no such case, it has no section ``compare``, or two have one name.
        CaseError: a file is wrong.
    """
    cases = [load_case(name) for name in names] or [
        case for case in map(read_case, cases_with(rb" +compare:")) if contender_of(case)
    ]
    cases += [load_case(name) for name in also]
    cases = list({case.path: case for case in cases}.values())
    for key in ("name", "title"):
        seen: dict[str, Case] = {}
        for case in cases:
            contender = contender_of(case)
            if contender is None:
                raise UsageError(f"{case.path} has no section compare, so it cannot take part")
            word = case.name if key == "name" else contender.title
            if word in seen:
                raise UsageError(f"{seen[word].path} and {case.path} are both called {word}")
            seen[word] = case
    return cases


def provide_systems(
    cases: Iterable[Case], targets: Sequence[Target], build: str, *, use: str, jobs: int = 0
) -> Systems:
    """Find or compile the programs of cases.

    Args:
        cases: the cases that take part.
        targets: the processors wanted, and whose code each executes.
        build: the build's name.
        use: where programs come from, see `programs_of`.
        jobs: how many compilers may run at once; 0 is one for each processor.

    Raises:
        ToolMissingError: no system can run, because a compiler is missing.
        UsageError: no system can run for another reason.
        CompileError, ProgramError: a program does not compile, or is damaged.
        CaseError: the case that is timed in place of another differs from it.
    """
    systems: list[System] = []
    left_out: list[tuple[str, str]] = []
    missing: ToolMissingError | None = None
    with ThreadPoolExecutor(jobs or default_jobs()) as threads:
        wanted = list(cases)
        futures = [threads.submit(_provide, case, targets, build, use) for case in wanted]
        for case, future in zip(wanted, futures, strict=True):
            try:
                system, without = future.result()
            except ToolMissingError as error:
                missing = missing or error
                left_out.append((case.name, str(error)))
            except _NothingToRunError as error:
                left_out.append((case.name, str(error)))
            else:
                systems.append(system)
                left_out += without
                left_out += [
                    (f"{case.name} for the {target.name}", "the case is not")
                    for target in targets
                    if target.cpu not in case.cpus
                ]
    if not systems:
        raise missing or UsageError("; ".join(f"{name}: {why}" for name, why in left_out))
    return Systems(tuple(systems), tuple(left_out))


class _NothingToRunError(Exception):
    """A case has no program for the processors and the build."""


def _provide(
    case: Case, targets: Sequence[Target], build: str, use: str
) -> tuple[System, list[tuple[str, str]]]:
    """A system, and the reasons why some of its programs are left out."""
    contender = contender_of(case)
    assert contender is not None
    observed = {variable.attribute for variable in case.observed}
    form = _form(case, contender, targets, build, use)
    larger, left_out = None, []
    if contender.larger:
        beside = read_case(case.path.parent / contender.larger)
        try:
            larger = _form(beside, contender, targets, build, use)
        except (ToolMissingError, _NothingToRunError) as error:
            left_out.append((beside.name, str(error)))
    timed = None
    if contender.timed:
        bare = read_case(case.path.parent / contender.timed)
        _require_alike(case, bare)
        timed = _form(bare, contender, targets, build, use)
    system = System(
        contender=contender,
        form=form,
        larger=larger,
        timed=timed,
        counts_tests=contender.tests in observed,
        tells_who=contender.collided in observed,
    )
    return system, left_out


def _require_alike(case: Case, timed: Case) -> None:
    """Check that the timed case has the same reference, inputs and processors."""
    for what, own, other in (
        ("reference", case.reference, timed.reference),
        ("input", case.inputs, timed.inputs),
        ("cpus", set(case.cpus), set(timed.cpus)),
    ):
        if own != other:
            raise CaseError(
                timed.path,
                f"its {what} is not that of {case.path.name}, in whose place it is timed",
            )


def _form(
    case: Case, contender: Contender, targets: Sequence[Target], build: str, use: str
) -> SystemForm:
    chosen = [target for target in targets if target.cpu in case.cpus]
    if not chosen:
        raise _NothingToRunError(f"it is for {', '.join(case.cpus)}")
    if build not in case.builds:
        raise _NothingToRunError(f"it has no build {build}, but {', '.join(case.builds)}")
    programs = {target.name: _program(case, contender, target, build, use) for target in chosen}
    return SystemForm(case.path, case.name, programs)


def _program(
    case: Case, contender: Contender, target: Target, build: str, use: str
) -> BuiltProgram:
    """The program for a processor; where its own code is wanted, the contender may have other."""
    code = target.code or contender.programs_of.get(target.cpu, target.cpu)
    return programs_of(case, cpus=[target.cpu], builds=[build], codes=[code], use=use).built[0]
