"""Every routine that is declared links on every processor, in a case and in an application."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from emu.runner.runner import RunRequest, run_request
from emu.toolbox.calls.absent_routines import absent_routines, read_absent
from emu.toolbox.computer.declaration import routines_of
from emu.toolbox.computer.settings import Settings
from emu.toolbox.declarations import named_calls
from emu.toolbox.managers.all_managers import MANAGERS
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.mac_app.glue import absent_entries, all_entries, entries
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import mac_sources
from tests.toolchain.test_units import tree_of

COMPAT = mac_sources() / "compat"
BOTH = ("68000", "601")


def declared_in_headers(cpu: str, folder: Path) -> set[str]:
    """The functions of all headers, as the compiler has read them."""
    target = TARGETS[cpu]
    headers = sorted(path.name for path in COMPAT.glob("*.h") if path.name != "iostream.h")
    listed = folder / f"{cpu}.txt"
    subprocess.run(
        [target.compiler, *target.flags, "-ffreestanding", f"-I{COMPAT}",
         "-fsyntax-only", "-w", "-x", "c", "-std=gnu89", "-aux-info",
         str(listed), "-"],
        input="".join(f"#include <{name}>\n" for name in headers),
        text=True,
        check=True,
    )  # fmt: skip
    lines = (line for line in listed.read_text().splitlines() if "compat/" in line)
    found = (re.search(r"extern [\w \*]*?\**\(?\*?(\w+) \(", line) for line in lines)
    return {match[1] for match in found if match}


def all_names(cpu: str, folder: Path) -> set[str]:
    kind = "m68k" if cpu.startswith("68") else "powerpc"
    of_toolbox = {entry.name for entry in (*entries(kind), *absent_entries())}
    in_headers = declared_in_headers(cpu, folder)
    assert len(in_headers) > 900
    if kind == "m68k":  # a 68K program has no code fragments, and a C library of its own
        managers = (manager for manager in MANAGERS.values() if manager.powerpc_only)
        in_headers -= {name for m in managers for r, _ in routines_of(m) for name in r.imports}
    return of_toolbox | in_headers


def addresses_of(names: Iterable[str]) -> str:
    """A program that holds the address of each function, whatever its type is."""
    ordered = sorted(names)
    text = "".join(f'extern char a{n}[] __asm__("{name}");\n' for n, name in enumerate(ordered))
    inside = ", ".join(f"a{n}" for n in range(len(ordered)))
    return f"{text}char* volatile gAll[] = {{ {inside} }};\n"


@pytest.mark.parametrize("cpu", BOTH)
def test_a_case_links_all(compilers: Callable[..., None], tmp_path: Path, cpu: str):
    compilers(cpu)
    text = addresses_of(all_names(cpu, tmp_path))
    text += "char* Go(short n);\nchar* Go(short n) { return gAll[n]; }\n"
    program = compile_program(
        tree_of(tmp_path, {"go.c": text}, ("gAll",)), BUILDS["O1"], TARGETS[cpu]
    )
    assert program.path.stat().st_size > 100_000


@pytest.mark.parametrize("cpu", BOTH)
def test_an_application_links_all(compilers: Callable[..., None], tmp_path: Path, cpu: str):
    compilers(cpu)
    source = tmp_path / "program.c"
    text = addresses_of(all_names(cpu, tmp_path))
    source.write_text(f"{text}int main(void) {{ return gAll[0] == 0; }}\n")
    assert build_application([source], "All", cpu, None, tmp_path / "app").is_file()


def test_every_old_name_is_called_by_trap_or_name():
    """All that a Power Macintosh imports, but for libraries that a 68K program has itself."""
    m68k = {entry.name for entry in entries("m68k")}
    assert {"MemError", "FSRead", "GetFInfo", "GetDateTime", "TopMem", "FlushEvents"} <= m68k
    assert named_calls().keys() <= m68k
    assert not {"sin", "qsort", "CallUniversalProc"} & m68k


CALLS = """
#include <Files.h>
#include <Memory.h>
#include <Events.h>
#include <OSUtils.h>
#include <Dialogs.h>
#include <Packages.h>
#include <SegLoad.h>
#include <TextEdit.h>
#include <stdio.h>

int main(void)
{
    FInfo information;
    short file, volume = 9, message = 9, count = 9;
    long folder = 9, size = 4;
    char bytes[5] = "....";
    printf("%d\\n", HCreate(0, 0, "\\003New", 'ttxt', 'TEXT'));
    printf("%d %d\\n", FSOpen("\\003New", 0, &file), MemError());
    printf("%d\\n", FSWrite(file, &size, "abcd"));
    printf("%d\\n", SetFPos(file, 1, 1));
    printf("%d\\n", FSRead(file, &size, bytes));
    printf("%ld %s\\n", size, bytes);
    FSClose(file);
    printf("%d ", GetFInfo("\\003New", 0, &information));
    printf("%d\\n", information.fdType == 'TEXT' && information.fdCreator == 'ttxt');
    printf("%d\\n", GetFInfo("\\004None", 0, &information));
    printf("%d ", GetVol(NULL, &volume));
    printf("%d\\n", volume);
    printf("%d ", HGetVol(NULL, &volume, &folder));
    printf("%d %ld\\n", volume, folder);
    printf("%d ", RstFLock("\\003New", 0));
    printf("%d\\n", HDelete(0, 0, "\\003New"));
    TESetScrapLength(7);
    ResetAlertStage();
    printf("%lu %lu %d %ld\\n", GetDblTime(), GetCaretTime(), GetAlertStage(), TEGetScrapLength());
    CountAppFiles(&message, &count);
    printf("%d %d\\n", message, count);
    printf("%d %d\\n", IUCompString("\\001a", "\\001b"), IUCompString("\\001b", "\\001a"));
    BlockZero(bytes + 1, 2);
    printf("%d%d%d %d\\n", bytes[0] != 0, bytes[1], bytes[2], TopMem() != NULL);
    return 0;
}
"""


def test_what_is_called_by_name_does_the_same_on_both(
    compilers: Callable[..., None], tmp_path: Path
):
    compilers(*BOTH)
    source = tmp_path / "program.c"
    source.write_text(CALLS)
    lines = []
    for cpu in BOTH:
        path = build_application([source], "Calls", cpu, None, tmp_path / cpu)
        result = run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))
        lines.append(result.text.splitlines())
    assert lines[0] == lines[1]
    assert lines[0][5] == "3 bcd."
    assert lines[0][6:8] == ["0 1", "-43"]


# -- absent managers -------------------------------------------------------------------------------


@pytest.mark.parametrize("cpu", BOTH)
def test_a_call_of_an_absent_manager_ends_with_its_name(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    compilers(cpu)
    source = tmp_path / "program.c"
    source.write_text("short SpeakString();\nint main(void) { return SpeakString(0L); }\n")
    path = build_application([source], "Speech", cpu, None, tmp_path / cpu)
    result = run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))
    assert result.exit_code == 4
    assert "called SpeakString of the Speech Manager, which" in result.problem


def test_absent_routines_are_not_those_that_the_toolbox_has():
    known = {entry.name for kind in ("m68k", "powerpc") for entry in entries(kind)}
    assert known & absent_routines().keys() == set()
    for kind in ("m68k", "powerpc"):
        names = [entry.name for entry in all_entries(kind)]
        assert len(names) == len(set(names))
    assert absent_routines()["SpeakString"].header == "Speech.h"


@pytest.mark.parametrize(
    ("text", "why"),
    [("OSErr A(void);", "no line `manager"), ("manager: X\nOSErr A(void)", "not a prototype")],
)
def test_a_bad_line_of_absent_routines_is_named(text: str, why: str):
    with pytest.raises(ValueError, match=rf"X\.h, line \d: {why}"):
        list(read_absent(text, "X.h"))


# -- a C library -----------------------------------------------------------------------------------

LIBRARY = """
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

static jmp_buf gPlace;
static int Compare(const void* a, const void* b) { return *(const short*) a - *(const short*) b; }
static void Leave(int value) { longjmp(gPlace, value); }

int main(void)
{
    short numbers[7] = {5, 3, 8, 1, 9, 2, 8}, wanted = 8, n;
    char text[40] = "one, two,,three", *word, *end;
    volatile int turns = 0;
    int value = setjmp(gPlace);

    if (turns++ < 2)
        Leave(turns - 1);
    printf("%d %d\\n", value, turns);
    for (word = strtok(text, ", "); word != NULL; word = strtok(NULL, ", "))
        printf("%s;", word);
    qsort(numbers, 7, sizeof *numbers, Compare);
    for (n = 0; n < 7; n++)
        printf("%d", numbers[n]);
    printf(" %d\\n", *(short*) bsearch(&wanted, numbers, 7, sizeof *numbers, Compare));
    printf("%ld %ld ", strtol(" -12x", &end, 10), strtol("0x7fz", NULL, 0));
    printf("%s %lu %ld\\n", end, strtoul("99999999999", NULL, 10), strtol("-9999999999", NULL, 10));
    printf("%s %s ", strstr("a cat", "ca"), strpbrk("plain", "li"));
    printf("%d %d\\n", (int) strspn("aab", "a"), (int) strcspn("aab", "b"));
    printf("%d%d%d%d\\n", isupper('a'), islower('a'), ispunct('!'), isxdigit('g'));
    printf("%s %s\\n", strncat(strcpy(text, "ab"), "cdef", 2), (char*) memchr("xyz", 'y', 3));
    assert(value == 1);
    return 0;
}
"""


@pytest.mark.parametrize("cpu", BOTH)
def test_the_c_library_of_an_application(compilers: Callable[..., None], tmp_path: Path, cpu: str):
    compilers(cpu)
    source = tmp_path / "program.c"
    source.write_text(LIBRARY)
    path = build_application([source], "Library", cpu, None, tmp_path / cpu)
    result = run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))
    assert result.text.splitlines() == [
        "1 3",
        "one;two;three;1235889 8",
        "-12 127 x 4294967295 -2147483648",
        "cat lain 2 2",
        "0110",
        "abcd yz",
    ]
    assert not {"strtok", "qsort", "strtol"} & result.calls.keys()


FILES_AND_TEXT = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    FILE* file = fopen("Notes", "w");
    char line[40] = "", word[20] = "", letters[20] = "";
    short small = 9;
    int a = 0, b = 0, count = 0, read;
    double real = 0;
    float single = 0;
    char* end;

    fprintf(file, "first %d\\nsecond %s\\n", 17, "line");
    printf("%ld ", ftell(file));
    fclose(file);
    file = fopen("Notes", "r");
    printf("%s", fgets(line, sizeof line, file));
    printf("%d ", fseek(file, -5, SEEK_END));
    printf("%d ", fscanf(file, "%s", word));
    printf("%s ", word);
    printf("%d ", fgetc(file));
    printf("%d ", fgetc(file));
    printf("%d ", feof(file) != 0);
    rewind(file);
    printf("%d ", ungetc('F', file));
    printf("%c", fgetc(file));
    printf("%c ", fgetc(file));
    printf("%d\\n", fscanf(file, "irst %d", &a));
    fclose(file);
    printf("%d ", rename("Notes", "Other"));
    printf("%d ", fopen("Notes", "r") == NULL);
    printf("%d ", remove("Other"));
    printf("%d\\n", remove("Other"));

    read = sscanf(" 12, -7 0x1F abc]end", "%d,%hd %i %[a-c]%n", &a, &small, &b, word, &count);
    printf("%d %d %d %d %s %d\\n", read, a, small, b, word, count);
    read = sscanf("3.25e2 -.5 xyz", "%lf %f %*c%2c", &real, &single, letters);
    printf("%d %.2f %.2f %s\\n", read, real, single, letters);
    printf("%d %d ", sscanf("x", "%d", &a), sscanf("", "%d", &a));
    printf("%d\\n", sscanf("5%", "%d%%%d", &a, &b));
    printf("%d ", sscanf("12345", "%3d%s", &a, word));
    printf("%s\\n", word);
    printf("%.10g %.17g %g ", atof("0.1") * 3, strtod("1e22x", &end), atof("-1.5E-3"));
    printf("%s ", end);
    printf("%d\\n", strtod("e5", &end) == 0 && *end == 'e');
    return 0;
}
"""


@pytest.mark.parametrize("cpu", BOTH)
def test_files_and_numbers_from_text(compilers: Callable[..., None], tmp_path: Path, cpu: str):
    compilers(cpu)
    source = tmp_path / "program.c"
    source.write_text(FILES_AND_TEXT)
    path = build_application([source], "Library", cpu, None, tmp_path / cpu)
    result = run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))
    assert result.text.splitlines() == [
        "21 first 17",
        "0 1 line 10 -1 1 70 Ff 1",
        "0 1 0 -1",
        "4 12 -7 31 abc 16",
        "3 325.00 -0.50 yz",
        "0 -1 1",
        "2 45",
        "0.3 1e+22 -0.0015 x 1",
    ], result.problem


PASCAL_STRINGS = """
#include <PLStringFuncs.h>
#include <fp.h>
#include <stdio.h>

int main(void)
{
    Str255 text = "\\pone two";
    PLstrcat(text, "\\p one");
    printf("%d %s ", PLstrlen(text), (char*) text + 1);
    printf("%d %d ", PLstrcmp("\\pab", "\\pabc") < 0, PLstrncmp("\\pabd", "\\pabc", 2));
    printf("%d ", (int) (PLstrrchr(text, 'o') - (Ptr) text));
    printf("%d ", (int) (PLstrchr(text, 'o') - (Ptr) text));
    printf("%d %d ", (int) (PLstrstr(text, "\\ptwo") - (Ptr) text), PLstrstr(text, "\\psix") == 0L);
    PLstrncpy(text, "\\pabc", 2);
    printf("%d %c\\n", PLstrlen(text), text[2]);
    printf("%d %d\\n", (int) fabs((double_t) -4), __isnan((double_t) 0 / (fabs(-1.0) - 1)));
    return 0;
}
"""


@pytest.mark.parametrize("cpu", BOTH)
def test_pascal_strings_have_a_library(compilers: Callable[..., None], tmp_path: Path, cpu: str):
    compilers(cpu)
    source = tmp_path / "program.c"
    source.write_text(PASCAL_STRINGS)
    path = build_application([source], "Strings", cpu, None, tmp_path / cpu)
    result = run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))
    assert result.text.splitlines() == ["11 one two one 1 0 9 1 5 1 2 b", "4 1"], result.problem
