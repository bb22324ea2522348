"""GCC's sanitizers for guest programs: their flags, and the runtime that their checks call.

GCC compiles checks as calls of functions. Those of macproof, in ``mac_src/runtime/sanitizers``,
write down what they find in guest memory, where `emu.checks.sanitizers` reads it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from emu.base.arguments import one_of
from emu.base.errors import UsageError
from emu.machine.memory.layout import APPLICATION_SHADOW, APPLICATION_SHADOWED, SHADOW
from emu.toolchain.builds import Build

# A check that ends a function must be called, not jumped to: it tells the place by where it would
# return to.
_COMMON = ("-fno-optimize-sibling-calls",)
SANITIZERS: Mapping[str, tuple[str, ...]] = {
    # The sanitizer of kernels is the one that GCC has for processors without a library. Below this
    # threshold, GCC's code looks into the shadow itself, and calls only what reports.
    "address": (
        "-fsanitize=kernel-address",
        f"-fasan-shadow-offset=0x{SHADOW:x}",
        *("--param", "asan-instrumentation-with-call-threshold=100000"),
        *("--param", "asan-stack=1", "--param", "asan-globals=1"),
    ),
    # "vptr" needs information about types at run time, which guest programs do not have.
    "undefined": ("-fsanitize=undefined", "-fno-sanitize=vptr"),
}
"""GCC's flags for each sanitizer, by the name that GCC has for it."""


TRACE_CMP = "trace-cmp"
"""What stands among the sanitizers of a build whose programs record what they compare."""


def tracing_comparisons(build: Build) -> Build:
    """The build whose programs record the numbers that they compare, "O2+trace-cmp".

    Such a program guides a search; it is never verified.
    """
    flags = (*build.flags, f"-fsanitize-coverage={TRACE_CMP}")
    return replace(build, name=f"{build.name}+{TRACE_CMP}", flags=flags, sanitizers=(TRACE_CMP,))


def sanitized(build: Build, names: Sequence[str]) -> Build:
    """The build of the same flags with sanitizers; it has their names in its own: "O2+undefined".

    Args:
        build: a build.
        names: names in `SANITIZERS`, in any order; with none it is the same build.

    Raises:
        UsageError: there is no such sanitizer.
    """
    for name in names:
        one_of(name, "sanitize", tuple(SANITIZERS))
    chosen = tuple(name for name in SANITIZERS if name in names)
    if not chosen:
        return build
    if build.sanitizers:
        raise UsageError(f"the build {build.name} has sanitizers already")
    flags = (*build.flags, *_COMMON, *(flag for name in chosen for flag in SANITIZERS[name]))
    return replace(build, name="+".join((build.name, *chosen)), flags=flags, sanitizers=chosen)


RUNTIME_FLAGS = (f"-DMACPROOF_SHADOW=0x{SHADOW:x}",)
"""What the sanitizers' runtime is compiled with, beside the flags of all runtime."""

_COPYING = ("memcpy", "memmove", "memset", "memcmp")


STACK = "stack"
"""What is named beside "address" for an application whose stack is checked, too.

It is for a run without a Macintosh, which has memory for the shadow where GCC's code expects it.
"""

_OF_APPLICATIONS = (
    *("--param", "asan-instrumentation-with-call-threshold=0"),
    *("--param", "asan-stack=0"),
)
_OF_STACK = (f"-fasan-shadow-offset=0x{APPLICATION_SHADOW:x}",)
_BLOCKS = ("NewPtr", "NewPtrClear", "SetPtrSize", "DisposePtr")


def sanitized_application(build: Build, names: Sequence[str]) -> Build:
    """The build of an application with sanitizers; like `sanitized`, but they may have `STACK`.

    Raises:
        UsageError: there is no such sanitizer, or `STACK` is named without "address".
    """
    checked = sanitized(build, [name for name in names if name != STACK])
    if STACK not in names:
        return checked
    if "address" not in names:
        raise UsageError("the sanitizer stack goes with address: --sanitize address,stack")
    return replace(
        checked,
        name=f"{checked.name}+{STACK}",
        sanitizers=(*checked.sanitizers, STACK),
    )


def application_flags(build: Build) -> list[str]:
    """What an application is compiled with beside a build's flags.

    Its shadow is a block of its heap, so that only the runtime can look there: all checks are
    calls, and GCC's own code sets no shadow of the stack. With `STACK` the shadow is at a place
    that GCC's code knows.
    """
    if "address" not in build.sanitizers:
        return []
    return [*(_OF_STACK if STACK in build.sanitizers else _OF_APPLICATIONS)]


def application_runtime_flags(build: Build) -> tuple[str, ...]:
    """What the runtime of an application's sanitizers is compiled with; it tells what it finds."""
    telling = ("-DMACPROOF_TELLS", "-Isanitizers")
    if STACK not in build.sanitizers:
        return (*RUNTIME_FLAGS, *telling)
    return (
        *telling,
        "-DMACPROOF_STACK",
        f"-DMACPROOF_SHADOW=0x{APPLICATION_SHADOW:x}",
        f"-DMACPROOF_SHADOWED=0x{APPLICATION_SHADOWED:x}",
    )


def application_linker_flags(build: Build) -> list[str]:
    """What lets the runtime know of the blocks of the Memory Manager, too."""
    has_own = "address" in build.sanitizers and STACK not in build.sanitizers
    blocks = _BLOCKS if has_own else ()
    return [*linker_flags(build), *(f"-Wl,--wrap={name}" for name in blocks)]


def linker_flags(build: Build) -> list[str]:
    """What lets calls of functions that access whole blocks be checked, too."""
    return [f"-Wl,--wrap={name}" for name in _COPYING] if "address" in build.sanitizers else []


def runtime_files(runtime: Path, build: Build) -> dict[str, Path]:
    """The sources of the runtime that a build's checks call, by staged names.

    Args:
        runtime: the folder of all runtime.
        build: a build with sanitizers.
    """
    name = "comparisons" if TRACE_CMP in build.sanitizers else "sanitizers"
    return {f"{name}/{path.name}": path for path in sorted((runtime / name).iterdir())}
