// trivial_loops.cpp
//
// The loops over all objects that the post on linear quadtrees begins
// with: who is compared with whom, counted. What they compare is left out.

long gObjectCount;

long gFirstCalls,  gFirstWithItself;
long gSecondCalls, gSecondWithItself;

// Called through a pointer, so that a compiler leaves the loops as they
// are.

struct tally
{
    long calls, withItself;
};

static void _Collide(tally* t, long a, long b)
{
    t->calls++;
    t->withItself += a == b;
}

typedef void (*collide_function)(tally*, long, long);

static collide_function volatile gCollide;

static void _Give(const tally& first, const tally& second)
{
    gFirstCalls       = first.calls;
    gFirstWithItself  = first.withItself;
    gSecondCalls      = second.calls;
    gSecondWithItself = second.withItself;
    gCollide          = 0;
}

// Defects: the first compares every pair twice, and both compare every
// object with itself.

void CompareAsDescribed()
{
    tally first = { 0, 0 }, second = { 0, 0 };

    gCollide = _Collide;
    for (long a = 0; a < gObjectCount; a++)
        for (long b = 0; b < gObjectCount; b++)
            gCollide(&first, a, b);
    for (long a = 0; a < gObjectCount; a++)
        for (long b = a; b < gObjectCount; b++)
            gCollide(&second, a, b);
    _Give(first, second);
}

void CompareEachPairOnce()
{
    tally both = { 0, 0 };

    gCollide = _Collide;
    for (long a = 0; a < gObjectCount; a++)
        for (long b = a + 1; b < gObjectCount; b++)
            gCollide(&both, a, b);
    _Give(both, both);
}
