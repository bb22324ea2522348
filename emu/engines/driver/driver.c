/* Runs inside qemu-user: lays calls into memory, makes them, and keeps what they have left.

   Descriptor 1 takes a word when the process has begun, and from then on it can make only the system
   calls that are made here. Descriptor 0 gives the plan, and then the number of calls of each batch;
   1 takes a word when the memory is laid, and when the calls of a batch are made. The file behind `plan.calls` has a record for each call: at which page of `plan.stacks`
   the depth of its stack begins, the top of the stack above that, the frame on top of it, and the
   bytes of each region of data. Its record in `plan.made` has the frame and the data that it left.
   All numbers are words in the guest's byte order.

   A depth is mapped anew for each call, which takes half as long as copying its 60 KiB. It is not
   mapped shared: that would have QEMU translate for several threads, with a barrier at each load. */

typedef unsigned int word;

enum { EXIT = 1, READ = 3, WRITE = 4, LSEEK = 19, MPROTECT = 125, READV = 145, WRITEV = 146,
       MMAP2 = 192 };
enum { MOST = 64, FIXED_PRIVATE = 0x12, ANONYMOUS = 0x20, READ_WRITE = 3 };

struct region { word address, size, protection, is_data; };
struct piece { word address, size; };

static struct {
    word calls, made, stacks; /* descriptors of files */
    word given, left;         /* bytes of a record */
    word start, depth, depth_size, top_size, frame, frame_size, count;
} plan;
static struct region regions[MOST];
static struct piece pieces[MOST + 3]; /* of a record: depth_at, top, frame, data */
static word piece_count, depth_at;

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

static void map(word address, word size, word kind, word file, word page)
{
    int found = call_system(MMAP2, address, size, READ_WRITE, kind | FIXED_PRIVATE, file, page);
    if (found != (int)address) end(93);
}

static void make_call(void)
{
    if (sys(READV, plan.calls, (word)pieces, piece_count) != (int)plan.given) end(91);
    map(plan.depth, plan.depth_size, 0, plan.stacks, depth_at);
    enter(plan.start);
    if (sys(WRITEV, plan.made, (word)(pieces + 2), piece_count - 2) != (int)plan.left) end(92);
}

static void add_piece(word address, word size)
{
    pieces[piece_count++] = (struct piece){address, size};
}

static void say_ready(void)
{
    sys(WRITE, 1, (word)&piece_count, sizeof piece_count);
}

static void lay_memory(void)
{
    say_ready();
    get(0, (word)&plan, sizeof plan);
    if (plan.count > MOST) end(96);
    get(0, (word)regions, plan.count * sizeof *regions);
    add_piece((word)&depth_at, sizeof depth_at);
    add_piece(plan.frame - plan.top_size, plan.top_size);
    add_piece(plan.frame, plan.frame_size);
    for (word n = 0; n < plan.count; n++) {
        struct region one = regions[n];
        map(one.address, one.size, ANONYMOUS, -1, 0);
        get(0, one.address, one.size);
        if (sys(MPROTECT, one.address, one.size, one.protection) < 0) end(94);
        if (one.is_data) add_piece(one.address, one.size);
    }
}

void _start(void)
{
    lay_memory();
    for (;;) {
        word count;
        say_ready();
        get(0, (word)&count, sizeof count);
        sys(LSEEK, plan.calls, 0, 0), sys(LSEEK, plan.made, 0, 0);
        while (count--) make_call();
    }
}
