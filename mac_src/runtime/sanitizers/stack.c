/* stack.c
 *
 * The shadow of an application whose stack is checked, too. GCC's code sets
 * the shadow of each frame itself, at a fixed place, where a Macintosh has
 * none of the program's memory. So such an application is for macproof run,
 * which has memory there for a program that asks for it, and keeps in it
 * what may be accessed of the heap.
 */

#if defined(MACPROOF_TELLS) && defined(MACPROOF_STACK)

#include <Gestalt.h>
#include <OSUtils.h>
#include <SegLoad.h>

#include "address.h"

#define SHADOW_SELECTOR 'MPsh'          /* macproof's own; emu/toolbox knows it */

/* The first constructor, so that no function with checks has run before. */
__attribute__((constructor(1))) static void ask_for_shadow(void)
{
    static int is_asked;
    address low = GLOBAL(address, 0x130);       /* ApplLimit: the stack lies above */
    long answer = 0;

    if (is_asked)
        return;
    is_asked = 1;
    if (Gestalt(SHADOW_SELECTOR, &answer) != noErr || answer != MACPROOF_SHADOW) {
        DebugStr("\pThe checks of the stack need macproof run. Build with address alone.");
        ExitToShell();
    }
    macproof_shadowed.data = 0;
    macproof_shadowed.data_size = MACPROOF_SHADOWED;
    macproof_shadowed.stack = low;
    macproof_shadowed.stack_size = GLOBAL(address, 0x908) - low;        /* CurStackBase */
}

void macproof_find_shadow(const struct global *one, address count)
{
    (void) one;
    (void) count;
    ask_for_shadow();                   /* Retro68 tells of globals before that constructor */
}

#endif
