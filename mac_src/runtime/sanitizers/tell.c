/* tell.c
 *
 * In an application, what is found is told at once, by DebugStr: on a
 * Macintosh with a debugger that stops there, and macproof run lists it.
 * Programs of cases do without; macproof reads their findings.
 */

#ifdef MACPROOF_TELLS

#include <OSUtils.h>

#include "address.h"
#include "findings.h"

static const char *const gNames[] = {
    "", "signed-integer-overflow", "signed-integer-overflow", "signed-integer-overflow",
    "signed-integer-overflow", "integer-divide-by-zero", "shift", "bounds", "unreachable",
    "return", "vla-bound", "bool", "null, alignment or object-size", "pointer-overflow",
    "nonnull-attribute", "returns-nonnull-attribute", "builtin"
};

#ifdef MACPROOF_STACK
#define BESIDE "in no block of the heap"
#else
#define BESIDE "beside a block"
#endif

static void append(unsigned char *text, const char *more)
{
    while (*more != 0 && text[0] < 255)
        text[++text[0]] = *more++;
}

static void append_number(unsigned char *text, unsigned long number)
{
    char digits[11];
    char *first = digits + 10;

    *first = 0;
    do {
        *--first = '0' + number % 10;
        number /= 10;
    } while (number != 0);
    append(text, first);
}

#ifdef MACPROOF_SHADOW

static void append_hex(unsigned char *text, unsigned long number)
{
    char digits[10];
    int place;

    digits[0] = '$';
    digits[9] = 0;
    for (place = 8; place > 0; place--, number >>= 4)
        digits[place] = "0123456789ABCDEF"[number & 15];
    append(text, digits);
}

static unsigned long next_number(const char **text)
{
    unsigned long number = 0;

    while (**text >= '0' && **text <= '9')
        number = 10 * number + (unsigned long) (*(*text)++ - '0');
    if (**text == ' ')
        ++*text;
    return number;
}

/* Where a place in a frame lies among its locals, as GCC describes them: how many there are, and of
   each its offset, its size, the length of its name, and the name: "1 32 14 3 loc". */
static void append_local(unsigned char *text, const char *locals, unsigned long place)
{
    unsigned long count = next_number(&locals), least = ~0ul, beyond = 0, length = 0;
    const char *name = "";

    for (; count != 0; count--) {
        unsigned long start = next_number(&locals), size = next_number(&locals);
        unsigned long letters = next_number(&locals);
        unsigned long far = place < start ? start - place : place - start - size;

        if (far < least) {
            least = far, beyond = place >= start;
            for (name = locals, length = 0; length < letters && name[length] != ':'; length++)
                ;
        }
        locals += letters + (locals[letters] == ' ');
    }
    append_number(text, least);
    append(text, beyond ? " bytes behind the end of " : " bytes before ");
    for (; length != 0 && text[0] < 255; length--)
        text[++text[0]] = *name++;
}

/* An access of memory that belongs to no object. */
static void append_access(unsigned char *text, const struct finding *one)
{
    unsigned long at = one->second[1];
    const struct global *near = macproof_global_before(at);
    signed char shadow = SHADOW[at / GRANULE];

    if (one->first[0] == 0) {
        append(text, "DisposePtr or SetPtrSize of a block that was disposed of, ");
        append_hex(text, at);
        return;
    }
    append(text, one->kind == READ ? "read of " : "write of ");
    append_number(text, one->first[0]);
    append(text, one->first[0] == 1 ? " byte out of bounds (" : " bytes out of bounds (");
    if (one->second[0] != 0)
        append_local(text, one->file, at - one->second[0]);
    else if (shadow == DISPOSED)
        append(text, "in a block that was disposed of");
    else if (near != 0 && at < near->at + near->size_with_room) {
        append_number(text, at - near->at - near->size);
        append(text, " bytes behind the end of ");
        append(text, near->name);
    } else
        append(text, BESIDE);
    append(text, "), by the code before ");
    append_hex(text, one->code);
}

#endif

void macproof_tell(const struct finding *one)
{
    unsigned char text[256];
    const char *file = one->file, *place;

    text[0] = 0;
#ifdef MACPROOF_SHADOW
    if (one->kind == READ || one->kind == WRITE) {
        append_access(text, one);
        DebugStr(text);
        return;
    }
#endif
    for (place = file; *place != 0; place++)
        if (*place == '/')
            file = place + 1;
    append(text, "undefined behaviour (");
    append(text, gNames[one->kind]);
    append(text, ") in ");
    append(text, file);
    append(text, ", line ");
    append_number(text, one->line);
    DebugStr(text);
}

#endif
