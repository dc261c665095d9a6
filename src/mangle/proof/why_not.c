/* Why a fact does not hold: each rule that could have made it, and the premise that stopped it.
 *
 * A rule is run from the goal with a code of its own (CODE_WHY: premises in their order, nothing
 * reordered), watched by stuck(): whenever an operation has no solution where it is reached, that
 * is one way in which the rule fails. The one that came furthest is kept, of several the one with
 * the smallest values. Everything made here lives in the overlay's arena. */
#include "mangle/proof/why_not.h"

#include <string.h>

#include "base/alloc.h"
#include "base/time.h"

#define MAX_CHECKS 4096 /* of STEPS_PER_CHECK steps each, per rule: some 50 ms */
#define MAX_FACTS  10   /* listed with a failure */

struct attempt { /* one rule */
    struct why_goal *goal;
    const struct rule *rule;
    const struct code *code;
    bool any;
    bool whole;     /* every premise holds */
    uint32_t pc;    /* of the best: how far it came */
    uint32_t *regs; /* its registers */
    bool *known;    /* per variable: has a value there */
    enum mangle_status error;
    int64_t ticks;
};

static const struct clause *clause_of(const struct attempt *a)
{
    return a->rule->clause;
}

/* ---- how far a rule gets --------------------------------------------------------------------- */

static void mark_known(const struct attempt *a, uint32_t reg)
{
    if (reg != NO_REG && reg < clause_of(a)->var_count)
        a->known[reg] = true;
}

/* Which variables have a value when operation `pc` begins its premise; others hold what was tried
 * before. */
static void list_known(const struct attempt *a, uint32_t pc)
{
    const struct code *code = a->code;
    bool whole = pc + 1 == code->op_count;
    memset(a->known, 0, clause_of(a)->var_count * sizeof *a->known);
    for (uint32_t i = 0; i < code->given_count; i++)
        mark_known(a, code->given[i].reg);
    for (uint32_t i = 0; i < code->op_count; i++) {
        const struct op *op = &code->ops[i];
        if (!whole && op->premise == code->ops[pc].premise)
            return;
        for (uint32_t b = 0; op->kind == OP_SCAN && b < op->look->bind_count; b++)
            mark_known(a, op->look->binds[b].reg);
        for (int b = 0; op->kind == OP_BUILTIN && !op->negated && b < BUILTIN_MAX_PRED_ARGS; b++)
            mark_known(a, op->outs[b]);
        if (op->kind == OP_SPAN) {
            mark_known(a, op->spans->start_reg);
            mark_known(a, op->spans->end_reg);
        }
        if (op->kind == OP_CALL)
            mark_known(a, op->a);
        if (op->kind == OP_COPY)
            mark_known(a, op->b);
    }
}

/* As far as the best: are its values smaller? */
static bool is_smaller(const struct eval *x, const struct attempt *a)
{
    for (uint32_t v = 0; v < clause_of(a)->var_count; v++) {
        if (!a->known[v] || x->regs[v] == a->regs[v])
            continue;
        if (x->regs[v] == MANGLE_NONE || a->regs[v] == MANGLE_NONE)
            return x->regs[v] == MANGLE_NONE;
        return mangle_compare(x->values, x->regs[v], a->regs[v]) < 0;
    }
    return false;
}

static void take_failure(struct eval *x, struct attempt *a, uint32_t pc)
{
    if (a->any && (pc < a->pc || (pc == a->pc && !is_smaller(x, a))))
        return;
    if (!a->any || pc != a->pc)
        list_known(a, pc);
    a->any = true;
    a->pc = pc;
    memcpy(a->regs, x->regs, a->code->reg_count * sizeof *a->regs);
}

static void stuck(struct eval *x, const struct code *code, uint32_t pc, enum mangle_status st)
{
    struct attempt *a = x->sink_context;
    (void)code;
    if (st && st != MANGLE_ERR_EVAL) /* no failure of the rule */
        return;
    if (st) { /* an evaluation error ends it, however far others came */
        a->any = false;
        a->error = st;
    }
    take_failure(x, a, pc);
}

/* Every premise holds: the head is another one, or a group's. */
static enum mangle_status hold(struct eval *x, const struct code *code, const struct op *op)
{
    struct attempt *a = x->sink_context;
    take_failure(x, a, (uint32_t)(code->op_count - 1));
    a->whole = true;
    return op->kind == OP_ROW ? MANGLE_ERR_INPUT : MANGLE_OK; /* one row says it */
}

/* A clock that counts looks at itself: so the end of a long search is the same every time. */
static int64_t count_check(void *context)
{
    int64_t *ticks = context;
    return (*ticks)++;
}

/* The code may need more room than evaluation does. */
static bool room_for(struct eval *x, const struct code *code)
{
    uint32_t words = x->plan->words_max;
    for (size_t i = 0; i < code->op_count; i++)
        if (code->ops[i].arg_count > words)
            words = code->ops[i].arg_count;
    mgi_free(x->regs);
    mgi_free(x->words);
    mgi_free(x->key);
    mgi_free(x->frames);
    x->regs = mgi_calloc((size_t)code->reg_count + 1, sizeof *x->regs);
    x->words = mgi_calloc((size_t)words + 1, sizeof *x->words);
    x->key = mgi_calloc((size_t)words + 1, sizeof *x->key);
    x->frames = mgi_calloc(code->op_count + 1, sizeof *x->frames);
    return x->regs && x->words && x->key && x->frames;
}

static enum mangle_status try_rule(struct attempt *a, struct mangle_error *err, bool *incomplete)
{
    mangle_overlay *o = a->goal->o;
    struct eval x;
    struct mangle_limits limits = { .max_facts = -1,
                                    .max_intervals = -1,
                                    .max_bytes = -1,
                                    .timeout_ns = MAX_CHECKS,
                                    .clock = count_check,
                                    .clock_context = &a->ticks };
    bool ready = mgi_eval_init(&x, o->base->program, o->base->plan, o->rels, o->values, true);
    enum mangle_status st = ready && room_for(&x, a->code) ? MANGLE_OK : MANGLE_ERR_NOMEM;
    if (!st) {
        mgi_eval_begin(&x, o->eval.now_ns, &limits, err);
        x.sink = hold;
        x.sink_context = a;
        for (uint32_t i = 0; i < a->code->given_count; i++)
            x.regs[a->code->given[i].reg] = a->goal->pattern[a->code->given[i].column];
        st = mgi_eval_watched(&x, a->code, stuck);
    }
    mgi_eval_fini(&x);
    *incomplete = st == MANGLE_ERR_LIMIT;
    return st == MANGLE_ERR_NOMEM ? st : MANGLE_OK;
}

/* ---- facts that say something ---------------------------------------------------------------- */

static enum mangle_status list_facts(struct attempt *a, mangle_pred pred,
                                     const mangle_value *pattern, struct mangle_failed_rule *out)
{
    enum mangle_status st =
        mangle_overlay_match(a->goal->o, pred, pattern, &out->facts, &out->fact_count);
    if (out->fact_count > MAX_FACTS) {
        out->more_facts = out->fact_count - MAX_FACTS;
        out->fact_count = MAX_FACTS;
    }
    return st;
}

/* What the atom of the failed operation looked for. */
static mangle_value *looked_for(const struct attempt *a, const struct look *look)
{
    const mangle_program *p = a->goal->o->base->program;
    mangle_value *pattern =
        mgi_arena_calloc(a->goal->arena, p->preds[look->pred].arity + 1, sizeof *pattern);
    const struct search *s =
        look->index == NO_INDEX ? NULL : &p->plan->preds[look->pred].searches[look->index];
    for (uint32_t i = 0; pattern && i < look->key_count; i++)
        pattern[look->whole ? i : s->columns[i]] = a->regs[look->key[i]];
    for (uint32_t i = 0; pattern && i < look->test_count; i++)
        pattern[look->tests[i].column] = a->regs[look->tests[i].reg];
    return pattern;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* The buffer's text in the arena; NULL: memory. */
static const char *keep(struct why_goal *g, struct buf *text)
{
    const char *kept = text->oom ? NULL : mgi_arena_str(g->arena, mgi_buf_view(text)).ptr;
    mgi_buf_fini(text);
    return kept;
}

static void put_value(struct why_goal *g, struct buf *out, mangle_value v)
{
    mgi_value_print(out, g->o->values, v, MANGLE_CANONICAL);
}

/* The clause with the values of its variables for their names. */
static bool name_by_values(const struct attempt *a, struct clause *out)
{
    const struct clause *c = clause_of(a);
    struct var *vars = mgi_arena_calloc(a->goal->arena, c->var_count + 1, sizeof *vars);
    for (uint32_t v = 0; vars && v < c->var_count; v++) {
        vars[v] = c->vars[v];
        if (!a->known[v] || a->regs[v] == MANGLE_NONE)
            continue;
        struct buf text = { 0 };
        put_value(a->goal, &text, a->regs[v]);
        const char *kept = keep(a->goal, &text);
        if (!kept)
            return false;
        vars[v].name = str_of(kept);
    }
    *out = *c;
    out->vars = vars;
    return vars != NULL;
}

static const char *premise_text(const struct attempt *a, const struct clause *c, uint32_t premise)
{
    struct buf text = { 0 };
    mgi_premise_print(&text, a->goal->o->base->program, c, &c->premises[premise]);
    return keep(a->goal, &text);
}

static void say_no_fact(const struct attempt *a, const struct look *look, struct buf *out)
{
    const mangle_program *p = a->goal->o->base->program;
    const struct rel *rel = &a->goal->o->rels[look->pred];
    bool derived = p->plan->preds[look->pred].rule_count > 0;
    if (p->preds[look->pred].external)
        mgi_buf_puts(out, "no such fact is given or answered by the host");
    else if (mgi_rel_end(rel) > 0)
        mgi_buf_puts(out, derived ? "no such fact is given or derived" : "no such fact is given");
    else if (derived)
        mgi_buf_printf(out, "no fact of %.*s is derived", STR_ARG(p->preds[look->pred].name));
    else
        mgi_buf_printf(out, "there is no fact of %.*s, and no rule",
                       STR_ARG(p->preds[look->pred].name));
}

static void say_interval(const struct attempt *a, const struct op *op, struct buf *out)
{
    static const char *const texts[] = { "contains", "meets", "covers", "meets", "covers" };
    const struct spans *s = op->spans;
    mgi_buf_printf(out, "there is such a fact, but no interval of it %s ", texts[s->window]);
    if (s->window != WINDOW_NONE)
        mgi_buf_puts(out, "the window, ");
    else if (s->annotated)
        mgi_buf_puts(out, "these bounds, ");
    mgi_buf_puts(out, "as of ");
    mgi_time_print(out, a->goal->o->eval.now_ns);
}

static void say_built_in(const struct attempt *a, const struct op *op, struct buf *out)
{
    if (op->builtin->infix) {
        put_value(a->goal, out, a->regs[op->args[0]]);
        mgi_buf_printf(out, " %s ", op->builtin->infix);
        put_value(a->goal, out, a->regs[op->args[1]]);
        mgi_buf_puts(out, op->negated ? " is true" : " is false");
        return;
    }
    mgi_buf_printf(out,
                   op->negated ? "%s holds of these values" : "%s does not hold of these values",
                   op->builtin->name);
}

static void say_pair(const struct attempt *a, const struct op *op, struct buf *out)
{
    if (op->kind == OP_NE) {
        mgi_buf_puts(out, "both sides are ");
        put_value(a->goal, out, a->regs[op->a]);
        return;
    }
    put_value(a->goal, out, a->regs[op->b]);
    mgi_buf_puts(out, " is not equal to ");
    put_value(a->goal, out, a->regs[op->a]);
}

/* ---- one rule -------------------------------------------------------------------------------- */

static enum mangle_status failed_premise(struct attempt *a, struct buf *why,
                                         struct mangle_failed_rule *out)
{
    const struct op *op = &a->code->ops[a->pc];
    const struct look *look = op->kind == OP_SPAN ? a->code->ops[op->spans->scan].look : op->look;
    const mangle_value *pattern = look ? looked_for(a, look) : NULL;
    if (look && !pattern)
        return MANGLE_ERR_NOMEM;
    out->kind = MANGLE_FAILED_TEST;
    switch (op->kind) {
    case OP_SCAN:
        out->kind = MANGLE_FAILED_NO_FACT;
        say_no_fact(a, look, why);
        return mgi_near_facts(a->goal->o, look->pred, pattern, &out->facts, &out->fact_count);
    case OP_SPAN:
        out->kind = MANGLE_FAILED_INTERVAL;
        say_interval(a, op, why);
        return list_facts(a, look->pred, pattern, out);
    case OP_ABSENT:
        out->kind = MANGLE_FAILED_PRESENT;
        mgi_buf_puts(why, "it must not be there, and it is");
        return list_facts(a, look->pred, pattern, out);
    case OP_DEFERRED:
        out->kind = op->negated ? MANGLE_FAILED_PRESENT : MANGLE_FAILED_NO_FACT;
        mgi_buf_puts(why, op->negated ? "the call must have no answer, and it has"
                                      : "the call has no such answer");
        return MANGLE_OK;
    case OP_BUILTIN:
        say_built_in(a, op, why);
        return MANGLE_OK;
    case OP_EQ:
    case OP_NE:
        say_pair(a, op, why);
        return MANGLE_OK;
    default:
        mgi_buf_puts(why, "it never holds");
        return MANGLE_OK;
    }
}

/* What a group's head may have besides its keys is the aggregate's business. */
static mangle_value *group_pattern(const struct attempt *a)
{
    const struct atom *head = &clause_of(a)->head;
    mangle_value *pattern = mgi_arena_calloc(a->goal->arena, head->count + 1, sizeof *pattern);
    for (uint32_t i = 0; pattern && i < head->count; i++)
        for (uint32_t k = 0; k < a->rule->key_count; k++)
            if (head->args[i].kind == TERM_VAR && head->args[i].var == a->rule->key_regs[k])
                pattern[i] = a->goal->pattern[i];
    return pattern;
}

/* Does the rule make the very fact? It need not stay: calls keep nothing, merging replaces. */
static bool makes_goal(const struct attempt *a, const struct op *end)
{
    bool same = true;
    for (uint32_t i = 0; same && i < end->arg_count; i++)
        same = a->goal->pattern[i] == MANGLE_NONE || a->goal->pattern[i] == a->regs[end->args[i]];
    return same;
}

static enum mangle_status failed_whole(struct attempt *a, struct buf *why,
                                       struct mangle_failed_rule *out)
{
    const struct op *end = &a->code->ops[a->code->op_count - 1];
    if (a->rule->is_do) {
        const mangle_value *pattern = group_pattern(a);
        out->kind = MANGLE_FAILED_GROUP;
        mgi_buf_puts(why, "every premise holds, and the aggregate comes out different");
        return pattern ? list_facts(a, a->rule->head, pattern, out) : MANGLE_ERR_NOMEM;
    }
    out->kind = MANGLE_FAILED_HEAD;
    if (makes_goal(a, end)) {
        mgi_buf_puts(why,
                     a->rule->deferred
                         ? "every premise holds: a call is answered so, but answers are not kept"
                         : "it was derived, and merging it with others made it another fact");
        return MANGLE_OK;
    }
    mgi_buf_puts(why, "every premise holds, and the head comes out different");
    struct mangle_fact *fact = mgi_arena_calloc(a->goal->arena, 1, sizeof *fact);
    mangle_value *args = mgi_arena_calloc(a->goal->arena, end->arg_count + 1, sizeof *args);
    if (!fact || !args)
        return MANGLE_ERR_NOMEM;
    for (uint32_t i = 0; i < end->arg_count; i++)
        args[i] = a->regs[end->args[i]];
    *fact = (struct mangle_fact){ mgi_pred_shown(a->goal->o->base->program, a->rule->head),
                                  end->arg_count, args, false, MANGLE_ALWAYS };
    out->facts = fact;
    out->fact_count = 1;
    return MANGLE_OK;
}

static bool groups_by(const struct rule *rule, uint32_t var)
{
    for (uint32_t k = 0; k < rule->key_count; k++)
        if (rule->key_regs[k] == var)
            return true;
    return false;
}

static bool list_bindings(const struct attempt *a, struct mangle_failed_rule *out)
{
    const struct clause *c = clause_of(a);
    struct mangle_binding *list = mgi_arena_calloc(a->goal->arena, c->var_count + 1, sizeof *list);
    size_t n = 0;
    for (uint32_t v = 0; list && v < c->var_count; v++) {
        if (!a->known[v] || c->vars[v].wildcard || a->regs[v] == MANGLE_NONE)
            continue;
        if (a->whole && a->rule->is_do && !groups_by(a->rule, v)) /* of one row of many */
            continue;
        const char *name = mgi_arena_str(a->goal->arena, c->vars[v].name).ptr;
        if (!name)
            return false;
        size_t at = n++;
        for (; at > 0 && strcmp(list[at - 1].name, name) > 0; at--)
            list[at] = list[at - 1];
        list[at] = (struct mangle_binding){ name, a->regs[v] };
    }
    out->bindings = list;
    out->binding_count = n;
    return list != NULL;
}

/* Where premise `index` of the order of evaluation stands in the source, from 1. */
static size_t written_number(const struct clause *c, uint32_t index)
{
    uint32_t i = 0;
    while (mgi_premise_written(c, i) != &c->premises[index])
        i++;
    return (size_t)i + 1;
}

static enum mangle_status describe(struct attempt *a, const struct mangle_error *err,
                                   struct mangle_failed_rule *out)
{
    const struct clause *c = clause_of(a);
    struct buf why = { 0 };
    struct clause named;
    enum mangle_status st = MANGLE_OK;
    if (!list_bindings(a, out) || !name_by_values(a, &named))
        return MANGLE_ERR_NOMEM;
    uint32_t premise = a->code->ops[a->pc].premise;
    if (premise < c->premise_count) {
        out->premise = written_number(c, premise);
        out->premise_text = premise_text(a, c, premise);
        out->premise_with = premise_text(a, &named, premise);
        if (!out->premise_text || !out->premise_with)
            return MANGLE_ERR_NOMEM;
    }
    if (a->error) {
        out->kind = MANGLE_FAILED_ERROR;
        mgi_buf_puts(&why, err->message);
    } else {
        st = a->whole ? failed_whole(a, &why, out) : failed_premise(a, &why, out);
    }
    out->why = keep(a->goal, &why);
    if (!st && !out->why)
        return MANGLE_ERR_NOMEM;
    struct why_stuck at = { a->goal, c, a->regs, a->known, premise };
    bool helps = out->kind == MANGLE_FAILED_NO_FACT || out->kind == MANGLE_FAILED_TEST;
    return !st && helps && premise < c->premise_count ? mgi_why_wanted(&at, out) : st;
}

enum mangle_status mgi_why_rule(struct why_goal *goal, const struct rule *rule,
                                struct mangle_failed_rule *out)
{
    struct attempt a = { .goal = goal, .rule = rule };
    struct mangle_error err = { 0 };
    *out =
        (struct mangle_failed_rule){ .rule = mgi_rule_shown(goal->o->base->program, rule->number) };
    a.code = mgi_plan_why(goal->o->base->program, goal->arena, rule, goal->pattern);
    if (!a.code)
        return MANGLE_ERR_NOMEM;
    a.regs = mgi_arena_calloc(goal->arena, a.code->reg_count + 1, sizeof *a.regs);
    a.known = mgi_arena_calloc(goal->arena, rule->clause->var_count + 1, sizeof *a.known);
    if (!a.regs || !a.known)
        return MANGLE_ERR_NOMEM;
    enum mangle_status st = try_rule(&a, &err, &out->incomplete);
    if (st)
        return st;
    if (!a.any) { /* given up before anything failed */
        out->why = "the search was given up";
        return MANGLE_OK;
    }
    return describe(&a, &err, out);
}
