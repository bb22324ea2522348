// assembly.cpp
//
// The printed neighbour routine on the processor it was written for.
// The post gives it as inline assembly and leaves the choice of registers
// to the compiler; here it is a routine of its own, so that the choice
// can be made. What it computes is that of listing.h, written afresh.
//
// Its constraints do not say that outputs are written before the input is
// read for the last time. A compiler may therefore keep the input and the
// first of the temporaries in one register, and then the second temporary
// has all its bits set.

#ifndef __mips__
#error This is assembly for MIPS.
#endif

#include "dilated.h"

enum { kMaxCodes = 512 };

code16          gCodes[kMaxCodes];
short           gCodeCount;

code16          gApart[kMaxCodes][kNumNeighbours];
code16          gShared[kMaxCodes][kNumNeighbours];
code16          gRepaired[kMaxCodes][kNumNeighbours];

// In: a0 the code, a1 where the eight neighbours go. ACROSS is the
// register of x with its gaps filled. LEFT and UP are what is added to go
// there. Out of them come t0 to t3, right, left, below and above.

#define NEIGHBOURS(name, ACROSS, LEFT, UP)                              \
    __asm__ (                                                           \
    "   .pushsection .text." #name ", \"ax\", @progbits\n"              \
    "   .align  2\n"                                                    \
    "   .globl  " #name "\n"                                            \
    "   .type   " #name ", @function\n"                                 \
    #name ":\n"                                                         \
    "   ori     " ACROSS ", $a0, 0xaaaa\n"                              \
    "   ori     $t5, $a0, 0x5555\n"                                     \
    "   addiu   $t0, " ACROSS ", 1\n"                                   \
    "   addiu   $t1, " ACROSS ", " LEFT "\n"                            \
    "   addiu   $t2, $t5, 1\n"                                          \
    "   addiu   $t3, $t5, " UP "\n"                                     \
    "   andi    $t0, $t0, 0x5555\n"                                     \
    "   andi    $t1, $t1, 0x5555\n"                                     \
    "   andi    $t4, " ACROSS ", 0x5555\n"                              \
    "   andi    $t2, $t2, 0xaaaa\n"                                     \
    "   andi    $t3, $t3, 0xaaaa\n"                                     \
    "   andi    $t5, $t5, 0xaaaa\n"                                     \
    "   or      $t6, $t1, $t3\n"    /* top left */                      \
    "   sh      $t6, 0($a1)\n"                                          \
    "   or      $t6, $t4, $t3\n"                                        \
    "   sh      $t6, 2($a1)\n"                                          \
    "   or      $t6, $t0, $t3\n"                                        \
    "   sh      $t6, 4($a1)\n"                                          \
    "   or      $t6, $t1, $t5\n"    /* left */                          \
    "   sh      $t6, 6($a1)\n"                                          \
    "   or      $t6, $t0, $t5\n"                                        \
    "   sh      $t6, 8($a1)\n"                                          \
    "   or      $t6, $t1, $t2\n"    /* bottom left */                   \
    "   sh      $t6, 10($a1)\n"                                         \
    "   or      $t6, $t4, $t2\n"                                        \
    "   sh      $t6, 12($a1)\n"                                         \
    "   or      $t6, $t0, $t2\n"                                        \
    "   sh      $t6, 14($a1)\n"                                         \
    "   jr      $ra\n"                                                  \
    "   .size   " #name ", . - " #name "\n"                             \
    "   .popsection\n")

extern "C"
{
    void ListApart(code32 m, code16* r);
    void ListShared(code32 m, code16* r);
    void ListRepaired(code32 m, code16* r);
}

NEIGHBOURS(ListApart,    "$t4", "-1",     "-1");
NEIGHBOURS(ListShared,   "$a0", "-1",     "-1");
NEIGHBOURS(ListRepaired, "$t4", "0x5555", "-21846");   // 0xaaaa, signed

void FindNeighboursInAssembly()
{
    for (short i = 0; i < gCodeCount; i++)
    {
        ListApart(gCodes[i], gApart[i]);
        ListShared(gCodes[i], gShared[i]);
        ListRepaired(gCodes[i], gRepaired[i]);
    }
}
