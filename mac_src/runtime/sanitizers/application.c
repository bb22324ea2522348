/* application.c
 *
 * The shadow of an application, which has to be content with the memory of
 * a Macintosh: a block of its own heap. It covers globals and the heap. The
 * stack has none: GCC would store to a place that is not the program's.
 * (stack.c has another.)
 *
 * A block of NewPtr has a header before it and another behind it, which no
 * program uses. One that is disposed of is kept back for a while, so that
 * its memory is not used again at once.
 */

#if defined(MACPROOF_TELLS) && !defined(MACPROOF_STACK)

#include <Memory.h>

#include "address.h"

#define KEPT_BACK 32                    /* blocks */
#define MOST_KEPT_BACK 0x10000ul        /* bytes */
#define LARGEST 0x4000000ul             /* memory that can have a shadow */

#define NEAR 0x8000ul

#define MEM_ERR GLOBAL(short, 0x220)

signed char *macproof_shadow;           /* that of address 0, which may lie nowhere */

static Ptr gKeptBack[KEPT_BACK];
static unsigned gOldest, gCount;
static unsigned long gBytes;

Ptr __real_NewPtr(Size size);
Ptr __real_NewPtrClear(Size size);
void __real_DisposePtr(Ptr block);
void __real_SetPtrSize(Ptr block, Size size);

static int gHasBegun;

/* It comes after those that tell of the globals. */
__attribute__((constructor)) static void begin(void)
{
    gHasBegun = 1;
}

void macproof_find_shadow(const struct global *one, address count)
{
    static int is_asked;
    address low = GLOBAL(address, 0x2AA);       /* ApplZone */
    address high = GLOBAL(address, 0x130), size;        /* ApplLimit */
    Ptr shadow;

    if (is_asked || (count == 0 && !gHasBegun))
        return;
    is_asked = 1;
    for (; count != 0; count--, one++) {        /* those of other files lie near them */
        if (one->at - NEAR < low)
            low = one->at - NEAR;
        if (one->at + one->size_with_room + NEAR > high)
            high = one->at + one->size_with_room + NEAR;
    }
    low &= -GRANULE;
    size = high - low;
    shadow = size > LARGEST ? 0 : __real_NewPtrClear(size / GRANULE + 2);
    if (shadow == 0)
        return;                         /* nothing is checked */
    macproof_shadow = (signed char *) shadow - low / GRANULE;
    macproof_shadowed.data = low;
    macproof_shadowed.data_size = size;
}

static int is_shadowed(Ptr block, unsigned long size)
{
    address at = (address) block - macproof_shadowed.data;

    return at < macproof_shadowed.data_size
        && size + GRANULE < macproof_shadowed.data_size - at;
}

/* Let what a block has be used, and not the headers around it. */
static void enclose(Ptr block, Size size)
{
    address at = (address) block, end = at + size;

    if (block == 0 || !is_shadowed(block, size))
        return;
    if (at % GRANULE == 0)
        SHADOW[at / GRANULE - 1] = BESIDE_BLOCK;
    SHADOW[end / GRANULE] = end % GRANULE == 0 ? BESIDE_BLOCK : (signed char) (end % GRANULE);
}

static void mark(Ptr block, Size size, signed char value)
{
    address at = (address) block / GRANULE, end = ((address) block + size) / GRANULE;

    if (!is_shadowed(block, size))
        return;
    for (; at < end; at++)              /* at first, the header's end may lie there */
        SHADOW[at] = value;
    if (value == 0 || ((address) block + size) % GRANULE != 0)
        SHADOW[end] = value;
}

static void open(Ptr block, Size size)
{
    mark(block, size, 0);
    if (is_shadowed(block, size) && (address) block % GRANULE == 0)
        SHADOW[(address) block / GRANULE - 1] = 0;
}

static void let_go(void)
{
    Ptr block = gKeptBack[gOldest];
    Size size = GetPtrSize(block);

    gOldest = (gOldest + 1) % KEPT_BACK;
    gCount--;
    gBytes -= size;
    open(block, size);
    __real_DisposePtr(block);
}

static int is_kept_back(Ptr block)
{
    unsigned one;

    for (one = 0; one < gCount; one++)
        if (gKeptBack[(gOldest + one) % KEPT_BACK] == block)
            return 1;
    return 0;
}

Ptr __wrap_NewPtr(Size size)
{
    Ptr block;

    macproof_find_shadow(0, 0);         /* of a program without globals */
    block = __real_NewPtr(size);
    while (block == 0 && gCount != 0) {
        let_go();
        block = __real_NewPtr(size);
    }
    enclose(block, size);
    return block;
}

Ptr __wrap_NewPtrClear(Size size)
{
    Ptr block;

    macproof_find_shadow(0, 0);         /* of a program without globals */
    block = __real_NewPtrClear(size);
    while (block == 0 && gCount != 0) {
        let_go();
        block = __real_NewPtrClear(size);
    }
    enclose(block, size);
    return block;
}

void __wrap_SetPtrSize(Ptr block, Size size)
{
    short error;

    if (is_kept_back(block)) {
        macproof_was_disposed((address) block);
        return;
    }
    open(block, GetPtrSize(block));
    __real_SetPtrSize(block, size);
    error = MEM_ERR;                    /* the program may ask for it */
    enclose(block, GetPtrSize(block));
    MEM_ERR = error;
}

void __wrap_DisposePtr(Ptr block)
{
    Size size;

    if (is_kept_back(block)) {
        macproof_was_disposed((address) block);
        return;
    }
    size = block == 0 ? 0 : GetPtrSize(block);
    if (block == 0 || MemError() != noErr || !is_shadowed(block, size)
        || (unsigned long) size > MOST_KEPT_BACK) {
        if (block != 0 && is_shadowed(block, size))
            open(block, size);
        __real_DisposePtr(block);
        return;
    }
    while (gCount == KEPT_BACK || (gCount != 0 && gBytes + size > MOST_KEPT_BACK))
        let_go();
    mark(block, size, DISPOSED);
    gKeptBack[(gOldest + gCount++) % KEPT_BACK] = block;
    gBytes += size;
}

#endif
