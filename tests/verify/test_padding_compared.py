"""Padding is not compared: a struct that is assigned may take any padding along."""

from __future__ import annotations

import pytest

from emu.verify.runs.verdicts import REFUTED, VERIFIED
from tests.rows import slow_but
from tests.small_cases import SmallCases

SOURCE = """
struct Entry { char tag; long value; char last; };
short gValues[10];
short gCount;
Entry gEntries[10];
Entry gNewest;        // which the case does not name

void Run()
{
    for (int i = 0; i < gCount; i++)
    {
        Entry entry;
        char* bytes = (char*) &entry;
        for (unsigned j = 0; j < sizeof entry; j++) bytes[j] = gValues[i];
        entry.tag = 'e';
        entry.value = gValues[i];
        entry.last = WRONG;
        gEntries[i] = entry;
        Entry other = entry;
        other.tag = gNewest.tag;
        other.value = gNewest.value;
        other.last = gNewest.last;
        gNewest = other;
    }
}
"""
REFERENCE = """
n = scene.objects
return answer(tags=[ord("e")] * n, values=scene.values, lasts=[7] * n)
"""
OBSERVE = "{gEntries: {tag: tags, value: values, last: lasts}}"


@pytest.mark.parametrize("cpu", ["68000", "68040", "601"])
def test_padding_of_an_assigned_struct_is_not_compared(small_cases: SmallCases, cpu: str):
    case = small_cases.make(SOURCE.replace("WRONG", "7"), REFERENCE, OBSERVE)
    result = small_cases.verify(case, cpu, "O0")
    assert [str(failure) for failure in result.failures] == []
    assert result.verdict == VERIFIED
    one = 2 if cpu != "601" else 6
    assert result.padding == 11 * one


def test_a_member_beside_padding_is_compared(small_cases: SmallCases):
    case = small_cases.make(SOURCE.replace("WRONG", "7 + (i == 4)"), REFERENCE, OBSERVE)
    result = small_cases.verify(case, "601", "O0")
    assert result.verdict == REFUTED
    assert "gEntries[4].last is 8, expected 7" in str(result.failures[0])


POINTED = """
#include <string.h>
struct Entry { char tag; long value; char last; };
struct Pair { char one; long other; };
short gValues[10];
short gCount;
Pair Run(Entry* entries, Entry* newest)
{
    Entry entry;
    Pair pair;
    memset(&entry, gCount, sizeof entry);
    memset(&pair, gCount, sizeof pair);
    entry.tag = 'e';
    entry.last = WRONG;
    entry.value = gCount;
    memcpy(newest, &entry, sizeof entry);
    for (int i = 0; i < gCount; i++)
        memcpy(entries + i, newest, sizeof entry);
    pair.one = 1;
    pair.other = gCount;
    return pair;
}
"""
POINTED_REFERENCE = """
n = scene.objects
return answer(
    tags=[ord("e")] * n, numbers=[n] * n, lasts=[7] * n, tag=ord("e"), last=7, one=1, other=n
)
"""
POINTED_OBSERVE = (
    '{"*entries": {tag: tags, value: numbers, last: lasts},'
    ' "*newest": {tag: tag, value: other, last: last}, return: {one: one, other: other}}\n'
    "arguments: {entries: {count: 10}, newest: {count: 1}}"
)


@pytest.mark.parametrize("cpu", slow_but(["601"], ["68000", "68040", "601"]))
def test_padding_of_what_a_pointer_leads_to_is_not_compared(small_cases: SmallCases, cpu: str):
    case = small_cases.make(POINTED.replace("WRONG", "7"), POINTED_REFERENCE, POINTED_OBSERVE)
    result = small_cases.verify(case, cpu, "O2")
    assert [str(failure) for failure in result.failures] == []
    assert result.verdict == VERIFIED
    wrong = POINTED.replace("WRONG", "7 + (gCount == 9)")
    case = small_cases.make(wrong, POINTED_REFERENCE, POINTED_OBSERVE)
    result = small_cases.verify(case, cpu, "O2")
    assert result.verdict == REFUTED
    assert "last is 8, expected 7" in str(result.failures[0])
