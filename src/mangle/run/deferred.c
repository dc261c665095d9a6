/* Calls of deferred predicates (mangle.md section 15.3): a premise is answered by running the rules
 * of its predicate with the inputs set, for this call alone.
 *
 * A call finds all its solutions before the first one is used, so that errors do not depend on who
 * asks. While it runs it has a level of its own: registers, frames, and the set of its solutions.
 * Then the solutions go to a stack of answers, where the caller's frame walks through them. A frame
 * puts its answers behind those of the deferred premise before it in the same code, which is still
 * being read, and over everything else, which is not. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/eval.h"

/* ---- levels ---------------------------------------------------------------------------------- */

static void level_free(struct level *level)
{
    if (!level)
        return;
    mgi_free(level->regs);
    mgi_free(level->args);
    mgi_free(level->frames);
    mgi_free(level->rows);
    mgi_free(level->known.slots);
    mgi_free(level);
}

void mgi_levels_fini(struct eval *x)
{
    for (uint32_t i = 0; i < x->level_count; i++)
        level_free(x->levels[i]);
    mgi_free(x->levels);
    mgi_free(x->answers);
}

static struct level *level_new(struct eval *x)
{
    const struct plan *plan = x->plan;
    struct level *level = mgi_calloc(1, sizeof *level);
    if (!level)
        return NULL;
    level->regs = mgi_calloc((size_t)plan->call_reg_max + 1, sizeof *level->regs);
    level->frames = mgi_calloc((size_t)plan->call_op_max + 1, sizeof *level->frames);
    level->args = mgi_calloc((size_t)plan->words_max + 1, sizeof *level->args);
    level->known.stride = 1;
    if (!level->regs || !level->frames || !level->args) {
        level_free(level);
        return NULL;
    }
    x->bytes += plan->call_reg_max * sizeof(uint32_t) + plan->call_op_max * sizeof(struct frame) +
                plan->words_max * sizeof(uint32_t);
    return level;
}

static struct level *level_at(struct eval *x, uint32_t depth)
{
    if (depth < x->level_count)
        return x->levels[depth];
    if (!mgi_grow(&x->levels, &x->level_cap, (size_t)depth + 1, sizeof(struct level *)))
        return NULL;
    struct level *level = level_new(x);
    if (level)
        x->levels[x->level_count++] = level;
    return level;
}

/* ---- solutions ------------------------------------------------------------------------------- */

static uint32_t *solution_slot(const struct level *level, const uint32_t *words)
{
    const struct table *t = &level->known;
    uint32_t mask = t->cap - 1;
    uint32_t at = (uint32_t)(mgi_words_hash(words, level->width) >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t *s = t->slots + at;
        if (*s == 0 || memcmp(level->rows + (size_t)(*s - 1) * level->width, words,
                              level->width * sizeof *words) == 0)
            return s;
    }
}

static bool solutions_grow(struct level *level)
{
    if (!mgi_table_grow(&level->known, level->count + 1))
        return false;
    for (uint32_t i = 0; i < level->count; i++)
        *solution_slot(level, level->rows + (size_t)i * level->width) = i + 1;
    level->known.used = level->count;
    return true;
}

static enum mangle_status add_solution(struct eval *x, struct level *level, const uint32_t *words)
{
    if (mgi_table_full(&level->known) && !solutions_grow(level))
        return mgi_eval_nomem(x);
    uint32_t *slot = solution_slot(level, words);
    if (*slot)
        return MANGLE_OK;
    size_t need = ((size_t)level->count + 1) * level->width, before = level->rows_cap;
    if (need >= UINT32_MAX || !mgi_grow(&level->rows, &level->rows_cap, need, sizeof(uint32_t)))
        return mgi_eval_nomem(x);
    x->bytes += (level->rows_cap - before) * 2 * sizeof(uint32_t);
    memcpy(level->rows + (size_t)level->count * level->width, words, level->width * sizeof *words);
    *slot = ++level->count;
    level->known.used++;
    return MANGLE_OK;
}

static enum mangle_status keep_solution(struct eval *x, const struct code *code,
                                        const struct op *op)
{
    struct level *level = x->sink_context;
    (void)code;
    x->firings++;
    x->words[0] = 0; /* of a predicate without arguments */
    for (uint32_t i = 0; i < op->arg_count; i++)
        x->words[i] = x->regs[op->args[i]];
    return add_solution(x, level, x->words);
}

/* Facts that were given for the predicate answer, too. */
static enum mangle_status take_given(struct eval *x, struct level *level, mangle_pred pred)
{
    const struct rel *rel = &x->rels[pred];
    const bool *input = x->program->preds[pred].input;
    enum mangle_status st = MANGLE_OK;
    for (uint32_t row = 0; row < mgi_rel_end(rel) && !st; row++) {
        const uint32_t none = 0, *words = rel->arity ? mgi_rel_row(rel, row) : &none;
        bool same = true;
        for (uint32_t i = 0, at = 0; i < rel->arity; i++)
            same &= !input[i] || words[i] == level->args[at++];
        if (same)
            st = add_solution(x, level, words);
        if (!st)
            st = mgi_eval_step(x);
    }
    return st;
}

static enum mangle_status run_rule(struct eval *x, struct level *level, const struct rule *rule)
{
    const struct code *code = rule->full;
    const bool *input = x->program->preds[rule->head].input;
    memset(x->regs, 0, code->reg_count * sizeof *x->regs);
    for (uint32_t i = 0; i < code->given_count; i++) {
        uint32_t at = 0;
        for (uint32_t column = 0; column < code->given[i].column; column++)
            at += input[column];
        x->regs[code->given[i].reg] = level->args[at];
    }
    if (rule->is_do)
        return x->machine->aggregate(x, code, keep_solution, level);
    x->sink = keep_solution;
    x->sink_context = level;
    return x->machine->code(x, code);
}

/* ---- a call ---------------------------------------------------------------------------------- */

static enum mangle_status too_deep(struct eval *x, mangle_pred pred)
{
    char text[200];
    struct str name = x->program->preds[pred].name;
    snprintf(text, sizeof text, "calls of deferred predicates nest deeper than %u: %.*s",
             x->max_depth, name.len > 100 ? 100 : (int)name.len, name.ptr);
    if (x->err) {
        x->err->limit.kind = MANGLE_LIMIT_DEPTH;
        x->err->limit.limit = x->err->limit.consumed = x->max_depth;
    }
    return mgi_eval_fail(x, text);
}

struct saved { /* what a call changes and its caller goes on with */
    uint32_t *regs;
    struct frame *frames;
    const struct rule *rule;
    eval_sink *sink;
    void *sink_context;
    uint32_t depth, iteration;
};

static struct saved save(const struct eval *x)
{
    return (struct saved){ x->regs,         x->frames, x->rule,     x->sink,
                           x->sink_context, x->depth,  x->iteration };
}

static void restore(struct eval *x, const struct saved *s)
{
    x->regs = s->regs;
    x->frames = s->frames;
    x->rule = s->rule;
    x->sink = s->sink;
    x->sink_context = s->sink_context;
    x->depth = s->depth;
    x->iteration = s->iteration;
}

/* All solutions for level->args. Registers and frames of the caller are as before. */
static enum mangle_status solve(struct eval *x, struct level *level, mangle_pred pred)
{
    const struct pred_plan *plan = &x->plan->preds[pred];
    struct saved outer = save(x);
    level->count = 0;
    level->known.cap = level->known.used = 0;
    level->width = x->program->preds[pred].arity ? x->program->preds[pred].arity : 1;
    x->regs = level->regs;
    x->frames = level->frames;
    x->depth++;
    enum mangle_status st = take_given(x, level, pred);
    for (uint32_t i = 0; i < plan->rule_count && !st; i++)
        st = run_rule(x, level, &x->plan->rules[plan->rules[i]]);
    restore(x, &outer);
    return st;
}

static enum mangle_status call(struct eval *x, const struct op *op, struct frame *f)
{
    if (x->depth >= x->max_depth)
        return too_deep(x, op->look->pred);
    struct level *level = level_at(x, x->depth);
    if (!level)
        return mgi_eval_nomem(x);
    for (uint32_t i = 0; i < op->arg_count; i++)
        level->args[i] = x->regs[op->args[i]];
    uint32_t floor = x->floor, base = op->before == NO_OP ? floor : x->frames[op->before].hi;
    x->floor = base;
    enum mangle_status st = solve(x, level, op->look->pred);
    x->floor = floor;
    if (st)
        return st;
    size_t words = (size_t)level->count * level->width, before = x->answers_cap;
    if (base + words >= UINT32_MAX ||
        !mgi_grow(&x->answers, &x->answers_cap, base + words + 1, sizeof *x->answers))
        return mgi_eval_nomem(x);
    x->bytes += (x->answers_cap - before) * sizeof *x->answers;
    if (words)
        memcpy(x->answers + base, level->rows, words * sizeof *x->answers);
    f->lo = f->at = base;
    f->hi = base + (uint32_t)words;
    return MANGLE_OK;
}

enum mangle_status mgi_eval_merged(struct eval *x, mangle_pred merge, mangle_value old,
                                   mangle_value new, mangle_value *merged)
{
    *merged = MANGLE_NONE;
    if (x->depth >= x->max_depth)
        return too_deep(x, merge);
    struct level *level = level_at(x, x->depth);
    if (!level)
        return mgi_eval_nomem(x);
    level->args[0] = old;
    level->args[1] = new;
    enum mangle_status st = solve(x, level, merge);
    for (uint32_t i = 0; !st && i < level->count; i++) {
        const uint32_t *row = level->rows + (size_t)i * level->width;
        if (row[0] == old && row[1] == new &&
            (*merged == MANGLE_NONE || mangle_compare(x->values, row[2], *merged) < 0))
            *merged = row[2];
    }
    return st;
}

bool mgi_eval_deferred(struct eval *x, const struct op *op, struct frame *f, bool resume,
                       enum mangle_status *st)
{
    uint32_t arity = x->program->preds[op->look->pred].arity, width = arity ? arity : 1;
    if (!resume && (*st = call(x, op, f)) != MANGLE_OK)
        return false;
    bool found = false;
    while (!found && f->at < f->hi) {
        f->at += width;
        found = mgi_eval_fits(x, op->look, x->answers + f->at - width);
    }
    return found != op->negated;
}
