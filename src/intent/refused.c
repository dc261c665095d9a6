/* What was claimed of privileged predicates and does not hold, because it rests on what a client
 * says and nobody vouches for.
 *
 * The engine keeps claims apart from facts (mangle_pred_claimed()). Who sent what did not count is
 * told so, or would look for a fault elsewhere. But that there is a claim says something of all
 * that it was joined with: only who may ask for reasons is told of those that rest on the server's
 * facts or on what policy says, and of a predicate of the policy's own neither name nor derivation.
 * The log has all of it. */
#include "intent/proof_int.h"

#define LISTED 10 /* refusals; the rest is counted */

/* Does all of it rest on what the client said, by rules that it may know of? */
static bool is_its_own(struct proof_walk *walk, const struct mangle_proof *p)
{
    if (p->kind == MANGLE_PROOF_GIVEN || p->kind == MANGLE_PROOF_ABSENT ||
        (p->kind == MANGLE_PROOF_SESSION && !mgi_ev_was_sent(walk->ev, &p->fact)) ||
        mgi_snapshot_shows(walk->ev->s, p->fact.pred) == CUT)
        return false;
    if (!mgi_proof_first_visit(walk, p))
        return true;
    for (size_t i = 0; i < p->premise_count; i++)
        if (!is_its_own(walk, p->premises[i]))
            return false;
    return true;
}

static bool may_tell(struct evaluation *ev, const struct refusal *r)
{
    if (mgi_principal_may_ask_why(ev->call->who))
        return true;
    struct proof_walk walk;
    const struct mangle_proof *proof = mgi_proof_find(ev, &r->fact);
    mgi_proof_walk_init(&walk, ev);
    bool own = proof && is_its_own(&walk, proof);
    mgi_proof_walk_fini(&walk);
    return own;
}

/* Of a temporal predicate an interval that was claimed may reach further than what holds. */
static bool claim_holds(struct evaluation *ev, mangle_pred pred, const struct mangle_fact *claim)
{
    const struct mangle_fact *facts;
    size_t count;
    if (!claim->temporal)
        return mangle_overlay_holds(ev->overlay, pred, claim->args);
    if (mangle_overlay_match(ev->overlay, pred, claim->args, &facts, &count)) {
        ev->nomem = true;
        return true;
    }
    for (size_t i = 0; i < count; i++)
        if (facts[i].t.start_ns <= claim->t.start_ns && facts[i].t.end_ns >= claim->t.end_ns)
            return true;
    return false;
}

/* The fact as a log may show it. NULL: memory, or its predicate is masked. */
static char *shown_claim(const struct evaluation *ev, const struct refusal *r)
{
    const char *pred = mangle_program_pred(ev->s->program, r->pred).name;
    size_t masks;
    (void)mgi_masking_of(&ev->s->masking, MASK_FACTS, str_of(pred), &masks);
    return masks > 0
               ? NULL
               : mangle_fact_print(ev->s->program, ev->values, &r->fact, MANGLE_CANONICAL, NULL);
}

static void log_refusal(struct evaluation *ev, const struct refusal *r)
{
    char *text = shown_claim(ev, r);
    const char *name = mgi_show(ev->arena, ev->request.name, 80);
    mgi_log(ev->call->log, LOG_INFO,
            "intent \"%s\": %s is claimed and does not hold: nobody vouches for what it rests on",
            name,
            text ? mgi_show(ev->arena, str_of(mgi_ev_masked(ev, text)), 300) : "a privileged fact");
    mangle_free(text);
}

bool mgi_refused_find(struct evaluation *ev)
{
    const struct snapshot *s = ev->s;
    ev->refusals =
        s->privileged_count ? mgi_arena_calloc(ev->arena, LISTED, sizeof *ev->refusals) : NULL;
    for (size_t i = 0; ev->refusals && i < s->privileged_count; i++) {
        size_t count;
        const struct mangle_fact *claims =
            mgi_ev_facts(ev, mangle_pred_claimed(s->program, s->privileged[i]), &count);
        for (size_t k = 0; k < count; k++) {
            if (claim_holds(ev, s->privileged[i], &claims[k]))
                continue;
            if (ev->refused_count++ >= LISTED)
                continue;
            struct refusal *r = &ev->refusals[ev->refusal_count++];
            *r = (struct refusal){ s->privileged[i], claims[k], false };
            r->told = may_tell(ev, r);
            ev->refused_told |= r->told;
            log_refusal(ev, r);
        }
    }
    ev->nomem |= s->privileged_count > 0 && !ev->refusals;
    return !ev->nomem;
}

/* ---- telling ------------------------------------------------------------------------------ */

static void write_warning(struct json_writer *w, const char *code, struct str message)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "code", code);
    mgi_jw_member_str(w, "message", message);
    mgi_jw_end_object(w);
}

static void write_privileged(struct evaluation *ev, struct json_writer *w)
{
    struct buf text = { 0 };
    if (mgi_principal_may_ask_why(ev->call->who))
        mgi_buf_printf(&text, "%zu privileged fact%s", ev->refused_count,
                       ev->refused_count == 1 ? " does not hold: it rests"
                                              : "s do not hold: they rest");
    else
        mgi_buf_puts(&text, "Privileged facts do not hold: they rest");
    mgi_buf_puts(&text,
                 " on what you said, and neither the server's signature nor a trusted caller "
                 "vouches for that.");
    write_warning(w, "privileged", mgi_buf_view(&text));
    ev->nomem |= text.oom;
    mgi_buf_fini(&text);
}

static void write_foreign(struct evaluation *ev, struct json_writer *w)
{
    struct buf text = { 0 };
    mgi_buf_printf(
        &text,
        "The signature of %zu fact%s does not hold: it is too old, or of another caller or "
        "another start of the server, or something of the fact was changed.",
        ev->foreign_signatures, ev->foreign_signatures == 1 ? "" : "s");
    write_warning(w, "signature", mgi_buf_view(&text));
    ev->nomem |= text.oom;
    mgi_buf_fini(&text);
}

void mgi_warnings_write(struct evaluation *ev, struct json_writer *w)
{
    if (!ev->refused_told && ev->foreign_signatures == 0)
        return;
    mgi_jw_key(w, "warnings");
    mgi_jw_begin_array(w);
    if (ev->refused_told)
        write_privileged(ev, w);
    if (ev->foreign_signatures > 0)
        write_foreign(ev, w);
    mgi_jw_end_array(w);
}

/* Below what may not be shown as well: the client's own facts are no news to it. Depth is bounded
 * by the explanation's own (64). */
static void collect_sent(struct proof_walk *walk, const struct mangle_proof *p)
{
    if (p->kind == MANGLE_PROOF_SESSION)
        mgi_proof_collect(walk, p);
    if (p->premise_count == 0 || !mgi_proof_first_visit(walk, p))
        return;
    for (size_t i = 0; i < p->premise_count; i++)
        collect_sent(walk, p->premises[i]);
}

static void write_refusal(struct evaluation *ev, struct json_writer *w, const struct refusal *r)
{
    struct proof_walk walk;
    bool shown = mgi_snapshot_shows(ev->s, r->pred) == SHOWN;
    const struct mangle_proof *proof = mgi_proof_find(ev, &r->fact);
    mgi_proof_walk_init(&walk, ev);
    if (proof)
        collect_sent(&walk, proof);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "code", "privileged");
    if (shown)
        mgi_jw_member_cstr(w, "pred", mangle_program_pred(ev->s->program, r->pred).name);
    mgi_jw_member_cstr(w, "reason", "nobody vouches for what it rests on");
    mgi_proof_support_write(&walk, w);
    if (shown && proof) {
        mgi_jw_key(w, "tree");
        mgi_proof_node_write(&walk, w, proof);
    }
    mgi_jw_end_object(w);
    mgi_proof_walk_fini(&walk);
}

void mgi_refused_write(struct evaluation *ev, struct json_writer *w)
{
    if (!ev->refused_told)
        return;
    mgi_jw_key(w, "refused");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < ev->refusal_count; i++)
        if (ev->refusals[i].told)
            write_refusal(ev, w, &ev->refusals[i]);
    mgi_jw_end_array(w);
}
