| callback_m68k.s
|
| Where the Toolbox arrives when it calls a procedure of the program, with
| Pascal's convention: arguments pushed first to last, the callee takes them
| away, a result goes to the place above them. The procedure is C: arguments
| lie first to last, each in a long. Called by the descriptor (callbacks.c),
| whose procedure and information lie behind the call.

        .section .text._pascal_to_c, "ax"
        .globl  _pascal_to_c
        .type   _pascal_to_c, @function
_pascal_to_c:
        move.l  (%sp)+, %a0             | the descriptor
        movem.l %d3-%d4/%a2-%a4, -(%sp)
        move.l  %sp, %a3
        lea     24(%sp), %a2            | the last argument
        move.l  (%a0)+, %a4
        move.l  (%a0), %d3
        moveq   #30, %d4                | where the 13th argument's size is
1:      move.l  %d3, %d0
        lsr.l   %d4, %d0
        and.w   #3, %d0
        beq.s   4f                      | there are not so many
        subq.w  #2, %d0
        beq.s   2f
        bpl.s   3f
        moveq   #0, %d0                 | a byte, in the upper half of a word
        move.b  (%a2), %d0
        addq.l  #2, %a2
        move.l  %d0, -(%sp)
        bra.s   4f
2:      move.w  (%a2)+, %d0
        ext.l   %d0
        move.l  %d0, -(%sp)
        bra.s   4f
3:      move.l  (%a2)+, -(%sp)
4:      subq.w  #2, %d4
        cmp.w   #6, %d4
        bge.s   1b

        jsr     (%a4)

        move.l  %a3, %sp
        lsr.l   #4, %d3
        and.w   #3, %d3
        beq.s   7f
        subq.w  #2, %d3
        beq.s   5f
        bpl.s   6f
        move.b  %d0, (%a2)
        bra.s   7f
5:      move.w  %d0, (%a2)
        bra.s   7f
6:      move.l  %d0, (%a2)
7:      move.l  %a2, %a1
        movem.l (%sp)+, %d3-%d4/%a2-%a4
        move.l  (%sp), %a0
        move.l  %a1, %sp
        jmp     (%a0)
        .size   _pascal_to_c, . - _pascal_to_c
