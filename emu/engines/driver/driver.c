/* Runs inside qemu-user: lays calls into memory, makes them, and keeps what they have left.

   Descriptor 0 gives the plan, and then the number of calls of each batch; 1 takes the number of
   calls made. The files behind `plan.calls` and `plan.made` hold a record for each call: where its
   stack lies in the file of stacks, the frame, and the bytes of each region of data. All numbers
   are words in the guest's byte order. */

typedef unsigned int word;

enum { EXIT = 1, READ = 3, WRITE = 4, LSEEK = 19, SETRLIMIT = 75, MPROTECT = 125, READV = 145,
       WRITEV = 146, MMAP2 = 192 };
#if defined(__m68k__)
enum { PRCTL = 172 };
#else
enum { PRCTL = 171 };
#endif
enum { SET_PARENT_DEATH_SIGNAL = 1, KILL = 9 };
enum { MOST = 64, CORE = 4, FIXED_PRIVATE_ANONYMOUS = 0x32, READ_WRITE = 3 };

struct region { word address, size, protection, is_data; };
struct piece { word address, size; };

static struct {
    word calls, made, stacks; /* descriptors of files */
    word record; /* bytes of a record */
    word start, stack, stack_size, frame, frame_size, count;
} plan;
static struct region regions[MOST];
static struct piece pieces[MOST];
static word piece_count, stack_at;

#if defined(__m68k__)
static int call_system(word number, word a, word b, word c, word d, word e, word f)
{
    register word d0 asm("d0") = number, d1 asm("d1") = a, d2 asm("d2") = b, d3 asm("d3") = c;
    register word d4 asm("d4") = d, d5 asm("d5") = e, a0 asm("a0") = f;
    asm volatile("trap #0" : "+d"(d0) : "d"(d1), "d"(d2), "d"(d3), "d"(d4), "d"(d5), "a"(a0)
                 : "memory");
    return (int)d0;
}

/* Makes a call. The guest's control registers are as after a reset. */
extern void enter(word start);
asm(".text\n.globl enter, back\n"
    "enter: movem.l %d2-%d7/%a2-%a6,-(%sp)\n"
    "move.l %sp,saved\n"
#if defined(__mc68040__)
    "fmove.l saved_zero,%fpcr\n"
    "fmove.l saved_zero,%fpsr\n"
#endif
    "move.l 48(%sp),%a0\n"
    "jmp (%a0)\n"
    "back: move.l saved,%sp\n"
    "movem.l (%sp)+,%d2-%d7/%a2-%a6\n"
    "rts\n"
    ".data\nsaved: .long 0\nsaved_zero: .long 0\n.text\n");
#else
static int call_system(word number, word a, word b, word c, word d, word e, word f)
{
    register word r0 asm("r0") = number, r3 asm("r3") = a, r4 asm("r4") = b, r5 asm("r5") = c;
    register word r6 asm("r6") = d, r7 asm("r7") = e, r8 asm("r8") = f;
    asm volatile("sc\nbns+ 1f\nneg 3,3\n1:"
                 : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8)
                 :: "memory", "cr0", "ctr", "xer", "r9", "r10", "r11", "r12");
    return (int)r3;
}

extern void enter(word start);
asm(".text\n.globl enter, back\n"
    "enter: stwu 1,-112(1)\nmflr 0\nstw 0,116(1)\nmfcr 0\nstw 0,8(1)\nstw 2,12(1)\nstmw 13,16(1)\n"
    "lis 11,saved@ha\nstw 1,saved@l(11)\n"
    "lis 11,saved_zero@ha\nlfd 0,saved_zero@l(11)\nmtfsf 255,0\n"
    "mtctr 3\nbctr\n"
    "back: lis 11,saved@ha\nlwz 1,saved@l(11)\n"
    "lmw 13,16(1)\nlwz 2,12(1)\nlwz 0,8(1)\nmtcr 0\nlwz 0,116(1)\nmtlr 0\naddi 1,1,112\nblr\n"
    ".data\n.balign 8\nsaved_zero: .long 0,0\nsaved: .long 0\n.text\n");
#endif

static int sys(word number, word a, word b, word c)
{
    return call_system(number, a, b, c, 0, 0, 0);
}

static void end(int code)
{
    for (;;) sys(EXIT, code, 0, 0);
}

/* Reads so many bytes, or ends the process: with code 0 if the file ends, with 90 if it fails. */
static void get(word file, word address, word size)
{
    while (size) {
        int count = sys(READ, file, address, size);
        if (count <= 0) end(count ? 90 : 0);
        address += count, size -= count;
    }
}

static void make_call(void)
{
    if (sys(READV, plan.calls, (word)pieces, piece_count) != (int)plan.record) end(91);
    sys(LSEEK, plan.stacks, stack_at, 0);
    get(plan.stacks, plan.stack, plan.stack_size - plan.frame_size);
    enter(plan.start);
    if (sys(WRITEV, plan.made, (word)pieces, piece_count) != (int)plan.record) end(92);
}

static void lay_memory(void)
{
    static word no_core[2];
    sys(SETRLIMIT, CORE, (word)no_core, 0);
    sys(PRCTL, SET_PARENT_DEATH_SIGNAL, KILL, 0);
    get(0, (word)&plan, sizeof plan);
    get(0, (word)regions, plan.count * sizeof *regions);
    pieces[piece_count++] = (struct piece){(word)&stack_at, sizeof stack_at};
    pieces[piece_count++] = (struct piece){plan.frame, plan.frame_size};
    for (word n = 0; n < plan.count; n++) {
        struct region one = regions[n];
        if (call_system(MMAP2, one.address, one.size, READ_WRITE, FIXED_PRIVATE_ANONYMOUS, -1, 0)
            != (int)one.address) end(93);
        get(0, one.address, one.size);
        if (sys(MPROTECT, one.address, one.size, one.protection) < 0) end(94);
        if (one.is_data) pieces[piece_count++] = (struct piece){one.address, one.size};
    }
}

void _start(void)
{
    lay_memory();
    for (;;) {
        word count;
        sys(WRITE, 1, (word)&piece_count, sizeof piece_count); /* ready, or done */
        get(0, (word)&count, sizeof count);
        sys(LSEEK, plan.calls, 0, 0), sys(LSEEK, plan.made, 0, 0);
        while (count--) make_call();
    }
}
