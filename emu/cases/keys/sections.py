"""Reads the sections of a case file: how scenes are drawn and timed, more builds, and others.

The file has been checked against the schema before, so these functions only check what a schema
cannot express. All of them raise a CaseError that names the line of the mistake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from emu.base.errors import CaseError, UsageError
from emu.base.functions import resolve
from emu.base.yaml_document import YamlDocument, YamlPath, YamlSection, did_you_mean
from emu.cases.files.python_files import load
from emu.cases.keys.arguments import FURTHER, name_of_further, python_functions_of
from emu.cases.keys.compiling import KEYS, lines_of_prefixes
from emu.cases.keys.parts import CaseProof, CaseTiming, ChosenCode, Figures, ScenePicture
from emu.machine.cpu import CPUS
from emu.program import host_file, read_program
from emu.program.declarations.places import is_place
from emu.toolchain.builds import BUILDS, TARGETS, Build, runs
from emu.toolchain.sources import require_unit


def cpus_of(document: YamlDocument, program: Path | None) -> tuple[str, ...]:
    """The processors that a case is for; if it names a program, those that can execute it."""
    written = document.data.get("cpus", list(TARGETS))
    names = tuple(cpu_name(document, ("cpus", n), cpu) for n, cpu in enumerate(written))
    if program is None:
        return names
    read = {name: read_program(program, architecture=CPUS[name].architecture) for name in names}
    able = tuple(name for name in names if CPUS[name].accepts(read[name]))
    for n, name in enumerate(names):
        if name not in able and ("cpus" in document.data or not able):
            place = ("cpus", n) if "cpus" in document.data else ("program",)
            what = f"{program.name} is a {read[name].architecture} program, which no {name} runs"
            raise document.error(place, what)
    return able


def cpu_name(document: YamlSection, place: YamlPath, written: str | int) -> str:
    """Check a processor's name; YAML reads 68040 without quotes as a number."""
    cpu = str(written)
    if cpu not in CPUS:
        raise document.error(place, f"there is no CPU {cpu}{did_you_mean(cpu, CPUS)}")
    return cpu


def extra_builds(
    document: YamlDocument, at: YamlPath, written: Mapping[str, Any]
) -> dict[str, Build]:
    """Read further builds: each has the flags of another build and defines some macros."""
    builds = {}
    for name, extra in written.items():
        like = extra["like"]
        if like not in BUILDS:
            raise document.error(
                (*at, name, "like"), f"there is no build {like}{did_you_mean(like, BUILDS)}"
            )
        defines = tuple(f"-D{word}" for word in extra["define"])
        builds[name] = Build(name, (*BUILDS[like].flags, *defines))
    return builds


def more_objects(document: YamlDocument) -> tuple[tuple[str, int], ...]:
    """Read ``also``: further numbers of objects for scenes of some generators."""
    scene = document.data["scene"]
    further = []
    for generator, numbers in scene.get("also", {}).items():
        place = ("scene", "also", generator)
        if generator not in scene["generators"]:
            hint = did_you_mean(generator, scene["generators"])
            raise document.error(place, f"there is no generator {generator}{hint}")
        for number in numbers:
            if number in scene["objects"]:
                raise document.error(place, f"all generators have {number} objects already")
            further.append((generator, number))
    return tuple(further)


def picture_of(document: YamlDocument, data: Mapping[str, Any]) -> ScenePicture:
    """Read how scenes are drawn."""
    outline = data.get("outline", [])
    for key in ("grid", "draw"):
        if key in data:
            require_function(document, ("picture", key), data[key])
    if "draw" in data and len(data) > 1:
        raise document.error(
            ("picture", "draw"),
            "draw cannot have another key beside it, because it draws everything",
        )
    size = data.get("object_size", 1)
    if isinstance(size, list) and data.get("shape") == "circle":
        raise document.error(("picture", "object_size"), "a circle has one size, not two")
    return ScenePicture(
        outline=(outline,) if isinstance(outline, str) else tuple(outline),
        object_size=tuple(size) if isinstance(size, list) else size,
        shape=data.get("shape", "square"),
        grid=data.get("grid", ""),
        draw=data.get("draw", ""),
    )


def proof_of(document: YamlDocument) -> CaseProof:
    """Read for which inputs the routine is proved."""
    data, scene = document.data.get("proof", {}), document.data["scene"]
    generator = data.get("generator", "")
    if generator and generator not in scene["generators"]:
        hint = did_you_mean(generator, scene["generators"])
        raise document.error(("proof", "generator"), f"there is no generator {generator}{hint}")
    for name, (low, high) in data.get("where", {}).items():
        if low > high:
            raise document.error(("proof", "where", name), f"{low} is more than {high}")
    return CaseProof(
        specification=data.get("specification", ""),
        generator=generator,
        objects=data.get("objects"),
        where={name: (low, high) for name, (low, high) in data.get("where", {}).items()},
        fixed=tuple(data.get("fixed", ())),
        rounds=data.get("rounds", CaseProof().rounds),
    )


def timing_of(document: YamlDocument, builds: Mapping[str, Build]) -> CaseTiming:
    """Read what is timed; ``builds`` are the builds that the case has otherwise."""
    data, scene = document.data["timing"], document.data["scene"]
    generator = data["generator"]
    if generator not in scene["generators"]:
        hint = did_you_mean(generator, scene["generators"])
        raise document.error(("timing", "generator"), f"there is no generator {generator}{hint}")
    own = extra_builds(document, ("timing", "extra_builds"), data.get("extra_builds", {}))
    for name in own.keys() & builds.keys():
        raise document.error(("timing", "extra_builds", name), f"there is a build {name} already")
    return CaseTiming(
        generator=generator,
        objects=tuple(data.get("objects", scene["objects"])),
        builds=own,
        figures=tuple(
            _figures(document, index, written)
            for index, written in enumerate(data.get("figures", []))
        ),
    )


def _figures(document: YamlDocument, index: int, written: Mapping[str, Any]) -> Figures:
    """Read the published figures of one machine."""
    at = ("timing", "figures", index)
    cpu = cpu_name(document, (*at, "cpu"), written["cpu"])
    code = None
    if "code" in written:
        keys = written["code"]
        code = ChosenCode(
            cpu=cpu_name(document, (*at, "code", "cpu"), keys["cpu"]),
            why=keys["why"],
            since=keys["since"],
        )
        if code.cpu == cpu or not runs(cpu, code.cpu):
            what = f"code for a {code.cpu} is no other code that a {cpu} executes"
            raise document.error((*at, "code", "cpu"), what)
    return Figures(
        machine=written["machine"],
        cpu=cpu,
        megahertz=float(written["megahertz"]),
        source=written["source"],
        calls_per_second={
            int(objects): float(rate) for objects, rate in written["calls_per_second"].items()
        },
        code=code,
    )


def extra_of(document: YamlDocument) -> dict[str, YamlSection]:
    """Read what the case file says for other packages; these check it."""
    path = document.path.resolve()
    return {
        name: replace(document.section(("extra", name)), path=path)
        for name in document.data.get("extra", ())
    }


def require_function(document: YamlSection, place: YamlPath, dotted: str) -> None:
    """Check that a function with this dotted name exists."""
    try:
        resolve(dotted, document.path.resolve().parent)
    except UsageError as error:
        refused = document.error(place, str(error))
        refused.failure = error.failure
        raise refused from error


def load_functions(document: YamlDocument) -> Mapping[str, str]:
    """Import the functions that the case names; the digests of the files that they came from."""
    data = document.data
    functions: dict[YamlPath, str] = {("scene", "make"): data["scene"]["make"]}
    if isinstance(data.get("reference"), str):
        functions["reference",] = data["reference"]
    elif "bulk_reference" in data:
        raise document.error(
            ("bulk_reference",), "bulk_reference needs a reference that is a function in Python"
        )
    for key in ("bulk_reference", "specification"):
        if key in data:
            functions[key,] = data[key]
    if "specification" in data.get("proof", {}):
        functions["proof", "specification"] = data["proof"]["specification"]
    if "bulk_make" in data["scene"]:
        place = "scene", "bulk_make"
        if "bulk_reference" not in data:
            raise document.error(place, "bulk_make is for a bulk_reference, and there is none")
        functions[place] = data["scene"]["bulk_make"]
    functions |= python_functions_of(document)

    def importing() -> None:
        for place, dotted in functions.items():
            require_function(document, place, dotted)

    return load(list(functions.values()), document.path.parent, importing)


def prebuilt_of(document: YamlDocument, builds: Mapping[str, Build]) -> tuple[str, ...]:
    """Read which builds have prebuilt programs."""
    names = document.data.get("prebuilt", list(builds))
    for index, name in enumerate(names):
        if name not in builds:
            suggestion = did_you_mean(name, builds)
            raise document.error(("prebuilt", index), f"there is no build {name}{suggestion}")
    return tuple(names)


def members_of(what: str | Mapping[str, str]) -> Mapping[str, str]:
    """The members of a variable that a case file lists; a plain name means the whole variable."""
    return {"": what} if isinstance(what, str) else what


def units_of(document: YamlDocument) -> tuple[tuple[str, ...], ...]:
    """Read the sources by translation unit; a plain name is a unit of its own."""
    units = []
    for index, written in enumerate(document.data.get("sources", ())):
        names = [written] if isinstance(written, str) else written
        for name in names:
            if not (document.path.parent / name).is_file():
                raise document.error(("sources", index), f"there is no file {name} beside it")
        units.append(tuple(names))
        try:
            require_unit([Path(name) for name in names])
        except UsageError as error:
            raise document.error(("sources", index), str(error)) from error
    return tuple(units)


def program_of(document: YamlDocument, routines: Sequence[str]) -> Path | None:
    """Read ``program``, a compiled program that the case verifies; None if it has sources instead.

    Args:
        document: the case file.
        routines: the names of all routines that it names.

    Raises:
        CaseError: there is no such file, or sources too; or something is said that only such a
            program needs.
    """
    data = document.data
    if "program" not in data:
        if "sources" not in data:
            raise document.error(
                (), "the key sources is missing (or program, to test a program as it is)"
            )
        for key in ("start", "globals", "types"):
            if key in data:
                problem = f"{key} is only for a case that tests a program as it is"
                raise document.error((key,), problem, remedy=_IN_PLACE_OF_SOURCES)
        for name in routines:
            if is_place(name):
                problem = f"{name} is a place in a program that is there already"
                raise CaseError(document.path, problem, remedy=_IN_PLACE_OF_SOURCES)
        return None
    for key in ("sources", "prebuilt", "extra_builds", "compilers", *KEYS):
        if key in data:
            raise document.error(
                (key,), f"a case with program cannot have {key}, which is for compiling"
            )
    path: Path = document.path.resolve().parent / data["program"]
    if not host_file(path).is_file():
        raise document.error(("program",), f"there is no file {data['program']} beside it")
    return path


_IN_PLACE_OF_SOURCES = "Name the program with program, in place of sources."


def lines_of(document: YamlDocument) -> dict[str, int]:
    """The line numbers in which a case file names the routine and the variables, by name."""
    data = document.data
    sections = ("observe", "input", "toolbox", "arguments")
    lines = {
        name: document.line((key, name))
        for key in sections
        if isinstance(data.get(key), dict)
        for name in data[key]
    }
    if isinstance(data["observe"], dict):
        lines |= {f"observe.{name}:": document.line(("observe", name)) for name in data["observe"]}
    else:
        for n, place in enumerate(data["observe"]):
            lines[place.split()[0].split(".")[0]] = document.line(("observe", n))
    for key in (
        "reference",
        "bulk_reference",
        "specification",
        "repeat",
        "script",
    ):  # no routine is so named
        lines[f"{key}:"] = document.line((key,))
    lines |= lines_of_prefixes(document)
    lines["bulk_make:"] = document.line(("scene", "bulk_make"))
    if isinstance(data.get("reference"), dict):
        lines |= {f"reference.{k}:": document.line(("reference", k)) for k in data["reference"]}
    for key in ("before", "ignore"):
        named = data.get(key, ())
        lines |= {
            name: document.line((key, name if isinstance(named, dict) else n))
            for n, name in enumerate(named)
        }
    for n, call in enumerate(data.get("calls", ())):
        name, given = (call, None) if isinstance(call, str) else next(iter(call.items()))
        place = ("calls", n) if isinstance(call, str) else ("calls", n, name)
        lines[name] = lines[f"calls[{n}]"] = document.line(place)
        lines |= {f"calls[{n}].{key}": document.line((*place, key)) for key in given or ()}
    lines |= {
        name_of_further(n): document.line(("arguments", FURTHER, n))
        for n in range(len(data.get("arguments", {}).get(FURTHER, ())))
    }
    return lines | ({data["call"]: document.line(("call",))} if "call" in data else {})
