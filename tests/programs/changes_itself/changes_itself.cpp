/* A routine that writes an instruction into memory and executes it, in several ways.

   WITH_FLUSH empties the caches in between, and BEFORE executes what was there first.
   A scene with the value 0 leaves the instruction alone. KEEP does not put it back at the end. */

typedef unsigned char Byte;

short gIn, gOut;
extern "C" short Patched();
extern "C" Byte gPatch[];

#ifdef powerc
asm(".section .data.code,\"awx\"\n"
    "        .globl Patched\n"
    "        .type Patched, @function\n"
    "        .globl gPatch\n"
    "Patched:\n"
    "gPatch: li 3,1\n"
    "        blr\n"
    "        .previous");
typedef unsigned int Word;
#define RETURNS(value) (0x38600000u | (value))
#define FLUSH asm volatile("dcbst 0,%0; sync; icbi 0,%0; sync; isync" : : "r"(gPatch) : "memory")
#else
asm(".section .data.code,\"awx\"\n"
    "        .globl Patched\n"
    "        .type Patched, @function\n"
    "        .globl gPatch\n"
    "Patched:\n"
    "gPatch: moveq #1,%d0\n"
    "        rts\n"
    "        .previous");
typedef unsigned short Word;
#define RETURNS(value) (0x7000 | (value))
#ifdef __mc68000__
#define FLUSH
#endif
#ifdef __mc68040__
#undef FLUSH
#define FLUSH asm volatile("cpusha %%bc" : : : "memory")
#endif
#endif

void Go()
{
#ifdef BEFORE
    Patched();
#endif
    if (gIn != 0)
        *(volatile Word*) gPatch = RETURNS((Byte) gIn);
#ifdef WITH_FLUSH
    FLUSH;
#endif
    gOut = Patched();
#ifndef KEEP
    *(volatile Word*) gPatch = RETURNS(1);
#endif
}
