/* undefined.c
 *
 * What code calls that GCC 12 has compiled with -fsanitize=undefined, when
 * it is about to do something that C or C++ does not define. The structures
 * are GCC's.
 */

#include "findings.h"

struct place {
    const char *file;
    unsigned line, column;
};

struct type {
    unsigned short kind;            /* 0 for an integer */
    unsigned short info;
    char name[1];
};

struct operation {
    struct place place;
    const struct type *type, *other_type;
};

struct mismatch {
    struct place place;
    const struct type *type;
    unsigned char log_alignment, act;
};

struct builtin {
    struct place place;
    unsigned char which;
};

/* A value as handlers get it: itself, or its address if it has more bits. */
typedef unsigned long value;

#define CODE __builtin_return_address(0)
#define HANDLER(name) __ubsan_handle_##name

static void take(unsigned long to[2], const struct type *type, value given)
{
    unsigned bits = 1u << (type->info >> 1);
    int is_negative = type->info & 1 && (long) given < 0;

    if (type->kind == 0 && bits > 32) {
        to[0] = ((const unsigned long *) given)[0];
        to[1] = ((const unsigned long *) given)[1];
        return;
    }
    to[0] = is_negative ? ~0ul : 0;
    to[1] = given;
}

static struct finding *found(enum kind kind, void *code,
                             const struct place *place, const struct type *type)
{
    struct finding *one = macproof_new_finding(kind, code);

    if (one == 0)
        return 0;
    one->file = place->file;
    one->line = place->line;
    one->column = place->column;
    if (type != 0) {
        one->type = type->name;
        one->type_info = type->info;
    }
#ifdef MACPROOF_TELLS
    macproof_tell(one);
#endif
    return one;
}

static void found_operation(enum kind kind, void *code, const struct operation *data,
                            const struct type *other_type, value first, value second)
{
    struct finding *one = found(kind, code, &data->place, data->type);

    if (one == 0)
        return;
    take(one->first, data->type, first);
    take(one->second, other_type, second);
}

void HANDLER(add_overflow)(struct operation *data, value first, value second)
{
    found_operation(ADD, CODE, data, data->type, first, second);
}

void HANDLER(sub_overflow)(struct operation *data, value first, value second)
{
    found_operation(SUBTRACT, CODE, data, data->type, first, second);
}

void HANDLER(mul_overflow)(struct operation *data, value first, value second)
{
    found_operation(MULTIPLY, CODE, data, data->type, first, second);
}

void HANDLER(negate_overflow)(struct operation *data, value first)
{
    found_operation(NEGATE, CODE, data, data->type, first, first);
}

void HANDLER(divrem_overflow)(struct operation *data, value first, value second)
{
    found_operation(DIVIDE, CODE, data, data->type, first, second);
}

void HANDLER(shift_out_of_bounds)(struct operation *data, value first, value second)
{
    found_operation(SHIFT, CODE, data, data->other_type, first, second);
}

void HANDLER(out_of_bounds)(struct operation *data, value index)
{
    struct finding *one = found(BOUNDS, CODE, &data->place, data->type);

    if (one != 0)
        take(one->first, data->other_type, index);
}

void HANDLER(vla_bound_not_positive)(struct operation *data, value bound)
{
    found_operation(ARRAY_SIZE, CODE, data, data->type, bound, bound);
}

void HANDLER(load_invalid_value)(struct operation *data, value given)
{
    found_operation(INVALID_VALUE, CODE, data, data->type, given, given);
}

void HANDLER(type_mismatch_v1)(struct mismatch *data, value pointer)
{
    struct finding *one = found(MISMATCH, CODE, &data->place, data->type);

    if (one == 0)
        return;
    one->first[0] = data->act;
    one->first[1] = pointer;
    one->second[1] = 1ul << data->log_alignment;
}

void HANDLER(pointer_overflow)(struct place *place, value base, value result)
{
    struct finding *one = found(POINTER, CODE, place, 0);

    if (one == 0)
        return;
    one->first[1] = base;
    one->second[1] = result;
}

void HANDLER(nonnull_arg)(struct place *place)
{
    found(NULL_ARGUMENT, CODE, place, 0);
}

void HANDLER(nonnull_return_v1)(struct place *attribute, struct place *place)
{
    (void) attribute;
    found(NULL_RESULT, CODE, place, 0);
}

void HANDLER(invalid_builtin)(struct builtin *data)
{
    found(BUILTIN, CODE, &data->place, 0);
}

/* Behind the calls of these there is no code to return to. */

void HANDLER(builtin_unreachable)(struct place *place)
{
    found(UNREACHABLE, CODE, place, 0);
    __builtin_trap();
}

void HANDLER(missing_return)(struct place *place)
{
    found(NO_RESULT, CODE, place, 0);
    __builtin_trap();
}
