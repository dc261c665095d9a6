/* What stands beside an atom that is read, and says for which values it is read. It begins with few
 * facts, those of a request or what the rule itself is asked for, and goes on over atoms that share
 * a variable with what is known: never to a product of two. */
#include "mangle/plan/demand.h"

bool mgi_demand_is_plain(const mangle_program *p, const struct premise *m)
{
    if (m->kind != PREMISE_ATOM || m->atom.pred == MANGLE_NO_PRED || mgi_premise_calls(m))
        return false;
    const struct pred *pred = &p->preds[m->atom.pred];
    return !pred->temporal && !pred->deferred && !pred->external && !pred->lattice;
}

struct walk {
    struct demands *d;
    const struct rule *rule;
    const struct clause *c;
    uint32_t read;
    bool *known; /* per variable */
};

static bool says(const struct walk *w, uint32_t i)
{
    const struct premise *m = &w->c->premises[i];
    if (i == w->read || m->negated || !mgi_demand_is_plain(w->d->p, m))
        return false;
    const struct pred *read = &w->d->p->preds[w->c->premises[w->read].atom.pred];
    const struct pred *pred = &w->d->p->preds[m->atom.pred];
    if (pred->stratum >= w->d->p->stratum_count)
        return true; /* facts alone */
    return w->d->hoping ? pred->stratum != read->stratum : !w->d->waits[pred->stratum];
}

static void learn(struct walk *w, const struct atom *a, uint64_t columns)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->args[i].kind == TERM_VAR && (i >= 64 || columns >> i & 1) &&
            !w->c->vars[a->args[i].var].wildcard)
            w->known[a->args[i].var] = true;
}

static bool shares(const struct walk *w, const struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->args[i].kind == TERM_VAR && w->known[a->args[i].var])
            return true;
    return false;
}

static bool shares_head(const struct walk *w)
{
    const struct pred_plan *pred = &w->d->plan->preds[w->rule->head];
    for (uint32_t i = 0; pred->demanded && i < w->c->head.count; i++) {
        const struct term *t = &w->c->head.args[i];
        if (pred->bound >> i & 1 && t->kind == TERM_VAR && w->known[t->var])
            return true;
    }
    return false;
}

static bool is_all_known(const struct walk *w, const struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->args[i].kind == TERM_VAR && !w->c->vars[a->args[i].var].wildcard &&
            !w->known[a->args[i].var])
            return false;
    return true;
}

static uint64_t known_columns(const struct walk *w)
{
    const struct atom *a = &w->c->premises[w->read].atom;
    uint64_t columns = 0;
    for (uint32_t i = 0; i < a->count && i < 64; i++)
        if (a->args[i].kind == TERM_CONST ||
            (a->args[i].kind == TERM_VAR && w->known[a->args[i].var]))
            columns |= UINT64_C(1) << i;
    return columns;
}

/* From `first` over those of `among`: which are reached, and what is known then. */
static struct sides walk_from(struct walk *w, uint32_t first, uint32_t among)
{
    const struct pred_plan *head = &w->d->plan->preds[w->rule->head];
    struct sides s = { .first = first };
    for (uint32_t v = 0; v < w->c->var_count; v++)
        w->known[v] = false;
    if (first == NO_PREMISE) {
        learn(w, &w->c->head, head->bound);
    } else {
        learn(w, &w->c->premises[first].atom, UINT64_MAX);
        s.premises = UINT32_C(1) << first;
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < w->c->premise_count; i++) {
            if (!(among >> i & 1) || s.premises >> i & 1 || !says(w, i) ||
                !shares(w, &w->c->premises[i].atom))
                continue;
            learn(w, &w->c->premises[i].atom, UINT64_MAX);
            s.premises |= UINT32_C(1) << i;
            more = true;
        }
    }
    s.columns = known_columns(w);
    return s;
}

static bool walk_begin(struct walk *w, struct demands *d, const struct rule *rule, uint32_t read)
{
    *w = (struct walk){ .d = d, .rule = rule, .c = rule->clause, .read = read };
    w->known = mgi_arena_calloc(&d->scratch, (size_t)w->c->var_count + 1, sizeof *w->known);
    return w->known != NULL;
}

static uint32_t count_columns(uint64_t columns)
{
    return (uint32_t)__builtin_popcountll(columns);
}

bool mgi_demand_sides(struct demands *d, const struct rule *rule, uint32_t read, struct sides *s)
{
    struct walk w;
    struct arena_mark mark = mgi_arena_mark(&d->scratch);
    *s = (struct sides){ .first = NO_PREMISE };
    if (!walk_begin(&w, d, rule, read))
        return false;
    if (d->plan->preds[rule->head].demanded)
        *s = walk_from(&w, NO_PREMISE, UINT32_MAX);
    for (uint32_t i = 0; i < w.c->premise_count; i++) {
        if (!says(&w, i) || !d->empty[w.c->premises[i].atom.pred])
            continue;
        struct sides other = walk_from(&w, i, UINT32_MAX);
        if (count_columns(other.columns) > count_columns(s->columns))
            *s = other;
    }
    mgi_arena_rewind(&d->scratch, mark);
    return true;
}

bool mgi_demand_needed(struct demands *d, const struct rule *rule, uint32_t read, uint64_t columns,
                       struct sides *s)
{
    struct walk w;
    struct arena_mark mark = mgi_arena_mark(&d->scratch);
    if (!walk_begin(&w, d, rule, read))
        return false;
    for (uint32_t i = w.c->premise_count; i-- > 0;) {
        if (i == s->first || !(s->premises >> i & 1))
            continue;
        struct sides less = walk_from(&w, s->first, s->premises & ~(UINT32_C(1) << i));
        if ((less.columns & columns) == columns)
            *s = less;
    }
    *s = walk_from(&w, s->first, s->premises);
    s->asked = s->first == NO_PREMISE || shares_head(&w);
    for (uint32_t i = 0; i < w.c->premise_count; i++)
        if (says(&w, i) && is_all_known(&w, &w.c->premises[i].atom) &&
            shares(&w, &w.c->premises[i].atom))
            s->premises |= UINT32_C(1) << i;
    mgi_arena_rewind(&d->scratch, mark);
    return true;
}
