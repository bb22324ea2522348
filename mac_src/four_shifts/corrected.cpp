// corrected.cpp
//
// Sectors and collisions as in four_shifts.cpp, with the defects of the
// printed program mended: no objects are none, an object may be anywhere,
// and no difference of two coordinates is cut short.
//
// Method: Tom Moertel, 1994. See four_shifts.h.

#include <string.h>

#include "four_shifts.h"

enum
{
    // The last corner that both positions of the grid have a sector for.

    kLastX = kNumXSectors * kSectorSize - kSectorSize / 2 - 1,
    kLastY = kNumYSectors * kSectorSize - kSectorSize / 2 - 1,

    kMaxReports = 4096          // that are kept
};

obj     gObjects[kMaxObjects];
obj*    gSectorArray[kNumXSectors][kNumYSectors];
Boolean gCollisionArray[kMaxObjects];

short   gObjectCount;           // how many there are, 0 or more

struct report
{
    short   first, second;      // places in gObjects
};

report  gReports[kMaxReports];  // the first collisions found, in order
long    gHitCount;              // all of them
long    gTestCount;             // tests of two objects

obj* GetMyFirstObject()
{
    return gObjectCount > 0 ? gObjects : NULL;
}

// What lies beyond the grid belongs to its border. Two corners are never
// farther apart for it, so those that collide still share a sector.

static scalar _Within(scalar c, scalar last)
{
    return c < 0 ? 0 : c > last ? last : c;
}

static void _UpdateSectors(scalar xoff, scalar yoff)
{
    for (scalar x = 0; x < kNumXSectors; x++)
        for (scalar y = 0; y < kNumYSectors; y++)
            gSectorArray[x][y] = NULL;

    for (obj* o = GetMyFirstObject(); o != NULL; o = o->obj_link)
    {
        const scalar x = _Within(o->x, kLastX);
        const scalar y = _Within(o->y, kLastY);

        obj** head = &gSectorArray[(x + xoff) >> kLog2SectorSize]
                                  [(y + yoff) >> kLog2SectorSize];
        o->sector_link = *head;
        *head = o;
    }
}

// The difference of two scalars may need a bit more than a scalar has,
// but with the smaller taken from the larger no sign.

static bool _Near(scalar a, scalar b)
{
    const unsigned long difference =
        a < b ? (unsigned long) b - (unsigned long) a
              : (unsigned long) a - (unsigned long) b;

    return difference < kRectSize;
}

static bool _IntersectQ(const obj* a, const obj* b)
{
    return _Near(a->x, b->x) && _Near(a->y, b->y);
}

static void _CalcCollisionsInSector(obj* list)
{
    for (obj* a = list; a != NULL; a = a->sector_link)
        for (obj* b = a->sector_link; b != NULL; b = b->sector_link)
        {
            gTestCount++;
            if (_IntersectQ(a, b))
            {
                if (gHitCount < kMaxReports)
                {
                    gReports[gHitCount].first  = (short) (a - gObjects);
                    gReports[gHitCount].second = (short) (b - gObjects);
                }
                gHitCount++;
                gCollisionArray[b - gObjects] = 1;
                gCollisionArray[a - gObjects] = 1;
            }
        }
}

static void _UpdateCollisionArray()
{
    for (scalar x = 0; x < kNumXSectors; x++)
        for (scalar y = 0; y < kNumYSectors; y++)
            _CalcCollisionsInSector(gSectorArray[x][y]);
}

void _DetermineCollisions()
{
    const scalar half = kSectorSize / 2;

    memset(gCollisionArray, 0, sizeof gCollisionArray);
    gTestCount = 0;
    gHitCount  = 0;

    _UpdateSectors(0,    0);    _UpdateCollisionArray();
    _UpdateSectors(0,    half); _UpdateCollisionArray();
    _UpdateSectors(half, 0);    _UpdateCollisionArray();
    _UpdateSectors(half, half); _UpdateCollisionArray();
}
