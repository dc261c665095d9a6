/* What a merge predicate comes to. Two rules that compare the two values they are given, and answer
 * with one of them, choose the least or the greatest:
 *
 *     least(A, B, A) :- A <= B.          greatest(A, B, C) :- A > B, C = A.
 *     least(A, B, B) :- B < A.           greatest(A, B, C) :- B >= A, C = B.
 *
 * That is known without asking them, as long as they are all there is of the predicate. Equal
 * values are never merged where every column is a source or the target: such facts are one. Of
 * values that are no numbers the rules have an error to tell, so these are asked (run/best.c). */
#include <string.h>

#include "mangle/plan/plan_int.h"

struct choosing {              /* one rule of the predicate */
    uint32_t old, new, answer; /* variables */
    uint32_t less;             /* the variable that it says is not greater than the other */
};

static bool is_var(const struct term *t)
{
    return t->kind == TERM_VAR;
}

/* A < B, A <= B, B > A or B >= A, for the two values. */
static bool read_comparison(const struct premise *m, struct choosing *c)
{
    static const char *const names[] = { ":lt", ":le", ":gt", ":ge" };
    if (m->kind != PREMISE_BUILTIN || m->negated || !m->atom.builtin || m->atom.count != 2 ||
        !is_var(&m->atom.args[0]) || !is_var(&m->atom.args[1]))
        return false;
    uint32_t left = m->atom.args[0].var, right = m->atom.args[1].var;
    if (!(left == c->old && right == c->new) && !(left == c->new &&right == c->old))
        return false;
    for (uint32_t i = 0; i < 4; i++)
        if (strcmp(m->atom.builtin->name, names[i]) == 0) {
            c->less = i < 2 ? left : right;
            return true;
        }
    return false;
}

/* C = A, where C is the answer. */
static bool read_answer(const struct premise *m, struct choosing *c)
{
    if (m->kind != PREMISE_EQ || !is_var(&m->left) || !is_var(&m->right))
        return false;
    uint32_t other = m->left.var == c->answer ? m->right.var : m->left.var;
    if (m->left.var != c->answer && m->right.var != c->answer)
        return false;
    c->answer = other;
    return true;
}

static bool read_choice(const struct clause *c, struct choosing *out)
{
    const struct term *args = c->head.args;
    if (c->transform || c->head.count != 3 || !is_var(&args[0]) || !is_var(&args[1]) ||
        !is_var(&args[2]) || args[0].var == args[1].var || c->premise_count < 1 ||
        c->premise_count > 2)
        return false;
    *out = (struct choosing){ args[0].var, args[1].var, args[2].var, UINT32_MAX };
    bool stated = out->answer == out->old || out->answer == out->new;
    if (stated != (c->premise_count == 1))
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (!(out->less == UINT32_MAX && read_comparison(&c->premises[i], out)) &&
            !(i > 0 && !stated && read_answer(&c->premises[i], out)))
            return false;
    return out->less != UINT32_MAX && (out->answer == out->old || out->answer == out->new);
}

/* Two rules, one for each order of the values, both for the smaller or both for the greater. */
static enum merging merging_of(const mangle_program *p, mangle_pred merge)
{
    struct choosing rules[2];
    uint32_t count = 0;
    for (size_t r = 0; r < p->rule_count; r++) {
        if (p->rules[r]->head.pred != merge)
            continue;
        if (count == 2 || !read_choice(p->rules[r], &rules[count]))
            return MERGE_BY_RULES;
        count++;
    }
    if (count != 2 || (rules[0].less == rules[0].old) == (rules[1].less == rules[1].old))
        return MERGE_BY_RULES;
    bool least = rules[0].answer == rules[0].less;
    if (least != (rules[1].answer == rules[1].less))
        return MERGE_BY_RULES;
    return least ? MERGE_LEAST : MERGE_GREATEST;
}

static bool has_facts(const mangle_program *p, mangle_pred pred)
{
    for (size_t i = 0; i < p->fact_count; i++)
        if (p->facts[i].pred == pred)
            return true;
    return p->preds[pred].assertable;
}

void mgi_plan_merging(mangle_program *p)
{
    for (size_t i = 0; i < p->pred_count; i++) {
        struct lattice_decl *l = p->preds[i].lattice;
        if (!l || l->merge == MANGLE_NO_PRED /* a keeper */ || l->target_count != 1 ||
            l->source_count + 1 != p->preds[i].arity || has_facts(p, l->merge))
            continue;
        l->merging = merging_of(p, l->merge);
    }
}
