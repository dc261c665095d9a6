/* One evaluation from payload to payload: the main line, and what a worker keeps between requests.
 */
#include "base/alloc.h"
#include "intent/why_not.h"

struct intent_worker {
    struct snapshot *snapshot; /* whose base the overlays stand on; NULL: none yet */
    mangle_overlay *overlay;
    struct digest_memo *digests;    /* of its tools */
    struct offer_memo *offers;      /* that it made */
    bool asks_always;               /* mgi_intent_worker_asks_always() */
    mangle_profile *profile;        /* of its rules; NULL: nobody has asked yet */
    mangle_overlay *other;          /* for trying what would be; NULL: nobody has asked yet */
    struct external_player *player; /* what their host is */
};

struct intent_worker *mgi_intent_worker_new(void)
{
    return mgi_calloc(1, sizeof(struct intent_worker));
}

static void forget_snapshot(struct intent_worker *w)
{
    if (w->overlay)
        mangle_overlay_free(w->overlay);
    if (w->other)
        mangle_overlay_free(w->other);
    mgi_digest_memo_free(w->digests);
    mgi_offer_memo_free(w->offers);
    mangle_profile_free(w->profile);
    w->overlay = w->other = NULL;
    w->digests = NULL;
    w->offers = NULL;
    w->profile = NULL;
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

void mgi_intent_worker_play(struct intent_worker *w, struct external_player *player)
{
    forget_snapshot(w);
    w->player = player;
}

static mangle_overlay *new_overlay(const struct intent_worker *w, struct snapshot *s)
{
    mangle_overlay *o;
    if (mangle_overlay_new(s->base, &o))
        return NULL;
    mangle_overlay_set_host(o, w->player);
    return o;
}

/* The one of the last request where it fits. */
mangle_overlay *mgi_intent_worker_overlay(struct intent_worker *w, struct snapshot *s)
{
    if (w->snapshot == s) {
        mangle_overlay_reset(w->overlay);
        return w->overlay;
    }
    forget_snapshot(w);
    w->overlay = new_overlay(w, s);
    w->digests = mgi_digest_memo_new(s);
    w->offers = mgi_offer_memo_new();
    if (!w->overlay || !w->digests || !w->offers) {
        forget_snapshot(w);
        return NULL;
    }
    w->snapshot = mgi_snapshot_ref(s);
    return w->overlay;
}

struct digest_memo *mgi_intent_worker_digests(struct intent_worker *w)
{
    return w->digests;
}

/* Others answer for actions than the snapshot's own, or may answer otherwise the next time: what an
 * evaluation found says nothing of the next one. */
struct offer_memo *mgi_intent_worker_offers(struct intent_worker *w)
{
    bool asks = w->asks_always || w->player || !w->snapshot || w->snapshot->external_count > 0;
    return asks ? NULL : w->offers;
}

bool mgi_intent_worker_is_of(const struct intent_worker *w, const struct snapshot *s)
{
    return w->snapshot == s;
}

void mgi_intent_worker_asks_always(struct intent_worker *w, bool always)
{
    w->asks_always = always;
}

/* ---- what it takes --------------------------------------------------------------------------- */

/* The worker's counters, at zero. */
static bool begin_costs(struct evaluation *ev, struct intent_worker *w)
{
    if (!ev->call->costs)
        return true;
    if (w->profile)
        mangle_profile_reset(w->profile);
    else if (mangle_profile_new(ev->s->program, &w->profile))
        return false;
    ev->profile = w->profile;
    return true;
}

static void tell_costs(const struct evaluation *ev)
{
    if (!ev->profile)
        return;
    struct intent_costs costs = { .snapshot = ev->s,
                                  .intent = ev->request.name,
                                  .profile = ev->profile };
    for (int i = 0; i < INTENT_STAGES; i++)
        costs.stages_ns[i] = ev->stages_ns[i];
    ev->call->costs(ev->call->costs_context, &costs);
}

/* ---- the whole ------------------------------------------------------------------------------- */

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
    mgi_ev_lap(ev, INTENT_ENCODE);
    bool ok = mgi_ev_goes_on(ev) && !text.oom && mgi_buf_reserve(out, text.len);
    if (ok) {
        mgi_intent_keep(ev);
        mgi_ev_lap(ev, INTENT_STORE);
        mgi_buf_str(out, mgi_buf_view(&text));
    }
    mgi_buf_fini(&text);
    return ok;
}

/* Why the tools that were asked about are not among the choices. */
static bool answer_why_not(struct intent_worker *w, struct evaluation *ev)
{
    const struct intent_call *call = ev->call;
    if (!call->why_not)
        return true;
    if (!w->other)
        w->other = new_overlay(w, call->snapshot);
    if (!w->other)
        return false;
    bool ok = mgi_why_not_write(ev, w->other, call->why_not->answer);
    mangle_overlay_reset(w->other);
    mgi_ev_lap(ev, INTENT_PROOF);
    return ok;
}

static bool evaluate(struct evaluation *ev, struct intent_worker *w, struct buf *out)
{
    ev->overlay = mgi_intent_worker_overlay(w, ev->call->snapshot);
    if (!ev->overlay || !begin_costs(ev, w))
        return false;
    ev->values = mangle_overlay_values(ev->overlay);
    ev->digests = w->digests;
    ev->offers = mgi_intent_worker_offers(w);
    if (!mgi_intent_derive(ev) || !mgi_choose(ev) || !mgi_refused_find(ev))
        return false;
    mgi_ev_lap(ev, INTENT_SELECT);
    struct buf *reasons = ev->call->why_not ? ev->call->why_not->answer : NULL;
    size_t before = reasons ? reasons->len : 0;
    if (answer_why_not(w, ev) && answer(ev, out))
        return true;
    if (reasons) /* reasons belong to an answer */
        reasons->len = before;
    return false;
}

bool mgi_intent_evaluate(struct intent_worker *w, const struct intent_call *call,
                         struct arena *arena, struct buf *out, struct wire_error *e)
{
    struct evaluation ev = { .call = call, .s = call->snapshot, .arena = arena, .e = e };
    size_t before = out->len;
    ev.started_ns = ev.lap_ns = call->mono ? call->mono(call->mono_context) : 0;
    bool ok = mgi_intent_request_read(call, arena, &ev.request, e);
    if (ok)
        ok = evaluate(&ev, w, out) || (!e->code && out_of_memory(&ev));
    tell_costs(&ev);
    if (call->record)
        mgi_intent_record(&ev, (struct str){ mgi_buf_view(out).ptr + before, out->len - before });
    if (ev.overlay) /* what a client sent does not outlive its answer (P-PROV-11) */
        mangle_overlay_reset(ev.overlay);
    return ok;
}
