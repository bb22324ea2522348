// linear_quadtree.cpp
//
// Sorting, looking up, and the two forms of the search.
// See linear_quadtree.h.

#include <string.h>

#include "linear_quadtree.h"
#include "listing.h"

obj             gObjects[kMaxObjects];
short           gObjectCount;

obj*            gNodes[kMaxObjects];
Boolean         gCollisionArray[kMaxObjects];

#ifndef NO_BOOKKEEPING
report          gReports[kMaxReports];
unsigned long   gReportCount;
unsigned long   gTestCount;
unsigned long   gLookupCount;
#endif


//----------------------------------------------------------------------
// sorting
//----------------------------------------------------------------------

// Joins two lists, each in the order of codes. Of equal codes those of
// the first list come first.

static obj* _Merge(obj* a, obj* b)
{
    obj*    head;
    obj**   tail = &head;

    while (a != NULL && b != NULL)
    {
        if (b->code < a->code)
        {
            *tail = b;
            b = b->next;
        }
        else
        {
            *tail = a;
            a = a->next;
        }
        tail = &(*tail)->next;
    }
    *tail = a != NULL ? a : b;

    return head;
}

// Lists all objects in the order of codes, those of one leaf in the order
// of their indices. Bin i holds nothing or a sorted list of 2^i objects;
// a new object is merged through the bins like a carry.

static obj* _SortedObjects()
{
    enum { kNumBins = 11 };         // 2^11 - 1 objects fit

    obj* bins[kNumBins] = { NULL };

    for (short i = 0; i < gObjectCount; i++)
    {
        obj* list = &gObjects[i];
        list->next = NULL;

        short bin = 0;
        for (; bins[bin] != NULL; bin++)
        {
            list = _Merge(bins[bin], list);
            bins[bin] = NULL;
        }
        bins[bin] = list;
    }

    // The larger a bin, the earlier its objects came.

    obj* all = NULL;
    for (short bin = 0; bin < kNumBins; bin++)
        all = _Merge(bins[bin], all);

    return all;
}

// Gives each object the code of its leaf and sorts the nodes.

static void _UpdateNodes(scalar log2LeafSize)
{
    for (short i = 0; i < gObjectCount; i++)
    {
        obj* o = &gObjects[i];
        o->code = CodeOf(o->x >> log2LeafSize, o->y >> log2LeafSize);
    }

    obj** node = gNodes;
    for (obj* o = _SortedObjects(); o != NULL; o = o->next)
        *node++ = o;
}

// The first node of a leaf, or the end of all nodes if it has none.

static obj** _FindNode(code16 m)
{
#ifndef NO_BOOKKEEPING
    gLookupCount++;
#endif

    obj** const end  = gNodes + gObjectCount;
    obj**       low  = gNodes;
    obj**       high = end;

    while (low < high)
    {
        obj** middle = low + (high - low) / 2;
        if ((*middle)->code < m)
            low = middle + 1;
        else
            high = middle;
    }

    return low < end && (*low)->code == m ? low : end;
}

// The end of the run of nodes of one leaf. The post walks on until the
// code changes; the last run needs another way to end.

static obj** _EndOfLeaf(obj** node)
{
    obj** const end = gNodes + gObjectCount;
    const code16 m  = (*node)->code;

    while (node < end && (*node)->code == m)
        node++;
    return node;
}


//----------------------------------------------------------------------
// testing
//----------------------------------------------------------------------

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

// Circles that merely touch do not collide.

static void _Collide(obj* a, obj* b)
{
    const long dx    = a->x - b->x;
    const long dy    = a->y - b->y;
    const long reach = a->radius + b->radius;

#ifndef NO_BOOKKEEPING
    gTestCount++;
#endif
    if (dx * dx + dy * dy < reach * reach)
        _Report(a, b);
}

// The shorter way from one place to another on a torus.

static long _Way(scalar from, scalar to)
{
    const long way = (to - from) & (kWorldSize - 1);

    return way < kWorldSize / 2 ? way : way - kWorldSize;
}

static void _CollideOnTorus(obj* a, obj* b)
{
    const long dx    = _Way(a->x, b->x);
    const long dy    = _Way(a->y, b->y);
    const long reach = a->radius + b->radius;

#ifndef NO_BOOKKEEPING
    gTestCount++;
#endif
    if (dx * dx + dy * dy < reach * reach)
        _Report(a, b);
}

// Without bookkeeping only the flags of objects that there are.

static void _Begin(scalar log2LeafSize)
{
#ifdef NO_BOOKKEEPING
    memset(gCollisionArray, 0, sizeof *gCollisionArray * gObjectCount);
#else
    memset(gCollisionArray, 0, sizeof gCollisionArray);
    gReportCount = 0;
    gTestCount = 0;
    gLookupCount = 0;
#endif

    _UpdateNodes(log2LeafSize);
}


//----------------------------------------------------------------------
// corrected
//----------------------------------------------------------------------

// Two leaves that adjoin are looked at once, from the one that has the
// other to its right or below. Leaves are at least as wide as the largest
// diameter, so two objects that overlap cannot be farther apart.

static const char kForward[] =
{
    kRight, kBottomLeft, kBottom, kBottomRight
};

typedef void (*collider)(obj* a, obj* b);

static void _Detect(Boolean torusQ, collider collide)
{
    _Begin(kLog2LeafSize);

    obj** const end = gNodes + gObjectCount;
    obj**       start = gNodes;

    while (start < end)
    {
        obj** const  stop = _EndOfLeaf(start);
        const code16 m    = (*start)->code;

        for (obj** a = start; a < stop; a++)
            for (obj** b = a + 1; b < stop; b++)
                collide(*a, *b);

        const int existing = torusQ ? 0xff : ExistingNeighbours<narrow>(m);
        code16    neighbours[kNumNeighbours];

        ListNeighbours<narrow>(m, neighbours);

        for (unsigned i = 0; i < sizeof kForward; i++)
        {
            if ((existing & 1 << kForward[i]) == 0)
                continue;

            const code16 other = neighbours[(int) kForward[i]];

            for (obj** b = _FindNode(other); b < end && (*b)->code == other; b++)
                for (obj** a = start; a < stop; a++)
                    collide(*a, *b);
        }

        start = stop;
    }
}

void DetectCollisions()
{
    _Detect(false, _Collide);
}

void DetectCollisionsOnTorus()
{
    _Detect(true, _CollideOnTorus);
}


//----------------------------------------------------------------------
// as described
//----------------------------------------------------------------------

// How far a place is from a leaf that begins at low; 0 if it is within.

static long _Outside(scalar place, scalar low)
{
    const scalar high = low + (1 << kLog2DescribedSize);

    return place < low ? low - place : place > high ? place - high : 0;
}

// Whether an object's circle reaches into the leaf that holds another.
// Kept as described although it is a defect: two circles can meet outside
// both of their leaves.

static bool _ReachesLeafQ(obj* o, obj* inside)
{
    const scalar leaf = ~((1 << kLog2DescribedSize) - 1);
    const long   dx   = _Outside(o->x, inside->x & leaf);
    const long   dy   = _Outside(o->y, inside->y & leaf);

    return dx * dx + dy * dy < (long) o->radius * o->radius;
}

typedef void (*lister)(code16 m, code16* r);

static void _DetectAsDescribed(lister listNeighbours)
{
    _Begin(kLog2DescribedSize);

    obj** const end = gNodes + gObjectCount;
    obj**       start = gNodes;

    while (start < end)
    {
        obj** const stop = _EndOfLeaf(start);

        for (obj** source = start; source < stop; source++)
            for (obj** candidate = source + 1; candidate < stop; candidate++)
                _Collide(*source, *candidate);

        code16 neighbours[kNumNeighbours];
        listNeighbours((*start)->code, neighbours);

        for (int s = 0; s < kNumNeighbours; s++)
        {
            obj** candidate = _FindNode(neighbours[s]);

            for (; candidate < end && (*candidate)->code == neighbours[s]; candidate++)
                if (_ReachesLeafQ(*candidate, *start))
                    for (obj** source = start; source < stop; source++)
                        _Collide(*source, *candidate);
        }

        start = stop;
    }
}

void DetectCollisionsAsDescribed()
{
    _DetectAsDescribed(ListNeighbours<narrow>);
}

// Every leaf is its own neighbour here, so objects collide with
// themselves, and nobody looks at the row above.

void DetectCollisionsAsPrinted()
{
    _DetectAsDescribed(ListNeighboursOfListing<printed>);
}
