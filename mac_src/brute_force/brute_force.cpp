// brute_force.cpp
//
// Every object against every other. See brute_force.h.

#include <string.h>

#include "brute_force.h"

obj             gObjects[kMaxObjects];
short           gObjectCount;

Boolean         gCollisionArray[kMaxObjects];

#ifndef NO_BOOKKEEPING
report          gReports[kMaxReports];
unsigned long   gReportCount;
unsigned long   gTestCount;
#endif

obj* GetMyFirstObject()
{
    return gObjectCount > 0 ? gObjects : NULL;
}

inline scalar _Abs(scalar a)
{
    return a < 0 ? -a : a;
}

// Objects that merely touch, kRectSize apart, do not collide.

inline bool _IntersectQ(obj* a, obj* b)
{
    return _Abs(a->x - b->x) < kRectSize
        && _Abs(a->y - b->y) < kRectSize;
}

static void _Report(obj* a, obj* b)
{
    const short first  = (short) (a - gObjects);
    const short second = (short) (b - gObjects);

    gCollisionArray[first]  = 1;
    gCollisionArray[second] = 1;

#ifndef NO_BOOKKEEPING
    if (gReportCount < kMaxReports)
    {
        gReports[gReportCount].first  = first;
        gReports[gReportCount].second = second;
    }
    gReportCount++;
#endif
}

// Without bookkeeping only the flags of objects that there are.

static void _Begin()
{
#ifdef NO_BOOKKEEPING
    memset(gCollisionArray, 0, sizeof *gCollisionArray * gObjectCount);
#else
    memset(gCollisionArray, 0, sizeof gCollisionArray);
    gReportCount = 0;
    gTestCount = 0;
#endif
}

void _DetermineCollisions()
{
    _Begin();

    for (obj* a = GetMyFirstObject(); a != NULL; a = a->obj_link)
        for (obj* b = a->obj_link; b != NULL; b = b->obj_link)
        {
#ifndef NO_BOOKKEEPING
            gTestCount++;
#endif
            if (_IntersectQ(a, b))
                _Report(a, b);
        }
}
