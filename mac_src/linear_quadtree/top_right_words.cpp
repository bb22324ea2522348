// top_right_words.cpp
//
// The post on linear quadtrees prints what a compiler made of its routine
// for the neighbour above and to the right, eleven words of MIPS machine
// code, to show that the compiler spoiled it. Here these very words run,
// beside the expression they were made of, compiled by a compiler of
// today, and the expression with its one constant put right.
//
// The words are facts and are given as printed; top_right_words.yaml has
// them too, with the instructions they stand for.

#ifndef __mips__
#error These are words for MIPS.
#endif

#include "listing.h"

enum { kMaxCodes = 512 };

code16          gCodes[kMaxCodes];
short           gCodeCount;

short           gWords[kMaxCodes];          // by the printed words
short           gExpression[kMaxCodes];     // by the printed expression
short           gRepaired[kMaxCodes];       // and with its constant right

extern "C" short TopRightOfWords(short m);

__asm__ (
    "   .pushsection .text.TopRightOfWords, \"ax\", @progbits\n"
    "   .align  2\n"
    "   .globl  TopRightOfWords\n"
    "   .type   TopRightOfWords, @function\n"
    "TopRightOfWords:\n"
    "   .word   0x3084ffff, 0x2403aaaa, 0x00831024, 0x30845555\n"
    "   .word   0x2442ffff, 0x24840001, 0x00431824, 0x30845555\n"
    "   .word   0x00641025, 0x03e00008, 0x7c021620\n"
    "   .size   TopRightOfWords, . - TopRightOfWords\n"
    "   .popsection\n");

void FindTopRight()
{
    for (short i = 0; i < gCodeCount; i++)
    {
        const short m = (short) gCodes[i];

        gWords[i]      = TopRightOfWords(m);
        gExpression[i] = TopRightOfListing<printed>(m);
        gRepaired[i]   = TopRightOfListing<repaired>(m);
    }
}
