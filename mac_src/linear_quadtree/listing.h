// listing.h
//
// The neighbour routines as the post on linear quadtrees prints them:
// what they compute, written afresh, defects included. See dilated.h for
// the arithmetic as it has to be.
//
// Both take one off a coordinate with a constant that is not the dilated
// one. In kPrinted these are the constants of the listings, in kRepaired
// those that make them right; nothing else needs to change.

#ifndef LISTING_H
#define LISTING_H

#include "dilated.h"

struct printed
{
    enum { kMinusOne = 0xffff, kGoLeft = -1, kGoUp = -1 };
};

struct repaired
{
    enum { kMinusOne = 0x5555, kGoLeft = 0x5555, kGoUp = 0xaaaa };
};

// The cell above and to the right. Printed, the result is signed, so the
// lower half of the plane comes out negative and is equal to no code.

template <class constants>
inline short TopRightOfListing(short m)
{
    const unsigned int x = ((m & narrow::kMaskX) - (unsigned) constants::kMinusOne)
                           & narrow::kMaskX;
    const unsigned int y = ((m & narrow::kMaskY) - 1U) & narrow::kMaskY;

    return (short) (x | y);
}

// The eight neighbours on a torus, in the steps of the inline assembly:
// x and y with their gaps filled, a step added to each, and the gaps
// cleared again.

template <class constants>
inline void ListNeighboursOfListing(code16 m, code16* r)
{
    const unsigned int across = m | narrow::kMaskY;
    const unsigned int down   = m | narrow::kMaskX;

    const unsigned int right = (across + 1) & narrow::kMaskX;
    const unsigned int left  = (across + (unsigned) constants::kGoLeft)
                               & narrow::kMaskX;
    const unsigned int below = (down + 1) & narrow::kMaskY;
    const unsigned int above = (down + (unsigned) constants::kGoUp)
                               & narrow::kMaskY;
    const unsigned int x = across & narrow::kMaskX;
    const unsigned int y = down & narrow::kMaskY;

    r[kTopLeft]     = (code16) (left  | above);
    r[kTop]         = (code16) (x     | above);
    r[kTopRight]    = (code16) (right | above);
    r[kLeft]        = (code16) (left  | y);
    r[kRight]       = (code16) (right | y);
    r[kBottomLeft]  = (code16) (left  | below);
    r[kBottom]      = (code16) (x     | below);
    r[kBottomRight] = (code16) (right | below);
}

#endif
