"""Recognises how the compiler of an old program called one of its routines.

What the linker left tells the compiler. Where the routine reads its parameters, and how many bytes
its callers remove from the stack after a call, tell how wide an ``int`` is. A routine that removes
its arguments itself is called as in Pascal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from emu.base.errors import UsageError
from emu.machine.abi import CALLING_CONVENTIONS
from emu.machine.abi.base import CallingConvention
from emu.machine.abi.call_form import CallForm, ValueForm
from emu.machine.abi.m68k_pascal import M68kClassic
from emu.machine.cpu import CPUS
from emu.program import GuestType
from emu.program.code68k.compiler import CODEWARRIOR, MPW, THINK_C, RecognisedCompiler
from emu.program.functions.model import FunctionContents, ProgramFunction, ProgramFunctions
from emu.program.functions.program_memory import ProgramMemory
from emu.program.instructions.disassembly import Code
from emu.program.model.signatures import Signature, parameter_type

_POWEROPEN, _PASCAL = "ppc-poweropen", "pascal"
_CONVENTIONS = {
    THINK_C: ("think-c-16", "think-c-32"),
    CODEWARRIOR: ("codewarrior-16", "codewarrior-32"),
    MPW: ("mpw-c",),
}
_INTS = ("int", "unsigned int")
_LINKED = 8  # what LINK A6 and the return address take between A6 and the parameters
_RTD, _JMP_A0, _MOVE_RETURN = 0x4E74, 0x4ED0, 0x205F
_ADDQ_W, _ADDQ_L, _LEA, _ADDA_W = 0x504F, 0x508F, 0x4FEF, 0xDEFC
_ENOUGH_FUNCTIONS = 2000
_FEWEST_REMOVALS, _SHORT_SHARE = 8, 0.12
_EXACT, _INSIDE, _BESIDE, _REMOVED = 1.0, 0.4, -1.0, 1.0


@dataclass(frozen=True, slots=True)
class Recognition:
    """How a routine of an old program is called.

    Attributes:
        convention: the name of the likeliest calling convention.
        evidence: what speaks for it, a clause each.
        others: the names of conventions that fit as well.
    """

    convention: str
    evidence: tuple[str, ...]
    others: tuple[str, ...] = ()


def recognise_convention(
    program: ProgramFunctions,
    function: ProgramFunction,
    signature: Signature,
    compiler: RecognisedCompiler | None,
) -> Recognition:
    """How a routine is called that the source declares.

    Args:
        program: the old program's functions.
        function: the routine in it.
        signature: how the source declares it, with an ``int`` of 32 bits.
        compiler: what compiled the old program; None if that is not known.

    Raises:
        UsageError: it is not known how any of these compilers passes such arguments.
    """
    certain = _by_the_file(program)
    if certain is not None:
        return certain
    code = Code(program.program)
    if _removes_arguments(code, function) and signature.parameters:
        return Recognition(_PASCAL, ("it removes its arguments from the stack",))
    names = _CONVENTIONS[compiler.name] if compiler else sum(_CONVENTIONS.values(), ())
    removed = _removed_by_callers(code, program, function)
    scores: dict[str, float] = {}
    problem = ""
    for name in names:
        try:
            form = _form(CALLING_CONVENTIONS[name], signature)
        except UsageError as error:
            problem = f"{error}"
            continue
        scores[name] = _score(form, function, removed)
    if not scores:
        raise UsageError(f"{signature.declaration(function.label)}: {problem}")
    best = max(scores.values())
    fitting = [name for name in scores if scores[name] == best]
    if len({_layout(name, signature) for name in fitting}) == 1:
        fitting = fitting[:1]  # they differ in nothing that this routine has
    return Recognition(
        fitting[0], tuple(_evidence(compiler, function, removed)), tuple(fitting[1:])
    )


def _by_the_file(program: ProgramFunctions) -> Recognition | None:
    """The convention that a program's file tells; None if only its code does."""
    if program.program.architecture == "powerpc":
        return Recognition(_POWEROPEN, ("all compilers for the PowerPC call so",))
    known = program.program.convention
    if known not in ("", M68kClassic.name):
        return Recognition(known, ("its linker tells it",))
    return None


def recognise_program_convention(
    program: ProgramFunctions, compiler: RecognisedCompiler | None
) -> Recognition:
    """How the functions of a program are called, as far as all of them together tell.

    Callers remove arguments from the stack. Where each takes a multiple of four bytes, all removals
    do; a compiler whose ``int`` has 16 bits also removes 2, 6 or 10. In 40 applications of 1990 to
    1995 that is a third of all removals, or next to none.

    Args:
        program: the functions of a 68K or PowerPC program.
        compiler: what compiled it; None if that is not known.
    """
    certain = _by_the_file(program)
    if certain is not None:
        return certain
    code = Code(program.program)
    counts = Counter(
        count
        for function in program.functions[:_ENOUGH_FUNCTIONS]
        for count in _removals(code, function)
    )
    odd = sum(number for count, number in counts.items() if count % 4)
    total = sum(counts.values())
    is_short = total < _FEWEST_REMOVALS or odd > _SHORT_SHARE * total
    names = _CONVENTIONS[compiler.name] if compiler else sum(_CONVENTIONS.values(), ())
    fitting = [name for name in names if (CALLING_CONVENTIONS[name].int_size == 2) == is_short]
    evidence = [f"{compiler.name}: {compiler.evidence}"] if compiler else []
    evidence.append(
        f"{odd} of {total} removals of arguments are of 2 bytes more than a multiple of 4"
    )
    best = (fitting or names)[0]
    others = tuple(name for name in (*fitting, *names) if name != best)
    return Recognition(best, tuple(evidence), tuple(dict.fromkeys(others)))


def _removals(code: Code, function: ProgramFunction) -> Iterator[int]:
    """How many bytes a function removes from the stack behind each of its calls."""
    for instruction in code.decode(function.extent.start, function.extent.end):
        if instruction.is_call and (count := _removed_at(code, instruction.end)):
            yield count


def _evidence(
    compiler: RecognisedCompiler | None, function: ProgramFunction, removed: set[int]
) -> list[str]:
    evidence = [f"{compiler.name}: {compiler.evidence}"] if compiler else []
    if function.contents.parameters:
        evidence.append(f"it reads its parameters at {_places(function.contents)}")
    if removed:
        listed = " or ".join(map(str, sorted(removed)))
        evidence.append(f"its callers remove {listed} bytes after a call")
    return evidence


def _places(contents: FunctionContents) -> str:
    """Where it reads its parameters, such as "8(A6), 10(A6)", or "4(A7)" without a frame."""
    if contents.frame_size is not None:
        return ", ".join(f"{place}(A6)" for place in contents.parameters)
    listed = ", ".join(f"{place - _LINKED + 4}(A7)" for place in contents.parameters)
    return f"{listed} as it begins"


def sized(kind: GuestType, int_size: int) -> GuestType:
    """A type of the source as a compiler has it whose ``int`` has another size."""
    if kind.name not in _INTS or int_size == kind.size:
        return kind
    return replace(kind, dtype=np.dtype(f">{kind.dtype.kind}{int_size}"))


def _form(convention: CallingConvention, signature: Signature) -> CallForm:
    size = convention.int_size
    kinds = [sized(parameter_type(p.type, p.pointed), size) for p in signature.parameters]
    result = signature.result_type
    return convention.form(CPUS["68000"], kinds, None if result is None else sized(result, size))


def _layout(name: str, signature: Signature) -> tuple[object, ...]:
    """Where a convention puts arguments and result."""
    form = _form(CALLING_CONVENTIONS[name], signature)
    return (form.parameters, form.result, form.stack_bytes)


def _score(form: CallForm, function: ProgramFunction, removed: set[int]) -> float:
    """How well a layout of arguments goes with what a routine and its callers do."""
    score = 0.0
    for distance, size in function.contents.parameters.items():
        room = range(distance - _LINKED, distance - _LINKED + max(size, 1))
        score += max((_at(room, one) for one in form.parameters), default=_BESIDE)
    return score + _REMOVED * (form.stack_bytes in removed)


def _at(room: range, argument: ValueForm) -> float:
    """How well a read of these bytes behind the first argument goes with an argument."""
    start, last = argument.pieces[0].at, argument.pieces[-1]
    whole = range(start, last.at + last.size)
    if room[0] not in whole or room[-1] not in whole:
        return _BESIDE
    return _EXACT if room == whole else _INSIDE


def _removes_arguments(code: Code, function: ProgramFunction) -> bool:
    """Whether it returns by RTD, or jumps to a return address that it took from the stack."""
    words = [i.word for i in code.decode(function.address, function.extent.end) if i.valid]
    taken = _MOVE_RETURN in words and _JMP_A0 in words
    return _RTD in words or taken


def _removed_by_callers(
    code: Code, program: ProgramFunctions, function: ProgramFunction
) -> set[int]:
    """How many bytes callers remove right after a call."""
    jumps = ProgramMemory(program.program).jumps
    targets = {function.address, *(at for at, to in jumps.items() if to == function.address)}
    removed: set[int] = set()
    for caller in function.callers:
        extent = program.by_address[caller].extent
        for instruction in code.decode(extent.start, extent.end):
            if instruction.is_call and targets.intersection(code.targets(instruction)):
                count = _removed_at(code, instruction.end)
                removed |= {count} if count else set()
    return removed


def _removed_at(code: Code, address: int) -> int:
    """How many bytes an instruction adds to the stack pointer; 0 if it does not."""
    word = code.word(address)
    if word & 0xF1FF in (_ADDQ_W, _ADDQ_L):
        return word >> 9 & 7 or 8
    return code.word(address + 2) if word in (_LEA, _ADDA_W) else 0
