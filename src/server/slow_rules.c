/* Rules that take long are named in the log: the dearest of a request, with what it did. Names of
 * predicates, places and counts; nothing of what a client sent but the names of intent and request.
 */
#include <inttypes.h>

#include "base/time.h"
#include "base/utf8.h"
#include "server/server_int.h"

#define NAME_BYTES 64

struct slow {
    size_t rule, more; /* the dearest; how many others are slow, too */
    struct mangle_rule_cost cost;
};

static bool find_slow(const struct intent_costs *costs, int64_t limit_ns, struct slow *out)
{
    size_t count = mangle_program_rule_count(costs->snapshot->program), slow = 0;
    *out = (struct slow){ 0 };
    for (size_t i = 0; i < count; i++) {
        struct mangle_rule_cost cost = mangle_profile_rule(costs->profile, i);
        if (cost.ns <= limit_ns)
            continue;
        if (slow == 0 || cost.ns > out->cost.ns) {
            out->rule = i;
            out->cost = cost;
        }
        slow++;
    }
    out->more = slow ? slow - 1 : 0;
    return slow > 0;
}

/* The one that took most of the rule's time. */
static const char *order_of(const struct intent_costs *costs, const struct slow *slow)
{
    const char *order = "";
    int64_t most = -1;
    for (size_t i = 0; i < slow->cost.plan_count; i++) {
        struct mangle_plan_cost plan = mangle_profile_plan(costs->profile, slow->rule, i);
        if (plan.ns > most) {
            most = plan.ns;
            order = plan.order;
        }
    }
    return order;
}

/* Words of a client, cut, on one line; a quote in them ends nothing. */
static void show(struct buf *out, struct str text)
{
    struct buf visible = { 0 };
    mgi_utf8_show(&visible, mgi_utf8_prefix(text, NAME_BYTES));
    struct str s = mgi_buf_view(&visible);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            mgi_buf_putc(out, '\\');
        mgi_buf_putc(out, s.ptr[i]);
    }
    out->oom |= visible.oom;
    mgi_buf_fini(&visible);
}

static void tell_slow(const struct request *r, const struct intent_costs *costs,
                      const struct slow *slow)
{
    const mangle_program *p = costs->snapshot->program;
    struct mangle_rule_view rule = mangle_program_rule(p, slow->rule);
    const struct mangle_rule_cost *cost = &slow->cost;
    struct buf id = { 0 }, intent = { 0 }, more = { 0 };
    show(&id, r->envelope.id);
    show(&intent, costs->intent);
    if (slow->more > 0)
        mgi_buf_printf(&more, "; %zu more rule%s slow", slow->more,
                       slow->more == 1 ? " is" : "s are");
    mgi_log(&r->server->log, LOG_WARN,
            "slow rule: intent \"%.*s\", id \"%.*s\": %s:%" PRIu32 ": %s took %" PRId64
            ".%03d ms: %" PRId64 " rows tried, %" PRId64 " facts derived, %" PRId64
            " duplicates (%s)%.*s",
            STR_ARG(mgi_buf_view(&intent)), STR_ARG(mgi_buf_view(&id)), rule.file, rule.line,
            mangle_program_pred(p, rule.head).name, cost->ns / NS_PER_MS,
            (int)(cost->ns % NS_PER_MS / NS_PER_US), cost->tried, cost->derived, cost->duplicates,
            order_of(costs, slow), STR_ARG(mgi_buf_view(&more)));
    mgi_buf_fini(&id);
    mgi_buf_fini(&intent);
    mgi_buf_fini(&more);
}

void mgi_request_costs(void *context, const struct intent_costs *costs)
{
    const struct request *r = context;
    const struct server_options *o = &r->server->options;
    struct slow slow;
    if (o->slow_rule_ns > 0 && find_slow(costs, o->slow_rule_ns, &slow))
        tell_slow(r, costs, &slow);
    if (o->costs)
        o->costs(o->costs_context, costs);
}
