/* Comparisons (M-PRED-1 to 3, 14; those of strings and names are of our dialect). Each works on one
 * kind, and on any other is an error. */
#include "mangle/builtin/builtin_int.h"

#include <stdio.h>

/* `<` on another kind than numbers: which predicate is meant. */
static enum call_status not_numbers(struct call *c, const char *name, mangle_value v)
{
    static const char *const families[] = {
        [MANGLE_NAME] = "name",
        [MANGLE_STRING] = "string",
        [MANGLE_TIME] = "time",
        [MANGLE_DURATION] = "duration",
    };
    char wanted[64] = "a number";
    enum mangle_kind kind = mangle_kind_of(c->values, v);
    if (kind < sizeof families / sizeof *families && families[kind])
        snprintf(wanted, sizeof wanted, "a number (this kind has :%s%s)", families[kind], name);
    return mgi_call_mismatch(c, name, wanted, v);
}

/* The sign of left - right, or CALL_ERROR. */
static enum call_status compare_ints(struct call *c, const char *name, const mangle_value *args,
                                     enum mangle_kind kind, int *order)
{
    int64_t left, right;
    if (kind == MANGLE_NUMBER && mgi_value_is_small(args[0]) && mgi_value_is_small(args[1])) {
        left = mgi_value_small(args[0]);
        right = mgi_value_small(args[1]);
        *order = left < right ? -1 : left > right;
        return CALL_OK;
    }
    for (int i = 0; kind == MANGLE_NUMBER && i < 2; i++)
        if (!call_is(c, args[i], kind))
            return not_numbers(c, name, args[i]);
    if (mgi_call_int(c, name, args[0], kind, &left) || mgi_call_int(c, name, args[1], kind, &right))
        return CALL_ERROR;
    *order = left < right ? -1 : left > right;
    return CALL_OK;
}

/* Byte by byte, a proper prefix first (M-VAL-68). */
static enum call_status compare_texts(struct call *c, const char *name, const mangle_value *args,
                                      enum mangle_kind kind, int *order)
{
    if (mgi_call_expect(c, name, args[0], kind) || mgi_call_expect(c, name, args[1], kind))
        return CALL_ERROR;
    *order = mangle_compare(c->values, args[0], args[1]);
    return CALL_OK;
}

/* A test holds once. */
static enum call_status call_holds(bool holds, uint64_t *cursor)
{
    return holds && (*cursor)++ == 0 ? CALL_OK : CALL_FAIL;
}

#define COMPARISON(id, name, compare, kind, condition)                                             \
    static enum call_status id(struct call *c, mangle_value *args, uint64_t *cursor)               \
    {                                                                                              \
        int order;                                                                                 \
        if (compare(c, name, args, kind, &order))                                                  \
            return CALL_ERROR;                                                                     \
        return call_holds(condition, cursor);                                                      \
    }
#define COMPARISONS(id, prefix, compare, kind)                                                     \
    COMPARISON(id##_lt, prefix "lt", compare, kind, order < 0)                                     \
    COMPARISON(id##_le, prefix "le", compare, kind, order <= 0)                                    \
    COMPARISON(id##_gt, prefix "gt", compare, kind, order > 0)                                     \
    COMPARISON(id##_ge, prefix "ge", compare, kind, order >= 0)

COMPARISONS(number, ":", compare_ints, MANGLE_NUMBER)
COMPARISONS(time, ":time:", compare_ints, MANGLE_TIME)
COMPARISONS(duration, ":duration:", compare_ints, MANGLE_DURATION)
COMPARISONS(string, ":string:", compare_texts, MANGLE_STRING)
COMPARISONS(name, ":name:", compare_texts, MANGLE_NAME)

static enum call_status within_distance(struct call *c, mangle_value *args, uint64_t *cursor)
{
    int64_t x, y, distance;
    if (mgi_call_int(c, ":within_distance", args[0], MANGLE_NUMBER, &x) ||
        mgi_call_int(c, ":within_distance", args[1], MANGLE_NUMBER, &y) ||
        mgi_call_int(c, ":within_distance", args[2], MANGLE_NUMBER, &distance))
        return CALL_ERROR;
    int64_t apart = (int64_t)((uint64_t)x - (uint64_t)y); /* wraps; -2^63 has no positive */
    apart = apart == INT64_MIN ? INT64_MAX : apart < 0 ? -apart : apart;
    return call_holds(apart < distance, cursor);
}

#define COMPARISON_FIELDS(pred, function, kind_type, text, ...)                                    \
    .name = (pred), .arity = 2, .next = (function), .single = true,                                \
    .type = kind_type ", " kind_type, .doc = (text), .example = { __VA_ARGS__ }
#define COMPARISON_ROW(pred, sign, ...)                                                            \
    {                                                                                              \
        COMPARISON_FIELDS(pred, __VA_ARGS__), .infix = (sign)                                      \
    }
#define TIME_ROW(pred, order, ...)                                                                 \
    {                                                                                              \
        COMPARISON_FIELDS(pred, __VA_ARGS__), .time_order = (order)                                \
    }

#define N_RULE(test)        "p(X) :- n(X), " test "."
#define NANOS_RULE(pred, f) N_RULE(pred "(" f "(X), " f "(5))")

const struct builtin_pred mgi_preds_compare[] = {
    COMPARISON_ROW(":lt", "<", number_lt, "/number",
                   "The first number is less; also written X < Y.", N_RULE(":lt(X, 5)"),
                   "n(4). n(5).", "p(4)."),
    COMPARISON_ROW(":le", "<=", number_le, "/number",
                   "The first number is less or equal; also written X <= Y.", N_RULE(":le(X, 5)"),
                   "n(5). n(6).", "p(5)."),
    COMPARISON_ROW(":gt", ">", number_gt, "/number",
                   "The first number is greater; also written X > Y.", N_RULE(":gt(X, 5)"),
                   "n(5). n(6).", "p(6)."),
    COMPARISON_ROW(":ge", ">=", number_ge, "/number",
                   "The first number is greater or equal; also written X >= Y.",
                   N_RULE(":ge(X, 5)"), "n(4). n(5).", "p(5)."),
    TIME_ROW(":time:lt", TIME_LT, time_lt, "/time", "The first time is earlier.",
             NANOS_RULE(":time:lt", "fn:time:from_unix_nanos"), "n(4). n(5).", "p(4)."),
    TIME_ROW(":time:le", TIME_LE, time_le, "/time", "The first time is not later.",
             NANOS_RULE(":time:le", "fn:time:from_unix_nanos"), "n(5). n(6).", "p(5)."),
    TIME_ROW(":time:gt", TIME_GT, time_gt, "/time", "The first time is later.",
             NANOS_RULE(":time:gt", "fn:time:from_unix_nanos"), "n(5). n(6).", "p(6)."),
    TIME_ROW(":time:ge", TIME_GE, time_ge, "/time", "The first time is not earlier.",
             NANOS_RULE(":time:ge", "fn:time:from_unix_nanos"), "n(4). n(5).", "p(5)."),
    COMPARISON_ROW(":duration:lt", NULL, duration_lt, "/duration", "The first duration is shorter.",
                   NANOS_RULE(":duration:lt", "fn:duration:from_nanos"), "n(4). n(5).", "p(4)."),
    COMPARISON_ROW(":duration:le", NULL, duration_le, "/duration",
                   "The first duration is not longer.",
                   NANOS_RULE(":duration:le", "fn:duration:from_nanos"), "n(5). n(6).", "p(5)."),
    COMPARISON_ROW(":duration:gt", NULL, duration_gt, "/duration", "The first duration is longer.",
                   NANOS_RULE(":duration:gt", "fn:duration:from_nanos"), "n(5). n(6).", "p(6)."),
    COMPARISON_ROW(":duration:ge", NULL, duration_ge, "/duration",
                   "The first duration is not shorter.",
                   NANOS_RULE(":duration:ge", "fn:duration:from_nanos"), "n(4). n(5).", "p(5)."),
    COMPARISON_ROW(
        ":string:lt", NULL, string_lt, "/string", "The first string comes first, byte by byte.",
        "p(X) :- w(X), :string:lt(X, \"kiwi\").", "w(\"fig\"). w(\"kiwi\").", "p(\"fig\")."),
    COMPARISON_ROW(":string:le", NULL, string_le, "/string",
                   "The first string does not come after the second.",
                   "p(X) :- w(X), :string:le(X, \"kiwi\").", "w(\"kiwi\"). w(\"mango\").",
                   "p(\"kiwi\")."),
    COMPARISON_ROW(
        ":string:gt", NULL, string_gt, "/string", "The first string comes after the second.",
        "p(X) :- w(X), :string:gt(X, \"kiwi\").", "w(\"kiwi\"). w(\"mango\").", "p(\"mango\")."),
    COMPARISON_ROW(
        ":string:ge", NULL, string_ge, "/string", "The first string does not come first.",
        "p(X) :- w(X), :string:ge(X, \"kiwi\").", "w(\"fig\"). w(\"kiwi\").", "p(\"kiwi\")."),
    COMPARISON_ROW(":name:lt", NULL, name_lt, "/name", "The first name comes first, byte by byte.",
                   "p(X) :- w(X), :name:lt(X, /a/c).", "w(/a/b). w(/a/c).", "p(/a/b)."),
    COMPARISON_ROW(":name:le", NULL, name_le, "/name",
                   "The first name does not come after the second.",
                   "p(X) :- w(X), :name:le(X, /a/c).", "w(/a/c). w(/b).", "p(/a/c)."),
    COMPARISON_ROW(":name:gt", NULL, name_gt, "/name", "The first name comes after the second.",
                   "p(X) :- w(X), :name:gt(X, /a/c).", "w(/a/c). w(/b).", "p(/b)."),
    COMPARISON_ROW(":name:ge", NULL, name_ge, "/name", "The first name does not come first.",
                   "p(X) :- w(X), :name:ge(X, /a/c).", "w(/a/b). w(/a/c).", "p(/a/c)."),
    { .name = ":within_distance",
      .arity = 3,
      .next = within_distance,
      .single = true,
      .type = "/number, /number, /number",
      .doc = "The two numbers are less than the third apart.",
      .example = { N_RULE(":within_distance(X, 10, 3)"), "n(7). n(8).", "p(8)." } },
    { 0 },
};
