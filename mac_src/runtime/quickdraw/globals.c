/* globals.c
 *
 * QuickDraw's globals for a case whose sources use them and do not define
 * them. THINK C's names of the same places are weak, as in an application.
 */

#include <Quickdraw.h>

QDGlobals qd;

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
