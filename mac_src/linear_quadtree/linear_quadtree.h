// linear_quadtree.h
//
// Collision detection with a linear quadtree: objects are sorted by the
// Morton code of their leaf, all leaves being of one size, and only
// objects of one leaf or of neighbouring leaves are tested.
//
// The method is described in a forum post on collision detection for the
// PSP, whose author is not named in our copy; sorting and looking up are
// left open there. Written afresh for macproof, in two forms:
//
//   as described   leaves larger than the largest radius; all eight
//                  neighbours; a candidate is tested only if its circle
//                  reaches into the leaf at hand. Pairs are reported up
//                  to twice, and some not at all.
//   corrected      leaves at least one largest diameter wide; half the
//                  neighbours, since the other half look back; every
//                  candidate is tested. Every pair that overlaps is
//                  reported once.

#ifndef LINEAR_QUADTREE_H
#define LINEAR_QUADTREE_H

#if defined(macintosh) || defined(__MWERKS__)
#include <Types.h>
#else
typedef unsigned char Boolean;
#endif

#include "dilated.h"

// the fastest integer of the processor

#if defined(powerc) || defined(__powerc) || defined(__mips__)
typedef int   scalar;
#else
typedef short scalar;
#endif

enum
{
    kMaxObjects         = 2000,
    kMaxReports         = 4000,     // that are kept; more are only counted
    kMaxRadius          = 15,

    // Sizes of a leaf: 32 pixels are more than a diameter, 16 just more
    // than a radius.

    kLog2LeafSize       = 5,
    kLog2DescribedSize  = 4,

    // There are 256 x 256 leaves, so coordinates are 0..8191, or 0..4095
    // in the form as described. On a torus what lies beyond is at the
    // other end.

    kNumCells           = 256,
    kWorldSize          = kNumCells << kLog2LeafSize
};

struct obj
{
    scalar  x, y;           // centre, in pixels
    scalar  radius;         // 1..kMaxRadius
    code16  code;           // of the leaf that holds the centre
    obj*    next;           // in the order of codes
};

struct report
{
    short   first, second;  // indices of two objects that overlap
};

extern obj              gObjects[kMaxObjects];
extern short            gObjectCount;

extern obj*             gNodes[kMaxObjects];            // sorted by code
extern Boolean          gCollisionArray[kMaxObjects];   // 1: hits some other

// Reports and counts are for whoever verifies a routine; to find out who
// collides takes neither. With NO_BOOKKEEPING defined they are left out,
// and flags beyond the last object are left as they are, so that it can
// be told what the method itself costs. All else is the same.

#ifndef NO_BOOKKEEPING
extern report           gReports[kMaxReports];
extern unsigned long    gReportCount;
extern unsigned long    gTestCount;                     // of two circles
extern unsigned long    gLookupCount;                   // of a code
#endif

void DetectCollisions();                // corrected, on a plane
void DetectCollisionsOnTorus();         // corrected, on a torus
void DetectCollisionsAsDescribed();     // with neighbours as they should be
void DetectCollisionsAsPrinted();       // with the neighbours of the listing

#endif
