// play_scene.cpp
//
// A game around the blockmap, as small as it can be: objects that move,
// and that say so when they collide. It plays a scene of some frames
// with either form of the blockmap.

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
report_t    gReports[kMaxReports];  // the first calls, in order
int         gReportCount;           // all calls, also those not kept
int         gLostCount;             // objects not filed, over all frames

static void Move(obj_t* self)
{
    self->x += self->dx;
    self->y += self->dy;
}

static void Report(obj_t* self, obj_t* other)
{
    if (gReportCount < kMaxReports)
    {
        gReports[gReportCount].self  = (short) (self  - gObjects);
        gReports[gReportCount].other = (short) (other - gObjects);
    }
    gReportCount++;
}

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
    for (int i = 0; i < numobjs; i++)
    {
        obj_t* o = &gObjects[i];

        if (o->think != NULL)
            o->think(o);
        if (!world_update(o))
            gLostCount++;
    }
}

static Boolean BeginScene()
{
    gReportCount = 0;
    gLostCount   = 0;
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
