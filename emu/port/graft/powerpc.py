"""What a graft needs of PowerPC code: GCC's flags, and its text without a table of contents.

With these flags GCC makes code that calls as that of a Power Macintosh does. It would reach
variables through a table of contents of its own, but R2 has that of the old program. So ::

    lwz 9, .LC0-.LCTOC1(2)      becomes      lis 12, .LC0@ha
                                             lwz 9, .LC0@l(12)

R12 is kept free for that. After each call R2 gets its value again, for the old program's glue to
its libraries leaves that of the library there.
Source: Inside Macintosh: PowerPC System Software, chapter 1; GCC 12.2's output.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from emu.machine.abi.call_form import CallForm, ValueForm
from emu.port.graft.assembly import CALL
from emu.program import GuestType

TOC = "toc.of.the.old.program"
"""The symbol whose value is the old program's R2."""
CONVENTION = "ppc-poweropen"
_WORD = 4
_IN_REGISTERS = 24 + 8 * _WORD
"""The bytes from the stack pointer on that the linkage area and the words of registers take."""
FLAGS = (
    "-mcall-aixdesc",
    "-ffixed-r12",
    "-ffixed-r13",
    "-fno-optimize-sibling-calls",
    "-mmultiple",
)


_NAME = r"[A-Za-z_$][\w.$]*"
_VECTOR = re.compile(
    rf'\t\.section\t"\.got1","aw"\n({_NAME}):\n\t\.long \.\1\n\t\.long _GLOBAL_OFFSET_TABLE_\n'
    r"\t\.long 0\n\t\.previous\n"
)
_TABLE = re.compile(r'^\t\.section\t"\.got","aw"$', re.MULTILINE)
_NEXT_CODE = re.compile(r"^\t\.section\t\.text\.([\w.$]+)", re.MULTILINE)
_SAVED = re.compile(r"_(rest|save)([gf])pr(?:0)?_(\d+)")
_ENTRY = re.compile(r"^(\t\w+ [^\n]*?)(\.LC\w+)-\.LCTOC1\(2\)$", re.MULTILINE)
_CALL_AND_NOP = re.compile(rf"^\tbl \.({_NAME})\n\tnop$", re.MULTILINE)
# .L5 and .LFB2 are labels of GCC's own; .LineTo is the code of a function.
_BRANCH = re.compile(rf"^\t(bl?) \.(?!L\d+$)({_NAME})$", re.MULTILINE)
_CODE_NAME = re.compile(rf"(?<![\w.$])\.({_NAME})(?![\w$])")
_NO_CODE = re.compile(r"L(?:[A-Z]*|e?text|frame|debug_\w+)\d+|(?:section|text|data|bss|rodata)\b.*")
_FUNCTION = re.compile(rf"^\t\.type\t\.({_NAME}), @function$", re.MULTILINE)
_ABOUT_CODE = re.compile(
    # GCC tells in .4byte which function an argument of a call is.
    rf"^(?:\.{_NAME}:|\t\.(?:globl|type|size|weak|long|4byte)\s[^\n]*)$",
    re.MULTILINE,
)


def with_calls(text: str) -> str:
    """The assembler text of a unit, with the names for code and calls that 68K code has, too.

    The code of ``Find`` is ``Find`` and not ``.Find``; a call names ``call.Find``. The transition
    vectors are left out; see `assembly.separated`.
    """
    text = _VECTOR.sub("", text)
    text = _TABLE.sub(_own_table, text)
    text = _ENTRY.sub(r"\tlis 12, \2@ha\n\1\2@l(12)", text)
    text = _CALL_AND_NOP.sub(rf"\tbl .\1\n\tlis 2, {TOC}@h\n\tori 2, 2, {TOC}@l", text)
    text = _BRANCH.sub(_branch, text)
    functions = frozenset(_FUNCTION.findall(text))
    return _ABOUT_CODE.sub(lambda line: _without_dots(line[0], functions), text)


def _own_table(match: re.Match[str]) -> str:
    """The section of a function's part of the table, so that only what it needs is linked."""
    code = _NEXT_CODE.search(match.string, match.end())
    return f'\t.section .rodata.table.{code[1] if code else "data"},"a"'


def _branch(match: re.Match[str]) -> str:
    prefix = "" if match[2].startswith("__") else CALL
    return f"\t{match[1]} {prefix}{match[2]}"


def _without_dots(line: str, functions: Collection[str]) -> str:
    directive = re.match(r"\t\.\w+\s", line)
    start = directive.end() if directive else 0

    def plain(name: re.Match[str]) -> str:
        is_code = name[1] in functions or not _NO_CODE.fullmatch(name[1])
        return name[1] if is_code else name[0]

    return line[:start] + _CODE_NAME.sub(plain, line[start:])


def saving(name: str) -> str:
    """Assembler text of a function by which small code (-Os) saves or restores registers.

    Those to be restored lie right below the caller's frame, whose third word has the return
    address. "" if GCC has no such function of that name.
    """
    match = _SAVED.fullmatch(name)
    if match is None:
        return ""
    verb, kind, first = match[1], match[2], int(match[3])
    loads, width = ({"rest": "lwz", "save": "stw"}, 4)
    if kind == "f":
        loads, width = ({"rest": "lfd", "save": "stfd"}, 8)
    lines = [f"{loads[verb]} {n}, {-width * (32 - n)}(1)" for n in range(first, 32)]
    if verb == "rest":
        lines = ["lwz 0, 8(1)", "mtlr 0", *lines]
    return _code(name, (*lines, "blr"))


_EXTENSIONS = {("i", 1): "extsb {0}, {0}", ("i", 2): "extsh {0}, {0}"}
_CLEARING = {1: "clrlwi {0}, {0}, 24", 2: "clrlwi {0}, {0}, 16"}


def extension(symbol: str, function: str, form: CallForm, kinds: Iterable[GuestType]) -> str:
    """Assembler text of what old code enters in place of a function with narrow arguments.

    CodeWarrior leaves anything in the upper half of the word with a ``short``, for its functions
    extend their arguments. GCC's functions expect that the caller has done it.

    Returns:
        The text; "" if the function has no such argument.
    """
    lines: list[str] = []
    for value, kind in zip(form.parameters, kinds, strict=True):
        if not _is_narrow(value, kind):
            continue
        (piece,) = value.pieces
        if piece.register:
            lines.append(_extended(kind, piece.register))
        else:
            lines += [f"lwz 0, {piece.at}(1)", _extended(kind, "r0"), f"stw 0, {piece.at}(1)"]
    return _code(symbol, (*lines, f"b {function}")) if lines else ""


def result_extension(symbol: str, function: str, form: CallForm, kind: GuestType | None) -> str:
    """Assembler text of what new code calls in place of an old function with a narrow result.

    GCC's code expects that the function has extended it; an old one may leave the upper half as it
    was, for its callers extend what they use.

    Returns:
        The text; "" if the function has no such result.
    """
    if kind is None or form.result is None or not _is_narrow(form.result, kind):
        return ""
    size = -(-form.stack_bytes // 16) * 16
    # The words behind the eight that are in registers.
    copies = [
        line
        for at in range(_IN_REGISTERS, form.stack_bytes, _WORD)
        for line in (f"lwz 0, {size + at}(1)", f"stw 0, {at}(1)")
    ]
    lines = (
        *("mflr 0", "stw 0, 8(1)", f"stwu 1, -{size}(1)", *copies, f"bl {function}"),
        *(f"addi 1, 1, {size}", "lwz 0, 8(1)", "mtlr 0"),
        *(_extended(kind, form.result.pieces[0].register), "blr"),
    )
    return _code(symbol, lines)


def _is_narrow(value: ValueForm, kind: GuestType) -> bool:
    is_whole = value.cast is not None and value.cast.kind in "iu"
    return is_whole and kind.size < _WORD and not value.by_address


def _extended(kind: GuestType, register: str) -> str:
    """The instruction that extends a value of a narrow type in its register."""
    line = _EXTENSIONS.get((kind.dtype.kind, kind.size), _CLEARING[kind.size])
    return line.format(register.removeprefix("r"))


def _code(symbol: str, lines: Iterable[str]) -> str:
    """Assembler text of a function, in a section of its own."""
    body = "".join(f"\t{line}\n" for line in lines)
    return f'\t.section .text.{symbol},"ax"\n\t.globl {symbol}\n\t.balign 4\n{symbol}:\n{body}'


def vector(reference: str, code: str) -> str:
    """Assembler text of the transition vector of a function, in a section of its own."""
    return (
        f'\t.section .rodata.vector.{reference},"a"\n\t.balign 4\n\t.weak {reference}\n'
        f"{reference}:\n\t.long {code}, {TOC}, 0\n"
    )
