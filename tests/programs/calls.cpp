// calls.cpp
//
// Routines that keep the calling contract, and one for every way of
// breaking it. Lines whose numbers the tests expect end in "// at NAME".

#ifdef __m68k__
#define ON_68K(code) asm volatile(code)
#define ON_PPC(code)
#define ON_MIPS(code)
#elif defined __mips__
#define ON_68K(code)
#define ON_PPC(code)
#define ON_MIPS(code) asm volatile(code)
#else
#define ON_68K(code)
#define ON_PPC(code) asm volatile(code)
#define ON_MIPS(code)
#endif

// A whole routine in assembler, without any code of the compiler's.

#define ROUTINE(name, code)                                             \
    asm(".pushsection .text.asm, \"ax\"\n.balign 4\n"                   \
        ".globl " #name "\n.type " #name ", @function\n"                \
        #name ":\n" code "\n.size " #name ", . - " #name "\n.popsection")

#define NOINLINE __attribute__((noinline, noclone))

struct Object
{
    short   x, y;
    char    tag;
    Object* link;
};

Object  gObjects[5];
int     gCounter = 7;
double  gTotal = 0.5;
short   gTable[2][3] = {{1, 2, 3}, {4, 5, 6}};
volatile int gSink;
volatile int gZero;
const int kConstant = 31;

// Arguments and results.

extern "C"
{
NOINLINE int Take0() { return 1000; }
NOINLINE int Take1(int a) { return 2 * a; }
NOINLINE int Take2(int a, int b) { return 2 * a + 3 * b; }
NOINLINE int Take3(int a, int b, int c) { return 2 * a + 3 * b + 5 * c; }
NOINLINE int Take4(int a, int b, int c, int d) { return 2 * a + 3 * b + 5 * c + 7 * d; }
NOINLINE int Take5(int a, int b, int c, int d, int e)
    { return 2 * a + 3 * b + 5 * c + 7 * d + 11 * e; }
NOINLINE int Take6(int a, int b, int c, int d, int e, int f)
    { return 2 * a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f; }
NOINLINE int Take7(int a, int b, int c, int d, int e, int f, int g)
    { return 2 * a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g; }
NOINLINE int Take8(int a, int b, int c, int d, int e, int f, int g, int h)
    { return 2 * a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h; }
NOINLINE int Take9(int a, int b, int c, int d, int e, int f, int g, int h, int i)
    { return 2 * a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h + 23 * i; }
NOINLINE int Take10(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
    { return 2 * a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * g + 19 * h + 23 * i
        + 29 * j; }
}

// A routine owns the stack slots of its arguments and may store to them.

int ChangesItsArguments(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
    volatile int* last = &j;

    *last = a + i;
    return *last + b + c + d + e + f + g + h;
}

short Narrow(int n) { return n; }
int   Bump() { return ++gCounter; }
int   First() { return 1; }
int   Second() { return 2; }

void MoveObjects()
{
    for (int i = 0; i < 5; i++)
    {
        gObjects[i].y = gObjects[i].x * 2;
        gObjects[i].tag = 'a' + i;
        gObjects[i].link = i == 4 ? 0 : &gObjects[i + 1];
    }
    gTotal *= 3;
    gTable[1][2] += gTable[0][1];
}

void FillBytes(char* to, int count, int value)
{
    for (int i = 0; i < count; i++)
        to[i] = value;                                      // at FillBytes
}

int SumBytes(const char* from, int count)
{
    int sum = 0;

    for (int i = 0; i < count; i++)
        sum += from[i];
    return sum;
}

int ReadsUninitialised()
{
    volatile char deep[3000];

    return deep[100];
}

NOINLINE void UsesStack(int n)
{
    volatile char deep[6000];

    for (int i = 0; i < 6000; i++)
        deep[i] = n;
}

// Breaking the contract.

#ifdef __m68k__
void ClobbersRegister() { asm volatile("moveq #99,%d2"); }
void ClobbersFloat() { asm volatile("fmove.l #3,%fp2"); }
void ClobbersScratch() { asm volatile("moveq #99,%d1\n\tmove.l %d1,%a1\n\tfmove.l #3,%fp1"); }
ROUTINE(ReturnsStackOff, "move.l (%sp)+,%a0\n addq.l #4,%sp\n jmp (%a0)");
ROUTINE(WritesAboveFrame, "move.l #0x12345678,68(%sp)\n rts");
ROUTINE(OverwritesReturn, "move.l #0x00400000,(%sp)\n rts");
ROUTINE(OverrunsStack, "move.l %sp,%a0\n1: move.b #0x55,(%a0)+\n bra.s 1b");
ROUTINE(Illegal, "moveq #1,%d0\n illegal\n rts");
ROUTINE(LineA, "moveq #1,%d0\n .short 0xa9f4\n rts");
ROUTINE(LineF, "moveq #1,%d0\n .short 0xfe00\n rts");
ROUTINE(Trap, "moveq #1,%d0\n trap #5\n rts");
ROUTINE(TwoStores, "move.l #1,gSink\n move.l #2,gCounter\n move.l #3,gSink\n rts");
ROUTINE(DivideOverflow, "move.l #0x80000000,%d0\n moveq #-1,%d1\n divs.l %d1,%d0\n rts");
#define BUSY "moveq #3,%%d1\n\t.rept 400\n\tmulu.l %%d1,%%d0\n\tadd.l %%d1,%%d0\n\t.endr"
#define BUSY_CLOBBERS "d0", "d1"
#elif defined __mips__
void ClobbersRegister() { asm volatile("li $20,99"); }
void ClobbersFloat() { asm volatile("mov.d $f20,$f12"); }
void ClobbersFramePointer() { asm volatile("li $30,99"); }
void ClobbersGlobalPointer() { asm volatile("li $28,99"); }
void ClobbersScratch() { asm volatile("li $8,99\n\tli $25,99\n\tmtlo $8\n\tmov.d $f18,$f12"); }
#define IN_ORDER(name, code) ROUTINE(name, ".set push\n.set noreorder\n" code "\n.set pop")
IN_ORDER(ReturnsStackOff, "jr $31\n addiu $29,$29,16");
IN_ORDER(WritesAboveFrame, "jr $31\n sw $4,64($29)");
IN_ORDER(OverwritesReturn, "lui $31,0x40\n jr $31\n nop");
IN_ORDER(OverrunsStack, "move $4,$29\n li $8,0x55\n1: addiu $4,$4,1\n b 1b\n sb $8,-1($4)");
IN_ORDER(Illegal, "li $2,1\n .word 0xfc000000\n jr $31\n nop");
IN_ORDER(IllegalInSlot, "li $2,1\n jr $31\n .word 0xfc000000");
IN_ORDER(Trap, "li $2,1\n teq $0,$0\n jr $31\n nop");
IN_ORDER(Break, "li $2,1\n break\n jr $31\n nop");
IN_ORDER(SystemCall, "li $2,1\n syscall\n jr $31\n nop");
IN_ORDER(Overflow, "lui $2,0x8000\n addi $2,$2,-1\n jr $31\n nop");
IN_ORDER(ReadsUnaligned, "li $2,1\n lw $3,1($29)\n jr $31\n nop");
IN_ORDER(WritesUnaligned, "li $2,1\n sw $3,1($29)\n jr $31\n nop");
IN_ORDER(PokesInSlot, "li $2,1\n jr $31\n sw $2,0($4)");
IN_ORDER(TwoStores, "lui $8,%hi(gSink)\n lui $9,%hi(gCounter)\n sw $4,%lo(gSink)($8)\n"
                    " sw $4,%lo(gCounter)($9)\n jr $31\n sw $4,%lo(gSink)($8)");
// Fills bytes like FillBytes; each is stored in a delay slot.
IN_ORDER(FillInSlots, "blez $5,2f\n addu $5,$5,$4\n1: addiu $4,$4,1\n bne $4,$5,1b\n"
                      " sb $6,-1($4)\n2: jr $31\n nop");
IN_ORDER(StoresUnaligned, "lui $8,%hi(gSink)\n addiu $8,$8,%lo(gSink)\n swl $4,1($8)\n"
                          " jr $31\n swr $4,4($8)");
// A block of more than 370 such instructions would bring the engine down.
#define BUSY ".rept 150\n\tmul $2,$2,$3\n\taddu $2,$2,$3\n\t.endr"
#define BUSY_CLOBBERS "$2", "$3"
#else
void ClobbersRegister() { asm volatile("li 20,99"); }
void ClobbersFloat() { asm volatile("fmr 20,1"); }
void ClobbersCondition() { asm volatile("crnot 8,8"); }
void ClobbersScratch() { asm volatile("li 12,99\n\tfmr 13,1\n\tcrnot 20,20"); }
ROUTINE(ReturnsStackOff, "addi 1,1,16\n blr");
ROUTINE(WritesAboveFrame, "stw 3,64(1)\n blr");
ROUTINE(OverwritesReturn, "lis 0,0x40\n mtlr 0\n blr");
ROUTINE(OverrunsStack, "li 0,0x55\n addi 4,1,-1\n1: stbu 0,1(4)\n b 1b");
ROUTINE(Illegal, "li 3,1\n .long 0\n blr");
ROUTINE(Trap, "li 3,1\n trap\n blr");
ROUTINE(ReadsClock, "mfspr 3,4\n blr");
ROUTINE(SystemCall, "li 3,1\n sc\n blr");
ROUTINE(TwoStores, "lis 4,gSink@ha\n lis 5,gCounter@ha\n stw 3,gSink@l(4)\n"
                   " stw 3,gCounter@l(5)\n stw 3,gSink@l(4)\n blr");
#define BUSY ".rept 400\n\tmullw 3,3,4\n\tadd 3,3,4\n\t.endr"
#define BUSY_CLOBBERS "3", "4"
#endif

// Faults.

NOINLINE int Poke(int* to)
{
    *to = 5;                                                // at Poke
    return 1;
}

NOINLINE int Peek(const int* from)
{
    gSink = *from;                                          // at Peek
    return gSink;
}

NOINLINE int CallAddress(int (*where)())
{
    return where() + 1;                                     // at CallAddress
}

unsigned int gReturn[2] =
#ifdef __m68k__
    {0x4e754e75, 0};
#elif defined __mips__
    {0x03e00008, 0};
#else
    {0x4e800020, 0};
#endif

int ExecutesData() { return CallAddress((int (*)()) gReturn); }

int Divide(int a, int b)
{
    gSink = a / b;                                          // at Divide
    return gSink;
}

NOINLINE int Recurse(int n)
{
    volatile int here = n;

    return n == 0 ? 0 : Recurse(n - 1) + here;              // at Recurse
}

void Endless()
{
    for (;;)
        ;
}

int EndlessWork()
{
    for (;;)
        gSink += kConstant;                                 // at EndlessWork
}

// Few blocks, many instructions: slow by the clock, cheap in blocks.

int Busy(int rounds)
{
    for (int i = 0; i < rounds; i++)
        asm volatile(BUSY : : : BUSY_CLOBBERS);
    return gCounter += rounds;
}

// Faults or not, by the data.

int FaultsWhenNegative()
{
    if (gCounter < 0)
        Poke((int*) 0x00400000);
    return gCounter *= 2;
}

int Start(int n)
{
    return First() + Second() + n;
}

// Leaves the processor rounding towards zero, and a quotient that shows it.

extern "C"
{
NOINLINE void RoundsTowardsZero()
{
    ON_68K("moveq #0x10,%d0\n\tfmove.l %d0,%fpcr");
    ON_PPC("mtfsfi 7,1");
    ON_MIPS("li $8,1\n\tctc1 $8,$31");
}

NOINLINE int OneThird()
{
    volatile float one = 1, three = 3;
    union { float value; int bits; } quotient;
    quotient.value = one / three;
    return quotient.bits;
}
}
