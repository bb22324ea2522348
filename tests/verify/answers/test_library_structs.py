"""Structs with pointers, globals and out-parameters of a library of this computer.

Each library is compiled here from the source that the case compiles for the old processors, and
then once more with a mistake, which has to refute the port.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs.programs import programs_of
from emu.verify.verification import verify
from tests.small_cases import PYTHON

pytestmark = pytest.mark.slow

SCENES = PYTHON + (
    "\nNumbers.title = property(lambda self: 'caf\\u00e9 %d' % (self.seed % 7))\n"
    "Numbers.half = property(lambda self: self.objects // 2)\n"
)
HEAD = """
schema: macproof.case/1
name: library
title: A routine beside a library
sources: [old.c]
scene: {make: "scenes:make_numbers", generators: [any], objects: [1, 4, 9], count: 24}
"""
TYPES = "#include <stdint.h>\n"

STACK = """
call: Take
arguments:
  stack: {points_to: {first: {points_to: values, count: 12}, count: objects,
                      name: {points_to: {text: {points_to: c title, count: 20}}},
                      last: objects, spare: null}}
  out: {count: 1}
observe: [return, "*stack.count", "*stack->first", "*stack->name->text", "*out.value", "*out.rest"]
reference: {library: libport.so, function: Take}
"""
STACK_C = (
    TYPES
    + """
typedef struct { char *text; } Name;
typedef struct {
    int16_t *first; int16_t count; Name *name; int16_t *last; int16_t *spare;
} Stack;
typedef struct { int16_t value; int32_t rest; } Taken;
int16_t Take(Stack *stack, Taken *out)
{
    if (stack->spare) return -1;
    out->value = stack->last[-1];
    out->rest = stack->first[0] * 3L;
    stack->first[0] = 7;
    stack->name->text[0] = 'C';
    return --stack->count;
}
"""
)

COUNTER = """
call: Count
arguments: {step: objects}
input:
  gTotal: objects
  gItem: {key: objects, text: c title}
  gList: {data: {points_to: values, count: 12}, count: objects}
observe: [return, gTotal, gItem.key, gItem.text, gLast, gList.count, "*gList.data"]
reference: {library: libport.so, function: Count}
"""
COUNTER_C = (
    TYPES
    + """
typedef struct Item { int16_t key; uint8_t text[16]; } Item;
typedef struct List { int16_t *data; int16_t count; } List;
int32_t gTotal = 5; Item gItem; int16_t gLast[2] = {1, 2}; List gList;
int32_t Count(int16_t step)
{
    gTotal += step;
    gItem.key = gItem.text[0];
    gItem.text[1] = 'A';
    gLast[0] = gLast[1] = gList.data[--gList.count];
    gList.data[0] = step;
    return gTotal;
}
"""
)


class Ports:
    """Writes a source, the library with its port, and a case."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0

    def case(self, text: str, old: str, modern: str = "", *flags: str) -> Case:
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("no C compiler for this computer")
        self.number += 1  # processes that are kept know a case by its path
        folder = self.folder / f"case_{self.number}"
        folder.mkdir()
        (folder / "scenes.py").write_text(SCENES)
        (folder / "old.c").write_text(old)
        (folder / "port.c").write_text(modern or old)
        (folder / "case.yaml").write_text(HEAD + text)
        words = [compiler, "-shared", "-fPIC", "-O1", "-o", "libport.so", "port.c"]
        words += flags or ("-g",)
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        return read_case(folder / "case.yaml")


@pytest.fixture
def ports(tmp_path: Path, compilers: Callable[..., None]) -> Ports:
    compilers("68000", "601")
    return Ports(tmp_path)


def verdict(case: Case) -> str:
    return verify(case, programs_of(case, cpus=["68000", "601"], builds=["O2"]), jobs=1).verdict


def changed(text: str, before: str, after: str) -> str:
    assert before in text
    return text.replace(before, after)


def test_structs_with_pointers(ports: Ports) -> None:
    assert verdict(ports.case(STACK, STACK_C)) == "verified"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("stack->last[-1]", "stack->last[0 - (stack->count > 3) - 1]"),
        ("stack->first[0] = 7", "stack->first[0] = 8"),
        ("text[0] = 'C'", "text[1] = 'C'"),
        ("stack->first[0] * 3L", "stack->first[0] * 2L"),
        ("--stack->count", "stack->count"),
        ("if (stack->spare)", "if (!stack->spare)"),
    ],
)
def test_a_wrong_library_with_structs_refutes(ports: Ports, right: str, wrong: str) -> None:
    assert verdict(ports.case(STACK, STACK_C, changed(STACK_C, right, wrong))) == "refuted"


def test_globals(ports: Ports) -> None:
    assert verdict(ports.case(COUNTER, COUNTER_C)) == "verified"
    hidden = COUNTER_C.replace("int32_t gTotal", "static int32_t gTotal")
    assert verdict(ports.case(COUNTER, COUNTER_C, hidden)) == "verified"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("gTotal += step", "gTotal += step + (step > 3)"),
        ("gLast[0] = gLast[1] =", "gLast[1] ="),
        ("gItem.text[1] = 'A'", "gItem.text[2] = 'A'"),
        ("gItem.key = gItem.text[0]", "gItem.key = gItem.text[1]"),
        ("gList.data[0] = step", "gList.data[0] = 0"),
        ("--gList.count", "gList.count - 1"),
    ],
)
def test_a_wrong_library_with_globals_refutes(ports: Ports, right: str, wrong: str) -> None:
    assert verdict(ports.case(COUNTER, COUNTER_C, changed(COUNTER_C, right, wrong))) == "refuted"


def test_what_a_library_writes_to_a_global_that_is_filled_is_compared(ports: Ports) -> None:
    """A member that the case does not observe, of a global that the case fills."""
    text = changed(COUNTER, "gItem.key, ", "")
    assert verdict(ports.case(text, COUNTER_C)) == "verified"
    wrong = changed(COUNTER_C, "gItem.key = ", "gItem.key = 1 + ")
    assert verdict(ports.case(text, COUNTER_C, wrong)) == "refuted"


def test_a_counter_that_the_case_does_not_fill_is_no_answer(ports: Ports) -> None:
    text = changed(COUNTER, "  gTotal: objects\n", "")
    with pytest.raises(CaseError, match="leaves in return depends on memory"):
        verdict(ports.case(text, COUNTER_C))


def test_the_case_or_a_header_declares_globals_under_other_names(ports: Ports) -> None:
    modern = COUNTER_C.replace("gTotal", "total").replace("gLast", "last_two")
    own = "function: Count, prototype: int32_t Count(int16_t step), "
    text = COUNTER.replace(
        "function: Count",
        own + "types: 'typedef struct { int16_t key; uint8_t text[16]; } Item; typedef struct "
        "{ int16_t *data; int16_t count; } List;', globals: {gTotal: {at: total, type: int32_t}, "
        "gLast: {at: last_two, type: 'int16_t[2]'}, gItem: {type: Item}, gList: {type: List}}",
    )
    assert verdict(ports.case(text, COUNTER_C, modern, "-O2")) == "verified"
    wrong = changed(modern, "total += step", "total -= step")
    assert verdict(ports.case(text, COUNTER_C, wrong, "-O2")) == "refuted"
    with pytest.raises(CaseError, match=r"last_two of .* has 4 bytes, and declared as .* has 8"):
        verdict(ports.case(text.replace("[2]'", "[4]'"), COUNTER_C, modern, "-O2"))
    with pytest.raises(CaseError, match=r"has no variable totals"):
        verdict(ports.case(text.replace("at: total,", "at: totals,"), COUNTER_C, modern, "-O2"))
    with pytest.raises(CaseError, match=r"neither fills nor observes gTotals; did you mean gTotal"):
        ports.case(text.replace("{gTotal:", "{gTotals:"), COUNTER_C, modern, "-O2")
    header = "case.h"
    path = ports.case(text, COUNTER_C, COUNTER_C, "-O2").path
    path.write_text(HEAD + COUNTER.replace("function: Count", f"function: Count, header: {header}"))
    path.with_name(header).write_text(
        "typedef struct Item { int16_t key; uint8_t text[16]; } Item;\n"
        "typedef struct List { int16_t *data; int16_t count; } List;\nextern Item gItem;\n"
        "extern int32_t gTotal; extern int16_t gOther, gLast[2];\nextern List gList;\n"
        "int32_t Count(int16_t step);\n"
    )
    assert verdict(read_case(path)) == "verified"


def test_a_global_of_which_nothing_is_known(ports: Ports) -> None:
    own = "function: Count, prototype: int32_t Count(int16_t step)"
    with pytest.raises(CaseError, match=r"nothing is known of the type of gItem in libport\.so"):
        ports.case(COUNTER.replace("function: Count", own), COUNTER_C, COUNTER_C, "-O2")


CURSOR = """
call: Next
arguments:
  text: {points_to: {start: {points_to: values, count: 12}, cursor: half into *text->start,
                     end: objects, numbers: {handle_to: values, count: 12}}}
  table: {address_of: gTable}
  found: {points_to: null}
input: {gTable: values, gHere: half into gTable, gMark: {cursor: half into *text->start}}
observe: [return, "*text.cursor into *text->start", "**text->numbers", gHere into gTable,
          "*found into gTable", gTable, gMark.cursor into *text->start]
reference: {library: libport.so, function: Next}
"""
CURSOR_C = (
    TYPES
    + """
typedef struct { uint16_t *start, *cursor, *end; int32_t **numbers; } Text;
int16_t gTable[12]; int16_t *gHere; struct Mark { uint16_t *cursor; } gMark;
int32_t Next(Text *text, int16_t *table, int16_t **found)
{
    if (text->cursor + 1 < text->end) ++text->cursor;
    (*text->numbers)[0] = *gHere + 70000L;
    table[1] = 5;
    *found = *found ? gTable : gHere;
    ++gHere;
    gMark.cursor = text->start;
    return *text->start;
}
"""
)


def test_pointers_into_arrays_of_structs_and_globals(ports: Ports) -> None:
    assert verdict(ports.case(CURSOR, CURSOR_C)) == "verified"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("if (text->cursor + 1 < text->end) ++", "++"),
        ("*gHere + 70000L", "*gHere + 70001L"),
        ("table[1]", "table[0]"),
        ("*found ? gTable", "!*found ? gTable"),
        ("++gHere", "gHere += 2"),
        ("gMark.cursor = text->start", "gMark.cursor = text->start + 1"),
    ],
)
def test_a_wrong_pointer_into_an_array_refutes(ports: Ports, right: str, wrong: str) -> None:
    wrong_port = changed(CURSOR_C, right, wrong)
    assert verdict(ports.case(CURSOR, CURSOR_C, wrong_port)) == "refuted"


def test_a_pointer_to_memory_of_the_library_itself_is_no_answer(ports: Ports) -> None:
    own = changed(CURSOR_C, "*found ? gTable : gHere", "&own[1]")
    with pytest.raises(CaseError, match="a pointer to nothing that the case names"):
        verdict(
            ports.case(
                CURSOR, CURSOR_C, own.replace("int32_t Next", "int16_t own[2];\nint32_t Next")
            )
        )


def test_what_a_library_cannot_be_given_says_what_to_do(ports: Ports) -> None:
    text = changed(CURSOR, "address_of: gTable", "address_of: Next")
    with pytest.raises(CaseError, match=r"cannot get the address of Next.* by ctypes"):
        verdict(ports.case(text, CURSOR_C))


BITS = """
call: Mark
arguments: {item: {points_to: {before: objects, low: small, middle: seed_bits, after: half}}}
observe: [return, "*item.low", "*item.middle", "*item.after", gState.on, gState.rest]
input: {gState: {on: bit, rest: small}}
reference: {library: libport.so, function: Mark}
"""
BITS_C = (
    TYPES
    + """
typedef struct { int8_t before; uint8_t low : 3, high : 5; int16_t middle : 9, spare : 7;
                 int16_t after; } Item;
struct { uint16_t on : 1, unused : 11, rest : 4; } gState;
int16_t Mark(Item *item)
{
    int16_t sum = item->low + 2 * item->middle + gState.on;
    item->low = item->low + 1;
    item->middle = -item->middle;
    item->after += item->before;
    gState.on = !gState.on;
    gState.rest = 9;
    return sum;
}
"""
)
MORE_SCENES = (
    "Numbers.small = property(lambda self: self.seed % 8)\n"
    "Numbers.bit = property(lambda self: self.seed % 2)\n"
    "Numbers.seed_bits = property(lambda self: self.seed % 256 - 128)\n"
)


def with_bits(ports: Ports, text: str, modern: str = "", *flags: str) -> Case:
    path = ports.case(text, BITS_C, modern, *flags).path
    scenes = path.with_name("scenes.py")
    scenes.write_text(scenes.read_text() + MORE_SCENES)
    return read_case(path)


@pytest.mark.parametrize("flag", ["-g", "-gdwarf-3", "-gdwarf-4"])
def test_bit_fields(ports: Ports, flag: str) -> None:
    assert verdict(with_bits(ports, BITS, "", flag)) == "verified"


def test_bit_fields_of_the_types_of_a_case(ports: Ports) -> None:
    item = BITS_C[BITS_C.index("typedef struct") : BITS_C.index("struct { uint16_t on")].strip()
    state = "typedef struct { uint16_t on : 1, unused : 11, rest : 4; } State;"
    types = " ".join(f"{item} {state}".split())
    own = f"function: Mark, prototype: int16_t Mark(Item *item), types: '{types}', "
    text = changed(BITS, "function: Mark", f"{own} globals: {{gState: {{type: State}}}}")
    assert verdict(with_bits(ports, text, "", "-O2")) == "verified"
    wrong = changed(BITS_C, "gState.rest = 9", "gState.rest = 8")
    assert verdict(with_bits(ports, text, wrong, "-O2")) == "refuted"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("sum = item->low", "sum = item->high"),
        ("item->low + 1", "item->low + 3"),
        ("-item->middle", "item->middle"),
        ("item->after += item->before", "item->after += item->before + item->spare * 0 + 1"),
        ("!gState.on", "gState.on"),
        ("gState.rest = 9", "gState.rest = 1"),
        ("return sum", "item->high = 1; return sum"),
        ("return sum", "gState.unused = 5; return sum"),
    ],
)
def test_a_wrong_bit_field_refutes(ports: Ports, right: str, wrong: str) -> None:
    """The last two are not observed: they are effects of the library that the port lacks."""
    modern = changed(BITS_C, right, wrong)
    try:
        assert verdict(with_bits(ports, BITS, modern)) == "refuted"
    except CaseError as error:  # of a member that no scene fills
        assert "item->high" in wrong
        assert "depends on memory that the scene does not fill" in str(error)


def test_a_number_beyond_a_bit_field_is_refused(ports: Ports) -> None:
    text = changed(BITS, "low: small", "low: seed_bits")
    with pytest.raises(CaseError, match=r"low cannot hold|of 3 bits"):
        verdict(with_bits(ports, text))


UNION = """
call: Turn
arguments: {value: {points_to: {kind: objects, u.number: seed}}, out: {count: 1}}
observe: [return, "*value.u.number"]
reference: {library: libport.so, function: Turn}
"""
UNION_C = (
    TYPES
    + """
typedef struct { int16_t kind; union { int32_t number; uint8_t bytes[4]; } u; } Value;
int16_t Turn(Value *value, Value *out)
{
    value->u.number += value->kind;
    return value->kind;
}
"""
)


def test_a_member_of_a_union(ports: Ports) -> None:
    assert verdict(ports.case(UNION, UNION_C)) == "verified"
    small = changed(UNION_C, "int32_t number;", "int32_t number; double wide;")
    assert verdict(ports.case(UNION, small)) == "inconclusive"
    wrong = changed(UNION_C, "+= value->kind", "-= value->kind")
    assert verdict(ports.case(UNION, UNION_C, wrong)) == "refuted"


def test_a_union_that_is_written_and_not_observed_is_not_verified(ports: Ports) -> None:
    """Nothing says which member of it is meant, so its bytes cannot be compared."""
    source = changed(UNION_C, "return value", "out->u.number = 5; return value")
    assert verdict(ports.case(UNION, source)) != "verified"
    assert verdict(ports.case(UNION, UNION_C, source)) == "inconclusive"


def test_a_packed_struct_is_refused_with_what_to_do(ports: Ports) -> None:
    """One of them has the same size as without ``packed``, and other places."""
    for packed in ("int8_t a; int32_t b; int8_t c[3]", "int8_t a; int32_t b; int8_t c[7]"):
        members = f"{{ int16_t kind; struct {{ {packed}; }} p;"
        source = changed(UNION_C, "{ int16_t kind;", members)
        modern = source.replace("} p;", "} __attribute__((packed)) p;")
        with pytest.raises(CaseError, match=r"declared_\d\w* has .* packed structs .* by ctypes"):
            verdict(ports.case(UNION, source, modern))


CALLS = """
calls: [{Add: {step: objects}}, {Add: {step: half}}]
before: [Start]
input: {gSum: seed}
observe: [return, gSum, gBase]
reference: {library: libport.so}
"""
CALLS_C = (
    TYPES
    + """
int32_t gSum; int16_t gBase;
void Start(void) { gBase = 3; gSum = 1; }
int32_t Add(int16_t step) { gBase += 2; return gSum += step + gBase; }
"""
)


def test_globals_of_several_calls_after_a_start(ports: Ports) -> None:
    assert verdict(ports.case(CALLS, CALLS_C)) == "verified"
    wrong = changed(CALLS_C, "gBase += 2", "gBase += 1")
    assert verdict(ports.case(CALLS, CALLS_C, wrong)) == "refuted"


@pytest.mark.parametrize("own", ["", "static "])
def test_static_variables_of_one_name(ports: Ports, own: str) -> None:
    """One that is exported is meant; of two that are not, none is guessed at."""
    path = ports.case(CALLS, CALLS_C, CALLS_C.replace("int16_t gBase", f"{own}int16_t gBase")).path
    other = TYPES + "static int16_t gBase; int16_t More(void) { return ++gBase; }\n"
    path.with_name("other.c").write_text(other)
    words = ["cc", "-shared", "-fPIC", "-g", "-o", "libport.so", "port.c", "other.c"]
    subprocess.run(words, cwd=path.parent, check=True)
    case = read_case(path)
    if not own:
        assert verdict(case) == "verified"
        return
    with pytest.raises(CaseError, match=r"gBase of .* is the name of 2 static variables"):
        verdict(case)
