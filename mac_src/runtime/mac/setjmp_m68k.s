| setjmp_m68k.s
|
| A jmp_buf holds the return address, then D2 to D7 and A2 to A7.

        .section .text.setjmp, "ax"
        .globl  setjmp
        .type   setjmp, @function
setjmp: move.l  4(%sp), %a0
        move.l  (%sp), (%a0)+
        movem.l %d2-%d7/%a2-%a7, (%a0)
        moveq   #0, %d0
        rts
        .size   setjmp, . - setjmp

        .section .text.longjmp, "ax"
        .globl  longjmp
        .type   longjmp, @function
longjmp:
        move.l  4(%sp), %a0
        move.l  8(%sp), %d0
        bne.s   1f
        moveq   #1, %d0
1:      move.l  (%a0)+, %a1
        movem.l (%a0), %d2-%d7/%a2-%a7
        addq.l  #4, %sp
        jmp     (%a1)
        .size   longjmp, . - longjmp
