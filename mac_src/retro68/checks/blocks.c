/* blocks.c
 *
 * How the blocks of a program become known to its checks. malloc and its
 * kin take the place of Retro68's, which are compiled without checks; like
 * those they get their blocks from the Memory Manager.
 */

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <Memory.h>

Ptr __wrap_NewPtr(Size size);
Ptr __wrap_NewPtrClear(Size size);
void __wrap_DisposePtr(Ptr block);

struct _reent;

static void *known(Ptr block)
{
    if (block == 0)
        errno = ENOMEM;
    return block;
}

void *malloc(size_t size)
{
    return known((Size) size < 0 ? 0 : __wrap_NewPtr(size));
}

void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > 0x7fffffff / size)
        return known(0);
    return known(__wrap_NewPtrClear(count * size));
}

void free(void *block)
{
    if (block != 0)
        __wrap_DisposePtr(block);
}

/* Always another block, so that a use of the old one is found. */
void *realloc(void *block, size_t size)
{
    void *other = malloc(size);
    size_t before;

    if (block == 0 || other == 0)
        return other;
    before = GetPtrSize(block);
    memcpy(other, block, before < size ? before : size);
    free(block);
    return other;
}

/* The Memory Manager knows one alignment only. */
void *memalign(size_t alignment, size_t size)
{
    (void) alignment;
    return malloc(size);
}

/* By these names the C library calls them. */

void *_malloc_r(struct _reent *own, size_t size)
{
    (void) own;
    return malloc(size);
}

void *_calloc_r(struct _reent *own, size_t count, size_t size)
{
    (void) own;
    return calloc(count, size);
}

void *_realloc_r(struct _reent *own, void *block, size_t size)
{
    (void) own;
    return realloc(block, size);
}

void _free_r(struct _reent *own, void *block)
{
    (void) own;
    free(block);
}

#ifdef __m68k__

/* What takes the place of traps. As these do it takes and gives A0 and D0,
   keeps D1, D2 and A1, and ends with the error in D0 and in the flags. */

#define AS_TRAP(name, push, arguments, result) \
    __asm__(".text\n" \
            "\t.align 2\n" \
            "\t.globl macproof_" #name "\n" \
            "macproof_" #name ":\n" \
            "\tmovem.l %d1-%d2/%a0-%a1,-(%sp)\n" \
            push \
            "\tjsr __wrap_" #name "\n" \
            "\tlea " arguments "(%sp),%sp\n" \
            "\tmovem.l (%sp)+,%d1-%d2/%a0-%a1\n" \
            result \
            "\tmove.w 0x220,%d0\n"      /* MemErr */ \
            "\text.l %d0\n" \
            "\trts\n");

AS_TRAP(NewPtr, "\tmove.l %d0,-(%sp)\n", "4", "\tmove.l %d0,%a0\n")
AS_TRAP(NewPtrClear, "\tmove.l %d0,-(%sp)\n", "4", "\tmove.l %d0,%a0\n")
AS_TRAP(SetPtrSize, "\tmove.l %d0,-(%sp)\n\tmove.l %a0,-(%sp)\n", "8", "")
AS_TRAP(DisposePtr, "\tmove.l %a0,-(%sp)\n", "4", "")

#endif
