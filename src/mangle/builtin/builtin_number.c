/* Functions on numbers and floats (12.1). Integers wrap modulo 2^64 (M-FUN-3), which C promises for
 * unsigned words only. */
#include <math.h>

#include "mangle/builtin/builtin_int.h"

static enum call_status number_plus(struct call *c, const mangle_value *args, uint32_t count,
                                    mangle_value *out)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t n;
        if (mgi_call_int(c, "fn:plus", args[i], MANGLE_NUMBER, &n))
            return CALL_ERROR;
        sum += (uint64_t)n;
    }
    return mgi_call_return_number(c, sum, out);
}

static enum call_status number_minus(struct call *c, const mangle_value *args, uint32_t count,
                                     mangle_value *out)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        int64_t n;
        if (mgi_call_int(c, "fn:minus", args[i], MANGLE_NUMBER, &n))
            return CALL_ERROR;
        left = i == 0 && count > 1 ? (uint64_t)n : left - (uint64_t)n;
    }
    return mgi_call_return_number(c, left, out);
}

static enum call_status number_mult(struct call *c, const mangle_value *args, uint32_t count,
                                    mangle_value *out)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < count; i++) {
        int64_t n;
        if (mgi_call_int(c, "fn:mult", args[i], MANGLE_NUMBER, &n))
            return CALL_ERROR;
        product *= (uint64_t)n;
    }
    return mgi_call_return_number(c, product, out);
}

/* The machine traps on the smallest number by -1: it is its own negative here. */
static int64_t quotient_of(int64_t n, int64_t divisor)
{
    return divisor == -1 ? (int64_t)(0 - (uint64_t)n) : n / divisor;
}

static enum call_status number_div(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    int64_t quotient = 1, divisor; /* of one argument: 1/x */
    uint32_t first = count > 1;
    if (first && mgi_call_int(c, "fn:div", args[0], MANGLE_NUMBER, &quotient))
        return CALL_ERROR;
    for (uint32_t i = first; i < count; i++) {
        if (mgi_call_int(c, "fn:div", args[i], MANGLE_NUMBER, &divisor))
            return CALL_ERROR;
        if (divisor == 0)
            return mgi_call_error(c, "fn:div: division by zero");
        quotient = quotient_of(quotient, divisor);
    }
    return mgi_call_return_number(c, (uint64_t)quotient, out);
}

static enum call_status number_mod(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    int64_t n, divisor;
    (void)count;
    if (mgi_call_int(c, "fn:mod", args[0], MANGLE_NUMBER, &n) ||
        mgi_call_int(c, "fn:mod", args[1], MANGLE_NUMBER, &divisor))
        return CALL_ERROR;
    if (divisor == 0)
        return mgi_call_error(c, "fn:mod: division by zero");
    return mgi_call_return_number(c, divisor == -1 ? 0 : (uint64_t)(n % divisor), out);
}

static enum call_status float_plus(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    double sum = 0, d;
    for (uint32_t i = 0; i < count; i++) {
        if (mgi_call_double(c, "fn:float:plus", args[i], &d))
            return CALL_ERROR;
        sum += d;
    }
    return mgi_call_return_double(c, sum, out);
}

static enum call_status float_mult(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    double product = 1, d;
    for (uint32_t i = 0; i < count; i++) {
        if (mgi_call_double(c, "fn:float:mult", args[i], &d))
            return CALL_ERROR;
        product *= d;
    }
    return mgi_call_return_double(c, product, out);
}

static enum call_status float_div(struct call *c, const mangle_value *args, uint32_t count,
                                  mangle_value *out)
{
    double quotient = 1, divisor;
    uint32_t first = count > 1;
    if (first && mgi_call_double(c, "fn:float:div", args[0], &quotient))
        return CALL_ERROR;
    for (uint32_t i = first; i < count; i++) {
        if (mgi_call_double(c, "fn:float:div", args[i], &divisor))
            return CALL_ERROR;
        if (divisor == 0)
            return mgi_call_error(c, "fn:float:div: division by zero");
        quotient /= divisor;
    }
    return mgi_call_return_double(c, quotient, out);
}

static enum call_status float_sqrt(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    double d;
    (void)count;
    if (mgi_call_double(c, "fn:sqrt", args[0], &d))
        return CALL_ERROR;
    return mgi_call_return_double(c, sqrt(d), out);
}

static enum call_status number_to_string(struct call *c, const mangle_value *args, uint32_t count,
                                         mangle_value *out)
{
    int64_t n;
    (void)count;
    if (mgi_call_int(c, "fn:number:to_string", args[0], MANGLE_NUMBER, &n))
        return CALL_ERROR;
    struct buf text = { 0 };
    mgi_buf_int(&text, n);
    return mgi_call_return_string(c, &text, out);
}

static enum call_status float_to_string(struct call *c, const mangle_value *args, uint32_t count,
                                        mangle_value *out)
{
    (void)count;
    if (mgi_call_expect(c, "fn:float64:to_string", args[0], MANGLE_FLOAT))
        return CALL_ERROR;
    struct buf text = { 0 };
    mgi_float_print(&text, mangle_float_of(c->values, args[0]));
    return mgi_call_return_string(c, &text, out);
}

static enum call_status add_small(struct call *c, const mangle_value *args, uint32_t count,
                                  int64_t sign, mangle_value *out)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!mgi_value_is_small(args[i]))
            return mgi_call_error(c, "a sum is out of the range of small integers");
        sum += (i ? sign : 1) * mgi_value_small(args[i]);
    }
    *out = mangle_number(c->values, sum);
    return mgi_value_is_small(*out)
               ? CALL_OK
               : mgi_call_error(c, "a sum is out of the range of small integers");
}

static enum call_status small_plus(struct call *c, const mangle_value *args, uint32_t count,
                                   mangle_value *out)
{
    return add_small(c, args, count, 1, out);
}

static enum call_status small_minus(struct call *c, const mangle_value *args, uint32_t count,
                                    mangle_value *out)
{
    return add_small(c, args, count, -1, out);
}

const struct function mgi_small_plus = { .name = "fn:plus",
                                         .max_args = BUILTIN_VARIADIC,
                                         .apply = small_plus };
const struct function mgi_small_minus = {
    .name = "fn:minus", .min_args = 1, .max_args = BUILTIN_VARIADIC, .apply = small_minus
};

const struct function mgi_functions_number[] = {
    { .name = "fn:plus",
      .max_args = BUILTIN_VARIADIC,
      .apply = number_plus,
      .typed_only = true,
      .type = "/number... -> /number",
      .doc = "The sum; without arguments 0. Wraps modulo 2^64.",
      .example = { "p(Y) :- n(X), Y = fn:plus(X, 1).", "n(2).", "p(3)." } },
    { .name = "fn:minus",
      .min_args = 1,
      .max_args = BUILTIN_VARIADIC,
      .apply = number_minus,
      .typed_only = true,
      .type = "/number... -> /number",
      .doc = "The first number less the others; of one number, its negative.",
      .example = { "p(Y) :- n(X), Y = fn:minus(10, X, 1).", "n(2).", "p(7)." } },
    { .name = "fn:mult",
      .max_args = BUILTIN_VARIADIC,
      .apply = number_mult,
      .typed_only = true,
      .type = "/number... -> /number",
      .doc = "The product; without arguments 1. Wraps modulo 2^64.",
      .example = { "p(Y) :- n(X), Y = fn:mult(X, 3).", "n(2).", "p(6)." } },
    { .name = "fn:div",
      .min_args = 1,
      .max_args = BUILTIN_VARIADIC,
      .apply = number_div,
      .typed_only = true,
      .type = "/number... -> /number",
      .doc =
          "The first number divided by each of the others, truncated toward zero; of one number, "
          "1 divided by it.",
      .example = { "p(Y) :- n(X), Y = fn:div(X, 2).", "n(-7).", "p(-3)." } },
    { .name = "fn:mod",
      .min_args = 2,
      .max_args = 2,
      .apply = number_mod,
      .typed_only = true,
      .type = "/number, /number -> /number",
      .doc = "The remainder, with the sign of the first number.",
      .example = { "p(Y) :- n(X), Y = fn:mod(X, 4).", "n(-7).", "p(-3)." } },
    { .name = "fn:float:plus",
      .max_args = BUILTIN_VARIADIC,
      .apply = float_plus,
      .typed_only = true,
      .floats_only = true,
      .type = "fn:Union(/number, /float64)... -> /float64",
      .doc = "The sum in double precision; without arguments 0.",
      .example = { "p(Y) :- n(X), Y = fn:float:plus(X, 1).", "n(0.5).", "p(1.5)." } },
    { .name = "fn:float:mult",
      .max_args = BUILTIN_VARIADIC,
      .apply = float_mult,
      .typed_only = true,
      .floats_only = true,
      .type = "fn:Union(/number, /float64)... -> /float64",
      .doc = "The product in double precision; without arguments 1.",
      .example = { "p(Y) :- n(X), Y = fn:float:mult(X, 3).", "n(0.5).", "p(1.5)." } },
    { .name = "fn:float:div",
      .min_args = 1,
      .max_args = BUILTIN_VARIADIC,
      .apply = float_div,
      .typed_only = true,
      .floats_only = true,
      .type = "fn:Union(/number, /float64)... -> /float64",
      .doc = "The first number divided by each of the others in double precision; of one number, 1 "
             "divided by it.",
      .example = { "p(Y) :- n(X), Y = fn:float:div(X, 2).", "n(5).", "p(2.5)." } },
    { .name = "fn:sqrt",
      .min_args = 1,
      .max_args = 1,
      .apply = float_sqrt,
      .type = "fn:Union(/number, /float64) -> /float64",
      .doc = "The square root; NaN of a negative number.",
      .example = { "p(Y) :- n(X), Y = fn:sqrt(X).", "n(6.25).", "p(2.5)." } },
    { .name = "fn:number:to_string",
      .min_args = 1,
      .max_args = 1,
      .apply = number_to_string,
      .type = "/number -> /string",
      .doc = "The number in decimal.",
      .example = { "p(Y) :- n(X), Y = fn:number:to_string(X).", "n(-7).", "p(\"-7\")." } },
    { .name = "fn:float64:to_string",
      .min_args = 1,
      .max_args = 1,
      .apply = float_to_string,
      .type = "/float64 -> /string",
      .doc = "The shortest decimal that reads back to the same float, without an exponent.",
      .example = { "p(Y) :- n(X), Y = fn:float64:to_string(X).", "n(0.1).", "p(\"0.1\")." } },
    { 0 },
};
