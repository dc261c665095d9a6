/* Comparisons (M-PRED-1 to 3, 14). Each works on one kind, and on any other is an error. */
#include "mangle/builtin_int.h"

/* The sign of left - right, or CALL_ERROR. */
static enum call_status compare_args(struct call *c, const char *name, const mangle_value *args,
                                     enum mangle_kind kind, int *order)
{
    int64_t left, right;
    if (mgi_call_int(c, name, args[0], kind, &left) || mgi_call_int(c, name, args[1], kind, &right))
        return CALL_ERROR;
    *order = left < right ? -1 : left > right;
    return CALL_OK;
}

/* A test holds once. */
static enum call_status call_holds(bool holds, uint64_t *cursor)
{
    return holds && (*cursor)++ == 0 ? CALL_OK : CALL_FAIL;
}

#define COMPARISON(id, name, kind, condition)                                                      \
    static enum call_status id(struct call *c, mangle_value *args, uint64_t *cursor)               \
    {                                                                                              \
        int order;                                                                                 \
        if (compare_args(c, name, args, kind, &order))                                             \
            return CALL_ERROR;                                                                     \
        return call_holds(condition, cursor);                                                      \
    }
#define COMPARISONS(id, prefix, kind)                                                              \
    COMPARISON(id##_lt, prefix "lt", kind, order < 0)                                              \
    COMPARISON(id##_le, prefix "le", kind, order <= 0)                                             \
    COMPARISON(id##_gt, prefix "gt", kind, order > 0)                                              \
    COMPARISON(id##_ge, prefix "ge", kind, order >= 0)

COMPARISONS(number, ":", MANGLE_NUMBER)
COMPARISONS(time, ":time:", MANGLE_TIME)
COMPARISONS(duration, ":duration:", MANGLE_DURATION)

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

#define COMPARISON_ROW(pred, function, kind_type, text, ...)                                       \
    {                                                                                              \
        .name = (pred), .arity = 2, .next = (function), .single = true,                            \
        .type = kind_type ", " kind_type, .doc = (text), .example = {                              \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

#define N_RULE(test)        "p(X) :- n(X), " test "."
#define NANOS_RULE(pred, f) N_RULE(pred "(" f "(X), " f "(5))")

const struct builtin_pred mgi_preds_compare[] = {
    COMPARISON_ROW(":lt", number_lt, "/number", "The first number is less; also written X < Y.",
                   N_RULE(":lt(X, 5)"), "n(4). n(5).", "p(4)."),
    COMPARISON_ROW(":le", number_le, "/number",
                   "The first number is less or equal; also written X <= Y.", N_RULE(":le(X, 5)"),
                   "n(5). n(6).", "p(5)."),
    COMPARISON_ROW(":gt", number_gt, "/number", "The first number is greater; also written X > Y.",
                   N_RULE(":gt(X, 5)"), "n(5). n(6).", "p(6)."),
    COMPARISON_ROW(":ge", number_ge, "/number",
                   "The first number is greater or equal; also written X >= Y.",
                   N_RULE(":ge(X, 5)"), "n(4). n(5).", "p(5)."),
    COMPARISON_ROW(":time:lt", time_lt, "/time", "The first time is earlier.",
                   NANOS_RULE(":time:lt", "fn:time:from_unix_nanos"), "n(4). n(5).", "p(4)."),
    COMPARISON_ROW(":time:le", time_le, "/time", "The first time is not later.",
                   NANOS_RULE(":time:le", "fn:time:from_unix_nanos"), "n(5). n(6).", "p(5)."),
    COMPARISON_ROW(":time:gt", time_gt, "/time", "The first time is later.",
                   NANOS_RULE(":time:gt", "fn:time:from_unix_nanos"), "n(5). n(6).", "p(6)."),
    COMPARISON_ROW(":time:ge", time_ge, "/time", "The first time is not earlier.",
                   NANOS_RULE(":time:ge", "fn:time:from_unix_nanos"), "n(4). n(5).", "p(5)."),
    COMPARISON_ROW(":duration:lt", duration_lt, "/duration", "The first duration is shorter.",
                   NANOS_RULE(":duration:lt", "fn:duration:from_nanos"), "n(4). n(5).", "p(4)."),
    COMPARISON_ROW(":duration:le", duration_le, "/duration", "The first duration is not longer.",
                   NANOS_RULE(":duration:le", "fn:duration:from_nanos"), "n(5). n(6).", "p(5)."),
    COMPARISON_ROW(":duration:gt", duration_gt, "/duration", "The first duration is longer.",
                   NANOS_RULE(":duration:gt", "fn:duration:from_nanos"), "n(5). n(6).", "p(6)."),
    COMPARISON_ROW(":duration:ge", duration_ge, "/duration", "The first duration is not shorter.",
                   NANOS_RULE(":duration:ge", "fn:duration:from_nanos"), "n(4). n(5).", "p(5)."),
    { .name = ":within_distance",
      .arity = 3,
      .next = within_distance,
      .single = true,
      .type = "/number, /number, /number",
      .doc = "The two numbers are less than the third apart.",
      .example = { N_RULE(":within_distance(X, 10, 3)"), "n(7). n(8).", "p(8)." } },
    { 0 },
};
