// routines.cpp: see routines.h.

#include "routines.h"

#include "four_shifts.h"

static unsigned long _AddShort(unsigned long digest, long n)
{
    digest = AddToDigest(digest, (unsigned char) (n >> 8));
    return AddToDigest(digest, (unsigned char) n);
}

enum { kNobody = 0xFFFF, kElsewhere = 0xFFFE };


//----------------------------------------------------------------------
// four_shifts
//----------------------------------------------------------------------

// A scene begins from nothing: what the routine does with no objects
// depends on what is in the place of the first.

static void _FourShiftsSetUp(const Scene* scene)
{
    for (short i = 0; i < kMaxObjects; i++)
    {
        obj* o = &gObjects[i];

        o->x = o->y = 0;
        o->sector_link = o->obj_link = NULL;
        gCollisionArray[i] = 0;
    }
    for (short i = 0; i < scene->objects; i++)
    {
        obj* o = &gObjects[i];

        o->x = scene->corners[i].x;
        o->y = scene->corners[i].y;
        o->obj_link = i + 1 < scene->objects ? o + 1 : NULL;
    }
}

static Boolean _FourShiftsCollided(long object)
{
    return gCollisionArray[object] != 0;
}

// An object by its number, for addresses differ between machines.

static unsigned long _AddObject(unsigned long digest, const obj* o)
{
    if (o == NULL)
        return _AddShort(digest, kNobody);
    for (short i = 0; i < kMaxObjects; i++)
        if (o == &gObjects[i])
            return _AddShort(digest, i);
    return _AddShort(digest, kElsewhere);
}

static unsigned long _FourShiftsObserve(long objects)
{
    unsigned long digest = kEmptyDigest;

    for (short i = 0; i < kMaxObjects; i++)
        digest = AddToDigest(digest, gCollisionArray[i]);
    for (short x = 0; x < kNumXSectors; x++)
        for (short y = 0; y < kNumYSectors; y++)
            digest = _AddObject(digest, gSectorArray[x][y]);

    // The routine takes no objects for one.

    for (short i = 0; i < (objects > 0 ? objects : 1); i++)
        digest = _AddObject(digest, gObjects[i].sector_link);
    return digest;
}


//----------------------------------------------------------------------
// the table
//----------------------------------------------------------------------

const Routine gRoutines[] =
{
    { "four-shifts", kMaxObjects, 671, 543, kRectSize,
      _FourShiftsSetUp, _DetermineCollisions, _FourShiftsCollided, _FourShiftsObserve }
};

const short gRoutineCount = sizeof gRoutines / sizeof *gRoutines;

Boolean Takes(const Routine* routine, const Scene* scene)
{
    if (scene->objects > routine->mostObjects)
        return false;
    for (long i = 0; i < scene->objects; i++)
        if (scene->corners[i].x > routine->farthestX ||
            scene->corners[i].y > routine->farthestY)
            return false;
    return true;
}
