"""Makes the names that a program needs to give its procedures to the Toolbox.

Of each procedure in ``emu/toolbox/callbacks.txt`` the header of the same name in
``mac_src/compat/callbacks`` has the type of a pointer to it, the UPP, what the Mixed Mode Manager
has to know of it, and the macros to make, to call and to dispose of one, as Apple's headers of 1994
and of 1998 name them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_TABLE = _ROOT / "emu" / "toolbox" / "callbacks.txt"
_COMPAT = _ROOT / "mac_src" / "compat"
_LINE = re.compile(
    r"(?P<header>\w+\.h) +(?P<name>\w+) +(?P<result>\w[\w ]*\**) "
    r"\((?P<inside>.*)\)(?: @(?P<place>[AD][0-3])| special (?P<special>\w+))?"
)
_PARAMETER = re.compile(r"(?P<type>.+?[ *])(?P<name>\w+)(?: @(?P<place>[AD][0-3]))?")
_MOST_IN_REGISTERS = 4
_TEXT = """/* Procedures that the Toolbox calls, as {header} names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <{header}>

#ifndef CALLBACKS_{guard}_H
#define CALLBACKS_{guard}_H

#include <MixedMode.h>

{procedures}
#endif
"""
_PROCEDURE = """typedef {result} (*{name}ProcPtr)({inside});
typedef UniversalProcPtr {name}UPP;
#define upp{name}ProcInfo \\
    ({information})
#define New{name}Proc(procedure) \\
    (({name}UPP) NewRoutineDescriptor((ProcPtr) (procedure), upp{name}ProcInfo, GetCurrentISA()))
#define New{name}UPP(procedure) New{name}Proc(procedure)
#define Dispose{name}UPP(upp) DisposeRoutineDescriptor(upp)
#define Call{name}Proc({taken}) \\
    {cast}CallUniversalProc({given})
#define Invoke{name}UPP({last}) Call{name}Proc({taken})
"""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its C type, its name, and the 68K register that it is in, or ""."""

    type: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class Callback:
    """A procedure of a program that the Toolbox calls.

    Attributes:
        header: the header that names it.
        name: its name, to which ProcPtr and UPP are appended.
        result: the C type of its result.
        result_place: the 68K register of the result, or "".
        parameters: its parameters; those of one procedure are all in registers, or all not.
        special: what Mixed Mode calls its convention, if that is of no other procedure, or "".
    """

    header: str
    name: str
    result: str
    result_place: str
    parameters: tuple[Parameter, ...]
    special: str

    @property
    def in_registers(self) -> bool:
        """Whether a parameter or the result has a register."""
        return bool(self.result_place) or any(p.place for p in self.parameters)

    @property
    def problem(self) -> str:
        """Why Mixed Mode cannot call it, or ""."""
        if not self.in_registers:
            return ""
        if len(self.parameters) > _MOST_IN_REGISTERS:
            return f"has more than {_MOST_IN_REGISTERS} parameters in registers"
        without = [f"parameter {p.name}" for p in self.parameters if not p.place]
        if self.result != "void" and not self.result_place:
            without.append("result")
        return f"has no register for its {without[0]}" if without else ""

    @property
    def information(self) -> str:
        """The C expression for what the Mixed Mode Manager has to know."""
        if self.special:
            return f"SPECIAL_CASE_PROCINFO(kSpecialCase{self.special})"
        parts = ["kRegisterBased" if self.in_registers else "kPascalStackBased"]
        if self.result != "void":
            parts.append(f"RESULT_SIZE(SIZE_CODE(sizeof({self.result})))")
        if self.result_place:
            parts.append(f"REGISTER_RESULT_LOCATION(kRegister{self.result_place})")
        for number, parameter in enumerate(self.parameters, 1):
            size = f"SIZE_CODE(sizeof({parameter.type}))"
            if self.in_registers:
                place = f"kRegister{parameter.place}"
                parts.append(f"REGISTER_ROUTINE_PARAMETER({number}, {place}, {size})")
            else:
                parts.append(f"STACK_ROUTINE_PARAMETER({number}, {size})")
        return " \\\n     | ".join(parts)

    @property
    def text(self) -> str:
        """What the header has of it."""
        names = [parameter.name for parameter in self.parameters]
        return _PROCEDURE.format(
            name=self.name,
            result=self.result,
            inside=", ".join(f"{p.type} {p.name}" for p in self.parameters) or "void",
            information=self.information,
            taken=", ".join(["upp", *names]),
            last=", ".join([*names, "upp"]),
            given=", ".join(["upp", f"upp{self.name}ProcInfo", *names]),
            cast="(void) " if self.result == "void" else f"({self.result}) ",
        )


def callbacks() -> tuple[Callback, ...]:
    """All procedures of the table.

    Raises:
        ValueError: a line cannot be read, or is of a procedure that Mixed Mode cannot call.
    """
    lines = _TABLE.read_text(encoding="utf-8").splitlines()
    return tuple(map(_parsed, filter(None, (line.partition("#")[0].strip() for line in lines))))


def _parsed(line: str) -> Callback:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"{_TABLE.name}: not a procedure: {line}")
    parts = [] if match["inside"] == "void" else match["inside"].split(", ")
    found = [_PARAMETER.fullmatch(part) for part in parts]
    parameters = tuple(
        Parameter(p["type"].strip(), p["name"], p["place"] or "") for p in found if p
    )
    if len(parameters) != len(parts):
        raise ValueError(f"{_TABLE.name}: not all are parameters: {line}")
    callback = Callback(
        match["header"],
        match["name"],
        match["result"],
        match["place"] or "",
        parameters,
        match["special"] or "",
    )
    if callback.problem:
        raise ValueError(f"{_TABLE.name}: {callback.name} {callback.problem}: {line}")
    return callback


def callback_headers() -> dict[str, str]:
    """The text of every header of procedures whose types a header has, by its name."""
    texts: dict[str, list[str]] = {}
    for callback in callbacks():
        texts.setdefault(callback.header, []).append(callback.text)
    return {
        header: _TEXT.format(
            header=header,
            guard=header.removesuffix(".h").upper(),
            procedures="\n".join(procedures),
        )
        for header, procedures in texts.items()
        if (_COMPAT / header).is_file()
    }
