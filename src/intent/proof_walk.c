/* One walk through a proof: what of it may be shown to a client, collected or written. */
#include "intent/proof_int.h"

#define MAX_NODES 256 /* of one tree */

static bool is_client_fact(struct evaluation *ev, const struct mangle_proof *p)
{
    return p->kind == MANGLE_PROOF_SESSION && mgi_snapshot_shows(ev->s, p->fact.pred) == SHOWN &&
           mgi_ev_was_sent(ev, &p->fact);
}

void mgi_proof_walk_init(struct proof_walk *w, struct evaluation *ev)
{
    *w = (struct proof_walk){ .ev = ev };
    mgi_strmap_init(&w->seen);
    mgi_strmap_init(&w->known);
}

void mgi_proof_walk_fini(struct proof_walk *w)
{
    mgi_strmap_fini(&w->seen);
    mgi_strmap_fini(&w->known);
}

bool mgi_proof_first_visit(struct proof_walk *w, const struct mangle_proof *p)
{
    if (mgi_strmap_get(&w->seen, str_of(p->id), NULL))
        return false;
    bool ok = mgi_strmap_put(&w->seen, str_of(p->id), 0);
    w->ev->nomem |= !ok;
    return ok;
}

void mgi_proof_chain_add(struct proof_walk *w, mangle_pred pred)
{
    for (size_t i = 0; i < w->chain_count; i++)
        if (w->chain[i] == pred)
            return;
    if (w->chain_count < MAX_CHAIN)
        w->chain[w->chain_count++] = pred;
}

static struct str key_of(const mangle_value *v)
{
    return (struct str){ (const char *)v, sizeof *v };
}

static void add_support(struct proof_walk *w, const struct mangle_fact *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        w->ev->nomem |= !mgi_strmap_put(&w->known, key_of(&f->args[i]), 0);
    if (mgi_arena_grow(w->ev->arena, &w->support, &w->support_cap, w->support_count + 1,
                       sizeof(struct mangle_fact *)))
        w->support[w->support_count++] = f;
    else
        w->ev->nomem = true;
}

/* Depth is bounded by the explanation's own (64). */
void mgi_proof_collect(struct proof_walk *w, const struct mangle_proof *p)
{
    if (p->kind == MANGLE_PROOF_ABSENT || !mgi_proof_first_visit(w, p))
        return;
    enum shown shown = mgi_snapshot_shows(w->ev->s, p->fact.pred);
    if (shown == CUT)
        return;
    bool derived = p->kind == MANGLE_PROOF_DERIVED || p->kind == MANGLE_PROOF_AGGREGATE ||
                   p->kind == MANGLE_PROOF_LET;
    bool decision = w->ev->s->pred_layers[p->fact.pred] == LAYER_PIPELINE;
    if (shown == SHOWN && (derived || decision))
        mgi_proof_chain_add(w, p->fact.pred);
    if (is_client_fact(w->ev, p))
        add_support(w, &p->fact);
    for (size_t i = 0; i < p->premise_count; i++)
        mgi_proof_collect(w, p->premises[i]);
}

/* ---- printing values ---------------------------------------------------------------------- */

/* What it sent for this proof, and what this answer tells: tools with their scores. Anything else
 * may be a secret of the server's, and what was sent beside the proof a guess at it. */
static bool client_knows(const struct proof_walk *walk, mangle_value v)
{
    const struct evaluation *ev = walk->ev;
    bool number = mangle_kind_of(ev->values, v) == MANGLE_NUMBER;
    if (mgi_strmap_get(&walk->known, key_of(&v), NULL) ||
        (!number && str_eq(mgi_ev_text(ev, v), ev->request.name)))
        return true;
    for (size_t i = 0; i < ev->choice_count; i++)
        if (ev->choices[i].tool->value == v ||
            (number && mangle_int_of(ev->values, v) == ev->choices[i].score))
            return true;
    return false;
}

static void write_atom(const struct proof_walk *walk, struct json_writer *w,
                       const struct mangle_fact *f)
{
    struct evaluation *ev = walk->ev;
    struct buf text = { 0 };
    mgi_buf_puts(&text, mangle_program_pred(ev->s->program, f->pred).name);
    mgi_buf_putc(&text, '(');
    for (uint32_t i = 0; i < f->count; i++) {
        if (i > 0)
            mgi_buf_putc(&text, ',');
        if (!client_knows(walk, f->args[i])) {
            mgi_buf_putc(&text, '_');
            continue;
        }
        size_t len;
        char *value = mangle_value_print(ev->values, f->args[i], MANGLE_CANONICAL, &len);
        ev->nomem |= !value;
        mgi_buf_puts(&text, value ? value : "_");
        mangle_free(value);
    }
    mgi_buf_putc(&text, ')');
    mgi_jw_member_str(w, "fact", mgi_buf_view(&text));
    ev->nomem |= text.oom;
    mgi_buf_fini(&text);
}

/* ---- tree --------------------------------------------------------------------------------- */

static bool has_shown_child(const struct evaluation *ev, const struct mangle_proof *p)
{
    for (size_t i = 0; i < p->premise_count; i++) {
        const struct mangle_proof *c = p->premises[i];
        enum shown shown = mgi_snapshot_shows(ev->s, c->fact.pred);
        if (c->kind != MANGLE_PROOF_ABSENT &&
            (shown == SHOWN || (shown == LIFTED && has_shown_child(ev, c))))
            return true;
    }
    return false;
}

void mgi_proof_children_write(struct proof_walk *walk, struct json_writer *w,
                              const struct mangle_proof *p)
{
    for (size_t i = 0; i < p->premise_count && walk->nodes < MAX_NODES; i++) {
        const struct mangle_proof *c = p->premises[i];
        if (c->kind == MANGLE_PROOF_ABSENT)
            continue;
        switch (mgi_snapshot_shows(walk->ev->s, c->fact.pred)) {
        case SHOWN:
            mgi_proof_node_write(walk, w, c);
            break;
        case LIFTED:
            mgi_proof_children_write(walk, w, c);
            break;
        case CUT:
            break;
        }
    }
}

void mgi_proof_node_write(struct proof_walk *walk, struct json_writer *w,
                          const struct mangle_proof *p)
{
    bool given = p->kind == MANGLE_PROOF_GIVEN || p->kind == MANGLE_PROOF_SESSION;
    const char *type = !given ? "derived" : is_client_fact(walk->ev, p) ? "session" : "server";
    walk->nodes++;
    mgi_jw_begin_object(w);
    write_atom(walk, w, &p->fact);
    mgi_jw_member_cstr(w, "type", type);
    if (has_shown_child(walk->ev, p)) {
        mgi_jw_key(w, "children");
        mgi_jw_begin_array(w);
        mgi_proof_children_write(walk, w, p);
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* *st says why there is none. */
static const struct mangle_proof *explain(struct evaluation *ev, const struct mangle_fact *f,
                                          enum mangle_status *st)
{
    const struct mangle_proof *const *proofs;
    struct mangle_limits limits = mgi_ev_limits(ev);
    struct mangle_explain_options options = { .limits = &limits };
    size_t count;
    *st = MANGLE_OK;
    if (!mgi_ev_goes_on(ev))
        return NULL;
    *st = mangle_overlay_proofs(ev->overlay, f, &options, &proofs, &count, NULL);
    return *st ? NULL : proofs[0]; /* in full mode there is one */
}

const struct mangle_proof *mgi_proof_find(struct evaluation *ev, const struct mangle_fact *f)
{
    enum mangle_status st;
    const struct mangle_proof *proof = explain(ev, f, &st);
    if (st && st != MANGLE_ERR_INPUT)
        mgi_ev_stopped(ev, st);
    return proof;
}

const struct mangle_proof *mgi_proof_in_time(struct evaluation *ev, const struct mangle_fact *f)
{
    enum mangle_status st;
    const struct mangle_proof *proof = explain(ev, f, &st);
    if (st && st != MANGLE_ERR_INPUT && st != MANGLE_ERR_LIMIT)
        mgi_ev_stopped(ev, st);
    return proof;
}

void mgi_proof_support_write(struct proof_walk *walk, struct json_writer *w)
{
    struct evaluation *ev = walk->ev;
    mgi_jw_key(w, "supporting_facts");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < walk->support_count; i++) {
        const struct mangle_fact *f = walk->support[i];
        bool always = f->t.start_ns == MANGLE_MIN_TIME && f->t.end_ns == MANGLE_MAX_TIME;
        mgi_fact_write(w, ev->values, str_of(mangle_program_pred(ev->s->program, f->pred).name),
                       f->args, f->count, f->temporal && !always ? &f->t : NULL, NULL, NULL);
    }
    mgi_jw_end_array(w);
}
