// game.h
//
// What the ways to keep the pairs share with the game. See collider.h.

#ifndef GAME_H
#define GAME_H

#include "collider.h"

// Critters have places here, by number, whether they are alive or not.

struct cGame
{
    union place
    {
        long    aligned;
        char    bytes[sizeof(cCritter) + sizeof(long)];
    };

    cCollider*  _pcollider;
    long        _made;
    cCritter*   _critters[kMaxCritters];
    place       _places[kMaxCritters];
};

extern cGame gGame;

// Pairs that are in no collection, for those ways to keep them that make
// and delete pairs. A deleted one is overwritten, so that whoever still
// uses it is seen: no pointer it seems to hold leads anywhere.

class cPairRoom
{
public:
    void            clear();
    cColliderPair*  make(cCritter* pcaller, cCritter* parg);
    void            destroy(cColliderPair* ppair);

private:
    enum { kRuin = 0xDB };

    short           _count;             // of those ever made
    cColliderPair*  _pfree;
    cColliderPair   _pairs[kMaxPairs];
};

extern cPairRoom gPairRoom;

// Plays gSteps. The collider begins and ends without pairs, or with some
// that are nobody's business any more.

void PlayWith(cCollider* pcollider);

#endif
