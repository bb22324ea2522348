// as_printed.cpp
//
// The blockmap as Predator's listing of 2001 has it: what is computed,
// in which order, and what goes wrong. See blockmap.cpp for what is right.
//
// The listing itself does not compile: world_purge uses a variable that
// belongs to the function before it. What its author must have meant is
// the form here. COUNT_LEFT_LOCAL gives the listing's, for a compiler to
// refuse, and COUNT_DECLARED_TWICE what a reader in a hurry makes of it.

#include <string.h>

#include "as_printed.h"

objfrag_t** sectorlist;
objfrag_t   fraglist[MAX_FRAGM];
int         numobjs, numfrags;
int         sectors_x, sectors_y;
int         world_h, world_v;

// This stands for malloc, which like this one clears nothing. Whoever
// wants to see what is written outside the table can put it elsewhere.

objfrag_t*  gTable[kTableRoom];
objfrag_t** gHeap = gTable;

static objfrag_t** NewTable(int bytes)
{
    (void) bytes;
    return gHeap;
}

#ifndef COUNT_LEFT_LOCAL
int count;                          // bytes of the table
#endif

// Defects: a sector that the world fills only in part is left out, and
// the table holds whatever the memory held before.

Boolean world_init()
{
#if defined(COUNT_LEFT_LOCAL) || defined(COUNT_DECLARED_TWICE)
    int count;                      // if there is another, that stays 0
#endif

    numobjs    = 0;
    numfrags   = 0;
    sectors_x  = world_h / SECTOR_H;
    sectors_y  = world_v / SECTOR_V;
    count      = (int) sizeof *sectorlist * sectors_x * sectors_y;
    sectorlist = NewTable(count);
    return true;
}

// The second memset changes nothing that is ever looked at, as one finds
// by POOL_NOT_CLEARED.

void world_purge()
{
    memset(sectorlist, 0, count);
#ifndef POOL_NOT_CLEARED
    memset(fraglist, 0, sizeof fraglist);
#endif
    numfrags = 0;
}

// Defects: a fragment that finds no room is dropped without a word, and
// still counted; and sx and sy may lead out of the row or the table.

static void world_sectorize(obj_t* o, int sx, int sy)
{
    const int place = numfrags++;

    if (place >= MAX_FRAGM)
        return;

    objfrag_t** const head   = &sectorlist[sectors_x * sy + sx];
    objfrag_t* const  behind = *head;

    *head = &fraglist[place];
    (*head)->o    = o;
    (*head)->next = behind;
    (*head)->prev = NULL;
    if (behind != NULL)
        behind->prev = *head;
}

// The loops that the listing suggests in a comment. Defects: rounding
// towards zero is only right above zero, and nothing is limited.

Boolean world_update(obj_t* o)
{
    const int x = (int) o->x;
    const int y = (int) o->y;
    const int last_x = (x + o->width)  / SECTOR_H;
    const int last_y = (y + o->height) / SECTOR_V;

    for (int sy = y / SECTOR_V; sy <= last_y; sy++)
        for (int sx = x / SECTOR_H; sx <= last_x; sx++)
            world_sectorize(o, sx, sy);
    return true;
}

// Defect: every sector that two objects share has them compared twice,
// and each time both functions are called. To be sure of one call for
// each object the listing suggests to leave out the second call, which is
// ONE_CALL_ONLY, or to count collisions.

void world_check_collisions()
{
    for (int i = 0; i < sectors_x * sectors_y; i++)
        for (objfrag_t* f = sectorlist[i]; f; f = f->next)
        {
            obj_t* o = f->o;

            for (objfrag_t* ff = sectorlist[i]; ff; ff = ff->next)
            {
                obj_t* oo = ff->o;

                if (o != oo && BOXES_OVERLAP(o, oo))
                {
                    if (o->collide)
                        o->collide(o, oo);
#ifndef ONE_CALL_ONLY
                    if (oo->collide)
                        oo->collide(oo, o);
#endif
                }
            }
        }
}
