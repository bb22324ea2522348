// blockmap.h
//
// The blockmap, corrected. What was wrong, and where, is told in
// blockmap.cpp; as_printed.cpp still has it.

#ifndef BLOCKMAP_H
#define BLOCKMAP_H

#include "object.h"

enum
{
    // Four for each of 2000 objects that are smaller than a sector.

    kMaxFragments   = 8192,

    // 16 by 16, a world of 2048 by 1536

    kMaxSectors     = 256
};

extern objfrag_t*   sectorlist[kMaxSectors];    // row by row
extern objfrag_t    fraglist[kMaxFragments];
extern int          numfrags;           // of them in use
extern int          maxfrags;           // of them to be used at most
extern int          sectors_x, sectors_y;

// Makes an empty world of world_h by world_v pixels. False if that is
// not a size, or more sectors than there is room for: then there is no
// world, and nothing else may be called.

Boolean world_init();

// Empties all sectors.

void world_purge();

// Files an object under every sector that its box lies in or touches.
// What lies outside the world belongs to the nearest sectors of its
// border. False if there are not fragments enough: then the object is
// filed nowhere, and will not collide until the next purge.

Boolean world_update(obj_t* o);

// Calls collide for each two objects that overlap, once for either of
// them: of the two, first for the one filed later. A collide may change
// its objects, but must file none.

void world_check_collisions();

#endif
