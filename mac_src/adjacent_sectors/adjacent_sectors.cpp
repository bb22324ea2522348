// adjacent_sectors.cpp
//
// One sector grid and the sectors around. See adjacent_sectors.h.

#include <string.h>

#include "adjacent_sectors.h"

obj             gObjects[kMaxObjects];
short           gObjectCount;

obj*            gSectorArray[kMaxSectors];
Boolean         gCollisionArray[kMaxObjects];

#ifndef NO_BOOKKEEPING
report          gReports[kMaxReports];
unsigned long   gReportCount;
unsigned long   gTestCount;
#endif

// the sectors of one size

struct grid
{
    scalar  log2Size;
    scalar  columns, rows;
};

static const grid k64 = { 6, (kWidth + 63) / 64, (kHeight + 63) / 64 };
static const grid k32 = { 5, (kWidth + 31) / 32, (kHeight + 31) / 32 };

// The eight sectors around one, in the order of the table. The last four
// are those that come after the sector itself.

struct step
{
    signed char column, row;
};

enum { kAround = 8, kLater = 4 };

static const step kSteps[kAround] =
{
    { -1, -1 }, { -1, 0 }, { -1, 1 }, { 0, -1 },
    {  0,  1 }, {  1, -1 }, { 1, 0 }, { 1,  1 }
};

obj* GetMyFirstObject()
{
    return gObjectCount > 0 ? gObjects : NULL;
}

// Files every object under the sector of its corner. New arrivals go to
// the front, so each sector lists its objects in reverse.

static void UpdateSectors(const grid* g)
{
    const scalar sectors = g->columns * g->rows;

    for (scalar i = 0; i < sectors; i++)
        gSectorArray[i] = NULL;

    for (obj* o = GetMyFirstObject(); o != NULL; o = o->obj_link)
    {
        obj** head = &gSectorArray[(o->x >> g->log2Size) * g->rows
                                 + (o->y >> g->log2Size)];
        o->sector_link = *head;
        *head = o;
    }
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

// Tests an object against all of a list, or of what is left of one.

static void _CompareWithList(obj* a, obj* list)
{
    for (obj* b = list; b != NULL; b = b->sector_link)
    {
#ifndef NO_BOOKKEEPING
        gTestCount++;
#endif
        if (_IntersectQ(a, b))
            _Report(a, b);
    }
}

// The list of the sector a step away; empty beyond the edges.

static obj* _ListBeside(const grid* g, scalar column, scalar row,
                        const step* s)
{
    const scalar x = column + s->column;
    const scalar y = row + s->row;

    if (x < 0 || x >= g->columns || y < 0 || y >= g->rows)
        return NULL;
    return gSectorArray[x * g->rows + y];
}

// Without bookkeeping only the flags of objects that there are.

static void _Begin(const grid* g)
{
#ifdef NO_BOOKKEEPING
    memset(gCollisionArray, 0, sizeof *gCollisionArray * gObjectCount);
#else
    memset(gCollisionArray, 0, sizeof gCollisionArray);
    gReportCount = 0;
    gTestCount = 0;
#endif

    UpdateSectors(g);
}

// Each sector's objects against one another and, object by object,
// against those of the sectors that steps from firstStep on lead to.

static void _CompareWithSteps(const grid* g, scalar firstStep)
{
    _Begin(g);

    for (scalar x = 0; x < g->columns; x++)
        for (scalar y = 0; y < g->rows; y++)
            for (obj* a = gSectorArray[x * g->rows + y]; a != NULL;
                 a = a->sector_link)
            {
                _CompareWithList(a, a->sector_link);
                for (scalar i = firstStep; i < kAround; i++)
                    _CompareWithList(a, _ListBeside(g, x, y, &kSteps[i]));
            }
}

void _DetermineWithEight()
{
    _CompareWithSteps(&k64, 0);
}

void _DetermineByHalves64()
{
    _CompareWithSteps(&k64, kAround - kLater);
}

void _DetermineByHalves32()
{
    _CompareWithSteps(&k32, kAround - kLater);
}

// The nine lists count as one: first the sector's own objects, then those
// of the sectors around it, each against all that follow.

static void _CompareAllOfNine(scalar x, scalar y)
{
    obj* lists[1 + kAround];

    lists[0] = gSectorArray[x * k64.rows + y];
    for (scalar i = 0; i < kAround; i++)
        lists[1 + i] = _ListBeside(&k64, x, y, &kSteps[i]);

    for (scalar i = 0; i <= kAround; i++)
        for (obj* a = lists[i]; a != NULL; a = a->sector_link)
        {
            _CompareWithList(a, a->sector_link);
            for (scalar j = i + 1; j <= kAround; j++)
                _CompareWithList(a, lists[j]);
        }
}

void _DetermineAsCounted()
{
    _Begin(&k64);

    for (scalar x = 0; x < (kScreenWidth + 63) / 64; x++)
        for (scalar y = 0; y < (kScreenHeight + 63) / 64; y++)
            _CompareAllOfNine(x, y);
}
