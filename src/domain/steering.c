/* What steers the choice of tools: the predicates that anything reads which decides whether a tool
 * is offered, to whom, with which consent, and what it is made of.
 *
 * A slice of the program, backwards from what the server asks the rules. Facts of other predicates
 * (those that only texts, skills and files are chosen by) need not be known to judge a tool again.
 */
#include "domain/domain_int.h"

static size_t find_roots(const struct interface *p, mangle_pred *out)
{
    const mangle_pred roots[] = {
        p->intent_permitted,
        p->candidate,
        p->contender,
        p->kept,
        p->undecided,
        p->rivals,
        p->outranks,
        p->root_class,
        p->root_score,
        p->root_phase,
        p->lends,
        p->macro_tool,
        p->chain_step,
        p->param_value,
        p->param_bound,
        p->confirm,
        p->valid_for,
        p->valid_until,
        p->macro_reversible,
        p->macro_idempotent,
        p->macro_has_side_effect,
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (roots[i] != MANGLE_NO_PRED)
            out[count++] = roots[i];
    return count;
}

bool mgi_says_outcome(const struct interface *p, mangle_pred pred)
{
    const mangle_pred outcomes[] = { p->delta_assert,  p->delta_assert_during,
                                     p->delta_retract, p->suggest_intent,
                                     p->suggest_param, p->continuation_fact,
                                     p->result_member, p->execution_summary };
    bool says = false;
    for (size_t i = 0; pred != MANGLE_NO_PRED && i < sizeof outcomes / sizeof *outcomes; i++)
        says |= outcomes[i] == pred;
    return says;
}

/* Tables of facts, which are read later, add to it (base_facts.c). */
static bool speaks_of_outcomes(const struct snapshot *s)
{
    for (size_t i = mangle_program_clause_count(s->program); i-- > 0;) {
        struct mangle_clause_view c = mangle_program_clause(s->program, i);
        if (!c.declaration && mgi_says_outcome(&s->pred, c.head))
            return true;
    }
    return false;
}

#define ROOTS_MAX 32

static void spread(const mangle_program *p, bool *steers)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t r = mangle_program_rule_count(p); r-- > 0;) {
            struct mangle_rule_view rule = mangle_program_rule(p, r);
            for (size_t i = 0; steers[rule.head] && i < rule.body_count; i++) {
                changed |= !steers[rule.body[i]];
                steers[rule.body[i]] = true;
            }
        }
    }
}

bool mgi_load_steering(struct loading *l)
{
    struct snapshot *s = l->s;
    if (!s->program)
        return true;
    mangle_pred roots[ROOTS_MAX];
    size_t count = find_roots(&s->pred, roots);
    size_t preds = mangle_program_pred_count(s->program);
    bool *steers = mgi_arena_calloc(&s->arena, preds + 1, 1);
    bool *reads_time_of = mgi_arena_calloc(&s->arena, preds + 1, 1);
    if (!steers || !reads_time_of)
        return false;
    for (size_t i = 0; i < preds; i++)
        reads_time_of[i] = mangle_program_pred(s->program, (mangle_pred)i).reads_now;
    for (size_t i = 0; i < count; i++)
        steers[roots[i]] = true;
    spread(s->program, steers);
    for (size_t i = 0; i < count; i++)
        s->steering_reads_time |= reads_time_of[roots[i]];
    s->speaks_of_outcomes = speaks_of_outcomes(s);
    s->steers = steers;
    s->reads_time_of = reads_time_of;
    return true;
}
