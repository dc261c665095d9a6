/* What demand adds to a program (demand.h): a predicate for what is asked for of each demanded one,
 * rules that ask, and guarded bodies. The predicates have the names of those they ask for, and
 * stand behind all others, as the copies of check/trust.c do. */
#include "base/alloc.h"
#include "mangle/plan/demand.h"

#include <string.h>

/* ---- predicates ------------------------------------------------------------------------------ */

static uint32_t count_bound(const struct pred_plan *pred)
{
    return (uint32_t)__builtin_popcountll(pred->bound);
}

static mangle_pred add_asked(mangle_program *p, mangle_pred of, uint32_t arity)
{
    if (!mgi_grow(&p->preds, &p->pred_cap, p->pred_count + 1, sizeof *p->preds))
        return MANGLE_NO_PRED;
    mangle_pred asked = (mangle_pred)p->pred_count++;
    p->copied_preds++;
    p->preds[asked] = (struct pred){ .name = p->preds[of].name,
                                     .arity = arity,
                                     .derived = true,
                                     .changeable = true,
                                     .first = p->preds[of].first,
                                     .stratum = (uint32_t)p->stratum_count,
                                     .reflects = MANGLE_NONE,
                                     .vouched = MANGLE_NO_PRED,
                                     .keeper = MANGLE_NO_PRED,
                                     .claimed = MANGLE_NO_PRED,
                                     .original = mgi_pred_shown(p, of) };
    return asked;
}

static bool add_preds(struct demands *d)
{
    mangle_program *p = d->p;
    struct stratum *s = &d->plan->demand->stratum;
    size_t count = p->pred_count;
    struct pred_plan *plans = mgi_arena_calloc(&p->arena, 2 * count + 1, sizeof *plans);
    s->preds = mgi_arena_calloc(&p->arena, count + 1, sizeof *s->preds);
    if (!plans || !s->preds)
        return false;
    memcpy(plans, d->plan->preds, count * sizeof *plans);
    d->plan->preds = plans;
    for (mangle_pred i = 0; i < count; i++) {
        if (!plans[i].demanded)
            continue;
        plans[i].demand = add_asked(p, i, count_bound(&plans[i]));
        if (plans[i].demand == MANGLE_NO_PRED)
            return false;
        s->preds[s->pred_count++] = plans[i].demand;
    }
    return true;
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* ?pred, for the values that atom `a` of pred has in its bound columns. */
static bool ask_atom(struct demands *d, const struct atom *a, struct atom *out)
{
    const struct pred_plan *pred = &d->plan->preds[a->pred];
    *out = *a;
    out->pred = pred->demand;
    out->count = 0;
    out->args = mgi_arena_calloc(&d->p->arena, count_bound(pred) + 1, sizeof *out->args);
    for (uint32_t i = 0; out->args && i < a->count; i++)
        if (pred->bound >> i & 1)
            out->args[out->count++] = a->args[i];
    return out->args != NULL;
}

static struct clause *copy_clause(struct demands *d, const struct clause *c)
{
    struct clause *copy = mgi_arena_calloc(&d->p->arena, 1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *c;
    copy->premises =
        mgi_arena_calloc(&d->p->arena, (size_t)c->premise_count + 1, sizeof *copy->premises);
    copy->premise_count = 0;
    return copy->premises ? copy : NULL;
}

static bool ask_premise(struct demands *d, const struct clause *c, struct clause *to)
{
    struct premise *m = &to->premises[to->premise_count++];
    *m = (struct premise){ .kind = PREMISE_ATOM, .span = c->head.span };
    m->left.kind = m->right.kind = TERM_CONST;
    return ask_atom(d, &c->head, &m->atom);
}

static void note_seed(struct demand *demand, mangle_pred pred)
{
    for (uint32_t i = 0; i < demand->seed_count; i++)
        if (demand->seeds[i] == pred)
            return;
    demand->seeds[demand->seed_count++] = pred;
}

/* What is asked for is asked for already. */
static bool says_nothing(const struct clause *c)
{
    if (c->premise_count != 1 || c->premises[0].atom.pred != c->head.pred)
        return false;
    for (uint32_t i = 0; i < c->head.count; i++) {
        const struct term *a = &c->head.args[i], *b = &c->premises[0].atom.args[i];
        if (a->kind != TERM_VAR || b->kind != TERM_VAR || a->var != b->var)
            return false;
    }
    return true;
}

static void add_asking(struct demands *d, const struct rule *reader, const struct clause *c)
{
    struct plan *plan = d->plan;
    struct stratum *s = &plan->demand->stratum;
    uint32_t at = plan->rule_count + plan->asking_count++;
    plan->rules[at] = (struct rule){ .clause = c,
                                     .number = at,
                                     .shown = reader->number,
                                     .head = c->head.pred,
                                     .stratum = (uint32_t)d->p->stratum_count,
                                     .per_request = true,
                                     .asks_for = true };
    s->rules[s->rule_count++] = at;
    for (uint32_t i = 0; i < c->premise_count; i++)
        s->recursive |= d->p->preds[c->premises[i].atom.pred].stratum == d->p->stratum_count;
}

/* The rule that asks for what premise `read` of `rule` reads. */
static bool ask(struct demands *d, const struct rule *rule, uint32_t read)
{
    const struct clause *c = rule->clause;
    const struct atom *a = &c->premises[read].atom;
    struct sides s;
    struct clause *to = copy_clause(d, c);
    if (!to || !mgi_demand_sides(d, rule, read, &s) ||
        !mgi_demand_needed(d, rule, read, d->plan->preds[a->pred].bound, &s) ||
        !ask_atom(d, a, &to->head))
        return false;
    to->transform = NULL;
    to->annotation.present = false;
    if (s.first != NO_PREMISE) {
        note_seed(d->plan->demand, c->premises[s.first].atom.pred);
        to->premises[to->premise_count++] = c->premises[s.first];
    }
    if (s.asked && !ask_premise(d, c, to))
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (i != s.first && s.premises >> i & 1)
            to->premises[to->premise_count++] = c->premises[i];
    if (!says_nothing(to))
        add_asking(d, rule, to);
    return true;
}

static bool is_read(const struct demands *d, const struct premise *m)
{
    return m->kind == PREMISE_ATOM && d->plan->preds[m->atom.pred].demanded;
}

static bool guard(struct demands *d, struct rule *rule)
{
    struct clause *guarded = copy_clause(d, rule->clause);
    if (!guarded)
        return false;
    memcpy(guarded->premises, rule->clause->premises,
           rule->clause->premise_count * sizeof *guarded->premises);
    guarded->premise_count = rule->clause->premise_count;
    rule->guarded_clause = guarded;
    return ask_premise(d, rule->clause, guarded);
}

static bool make_room(struct demands *d)
{
    struct plan *plan = d->plan;
    size_t reads = 0;
    for (uint32_t r = 0; r < plan->rule_count; r++)
        for (uint32_t i = 0; i < plan->rules[r].clause->premise_count; i++)
            reads += is_read(d, &plan->rules[r].clause->premises[i]);
    struct arena *a = &d->p->arena;
    struct rule *rules = mgi_arena_calloc(a, plan->rule_count + reads + 1, sizeof *rules);
    struct stratum *s = &plan->demand->stratum;
    s->rules = mgi_arena_calloc(a, reads + 1, sizeof *s->rules);
    plan->demand->seeds = mgi_arena_calloc(a, reads + 1, sizeof *plan->demand->seeds);
    if (!rules || !s->rules || !plan->demand->seeds)
        return false;
    memcpy(rules, plan->rules, plan->rule_count * sizeof *rules);
    plan->rules = rules;
    return true;
}

static bool add_rules(struct demands *d)
{
    for (uint32_t r = 0; r < d->plan->rule_count; r++) {
        struct rule *rule = &d->plan->rules[r];
        for (uint32_t i = 0; i < rule->clause->premise_count; i++)
            if (is_read(d, &rule->clause->premises[i]) && !ask(d, rule, i))
                return false;
        if (d->plan->preds[rule->head].demanded && !guard(d, rule))
            return false;
    }
    return true;
}

enum mangle_status mgi_demand_rules(struct demands *d)
{
    d->plan->demand = mgi_arena_calloc(&d->p->arena, 1, sizeof *d->plan->demand);
    if (!d->plan->demand)
        return MANGLE_ERR_NOMEM;
    d->plan->demand->waits = d->waits;
    return add_preds(d) && make_room(d) && add_rules(d) ? MANGLE_OK : MANGLE_ERR_NOMEM;
}
