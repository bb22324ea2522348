// neighbours.cpp
//
// Finds the neighbours of many cells, in every way there is, so that they
// can be looked at. See dilated.h and listing.h.

#include "dilated.h"
#include "listing.h"

enum { kMaxCodes = 512 };

// which cells

code16          gCodes[kMaxCodes];
code32          gWideCodes[kMaxCodes];
short           gCodeCount;

// on a torus, and on a plane with a border, where a neighbour that does
// not exist is given as the cell itself

code16          gToroidal[kMaxCodes][kNumNeighbours];
code32          gWideToroidal[kMaxCodes][kNumNeighbours];
code16          gBounded[kMaxCodes][kNumNeighbours];
code32          gWideBounded[kMaxCodes][kNumNeighbours];
unsigned char   gExisting[kMaxCodes];
unsigned char   gWideExisting[kMaxCodes];

// as the listings have it

code16          gPrinted[kMaxCodes][kNumNeighbours];
code16          gRepaired[kMaxCodes][kNumNeighbours];
short           gTopRightPrinted[kMaxCodes];
short           gTopRightRepaired[kMaxCodes];

template <class kind>
static void _FindBounded(typename kind::code m, typename kind::code* r,
                         unsigned char* existing)
{
    *existing = (unsigned char) ExistingNeighbours<kind>(m);

    ListNeighbours<kind>(m, r);
    for (int s = 0; s < kNumNeighbours; s++)
        if ((*existing & 1 << s) == 0)
            r[s] = m;
}

void FindNeighbours()
{
    for (short i = 0; i < gCodeCount; i++)
    {
        ListNeighbours<narrow>(gCodes[i], gToroidal[i]);
        ListNeighbours<wide>(gWideCodes[i], gWideToroidal[i]);

        _FindBounded<narrow>(gCodes[i], gBounded[i], &gExisting[i]);
        _FindBounded<wide>(gWideCodes[i], gWideBounded[i], &gWideExisting[i]);
    }
}

void FindNeighboursAsPrinted()
{
    for (short i = 0; i < gCodeCount; i++)
    {
        ListNeighboursOfListing<printed>(gCodes[i], gPrinted[i]);
        ListNeighboursOfListing<repaired>(gCodes[i], gRepaired[i]);

        gTopRightPrinted[i]  = TopRightOfListing<printed>((short) gCodes[i]);
        gTopRightRepaired[i] = TopRightOfListing<repaired>((short) gCodes[i]);
    }
}
