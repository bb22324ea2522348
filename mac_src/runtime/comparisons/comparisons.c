/* comparisons.c
 *
 * What code calls that GCC 12 has compiled with
 * -fsanitize-coverage=trace-cmp, before it compares two whole numbers.
 * Of each place in the code it keeps the last pairs that differed, and the
 * pair whose numbers were nearest to each other. emu/checks/comparisons.py
 * knows this layout.
 */

#define PLACES 64                       /* of a table that is searched from a hash on */
#define PAIRS 8

typedef unsigned long number;

struct pair {
    number one, other;
};

struct place {
    number code;                        /* the address behind the call, or 0 */
    number pairs;                       /* how many differed */
    struct pair nearest, last[PAIRS];
};

struct comparisons {
    struct place places[PLACES];
} macproof_comparisons;

#define CODE ((number) __builtin_return_address(0))

static number distance(number one, number other)
{
    return one - other < other - one ? one - other : other - one;
}

static void keep(number code, number one, number other)
{
    struct place *place;
    number slot = code >> 1, tried;

    if (one == other)
        return;
    for (tried = 0; tried < PLACES; tried++, slot++) {
        place = macproof_comparisons.places + slot % PLACES;
        if (place->code == code || place->code == 0) {
            struct pair *last = place->last + place->pairs % PAIRS;

            last->one = one;
            last->other = other;
            if (place->code == 0 || distance(one, other)
                < distance(place->nearest.one, place->nearest.other))
                place->nearest = *last;
            place->code = code;
            place->pairs++;
            return;
        }
    }
}

/* Numbers of 64 bits count by their halves that differ. */
static void keep_halves(number code, unsigned long long one, unsigned long long other)
{
    if (one >> 32 != other >> 32)
        keep(code, one >> 32, other >> 32);
    else
        keep(code, one, other);
}

#define TRACE(name, type) \
    void __sanitizer_cov_trace_##name(type one, type other) { keep(CODE, one, other); }

TRACE(cmp1, unsigned char)
TRACE(cmp2, unsigned short)
TRACE(cmp4, number)
TRACE(const_cmp1, unsigned char)
TRACE(const_cmp2, unsigned short)
TRACE(const_cmp4, number)

void __sanitizer_cov_trace_cmp8(unsigned long long one, unsigned long long other)
{
    keep_halves(CODE, one, other);
}

void __sanitizer_cov_trace_const_cmp8(unsigned long long one, unsigned long long other)
{
    keep_halves(CODE, one, other);
}

/* cases: their number, the bits of the value, and each of them. */
void __sanitizer_cov_trace_switch(unsigned long long value, unsigned long long *cases)
{
    unsigned long long count = cases[0], one;

    for (one = 0; one < count && one < PAIRS; one++)
        keep_halves(CODE, value, cases[2 + one]);
}

/* Nothing is to be learnt from numbers with fractions. */
void __sanitizer_cov_trace_cmpf(float one, float other) { (void) one; (void) other; }
void __sanitizer_cov_trace_cmpd(double one, double other) { (void) one; (void) other; }
