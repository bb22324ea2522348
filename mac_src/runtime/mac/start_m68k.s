| start_m68k.s
|
| Where a 68K application begins, with A5 set and nothing in place yet. The
| linked program thinks its code lies at one address and its data at another;
| 'RELA' 0 and 1 list the longs that have to be told the truth. Data begins
| as 'DATA' 0 and zeros, directly below A5.
|
| A list: each number is seven bits to a byte, lowest first, the top bit set
| in all bytes but the last. Its lower two bits are 0 for a reference to
| code, else it is one to data; the rest says how far the long is from the
| one before. 0 ends the list.

        .equ    ROM85, 0x28E            | negative on the oldest ROMs

        .section .text.start, "ax"
        .globl  _start
        .type   _start, @function
_start:
        lea     _start(%pc), %a3

        | the zeroed data

        move.l  %a5, %a0
        move.l  #__zeroed_size, %d0
        bra.s   2f
1:      clr.b   -(%a0)
        subq.l  #1, %d0
2:      tst.l   %d0
        bne.s   1b

        | the initialised data, which ends where that begins

        move.l  %a0, %a4
        suba.l  #__initialised_size, %a4
        move.l  #0x44415441, %d6        | 'DATA'
        moveq   #0, %d7
        bsr.s   Fetch
        move.l  (%a2), %a0
        move.l  %a4, %a1
        move.l  #__initialised_size, %d0
        .short  0xA02E                  | BlockMove
        bsr.s   Release

        move.l  #0x52454C41, %d6        | 'RELA', also for the next one
        bsr.s   Fetch
        move.l  %a4, %a1
        bsr.s   Relocate
        bsr.s   Release

        moveq   #1, %d7
        bsr.s   Fetch
        move.l  %a3, %a1
        bsr.s   Relocate
        bsr.s   Release

        bsr.s   _flush_code
        jsr     _mac_start
Leave:
        .short  0xA9F4                  | ExitToShell

| The processor may have fetched code from before it was changed. The trap
| for that is younger than many Macintoshes.

        .globl  _flush_code
_flush_code:
        move.l  %d2, -(%sp)
        move.l  %a2, -(%sp)
        tst.w   ROM85
        bmi.s   1f
        move.w  #0xA89F, %d0            | Unimplemented
        .short  0xA746                  | GetToolTrapAddress
        move.l  %a0, %a2
        move.w  #0xA0BD, %d0            | FlushCodeCache
        .short  0xA346                  | GetOSTrapAddress
        cmpa.l  %a0, %a2
        beq.s   1f
        .short  0xA0BD
1:      move.l  (%sp)+, %a2
        move.l  (%sp)+, %d2
        rts

| A2 := resource of type D6 and id D7

Fetch:
        clr.l   -(%sp)
        move.l  %d6, -(%sp)
        move.w  %d7, -(%sp)
        .short  0xA9A0                  | GetResource
        move.l  (%sp)+, %a2
        move.l  %a2, %d0
        beq.s   Leave                   | no memory for it
        rts

Release:
        move.l  %a2, -(%sp)
        .short  0xA9A3                  | ReleaseResource
        rts

| applies the list in the handle A2 to what lies at A1; nothing moves here

Relocate:
        move.l  (%a2), %a0
        subq.l  #1, %a1                 | the first distance counts from there
        move.l  %a3, %d5
        subq.l  #4, %d5                 | references to code count the header
1:      moveq   #0, %d0
        moveq   #0, %d1
2:      moveq   #0, %d2
        move.b  (%a0)+, %d2
        move.b  %d2, %d3
        and.b   #0x7F, %d2
        lsl.l   %d1, %d2
        or.l    %d2, %d0
        addq.w  #7, %d1
        tst.b   %d3
        bmi.s   2b
        tst.l   %d0
        beq.s   4f
        move.b  %d0, %d2
        lsr.l   #2, %d0
        adda.l  %d0, %a1
        and.b   #3, %d2
        beq.s   3f
        move.l  %a5, %d2
        add.l   %d2, (%a1)
        bra.s   1b
3:      add.l   %d5, (%a1)
        bra.s   1b
4:      rts
