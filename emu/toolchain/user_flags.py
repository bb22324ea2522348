"""The compiler flags that a case may ask for.

Its flags may change what the sources mean, such as the size of ``int``. They may not read or write
files, run programs, or choose what a build, a processor or macproof chooses.
"""

from __future__ import annotations

import re

M68K_FLAGS = ("-mshort", "-malign-int")
"""The flags among them that only compilers for the 68K have; the others are compiled without."""

IMPLIED = {"-mshort": ("-fno-ivopts", "-grecord-gcc-switches")}
"""Flags that others need. With an ``int`` of 16 bits, GCC 12 counts offsets in 16 bits, and its
optimisation of loops takes -1 for 65535 or stops GCC with an internal error. An object can have
32,767 bytes; GCC refuses larger ones. GCC has to write down that it was asked for such an ``int``,
since a program without any is called in the same way."""

_PLAIN = {"-ansi", "-pedantic", "-trigraphs", "-w", *M68K_FLAGS}
_ALLOWED = re.compile(
    r"-[DU][A-Za-z_]\w*"
    r"|-D[A-Za-z_]\w*=[^\x00-\x1f]*"
    r"|-std=[a-z0-9+:]+"
    r"|-W[a-z0-9+-]*(=[a-z0-9-]+)?"
    r"|-f[a-z0-9+-]+"
    r"|-f(pack-struct|fp-contract|excess-precision|permitted-flt-eval-methods)=[a-z0-9-]+",
    re.ASCII,
)
# These write files, need libraries or a linker that a case does not have, or leave no object.
_KEPT_FROM_CASES = re.compile(
    r"-f(no-)?(plugin|dump|profile|auto-profile|branch-prob|test-coverage|sanitize|instrument"
    r"|lto|fat-lto|use-l|split|stack|callgraph|save|compare-debug|preprocessed|directives-only"
    r"|pch|working-directory|syntax-only|pi[ce]|plt|leading-underscore|diagnostics|opt-info"
    r"|record|report|mem-report|time-report|checking|module|offload|openmp|openacc|ltrans|wpa"
    r"|resolution|whole-program|merge-debug|debug-|macro-prefix|file-prefix|input-charset).*"
)
_REMEDIES = (
    ("-I", "name the folder under include"),
    ("-include", "include it in a source"),
    ("-O", "builds say how far to optimise: see extra_builds"),
    ("-m", f"of this kind only {' and '.join(M68K_FLAGS)} are allowed; cpus selects processors"),
    ("-fpascal-strings", 'leave it out: "\\p" always begins a Pascal string'),
    ("-x", "the suffix of a source says its language"),
)


def problem_of(flag: str) -> str:
    """Why a case may not have a flag, and what to do instead; "" if it may."""
    remedy = next((text for start, text in _REMEDIES if flag.startswith(start)), "")
    is_allowed = flag in _PLAIN or (
        _ALLOWED.fullmatch(flag) and not _KEPT_FROM_CASES.fullmatch(flag)
    )
    if is_allowed and flag != "-fpascal-strings":
        return ""
    hint = f"; {remedy}" if remedy else ""
    return (
        f"a case may not have the flag {flag!r}{hint}. Allowed are -D, -U, -std=, -W, -f with what "
        f"changes the language or the code, and {' '.join(sorted(_PLAIN))}"
    )
