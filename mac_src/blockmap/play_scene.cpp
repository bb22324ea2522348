// play_scene.cpp
//
// A game around the blockmap, as small as it can be: objects that move,
// and that say so when they collide. It plays a scene of some frames
// with either form of the blockmap.
//
// Reports and counts are for whoever verifies it. With NO_BOOKKEEPING
// defined the functions called are the same, but all they note is that an
// object was told of a collision in this frame, so that it can be told
// what the method itself costs.

#include <string.h>

#include "object.h"

enum
{
    kMaxObjects = 2048,
    kMaxReports = 4096,

    // what an object does, added up

    kThinks     = 1,                // moves each frame
    kReports    = 2,                // reports its collisions
    kTurns      = 4                 // reports them, and turns round
};

struct report_t
{
    short self, other;              // places in gObjects
};

// a scene

obj_t       gObjects[kMaxObjects];
int         gObjectCount;
int         gFrameCount;

// and what comes of it

Boolean     gWorldMade;

#ifdef NO_BOOKKEEPING
Boolean     gCollisionArray[kMaxObjects];   // 1: told in the last frame
#else
report_t    gReports[kMaxReports];  // the first calls, in order
int         gReportCount;           // all calls, also those not kept
int         gLostCount;             // objects not filed, over all frames
#endif

static void Move(obj_t* self)
{
    self->x += self->dx;
    self->y += self->dy;
}

#ifdef NO_BOOKKEEPING

static void Report(obj_t* self, obj_t*)
{
    gCollisionArray[self - gObjects] = 1;
}

#else

static void Report(obj_t* self, obj_t* other)
{
    if (gReportCount < kMaxReports)
    {
        gReports[gReportCount].self  = (short) (self  - gObjects);
        gReports[gReportCount].other = (short) (other - gObjects);
    }
    gReportCount++;
}

#endif

// An object that is told of one collision turns round; told twice it goes
// on as before.

static void ReportAndTurn(obj_t* self, obj_t* other)
{
    Report(self, other);
    self->dx = -self->dx;
    self->dy = -self->dy;
}

static void EnterObjects()
{
    for (int i = 0; i < gObjectCount; i++)
    {
        obj_t* o = &gObjects[i];

        o->think   = o->kind & kThinks ? Move : NULL;
        o->collide = o->kind & kTurns   ? ReportAndTurn
                   : o->kind & kReports ? Report : NULL;
        numobjs++;
    }
}

static void LeaveObjects()
{
    for (int i = 0; i < numobjs; i++)
    {
        gObjects[i].think   = NULL;
        gObjects[i].collide = NULL;
    }
}

static void UpdateObjects()
{
#ifdef NO_BOOKKEEPING
    memset(gCollisionArray, 0, sizeof *gCollisionArray * numobjs);
#endif

    for (int i = 0; i < numobjs; i++)
    {
        obj_t* o = &gObjects[i];

        if (o->think != NULL)
            o->think(o);
#ifdef NO_BOOKKEEPING
        world_update(o);
#else
        if (!world_update(o))
            gLostCount++;
#endif
    }
}

static Boolean BeginScene()
{
#ifndef NO_BOOKKEEPING
    gReportCount = 0;
    gLostCount   = 0;
#endif
    gWorldMade   = world_init();
    if (gWorldMade)
        EnterObjects();
    return gWorldMade;
}

// The order that the listing must have meant: its purge is the first
// thing in a frame, before any object is filed.

void PlayScene()
{
    if (!BeginScene())
        return;
    for (int frame = 0; frame < gFrameCount; frame++)
    {
        world_purge();
        UpdateObjects();
        world_check_collisions();
    }
    LeaveObjects();
}

// The other order it allows: purged when a frame is over. The first frame
// then meets the table as world_init left it.

void PlaySceneAndPurge()
{
    if (!BeginScene())
        return;
    for (int frame = 0; frame < gFrameCount; frame++)
    {
        UpdateObjects();
        world_check_collisions();
        world_purge();
    }
    LeaveObjects();
}
