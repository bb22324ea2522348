/* unsigned short Checksum(const unsigned short *words, short count)

   The Internet's checksum of 16-bit words, in the assembler of each processor: the preprocessor
   chooses. */

        .text
        .globl  Checksum
        .type   Checksum, @function
Checksum:
#ifdef __m68k__

        move.l  4(%sp),%a0
        move.w  10(%sp),%d1     | an argument has 32 bits; these are the lower
        moveq   #0,%d0
        bra.s   2f
1:      add.w   (%a0)+,%d0
        bcc.s   2f
        addq.w  #1,%d0          | the carry comes in again at the right
2:      dbra    %d1,1b
        not.w   %d0
        rts

#else

        addi    3,3,-2
        addi    4,4,1
        mtctr   4
        li      5,0
        b       2f
1:      lhzu    6,2(3)
        add     5,5,6
2:      bdnz    1b
        srwi    6,5,16
        clrlwi  5,5,16
        add     5,5,6           # the carries come in again at the right
        srwi    6,5,16
        add     5,5,6
        not     5,5
        clrlwi  3,5,16
        blr

#endif

        .size   Checksum, . - Checksum
