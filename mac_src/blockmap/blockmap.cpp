// blockmap.cpp
//
// Objects spread over a grid of sectors, so that only those of one
// sector need be compared. An object that reaches over a line of the
// grid has a fragment in each sector, and no neighbours are searched.
// Method: Predator, 2001. See object.h.
//
// Corrected. Wherever the printed listing did something else it is said
// what that led to.

#include <string.h>

#include "blockmap.h"

#define CEILING_DIV(a, b)  (((a) + (b) - 1) / (b))

objfrag_t*  sectorlist[kMaxSectors];
objfrag_t   fraglist[kMaxFragments];
int         numobjs, numfrags;
int         maxfrags = kMaxFragments;
int         sectors_x, sectors_y;
int         world_h, world_v;

// Printed, a sector that the world fills only in part was left out, and
// what lay there was filed in the next row, or beyond the table. A world
// smaller than one sector had none at all.
//
// Printed, the table came from malloc as it was, and to file an object
// before the first purge was to follow whatever pointer lay there.

Boolean world_init()
{
    numobjs   = 0;
    numfrags  = 0;
    sectors_x = 0;
    sectors_y = 0;

    // Each by itself first, for their product may be out of range.

    if (world_h < 1 || world_h > kMaxSectors * SECTOR_H ||
        world_v < 1 || world_v > kMaxSectors * SECTOR_V)
        return false;

    const int columns = CEILING_DIV(world_h, SECTOR_H);
    const int rows    = CEILING_DIV(world_v, SECTOR_V);

    if (columns * rows > kMaxSectors)
        return false;

    sectors_x = columns;
    sectors_y = rows;
    world_purge();
    return true;
}

// Printed, the size of the table was a variable of another function.
// Fragments need no clearing: all of one is set when it is used.

void world_purge()
{
    memset(sectorlist, 0, sizeof *sectorlist * sectors_x * sectors_y);
    numfrags = 0;
}

// In which of so many sectors an edge lies. Printed without limits: an
// edge outside the world, or just on its right or lower border, led out
// of the row or out of the table.
//
// The limits are tested before the edge is made a whole number, so that
// one too far away for that is still in a sector; and rounding towards
// zero, which is wrong below zero, is not met with there.

static short _SectorOf(float edge, int size, int sectors)
{
    if (!(edge >= size))
        return 0;
    if (edge >= size * (sectors - 1))
        return (short) (sectors - 1);
    return (short) ((int) edge / size);
}

// Puts a fragment of an object in front of a sector's list.

static void _AddFragment(obj_t* o, objfrag_t** link)
{
    objfrag_t* f = &fraglist[numfrags++];

    f->o    = o;
    f->prev = NULL;
    f->next = *link;
    if (*link != NULL)
        (*link)->prev = f;
    *link = f;
}

// Printed, fragments beyond the last were dropped without a word, and
// counted all the same. An object lost some of its sectors or all, and
// with them its collisions. Here it has all or none, and one is told.

Boolean world_update(obj_t* o)
{
    const short left   = _SectorOf(o->x,             SECTOR_H, sectors_x);
    const short right  = _SectorOf(o->x + o->width,  SECTOR_H, sectors_x);
    const short top    = _SectorOf(o->y,             SECTOR_V, sectors_y);
    const short bottom = _SectorOf(o->y + o->height, SECTOR_V, sectors_y);

    o->sx = -1;
    o->sy = -1;
    if ((right - left + 1) * (bottom - top + 1) > maxfrags - numfrags)
        return false;

    o->sx = left;
    o->sy = top;
    for (int sy = top; sy <= bottom; sy++)
        for (int sx = left; sx <= right; sx++)
            _AddFragment(o, &sectorlist[sectors_x * sy + sx]);
    return true;
}

// Two objects that share several sectors are compared in the first of
// them only: its column is the first column of one, its row the first
// row of one, not always of the same.
//
// Printed, they were compared in each, and there once as (a, b) and once
// as (b, a), with both functions called each time: four calls a sector.

inline Boolean _FirstSharedQ(const obj_t* a, const obj_t* b, int sx, int sy)
{
    return (a->sx == sx || b->sx == sx)
        && (a->sy == sy || b->sy == sy);
}

static void _CheckSector(objfrag_t* list, int sx, int sy)
{
    for (objfrag_t* f = list; f != NULL; f = f->next)
        for (objfrag_t* ff = f->next; ff != NULL; ff = ff->next)
        {
            obj_t* o  = f->o;
            obj_t* oo = ff->o;

            if (_FirstSharedQ(o, oo, sx, sy) && BOXES_OVERLAP(o, oo))
            {
                if (o->collide != NULL)
                    o->collide(o, oo);
                if (oo->collide != NULL)
                    oo->collide(oo, o);
            }
        }
}

void world_check_collisions()
{
    objfrag_t** link = sectorlist;

    for (int sy = 0; sy < sectors_y; sy++)
        for (int sx = 0; sx < sectors_x; sx++)
            _CheckSector(*link++, sx, sy);
}
