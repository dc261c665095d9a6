/* How far missing facts are followed to the rules that could have made them. */
#include "intent/why_not.h"

static bool is_late(struct why_search *s)
{
    const struct intent_call *call = &s->call;
    if (call->cancelled && call->cancelled(call->cancel_context))
        return true;
    if (!call->mono || call->mono(call->mono_context) < s->deadline_ns)
        return false;
    s->limit = "time";
    return true;
}

bool mgi_why_may_follow(struct why_search *s, struct why_goals *goals, mangle_pred pred,
                        const mangle_value *args)
{
    struct buf key = { 0 };
    uint32_t arity = mangle_program_pred(s->ev->s->program, pred).arity;
    if (goals->count >= goals->most || (goals->count > 0 && is_late(s)))
        return false;
    mgi_buf_append(&key, (const char *)&pred, sizeof pred);
    mgi_buf_append(&key, (const char *)args, arity * sizeof *args);
    bool seen = mgi_strmap_get(&goals->seen, mgi_buf_view(&key), NULL);
    if (!seen)
        s->ev->nomem |= key.oom || !mgi_strmap_put(&goals->seen, mgi_buf_view(&key), 0);
    mgi_buf_fini(&key);
    goals->count += !seen;
    return !seen && !s->ev->nomem;
}
