/* Relations of intervals (14.8): pairs of times, or of numbers, with both ends inclusive. They are
 * weaker than Allen's relations of the same names, as the reference defines them (M-TEMP-89). */
#include "mangle/builtin/builtin_int.h"

static bool interval_instant(const struct call *c, mangle_value v, int64_t *n)
{
    if (!call_is(c, v, MANGLE_TIME) && !call_is(c, v, MANGLE_NUMBER))
        return false;
    *n = mangle_int_of(c->values, v);
    return true;
}

static enum call_status read_interval(struct call *c, const char *name, mangle_value v,
                                      struct mangle_interval *t)
{
    mangle_value start, end;
    if (call_is(c, v, MANGLE_PAIR)) {
        mangle_pair_of(c->values, v, &start, &end);
        if (interval_instant(c, start, &t->start_ns) && interval_instant(c, end, &t->end_ns))
            return CALL_OK;
    }
    return mgi_call_mismatch(c, name, "a pair of times or numbers", v);
}

#define INTERVAL_RELATION(id, name, condition)                                                     \
    static enum call_status id(struct call *c, mangle_value *args, uint64_t *cursor)               \
    {                                                                                              \
        struct mangle_interval p = { 0 }, q = { 0 };                                               \
        if (read_interval(c, name, args[0], &p) || read_interval(c, name, args[1], &q))            \
            return CALL_ERROR;                                                                     \
        return (condition) && (*cursor)++ == 0 ? CALL_OK : CALL_FAIL;                              \
    }

INTERVAL_RELATION(interval_is_before, ":interval:before", p.end_ns < q.start_ns)
INTERVAL_RELATION(interval_is_after, ":interval:after", q.end_ns < p.start_ns)
INTERVAL_RELATION(interval_meets, ":interval:meets", p.end_ns == q.start_ns)
INTERVAL_RELATION(interval_overlaps, ":interval:overlaps",
                  p.start_ns <= q.end_ns && q.start_ns <= p.end_ns)
INTERVAL_RELATION(interval_during, ":interval:during",
                  p.start_ns >= q.start_ns && p.end_ns <= q.end_ns)
INTERVAL_RELATION(interval_contains, ":interval:contains",
                  q.start_ns >= p.start_ns && q.end_ns <= p.end_ns)
INTERVAL_RELATION(interval_starts, ":interval:starts", p.start_ns == q.start_ns)
INTERVAL_RELATION(interval_finishes, ":interval:finishes", p.end_ns == q.end_ns)
INTERVAL_RELATION(interval_equals, ":interval:equals",
                  p.start_ns == q.start_ns && p.end_ns == q.end_ns)

#define INTERVAL_TYPE "fn:Pair(fn:Union(/time, /number), fn:Union(/time, /number))"
/* Each example keeps the first of two intervals, compared with [10, 20]. */
#define INTERVAL_ROW(relation, function, text, yes, no)                                            \
    {                                                                                              \
        .name = ":interval:" relation, .arity = 2, .next = (function), .single = true,             \
        .type = INTERVAL_TYPE ", " INTERVAL_TYPE, .doc = (text), .example = {                      \
            "p(X) :- i(X), :interval:" relation "(X, fn:pair(10, 20)).",                           \
            "i(fn:pair(" yes ")). i(fn:pair(" no ")).",                                            \
            "p(fn:pair(" yes "))."                                                                 \
        }                                                                                          \
    }

const struct builtin_pred mgi_preds_interval[] = {
    INTERVAL_ROW("before", interval_is_before, "The first interval ends before the second starts.",
                 "5, 9", "5, 10"),
    INTERVAL_ROW("after", interval_is_after, "The first interval starts after the second ends.",
                 "21, 30", "20, 30"),
    INTERVAL_ROW("meets", interval_meets, "The first interval ends when the second starts.",
                 "5, 10", "5, 9"),
    INTERVAL_ROW("overlaps", interval_overlaps, "The intervals share an instant.", "5, 10", "5, 9"),
    INTERVAL_ROW("during", interval_during, "The first interval lies within the second.", "10, 15",
                 "9, 15"),
    INTERVAL_ROW("contains", interval_contains, "The second interval lies within the first.",
                 "10, 25", "11, 25"),
    INTERVAL_ROW("starts", interval_starts, "The intervals start together.", "10, 99", "11, 20"),
    INTERVAL_ROW("finishes", interval_finishes, "The intervals end together.", "1, 20", "10, 21"),
    INTERVAL_ROW("equals", interval_equals, "The intervals are the same.", "10, 20", "10, 21"),
    { 0 },
};
