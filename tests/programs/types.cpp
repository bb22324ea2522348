// types.cpp
//
// One global of every kind of type, each with a known value, and a table
// of what the compiler itself says about their layouts.

#define offset_of(type, member) __builtin_offsetof(type, member)

typedef short scalar;
typedef unsigned char Boolean;

// Plain values.

signed char         gSignedChar = -3;
unsigned char       gUnsignedChar = 253;
char                gChar = 'A';
short               gShort = -12345;
unsigned short      gUnsignedShort = 54321;
int                 gInt = -123456789;
unsigned int        gUnsignedInt = 3123456789u;
long                gLong = -7;
unsigned long       gUnsignedLong = 7;
long long           gLongLong = -1234567890123456789LL;
unsigned long long  gUnsignedLongLong = 12345678901234567890ULL;
bool                gTrue = true;
float               gFloat = 1.5f;
double              gDouble = -2.25;
char16_t            gUtf16 = 0x20ac;
const volatile int  gConstVolatile = 42;
scalar              gScalar = -2;

// Enumerations.

enum Natural { kNone, kMany = 70000 };
enum Balance { kDebt = -1, kCredit = 1 };
enum class Tiny : signed char { kLow = -128 };
typedef enum { kRed, kGreen } Colour;

Natural gNatural = kMany;
Balance gBalance = kDebt;
Tiny    gTiny = Tiny::kLow;
Colour  gColour = kGreen;

// Structs.

struct obj
{
    scalar x, y;
    obj*   sector_link;
    obj*   obj_link;
};

struct Inner
{
    char   tag;
    double weight;
    short  tail;
};

struct Outer
{
    char      first;
    Inner     inner;
    Inner     pair[2];
    short     grid[2][3];
    bool      flag;
    long long wide;
    const obj* link;
};

typedef struct
{
    short v, h;
} Point;

struct __attribute__((packed)) Packed
{
    char   a;
    int    b;
    short  c;
    double d;
};

union Word
{
    unsigned int  whole;
    unsigned char bytes[4];
    float         real;
};

struct WithAnonymousUnion
{
    short kind;
    union
    {
        int   number;
        float real;
    };
};

struct Base
{
    int   count;
    static int population;
    int   Count() const { return count; }
};

struct Derived : Base
{
    short extra;
};

struct Abstract
{
    virtual int Area() { return 0; }
    short sides;
};

int Base::population = 99;

obj     gObjects[3] = {{1, 2, 0, &gObjects[1]}, {-3, 4, &gObjects[2], 0}, {5, -6, 0, 0}};
Outer   gOuter = {'f', {'t', 0.5, 9}, {{'p', 1.25, 10}, {'q', -8.0, 11}},
                  {{1, 2, 3}, {-4, -5, -6}}, true, -5, &gObjects[2]};
Outer   gOuters[2][2];
Point   gPoint = {3, -4};
Point   gPoints[2] = {{1, 2}, {3, 4}};
Packed  gPacked = {'a', -2, 3, 4.5};
Word    gWord = {0x3fc00000};
WithAnonymousUnion gEither = {7, {-8}};
Derived gDerived;
Abstract gAbstract;

// Arrays.

int    gVector[4] = {1, -2, 3, -4};
short  gMatrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
typedef short Row[3];
Row    gRows[2] = {{1, 2, 3}, {4, 5, 6}};
extern const Boolean gFlags[5];
const Boolean gFlags[5] = {0, 1, 0, 1, 1};
extern int gDeclaredFirst[];
int    gDeclaredFirst[3] = {7, 8, 9};

// Pointers.

typedef obj* objPtr;
typedef const obj constObj;

obj*         gPlainPointer = &gObjects[1];
const obj*   gConstPointer = gObjects;
objPtr       gNamedPointer;
objPtr*      gHandle;
constObj*    gTypedefTarget = gObjects;
Point*       gAnonymousTarget = &gPoint;
scalar*      gScalarPointer;
void*        gVoidPointer;
const void*  gConstVoidPointer;
void       (*gFunctionPointer)();
int        (*gArrayPointer)[4] = &gVector;
obj*         gGrid[2][3] = {{gObjects, 0, 0}, {0, 0, &gObjects[2]}};
int&         gReference = gInt;

// Types that cannot be shown as NumPy values.

struct BitFields
{
    unsigned int mode : 3;
    unsigned int ready : 1;
    short        whole;
};

struct HoldsBitFields
{
    short     before;
    BitFields bits[2];
};

struct Virtual : virtual Base
{
    short own;
};

BitFields      gBitFields = {5, 1, -1};
HoldsBitFields gHoldsBitFields;
BitFields*     gBitFieldPointer = &gBitFields;
int Base::*    gMemberPointer = &Base::count;
Virtual        gVirtual;
_Complex float gComplex;

// Scopes and names.

namespace space
{
    int gInSpace = 11;
    int InSpace() { return gInSpace; }
}

static int gStatic = 12;

static int __attribute__((noinline)) StaticFunction(int n)
{
    gStatic += n;                                   // line of StaticFunction
    return gStatic;
}

int Overloaded(int n) { return n + 1; }
int Overloaded(double d) { return d > 0; }

int Start(int n)
{
    static int sLocal = 13;

    sLocal += gDerived.Count() + gAbstract.sides + gVirtual.own;
    return StaticFunction(n) + sLocal + space::InSpace();   // line of Start
}

// What the compiler says. A row without a member is a size.

struct Fact
{
    char variable[20];
    char member[20];
    unsigned int value;
};

#define SIZE(variable) {#variable, "", sizeof variable}
#define OFFSET(variable, type, member) {#variable, #member, offset_of(type, member)}

extern const Fact kFacts[];
extern const unsigned int kFactCount;

const Fact kFacts[] =
{
    SIZE(gSignedChar), SIZE(gShort), SIZE(gInt), SIZE(gLong), SIZE(gLongLong), SIZE(gTrue),
    SIZE(gFloat), SIZE(gDouble), SIZE(gUtf16), SIZE(gNatural), SIZE(gBalance), SIZE(gTiny),
    SIZE(gColour), SIZE(gObjects), SIZE(gOuter), SIZE(gOuters), SIZE(gPoint), SIZE(gPoints),
    SIZE(gPacked), SIZE(gWord), SIZE(gEither), SIZE(gDerived), SIZE(gAbstract), SIZE(gVector),
    SIZE(gMatrix), SIZE(gRows), SIZE(gFlags), SIZE(gDeclaredFirst), SIZE(gPlainPointer),
    SIZE(gHandle), SIZE(gFunctionPointer), SIZE(gArrayPointer), SIZE(gGrid),
    {"gObjects.", "", sizeof(obj)},
    {"gOuters.", "", sizeof(Outer)},
    {"gPoints.", "", sizeof(Point)},
    OFFSET(gObjects, obj, x), OFFSET(gObjects, obj, y),
    OFFSET(gObjects, obj, sector_link), OFFSET(gObjects, obj, obj_link),
    OFFSET(gOuter, Outer, first), OFFSET(gOuter, Outer, inner), OFFSET(gOuter, Outer, inner.tag),
    OFFSET(gOuter, Outer, inner.weight), OFFSET(gOuter, Outer, inner.tail),
    OFFSET(gOuter, Outer, pair), OFFSET(gOuter, Outer, grid), OFFSET(gOuter, Outer, flag),
    OFFSET(gOuter, Outer, wide), OFFSET(gOuter, Outer, link),
    OFFSET(gPoint, Point, v), OFFSET(gPoint, Point, h),
    OFFSET(gPacked, Packed, a), OFFSET(gPacked, Packed, b), OFFSET(gPacked, Packed, c),
    OFFSET(gPacked, Packed, d),
    OFFSET(gWord, Word, whole), OFFSET(gWord, Word, bytes), OFFSET(gWord, Word, real),
    OFFSET(gEither, WithAnonymousUnion, kind),
    OFFSET(gDerived, Derived, extra),
    OFFSET(gAbstract, Abstract, sides),
};
const unsigned int kFactCount = sizeof kFacts / sizeof kFacts[0];
