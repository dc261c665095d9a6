/* The window of a tool: as long as every evaluation of the same facts offers it, made of the same.
 *
 * A tool is there because a kept root brings it. That root stands
 *
 *     while something speaks for it     one of its candidates holds, and is shown
 *     while nothing bars it             no unusable, no torn, for it and all that it needs
 *     while it wins                     without rivals: until it could have one; else as long as
 *                                       what the order is made of stays as it is
 *
 * and the tool is the same while chain, parameters, safety and consent are. Each of these is a fact
 * that holds, which the engine dates from its derivations, or one that is absent, which it dates
 * from the rules that could make it. Where a client limits numbers or tokens, whatever stands above
 * counts as well, so everything does. Signatures that vouch for facts age, too. The earliest end is
 * the window's.
 *
 * The window begins with the evaluation: nothing is said of before. */
#include "intent/intent_int.h"

static void shorten(int64_t *until, int64_t by)
{
    if (by < *until)
        *until = by;
}

/* ---- facts, and the lack of them ---------------------------------------------------------------
 */

/* Foreseeing is part of the evaluation: what it may take is what the rules have left of it. Where
 * that runs out there is no window, and so no answer. */
static void note(struct evaluation *ev, enum mangle_status st)
{
    if (st)
        mgi_ev_stopped(ev, st);
}

static int64_t fact_until(struct evaluation *ev, const struct mangle_fact *f)
{
    int64_t until = MANGLE_MAX_TIME;
    struct mangle_limits limits = mgi_ev_limits(ev);
    if (mgi_ev_goes_on(ev))
        note(ev, mangle_overlay_valid_until(ev->overlay, f, &limits, &until));
    return until;
}

static bool reads_time(const struct evaluation *ev, mangle_pred pred)
{
    return pred != MANGLE_NO_PRED && ev->s->reads_time_of[pred];
}

/* Until when no further fact of `pred` appears, with `first` in its first column, or with anything
 * (MANGLE_NONE). */
static int64_t absent_until(struct evaluation *ev, mangle_pred pred, mangle_value first)
{
    const mangle_value pattern[8] = { first };
    int64_t until = MANGLE_MAX_TIME;
    struct mangle_limits limits = mgi_ev_limits(ev);
    if (reads_time(ev, pred) && mgi_ev_goes_on(ev))
        note(ev, mangle_overlay_absent_until(ev->overlay, pred, pattern, &limits, &until));
    return until;
}

/* Until when the facts of `pred` with this first column are those that there are. */
static int64_t same_until(struct evaluation *ev, mangle_pred pred, mangle_value first)
{
    size_t count;
    if (!reads_time(ev, pred))
        return MANGLE_MAX_TIME;
    int64_t until = absent_until(ev, pred, first);
    const struct mangle_fact *f = first == MANGLE_NONE ? mgi_ev_facts(ev, pred, &count)
                                                       : mgi_ev_match(ev, pred, first, &count);
    for (size_t i = 0; i < count; i++)
        shorten(&until, fact_until(ev, &f[i]));
    return until;
}

/* ---- roots ------------------------------------------------------------------------------------
 */

/* The latest of what speaks for it, as long as that is enough to be shown. */
static int64_t candidate_until(struct evaluation *ev, const struct root *r)
{
    size_t count, levels;
    int64_t latest = INT64_MIN, floor = INT64_MIN;
    if (!reads_time(ev, ev->s->pred.candidate))
        return MANGLE_MAX_TIME;
    bool upgraded = mgi_is_upgraded(ev, r->tool);
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.macro_tool, r->tool->value, &levels);
    for (size_t i = 0; r->floor != LEVEL_NONE && i < levels; i++) {
        int64_t until = fact_until(ev, &f[i]);
        floor = until > floor ? until : floor;
    }
    f = mgi_ev_match(ev, ev->s->pred.candidate, r->tool->value, &count);
    for (size_t i = 0; i < count && latest != MANGLE_MAX_TIME; i++) {
        int64_t until = fact_until(ev, &f[i]);
        if (!upgraded && !mgi_select_is_shown(ev, mangle_int_of(ev->values, f[i].args[2])))
            shorten(&until, floor);
        latest = until > latest ? until : latest;
    }
    return latest;
}

/* What the order of roots is made of, for all of them. */
static int64_t order_until(struct evaluation *ev)
{
    const struct interface *p = &ev->s->pred;
    const mangle_pred parts[] = { p->contender, p->root_class, p->root_score,
                                  p->lends,     p->rivals,     p->outranks,
                                  p->kept,      p->undecided,  p->macro_tool };
    if (!ev->until_known) {
        ev->until_ns = MANGLE_MAX_TIME;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            shorten(&ev->until_ns, same_until(ev, parts[i], MANGLE_NONE));
        ev->until_known = true;
    }
    return ev->until_ns;
}

static bool has_rivals(struct evaluation *ev, const struct root *r)
{
    size_t count;
    (void)mgi_ev_match(ev, ev->s->pred.rivals, r->tool->value, &count);
    return count > 0;
}

static int64_t root_until(struct evaluation *ev, struct root *r)
{
    const struct interface *p = &ev->s->pred;
    mangle_value tool = r->tool->value;
    if (r->until_known)
        return r->until_ns;
    r->until_known = true;
    r->until_ns = candidate_until(ev, r);
    shorten(&r->until_ns, absent_until(ev, ev->s->pred.unusable, tool));
    shorten(&r->until_ns, absent_until(ev, ev->s->pred.torn, tool));
    if (has_rivals(ev, r))
        shorten(&r->until_ns, order_until(ev));
    else
        shorten(&r->until_ns, absent_until(ev, p->rivals, tool));
    return r->until_ns;
}

/* A member of its bundle comes with a root as long as that needs it. */
static int64_t loan_until(struct evaluation *ev, const struct root *r, const struct tool *tool)
{
    const mangle_value pattern[] = { r->tool->value, tool->value };
    const struct mangle_fact *f;
    size_t count = 0;
    if (r->tool == tool || !reads_time(ev, ev->s->pred.needs))
        return MANGLE_MAX_TIME;
    if (mangle_overlay_match(ev->overlay, ev->s->pred.needs, pattern, &f, &count))
        ev->nomem = true;
    return count > 0 ? fact_until(ev, f) : MANGLE_MAX_TIME;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static int64_t offered_until(struct evaluation *ev, const struct choice *c)
{
    int64_t latest = INT64_MIN;
    for (size_t i = 0; i < ev->root_count; i++) {
        struct root *r = &ev->roots[i];
        for (size_t k = 0; r->kept && k < r->bundle_count; k++) {
            if (r->bundle[k].tool != c->tool)
                continue;
            int64_t until = root_until(ev, r);
            shorten(&until, loan_until(ev, r, c->tool));
            latest = until > latest ? until : latest;
        }
    }
    return latest;
}

static int64_t composed_until(struct evaluation *ev, const struct choice *c)
{
    const struct interface *p = &ev->s->pred;
    const mangle_pred parts[] = { p->chain_step,           p->param_value,
                                  p->param_bound,          p->confirm,
                                  p->macro_reversible,     p->macro_idempotent,
                                  p->macro_has_side_effect };
    int64_t until = MANGLE_MAX_TIME;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        shorten(&until, same_until(ev, parts[i], c->tool->value));
    return until;
}

/* Where numbers are limited, everything that stands above counts; where tokens are, all texts. */
static int64_t room_until(struct evaluation *ev)
{
    const struct interface *p = &ev->s->pred;
    const mangle_pred texts[] = { p->instruction, p->tool_skill,  p->needs_file, p->valid_for,
                                  p->valid_until, p->param_value, p->param_bound };
    int64_t until = MANGLE_MAX_TIME;
    if (ev->request.max_tools != NO_LIMIT || ev->request.max_tokens != NO_LIMIT)
        until = order_until(ev);
    for (size_t i = 0; ev->request.max_tokens != NO_LIMIT && i < sizeof texts / sizeof *texts; i++)
        shorten(&until, same_until(ev, texts[i], MANGLE_NONE));
    return until;
}

/* The earliest end that valid_for and valid_until set; INT64_MAX if they say nothing. */
static int64_t ruled_until(struct evaluation *ev, const struct tool *tool)
{
    int64_t earliest = INT64_MAX;
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.valid_for, tool->value, &count);
    for (size_t i = 0; i < count; i++)
        if (mangle_kind_of(ev->values, f[i].args[1]) == MANGLE_DURATION)
            shorten(&earliest,
                    mgi_add_saturated(ev->request.now_ns, mangle_int_of(ev->values, f[i].args[1])));
    f = mgi_ev_match(ev, ev->s->pred.valid_until, tool->value, &count);
    for (size_t i = 0; i < count; i++)
        if (mangle_kind_of(ev->values, f[i].args[1]) == MANGLE_TIME)
            shorten(&earliest, mangle_int_of(ev->values, f[i].args[1]));
    return earliest;
}

bool mgi_compose_window(struct evaluation *ev, struct choice *c)
{
    int64_t now = ev->request.now_ns;
    int64_t until = ruled_until(ev, c->tool);
    if (ev->s->steering_reads_time) {
        shorten(&until, offered_until(ev, c));
        shorten(&until, composed_until(ev, c));
        shorten(&until, room_until(ev));
    }
    shorten(&until, ev->vouched_until_ns);
    if (until == INT64_MAX)
        return mgi_ev_goes_on(ev);
    int64_t cap = mgi_add_saturated(now, ev->s->settings.max_validity_ms * 1000000);
    shorten(&until, cap);
    c->has_window = true;
    c->macro.not_before_ns = now;
    c->macro.expires_ns = until > now ? until : mgi_add_saturated(now, 1);
    return mgi_ev_goes_on(ev);
}
