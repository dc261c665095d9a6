/* A premise over facts as foresee.c looks at it: which rows are meant, which of their intervals,
 * and what a row gives to the variables. */
#include "mangle/proof/foresee_atom.h"

#include <string.h>

struct moving *mgi_way_pass_on(const struct way *w, uint32_t premise)
{
    size_t count = w->rule->clause->var_count;
    if (count > 0)
        memcpy(mgi_way_env(w, premise + 1), mgi_way_env(w, premise), count * sizeof(struct moving));
    return mgi_way_env(w, premise + 1);
}

bool mgi_sight_pattern(struct way *w, uint32_t premise, struct atom_sight *a, int64_t *until)
{
    const struct atom *atom = &a->m->atom;
    *until = MANGLE_MAX_TIME;
    a->pattern = mgi_arena_calloc(&w->s->o->arena, atom->count + 1, sizeof *a->pattern);
    if (!a->pattern)
        return false;
    for (uint32_t i = 0; i < atom->count; i++) {
        const struct term *t = &atom->args[i];
        struct moving v;
        if (!mgi_moving_term(&w->s->o->eval, t, mgi_way_env(w, premise), &v))
            return false;
        if (v.known)
            a->pattern[i] = v.value;
        else if (t->kind != TERM_VAR || !w->rule->clause->vars[t->var].wildcard)
            a->vague = true;
        *until = mgi_earlier(*until, v.sign ? w->s->o->eval.now_ns : v.until);
    }
    return true;
}

static bool is_var_bound(const struct bound *b)
{
    return b->kind == BOUND_VAR && !b->free;
}

const struct spans *mgi_sight_find_spans(const struct rule *rule, uint32_t premise)
{
    const struct code *code = rule->full;
    for (size_t i = 0; i < code->op_count; i++)
        if (code->ops[i].premise == premise && code->ops[i].spans)
            return code->ops[i].spans;
    return NULL;
}

bool mgi_sight_spans(const struct way *w, uint32_t premise, struct atom_sight *a)
{
    const struct spans *s = mgi_sight_find_spans(w->rule, premise);
    if (!s || a->plan->moves ||
        (s->window != WINDOW_NONE && (is_var_bound(&s->near) || is_var_bound(&s->far))))
        return false;
    a->fixed = *s;
    if (s->annotated && is_var_bound(&s->start))
        a->fixed.start.free = true;
    if (s->annotated && is_var_bound(&s->end))
        a->fixed.end.free = true;
    if (a->m->negated && (a->fixed.start.free != s->start.free || a->fixed.end.free != s->end.free))
        return false;
    a->spans = &a->fixed;
    return true;
}

void mgi_way_bind_row(struct way *w, uint32_t premise, const struct atom *atom,
                      const uint32_t *words)
{
    struct moving *env = mgi_way_pass_on(w, premise);
    for (uint32_t i = 0; i < atom->count; i++)
        if (atom->args[i].kind == TERM_VAR && !env[atom->args[i].var].known)
            env[atom->args[i].var] = MOVING_STILL(words[i]);
}

bool mgi_way_repeats_fit(const struct way *w, uint32_t premise, const struct atom *atom,
                         const uint32_t *words)
{
    const struct moving *env = mgi_way_env(w, premise);
    for (uint32_t i = 0; i < atom->count; i++)
        for (uint32_t k = i + 1; k < atom->count; k++)
            if (atom->args[i].kind == TERM_VAR && atom->args[k].kind == TERM_VAR &&
                atom->args[i].var == atom->args[k].var && words[i] != words[k] &&
                !env[atom->args[i].var].known)
                return false;
    return true;
}

void mgi_way_bind_span(struct way *w, uint32_t premise, const struct premise *m,
                       struct mangle_interval t)
{
    struct moving *env = mgi_way_env(w, premise + 1);
    const struct time_bound *ends[] = { &m->annotation.start, &m->annotation.end };
    const int64_t ns[] = { t.start_ns, t.end_ns };
    for (int i = 0; i < 2 && m->annotation.present; i++) {
        bool open = ns[i] == MANGLE_MIN_TIME || ns[i] == MANGLE_MAX_TIME;
        if (ends[i]->kind != BOUND_VAR || env[ends[i]->var].known || open)
            continue;
        mangle_value v = mangle_time(w->s->o->values, ns[i]);
        if (!v)
            w->s->st = MANGLE_ERR_NOMEM;
        env[ends[i]->var] = MOVING_STILL(v);
    }
}

int64_t mgi_sight_blocked_until(struct way *w, const struct atom_sight *a, uint32_t row)
{
    struct eval *x = &w->s->o->eval;
    const struct rel *rel = &w->s->o->rels[a->m->atom.pred];
    struct frame f;
    uint32_t count;
    int64_t until = MANGLE_MIN_TIME;
    if (!a->spans || !rel->temporal)
        return MANGLE_MAX_TIME;
    const struct mangle_interval *run = mgi_times_run(rel, row, &count);
    if (mgi_spans_prepare(x, a->spans, &f))
        return x->now_ns;
    for (uint32_t i = 0; run && i < count; i++)
        if (run[i].start_ns <= f.max_start && run[i].end_ns >= f.min_end)
            until = mgi_later(until, mgi_spans_stand_until(x, a->spans, run[i]));
    return until;
}
