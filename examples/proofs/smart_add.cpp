// smart_add.cpp
//
// What smartAdd makes of two demands: who calls whom, or that nobody
// does. smartAdd as the book prints it, in pairs_as_described.cpp, with
// two critters that answer as they are told.

#include "collider.cpp"
#include "pairs_as_described.cpp"

enum { kNobody, kFirst, kSecond };

short gCaller;              // who is to call the other

class cSeenCollider : public cDescribedCollider
{
public:
    cSeenCollider(cCritter* pfirst) : _pfirst(pfirst) {}

    virtual void removeReferencesTo(cCritter*) {}
    virtual void iterateCollide() {}
    virtual void report() {}

protected:
    virtual void AddTail(cColliderPair* ppair)
    {
        gCaller = ppair->_pcrittercaller == _pfirst ? kFirst : kSecond;
    }

private:
    cCritter* _pfirst;
};

void AddTwo(short demand, short other)
{
    cCritter* const pfirst = new (gGame._places[0].bytes) cCritterDemanding(0, 0, demand);
    cCritter* const psecond = new (gGame._places[1].bytes) cCritterDemanding(1, 0, other);
    cSeenCollider   collider(pfirst);

    gCaller = kNobody;
    gClashCount = 0;
    collider.smartAdd(pfirst, psecond);
}
