// collider.cpp
//
// The critters, the game, and the scripts that are played. Ways to keep
// the pairs have files of their own. See collider.h.

#include <string.h>

#include "game.h"

step            gSteps[kMaxSteps];
short           gStepCount;

Boolean         gLive[kMaxCritters];
couple          gPairs[kMaxPairs];
unsigned long   gPairCount;
call            gLog[kMaxLog];
unsigned long   gCallCount;
unsigned long   gVisitCount;
unsigned long   gMoveCount;
unsigned long   gRemoveCount;
unsigned long   gClashCount;

class cCritterWall : public cCritter
{
public:
    cCritterWall(short number, Real p) : cCritter(number, p) {}

    virtual int  kind() const   { return kWall; }
    virtual int  collidesWith(cCritter* pcritterother);
    virtual void collide(cCritter* pcritter);
};

class cCritterBullet : public cCritter
{
public:
    cCritterBullet(short number, Real p) : cCritter(number, p) {}

    virtual int  kind() const   { return kBullet; }
    virtual void collide(cCritter* pcritter);
};

class cCritterArmedPlayer : public cCritter
{
public:
    cCritterArmedPlayer(short number, Real p) : cCritter(number, p)
    {
        _health = 3;
    }

    virtual int  kind() const   { return kPlayer; }
    virtual void collide(cCritter* pcritter);
};

// any other child that overrides collidesWith

class cCritterDemanding : public cCritter
{
public:
    cCritterDemanding(short number, Real p, short demand)
        : cCritter(number, p), _demand(demand) {}

    virtual int  kind() const               { return kDemanding; }
    virtual int  collidesWith(cCritter*)    { return _demand; }

private:
    short   _demand;
};

// No kind of critter is larger than its place.

typedef char aPlaceHoldsAny
    [sizeof(cCritterDemanding) <= sizeof(cGame::place) ? 1 : -1];

cGame gGame;


//----------------------------------------------------------------------
// critters
//----------------------------------------------------------------------

cCritter::cCritter(short number, Real collidepriority)
{
    _number = number;
    _collidepriority = collidepriority;
    _health = 2;
    _touched = -1;
    _dying = false;
    _age = gGame._made++;
}

cCritter::~cCritter()
{
    gGame._pcollider->removeReferencesTo(this);
    gGame._critters[_number] = NULL;
}

int cCritter::kind() const
{
    return kOther;
}

// The one of higher priority calls the other's.

int cCritter::collidesWith(cCritter* pcritterother)
{
    if (_collidepriority > pcritterother->_collidepriority)
        return cCollider::COLLIDEASCALLER;
    if (_collidepriority < pcritterother->_collidepriority)
        return cCollider::COLLIDEASARG;
    return cCollider::COLLIDEEITHERWAY;
}

static void _Log(cCritter* pcaller, cCritter* parg, short method)
{
    if (gCallCount < kMaxLog)
    {
        call* c = &gLog[gCallCount];
        c->caller   = pcaller->_number;
        c->argument = parg->_number;
        c->method   = method;
    }
    gCallCount++;
}

// Here the book computes how two disks bounce.

void cCritter::collide(cCritter* pcritter)
{
    _Log(this, pcritter, kAsDisks);
}

void cCritter::damage()
{
    if (--_health == 0)
        die();
}

void cCritter::die()
{
    gGame._pcollider->critterDies(this);
}

int cCritterWall::collidesWith(cCritter* pcritterother)
{
    if (pcritterother->kind() == kWall)
        return cCollider::DONTCOLLIDE;
    return cCritter::collidesWith(pcritterother);
}

void cCritterWall::collide(cCritter* pcritter)
{
    _Log(this, pcritter, kBounced);
}

// A bullet is used up by the target that it damages.

void cCritterBullet::collide(cCritter* pcritter)
{
    if (touching(pcritter) && pcritter->kind() == kOther)
    {
        _Log(this, pcritter, kDamaged);
        pcritter->damage();
        die();
    }
    else
        cCritter::collide(pcritter);
}

void cCritterArmedPlayer::collide(cCritter* pcritter)
{
    if (touching(pcritter))
    {
        _Log(this, pcritter, kHurt);
        damage();
    }
    else
        cCritter::collide(pcritter);
}


//----------------------------------------------------------------------
// pairs
//----------------------------------------------------------------------

void cCollider::reportPair(cColliderPair* ppair)
{
    couple* c = &gPairs[gPairCount++];
    c->caller   = ppair->_pcrittercaller->_number;
    c->argument = ppair->_pcritterarg->_number;
}

cPairRoom gPairRoom;

void cPairRoom::clear()
{
    memset(_pairs, 0, _count * sizeof(cColliderPair));
    _pfree = NULL;
    _count = 0;
}

// A free pair keeps the next free one where a used one has the one
// before it.

cColliderPair* cPairRoom::make(cCritter* pcaller, cCritter* parg)
{
    cColliderPair* ppair = _pfree;

    if (ppair != NULL)
        _pfree = ppair->_pprev;
    else
        ppair = &_pairs[_count++];
    ppair->_pcrittercaller = pcaller;
    ppair->_pcritterarg = parg;
    return ppair;
}

void cPairRoom::destroy(cColliderPair* ppair)
{
    memset(ppair, kRuin, sizeof *ppair);
    ppair->_pprev = _pfree;
    _pfree = ppair;
}


//----------------------------------------------------------------------
// scripts
//----------------------------------------------------------------------

static void _Create(const step* s)
{
    void* place = &gGame._places[s->first];
    cCritter* p;

    switch (s->second)
    {
        case kWall:
            p = new (place) cCritterWall(s->first, s->priority);
            break;
        case kBullet:
            p = new (place) cCritterBullet(s->first, s->priority);
            break;
        case kPlayer:
            p = new (place) cCritterArmedPlayer(s->first, s->priority);
            break;
        case kDemanding:
            p = new (place) cCritterDemanding(s->first, s->priority,
                                              s->demand);
            break;
        default:
            p = new (place) cCritter(s->first, s->priority);
            break;
    }
    gGame._critters[s->first] = p;
}

// The book's smartAdd for a new critter goes through those already there.
// It leaves open which of two comes first, which decides all ties: a
// script says it.

static void _SmartAddAll(cCritter* pnew, bool newIsSecondQ)
{
    for (short i = 0; i < kMaxCritters; i++)
    {
        cCritter* p = gGame._critters[i];

        if (p == NULL || p == pnew)
            continue;
        if (newIsSecondQ)
            gGame._pcollider->smartAdd(p, pnew);
        else
            gGame._pcollider->smartAdd(pnew, p);
    }
}

static void _PlayStep(const step* s)
{
    cCritter* p = NULL;
    cCritter* q = NULL;

    if (s->operation == kCollideStep)
    {
        gGame._pcollider->iterateCollide();
        return;
    }

    p = gGame._critters[s->first];
    if (s->operation == kCreate)
    {
        if (p == NULL)
            _Create(s);
        return;
    }
    if (p == NULL)
        return;

    if (s->operation == kSmartAdd || s->operation == kTouch)
    {
        q = gGame._critters[s->second];
        if (q == NULL)
            return;
    }

    switch (s->operation)
    {
        case kSmartAddAll:  _SmartAddAll(p, s->second != 0);        break;
        case kSmartAdd:     gGame._pcollider->smartAdd(p, q);       break;
        case kDelete:       delete p;                               break;
        case kTouch:        p->touch(q->_number);                   break;
    }
}

// What a script leaves is written down before the critters are deleted,
// for that costs visits of its own. The game goes back to nothing.

void PlayWith(cCollider* pcollider)
{
    gGame._pcollider = pcollider;
    gCallCount = 0;
    gVisitCount = 0;
    gMoveCount = 0;
    gRemoveCount = 0;
    gClashCount = 0;

    for (short i = 0; i < gStepCount; i++)
        _PlayStep(&gSteps[i]);

    for (short i = 0; i < kMaxCritters; i++)
        gLive[i] = gGame._critters[i] != NULL;
    gPairCount = 0;
    pcollider->report();

    gPairRoom.clear();
    memset(&gGame, 0, sizeof gGame);
}
