/* tell.c
 *
 * In an application, what is found is told at once, by DebugStr: on a
 * Macintosh with a debugger that stops there, and macproof run lists it.
 * Programs of cases do without; macproof reads their findings.
 */

#ifdef MACPROOF_TELLS

#include <OSUtils.h>

#include "findings.h"

#define STAGED 8                    /* the length of "program/" */

static const char *const gNames[] = {
    "", "signed-integer-overflow", "signed-integer-overflow", "signed-integer-overflow",
    "signed-integer-overflow", "integer-divide-by-zero", "shift", "bounds", "unreachable",
    "return", "vla-bound", "bool", "null, alignment or object-size", "pointer-overflow",
    "nonnull-attribute", "returns-nonnull-attribute", "builtin"
};

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

void macproof_tell(const struct finding *one)
{
    unsigned char text[256];

    text[0] = 0;
    append(text, "undefined behaviour (");
    append(text, gNames[one->kind]);
    append(text, ") in ");
    append(text, one->file + STAGED);
    append(text, ", line ");
    append_number(text, one->line);
    DebugStr(text);
}

#endif
