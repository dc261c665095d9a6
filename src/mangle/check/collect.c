/* Clauses to what is run: facts with their values (M-ANA-4), and the list of rules. */
#include "base/alloc.h"
#include "mangle/check/check_int.h"

bool mgi_fact_from_clause(struct check *k, struct arena *into, const struct clause *c,
                          struct fact *out)
{
    const struct pred *pred = &k->p->preds[c->head.pred];
    *out = (struct fact){
        .pred = c->head.pred, .temporal = pred->temporal, .annotation = c->annotation, .clause = c
    };
    bool reads_now = false;
    for (uint32_t i = 0; i < c->head.count; i++)
        reads_now |= mgi_term_reads_now(&c->head.args[i]);
    out->reads_now =
        reads_now || (c->annotation.present && (c->annotation.start.kind == BOUND_NOW ||
                                                c->annotation.end.kind == BOUND_NOW));
    if (reads_now)
        return true;
    mangle_value *args = mgi_arena_calloc(into, (size_t)c->head.count + 1, sizeof *args);
    if (!args) {
        k->oom = true;
        return false;
    }
    for (uint32_t i = 0; i < c->head.count; i++)
        if ((args[i] = mgi_term_evaluate(k, &c->head.args[i])) == MANGLE_NONE)
            return false;
    out->args = args;
    return true;
}

static void keep_fact(struct check *k, mangle_program *p, const struct clause *c)
{
    if (!mgi_grow(&p->facts, &p->fact_cap, p->fact_count + 1, sizeof *p->facts))
        k->oom = true;
    else if (mgi_fact_from_clause(k, &p->arena, c, &p->facts[p->fact_count]))
        p->fact_count++;
}

static void keep_rule(struct check *k, mangle_program *p, const struct clause *c)
{
    mangle_pred *body = mgi_arena_calloc(&p->arena, (size_t)c->premise_count + 1, sizeof *body);
    if (!body) {
        k->oom = true;
        return;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (c->premises[i].kind == PREMISE_ATOM || c->premises[i].kind == PREMISE_TEMPORAL)
            body[count++] = c->premises[i].atom.pred;
    p->rules[p->rule_count] = c;
    p->rule_texts[p->rule_count] = c->text;
    p->rule_bodies[p->rule_count] = body;
    p->rule_body_counts[p->rule_count] = count;
    p->rule_count++;
}

static bool room_for_rules(mangle_program *p)
{
    size_t count = 1;
    for (size_t i = 0; i < p->clause_count; i++)
        count += p->clauses[i].premise_count > 0;
    p->rules = mgi_arena_calloc(&p->arena, count, sizeof *p->rules);
    p->rule_texts = mgi_arena_calloc(&p->arena, count, sizeof *p->rule_texts);
    p->rule_bodies = mgi_arena_calloc(&p->arena, count, sizeof *p->rule_bodies);
    p->rule_body_counts = mgi_arena_calloc(&p->arena, count, sizeof *p->rule_body_counts);
    return p->rules && p->rule_texts && p->rule_bodies && p->rule_body_counts;
}

/* Invariant: a clause that is not faulty has no variable in a fact, and calls only what exists. */
enum mangle_status mgi_collect(mangle_program *p, mangle_diags *diags)
{
    struct check k = { .p = p, .values = p->values, .arena = &p->arena, .diags = diags };
    mgi_arena_init(&k.scratch, 0);
    k.oom = !room_for_rules(p);
    for (size_t i = 0; i < p->clause_count && !k.oom; i++) {
        const struct clause *c = &p->clauses[i];
        if (c->head.pred == MANGLE_NO_PRED)
            continue;
        mgi_diags_anchor(diags, &c->span);
        if (c->premise_count)
            keep_rule(&k, p, c);
        else if (!c->faulty)
            keep_fact(&k, p, c);
        mgi_arena_reset(&k.scratch);
    }
    mgi_diags_anchor(diags, NULL);
    mgi_arena_fini(&k.scratch);
    return k.oom ? MANGLE_ERR_NOMEM : MANGLE_OK;
}
