// pairs_as_described.cpp
//
// The pairs in a list, and in an array for comparison, with smartAdd as
// the book prints it. See collider.h.

#include <string.h>

#include "game.h"

class cDescribedCollider : public cCollider
{
public:
    virtual void smartAdd(cCritter* pcritter, cCritter* pcritterother);
    virtual void critterDies(cCritter* pcritter)    { delete pcritter; }

protected:
    virtual void AddTail(cColliderPair* ppair) = 0;
};

// Kept as printed: the code of the other counts only if it refuses, and
// any code that is not known counts as COLLIDEASARG.

void cDescribedCollider::smartAdd(cCritter* pcritter,
                                  cCritter* pcritterother)
{
    const int code  = pcritter->collidesWith(pcritterother);
    const int other = pcritterother->collidesWith(pcritter);

    if (code == DONTCOLLIDE || other == DONTCOLLIDE)
        return;

    if (code == COLLIDEASCALLER || code == COLLIDEEITHERWAY)
        AddTail(gPairRoom.make(pcritter, pcritterother));
    else
        AddTail(gPairRoom.make(pcritterother, pcritter));

    // The book asserts the opposite here, commented out.

    if (code != -other)
        gClashCount++;
}


//----------------------------------------------------------------------
// in a list
//----------------------------------------------------------------------

// What a list of MFC does, as far as it is used: a POSITION is a node,
// and GetNext gives its element and moves it on in one.

class cListCollider : public cDescribedCollider
{
public:
    typedef cColliderPair* POSITION;

    cListCollider()     { _phead = _ptail = NULL; }

    virtual void removeReferencesTo(cCritter* pcritter);
    virtual void iterateCollide();
    virtual void report();

protected:
    virtual void AddTail(cColliderPair* ppair);

private:
    POSITION        GetHeadPosition() const     { return _phead; }
    cColliderPair*  GetNext(POSITION& position) const;
    void            RemoveAt(POSITION position);

    cColliderPair*  _phead;
    cColliderPair*  _ptail;
};

void cListCollider::AddTail(cColliderPair* ppair)
{
    ppair->_pnext = NULL;
    ppair->_pprev = _ptail;
    if (_ptail != NULL)
        _ptail->_pnext = ppair;
    else
        _phead = ppair;
    _ptail = ppair;
}

cColliderPair* cListCollider::GetNext(POSITION& position) const
{
    cColliderPair* ppair = position;
    position = ppair->_pnext;
    return ppair;
}

void cListCollider::RemoveAt(POSITION position)
{
    if (position->_pprev != NULL)
        position->_pprev->_pnext = position->_pnext;
    else
        _phead = position->_pnext;

    if (position->_pnext != NULL)
        position->_pnext->_pprev = position->_pprev;
    else
        _ptail = position->_pprev;
}

void cListCollider::removeReferencesTo(cCritter* pcritter)
{
    POSITION position = GetHeadPosition();

    while (position != NULL)
    {
        POSITION here = position;
        cColliderPair* ppair = GetNext(position);

        gVisitCount++;
        if (ppair->mentions(pcritter))
        {
            RemoveAt(here);
            gPairRoom.destroy(ppair);
            gRemoveCount++;
        }
    }
}

void cListCollider::iterateCollide()
{
    POSITION position = GetHeadPosition();

    while (position != NULL)
        GetNext(position)->collideThePair();
}

void cListCollider::report()
{
    POSITION position = GetHeadPosition();

    while (position != NULL)
        reportPair(GetNext(position));
}

void PlayAsDescribed()
{
    cListCollider collider;
    PlayWith(&collider);
}


//----------------------------------------------------------------------
// in an array
//----------------------------------------------------------------------

class cArrayCollider : public cDescribedCollider
{
public:
    cArrayCollider()    { _count = 0; }

    virtual void removeReferencesTo(cCritter* pcritter);
    virtual void iterateCollide();
    virtual void report();

protected:
    virtual void AddTail(cColliderPair* ppair)  { _pairs[_count++] = ppair; }

private:
    void RemoveAt(short index);

    short           _count;
    cColliderPair*  _pairs[kMaxPairs];
};

// All that come after it move down by one.

void cArrayCollider::RemoveAt(short index)
{
    _count--;
    for (short i = index; i < _count; i++)
    {
        _pairs[i] = _pairs[i + 1];
        gMoveCount++;
    }
}

void cArrayCollider::removeReferencesTo(cCritter* pcritter)
{
    short i = 0;

    while (i < _count)
    {
        cColliderPair* ppair = _pairs[i];

        gVisitCount++;
        if (ppair->mentions(pcritter))
        {
            RemoveAt(i);
            gPairRoom.destroy(ppair);
            gRemoveCount++;
        }
        else
            i++;
    }
}

void cArrayCollider::iterateCollide()
{
    for (short i = 0; i < _count; i++)
        _pairs[i]->collideThePair();
}

void cArrayCollider::report()
{
    for (short i = 0; i < _count; i++)
        reportPair(_pairs[i]);
}

void PlayOnArray()
{
    cArrayCollider collider;
    PlayWith(&collider);
}
