// collider.h
//
// Who collides with whom in a game of walls, bullets, a player and
// others, and who of two decides what becomes of it. The architecture is
// that of the Pop Framework, as chapter 11.2 of "Software Engineering and
// Computer Games" (Addison Wesley) describes it; class and member names
// are the book's. What it leaves open is said where it is filled in.
// Written for macproof.

#ifndef COLLIDER_H
#define COLLIDER_H

#include <stddef.h>

#if defined(macintosh) || defined(__MWERKS__)
#include <Types.h>
#else
typedef unsigned char Boolean;
#endif

// Priorities are only compared, so small integers do. A plain 68000 has
// no floating point.

typedef short Real;

enum
{
    kMaxCritters = 50,
    kMaxPairs    = kMaxCritters * (kMaxCritters - 1) / 2,
    kMaxSteps    = 1000,
    kMaxLog      = 4000     // calls that are kept; more are only counted
};

// the kinds of critters a script can ask for

enum
{
    kWall, kBullet, kPlayer, kOther,
    kDemanding              // answers collidesWith as it is told to
};

// the steps of a script; a step that names a critter that is not there,
// or makes one that is, does nothing

enum
{
    kCreate,        // critter first, of kind second, demand and priority
    kSmartAddAll,   // pairs of first with all; second: first comes second
    kSmartAdd,      // one pair
    kDelete,        // critter first
    kTouch,         // first touches second from now on
    kCollideStep    // every pair collides
};

// which method dealt with a collision

enum { kAsDisks, kBounced, kDamaged, kHurt };

struct step
{
    short   operation;
    short   first, second;
    short   demand;
    short   priority;
};

struct call                 // or a pair: numbers of two critters
{
    short   caller, argument;
    short   method;
};

struct couple
{
    short   caller, argument;
};

// what is played

extern step             gSteps[kMaxSteps];
extern short            gStepCount;

// what comes of it

extern Boolean          gLive[kMaxCritters];
extern couple           gPairs[kMaxPairs];      // in the order of the list
extern unsigned long    gPairCount;
extern call             gLog[kMaxLog];
extern unsigned long    gCallCount;
extern unsigned long    gVisitCount;    // pairs looked at to remove some
extern unsigned long    gMoveCount;     // pairs moved to close a gap
extern unsigned long    gRemoveCount;   // pairs removed
extern unsigned long    gClashCount;    // pairs whose two codes disagree

class cCritter
{
public:
    cCritter(short number, Real collidepriority);
    virtual ~cCritter();        // its pairs go with it

    virtual int  kind() const;
    virtual int  collidesWith(cCritter* pcritterother);
    virtual void collide(cCritter* pcritter);

    void touch(short number)            { _touched = number; }
    bool touching(cCritter* p) const    { return _touched == p->_number; }
    void damage();
    void die();

    // All critters have their places in the game.

    static void* operator new(size_t, void* place)  { return place; }
    static void  operator delete(void*)             {}

    short   _number;
    Real    _collidepriority;
    short   _health;
    short   _touched;           // the number of another, or -1
    bool    _dying;
    long    _age;               // how many were made before it
};

class cColliderPair
{
public:
    void collideThePair()   { _pcrittercaller->collide(_pcritterarg); }

    bool mentions(cCritter* p) const
    {
        return _pcrittercaller == p || _pcritterarg == p;
    }

    cCritter*       _pcrittercaller;
    cCritter*       _pcritterarg;
    cColliderPair*  _pnext;
    cColliderPair*  _pprev;
};

// The book's cCollider is a list. Here it is what all ways to keep the
// pairs have in common.

class cCollider
{
public:
    enum
    {
        COLLIDEASARG     = -1,
        COLLIDEEITHERWAY =  0,
        COLLIDEASCALLER  =  1,
        DONTCOLLIDE      =  2
    };

    virtual void smartAdd(cCritter* pcritter, cCritter* pcritterother) = 0;
    virtual void removeReferencesTo(cCritter* pcritter) = 0;
    virtual void iterateCollide() = 0;
    virtual void critterDies(cCritter* pcritter) = 0;
    virtual void report() = 0;      // fills in gPairs

protected:
    void reportPair(cColliderPair* ppair);
};

// Each plays gSteps from the beginning and leaves the globals above set.
//
// As described: pairs in a list, smartAdd as printed, critters deleted at
// once. Kept although they are defects: what smartAdd makes of two codes
// depends on the order of its arguments and can be the opposite of what
// one of them demanded; it takes the same pair twice, and a critter with
// itself; and a critter deleted from within a collision can take the pair
// with it that comes next. So no critter may be deleted from there, and
// no more than kMaxPairs pairs may be added.

void PlayAsDescribed();

// The same, with the pairs in an array: what the book advises against.

void PlayOnArray();

// Corrected: smartAdd heeds both codes, takes every pair once and no
// critter with itself; whoever dies in a collision is out of the game at
// once, and deleted when all have collided.

void PlayCorrected();

#endif
