/* Why not: the goal, and the rules that could have made it. */
#include <string.h>

#include "base/buf.h"
#include "base/near.h"
#include "mangle/proof/why_not.h"

/* ---- which rules ----------------------------------------------------------------------------- */

/* Could the head come out as the pattern? A function may give anything. */
static bool head_matches(const struct why_goal *g, const struct clause *c)
{
    const struct atom *head = &c->head;
    for (uint32_t i = 0; i < head->count; i++) {
        const struct term *t = &head->args[i];
        if (g->pattern[i] == MANGLE_NONE || t->kind == TERM_APPLY)
            continue;
        if (t->kind == TERM_CONST && t->value != g->pattern[i])
            return false;
        for (uint32_t j = 0; j < i && t->kind == TERM_VAR; j++)
            if (head->args[j].kind == TERM_VAR && head->args[j].var == t->var &&
                g->pattern[j] != MANGLE_NONE && g->pattern[j] != g->pattern[i])
                return false;
    }
    return true;
}

static enum mangle_status try_rules(struct why_goal *g, struct mangle_why_not *out)
{
    const struct plan *plan = g->o->base->program->plan;
    const struct pred_plan *pred = &plan->preds[g->pred];
    struct mangle_failed_rule *rules =
        mgi_arena_calloc(g->arena, pred->rule_count + 1, sizeof *rules);
    if (!rules)
        return MANGLE_ERR_NOMEM;
    out->rules = rules;
    for (uint32_t i = 0; i < pred->rule_count; i++) {
        const struct rule *rule = &plan->rules[pred->rules[i]];
        if (!head_matches(g, rule->clause)) {
            out->other_rules++;
            continue;
        }
        enum mangle_status st = mgi_why_rule(g, rule, &rules[out->rule_count++]);
        if (st)
            return st;
    }
    return MANGLE_OK;
}

/* ---- the goal -------------------------------------------------------------------------------- */

static const char *goal_text(struct why_goal *g, const struct clause *c)
{
    struct buf text = { 0 };
    mgi_buf_str(&text, c->head.name);
    mgi_buf_putc(&text, '(');
    for (uint32_t i = 0; i < c->head.count; i++) {
        if (i)
            mgi_buf_putc(&text, ',');
        if (g->pattern[i] != MANGLE_NONE)
            mgi_value_print(&text, g->o->values, g->pattern[i], MANGLE_CANONICAL);
        else
            mgi_buf_str(&text, c->vars[c->head.args[i].var].name);
    }
    mgi_buf_putc(&text, ')');
    const char *kept = text.oom ? NULL : mgi_arena_str(g->arena, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    return kept;
}

static const char *say_unknown(struct why_goal *g, const struct clause *c)
{
    const mangle_program *p = g->o->base->program;
    struct near near = mgi_near(c->head.name);
    bool other_arity = false;
    for (size_t i = 0; i < p->pred_count; i++) {
        other_arity |= str_eq(p->preds[i].name, c->head.name);
        mgi_near_try(&near, p->preds[i].name);
    }
    if (other_arity)
        return mgi_arena_printf(g->arena, "there is no predicate %.*s with %u argument%s",
                                STR_ARG(c->head.name), c->head.count,
                                c->head.count == 1 ? "" : "s");
    return mgi_arena_printf(g->arena, "there is no predicate %.*s%s%.*s%s", STR_ARG(c->head.name),
                            near.best.len ? "; did you mean " : "", STR_ARG(near.best),
                            near.best.len ? "?" : "");
}

static const char *say_known(struct why_goal *g, const struct mangle_why_not *w)
{
    const struct pred *pred = &g->o->base->program->preds[g->pred];
    bool facts = mgi_rel_end(&g->o->rels[g->pred]) > 0;
    if (w->rule_count && pred->deferred)
        return mgi_arena_printf(g->arena, "%.*s answers calls and has no facts of its own",
                                STR_ARG(pred->name));
    if (w->rule_count)
        return "no rule derives it";
    if (w->other_rules)
        return mgi_arena_printf(g->arena, "no rule of %.*s has such a head", STR_ARG(pred->name));
    if (pred->external)
        return mgi_arena_printf(g->arena, "%.*s is answered by the host, and no such answer came",
                                STR_ARG(pred->name));
    if (facts)
        return mgi_arena_printf(g->arena, "%.*s has no rules, and no such fact is given",
                                STR_ARG(pred->name));
    return mgi_arena_printf(g->arena, "%.*s has no rules and no facts", STR_ARG(pred->name));
}

static enum mangle_status explain_goal(struct why_goal *g, const struct clause *c,
                                       struct mangle_why_not *out)
{
    enum mangle_status st = MANGLE_OK;
    if (g->pred != MANGLE_NO_PRED) {
        st = try_rules(g, out);
        if (!st)
            st = mgi_near_facts(g->o, g->pred, g->pattern, &out->near, &out->near_count);
    }
    if (st)
        return st;
    out->why = g->pred == MANGLE_NO_PRED ? say_unknown(g, c) : say_known(g, out);
    return out->why ? MANGLE_OK : MANGLE_ERR_NOMEM;
}

enum mangle_status mangle_overlay_why_not_match(mangle_overlay *o, mangle_pred pred,
                                                const mangle_value *pattern,
                                                const struct mangle_why_not **out)
{
    *out = NULL;
    if (!o->evaluated || o->failed)
        return MANGLE_ERR_INPUT;
    enum mangle_status st = mgi_overlay_complete(o, MANGLE_NO_PRED);
    if (st)
        return st;
    struct why_goal g = { .o = o, .arena = &o->arena, .pred = pred, .pattern = pattern };
    struct mangle_why_not *w = mgi_arena_calloc(&o->arena, 1, sizeof *w);
    if (!w)
        return MANGLE_ERR_NOMEM;
    w->pred = pred;
    st = try_rules(&g, w);
    w->why = st ? NULL : say_known(&g, w);
    if (!st && !w->why)
        st = MANGLE_ERR_NOMEM;
    if (!st)
        *out = w;
    return st;
}

enum mangle_status mangle_overlay_why_not(mangle_overlay *o, const char *goal, size_t len,
                                          const struct mangle_why_not **out, mangle_diags *diags)
{
    struct clause c;
    mangle_value *pattern;
    *out = NULL;
    if (!o->evaluated || o->failed)
        return MANGLE_ERR_INPUT;
    enum mangle_status st = mgi_overlay_complete(o, MANGLE_NO_PRED);
    if (!st)
        st = mgi_query_atom(o, (struct str){ goal, len }, &c, &pattern, diags);
    if (st)
        return st;
    struct why_goal g = { .o = o, .arena = &o->arena, .pred = c.head.pred, .pattern = pattern };
    struct mangle_why_not *w = mgi_arena_calloc(&o->arena, 1, sizeof *w);
    if (!w)
        return MANGLE_ERR_NOMEM;
    w->pred = g.pred;
    w->goal = goal_text(&g, &c);
    st = w->goal ? mangle_overlay_query(o, goal, len, &w->answers, &w->answer_count, NULL)
                 : MANGLE_ERR_NOMEM;
    if (!st && !w->answer_count)
        st = explain_goal(&g, &c, w);
    if (!st)
        *out = w;
    return st;
}
