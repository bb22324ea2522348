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

| The same for a procedure that gets its arguments in registers: up to four,
| each with its size and its register in 5 bits of the information. All other
| registers are as before the call.

        .section .text._registers_to_c, "ax"
        .globl  _registers_to_c
        .type   _registers_to_c, @function
_registers_to_c:
        movem.l %d0-%d7/%a0-%a6, -(%sp)
        move.l  60(%sp), %a0            | the descriptor
        move.l  %sp, %a3
        move.l  (%a0)+, %a4
        move.l  (%a0), %d3
        moveq   #26, %d4                | where the 4th argument's 5 bits are
1:      move.l  %d3, %d0
        lsr.l   %d4, %d0
        moveq   #3, %d1
        and.w   %d0, %d1
        beq.s   2f                      | there are not so many
        lsr.w   #2, %d0
        bsr.s   place
        move.l  (%a3,%d0.w), -(%sp)
2:      subq.w  #5, %d4
        cmp.w   #11, %d4
        bge.s   1b

        jsr     (%a4)

        move.l  %a3, %sp
        moveq   #0x30, %d1
        and.w   %d3, %d1
        beq.s   3f                      | no result
        move.l  %d0, %d2
        move.l  %d3, %d0
        lsr.l   #6, %d0
        bsr.s   place
        move.l  %d2, (%a3,%d0.w)
3:      movem.l (%sp)+, %d0-%d7/%a0-%a6
        addq.l  #4, %sp
        rts

place:  and.w   #7, %d0                 | D0 to D3, A0 to A3: where it was saved
        cmp.w   #4, %d0
        blt.s   4f
        addq.w  #4, %d0
4:      add.w   %d0, %d0
        add.w   %d0, %d0
        rts
        .size   _registers_to_c, . - _registers_to_c

| The same for a procedure that gets its arguments as C passes them.

        .section .text._c_to_c, "ax"
        .globl  _c_to_c
        .type   _c_to_c, @function
_c_to_c:
        move.l  (%sp)+, %a0             | the descriptor
        move.l  (%a0), %a0
        jmp     (%a0)
        .size   _c_to_c, . - _c_to_c

| long CallUniversalProc(procedure, information, ...): the way out, from C to
| any procedure. Each argument is a long here.

        .section .text.CallUniversalProc, "ax"
        .globl  CallUniversalProc
        .type   CallUniversalProc, @function
CallUniversalProc:
        link    %a6, #0
        movem.l %d2-%d4/%a2-%a4, -(%sp)
        move.l  8(%a6), %a4
        move.l  12(%a6), %d3
        lea     16(%a6), %a2            | the first argument
        moveq   #15, %d0
        and.w   %d3, %d0
        beq.s   pascal
        subq.w  #2, %d0
        beq.s   registers

        lea     52(%a2), %a0            | C: at most 13 arguments
        moveq   #12, %d0
1:      move.l  -(%a0), -(%sp)
        dbra    %d0, 1b
        jsr     (%a4)
        bra     done

pascal: moveq   #0x30, %d0
        and.w   %d3, %d0
        beq.s   2f                      | no result
        clr.w   -(%sp)
        cmp.w   #0x30, %d0
        bne.s   2f
        clr.w   -(%sp)
2:      moveq   #6, %d4                 | where the first argument's size is
3:      move.l  %d3, %d0
        lsr.l   %d4, %d0
        and.w   #3, %d0
        beq.s   7f                      | there are no more
        subq.w  #2, %d0
        beq.s   4f
        bpl.s   5f
        move.b  3(%a2), -(%sp)          | a byte, in the upper half of a word
        addq.l  #4, %a2
        bra.s   6f
4:      move.w  2(%a2), -(%sp)
        addq.l  #4, %a2
        bra.s   6f
5:      move.l  (%a2)+, -(%sp)
6:      addq.w  #2, %d4
        cmp.w   #32, %d4
        blt.s   3b
7:      jsr     (%a4)
        move.l  12(%a6), %d1
        lsr.w   #4, %d1
        and.w   #3, %d1
        beq.s   done
        subq.w  #2, %d1
        beq.s   8f
        bpl.s   9f
        moveq   #0, %d0
        move.b  (%sp), %d0
        bra.s   done
8:      move.w  (%sp), %d0
        ext.l   %d0
        bra.s   done
9:      move.l  (%sp), %d0
        bra.s   done

registers:
        lea     -32(%sp), %sp           | D0 to D3, A0 to A3
        moveq   #11, %d4                | where the first argument's 5 bits are
1:      move.l  %d3, %d0
        lsr.l   %d4, %d0
        moveq   #3, %d1
        and.w   %d0, %d1
        beq.s   2f
        and.w   #0x1C, %d0              | its register, 4 bytes each
        move.l  (%a2)+, (%sp,%d0.w)
        addq.w  #5, %d4
        cmp.w   #31, %d4
        blt.s   1b
2:      movem.l (%sp)+, %d0-%d3/%a0-%a3
        jsr     (%a4)
        movem.l %d0-%d3/%a0-%a3, -(%sp)
        move.l  12(%a6), %d0
        lsr.l   #4, %d0
        and.w   #0x1C, %d0              | the result's register
        move.l  (%sp,%d0.w), %d0

done:   movem.l -24(%a6), %d2-%d4/%a2-%a4
        unlk    %a6
        rts
        .size   CallUniversalProc, . - CallUniversalProc
