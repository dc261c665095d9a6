/* Families: rules that are the same but for constants. A policy has many of them (this kind of
 * error, that kind of error), and each would join the same atoms again. One code finds the
 * solutions of all: constants of positive atoms become parameters, variables that the atom binds;
 * as soon as all of them are bound, OP_AMONG goes on only if they are those of some member; the
 * solution is handed to each member with these parameters (run/eval_family.c).
 *
 * Only in overlays, where what is joined is small, and only for rules of atoms alone, without
 * intervals, all of lower strata: then what the members' own codes would find in the first round of
 * their strata may be found in that of the first of them. Where a parameter in place of a constant
 * would multiply the rows that are read, rules stay alone. */
#include <string.h>

#include "base/alloc.h"
#include "base/strmap.h"
#include "mangle/plan/plan_int.h"

#define MEMBERS_MIN 4
#define ROWS_MAX                                                                                   \
    4.0 /* a member: that an atom may be expected to find with parameters for its constants */
#define NO_SHAPE UINT32_MAX

struct grouping { /* rules by their shape */
    const mangle_program *p;
    const struct plan *plan;
    struct strmap first; /* shape -> first rule */
    struct buf shape;    /* of the rule being looked at */
    uint32_t *canon;     /* per variable: its number by first occurrence, from 1; 0: not seen yet */
    uint32_t *last;      /* per rule that is the first of its shape: the last one */
    uint32_t *next;      /* per rule: the next of the same shape, or NO_SHAPE */
    uint32_t *size;      /* per rule that is the first of its shape: how many there are */
};

/* ---- which rules have the same shape --------------------------------------------------------- */

static bool is_flat(const struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->args[i].kind == TERM_APPLY)
            return false;
    return true;
}

static bool may_join(const mangle_program *p, const struct rule *rule)
{
    const struct clause *c = rule->clause;
    if (rule->per_request || rule->is_do || rule->deferred || rule->recalls || rule->annotated ||
        c->transform || p->preds[rule->head].lattice || !is_flat(&c->head))
        return false;
    bool changes = false;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        if (m->kind != PREMISE_ATOM || !is_flat(&m->atom))
            return false;
        const struct pred *pred = &p->preds[m->atom.pred];
        if (pred->temporal || pred->deferred || pred->external || pred->lattice ||
            (pred->stratum != UINT32_MAX && pred->stratum >= rule->stratum))
            return false;
        changes |= pred->changeable;
    }
    return changes;
}

static void put_word(struct grouping *g, uint32_t word)
{
    mgi_buf_append(&g->shape, &word, sizeof word);
}

enum { SHAPE_VAR, SHAPE_WILDCARD, SHAPE_CONSTANT, SHAPE_VALUE };

static void put_args(struct grouping *g, const struct clause *c, const struct atom *a, bool values,
                     uint32_t *vars)
{
    put_word(g, a->count);
    for (uint32_t i = 0; i < a->count; i++) {
        const struct term *t = &a->args[i];
        if (t->kind == TERM_CONST) {
            put_word(g, values ? SHAPE_VALUE : SHAPE_CONSTANT);
            if (values)
                put_word(g, t->value);
        } else if (c->vars[t->var].wildcard) {
            put_word(g, SHAPE_WILDCARD);
        } else {
            if (!g->canon[t->var])
                g->canon[t->var] = ++*vars;
            put_word(g, SHAPE_VAR);
            put_word(g, g->canon[t->var]);
        }
    }
}

/* What must be the same of all members. The head's predicate need not be. */
static void put_shape(struct grouping *g, const struct clause *c)
{
    uint32_t vars = 0;
    mgi_buf_clear(&g->shape);
    memset(g->canon, 0, c->var_count * sizeof *g->canon);
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        put_word(g, m->atom.pred);
        put_word(g, m->negated);
        put_args(g, c, &m->atom, m->negated, &vars);
    }
    put_args(g, c, &c->head, false, &vars);
}

static bool group_rule(struct grouping *g, uint32_t rule)
{
    uint32_t first;
    put_shape(g, g->plan->rules[rule].clause);
    if (g->shape.oom)
        return false;
    g->next[rule] = NO_SHAPE;
    if (!mgi_strmap_get(&g->first, mgi_buf_view(&g->shape), &first)) {
        g->last[rule] = rule;
        g->size[rule] = 1;
        return mgi_strmap_put(&g->first, mgi_buf_view(&g->shape), rule);
    }
    g->next[g->last[first]] = rule;
    g->last[first] = rule;
    g->size[first]++;
    return true;
}

static bool grouping_init(struct grouping *g)
{
    uint32_t vars = 0, count = g->plan->rule_count;
    for (uint32_t r = 0; r < count; r++)
        if (g->plan->rules[r].clause->var_count > vars)
            vars = g->plan->rules[r].clause->var_count;
    mgi_strmap_init(&g->first);
    mgi_buf_init(&g->shape);
    g->canon = mgi_calloc((size_t)vars + 1, sizeof *g->canon);
    g->last = mgi_calloc((size_t)count + 1, sizeof *g->last);
    g->next = mgi_calloc((size_t)count + 1, sizeof *g->next);
    g->size = mgi_calloc((size_t)count + 1, sizeof *g->size);
    return g->canon && g->last && g->next && g->size;
}

static void grouping_fini(struct grouping *g)
{
    mgi_strmap_fini(&g->first);
    mgi_buf_fini(&g->shape);
    mgi_free(g->canon);
    mgi_free(g->last);
    mgi_free(g->next);
    mgi_free(g->size);
}

/* ---- one family -------------------------------------------------------------------------------
 */

struct making {
    const struct grouping *g;
    struct plan *plan;
    struct family *family;
    uint32_t first;  /* rule */
    bool **is_param; /* per premise and column */
};

static bool differs(const struct making *k, uint32_t premise, uint32_t column)
{
    const struct rule *rules = k->plan->rules;
    mangle_value value = rules[k->first].clause->premises[premise].atom.args[column].value;
    for (uint32_t r = k->g->next[k->first]; r != NO_SHAPE; r = k->g->next[r])
        if (rules[r].clause->premises[premise].atom.args[column].value != value)
            return true;
    return false;
}

/* False: memory. */
static bool find_params(struct making *k)
{
    const struct clause *c = k->plan->rules[k->first].clause;
    k->is_param = mgi_arena_calloc(k->plan->arena, c->premise_count, sizeof *k->is_param);
    for (uint32_t i = 0; k->is_param && i < c->premise_count; i++) {
        const struct premise *m = &c->premises[i];
        k->is_param[i] =
            mgi_arena_calloc(k->plan->arena, (size_t)m->atom.count + 1, sizeof **k->is_param);
        if (!k->is_param[i])
            return false;
        for (uint32_t a = 0; a < m->atom.count && !m->negated; a++) {
            k->is_param[i][a] = m->atom.args[a].kind == TERM_CONST && differs(k, i, a);
            k->family->param_count += k->is_param[i][a];
        }
    }
    return k->is_param != NULL;
}

/* Few enough rows where a parameter stands for a constant? */
static bool pays(const struct making *k)
{
    const struct clause *c = k->plan->rules[k->first].clause;
    const struct sizes *sizes = k->plan->sizes;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        const struct atom *a = &c->premises[i].atom;
        uint32_t columns[SEARCH_MAX_COLUMNS], count = 0;
        bool any = false;
        for (uint32_t n = 0; n < a->count; n++) {
            const struct term *t = &a->args[n];
            any |= k->is_param[i][n];
            bool known = !k->is_param[i][n] && !(t->kind == TERM_VAR && c->vars[t->var].wildcard);
            if (known && count < SEARCH_MAX_COLUMNS)
                columns[count++] = n;
        }
        if (any && sizes->matching(sizes->context, a->pred, columns, count) >
                       ROWS_MAX * k->g->size[k->first])
            return false;
    }
    return true;
}

static struct term *copy_args(struct arena *arena, const struct atom *a, uint32_t before)
{
    struct term *args = mgi_arena_calloc(arena, (size_t)before + a->count + 1, sizeof *args);
    if (args && a->count)
        memcpy(args + before, a->args, a->count * sizeof *args);
    return args;
}

static void set_var(struct term *t, uint32_t var)
{
    *t = (struct term){ .kind = TERM_VAR, .span = t->span, .var = var };
}

/* The first member's clause with its parameters as variables; its head: these, then the head's
 * variables. NULL: memory. */
static struct clause *shared_clause(struct making *k)
{
    struct arena *arena = k->plan->arena;
    const struct clause *c = k->plan->rules[k->first].clause;
    uint32_t params = k->family->param_count, param = c->var_count, *columns;
    struct clause *shared = mgi_arena_alloc(arena, sizeof *shared);
    struct var *vars = mgi_arena_calloc(arena, (size_t)c->var_count + params + 1, sizeof *vars);
    struct premise *premises = mgi_arena_calloc(arena, c->premise_count, sizeof *premises);
    struct term *head = copy_args(arena, &c->head, params);
    k->family->head_args = columns =
        mgi_arena_calloc(arena, (size_t)c->head.count + 1, sizeof *columns);
    if (!shared || !vars || !premises || !head || !columns)
        return NULL;
    if (c->var_count)
        memcpy(vars, c->vars, c->var_count * sizeof *vars);
    memcpy(premises, c->premises, c->premise_count * sizeof *premises);
    for (uint32_t i = 0; i < c->premise_count; i++) {
        struct atom *a = &premises[i].atom;
        struct term *args = copy_args(arena, a, 0);
        if (!args)
            return NULL;
        for (uint32_t n = 0; n < a->count; n++) {
            if (!k->is_param[i][n])
                continue;
            vars[param].name = STR_LIT("constant");
            set_var(&head[param - c->var_count], param);
            set_var(&args[n], param++);
        }
        a->args = args;
    }
    uint32_t count = params;
    for (uint32_t i = 0; i < c->head.count; i++) {
        columns[i] = c->head.args[i].kind == TERM_VAR ? count : NO_REG;
        if (c->head.args[i].kind == TERM_VAR)
            head[count++] = c->head.args[i];
    }
    *shared = *c;
    shared->vars = vars;
    shared->var_count = c->var_count + params;
    shared->premises = premises;
    shared->head.args = head;
    shared->head.count = count;
    return shared;
}

/* ---- members, by the values of the parameters ------------------------------------------------ */

static uint32_t hash_start(void)
{
    return UINT32_C(2166136261);
}

static inline uint32_t hash_on(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * UINT32_C(2654435761);
    return hash ^ hash >> 15;
}

const struct member *mgi_family_find(const struct family *f, const uint32_t *regs,
                                     const uint32_t *args)
{
    uint32_t hash = hash_start();
    for (uint32_t i = 0; i < f->param_count; i++)
        hash = hash_on(hash, regs[args[i]]);
    for (uint32_t at = hash & f->mask; f->slots[at]; at = (at + 1) & f->mask) {
        const struct member *m = &f->members[f->slots[at] - 1];
        uint32_t i = 0;
        while (i < f->param_count && m->key[i] == regs[args[i]])
            i++;
        if (i == f->param_count)
            return m;
    }
    return NULL;
}

/* Into its slot, or behind the one with the same values. */
static void put_member(struct family *f, uint32_t number)
{
    struct member *m = &f->members[number];
    uint32_t hash = hash_start(), at;
    for (uint32_t i = 0; i < f->param_count; i++)
        hash = hash_on(hash, m->key[i]);
    for (at = hash & f->mask; f->slots[at]; at = (at + 1) & f->mask) {
        struct member *other = &f->members[f->slots[at] - 1];
        if (f->param_count && memcmp(other->key, m->key, f->param_count * sizeof *m->key) != 0)
            continue;
        while (other->next)
            other = &f->members[other->next - 1];
        other->next = number + 1;
        return;
    }
    f->slots[at] = number + 1;
}

static bool list_members(struct making *k)
{
    struct arena *arena = k->plan->arena;
    struct family *f = k->family;
    uint32_t cap = 4;
    while (cap < 2 * k->g->size[k->first])
        cap *= 2;
    f->mask = cap - 1;
    f->slots = mgi_arena_calloc(arena, cap, sizeof *f->slots);
    f->members = mgi_arena_calloc(arena, k->g->size[k->first], sizeof *f->members);
    if (!f->slots || !f->members)
        return false;
    for (uint32_t r = k->first; r != NO_SHAPE; r = k->g->next[r]) {
        struct rule *rule = &k->plan->rules[r];
        uint32_t count = 0;
        mangle_value *key = mgi_arena_calloc(arena, (size_t)f->param_count + 1, sizeof *key);
        if (!key)
            return false;
        for (uint32_t i = 0; i < rule->clause->premise_count; i++)
            for (uint32_t n = 0; n < rule->clause->premises[i].atom.count; n++)
                if (k->is_param[i][n])
                    key[count++] = rule->clause->premises[i].atom.args[n].value;
        f->members[f->member_count] = (struct member){ .rule = rule, .key = key };
        put_member(f, f->member_count++);
        rule->family = f;
    }
    return true;
}

static uint32_t members_min(const struct sizes *sizes)
{
    return sizes->least > 0.0 ? MEMBERS_MIN : 1;
}

/* ---- the main line ----------------------------------------------------------------------------
 */

static bool plan_shared(struct making *k)
{
    const mangle_program *p = k->g->p;
    struct family *f = k->family;
    struct rule *shared = &f->shared;
    const struct clause *c = shared->clause;
    shared->deltas = mgi_arena_calloc(k->plan->arena, c->premise_count, sizeof *shared->deltas);
    for (uint32_t i = 0; shared->deltas && i < c->premise_count; i++) {
        if (c->premises[i].negated || !p->preds[c->premises[i].atom.pred].changeable)
            continue;
        struct code *code = mgi_plan_code(p, k->plan, shared, CODE_DELTA, i);
        if (!code)
            return false;
        shared->deltas[shared->delta_count++] = code;
    }
    return shared->deltas != NULL;
}

static bool make_family(const struct grouping *g, struct plan *plan, uint32_t first)
{
    struct making k = { .g = g, .plan = plan, .first = first };
    const struct rule *rule = &plan->rules[first];
    struct family *f = k.family = mgi_arena_calloc(plan->arena, 1, sizeof *f);
    if (!f || !find_params(&k))
        return false;
    if (!pays(&k))
        return true;
    f->shared = (struct rule){
        .number = rule->number, .shown = rule->shown, .head = rule->head, .stratum = rule->stratum
    };
    f->shared.clause = shared_clause(&k);
    f->shared.family = f;
    f->number = plan->family_count++;
    return f->shared.clause && list_members(&k) && plan_shared(&k);
}

bool mgi_plan_may_have_families(const mangle_program *p, const struct plan *plan,
                                const struct sizes *sizes)
{
    uint32_t count = 0, least = members_min(sizes);
    for (uint32_t r = 0; r < plan->rule_count && count < least; r++)
        count += may_join(p, &plan->rules[r]);
    return count >= least;
}

bool mgi_plan_families(const mangle_program *p, struct plan *plan)
{
    struct grouping g = { .p = p, .plan = plan };
    bool ok = grouping_init(&g);
    for (uint32_t r = 0; ok && r < plan->rule_count; r++)
        if (may_join(p, &plan->rules[r]))
            ok = group_rule(&g, r);
    for (uint32_t r = 0; ok && r < plan->rule_count; r++)
        if (g.size[r] && g.size[r] >= members_min(plan->sizes))
            ok = make_family(&g, plan, r);
    grouping_fini(&g);
    return ok;
}
