/* Whose word counts where something privileged rests on it: that of a caller who may vouch, and the
 * server's own, which it knows by its signature. What a fact says of its own source never counts
 * (D-12): without a signature `source_type: server` is a remark like any other, and with one it is
 * part of what was signed. */
#include "base/time.h"
#include "intent/intent_int.h"

#define CLOCK_BACK_NS (60 * NS_PER_SEC) /* that the clock may have gone back since it was said */

/* Not so old that it is worth nothing any more? Judged by the server's own clock. */
static bool is_fresh(const struct evaluation *ev, const struct wire_fact *f)
{
    int64_t ttl_ns = ev->s->settings.signature_ttl_ms * NS_PER_MS, now_ns = ev->call->clock_ns;
    return f->dated && f->asserted_at_ns <= now_ns + CLOCK_BACK_NS &&
           f->asserted_at_ns > now_ns - ttl_ns;
}

static enum signature check(const struct evaluation *ev, const struct wire_fact *f)
{
    const struct said_fact said = { .domain = ev->s->settings.id,
                                    .principal = mgi_principal_key(ev->call->who),
                                    .pred = f->pred,
                                    .args = f->args,
                                    .count = f->count,
                                    .t = f->t,
                                    .source_type = f->source_type,
                                    .source_id = f->source_id,
                                    .asserted_at_ns = f->asserted_at_ns };
    struct buf text = { 0 };
    if (!is_fresh(ev, f))
        return SIGNATURE_FOREIGN;
    enum signature verdict = SIGNATURE_NOMEM;
    if (mgi_said_fact_text(&text, ev->values, &said))
        verdict = mgi_signature_check(ev->call->signing, mgi_buf_view(&text), f->signature);
    mgi_buf_fini(&text);
    return verdict;
}

bool mgi_vouch_for_facts(struct evaluation *ev)
{
    int64_t ttl_ns = ev->s->settings.signature_ttl_ms * NS_PER_MS;
    bool trusted = ev->s->privileged_count > 0 && mgi_principal_may(ev->call->who, "vouch");
    ev->foreign_signatures = 0;
    ev->vouched_until_ns = MANGLE_MAX_TIME;
    for (size_t i = 0; i < ev->facts.count; i++) {
        struct wire_fact *f = &ev->facts.facts[i];
        f->vouched = trusted;
        if (trusted || f->signature.len == 0 || !f->schema || !f->schema->vouched)
            continue;
        enum signature verdict = check(ev, f);
        if (verdict == SIGNATURE_NOMEM) {
            ev->nomem = true;
            return false;
        }
        f->vouched = verdict == SIGNATURE_HOLDS;
        ev->foreign_signatures += !f->vouched;
        if (f->vouched && f->asserted_at_ns + ttl_ns < ev->vouched_until_ns)
            ev->vouched_until_ns = f->asserted_at_ns + ttl_ns;
    }
    return true;
}
