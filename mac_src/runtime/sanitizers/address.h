/* address.h
 *
 * What the checks of accesses know of memory.
 */

#ifndef MACPROOF_ADDRESS_H
#define MACPROOF_ADDRESS_H

typedef unsigned long address;

/* Which memory has a shadow. For a program of a case macproof says so before
   any code runs; an application finds out itself. */
struct shadowed {
    address data, data_size;        /* data, the stack and the heap */
    address code, code_size;        /* code and constants */
    address stack, stack_size;      /* part of the first */
};

extern struct shadowed macproof_shadowed;

#define GRANULE 8
#define BEHIND_GLOBAL ((signed char) 0xF9)
#define BESIDE_BLOCK ((signed char) 0xFA)
#define DISPOSED ((signed char) 0xFD)

#if defined(MACPROOF_TELLS) && !defined(MACPROOF_STACK)
extern signed char *macproof_shadow;
#define SHADOW macproof_shadow
#else
#define SHADOW ((signed char *) MACPROOF_SHADOW)
#endif

/* A variable of the system in low memory. */
#define GLOBAL(type, place) (*(volatile type *) (place))

/* A global as GCC describes it. */
struct global {
    address at, size, size_with_room;
    const char *name, *unit;
    address is_dynamic;
    const void *place;
    address indicator;
};

/* Make the shadow of an application whose first globals these are, once. */
void macproof_find_shadow(const struct global *one, address count);

/* Tell of a block that is given to the Memory Manager again. */
void macproof_was_disposed(address block);

/* The global that begins last before an address, or 0. */
const struct global *macproof_global_before(address at);

#endif
