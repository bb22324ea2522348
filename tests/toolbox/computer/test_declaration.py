"""Declarations: headings are understood, and every one agrees with the published table."""

from __future__ import annotations

import pytest

from emu.program.instructions.trap_table import TrapSignature, signatures
from emu.toolbox.computer.declaration import (
    Routine,
    Selector,
    moving_memory,
    parse_heading,
    routine,
    routines_of,
)
from emu.toolbox.guest.guest_types import ParameterKind
from emu.toolbox.managers.all_managers import MANAGERS

SIGNATURES = signatures()
DECLARED = [(name, routine) for name, kind in MANAGERS.items() for routine, _ in routines_of(kind)]


def width(shape: ParameterKind) -> str:
    if shape in (ParameterKind.BOOLEAN, ParameterKind.BYTE):
        return "b"
    if shape in (
        ParameterKind.SIGNED_32,
        ParameterKind.UNSIGNED_32,
        ParameterKind.POINT,
        ParameterKind.VERSION,
        ParameterKind.FOUR_CHARACTERS,
    ):
        return "l"
    return "w"


def disagreement(declared: Routine, published: TrapSignature) -> str:
    """How a declaration differs from the table; "" if it does not."""
    assert declared.trap is not None
    significant = 0xFBFF if declared.trap & 0x800 else 0xF0FF
    if declared.trap & significant != published.trap & significant:
        return f"trap {declared.trap:04X}, published {published.trap:04X}"
    # The table gives the selector of a dispatcher only.
    selector = declared.selector.value if declared.selector else None
    if declared.selector and published.selector is not None and selector != published.selector:
        return f"selector {selector}, published {published.selector}"
    if declared.registers is not None:
        return ""  # the table's registers are held against ours in another test
    ours = "".join(width(p.type.shape) for p in declared.parameters)
    if len(ours) != len(published.stack) or any(
        theirs not in (own, "?") for own, theirs in zip(ours, published.stack, strict=True)
    ):
        return f"arguments {ours}, published {published.stack}"
    result = width(declared.result.shape) if declared.result else ""
    if published.result not in (result, "?"):
        return f"result {result or 'none'}, published {published.result or 'none'}"
    return ""


MISTAKES = {"AEManagerInfo", "HMGetMenuResID", "TextUtilFunctions"}
"""Routines of which the table is wrong. The selector 0x0441 of the first says that its arguments
have four words, a keyword and an address (Inside Macintosh: Interapplication Communication), and
0x0314 of the second three, a number and an address (More Macintosh Toolbox, chapter 3). Of the
third the number of the function is pushed last (Apple's TextUtils.h of 1994)."""


def test_every_declaration_that_the_table_has_agrees_with_it() -> None:
    checked, wrong = 0, []
    for manager, declared in DECLARED:
        if declared.trap is None or declared.architecture == "powerpc":
            continue
        published = SIGNATURES.get(declared.name)
        if published is None or declared.name in MISTAKES:
            continue
        checked += 1
        problem = disagreement(declared, published)
        if problem:
            wrong.append(f"{manager}: {declared.heading}: {problem}")
    assert not wrong, "\n".join(wrong)
    print(f"{checked} of {len(DECLARED)} declarations held against {len(SIGNATURES)} signatures")
    assert checked > 300


def test_what_a_declaration_does_not_say_is_that_of_the_table() -> None:
    class Few:
        @routine("FUNCTION NewPtr (size: Size): Ptr", variants={"NewPtrClear": 0xA31E})
        def first(self) -> None: ...

        @routine("PROCEDURE OfNoTable")
        def second(self) -> None: ...

        @routine("FUNCTION LLastClick (lHandle: ListHandle): Cell")
        def third(self) -> None: ...

        @routine("FUNCTION NewPtr (size: Size): Ptr", architecture="powerpc")
        def fourth(self) -> None: ...

    declared = {method: found for found, method in routines_of(Few)}
    assert (declared["first"].trap, declared["first"].registers) == (0xA11E, ("d0",))
    assert declared["first"].result_register == "a0"
    assert (declared["second"].trap, declared["second"].registers) == (None, None)
    assert (declared["third"].trap, declared["third"].selector) == (0xA9E7, Selector(0x40, "stack"))
    assert declared["fourth"].trap is None


def test_every_routine_that_is_listed_as_moving_memory_is_declared() -> None:
    assert moving_memory() - {routine.name for _, routine in DECLARED} == set()
    assert sum(routine.moves_memory for _, routine in DECLARED) > 300


def test_registers_agree_with_the_table() -> None:
    checked, wrong = 0, []
    for manager, declared in DECLARED:
        published = SIGNATURES.get(declared.name)
        if declared.registers is None or published is None or "<" in published.registers:
            continue
        if "word" in published.registers or not published.registers:
            continue
        checked += 1
        if set(declared.registers) != set(published.registers.split(",")):
            wrong.append(f"{manager}: {declared.name}: {declared.registers}, {published.registers}")
    assert not wrong, "\n".join(wrong)
    assert checked > 50


@pytest.mark.parametrize(
    ("heading", "trap"),
    [
        ("PROCEDURE SetRect (VAR r: Rect; left,top,right: INTEGER)", 0xA8A7),
        ("PROCEDURE SetRect (VAR r: Rect; left,top,right,bottom: LONGINT)", 0xA8A7),
        ("PROCEDURE SetRect (VAR r: Rect; left,top,right,bottom: INTEGER)", 0xA8A8),
        ("FUNCTION SetRect (VAR r: Rect; left,top,right,bottom: INTEGER): OSErr", 0xA8A7),
    ],
)
def test_a_wrong_declaration_would_be_found(heading: str, trap: int) -> None:
    class Wrong:
        @routine(heading, trap=trap)
        def method(self) -> None: ...

    (declared, _) = next(routines_of(Wrong))
    assert disagreement(declared, SIGNATURES["SetRect"])


def test_no_two_managers_declare_the_same_routine() -> None:
    for architecture in ("m68k", "powerpc"):
        names = [
            declared.name for _, declared in DECLARED if declared.architecture in ("", architecture)
        ]
        twice = {name for name in names if names.count(name) > 1}
        assert not twice, f"{architecture}: {sorted(twice)}"


def test_a_heading_is_taken_apart() -> None:
    name, parameters, result = parse_heading(
        "FUNCTION Twice (a,b: INTEGER; VAR r: Rect; where: Point): BOOLEAN"
    )
    assert name == "Twice"
    assert [p.name for p in parameters] == ["a", "b", "r", "where"]
    assert [p.type.stack_size for p in parameters] == [2, 2, 4, 4]
    assert parameters[2].type.refers_to == "Rect"
    assert result is not None
    assert result.shape is ParameterKind.BOOLEAN


@pytest.mark.parametrize(
    "heading",
    [
        "FUNCTION NoResult (a: INTEGER)",
        "PROCEDURE Result: INTEGER",
        "PROCEDURE Unknown (a: Nonsense)",
        "SetRect (r: Rect)",
        "",
    ],
)
def test_a_heading_that_is_none_is_refused(heading: str) -> None:
    with pytest.raises(ValueError, match=r"heading|type Nonsense"):
        parse_heading(heading)


def test_registers_that_do_not_fit_the_heading_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        routine("FUNCTION NewPtr (size: Size): Ptr", trap=0xA11E, registers="D0")


def test_the_heading_can_be_written_again() -> None:
    text = "FUNCTION FixRatio (numer: INTEGER; denom: INTEGER): Fixed"

    class One:
        @routine(text, trap=0xA869)
        def method(self) -> None: ...

    (declared, method) = next(routines_of(One))
    assert (declared.heading, method) == (text, "method")
