/* start.c
 *
 * What happens before main and after it.
 */

#include <stdlib.h>

#include <Processes.h>
#include <Quickdraw.h>

#include "runtime.h"

QDGlobals qd;

/* THINK C's names of the same places, for sources that say thePort where later ones say qd.thePort.
 * They are weak: black and white may be something else in a program.
 */

#define ALIAS(name, offset) __asm__(".weak " name "\n\t.set " name ", qd + " #offset)

ALIAS("randSeed", 76);
ALIAS("screenBits", 80);
ALIAS("arrow", 94);
ALIAS("dkGray", 162);
ALIAS("ltGray", 170);
ALIAS("gray", 178);
ALIAS("black", 186);
ALIAS("white", 194);
ALIAS("thePort", 202);

/* From the linker. The same symbol twice is the compiler's business only
 * if it can see that both are arrays, so they are not.
 */

extern void (*__constructors_start)(void);
extern void (*__constructors_end)(void);

extern int main(int count, char** arguments);

void (*_at_end)(void);

enum { kMostAtExit = 64 };

static struct
{
    void (*function)(void*);
    void* argument;
} gAtExit[kMostAtExit];

static int gAtExitCount;

/* What the compiler registers destructors with. */

void* __dso_handle;

int __cxa_atexit(void (*function)(void*), void* argument, void* object)
{
    (void) object;
    if (gAtExitCount == kMostAtExit)
        return -1;
    gAtExit[gAtExitCount].function = function;
    gAtExit[gAtExitCount].argument = argument;
    gAtExitCount++;
    return 0;
}

static void _Call(void* function)
{
    ((void (*)(void)) function)();
}

int atexit(void (*function)(void))
{
    return __cxa_atexit(_Call, (void*) function, NULL);
}

void exit(int status)
{
    (void) status;                      /* the Finder does not ask */
    while (gAtExitCount > 0)
    {
        gAtExitCount--;
        gAtExit[gAtExitCount].function(gAtExit[gAtExitCount].argument);
    }
    if (_at_end != NULL)
        _at_end();
    ExitToShell();
    for (;;)
        ;
}

void abort(void)
{
    ExitToShell();
    for (;;)
        ;
}

void _mac_start(void)
{
    void (**constructor)(void) = &__constructors_start;
    void (**volatile end)(void) = &__constructors_end;
    static char name[] = "application";
    static char* arguments[] = { name, NULL };

    for (; constructor != end; constructor++)
        (*constructor)();

    /* A main without parameters does not look at them; a "void main" leaves
     * anything as its result.
     */

    exit(main(1, arguments));
}
