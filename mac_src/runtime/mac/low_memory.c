/* low_memory.c
 *
 * Routines that are no traps on 68K: they read the system's globals. A Power
 * Macintosh has them to import too, but doing the same there lets both make
 * the same calls.
 */

#include <Events.h>
#include <Memory.h>
#include <Menus.h>
#include <OSUtils.h>
#include <Resources.h>

/* Through a variable, or the compiler warns of address arithmetic on 0. */

#define GLOBAL(type, address)   (*(volatile type*) (address))

short GetMBarHeight(void)       { return GLOBAL(short, 0xBAA); }
OSErr MemError(void)            { return GLOBAL(short, 0x220); }
OSErr ResError(void)            { return GLOBAL(short, 0xA60); }

void GetDateTime(unsigned long* secondsSince1904)
{
    *secondsSince1904 = GLOBAL(unsigned long, 0x20C);
}
