/* findings.h
 *
 * Where the sanitizers' runtime writes down what it finds. macproof reads
 * macproof_findings after each call: emu/checks/sanitizers.py knows this
 * layout and these kinds.
 */

#ifndef MACPROOF_FINDINGS_H
#define MACPROOF_FINDINGS_H

#define FINDINGS_KEPT 32

enum kind {
    ADD = 1, SUBTRACT, MULTIPLY, NEGATE, DIVIDE, SHIFT, BOUNDS, UNREACHABLE,
    NO_RESULT, ARRAY_SIZE, INVALID_VALUE, MISMATCH, POINTER, NULL_ARGUMENT,
    NULL_RESULT, BUILTIN, READ, WRITE
};

struct finding {
    unsigned short kind;
    unsigned short type_info;       /* GCC's: bit 0 signed, then log2 of the bits */
    unsigned long code;             /* the address behind the call of the check */
    unsigned long line, column;     /* in the source, or 0 */
    const char *file, *type;        /* names, or 0 */
    unsigned long first[2], second[2];  /* values, high word first */
};

struct findings {
    unsigned long count;
    struct finding kept[FINDINGS_KEPT];
};

extern struct findings macproof_findings;

/* The place for a finding, all zero but its kind and code; 0 if there is
   one already of this kind at this code, or if there is no more room. */
struct finding *macproof_new_finding(enum kind kind, void *code);

/* Tell the user of an application. */
void macproof_tell(const struct finding *one);

#endif
