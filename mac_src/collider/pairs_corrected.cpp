// pairs_corrected.cpp
//
// The pairs in a list as well, but each possible pair has a place of its
// own in a table. That tells at once whether a pair is in the list, and
// leads from a critter to its pairs without a search. See collider.h.

#include <string.h>

#include "game.h"

class cTableCollider : public cCollider
{
public:
    void begin();
    void end();

    virtual void smartAdd(cCritter* pcritter, cCritter* pcritterother);
    virtual void removeReferencesTo(cCritter* pcritter);
    virtual void iterateCollide();
    virtual void critterDies(cCritter* pcritter);
    virtual void report();

private:
    cColliderPair*  place(short number, short other);
    bool            goesFirst(cCritter* pcritter, cCritter* pcritterother);
    void            AddTail(cColliderPair* ppair);
    void            Remove(cColliderPair* ppair);

    cColliderPair*  _phead;
    cColliderPair*  _ptail;
    bool            _iterating;
    short           _dyingCount;
    cCritter*       _dying[kMaxCritters];       // in the order of death
};

// A pair without a caller is in no list.

static cColliderPair gPlaces[kMaxPairs];

// Triangular: a pair has one place, whichever of the two is named first.

cColliderPair* cTableCollider::place(short number, short other)
{
    const short high = number > other ? number : other;
    const short low  = number > other ? other : number;

    return &gPlaces[high * (high - 1) / 2 + low];
}

void cTableCollider::begin()
{
    _phead = _ptail = NULL;
    _iterating = false;
    _dyingCount = 0;
}

void cTableCollider::end()
{
    memset(gPlaces, 0, sizeof gPlaces);
}

void cTableCollider::AddTail(cColliderPair* ppair)
{
    ppair->_pnext = NULL;
    ppair->_pprev = _ptail;
    if (_ptail != NULL)
        _ptail->_pnext = ppair;
    else
        _phead = ppair;
    _ptail = ppair;
}

void cTableCollider::Remove(cColliderPair* ppair)
{
    if (ppair->_pprev != NULL)
        ppair->_pprev->_pnext = ppair->_pnext;
    else
        _phead = ppair->_pnext;

    if (ppair->_pnext != NULL)
        ppair->_pnext->_pprev = ppair->_pprev;
    else
        _ptail = ppair->_pprev;

    ppair->_pcrittercaller = NULL;
}

// Who calls where the codes do not say: the one of higher priority, of
// equals the older one. Neither depends on the order of arguments.

bool cTableCollider::goesFirst(cCritter* pcritter, cCritter* pcritterother)
{
    if (pcritter->_collidepriority != pcritterother->_collidepriority)
        return pcritter->_collidepriority > pcritterother->_collidepriority;
    return pcritter->_age < pcritterother->_age;
}

// A code that is not known is a refusal: better no collision than one
// that nobody asked for.

inline bool _Willing(int code)
{
    return code == cCollider::COLLIDEASCALLER
        || code == cCollider::COLLIDEEITHERWAY
        || code == cCollider::COLLIDEASARG;
}

void cTableCollider::smartAdd(cCritter* pcritter, cCritter* pcritterother)
{
    if (pcritter == pcritterother)
        return;

    cColliderPair* ppair = place(pcritter->_number, pcritterother->_number);
    if (ppair->_pcrittercaller != NULL)
        return;

    const int code  = pcritter->collidesWith(pcritterother);
    const int other = pcritterother->collidesWith(pcritter);

    if (!_Willing(code) || !_Willing(other))
        return;

    const bool first  = code == COLLIDEASCALLER || other == COLLIDEASARG;
    const bool second = other == COLLIDEASCALLER || code == COLLIDEASARG;
    bool callsQ = first;

    if (first == second)
    {
        callsQ = goesFirst(pcritter, pcritterother);
        if (first)
            gClashCount++;      // one of them does not get what it demands
    }

    ppair->_pcrittercaller = callsQ ? pcritter : pcritterother;
    ppair->_pcritterarg    = callsQ ? pcritterother : pcritter;
    AddTail(ppair);
}

void cTableCollider::removeReferencesTo(cCritter* pcritter)
{
    for (short i = 0; i < kMaxCritters; i++)
    {
        if (i == pcritter->_number || gGame._critters[i] == NULL)
            continue;

        cColliderPair* ppair = place(pcritter->_number, i);

        gVisitCount++;
        if (ppair->_pcrittercaller != NULL)
        {
            Remove(ppair);
            gRemoveCount++;
        }
    }
}

void cTableCollider::critterDies(cCritter* pcritter)
{
    if (!_iterating)
        delete pcritter;
    else if (!pcritter->_dying)
    {
        pcritter->_dying = true;
        _dying[_dyingCount++] = pcritter;
    }
}

// No pair leaves the list while it is walked. The dying collide no more.

void cTableCollider::iterateCollide()
{
    _iterating = true;
    for (cColliderPair* ppair = _phead; ppair != NULL; ppair = ppair->_pnext)
        if (!ppair->_pcrittercaller->_dying && !ppair->_pcritterarg->_dying)
            ppair->collideThePair();
    _iterating = false;

    for (short i = 0; i < _dyingCount; i++)
        delete _dying[i];
    _dyingCount = 0;
}

void cTableCollider::report()
{
    for (cColliderPair* ppair = _phead; ppair != NULL; ppair = ppair->_pnext)
        reportPair(ppair);
}

void PlayCorrected()
{
    cTableCollider collider;

    collider.begin();
    PlayWith(&collider);
    collider.end();
}
