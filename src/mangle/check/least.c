/* Which predicates may keep the least or the greatest value of a column alone, and the copies of
 * them that do (least.h). */
#include <string.h>

#include "base/alloc.h"
#include "mangle/check/check.h"
#include "mangle/check/least.h"
#include "mangle/program/diag.h"

struct keeping {
    mangle_program *p;
    struct arena scratch;
    struct value_use use; /* of the predicate at hand */
};

/* ---- which ----------------------------------------------------------------------------------- */

static bool reads_pred(const struct clause *c, mangle_pred pred)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        if ((m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) && m->atom.pred == pred)
            return true;
    }
    return false;
}

/* Alone in its recursion, filled by rules and by what a base is given. */
static bool may_keep(const struct keeping *k, mangle_pred pred)
{
    const mangle_program *p = k->p;
    const struct pred *at = &p->preds[pred];
    if (!at->derived || at->output || at->assertable || at->temporal || at->lattice ||
        at->external || at->deferred || at->host || at->arity == 0 || pred == p->now_marker ||
        p->strata[at->stratum].pred_count != 1 || !p->strata[at->stratum].recursive)
        return false;
    for (size_t i = 0; i < p->fact_count; i++)
        if (p->facts[i].pred == pred && p->facts[i].reads_now)
            return false;
    for (size_t i = 0; i < p->pred_count; i++)
        if (p->preds[i].lattice && p->preds[i].lattice->merge == pred)
            return false;
    return true;
}

/* What can be begun and given up: stored atoms, built-in predicates, equations. */
static bool is_plain_premise(const mangle_program *p, const struct premise *m)
{
    if (m->kind != PREMISE_ATOM)
        return m->kind != PREMISE_TEMPORAL;
    const struct pred *pred = &p->preds[m->atom.pred];
    return !pred->temporal && !pred->deferred && !pred->external;
}

static bool term_has_value(const struct value_use *u, const struct term *t)
{
    if (t->kind == TERM_VAR)
        return u->values[t->var];
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        if (term_has_value(u, &t->apply.args[i]))
            return true;
    return false;
}

static bool head_keeps(const struct value_use *u, const struct clause *c, bool own)
{
    const struct annotation *a = &c->annotation;
    for (uint32_t i = 0; i < c->head.count; i++)
        if (term_has_value(u, &c->head.args[i]) &&
            !(own && i == u->column && mgi_is_value_term(u, &c->head.args[i])))
            return false;
    return !a->present || (!(a->start.kind == BOUND_VAR && u->values[a->start.var]) &&
                           !(a->end.kind == BOUND_VAR && u->values[a->end.var]));
}

static bool own_rule_fits(struct keeping *k, const struct clause *c)
{
    uint32_t atoms = 0;
    if (c->transform && c->transform->is_do)
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        if (!is_plain_premise(k->p, &c->premises[i]))
            return false;
        atoms += c->premises[i].kind == PREMISE_ATOM && c->premises[i].atom.pred == k->use.pred;
    }
    return atoms <= 1 && mgi_uses_values(c, &k->scratch, &k->use) && head_keeps(&k->use, c, true);
}

/* All rules with it, and somebody reads it. */
static bool keeps(struct keeping *k, mangle_pred pred, uint32_t column, bool greatest)
{
    const mangle_program *p = k->p;
    bool read = false;
    k->use = (struct value_use){ .pred = pred, .column = column, .greatest = greatest };
    for (size_t r = 0; r < p->rule_count; r++) {
        const struct clause *c = p->rules[r];
        if (c->head.pred == pred) {
            k->use.outside = false;
            if (!own_rule_fits(k, c))
                return false;
        } else if (reads_pred(c, pred)) {
            read = k->use.outside = true;
            if (!mgi_uses_values(c, &k->scratch, &k->use) || !head_keeps(&k->use, c, false))
                return false;
        }
    }
    return read;
}

/* Does a reader ask for the best value, or would nothing be gained? */
static bool is_grouped(const struct keeping *k, mangle_pred pred)
{
    for (size_t r = 0; r < k->p->rule_count; r++) {
        const struct clause *c = k->p->rules[r];
        if (c->head.pred != pred && c->transform && c->transform->is_do && reads_pred(c, pred))
            return true;
    }
    return false;
}

static bool find_column(struct keeping *k, mangle_pred pred)
{
    for (uint32_t column = 0; column < k->p->preds[pred].arity; column++)
        if (keeps(k, pred, column, false) || keeps(k, pred, column, true))
            return true;
    return false;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static struct lattice_decl *lattice_of(struct keeping *k, uint32_t arity)
{
    struct arena *a = &k->p->arena;
    struct lattice_decl *l = mgi_arena_calloc(a, 1, sizeof *l);
    if (!l || !(l->source = mgi_arena_calloc(a, arity, sizeof *l->source)))
        return NULL;
    for (uint32_t i = 0; i < arity; i++)
        if (i != k->use.column)
            l->source[l->source_count++] = i;
    l->target = k->use.column;
    l->target_count = 1;
    l->merge = MANGLE_NO_PRED;
    l->merging = k->use.greatest ? MERGE_GREATEST : MERGE_LEAST;
    return l;
}

static mangle_pred add_keeper(struct keeping *k)
{
    mangle_program *p = k->p;
    struct lattice_decl *l = lattice_of(k, p->preds[k->use.pred].arity);
    if (!l || !mgi_grow(&p->preds, &p->pred_cap, p->pred_count + 1, sizeof *p->preds))
        return MANGLE_NO_PRED;
    mangle_pred keeper = (mangle_pred)p->pred_count++;
    p->copied_preds++;
    p->preds[keeper] = p->preds[k->use.pred];
    p->preds[keeper].lattice = l;
    p->preds[keeper].original = k->use.pred;
    p->preds[k->use.pred].keeper = keeper;
    p->puts_off = true;
    return keeper;
}

/* Sums of values as functions that refuse what could wrap around. False: memory. */
static bool guard_term(struct keeping *k, struct term *t)
{
    if (t->kind != TERM_APPLY || !mgi_is_value_term(&k->use, t))
        return true;
    struct term *args = mgi_arena_calloc(&k->p->arena, t->apply.count, sizeof *args);
    if (!args)
        return false;
    memcpy(args, t->apply.args, t->apply.count * sizeof *args);
    for (uint32_t i = 0; i < t->apply.count; i++)
        if (!guard_term(k, &args[i]))
            return false;
    t->apply.args = args;
    t->apply.row = strcmp(t->apply.row->name, "fn:minus") == 0 ? &mgi_small_minus : &mgi_small_plus;
    return true;
}

static bool guard_atom(struct keeping *k, struct atom *a)
{
    struct term *args = mgi_arena_calloc(&k->p->arena, (size_t)a->count + 1, sizeof *args);
    if (!args)
        return false;
    if (a->count)
        memcpy(args, a->args, a->count * sizeof *args);
    a->args = args;
    for (uint32_t i = 0; i < a->count; i++)
        if (!guard_term(k, &args[i]))
            return false;
    return true;
}

static bool guard_lets(struct keeping *k, struct clause *c)
{
    struct transform *t = mgi_arena_calloc(&k->p->arena, 1, sizeof *t);
    if (!t)
        return false;
    *t = *c->transform;
    t->lets = mgi_arena_calloc(&k->p->arena, (size_t)t->let_count + 1, sizeof *t->lets);
    if (!t->lets)
        return false;
    for (uint32_t i = 0; i < t->let_count; i++) {
        t->lets[i] = c->transform->lets[i];
        if (!t->is_do && !guard_term(k, &t->lets[i].term))
            return false;
    }
    c->transform = t;
    return true;
}

/* The rule, reading the keeper and adding with care. */
static struct clause *reading_keeper(struct keeping *k, const struct clause *c, mangle_pred keeper)
{
    struct arena *a = &k->p->arena;
    struct clause *copy = mgi_arena_calloc(a, 1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *c;
    copy->premises = mgi_arena_calloc(a, (size_t)c->premise_count + 1, sizeof *copy->premises);
    if (!copy->premises || !mgi_uses_values(c, &k->scratch, &k->use) ||
        (c->transform && !guard_lets(k, copy)) || !guard_atom(k, &copy->head))
        return NULL;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        struct premise *m = &copy->premises[i];
        *m = c->premises[i];
        if ((m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) && m->atom.pred == k->use.pred)
            m->atom.pred = keeper;
        if (!guard_term(k, &m->left) || !guard_term(k, &m->right) ||
            (m->kind == PREMISE_BUILTIN && !guard_atom(k, &m->atom)))
            return NULL;
    }
    return copy;
}

static bool more_rules(struct keeping *k, size_t more)
{
    mangle_program *p = k->p;
    size_t old = p->rule_count, count = old + more + 1;
    const struct clause **rules = mgi_arena_calloc(&p->arena, count, sizeof *rules);
    const char **texts = mgi_arena_calloc(&p->arena, count, sizeof *texts);
    mangle_pred **bodies = mgi_arena_calloc(&p->arena, count, sizeof *bodies);
    uint32_t *body_counts = mgi_arena_calloc(&p->arena, count, sizeof *body_counts);
    uint32_t *origins = mgi_arena_calloc(&p->arena, count, sizeof *origins);
    if (!rules || !texts || !bodies || !body_counts || !origins)
        return false;
    for (size_t r = 0; r < old; r++) {
        rules[r] = p->rules[r];
        texts[r] = p->rule_texts[r];
        bodies[r] = p->rule_bodies[r];
        body_counts[r] = p->rule_body_counts[r];
        origins[r] = (uint32_t)mgi_rule_shown(p, r);
    }
    p->rules = rules;
    p->rule_texts = texts;
    p->rule_bodies = bodies;
    p->rule_body_counts = body_counts;
    p->rule_origins = origins;
    return true;
}

static void add_rule(struct keeping *k, size_t r, struct clause *c, mangle_pred keeper)
{
    mangle_program *p = k->p;
    size_t at = p->rule_count++;
    c->head.pred = keeper;
    p->rules[at] = c;
    p->rule_texts[at] = p->rule_texts[r];
    p->rule_bodies[at] = p->rule_bodies[r];
    p->rule_body_counts[at] = p->rule_body_counts[r];
    p->rule_origins[at] = (uint32_t)r;
    p->copied_rules++;
}

static bool keep(struct keeping *k)
{
    mangle_program *p = k->p;
    size_t count = p->rule_count;
    mangle_pred pred = k->use.pred, keeper = add_keeper(k);
    if (keeper == MANGLE_NO_PRED || !more_rules(k, count))
        return false;
    for (size_t r = 0; r < count; r++) {
        bool own = p->rules[r]->head.pred == pred;
        k->use.outside = !own;
        if (!own && !reads_pred(p->rules[r], pred))
            continue;
        struct clause *c = reading_keeper(k, p->rules[r], keeper);
        if (!c)
            return false;
        if (own)
            add_rule(k, r, c, keeper);
        else
            p->rules[r] = c;
    }
    return true;
}

/* ---- the stage ------------------------------------------------------------------------------- */

enum mangle_status mgi_keep_least(mangle_program *p)
{
    struct keeping k = {
        .p = p,
    };
    bool ok = true, any = false;
    if (!p->outputs_known || p->copied_preds) /* who vouches for what is not told apart here */
        return MANGLE_OK;
    mgi_arena_init(&k.scratch, 0);
    for (mangle_pred i = 0, count = (mangle_pred)p->pred_count; i < count && ok; i++) {
        if (!may_keep(&k, i) || !is_grouped(&k, i) || !find_column(&k, i))
            continue;
        any = true;
        ok = keep(&k);
    }
    ok &= !k.scratch.oom;
    mgi_arena_fini(&k.scratch);
    if (!ok)
        return MANGLE_ERR_NOMEM;
    return any ? mgi_stratify_again(p) : MANGLE_OK;
}
