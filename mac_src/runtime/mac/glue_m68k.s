| glue_m68k.s
|
| Routines whose 68K trap takes or gives its values otherwise than C does:
| two in one register, or one in a register that C wants in a variable. Each
| keeps D2, which traps may change and C counts on.

        .macro  routine name
        .section .text.\name, "ax"
        .globl  \name
        .type   \name, @function
\name:
        .endm

| void Microseconds(UnsignedWide* sinceStartup): A0 is the high long, D0 the low

        routine Microseconds
        move.l  %d2, -(%sp)
        .short  0xA193
        move.l  8(%sp), %a1
        move.l  %a0, (%a1)+
        move.l  %d0, (%a1)
        move.l  (%sp)+, %d2
        rts
        .size   Microseconds, . - Microseconds

| void Delay(long ticks, unsigned long* finalTicks)

        routine Delay
        move.l  %d2, -(%sp)
        move.l  8(%sp), %a0
        .short  0xA03B
        move.l  12(%sp), %a0
        move.l  %d0, (%a0)
        move.l  (%sp)+, %d2
        rts
        .size   Delay, . - Delay

| void FlushEvents(short which, short stop): both in D0, stop in its high word

        routine FlushEvents
        move.l  %d2, -(%sp)
        move.w  14(%sp), %d0
        swap    %d0
        move.w  10(%sp), %d0
        .short  0xA032
        move.l  (%sp)+, %d2
        rts
        .size   FlushEvents, . - FlushEvents

| OSErr Gestalt(OSType selector, long* response): the response comes in A0

        routine Gestalt
        move.l  %d2, -(%sp)
        move.l  8(%sp), %d0
        .short  0xA1AD
        move.l  12(%sp), %a1
        move.l  %a0, (%a1)
        ext.l   %d0
        move.l  (%sp)+, %d2
        rts
        .size   Gestalt, . - Gestalt

| OSErr HandToHand(Handle* h)

        routine HandToHand
        move.l  %d2, -(%sp)
        move.l  8(%sp), %a1
        move.l  (%a1), %a0
        .short  0xA9E1
        tst.w   %d0
        bne.s   1f
        move.l  8(%sp), %a1
        move.l  %a0, (%a1)
1:      ext.l   %d0
        move.l  (%sp)+, %d2
        rts
        .size   HandToHand, . - HandToHand

| OSErr PtrToHand(const void* from, Handle* to, Size size)

        routine PtrToHand
        move.l  %d2, -(%sp)
        move.l  8(%sp), %a0
        move.l  16(%sp), %d0
        .short  0xA9E3
        tst.w   %d0
        bne.s   1f
        move.l  12(%sp), %a1
        move.l  %a0, (%a1)
1:      ext.l   %d0
        move.l  (%sp)+, %d2
        rts
        .size   PtrToHand, . - PtrToHand

| void StringToNum(ConstStr255Param string, long* number): from A0 to D0

        routine StringToNum
        move.l  %d2, -(%sp)
        move.l  8(%sp), %a0
        move.w  #1, -(%sp)
        .short  0xA9EE
        move.l  12(%sp), %a0
        move.l  %d0, (%a0)
        move.l  (%sp)+, %d2
        rts
        .size   StringToNum, . - StringToNum
