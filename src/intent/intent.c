/* One evaluation from payload to payload: the main line, and what a worker keeps between requests.
 */
#include "base/alloc.h"
#include "intent/intent_int.h"

struct intent_worker {
    struct snapshot *snapshot; /* whose base the overlay stands on; NULL: none yet */
    mangle_overlay *overlay;
};

struct intent_worker *mgi_intent_worker_new(void)
{
    return mgi_calloc(1, sizeof(struct intent_worker));
}

static void forget_snapshot(struct intent_worker *w)
{
    if (w->overlay)
        mangle_overlay_free(w->overlay);
    w->overlay = NULL;
    mgi_snapshot_unref(w->snapshot);
    w->snapshot = NULL;
}

void mgi_intent_worker_free(struct intent_worker *w)
{
    if (!w)
        return;
    forget_snapshot(w);
    mgi_free(w);
}

/* The one of the last request where it fits. */
mangle_overlay *mgi_intent_worker_overlay(struct intent_worker *w, struct snapshot *s)
{
    if (w->snapshot == s) {
        mangle_overlay_reset(w->overlay);
        return w->overlay;
    }
    forget_snapshot(w);
    if (mangle_overlay_new(s->base, &w->overlay))
        return NULL;
    w->snapshot = mgi_snapshot_ref(s);
    return w->overlay;
}

/* Proofs cost as much as all the rest, and a model has no use for them: this is for who asks why,
 * and does not count tokens. */
static void find_source_rules(struct evaluation *ev)
{
    bool wanted = ev->request.want_proof && ev->request.max_tokens == NO_LIMIT;
    for (size_t i = 0; wanted && i < ev->choice_count; i++)
        if (ev->choices[i].level > LEVEL_MINIMAL)
            mgi_source_rules_find(ev, &ev->choices[i]);
}

/* Everything that comes out, composed, at its level, in order. */
static bool choose(struct evaluation *ev)
{
    if (!mgi_select_roots(ev))
        return false;
    mgi_select_cut(ev);
    if (ev->nomem || !mgi_select_choices(ev))
        return false;
    for (size_t i = 0; i < ev->choice_count; i++) {
        struct choice *c = &ev->choices[i];
        if (!mgi_compose(ev, c->tool, &c->macro) || !mgi_compose_window(ev, c))
            return false;
    }
    mgi_sort_choices(ev);
    if (!mgi_context_read(ev) || !mgi_budget_fit(ev))
        return false;
    find_source_rules(ev);
    return !ev->nomem;
}

/* What could not be kept will be macro_not_found later, never another tool. */
static void note_kept(const struct intent_call *call, enum store_status status)
{
    if (!call->notes)
        return;
    call->notes->asked = true;
    if (status)
        call->notes->store = status;
}

/* A tool without a window stays for the cache time; one with a window at least until it closes. */
static void keep_definitions(struct evaluation *ev)
{
    const struct intent_call *call = ev->call;
    struct str principal = mgi_principal_key(call->who);
    int64_t cache_ns = ev->s->settings.cache_ms * 1000000;
    struct buf text = { 0 };
    for (size_t i = 0; call->store && i < ev->choice_count; i++) {
        const struct macro *m = &ev->choices[i].macro;
        int64_t keep = call->clock_ns + cache_ns;
        if (ev->choices[i].has_window && m->expires_ns > keep)
            keep = m->expires_ns;
        mgi_buf_clear(&text);
        mgi_macro_write(&text, m);
        struct macro_entry entry = { mgi_buf_view(&text), m->not_before_ns, m->expires_ns };
        if (!text.oom)
            note_kept(call, mgi_store_macro_put(call->store, principal, m->macro_id, &entry,
                                                call->clock_ns, keep));
    }
    mgi_buf_fini(&text);
}

static bool out_of_memory(struct evaluation *ev)
{
    mgi_wire_error(ev->e, ev->arena, WIRE_INTERNAL_ERROR, "Out of memory.");
    return false;
}

/* The payload of the answer, appended to *out whole or not at all. */
static bool answer(struct evaluation *ev, struct buf *out)
{
    struct buf text = { 0 };
    struct json_writer writer;
    mgi_json_writer_init(&writer, &text, 0);
    mgi_render_response(ev, &writer);
    bool ok = !ev->nomem && !text.oom && mgi_buf_reserve(out, text.len);
    if (ok) {
        keep_definitions(ev);
        mgi_buf_str(out, mgi_buf_view(&text));
    }
    mgi_buf_fini(&text);
    return ok;
}

bool mgi_intent_evaluate(struct intent_worker *w, const struct intent_call *call,
                         struct arena *arena, struct buf *out, struct wire_error *e)
{
    struct evaluation ev = { .call = call, .s = call->snapshot, .arena = arena, .e = e };
    ev.started_ns = call->mono ? call->mono(call->mono_context) : 0;
    if (!mgi_intent_request_read(call, arena, &ev.request, e))
        return false;
    ev.overlay = mgi_intent_worker_overlay(w, call->snapshot);
    if (!ev.overlay)
        return out_of_memory(&ev);
    ev.values = mangle_overlay_values(ev.overlay);
    bool ok = mgi_intent_derive(&ev) && choose(&ev) && mgi_refused_find(&ev) && answer(&ev, out);
    mangle_overlay_reset(
        ev.overlay); /* what a client sent does not outlive its answer (P-PROV-11) */
    return ok || (!e->code && out_of_memory(&ev));
}
