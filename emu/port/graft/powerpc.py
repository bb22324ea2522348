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

from emu.machine.abi.call_form import CallForm
from emu.port.graft.assembly import CALL
from emu.program import GuestType

TOC = "toc.of.the.old.program"
"""The symbol whose value is the old program's R2."""
CONVENTION = "ppc-poweropen"
_WORD = 4
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
    rf"^(?:\.{_NAME}:|\t\.(?:globl|type|size|weak|long)\s[^\n]*)$", re.MULTILINE
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
    body = "".join(f"\t{line}\n" for line in (*lines, "blr"))
    return f'\t.section .text.{name},"ax"\n\t.globl {name}\n\t.balign 4\n{name}:\n{body}'


_EXTENSIONS = {("i", 1): "extsb {0}, {0}", ("i", 2): "extsh {0}, {0}"}
_CLEARING = {1: "clrlwi {0}, {0}, 24", 2: "clrlwi {0}, {0}, 16"}


def extension(symbol: str, function: str, form: CallForm, kinds: Iterable[GuestType]) -> str:
    """Assembler text of what old code enters in place of a function with narrow arguments.

    CodeWarrior leaves anything in the upper half of a register with a ``short``, for its functions
    extend their arguments. GCC's functions expect that the caller has done it.

    Returns:
        The text; "" if the function has no such argument.
    """
    lines: list[str] = []
    for value, kind in zip(form.parameters, kinds, strict=True):
        is_narrow = value.cast is not None and value.cast.kind in "iu" and kind.size < _WORD
        if is_narrow and not value.by_address and value.pieces[0].register:
            register = value.pieces[0].register.removeprefix("r")
            line = _EXTENSIONS.get((kind.dtype.kind, kind.size), _CLEARING[kind.size])
            lines.append(f"\t{line.format(register)}\n")
    if not lines:
        return ""
    head = f'\t.section .text.{symbol},"ax"\n\t.globl {symbol}\n\t.balign 4\n{symbol}:\n'
    return f"{head}{''.join(lines)}\tb {function}\n"


def vector(reference: str, code: str) -> str:
    """Assembler text of the transition vector of a function, in a section of its own."""
    return (
        f'\t.section .rodata.vector.{reference},"a"\n\t.balign 4\n\t.weak {reference}\n'
        f"{reference}:\n\t.long {code}, {TOC}, 0\n"
    )
