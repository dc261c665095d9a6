/* What is kept of an evaluation: the definition of every tool that it offered, and once, for all of
 * them, what the rules were told, so that they can be asked again (standing.c). */
#include "base/time.h"
#include "intent/intent_int.h"
#include "macro/told.h"

/* An evaluation so far from the clock is a what-if. Closer, clocks differ and lines are slow. */
#define LIVE_WITHIN_NS (60 * NS_PER_SEC)

/* ---- what was told --------------------------------------------------------------------------- */

static void write_texts(struct json_writer *w, const struct str *items, size_t count)
{
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++)
        mgi_jw_string(w, items[i]);
    mgi_jw_end_array(w);
}

/* All that tell_caller() in evaluate.c tells, so that equal texts mean equal facts. */
struct str mgi_intent_caller(struct arena *arena, const struct principal *who)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct json all;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    mgi_jw_int(&w, who->kind);
    mgi_jw_string(&w, who->identity);
    write_texts(&w, who->permissions, who->permission_count);
    mgi_jw_bool(&w, who->automated);
    write_texts(&w, who->auto_confirm, who->automated ? who->auto_confirm_count : 0);
    mgi_jw_end_array(&w);
    return mgi_json_take(arena, &text, &all) ? all.text : (struct str){ 0 };
}

/* The facts that the choice of tools may read; the others become holes. Only those that say "now"
 * depend on when they were told; without, an evaluation that is repeated leaves nothing new behind.
 */
static bool keep_facts(struct evaluation *ev, struct json *out, bool *now)
{
    const struct json *sent = ev->request.facts;
    out->items = mgi_arena_calloc(ev->arena, (size_t)sent->count + 1, sizeof *out->items);
    if (!out->items)
        return false;
    for (uint32_t i = 0; i < sent->count && i < ev->facts.count; i++) {
        const struct wire_fact *f = &ev->facts.facts[i];
        bool upgrade = !f->schema && str_is(f->pred, "disclosure_upgrade");
        if (!upgrade && !(f->schema && ev->s->steers[f->schema->pred]))
            continue;
        out->items[out->count++] = sent->items[i];
        *now |= f->says_now;
    }
    return true;
}

static bool is_near(int64_t a, int64_t b)
{
    int64_t apart;
    return !__builtin_sub_overflow(a, b, &apart) && apart <= LIVE_WITHIN_NS &&
           apart >= -LIVE_WITHIN_NS;
}

static bool make_told(struct evaluation *ev, struct buf *out, struct evidence *evidence,
                      struct str *who)
{
    struct json facts = { .type = JSON_ARRAY };
    struct told t = { .intent = ev->request.name,
                      .params = ev->request.params,
                      .facts = &facts,
                      .max_tools = ev->request.max_tools,
                      .adaptive = ev->request.preference == PREFER_ADAPTIVE };
    bool now = false;
    if (!keep_facts(ev, &facts, &now))
        return false;
    t.who = *who = mgi_intent_caller(ev->arena, ev->call->who);
    t.at_ns = now ? ev->request.now_ns : 0;
    mgi_buf_reserve(out, ev->request.facts->text.len);
    mgi_told_write(out, &t);
    *evidence = (struct evidence){ .made_ns = ev->call->clock_ns,
                                   .live = is_near(ev->request.now_ns, ev->call->clock_ns) };
    if (t.who.ptr && !out->oom)
        evidence->told = mgi_told_name(ev->arena, mgi_buf_view(out));
    return evidence->told.ptr != NULL;
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* What could not be kept will be macro_not_found later, never another tool. */
static void note_kept(const struct intent_call *call, enum store_status status)
{
    if (!call->notes)
        return;
    call->notes->asked = true;
    if (status)
        call->notes->store = status;
}

static bool add_to_older(const struct macro_entry *older, struct arena *arena,
                         struct macro_entry *entry)
{
    return mgi_macro_merge(arena, older->definition, &entry->definition);
}

/* The same text, kept longer. */
static bool keep_longer(const struct macro_entry *older, struct arena *arena,
                        struct macro_entry *entry)
{
    (void)older, (void)arena, (void)entry;
    return true;
}

/* A tool without a window stays for the cache time; one with a window at least until it closes, but
 * no longer than any window may last. The window of a what-if is at a time that the caller chose:
 * it does not say for how long, or the store would fill with what nobody ever lets go. */
static int64_t keep_until(const struct evaluation *ev, const struct choice *c, bool live)
{
    const struct domain_settings *settings = &ev->s->settings;
    int64_t keep = mgi_add_saturated(ev->call->clock_ns, settings->cache_ms * 1000000);
    int64_t most = mgi_add_saturated(keep, settings->max_validity_ms * 1000000);
    if (!live || !c->has_window || c->macro.expires_ns <= keep)
        return keep;
    return c->macro.expires_ns < most ? c->macro.expires_ns : most;
}

/* What the rules were told goes first: a definition without it is worth nothing. *until: when the
 * store lets it go. */
static bool keep_told(struct evaluation *ev, struct buf *text, struct evidence *evidence,
                      struct str *who, int64_t *until)
{
    const struct intent_call *call = ev->call;
    *until = INT64_MIN;
    if (!make_told(ev, text, evidence, who))
        return false;
    for (size_t i = 0; i < ev->choice_count; i++)
        if (keep_until(ev, &ev->choices[i], evidence->live) > *until)
            *until = keep_until(ev, &ev->choices[i], evidence->live);
    struct macro_entry entry = { mgi_buf_view(text), INT64_MIN, INT64_MAX, keep_longer };
    enum store_status status = mgi_store_macro_put(call->store, mgi_principal_key(call->who),
                                                   evidence->told, &entry, call->clock_ns, *until);
    note_kept(call, status);
    return !status;
}

/* So that an invocation within the window need not ask the rules again. What is waived for an
 * automated caller is worked out when it invokes; a signature counts by the clock and by keys,
 * whatever the rules read. Nor is anything remembered for longer than the store keeps what was
 * told: another worker, which asks there, would not know it. */
static void remember_offers(struct evaluation *ev, struct str told, struct str who, int64_t until)
{
    bool by_signature = ev->foreign_signatures > 0 || ev->vouched_until_ns != MANGLE_MAX_TIME;
    if (!ev->offers || ev->call->who->automated || by_signature)
        return;
    struct offer *offers = mgi_arena_calloc(ev->arena, ev->choice_count, sizeof *offers);
    for (size_t i = 0; offers && i < ev->choice_count; i++)
        offers[i] =
            (struct offer){ ev->choices[i].macro.digest, ev->choices[i].macro.expires_ns < until
                                                             ? ev->choices[i].macro.expires_ns
                                                             : until };
    if (offers)
        mgi_offer_memo_add(ev->offers, told, who, ev->request.now_ns, offers, ev->choice_count);
}

void mgi_intent_keep(struct evaluation *ev)
{
    const struct intent_call *call = ev->call;
    struct str principal = mgi_principal_key(call->who);
    struct evidence evidence;
    struct str who;
    struct buf text = { 0 };
    if (!call->store || ev->choice_count == 0)
        return;
    int64_t until;
    bool told = keep_told(ev, &text, &evidence, &who, &until);
    if (told)
        remember_offers(ev, evidence.told, who, until);
    for (size_t i = 0; told && i < ev->choice_count; i++) {
        struct macro *m = &ev->choices[i].macro;
        evidence.not_before_ns = m->not_before_ns;
        evidence.expires_ns = m->expires_ns;
        m->evidence = &evidence;
        m->evidence_count = 1;
        mgi_buf_clear(&text);
        mgi_macro_write(&text, m);
        struct macro_entry entry = { mgi_buf_view(&text), m->not_before_ns, m->expires_ns,
                                     add_to_older };
        if (!text.oom)
            note_kept(call, mgi_store_macro_put(call->store, principal, m->macro_id, &entry,
                                                call->clock_ns,
                                                keep_until(ev, &ev->choices[i], evidence.live)));
        m->evidence_count = 0;
    }
    mgi_buf_fini(&text);
}
