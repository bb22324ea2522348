"""The languages of source files, by their suffixes."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from emu.base.errors import UsageError

_UNSPEAKABLE = re.compile(r'["\x00-\x1f\x7f]')


@dataclass(frozen=True, slots=True)
class Language:
    """A language that sources are written in.

    Attributes:
        name: its usual name.
        option: its name for GCC's option ``-x``.
        flags: the flags for all its sources.
        preprocessed: the name for ``-x`` of its sources after the preprocessor.
        quiet: the flags that keep GCC from rejecting or warning about somebody else's old sources.
        suffixes: the suffixes of its files.
    """

    name: str
    option: str
    suffixes: tuple[str, ...]
    flags: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    preprocessed: str = ""

    @property
    def is_compiled(self) -> bool:
        """Whether it is compiled; an assembler, unlike a compiler, keeps every name."""
        return bool(self.preprocessed)

    def takes(self, flag: str) -> bool:
        """Whether a flag is for this language; ``-std=gnu89`` is not for C++."""
        if flag.startswith("-fexcess-precision="):
            return self.name == "C"  # GCC had it for C alone
        return not flag.startswith("-std=") or ("++" in flag) == (self.name == "C++")


LANGUAGES = (
    Language(
        "C++",
        "c++",
        (".cpp", ".cp", ".cc", ".cxx", ".c++", ".C"),
        ("-std=gnu++98", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"),
        ("-fpermissive", "-w"),
        "c++-cpp-output",
    ),
    # C of before 1999 allows calls of undeclared functions and parameters in K&R style.
    Language("C", "c", (".c",), ("-std=gnu89",), ("-w",), "cpp-output"),
    Language("assembler", "assembler", (".s",)),
    Language("assembler with the preprocessor", "assembler-with-cpp", (".S",)),
)

SOURCE_SUFFIXES = frozenset(suffix for language in LANGUAGES for suffix in language.suffixes)
"""All source suffixes."""

KNOWN_SUFFIXES = ", ".join(
    f"{' '.join(language.suffixes)} ({language.name})" for language in LANGUAGES
)
"""All source suffixes with their languages, for messages."""


def language_of(name: str) -> Language | None:
    """The language of a file by its suffix, or None if it is not known.

    As with GCC, ``.C`` is C++ and ``.c`` is C. Other suffixes may be written in capitals.
    """
    suffix = PurePosixPath(name).suffix
    languages = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
    return languages.get(suffix) or (languages.get(suffix.lower()) if len(suffix) > 2 else None)


def require_source_name(name: str) -> Language:
    """The language of a file that is to be compiled.

    Raises:
        UsageError: macproof does not know the suffix, or an ``#include`` line cannot contain the
            name.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        shown = os.fsencode(name).decode("utf-8", "backslashreplace")
        raise UsageError(f"the file name {shown} is not UTF-8; rename it to compile it") from None
    if _UNSPEAKABLE.search(name):
        raise UsageError(
            f"the file name {name!r} has a quotation mark or a control character, which no "
            "#include can name; rename it to compile it"
        )
    language = language_of(name)
    if language is None:
        raise UsageError(
            f"{name} has no suffix of a language that macproof compiles: {KNOWN_SUFFIXES}"
        )
    return language
