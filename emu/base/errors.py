"""The one exception tree of macproof; each branch carries its exit code.

Exit codes are part of the command line's contract: 0 verified, 1 refuted, 2 usage or bad
input, 3 a needed tool is missing, 4 guest fault or exceeded budget without a verdict, 70 a mistake
of macproof's own (EX_SOFTWARE of BSD's sysexits), 130 interrupted.
"""

from __future__ import annotations

import functools
import traceback
from pathlib import Path
from typing import Any, ClassVar

from emu.base.printable import one_line


class MacproofError(Exception):
    """Something macproof can explain to a person: what was wrong, where, and what to do.

    Example:
        >>> try:
        ...     macproof.load_case("four-shift")
        ... except macproof.MacproofError as error:
        ...     print(error)
        there is no case four-shift; did you mean four-shifts?
    """

    exit_code: ClassVar[int] = 2

    failure: BaseException | None = None
    """What somebody else's code raised."""

    rows: tuple[int, ...] = ()
    """The indices of the scenes of a batch that it is about; none if it does not tell."""

    @functools.cached_property
    def trace(self) -> str:
        """The traceback of ``failure``, for its author (``--verbose``); "" if there is none.

        It is made when it is asked for: that takes a millisecond, and of the thousands of scenes
        that a reference refuses in a search, nobody asks.
        """
        return "" if self.failure is None else "".join(traceback.format_exception(self.failure))

    def __reduce__(self) -> tuple[Any, ...]:
        # Python restores an exception by calling its class with the message. That fails for
        # classes that are called with something else: InputError takes a path and a problem.
        state = {**self.__dict__, "trace": self.trace, "failure": None}
        return _restore, (type(self), self.args, state)


def _restore(
    kind: type[MacproofError], arguments: tuple[Any, ...], state: dict[str, Any]
) -> MacproofError:
    error = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(state)
    return error


class UsageError(MacproofError):
    """The command line or an argument of the library is wrong.

    Example:
        >>> macproof.programs_of(macproof.load_case("four-shifts"), cpus=["68050"])
        Traceback (most recent call last):
        UsageError: four-shifts has no CPU 68050; did you mean 68040?
    """


class InputError(MacproofError):
    """A file cannot be used.

    Args:
        path: the file.
        problem: what is wrong with it, as a clause.
        where: the place in the file ("offset 52", "line 7"), if one is known.
        remedy: what the reader can do about it, as a sentence.

    Example:
        >>> error = macproof.InputError("a.yaml", "it is empty", remedy="Fill it in.")
        >>> str(error), error.problem
        ('a.yaml: it is empty. Fill it in.', 'it is empty')
    """

    def __init__(
        self, path: Path | str, problem: str, *, where: str = "", remedy: str = ""
    ) -> None:
        self.path = Path(path)
        self.problem = problem
        self.where = where
        self.remedy = remedy
        name = one_line(str(self.path))
        place = f"{name}, {where}" if where else name
        super().__init__(f"{place}: {problem}" + (f". {remedy}" if remedy else ""))


class ProgramError(InputError):
    """An executable is damaged, of the wrong kind, or lacks what was asked of it.

    Example:
        >>> macproof.read_program("README.md")
        Traceback (most recent call last):
        ProgramError: README.md: it is not a Mac file ...
    """


class CaseError(InputError):
    """A case file is wrong.

    Example:
        >>> macproof.load_case("mac_src/port_check/application.yaml")
        Traceback (most recent call last):
        CaseError: mac_src/port_check/application.yaml, line 1: ...
    """


class CompileError(InputError):
    """A compiler refused a source; the message holds what the compiler said.

    Example:
        >>> print(macproof.CompileError("port.cpp", "expected a semicolon", where="line 3"))
        port.cpp, line 3: expected a semicolon
    """


class ToolMissingError(MacproofError):
    """A tool outside Python is needed and not installed.

    Example:
        >>> case = macproof.load_case("brute-force")
        >>> macproof.programs_of(case, cpus=["601"], builds=["O0"], use="prebuilt")
        Traceback (most recent call last):
        ToolMissingError: powerpc-linux-gnu-g++ is not to be had and there is no prebuilt ...
    """

    exit_code = 3


class ToolEndedError(MacproofError):
    """A tool was ended by somebody else, such as a system without memory; there is no verdict.

    Example:
        >>> issubclass(ToolEndedError, MacproofError), ToolEndedError.exit_code
        (True, 3)
    """

    exit_code = 3


class WrongResultError(MacproofError):
    """Guest code and reference disagree in a step that needs right results, such as a timing.

    Example:
        >>> macproof.WrongResultError("68040 O2: 3 of 30 scenes are wrong").exit_code
        1
    """

    exit_code = 1


class GuestError(MacproofError):
    """There is no verdict on guest code, because it faulted or used up its budget.

    Example:
        >>> issubclass(macproof.GuestFault, macproof.GuestError), macproof.GuestError.exit_code
        (True, 4)
    """

    exit_code = 4


class InternalError(MacproofError):
    """A mistake in macproof itself, or in a package that adds to it; ``trace`` is its traceback.

    Example:
        >>> macproof.InternalError("an error in macproof itself").exit_code
        70
    """

    exit_code = 70

    @classmethod
    def of(cls, error: BaseException, owner: str = "macproof itself") -> InternalError:
        """The error that tells an unexpected exception, in code of an owner, in one line."""
        frames = traceback.extract_tb(error.__traceback__)
        where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
        words = f"{type(error).__name__}: {error}".strip(": ").partition("\n")[0]
        internal = cls(f"an error in {owner}: {words}{where}")
        internal.trace = "".join(traceback.format_exception(error))
        return internal
