"""The parser of the command line: what is wrong with a word is said in one line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from emu.base.errors import UsageError
from emu.base.printable import one_line
from emu.commands.interface.console import SafeConsole

_LONGEST = 80


class Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError`, names the nearest word, and takes an option once.

    argparse prints every option of a command before it says what is wrong; twenty lines hide one.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.register("action", None, _Store)
        self.register("action", "store", _Store)

    def error(self, message: str) -> NoReturn:
        """Raise an error with argparse's message, and say where the options are listed.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"{one_line(message)} (see {self.prog} --help)")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a help text or the version; argparse itself says nothing of a full disk.

        Raises:
            OSError: it could not be written.
        """
        SafeConsole(stderr=file is sys.stderr).out(message, end="", highlight=False)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse words; those that nothing is known of are refused by the command they are for.

        argparse would leave them to the parser above, which has none of the command's options.

        Raises:
            UsageError: a word is not known, or one is missing.
        """
        words = list(sys.argv[1:] if args is None else args)
        for word in self._own(words):
            if not any(option.startswith(_name(word)) for option in self._option_string_actions):
                self._refuse(word)  # before a missing argument is, which may be its value
        parsed, unknown = super().parse_known_args(words, namespace)
        if unknown:
            self._refuse(unknown[0])
        return parsed, unknown

    def _own(self, words: Sequence[str]) -> Iterator[str]:
        """The long options among the words, but those for a command below this parser."""
        for word in words:
            if word == "--" or (self._subparsers is not None and not word.startswith("-")):
                return
            if word.startswith("--"):
                yield word

    def _refuse(self, word: str) -> NoReturn:
        if len(word) > 1 and word.startswith("-"):
            from emu.base.yaml_document import closest  # reads a large library

            names = {option.lstrip("-"): option for option in self._option_string_actions}
            close = closest(_name(word).lstrip("-"), names)
            hint = f"; did you mean {names[close]}?" if close else ""
            self.error(f"there is no option {_short(_name(word))}{hint}")
        self.error(f"{_short(repr(word))} is one word too many")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """The value of a word; an empty one names no file, but would be the current folder.

        Raises:
            argparse.ArgumentError: as argparse's own.
        """
        if action.type is Path and not arg_string:
            raise argparse.ArgumentError(action, "the name is empty")
        return super()._get_value(action, arg_string)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not one of the choices, and name the nearest.

        Raises:
            argparse.ArgumentError: as argparse's own.
        """
        if action.choices is None or value in action.choices:
            return
        from emu.base.yaml_document import did_you_mean  # reads a large library

        names = [str(choice) for choice in action.choices]
        hint = did_you_mean(str(value), names)
        if isinstance(action, argparse._SubParsersAction):
            self.error(f"there is no command {_short(repr(value))}{hint}")
        raise argparse.ArgumentError(action, f"there is no {_short(repr(value))}{hint}")


class _Store(argparse.Action):
    """Stores the value of an option that is given once; of two values one would be lost."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        given: set[str] = vars(namespace).setdefault("options_given", set())
        if option_string is not None and self.dest in given:
            parser.error(f"{'/'.join(self.option_strings)} is given twice; give it once")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def _name(word: str) -> str:
    """The option in ``--option=value``."""
    return word.partition("=")[0]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
