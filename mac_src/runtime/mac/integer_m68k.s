| integer_m68k.s
|
| 32-bit multiplication and division for a 68000, which knows 16 bits. The
| compiler's own library is not linked: parts of it are for a 68020.

        .section .text.__mulsi3, "ax"
        .globl  __mulsi3
        .type   __mulsi3, @function
__mulsi3:
        move.w  4(%sp), %d0
        mulu.w  10(%sp), %d0
        move.w  6(%sp), %d1
        mulu.w  8(%sp), %d1
        add.w   %d1, %d0
        swap    %d0
        clr.w   %d0
        move.w  6(%sp), %d1
        mulu.w  10(%sp), %d1
        add.l   %d1, %d0
        rts
        .size   __mulsi3, . - __mulsi3

        .section .text.__udivsi3, "ax"
        .globl  __udivsi3
        .type   __udivsi3, @function
__udivsi3:
        movem.l %d2-%d3, -(%sp)
        move.l  16(%sp), %d1
        cmp.l   #0x10000, %d1
        bcc.s   1f

        | The divisor has 16 bits: two steps with the remainder carried over.

        moveq   #0, %d0
        move.w  12(%sp), %d0
        divu.w  %d1, %d0
        move.w  %d0, %d2
        move.w  14(%sp), %d0
        divu.w  %d1, %d0
        swap    %d2
        move.w  %d0, %d2
        move.l  %d2, %d0
        bra.s   5f

        | The quotient has 16 bits, which push the dividend out of D0.

1:      moveq   #0, %d2
        move.w  12(%sp), %d2
        move.l  12(%sp), %d0
        swap    %d0
        clr.w   %d0
        moveq   #15, %d3
2:      add.l   %d0, %d0
        addx.l  %d2, %d2
        bcs.s   3f
        cmp.l   %d1, %d2
        bcs.s   4f
3:      sub.l   %d1, %d2
        addq.b  #1, %d0
4:      dbra    %d3, 2b
5:      movem.l (%sp)+, %d2-%d3
        rts
        .size   __udivsi3, . - __udivsi3
