/* Rules of a family, run as one (plan/plan_family.c): each solution goes to the members whose
 * constants it has. */
#include "mangle/run/rule_costs.h"

/* The arguments of the shared code's end are its parameters, then the variables of a member's head.
 */
static enum mangle_status derive_for(struct eval *x, const struct family *f, const struct member *m,
                                     const struct op *op)
{
    const struct atom *head = &m->rule->clause->head;
    for (uint32_t i = 0; i < head->count; i++)
        x->words[i] =
            f->head_args[i] == NO_REG ? head->args[i].value : x->regs[op->args[f->head_args[i]]];
    mgi_eval_fired(x, m->rule, 1);
    x->rule = m->rule;
    enum mangle_status st =
        mgi_eval_derive_hashed(x, m->rule, x->words, mgi_words_hash(x->words, head->count));
    x->rule = &f->shared;
    return st;
}

static inline __attribute__((always_inline)) enum mangle_status hand_out_to(struct eval *x,
                                                                            const struct code *code,
                                                                            const struct op *op,
                                                                            bool profiled)
{
    const struct family *f = code->rule->family;
    const struct member *m = mgi_family_find(f, x->regs, op->args);
    enum mangle_status st = MANGLE_OK;
    for (; m && !st; m = m->next ? &f->members[m->next - 1] : NULL) {
        int64_t before = x->derived;
        if (!mgi_eval_is_wanted(x, m->rule->head))
            continue;
        st = derive_for(x, f, m, op);
        if (profiled)
            mgi_costs_derived(x, m->rule, before);
    }
    return st;
}

static enum mangle_status hand_out(struct eval *x, const struct code *code, const struct op *op)
{
    return hand_out_to(x, code, op, false);
}

static enum mangle_status hand_out_profiled(struct eval *x, const struct code *code,
                                            const struct op *op)
{
    return hand_out_to(x, code, op, true);
}

enum mangle_status mgi_eval_family(struct eval *x, const struct family *f,
                                   enum mangle_status (*run)(struct eval *x,
                                                             const struct rule *shared))
{
    if (x->families_ran[f->number])
        return MANGLE_OK;
    x->families_ran[f->number] = true;
    x->sink = x->profile ? hand_out_profiled : hand_out;
    enum mangle_status st = run(x, &f->shared);
    x->sink = NULL;
    return st;
}
