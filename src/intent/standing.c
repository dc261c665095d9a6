/* Does an offer still stand? The rules are asked again, now, for who asks now, about what they were
 * told when the tool was offered (macro/told.h): nothing that an evaluation at another time made,
 * or one for a caller who was allowed more, runs because it was offered once. Where this worker has
 * evaluated the same for the same caller, and that evaluation's window is open, what it found is
 * what the rules would say (offer_memo.h).
 *
 * Nothing is rendered, no budget is kept: only what decides whether there is a tool, what it is
 * made of, and whether a person has to agree. */
#include "intent/intent_int.h"
#include "macro/told.h"

/* ---- asking again -----------------------------------------------------------------------------
 */

static bool is_offered(struct evaluation *ev, const struct tool *tool)
{
    if (!mgi_select_roots(ev))
        return false;
    mgi_select_cut(ev);
    for (size_t i = 0; i < ev->root_count; i++) {
        const struct root *r = &ev->roots[i];
        for (size_t k = 0; r->kept && k < r->bundle_count; k++)
            if (r->bundle[k].tool == tool)
                return true;
    }
    return false;
}

/* Is it made of the same, but for the consent that it takes? */
static bool is_made_the_same(struct evaluation *ev, const struct macro *m, struct macro *again)
{
    if (str_eq(again->digest, m->digest))
        return true;
    bool confirm = again->requires_confirmation;
    again->requires_confirmation = m->requires_confirmation;
    bool named = mgi_macro_digest(ev->arena, ev->s, ev->digests, again);
    again->requires_confirmation = confirm;
    ev->nomem |= !named;
    return named && str_eq(again->digest, m->digest);
}

/* Would it take consent, were nothing waived for the caller? */
static bool is_waived(struct evaluation *ev, const struct tool *tool, const struct macro *again)
{
    size_t count = 0;
    if (!again->requires_confirmation && ev->call->who->automated)
        (void)mgi_ev_match(ev, mangle_pred_find(ev->s->program, "asks", 2), tool->value, &count);
    return count > 0;
}

static void request_of(const struct told *t, struct evaluation *ev)
{
    const struct limits *limits = &ev->s->settings.limits;
    ev->request = (struct intent_request){
        .name = t->intent,
        .params = t->params,
        .facts = t->facts,
        .now_ns = ev->call->clock_ns,
        .max_facts = limits->max_derived_facts,
        .max_intervals = limits->max_intervals_per_atom,
        .max_ms = limits->max_compute_ms, /* of all evidence together: ev->started_ns */
        .max_tools = t->max_tools,
        .max_tokens = NO_LIMIT,
        .preference = t->adaptive ? PREFER_ADAPTIVE : PREFER_FULL,
    };
}

/* False: ev->e is set, or memory is short. */
static bool ask_again(struct evaluation *ev, const struct told *t, struct macro *m, bool *stands)
{
    const struct tool *tool = mgi_snapshot_tool(ev->s, m->tool);
    struct macro again;
    *stands = false;
    request_of(t, ev);
    if (!mgi_intent_derive_again(ev, t->at_ns))
        return false;
    if (!tool || ev->facts.fault_count > 0 || !is_offered(ev, tool))
        return !ev->nomem;
    if (!mgi_compose(ev, tool, &again))
        return false;
    *stands = is_made_the_same(ev, m, &again);
    if (*stands) {
        m->requires_confirmation |= again.requires_confirmation;
        m->waived = is_waived(ev, tool, &again);
    }
    return !ev->nomem;
}

static bool judge(struct intent_worker *w, const struct intent_call *call, struct arena *arena,
                  int64_t begun_ns, const struct told *t, struct macro *m, bool *stands,
                  struct wire_error *e)
{
    struct evaluation ev = {
        .call = call, .s = call->snapshot, .arena = arena, .started_ns = begun_ns, .e = e
    };
    ev.overlay = mgi_intent_worker_overlay(w, call->snapshot);
    if (!ev.overlay)
        return false;
    ev.values = mangle_overlay_values(ev.overlay);
    ev.digests = mgi_intent_worker_digests(w);
    mangle_overlay_focus(ev.overlay, call->snapshot->steers);
    bool ok = ask_again(&ev, t, m, stands);
    mangle_overlay_reset(ev.overlay);
    return ok;
}

/* What was told comes from the store. *known is false if it is there no more. */
static enum store_status find_told(const struct intent_call *call, struct arena *arena,
                                   struct str name, struct told *out, bool *known)
{
    struct macro_entry entry;
    enum macro_found found;
    enum store_status status = mgi_store_macro_get(call->store, mgi_principal_key(call->who), name,
                                                   call->clock_ns, arena, &found, &entry);
    *known = !status && found == MACRO_FOUND && mgi_told_read(arena, entry.definition, out);
    return !status && arena->oom ? STORE_NOMEM : status;
}

/* For the same caller it was time that changed; another one may never have been offered it. */
static enum standing fallen(const struct told *t, struct str who)
{
    return str_eq(t->who, who) ? STANDING_LAPSED : STANDING_UNKNOWN;
}

/* The snapshot that the worker's memory is of has to be this one. */
static bool is_known_to_hold(struct intent_worker *w, const struct intent_call *call,
                             const struct evidence *e, struct str who, const struct macro *m)
{
    struct offer_memo *memo =
        mgi_intent_worker_is_of(w, call->snapshot) ? mgi_intent_worker_offers(w) : NULL;
    return memo && mgi_offer_memo_holds(memo, e->told, who, m->digest, call->clock_ns);
}

static bool is_open(const struct evidence *e, int64_t now_ns)
{
    return now_ns >= e->not_before_ns && now_ns < e->expires_ns;
}

static void stands_by(enum standing *out, struct macro *m, const struct evidence *by)
{
    *out = STANDING_HOLDS;
    m->expires_ns = by->expires_ns;
}

bool mgi_intent_stands(struct intent_worker *w, const struct intent_call *call, struct arena *arena,
                       struct macro *m, enum standing *out, enum store_status *store,
                       struct wire_error *e)
{
    struct str who = mgi_intent_caller(arena, call->who);
    int64_t begun_ns = call->mono ? call->mono(call->mono_context) : 0;
    bool ok = who.ptr != NULL;
    *out = STANDING_UNKNOWN;
    *store = STORE_OK;
    for (size_t i = 0; ok && i < m->evidence_count; i++) {
        struct told t;
        bool known, stands = false;
        if (!is_open(&m->evidence[i], call->clock_ns))
            continue;
        if (is_known_to_hold(w, call, &m->evidence[i], who, m)) {
            stands_by(out, m, &m->evidence[i]);
            return true;
        }
        *store = find_told(call, arena, m->evidence[i].told, &t, &known);
        if (*store)
            return false;
        if (!known)
            continue;
        ok = judge(w, call, arena, begun_ns, &t, m, &stands, e);
        if (ok && stands) {
            stands_by(out, m, &m->evidence[i]);
            return true;
        }
        if (ok && *out == STANDING_UNKNOWN)
            *out = fallen(&t, who);
    }
    if (!ok && !e->code)
        mgi_wire_error(e, arena, WIRE_INTERNAL_ERROR, "The server ran out of memory.");
    return ok;
}
