/* What ends an evaluation before its time: errors, limits, and the look at clock, flag and memory
 * that everything which takes long has to take from time to time. */
#include "mangle/run/eval.h"

#include <inttypes.h>
#include <stdio.h>

enum mangle_status mgi_eval_nomem(struct eval *x)
{
    if (x->err)
        snprintf(x->err->message, sizeof x->err->message, "out of memory");
    return MANGLE_ERR_NOMEM;
}

enum mangle_status mgi_eval_fail(struct eval *x, const char *text)
{
    if (!x->err)
        return MANGLE_ERR_EVAL;
    if (!x->rule) {
        snprintf(x->err->message, sizeof x->err->message, "%s", text);
        return MANGLE_ERR_EVAL;
    }
    const struct source *source = &x->program->sources[x->rule->clause->span.source];
    snprintf(x->err->message, sizeof x->err->message, "%s:%" PRIu32 ": %s", source->name,
             mgi_line_at(x->program, x->rule->clause->span), text);
    return MANGLE_ERR_EVAL;
}

enum mangle_status mgi_eval_limit(struct eval *x, enum mangle_limit_kind kind, int64_t limit,
                                  int64_t consumed, mangle_pred pred)
{
    static const char *const texts[] = { "", "too many facts are derived",
                                         "one fact has too many separate intervals",
                                         "evaluation takes too long",
                                         "evaluation needs too much memory" };
    static const char *const units[] = { "", "facts", "intervals", "ns", "bytes" };
    if (!x->err)
        return MANGLE_ERR_LIMIT;
    struct mangle_error *e = x->err;
    e->limit.kind = kind;
    e->limit.limit = limit;
    e->limit.consumed = consumed;
    e->limit.rule = x->rule ? mgi_rule_shown(x->program, x->rule->shown) : SIZE_MAX;
    e->limit.pred[0] = '\0';
    if (pred != MANGLE_NO_PRED)
        snprintf(e->limit.pred, sizeof e->limit.pred, "%.*s",
                 STR_ARG(x->program->preds[pred].name));
    snprintf(e->message, sizeof e->message, "%s (limit %" PRId64 " %s)%s%s", texts[kind], limit,
             units[kind], e->limit.pred[0] ? ": " : "", e->limit.pred);
    return MANGLE_ERR_LIMIT;
}

enum mangle_status mgi_eval_memory(struct eval *x)
{
    size_t bytes = x->bytes + mgi_values_bytes(x->values);
    if (bytes > x->peak_bytes)
        x->peak_bytes = bytes;
    if (x->limits.max_bytes >= 0 && bytes > (uint64_t)x->limits.max_bytes)
        return mgi_eval_limit(x, MANGLE_LIMIT_MEMORY, x->limits.max_bytes, (int64_t)bytes,
                              MANGLE_NO_PRED);
    return MANGLE_OK;
}

enum mangle_status mgi_eval_check(struct eval *x)
{
    x->work = mgi_eval_work(x);
    x->steps = STEPS_PER_CHECK;
    enum mangle_status st = x->machine->drain(x);
    if (st)
        return st;
    if (x->limits.cancelled && x->limits.cancelled(x->limits.cancel_context)) {
        if (x->err)
            snprintf(x->err->message, sizeof x->err->message, "cancelled");
        return MANGLE_ERR_CANCELLED;
    }
    if (x->limits.timeout_ns) {
        int64_t spent = x->limits.clock(x->limits.clock_context) - x->started_ns;
        if (spent > x->limits.timeout_ns)
            return mgi_eval_limit(x, MANGLE_LIMIT_TIME, x->limits.timeout_ns, spent,
                                  MANGLE_NO_PRED);
    }
    return mgi_eval_memory(x);
}

static bool go_on(void *context)
{
    struct eval *x = context;
    x->stopped = mgi_eval_check(x);
    return x->stopped == MANGLE_OK;
}

struct pace mgi_eval_pace(struct eval *x)
{
    return (struct pace){ .steps = &x->steps, .go_on = go_on, .context = x };
}

enum mangle_status mgi_eval_merge(struct eval *x, uint32_t *count)
{
    struct pace pace = mgi_eval_pace(x);
    size_t merged = mgi_interval_coalesce(x->merge, *count, &pace);
    if (merged == SIZE_MAX)
        return x->stopped;
    *count = (uint32_t)merged;
    return MANGLE_OK;
}
