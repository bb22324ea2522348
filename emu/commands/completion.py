"""``macproof completion``: print a script by which a shell completes what macproof takes.

The script is made by shtab, and has every command, option and choice. The cases that there are
change, so for one of these it asks ``macproof cases --names``; else a Tab starts no Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import shtab
from rich.console import Console

_SHELLS = ("bash", "zsh", "fish")
_FILES = {**shtab.FILE, "bash": "_macproof_files"}
_CASES = {
    "bash": "_macproof_cases",
    "zsh": "_macproof_cases",
    "fish": "(_macproof_cases)",
}
# A word is compared as it is and given to bash quoted: the name of a folder could hold a command,
# which `compgen -W` would execute at once, and the line with it when the user presses Return.
_FUNCTIONS = {
    "bash": """\
# $1=COMP_WORDS[1]
_macproof_files() {
  local word
  compgen -f -- "$1" | while IFS= read -r word; do printf '%q\\n' "$word"; done
}

# $1=COMP_WORDS[1]
_macproof_cases() {
  local word
  macproof cases --names 2>/dev/null | while IFS= read -r word; do
    if [[ $word == "$1"* ]]; then printf '%q\\n' "$word"; fi
  done
  _macproof_files "$1"
}
""",
    "zsh": """\
_macproof_cases() {
  local -a words
  words=("${(@f)$(macproof cases --names 2>/dev/null)}")
  compadd -- "${(@)words:#}"
  _files
}
""",
    "fish": """\
function _macproof_cases
  macproof cases --names 2>/dev/null
  __fish_complete_path (commandline -ct)
end
""",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("shell", choices=_SHELLS, help="the shell that reads the script")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the script; values that are no words of macproof's own are completed as files."""
    for action in _actions(arguments.parser):
        if action.choices is None and action.nargs != 0:
            is_case = str(action.metavar).endswith("CASE")
            action.complete = _CASES if is_case else _FILES  # type: ignore[attr-defined]
    print(
        shtab.complete(arguments.parser, arguments.shell, preamble=_FUNCTIONS[arguments.shell]),
        end="",
    )
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The options and arguments of a parser and of the commands below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action
