/* Who pays is changed where a code begins and ends, so a clock is read twice a code. Rows are told
 * by the steps that an operation takes; heads by x->fired, which is kept anyway. */
#include "mangle/run/rule_costs.h"

#include <string.h>

#include "base/alloc.h"

#define NOBODY SIZE_MAX

struct variant { /* one code of a rule that was run */
    const struct code *code;
    char *order;
    int64_t ns, runs, tried;
};

struct rule_profile {
    int64_t rounds, last_round;
    int64_t heads, rows, derived;
    bool deferred;
    size_t shared_with;
    struct variant *variants;
    size_t variant_cap;
    uint32_t variant_count;
    size_t premise_at; /* in profile.premises */
    uint32_t premise_count;
};

struct mangle_profile {
    mangle_program *program;
    struct rule_profile *rules;
    size_t rule_count;
    struct mangle_premise_cost *premises;
    size_t premise_count;
    struct spot paying;
    int64_t since_ns, since_derived;
};

/* ---- life ------------------------------------------------------------------------------------ */

static bool init(mangle_profile *profile)
{
    const mangle_program *p = profile->program;
    profile->rule_count = mangle_program_rule_count(p);
    profile->rules = mgi_calloc(profile->rule_count + 1, sizeof *profile->rules);
    for (size_t r = 0; profile->rules && r < profile->rule_count; r++) {
        struct rule_profile *rule = &profile->rules[r];
        rule->premise_at = profile->premise_count;
        rule->premise_count = p->rules[r]->premise_count + 1;
        rule->shared_with = r;
        profile->premise_count += rule->premise_count;
    }
    profile->premises = mgi_calloc(profile->premise_count + 1, sizeof *profile->premises);
    profile->paying.rule = NOBODY;
    return profile->rules && profile->premises;
}

enum mangle_status mangle_profile_new(mangle_program *program, mangle_profile **out)
{
    *out = NULL;
    mangle_profile *profile = mgi_calloc(1, sizeof *profile);
    if (!profile)
        return MANGLE_ERR_NOMEM;
    profile->program = mangle_program_ref(program);
    if (!init(profile)) {
        mangle_profile_free(profile);
        return MANGLE_ERR_NOMEM;
    }
    *out = profile;
    return MANGLE_OK;
}

void mangle_profile_free(mangle_profile *profile)
{
    if (!profile)
        return;
    for (size_t r = 0; profile->rules && r < profile->rule_count; r++) {
        for (uint32_t v = 0; v < profile->rules[r].variant_count; v++)
            mgi_free(profile->rules[r].variants[v].order);
        mgi_free(profile->rules[r].variants);
    }
    mgi_free(profile->rules);
    mgi_free(profile->premises);
    mangle_program_unref(profile->program);
    mgi_free(profile);
}

void mangle_profile_reset(mangle_profile *profile)
{
    memset(profile->premises, 0, profile->premise_count * sizeof *profile->premises);
    for (size_t r = 0; r < profile->rule_count; r++) {
        struct rule_profile *rule = &profile->rules[r];
        rule->rounds = rule->heads = rule->rows = rule->derived = 0;
        rule->shared_with = r;
        for (uint32_t v = 0; v < rule->variant_count; v++) {
            struct variant *variant = &rule->variants[v];
            variant->ns = variant->runs = variant->tried = 0;
        }
    }
}

/* ---- who pays -------------------------------------------------------------------------------- */

static size_t shown(const struct eval *x, const struct rule *rule)
{
    return mgi_rule_shown(x->program, rule->shown);
}

/* Of a rule that the sources do not have, heads are nobody's. */
static bool is_of_source(const struct eval *x, const struct rule *rule)
{
    return !rule->asks_for && shown(x, rule) == rule->number;
}

/* What happened until now goes to whoever paid. */
static void settle(struct eval *x)
{
    mangle_profile *profile = x->profile;
    const struct mangle_limits *limits = &x->limits;
    int64_t now = limits->clock ? limits->clock(limits->clock_context) : 0;
    if (profile->paying.rule != NOBODY) {
        struct rule_profile *rule = &profile->rules[profile->paying.rule];
        struct variant *variant = &rule->variants[profile->paying.variant];
        variant->ns += now - profile->since_ns;
        if (is_of_source(x, variant->code->rule))
            rule->derived += x->derived - profile->since_derived;
    }
    profile->since_ns = now;
    profile->since_derived = x->derived;
}

static struct variant *add_variant(struct eval *x, struct rule_profile *rule,
                                   const struct code *code)
{
    struct buf order = { 0 };
    if (!mgi_grow(&rule->variants, &rule->variant_cap, (size_t)rule->variant_count + 1,
                  sizeof *rule->variants))
        return NULL;
    mgi_code_order(&order, x->program, x->plan, code);
    char *text = mgi_buf_take(&order, NULL);
    if (!text)
        return NULL;
    struct variant *variant = &rule->variants[rule->variant_count++];
    *variant = (struct variant){ .code = code, .order = text };
    return variant;
}

static struct variant *variant_of(struct eval *x, struct rule_profile *rule,
                                  const struct code *code)
{
    for (uint32_t v = 0; v < rule->variant_count; v++)
        if (rule->variants[v].code == code)
            return &rule->variants[v];
    return add_variant(x, rule, code);
}

bool mgi_costs_enter(struct eval *x, const struct code *code, bool runs, struct spot *outer)
{
    mangle_profile *profile = x->profile;
    size_t number = shown(x, code->rule);
    struct rule_profile *rule = &profile->rules[number];
    struct variant *variant = variant_of(x, rule, code);
    if (!variant)
        return false;
    settle(x);
    variant->runs += runs;
    if (rule->last_round != x->rounds + 1) {
        rule->last_round = x->rounds + 1;
        rule->rounds++;
    }
    *outer = profile->paying;
    profile->paying = (struct spot){ number, (uint32_t)(variant - rule->variants) };
    return true;
}

void mgi_costs_leave(struct eval *x, struct spot outer)
{
    settle(x);
    x->profile->paying = outer;
}

void mgi_costs_begin(struct eval *x)
{
    mangle_profile *profile = x->profile = x->limits.profile;
    if (!profile)
        return;
    profile->paying = (struct spot){ NOBODY, 0 };
    for (size_t r = 0; r < profile->rule_count; r++) {
        profile->rules[r].last_round = 0;
        profile->rules[r].rows = 0;
    }
}

void mgi_costs_end(struct eval *x)
{
    mangle_profile *profile = x->profile;
    x->profile = NULL;
    for (size_t r = 0; profile && r < profile->rule_count; r++) {
        const struct rule *rule = &x->plan->rules[r];
        profile->rules[r].deferred = rule->deferred;
        profile->rules[r].heads += x->fired[r] - profile->rules[r].rows;
        if (rule->family && x->families_ran[rule->family->number])
            profile->rules[r].shared_with = shown(x, &rule->family->shared);
    }
}

/* ---- what was done --------------------------------------------------------------------------- */

static void add_rows(struct eval *x, const struct rule *rule, uint32_t premise, int64_t tried,
                     int64_t found)
{
    struct rule_profile *paying = &x->profile->rules[x->profile->paying.rule];
    uint32_t last = paying->premise_count - 1;
    if (rule->asks_for || premise > last)
        premise = last;
    x->profile->premises[paying->premise_at + premise].tried += tried;
    x->profile->premises[paying->premise_at + premise].found += found;
    paying->variants[x->profile->paying.variant].tried += tried;
}

void mgi_costs_op(struct eval *x, const struct code *code, uint32_t pc, bool resumed, bool found,
                  int64_t before)
{
    const struct op *op = &code->ops[pc];
    if ((op->kind != OP_SCAN && op->kind != OP_ABSENT) || x->profile->paying.rule == NOBODY)
        return;
    int64_t tried = mgi_eval_work(x) - before;
    if (op->look->whole)
        tried += !resumed;
    add_rows(x, code->rule, op->premise, tried, op->fuse && !x->sink ? tried : found);
}

void mgi_costs_rows(struct eval *x, const struct rule *rule, uint32_t stored)
{
    if (stored)
        add_rows(x, rule, rule->full->ops[0].premise, stored, stored);
    if (is_of_source(x, rule))
        x->profile->rules[rule->number].rows = x->fired[rule->number];
}

void mgi_costs_derived(struct eval *x, const struct rule *rule, int64_t before)
{
    if (is_of_source(x, rule))
        x->profile->rules[rule->number].derived += x->derived - before;
    x->profile->since_derived += x->derived - before;
}

/* ---- for whoever asked ----------------------------------------------------------------------- */

const mangle_program *mangle_profile_program(const mangle_profile *profile)
{
    return profile->program;
}

struct mangle_rule_cost mangle_profile_rule(const mangle_profile *profile, size_t number)
{
    const struct rule_profile *rule = &profile->rules[number];
    struct mangle_rule_cost cost = { .rounds = rule->rounds,
                                     .heads = rule->heads,
                                     .shared_with = rule->shared_with,
                                     .plan_count = rule->variant_count,
                                     .premise_count = rule->premise_count };
    for (uint32_t v = 0; v < rule->variant_count; v++) {
        cost.ns += rule->variants[v].ns;
        cost.runs += rule->variants[v].runs;
        cost.tried += rule->variants[v].tried;
    }
    if (!rule->deferred) {
        cost.derived = rule->derived;
        cost.duplicates = rule->heads - rule->derived;
    }
    return cost;
}

struct mangle_plan_cost mangle_profile_plan(const mangle_profile *profile, size_t rule, size_t plan)
{
    const struct variant *v = &profile->rules[rule].variants[plan];
    return (struct mangle_plan_cost){ v->order, v->ns, v->runs, v->tried };
}

struct mangle_premise_cost mangle_profile_premise(const mangle_profile *profile, size_t rule,
                                                  size_t premise)
{
    return profile->premises[profile->rules[rule].premise_at + premise];
}

char *mangle_profile_premise_text(const mangle_profile *profile, size_t rule, size_t premise)
{
    const struct clause *c = profile->program->rules[rule];
    struct buf text = { 0 };
    if (premise < c->premise_count)
        mgi_premise_print(&text, profile->program, c, &c->premises[premise]);
    else
        mgi_buf_puts(&text, "what is asked for");
    return mgi_buf_take(&text, NULL);
}
