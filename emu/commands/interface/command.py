"""What is known of a command before it is imported."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A command of ``macproof``; an entry point of the group ``macproof.commands`` names one.

    Attributes:
        help: what it does, in a line.
        module: the dotted name of its module. The module is imported when somebody asks for the
            command. It has a function ``add(parser)``, which declares options on a parser of
            `argparse`, and a function ``run(arguments, console)``, which gets what was parsed and a
            `rich.console.Console`, and returns the exit code.
        takes_options: whether other packages may add options to it.

    Example:
        >>> macproof.Command("count the programs of the museum", "museum_tools.count").module
        'museum_tools.count'
    """

    help: str
    module: str
    takes_options: bool = False
