// object.h
//
// What both forms of the blockmap share: the objects, their fragments,
// and when two boxes overlap.
//
// The method, "Blockmap Algorithm", is by Predator (July 2001, Code of
// the Day at flipcode). This text was written afresh for macproof from
// the behaviour of the listing printed there; the names that a reader of
// it would look for are kept.

#ifndef OBJECT_H
#define OBJECT_H

#include <stddef.h>

#if defined(macintosh) || defined(__MWERKS__)
#include <Types.h>
#else
typedef unsigned char Boolean;
#endif

#define SECTOR_H    128             // width of a sector, in pixels
#define SECTOR_V    96              // height of a sector

// A box, and what is to be done with it.

typedef struct obj_s
{
    float   x, y;                   // upper left corner, in pixels
    int     width, height;

    void    (*think)(obj_s* self);                  // each frame, or NULL
    void    (*collide)(obj_s* self, obj_s* other);  // or NULL

    // Where the corrected form filed it: the column and row of the first
    // of its sectors. A column of -1: nowhere, for want of fragments.

    short   sx, sy;

    // The listing leaves the rest to the game. This is ours.

    int     kind;                   // see kThinks and the others
    int     dx, dy;                 // pixels moved each frame
} obj_t;

// An object's share of one sector.

typedef struct objfrag_s
{
    obj_t*      o;
    objfrag_s*  next;
    objfrag_s*  prev;
} objfrag_t;

// The listing leaves this test to the game as well. Boxes that merely
// touch do not overlap, and one without width or height overlaps only
// what it lies strictly inside of. Every sum of a corner and a size must
// be exact in a float, or processors may come to different answers.

#define BOXES_OVERLAP(a, b)                     \
    ((a)->x < (b)->x + (b)->width   &&          \
     (b)->x < (a)->x + (a)->width   &&          \
     (a)->y < (b)->y + (b)->height  &&          \
     (b)->y < (a)->y + (a)->height)

// Of the world, whichever form it has.

extern int  numobjs;                // objects in the world
extern int  world_h, world_v;       // its width and height, in pixels

Boolean world_init();
void    world_purge();
Boolean world_update(obj_t* o);
void    world_check_collisions();

#endif
