"""Arguments and results of every shape, passed to what the real compilers made of a declaration.

Each function stores its arguments into globals and returns one of them, so a form that puts a value
in the wrong place is seen by what arrives, and by what comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emu.machine import CPUS, BareMachine
from emu.program import GuestType, read_program
from emu.program.model.wide_floats import WideFloat
from emu.toolchain.builds import ALL_TARGETS, BUILDS
from emu.toolchain.compiler_choice import NamedCompiler
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.retro68 import retro68_compiler
from emu.toolchain.sources import SourceTree, mac_sources
from tests.examples import examples
from tests.rows import slow_but

TYPES = {
    "char": "signed char", "byte": "unsigned char", "flag": "bool", "half": "short",
    "uhalf": "unsigned short", "word": "int", "uword": "unsigned", "wide": "long long",
    "uwide": "unsigned long long", "single": "float", "real": "double", "one": "One",
    "two": "Two", "three": "Three", "four": "Four", "chars": "Chars", "six": "Six",
    "eight": "Eight", "twelve": "Twelve", "lone": "Lone", "long": "long double",
    "boxed": "Boxed", "alone": "Alone",
}  # fmt: skip
STRUCTS = """
struct One { signed char a; };
struct Two { short a; };
struct Three { unsigned char a[3]; };
struct Four { short h, v; };
struct Chars { signed char a, b, c, d; };
struct Six { short a; unsigned short b; short c; };
struct Eight { short top, left, bottom, right; };
struct Twelve { int a; short b, c; unsigned d; };
struct Lone { double d; };
struct Boxed { short a; long double x[2]; };
struct Alone { long double x; };
"""
LISTS = [
    [name] for name in TYPES
] + [
    ["char", "half", "byte", "word"],
    ["word", "wide", "char", "wide", "half", "wide", "word", "wide", "char"],
    ["single", "real", "word", "single", "wide", "real"],
    ["word", "real", "single", "half"],
    ["real"] * 9 + ["single"] * 3 + ["word"],
    ["four", "six", "eight", "twelve", "one", "two", "three", "chars", "lone"],
    ["half", "four", "char", "eight", "flag", "real", "three", "word", "twelve", "uhalf"],
    ["word"] * 11 + ["char", "uwide", "single"],
    ["half", "long", "real", "long", "word", "long", "long", "long", "single", "char", "long"],
    ["boxed", "long", "alone", "half", "long"],
]  # fmt: skip


def source() -> str:
    lines = [STRUCTS]
    for number, names in enumerate(LISTS):
        kinds = [TYPES[name] for name in names]
        for place, kind in enumerate(kinds):
            lines.append(f"{kind} g{number}_{place};")
        parameters = ", ".join(f"{kind} a{place}" for place, kind in enumerate(kinds))
        stores = " ".join(f"g{number}_{place} = a{place};" for place in range(len(kinds)))
        lines.append(f'extern "C" {kinds[-1]} F{number}({parameters})')
        lines.append(f"{{ {stores} return a{len(kinds) - 1}; }}")
    calls = ", ".join(f"(void*) F{number}" for number in range(len(LISTS)))
    lines.append(f"void* gKept[] = {{ {calls} }};")
    lines.append('short gX; extern "C" void Go() { gX = 1; }')
    return "\n".join(lines)


CHOICES = [
    *("68000 O1", "68040 O0", "68040 O2", "601 O2", "mips O1"),
    *("68000 O2 -mshort", "68040 O1 -mshort"),
    *("68000 O1 retro68", "68040 O2 retro68", "601 O0 retro68", "601 O2 retro68"),
]
QUICK = ["68040 O2", "601 O2", "68000 O2 -mshort"]


@pytest.fixture(scope="module", params=slow_but(QUICK, CHOICES), ids=lambda c: c.replace(" ", "-"))
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> BareMachine:
    cpu, build, *flags = request.param.split()
    named = {}
    if "retro68" in flags:
        flags.remove("retro68")
        family = ALL_TARGETS[cpu].architecture
        if family == "powerpc":
            path = request.getfixturevalue("retro68_powerpc")
        else:
            path = retro68_compiler(request.getfixturevalue("retro68_folder"), family)
        named = {family: NamedCompiler(str(path), "this test", is_first=True)}
    else:
        request.getfixturevalue("compilers")(cpu)
    path = tmp_path_factory.mktemp("forms") / "forms.cpp"
    path.write_text(source())
    tree = SourceTree(
        routine="Go",
        state=("gX", "gKept"),
        units=((path,),),
        folders=(path.parent,),
        compat=mac_sources() / "compat",
        runtime=mac_sources() / "runtime",
        cflags=tuple(flags),
        compilers=named,
    )
    built = compile_program(tree, BUILDS[build], ALL_TARGETS[cpu])
    return BareMachine(read_program(built.path), CPUS[cpu])


def values(kind: GuestType) -> st.SearchStrategy[Any]:
    if kind.shape:
        count = int(np.prod(kind.shape))
        return st.lists(values(kind.scalar), min_size=count, max_size=count)
    if kind.kind == "struct":
        return st.fixed_dictionaries({field.name: values(field.type) for field in kind.fields})
    if kind.kind == "boolean":
        return st.booleans()
    if kind.wide is not None:
        finite = st.floats(allow_nan=False, allow_infinity=False)
        return st.one_of(finite.map(kind.wide.number), st.integers().map(thirds(kind.wide.number)))
    if kind.kind == "float":
        # The engine stores an infinity from a register of the 68881 as if it were no number.
        return st.floats(width=8 * kind.size, allow_nan=False, allow_infinity=False)
    limits = np.iinfo(kind.dtype)
    return st.integers(int(limits.min), int(limits.max))


def thirds(number: type[WideFloat]) -> Callable[[int], WideFloat]:
    return lambda whole: number(whole) / 3


def plain(value: Any) -> Any:
    """A NumPy value of a guest as Python numbers, lists and dictionaries."""
    if isinstance(value, np.void) or (isinstance(value, np.ndarray) and value.dtype.names):
        return {name: plain(value[name]) for name in value.dtype.names or ()}
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


@pytest.mark.parametrize("number", range(len(LISTS)), ids=lambda n: "-".join(LISTS[n])[:40])
@settings(max_examples=examples(12), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_passed_arrives_and_comes_back(
    machine: BareMachine, number: int, data: st.DataObject
) -> None:
    function = machine.functions[f"F{number}"]
    types = [parameter.type for parameter in function.signature.parameters]
    assert len(types) == len(LISTS[number])
    arguments = [data.draw(values(kind)) for kind in types]
    returned = function(*arguments)
    arrived = [plain(machine.globals[f"g{number}_{place}"]) for place in range(len(types))]
    assert arrived == arguments
    assert plain(returned) == arguments[-1]
