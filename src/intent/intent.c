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
    return mgi_context_read(ev) && mgi_budget_fit(ev);
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
        mgi_intent_keep(ev);
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
    bool ok = mgi_intent_derive(&ev) && choose(&ev) && answer(&ev, out);
    mangle_overlay_reset(
        ev.overlay); /* what a client sent does not outlive its answer (P-PROV-11) */
    return ok || (!e->code && out_of_memory(&ev));
}
