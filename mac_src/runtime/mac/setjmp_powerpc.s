# setjmp_powerpc.s
#
# A jmp_buf holds the return address, the condition register, r1, a free word,
# r13 to r31, a free word, and f14 to f31.

        .macro  each_double instruction
        .set    number, 14
        .rept   18
        \instruction number, 96 + 8 * (number - 14)(3)
        .set    number, number + 1
        .endr
        .endm

        .section .text.setjmp, "ax"
        .globl  setjmp
        .type   setjmp, @function
setjmp: mflr    0
        stw     0, 0(3)
        mfcr    0
        stw     0, 4(3)
        stw     1, 8(3)
        stmw    13, 16(3)
        each_double stfd
        li      3, 0
        blr
        .size   setjmp, . - setjmp

        .section .text.longjmp, "ax"
        .globl  longjmp
        .type   longjmp, @function
longjmp:
        lwz     0, 0(3)
        mtlr    0
        lwz     0, 4(3)
        mtcr    0
        lwz     1, 8(3)
        lmw     13, 16(3)
        each_double lfd
        mr.     3, 4
        bnelr
        li      3, 1
        blr
        .size   longjmp, . - longjmp
