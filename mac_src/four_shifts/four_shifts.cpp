// four_shifts.cpp
//
// The portable half of the program: sectors and collisions.
// Method: Tom Moertel, 1994. See four_shifts.h.
//
// Differences from the printed program that can be seen from outside:
// the globals and _DetermineCollisions have external linkage, since the
// test code lives in a file of its own. What is computed, and in which
// order, is the same to the last byte.

#include <string.h>

#include "four_shifts.h"

// The compilers of 1994 that left inline functions out of line get
// macros for the two innermost ones.

#if defined(__MWERKS__) || defined(__SC__)
#define BRAIN_DEAD_INLINING
#endif

obj     gObjects[kMaxObjects];
obj*    gSectorArray[kNumXSectors][kNumYSectors];
Boolean gCollisionArray[kMaxObjects];

// Kept as printed although it is a defect: the list always has a first
// object, so a scene of no objects is examined as a scene of one.

obj* GetMyFirstObject()
{
    return gObjects;
}

// Lays the grid with its origin moved by (-xoff, -yoff) and files every
// object under the sector of its corner. New arrivals go to the front,
// so each sector lists its objects in reverse.

static void UpdateSectors(scalar xoff, scalar yoff)
{
    // By two indices: one pointer run over the whole table would leave
    // the bounds of its first column.

    for (scalar x = 0; x < kNumXSectors; x++)
        for (scalar y = 0; y < kNumYSectors; y++)
            gSectorArray[x][y] = NULL;

    obj* o = GetMyFirstObject();
    while (o != NULL)
    {
        obj** head = &gSectorArray[(o->x + xoff) >> kLog2SectorSize]
                                  [(o->y + yoff) >> kLog2SectorSize];
        o->sector_link = *head;
        *head = o;
        o = o->obj_link;
    }
}

// Objects that merely touch, kRectSize apart, do not collide.
//
// The function form of _Abs cuts the difference to a scalar, which on
// 68K is a short: corners 32768 apart, or 65507 and more, would pass for
// neighbours. The macro form does not. Both are kept as they were, for
// objects of one sector are never so far apart.

#ifdef BRAIN_DEAD_INLINING

#define _Abs(a)  ((a) < 0 ? -(a) : (a))

#define _IntersectQ(a, b)                       \
    (_Abs((a)->x - (b)->x) < kRectSize &&       \
     _Abs((a)->y - (b)->y) < kRectSize)

#else

inline scalar _Abs(scalar a)
{
    return a < 0 ? -a : a;
}

inline scalar _IntersectQ(obj* a, obj* b)
{
    return _Abs(a->x - b->x) < kRectSize
        && _Abs(a->y - b->y) < kRectSize;
}

#endif

// Compares every pair in one sector's list. Sectors hold few objects,
// mostly none or one, so nothing cleverer would pay.

static void _CalcCollisionsInSector(obj* list)
{
    if (list == NULL)
        return;

    for (obj* a = list; a->sector_link != NULL; a = a->sector_link)
        for (obj* b = a->sector_link; b != NULL; b = b->sector_link)
            if (_IntersectQ(a, b))
            {
                gCollisionArray[b - gObjects] = 1;
                gCollisionArray[a - gObjects] = 1;
            }
}

static void _UpdateCollisionArray()
{
    for (scalar x = 0; x < kNumXSectors; x++)
        for (scalar y = 0; y < kNumYSectors; y++)
            _CalcCollisionsInSector(gSectorArray[x][y]);
}

static void _ClearCollisionArray()
{
    memset(gCollisionArray, 0, sizeof gCollisionArray);
}

// A pair that a sector boundary parts in one grid shares a sector in a
// grid half a sector away. Either axis may need the shift, hence four.

void _DetermineCollisions()
{
    const scalar half = kSectorSize / 2;

    _ClearCollisionArray();

    UpdateSectors(0,    0);     _UpdateCollisionArray();
    UpdateSectors(0,    half);  _UpdateCollisionArray();
    UpdateSectors(half, 0);     _UpdateCollisionArray();
    UpdateSectors(half, half);  _UpdateCollisionArray();
}
