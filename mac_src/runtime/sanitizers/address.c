/* address.c
 *
 * What code calls that GCC 12 has compiled with -fsanitize=kernel-address:
 * before each access, and once for all globals. A byte of the shadow tells
 * of eight bytes of memory, the granule, how many at its beginning may be
 * accessed: 0 is all of them, and a negative number none. GCC's own code
 * sets the shadow of stack frames.
 */

#include "address.h"
#include "findings.h"

struct shadowed macproof_shadowed = { 1, 0, 1, 0, 1, 0 };

#define CODE __builtin_return_address(0)
#define BEFORE_LOCALS ((signed char) 0xF1)
#define BEFORE_LOCALS_SIZE 32
#define FRAME_MARK 0x41B58AB3ul     /* GCC stores it at the beginning of a frame's locals */

static int has_shadow(address at)
{
    return at - macproof_shadowed.data < macproof_shadowed.data_size
        || at - macproof_shadowed.code < macproof_shadowed.code_size;
}

static int is_on_stack(address at)
{
    return at - macproof_shadowed.stack < macproof_shadowed.stack_size;
}

static int forbids(signed char shadow, unsigned offset)
{
    return shadow != 0 && (signed char) offset >= shadow;
}

/* The beginning of the locals around an address, or 0: there GCC's mark is, and below them the
   shadow says so. */
static address frame_of(address at)
{
    address lowest = macproof_shadowed.stack;

    for (at &= ~1ul; at >= lowest; at -= 2)
        if (SHADOW[at / GRANULE] == BEFORE_LOCALS && *(const unsigned long *) at == FRAME_MARK
            && SHADOW[at / GRANULE + 3] == BEFORE_LOCALS)
            return at;
    return 0;
}

/* Whether the byte at an address may not be accessed. A frame's shadow begins with the granule in
   which its locals begin. On the 68K they need not begin with the granule; then the shadow is that
   of addresses a little lower. */
static int is_forbidden(address at)
{
    signed char shadow;
    address frame = 0;

    if (!has_shadow(at))
        return 0;
#ifdef __m68k__
    if (is_on_stack(at)) {
        if (SHADOW[at / GRANULE] == 0 && SHADOW[at / GRANULE - 1] == 0)
            return 0;
        frame = frame_of(at);
        if (frame == 0)
            return 0;
    }
#endif
    at -= frame;
    shadow = SHADOW[frame / GRANULE + at / GRANULE];
    if (frame != 0 && shadow == BEFORE_LOCALS && at >= BEFORE_LOCALS_SIZE)
        return 0;                       /* the shadow of the next frame */
    return forbids(shadow, at % GRANULE);
}

static void found(enum kind kind, void *code, address at, address size, address first_bad)
{
    struct finding *one = macproof_new_finding(kind, code);

    if (one == 0)
        return;
    one->first[0] = size;
    one->first[1] = at;
    one->second[1] = first_bad;
    if (is_on_stack(at)) {
        one->second[0] = frame_of(at);
        if (one->second[0] != 0)        /* behind the mark GCC describes the locals */
            one->file = ((const char **) one->second[0])[1];
    }
#ifdef MACPROOF_TELLS
    macproof_tell(one);
#endif
}

/* Look at every granule that an access touches. */
static void check(enum kind kind, void *code, address at, address size)
{
    address end = at + size, one = at;

    while (one < end) {
        address next = (one | (GRANULE - 1)) + 1;
        address last = (next < end ? next : end) - 1;

        if (is_forbidden(one) || is_forbidden(last)) {
            while (!is_forbidden(one))
                one++;
            found(kind, code, at, size, one);
            return;
        }
        one = next;
    }
}

/* An access of at most a granule: mostly the shadow of its last byte allows it, and that of its
   first is the same one or 0. */
static inline void check_few(enum kind kind, void *code, address at, address size)
{
    address last = at + size - 1;
    signed char shadow;

    if (at - macproof_shadowed.data < macproof_shadowed.data_size) {
        shadow = SHADOW[last / GRANULE];
        if (!forbids(shadow, last % GRANULE)
            && (size <= 2 || SHADOW[at / GRANULE] == shadow || SHADOW[at / GRANULE] == 0)
#ifdef __m68k__
            && (SHADOW[at / GRANULE - 1] == 0 || !is_on_stack(at))
#endif
            )
            return;
    }
    check(kind, code, at, size);
}

#define REPORTS(size) \
    void __asan_report_load##size##_noabort(address at) { check(READ, CODE, at, size); } \
    void __asan_report_store##size##_noabort(address at) { check(WRITE, CODE, at, size); }

REPORTS(1)
REPORTS(2)
REPORTS(4)
REPORTS(8)
REPORTS(16)

void __asan_report_load_n_noabort(address at, address size)
{
    check(READ, CODE, at, size);
}

void __asan_report_store_n_noabort(address at, address size)
{
    check(WRITE, CODE, at, size);
}

#define CHECKS(size) \
    void __asan_load##size##_noabort(address at) { check_few(READ, CODE, at, size); } \
    void __asan_store##size##_noabort(address at) { check_few(WRITE, CODE, at, size); }

CHECKS(1)
CHECKS(2)
CHECKS(4)
CHECKS(8)
CHECKS(16)

void __asan_loadN_noabort(address at, address size)
{
    if (size <= GRANULE)
        check_few(READ, CODE, at, size);
    else
        check(READ, CODE, at, size);
}

void __asan_storeN_noabort(address at, address size)
{
    if (size <= GRANULE)
        check_few(WRITE, CODE, at, size);
    else
        check(WRITE, CODE, at, size);
}

#ifdef MACPROOF_TELLS

#define UNITS_KEPT 64

static struct { const struct global *first; address count; } gUnits[UNITS_KEPT];
static unsigned gUnitCount;

const struct global *macproof_global_before(address at)
{
    const struct global *found = 0;
    unsigned unit;

    for (unit = 0; unit < gUnitCount; unit++) {
        const struct global *one = gUnits[unit].first;
        const struct global *end = one + gUnits[unit].count;

        for (; one != end; one++)
            if (one->at <= at && (found == 0 || one->at > found->at))
                found = one;
    }
    return found;
}

/* An access of no bytes; the same block is told of once. */
void macproof_was_disposed(address block)
{
    found(WRITE, (void *) block, block, 0, block);
}

#endif

void __asan_register_globals(struct global *one, address count)
{
#ifdef MACPROOF_TELLS
    macproof_find_shadow(one, count);
    if (gUnitCount < UNITS_KEPT) {
        gUnits[gUnitCount].first = one;
        gUnits[gUnitCount++].count = count;
    }
#endif
    for (; count != 0; count--, one++) {
        address at = one->at + one->size, end = one->at + one->size_with_room;

        if (!has_shadow(one->at) || !has_shadow(end - 1) || one->at % GRANULE != 0)
            continue;               /* of an application whose A5 is not aligned so */
        if (at % GRANULE != 0)
            SHADOW[at / GRANULE] = at % GRANULE;
        for (at = (at + GRANULE - 1) / GRANULE; at < end / GRANULE; at++)
            SHADOW[at] = BEHIND_GLOBAL;
    }
}

void __asan_unregister_globals(struct global *one, address count)
{
    (void) one;
    (void) count;
}

/* Called around the constructors of a file's globals, which may use those of other files here. */
void __asan_before_dynamic_init(const char *file)
{
    (void) file;
}

void __asan_after_dynamic_init(void)
{
}

/* Called before a jump out of several frames, which then do not clear their shadow. */
void __asan_handle_no_return(void)
{
    address at = macproof_shadowed.stack / GRANULE;
    address end = at + macproof_shadowed.stack_size / GRANULE;

    for (; at < end; at++)
        SHADOW[at] = 0;
}

/* Copies that are calls of functions. */

void *__real_memcpy(void *to, const void *from, __SIZE_TYPE__ count);
void *__real_memmove(void *to, const void *from, __SIZE_TYPE__ count);
void *__real_memset(void *to, int value, __SIZE_TYPE__ count);
int __real_memcmp(const void *one, const void *two, __SIZE_TYPE__ count);

void *__wrap_memcpy(void *to, const void *from, __SIZE_TYPE__ count)
{
    check(READ, CODE, (address) from, count);
    check(WRITE, CODE, (address) to, count);
    return __real_memcpy(to, from, count);
}

void *__wrap_memmove(void *to, const void *from, __SIZE_TYPE__ count)
{
    check(READ, CODE, (address) from, count);
    check(WRITE, CODE, (address) to, count);
    return __real_memmove(to, from, count);
}

void *__wrap_memset(void *to, int value, __SIZE_TYPE__ count)
{
    check(WRITE, CODE, (address) to, count);
    return __real_memset(to, value, count);
}

int __wrap_memcmp(const void *one, const void *two, __SIZE_TYPE__ count)
{
    check(READ, CODE, (address) one, count);
    check(READ, CODE, (address) two, count);
    return __real_memcmp(one, two, count);
}
