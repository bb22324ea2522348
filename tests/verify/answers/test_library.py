"""A function of a shared library of this computer says what is right."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CaseError, GuestError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs.programs import programs_of
from emu.verify.explain_failure import explain
from emu.verify.verification import verify
from tests.rows import slow, slow_but
from tests.small_cases import PYTHON

MODERN = """
#include <stdint.h>
#include <stdlib.h>
typedef struct { int16_t v, h; } Point;
int32_t total(const int16_t *values, int16_t count, int16_t *largest, uint8_t *text, Point shift,
              const int16_t **end)
{
    int32_t sum = 0;
    for (int n = 0; n < count; ++n) {
        sum += values[n] + shift.v;
        if (n == 0 || values[n] > *largest)
            *largest = values[n];
    }
    text[0] += 1;
    *end = values + count;
    return sum * shift.h;
}
"""
OLD = """
typedef struct { short v, h; } Point;
long Total(short *values, short count, short *largest, unsigned char *text, Point shift,
           short **end)
{
    long sum = 0;
    short n;
    for (n = 0; n < count; ++n) {
        sum += values[n] + shift.v;
        if (n == 0 || values[n] > *largest)
            *largest = values[n];
    }
    ++text[0];
    *end = values + count;
    return sum * shift.h;
}
"""
CASE = """
schema: macproof.case/1
name: ported
title: An old routine beside its modern port
sources: [old.c]
call: Total
arguments:
  values: {points_to: values, count: 12}
  count: objects
  largest: {count: 1}
  text: {points_to: c generator, count: 8}
  shift: {v: seed, h: objects}
  end: {points_to: null}
scene: {make: "scenes:make_numbers", generators: [any], objects: [0, 3, 9], count: 24}
observe: [return, "*largest", "*text", "*end into *values"]
reference:
  library: libport.so
  function: total
  prototype: >-
    int32_t total(const int16_t *values, int16_t count, int16_t *largest, uint8_t *text,
    Point shift, const int16_t **end)
"""


class Library:
    """Writes an old source, a library with its modern port, and a case."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made = 0

    def case(
        self, *changes: tuple[str, str], modern: str = MODERN, old: str = OLD, flags: str = ""
    ) -> Case:
        text = CASE
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        self.made += 1  # processes that are kept know a case by its path
        folder = self.folder / f"case_{self.made}"
        folder.mkdir()
        (folder / "scenes.py").write_text(PYTHON)
        (folder / "old.c").write_text(old)
        (folder / "modern.c").write_text(modern)
        (folder / "case.yaml").write_text(text)
        compiler = shutil.which("cc")
        assert compiler is not None, "a C compiler for this computer is needed"
        words = [compiler, "-shared", "-fPIC", "-O1", "-o", "libport.so", "modern.c"]
        words += flags.split()
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        return read_case(folder / "case.yaml")


@pytest.fixture
def library(tmp_path: Path, compilers: Callable[..., None]) -> Library:
    compilers("68000", "601")
    return Library(tmp_path)


def verdict(case: Case) -> str:
    programs = programs_of(case, cpus=["68000", "601"], builds=["O2"])
    return verify(case, programs, jobs=1).verdict


PROTOTYPE = CASE[CASE.index("  prototype:") :]


@pytest.mark.slow
@pytest.mark.parametrize("flags", slow_but(["-g"], ["-g", "-gdwarf-4", "-g -O2"]))
def test_the_library_s_debugging_information_declares_the_function(
    library: Library, flags: str
) -> None:
    case = library.case((PROTOTYPE, ""), flags=flags)
    assert verdict(case) == "verified"
    wrong = MODERN.replace("values[n] + shift.v", "values[n] - shift.v")
    assert verdict(library.case((PROTOTYPE, ""), modern=wrong, flags=flags)) == "refuted"


@pytest.mark.slow
def test_a_library_without_what_is_needed_to_declare_the_function(library: Library) -> None:
    with pytest.raises(CaseError, match=r"line 16: nothing is known .* with -g, if it is an ELF"):
        library.case((PROTOTYPE, ""))
    with pytest.raises(CaseError, match="nothing is known of the parameters of totals"):
        library.case((PROTOTYPE, ""), ("function: total", "function: totals"), flags="-g")
    many = MODERN.replace("const int16_t **end)", "const int16_t **end, ...)")
    with pytest.raises(CaseError, match=r"libport\.so: total takes any number of arguments"):
        library.case((PROTOTYPE, ""), modern=many, flags="-g")
    wide = MODERN.replace("Point shift,", "Point shift, long double more,")
    with pytest.raises(CaseError, match=r"more is a long double of 16 bytes, which cannot be"):
        library.case((PROTOTYPE, ""), modern=wide, flags="-g")
    packed = MODERN.replace(
        "{ int16_t v, h; } Point", "{ int16_t v, h; int8_t odd; } __attribute__((packed)) Point"
    )
    with pytest.raises(CaseError, match="Point has 5 bytes, and 6 as C lays out"):
        verdict(library.case((PROTOTYPE, ""), modern=packed, flags="-g"))
    more = MODERN.replace("Point shift,", "Point shift, int extra,")
    with pytest.raises(CaseError, match="needs extra, which the case does not give"):
        verdict(library.case((PROTOTYPE, ""), modern=more, flags="-g"))


@pytest.mark.slow
def test_an_old_routine_is_compared_with_its_modern_port(library: Library) -> None:
    case = library.case()
    assert case.reference == "total of libport.so"
    assert "libport.so" in case.read_from
    assert verdict(case) == "verified"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("values[n] > *largest", "values[n] >= 500"),
        slow(("text[0] += 1", "text[1] += 1")),
        slow(("*end = values + count", "*end = values")),
        ("return sum * shift.h", "return sum * shift.v"),
    ],
)
def test_a_difference_refutes(library: Library, right: str, wrong: str) -> None:
    assert verdict(library.case(modern=MODERN.replace(right, wrong))) == "refuted"


@pytest.mark.slow
def test_a_crash_is_no_verdict(library: Library) -> None:
    crashing = MODERN.replace("text[0] += 1;", "if (count == 9) abort();")
    with pytest.raises(GuestError, match=r"total of libport\.so, .* crashed \(SIGABRT\) \(any, 9 "):
        verdict(library.case(modern=crashing))
    crashing = MODERN.replace("text[0] += 1;", "*(volatile int *) 8 = 1;")
    with pytest.raises(GuestError, match=r"crashed \(SIGSEGV\).*So there is no verdict on Total"):
        verdict(library.case(modern=crashing))


@pytest.mark.slow
def test_an_answer_that_depends_on_more_than_the_scene_is_none(library: Library) -> None:
    reading = MODERN.replace("int32_t sum = 0;", "int32_t sum = *largest;")
    with pytest.raises(CaseError, match="leaves in return depends on memory that the scene"):
        verdict(library.case(modern=reading))
    with pytest.raises(CaseError, match=r"leaves in \*end a pointer to nothing that the case"):
        verdict(library.case(modern=MODERN.replace("*end = values", "*end = values - 1")))
    # Its variables begin as they were loaded each time, so this is an effect that nobody compares.
    counting = MODERN.replace("int32_t sum = 0;", "static int calls; int32_t sum = calls++;")
    assert verdict(library.case(modern=counting)) == "inconclusive"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("library: libport.so", "library: lib.so", "line 17: there is no file lib.so beside it"),
        ("library: libport.so", "library: old.c", "line 16: total of .*old.c: cannot load"),
        (
            "function: total",
            "function: totals",
            "line 16: .*libport.so has no function totals, or the",
        ),
        (
            "int32_t total(",
            "int32_t total(int99_t x, ",
            "line 16: column 15: there is no type",
        ),
        ("Point shift,", "Point shifts,", "has no parameter shift; did you mean shifts"),
        ("int16_t count,", "int8_t count, int n,", "needs int n, which the case does not give"),
        ("v: seed, h:", "v: seed, w:", r"line 16: .*shift has no w"),
        ("int16_t *values, int16", "int8_t *values, int16", r"\*values cannot hold"),
        ("function: total", "function: total\n  cpu: 601", "line 19: a reference with library "),
        ("  function: total\n", "", "line 16: reference: the key function is missing"),
        ("arguments:", "input: {gA: objects}\narguments:", "nothing is known of the type of gA"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    library: Library, before: str, after: str, message: str
) -> None:
    with pytest.raises(CaseError, match=message):
        verdict(library.case((before, after)))


SPAN = """
schema: macproof.case/1
name: span
title: A routine whose pointers run through arrays
sources: [old.c]
call: Sum
arguments:
  first: {points_to: values, count: 12}
  end: objects into *first
  cursor: {points_to: {points_to: values, count: 12}}
  last: objects into **cursor
scene: {make: "scenes:make_numbers", generators: [any], objects: [0, 3, 9], count: 24}
observe: [return, "*cursor into **cursor"]
reference:
  library: libport.so
  function: Sum
  prototype: "int32_t Sum(int16_t *first, int16_t *end, int16_t **cursor, int16_t *last)"
"""
SPAN_C = """
#include <stdint.h>
int32_t Sum(int16_t *first, int16_t *end, int16_t **cursor, int16_t *last)
{
    int32_t sum = 0;
    for (; first < end; ++first)
        sum = 3 * sum + *first;
    for (; *cursor < last; ++*cursor)
        sum = 5 * sum + **cursor;
    return sum;
}
"""


def span(library: Library, text: str = SPAN, old: str = SPAN_C) -> Case:
    path = library.case(old=old, modern=SPAN_C).path
    path.write_text(text)
    return read_case(path)


@pytest.mark.slow
def test_pointers_into_an_array_are_pointers_there_too(library: Library) -> None:
    assert verdict(span(library)) == "verified"
    for right, wrong in (("first < end", "first + 1 < end"), ("return sum", "return 0")):
        assert verdict(span(library, old=SPAN_C.replace(right, wrong))) == "refuted"


@pytest.mark.slow
def test_a_pointer_that_went_too_far_is_told_by_how_far(library: Library) -> None:
    """``*cursor is &(*cursor)[3], expected &(*cursor)[2]`` has to be worked out."""
    old = SPAN_C.replace("return sum;", "*cursor += sum != 0; return sum;")
    case = span(library, SPAN.replace("[return, ", "["), old)
    programs = programs_of(case, cpus=["68000"], builds=["O2"])
    found = explain(verify(case, programs, scenes=6, jobs=1))
    assert found is not None
    told = str(found.explanation.divergence)
    words = r"(\d+) elements? further"
    steps = re.fullmatch(rf"\*cursor is {words}, expected {words}", told)
    assert steps is not None, told
    assert int(steps[1]) == int(steps[2]) + 1


@pytest.mark.parametrize(
    ("after", "message"),
    [
        (
            "objects into *fist",
            r"there is no array \*fist for end to point into; there are: \*\*cursor, \*first",
        ),
        ("seed into *first", r"an index for end is beyond the array \*first"),
        ("objects", r"end is a int16_t \*, and it is not known into which array it points"),
    ],
)
def test_a_pointer_must_lead_into_a_known_array(library: Library, after: str, message: str) -> None:
    with pytest.raises(CaseError, match=message):
        verdict(span(library, SPAN.replace("objects into *first", after)))


ITEMS = """
schema: macproof.case/1
name: items
title: Structs that the case declares, since the library does not
sources: [old.c]
call: Heaviest
arguments:
  items: {points_to: {key: values, weight: values}, count: 12}
  count: objects
scene: {make: "scenes:make_numbers", generators: [any], objects: [1, 3, 9], count: 24}
observe: [return.key, return.weight, "*items.weight"]
reference:
  library: libport.so
  function: heaviest
  prototype: Item heaviest(struct item *items, int16_t count)
  types: typedef struct item { int16_t key; int32_t weight; } Item;
"""
ITEMS_C = """
TYPES
Item HEAVIEST(struct item *items, short count)
{
    struct item found = items[0];
    short n;
    for (n = 1; n < count; ++n) {
        items[n].weight += items[n - 1].key;
        if (items[n].weight > found.weight)
            found = items[n];
    }
    return found;
}
"""
OLD_ITEMS = ITEMS_C.replace("TYPES", "typedef struct item { short key; long weight; } Item;")
OLD_ITEMS = OLD_ITEMS.replace("HEAVIEST", "Heaviest")
MODERN_ITEMS = ITEMS_C.replace("TYPES", "typedef struct item { short key; int weight; } Item;")
MODERN_ITEMS = MODERN_ITEMS.replace("HEAVIEST", "heaviest")


def items(library: Library, *changes: tuple[str, str], old: str = OLD_ITEMS) -> Case:
    path = library.case(old=old, modern=MODERN_ITEMS).path
    text = ITEMS
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text)
    return read_case(path)


@pytest.mark.slow
def test_the_case_declares_structs_of_a_library(library: Library) -> None:
    assert verdict(items(library)) == "verified"
    wrong = OLD_ITEMS.replace("items[n - 1].key", "items[n].key")
    assert verdict(items(library, old=wrong)) == "refuted"


@pytest.mark.slow
def test_a_header_declares_what_a_library_does_not(library: Library) -> None:
    declared = ITEMS[ITEMS.index("  prototype:") :]
    path = items(library).path
    path.write_text(ITEMS.replace(declared, "  header: port.h\n"))
    header = path.with_name("port.h")
    text = (
        "#ifndef PORT_H\n#define PORT_H\n#include <stdio.h>\nvoid save(FILE *file);\n"
        "typedef struct item { int16_t key; int32_t weight; } Item; /* one */\n"
        "Item heaviest(struct item *items, int16_t count);\n#endif\n"
    )
    header.write_text(text)
    case = read_case(path)
    assert verdict(case) == "verified"
    assert case.python["port.h"]  # another header is another case
    header.write_text(text.replace("heaviest", "lightest"))
    with pytest.raises(CaseError, match=r"line 15: port\.h declares no function heaviest"):
        read_case(path)
    header.write_text("#pragma pack(1)\n" + text)
    with pytest.raises(CaseError, match="lays out structs in another way"):
        read_case(path)
    header.unlink()
    with pytest.raises(CaseError, match=r"line 15: there is no file port\.h beside it"):
        read_case(path)


@pytest.mark.slow
def test_a_header_has_structs_without_names_and_sizes_that_are_defined(library: Library) -> None:
    text = (
        "#define kRows 2\n#define kSize (kRows * 3)\ntypedef struct item *ItemPtr;\n"
        "typedef struct item { int16_t key; struct { struct { int32_t weight; }; ItemPtr next; };\n"
        "    struct { uint8_t marks[kRows][kSize]; } more; } Item;\n"
        "int16_t heaviest(ItemPtr items, int16_t count);\n"
    )
    changed = "items[n].more.marks[1][4] = items[n].key; if (items[n].weight >"
    function = ITEMS_C.replace("if (items[n].weight >", changed).partition("TYPES\nItem")[2]
    function = f"short{function.replace('return found', 'return found.key')}"
    types = text.rpartition("int16_t heaviest")[0]
    old = types.replace("int16_t", "short").replace("int32_t", "long").replace("uint8_t", "Byte")
    path = items(library).path
    folder = path.parent
    (folder / "port.h").write_text(f"#include <stdint.h>\n{text}")
    (folder / "modern.c").write_text(
        f'#include "port.h"\n{function.replace("HEAVIEST", "heaviest")}'
    )
    words = ["cc", "-shared", "-fPIC", "-O1", "-o", "libport.so", "modern.c"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    declared = ITEMS[ITEMS.index("  prototype:") :]
    case = ITEMS.replace(declared, "  header: port.h\n")
    path.write_text(
        case.replace("weight: values}", "member_1.member_0.weight: values}")
        .replace("return.key, return.weight, ", "return, ")
        .replace('"*items.weight"', '"*items.more.marks", "*items.member_1.member_0.weight"')
    )
    source = f"typedef unsigned char Byte;\n{old}{function.replace('HEAVIEST', 'Heaviest')}"
    (folder / "old.c").write_text(source)
    assert verdict(read_case(path)) == "verified"
    (folder / "old.c").write_text(source.replace("[1][4]", "[1][3]"))
    assert verdict(read_case(path)) == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (
            "  types: typedef struct item { int16_t key; int32_t weight; } Item;\n",
            "",
            r"line 12: column 1: there is no type Item; .*types: \"struct Entry \{ int32_t key; \}",
        ),
        (
            "int16_t key;",
            "int61_t key;",
            "line 16: column 23: there is no type int61_t; did you mean int",
        ),
        ("int16_t key;", "int16_t kye;", "has no key"),
        ("int32_t weight; }", "int32_t weight; ", "line 16: .* is no declaration of a struct"),
    ],
)
def test_structs_of_a_library_that_are_declared_wrong(
    library: Library, before: str, after: str, message: str
) -> None:
    with pytest.raises(CaseError, match=message):
        verdict(items(library, (before, after)))
