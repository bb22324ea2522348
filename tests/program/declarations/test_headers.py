"""What of a header another reader of C needs to declare some functions."""

from __future__ import annotations

import pytest

from emu.program.declarations.headers import declarations_for
from emu.program.declarations.tokens import DeclarationError, SourceText

HEADER = """
#include <stdio.h>
#include "level.h"
#ifdef __cplusplus
extern "C" {
#endif
#define kMost (4 * 2)
typedef struct Unused { FILE *file; } Unused;
typedef enum { kOff, kOn } Switch;
typedef struct Mixer { struct Mixer *next; Level levels[kMost]; } Mixer, *MixerPtr;
typedef int16_t (*Visit)(Level level);
static inline int Twice(int a) { if (a) { return 2 * a; } return 0; }
extern Level gLast;
extern Level mix(MixerPtr mixer, Visit visit, Switch on); // one
pascal void other(Unused *unused);
"""


def find(name: str) -> SourceText | None:
    return SourceText("typedef int16_t Level;", name) if name == "level.h" else None


def test_only_what_the_functions_need_is_taken():
    found = declarations_for(SourceText(HEADER, "mix.h"), ["mix", "gone"], find)
    assert found.prototypes == {"mix": "Level mix ( MixerPtr mixer , Visit visit , Switch on )"}
    assert [line.split()[-2] for line in found.types.splitlines()] == [
        *("Level", "Switch", "MixerPtr", ")"),
    ]
    assert "Level levels [ ( 4 * 2 ) ]" in found.types
    assert declarations_for(SourceText(HEADER), ["other"], find).prototypes == {
        "other": "void other ( Unused * unused )"
    }


def test_a_struct_may_stand_behind_the_name_of_its_pointer():
    text = (
        "typedef struct Node *NodePtr; typedef short Key; struct Node { Key key; };"
        "Key f(NodePtr n);"
    )
    types = declarations_for(SourceText(text), ["f"], find).types.splitlines()
    assert types == [
        "typedef struct Node * NodePtr ;",
        "typedef short Key ;",
        "struct Node { Key key ; } ;",
    ]


def test_a_pragma_about_alignment_is_refused():
    text = SourceText("#pragma pack(2)\nvoid f(void);", "f.h")
    with pytest.raises(DeclarationError, match=r"f\.h, line 1.*lays out structs in another way"):
        declarations_for(text, ["f"], find)


def test_variables_of_a_header_are_found_with_their_types() -> None:
    text = """
    typedef struct { short gCount; } Item;
    extern Item gItem, gList[4];
    extern long gTotal;
    void f(long gTotal, short gOther);
    typedef short gName;
    """
    names = ["gItem", "gList", "gTotal", "gCount", "gOther", "gName"]
    found = declarations_for(SourceText(text), [], lambda name: None, names)
    assert found.variables == {
        "gItem": "Item gItem , gList [ 4 ]",
        "gList": "Item gItem , gList [ 4 ]",
        "gTotal": "long gTotal",
    }
    assert "typedef struct { short gCount ; } Item ;" in found.types
