/* What may help a tool that is lost: read off an evaluation in which it is.
 *
 *     want   a fact is missing: what the engine says of each rule that could have made it; facts
 * that a client may send are proposed, derived ones wanted in turn break_ a fact is in the way: its
 * proof rests on facts that the client sent, which are proposed to go, and on facts that are
 * absent, which are wanted
 *
 * Both follow each fact once and to a bounded depth. */
#include <string.h>

#include "base/strmap.h"
#include "intent/proof_int.h"
#include "intent/why_not.h"

#define MAX_DEPTH 12
#define MAX_FACTS 3   /* of a premise, that are followed */
#define MAX_NODES 256 /* of proofs, in one evaluation */
#define MAX_GOALS 96  /* that are followed, of one evaluation */

struct proposing {
    struct why_search *search;
    struct evaluation *ev; /* the evaluation that is looked at */
    const struct why_set *made;
    struct why_proposals *out;
    struct strmap seen; /* proofs */
    struct why_goals goals;
    size_t nodes;
    mangle_pred adding; /* of the instance that is made */
    const struct mangle_interval *at;
};

static void want(struct proposing *p, const struct mangle_wanted *wanted, unsigned depth);
static void break_(struct proposing *p, const struct mangle_fact *fact, unsigned depth);

/* ---- the pool ------------------------------------------------------------------------------- */

static bool same_change(const struct why_change *a, const struct why_change *b)
{
    if (a->add != b->add)
        return false;
    return a->add ? str_eq(a->value.text, b->value.text) : a->fact == b->fact;
}

/* The place of the change; WHY_NOT_POOL if there is no room. */
static size_t pool_place(struct why_search *s, const struct why_change *c)
{
    for (size_t i = 0; i < s->pool_count; i++)
        if (same_change(&s->pool[i], c))
            return i;
    if (s->pool_count == WHY_NOT_POOL) {
        s->pool_full = true;
        return WHY_NOT_POOL;
    }
    s->pool[s->pool_count] = *c;
    return s->pool_count++;
}

static bool is_listed(const uint8_t *list, size_t count, size_t place)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == place)
            return true;
    return false;
}

static void propose(struct proposing *p, const struct why_change *c)
{
    size_t at = pool_place(p->search, c);
    if (at == WHY_NOT_POOL || is_listed(p->out->items, p->out->count, at) ||
        is_listed(p->made->at, p->made->count, at))
        return;
    if (p->out->count < WHY_NOT_PROPOSALS)
        p->out->items[p->out->count++] = (uint8_t)at;
    else
        p->search->pool_full = true;
}

/* ---- one fact more ------------------------------------------------------------------------- */

/* What others are told holds nothing that the server alone knows. */
static bool may_tell_all(struct proposing *p, const mangle_value *args, uint32_t count)
{
    const struct evaluation *asked = p->search->ev;
    bool ok = true;
    for (uint32_t i = 0; ok && i < count && !asked->call->why_not->in_full; i++)
        ok = mgi_why_may_tell(p->ev, asked, p->search->tool, args[i]);
    return ok;
}

static void propose_adding(void *context, const mangle_value *args)
{
    struct proposing *p = context;
    struct evaluation *ev = p->ev;
    struct buf text = { 0 };
    struct json_writer w;
    struct mangle_pred_view view = mangle_program_pred(ev->s->program, p->adding);
    struct why_change c = { .add = true };
    if (!may_tell_all(p, args, view.arity))
        return;
    mgi_json_writer_init(&w, &text, 0);
    mgi_fact_write(&w, ev->values, str_of(view.name), args, view.arity, p->at, NULL, NULL);
    if (mgi_json_take(p->search->ev->arena, &text, &c.value))
        propose(p, &c);
    else
        p->search->ev->nomem = true;
}

/* A fact that can have a time is proposed at the time of the evaluation, and then for always. */
static void want_sent(struct proposing *p, const struct pred_schema *schema,
                      const struct mangle_wanted *wanted)
{
    const struct mangle_interval now = { p->ev->request.now_ns, p->ev->request.now_ns };
    p->adding = schema->pred;
    p->at = schema->temporal ? &now : NULL;
    mgi_why_instances(p->ev, schema, wanted, propose_adding, p);
    p->at = NULL;
    if (schema->temporal)
        mgi_why_instances(p->ev, schema, wanted, propose_adding, p);
}

/* ---- one fact less ------------------------------------------------------------------------- */

static bool same_fact(const struct wire_fact *a, const struct wire_fact *b)
{
    return a->schema == b->schema && a->count == b->count && str_eq(a->pred, b->pred) &&
           memcmp(a->args, b->args, a->count * sizeof *a->args) == 0;
}

/* The first fact of the request that is the same as fact `index` of it. */
static uint32_t first_of_kind(const struct evaluation *ev, size_t index)
{
    const struct wire_fact *facts = ev->facts.facts;
    for (size_t i = 0; i < index; i++)
        if (same_fact(&facts[i], &facts[index]))
            return (uint32_t)i;
    return (uint32_t)index;
}

bool mgi_why_removes(const struct why_search *s, const struct why_set *set, size_t fact)
{
    const struct wire_fact *all = s->ev->facts.facts;
    for (uint8_t i = 0; i < set->count; i++) {
        const struct why_change *c = &s->pool[set->at[i]];
        if (!c->add && same_fact(&all[c->fact], &all[fact]))
            return true;
    }
    return false;
}

/* Which fact of the request stands at `index` of the evaluation's? SIZE_MAX: one that was added. */
static size_t origin(const struct proposing *p, size_t index)
{
    const struct evaluation *asked = p->search->ev;
    size_t at = 0;
    for (size_t i = 0; i < asked->facts.count; i++) {
        if (mgi_why_removes(p->search, p->made, i))
            continue;
        if (at++ == index)
            return i;
    }
    return SIZE_MAX;
}

/* The client sent it: it could go. */
static void propose_removing(struct proposing *p, const struct mangle_fact *f)
{
    for (size_t i = 0; i < p->ev->facts.count; i++) {
        const struct wire_fact *sent = &p->ev->facts.facts[i];
        if (!sent->schema || sent->schema->pred != f->pred || sent->count != f->count ||
            memcmp(sent->args, f->args, f->count * sizeof *f->args) != 0)
            continue;
        size_t from = origin(p, i);
        if (from == SIZE_MAX)
            return;
        struct why_change c = { .fact = first_of_kind(p->search->ev, from) };
        propose(p, &c);
        return;
    }
}

static void break_proof(struct proposing *p, const struct mangle_proof *proof, unsigned depth)
{
    struct mangle_wanted absent = { .pred = proof->fact.pred, .args = proof->fact.args };
    if (depth > MAX_DEPTH || mgi_strmap_get(&p->seen, str_of(proof->id), NULL) ||
        p->nodes++ >= MAX_NODES)
        return;
    p->search->ev->nomem |= !mgi_strmap_put(&p->seen, str_of(proof->id), 0);
    if (proof->kind == MANGLE_PROOF_SESSION)
        propose_removing(p, &proof->fact);
    if (proof->kind == MANGLE_PROOF_ABSENT && absent.args)
        want(p, &absent, depth + 1);
    for (size_t i = 0; i < proof->premise_count; i++)
        break_proof(p, proof->premises[i], depth + 1);
}

static void break_(struct proposing *p, const struct mangle_fact *fact, unsigned depth)
{
    const struct mangle_proof *proof = depth > MAX_DEPTH ? NULL : mgi_proof_in_time(p->ev, fact);
    if (proof)
        break_proof(p, proof, depth);
}

/* ---- a fact that is missing ------------------------------------------------------------------ */

static void want_rule(struct proposing *p, const struct mangle_failed_rule *rule, unsigned depth)
{
    for (size_t i = 0; i < rule->wanted_count; i++)
        want(p, &rule->wanted[i], depth + 1);
    for (size_t i = 0; i < rule->fact_count && i < MAX_FACTS; i++) {
        struct mangle_wanted same = { .pred = rule->facts[i].pred, .args = rule->facts[i].args };
        if (rule->kind == MANGLE_FAILED_PRESENT)
            break_(p, &rule->facts[i], depth + 1);
        else if (rule->kind == MANGLE_FAILED_INTERVAL)
            want(p, &same, depth + 1); /* at another time */
    }
}

static void want(struct proposing *p, const struct mangle_wanted *wanted, unsigned depth)
{
    const struct mangle_why_not *why = NULL;
    const struct pred_schema *schema = mgi_why_sendable(p->ev->s, wanted->pred);
    if (depth > MAX_DEPTH || p->search->ev->nomem ||
        !mgi_why_may_follow(p->search, &p->goals, wanted->pred, wanted->args))
        return;
    if (schema)
        want_sent(p, schema, wanted);
    if (!mangle_program_pred(p->ev->s->program, wanted->pred).derived)
        return;
    enum mangle_status st =
        mangle_overlay_why_not_match(p->ev->overlay, wanted->pred, wanted->args, &why);
    p->search->ev->nomem |= st == MANGLE_ERR_NOMEM;
    for (size_t i = 0; why && i < why->rule_count; i++)
        want_rule(p, &why->rules[i], depth);
}

/* ---- a tool that is lost --------------------------------------------------------------------- */

static mangle_pred pred_of(const struct proposing *p, const char *name, uint32_t arity)
{
    return mangle_pred_find(p->ev->s->program, name, arity);
}

static void want_candidate(struct proposing *p, mangle_value tool)
{
    const mangle_value args[] = { tool, MANGLE_NONE, MANGLE_NONE };
    const struct mangle_wanted wanted = { .pred = p->ev->s->pred.candidate, .args = args };
    if (wanted.pred != MANGLE_NO_PRED)
        want(p, &wanted, 0);
}

/* All facts of a predicate about this tool are in the way. */
static void break_all(struct proposing *p, mangle_pred pred, mangle_value tool)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(p->ev, pred, tool, &count);
    for (size_t i = 0; i < count && i < MAX_FACTS; i++)
        break_(p, &f[i], 0);
}

static bool is_candidate(struct proposing *p, mangle_value tool)
{
    size_t count;
    mgi_ev_match(p->ev, p->ev->s->pred.candidate, tool, &count);
    return count > 0;
}

/* A tool comes out as well with a root that needs it. */
static void want_roots_of(struct proposing *p, mangle_value tool)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_facts(p->ev, p->ev->s->pred.needs, &count);
    for (size_t i = 0, roots = 0; i < count && roots < MAX_FACTS; i++)
        if (f[i].args[1] == tool) {
            roots++;
            if (is_candidate(p, f[i].args[0]))
                break_all(p, pred_of(p, "unusable", 1), f[i].args[0]);
            else
                want_candidate(p, f[i].args[0]);
        }
}

/* Whoever is in the way goes, or the tool comes to rank higher. */
static void oppose_winners(struct proposing *p, const struct root *lost)
{
    const struct evaluation *ev = p->ev;
    size_t count, broken = 0;
    const struct mangle_fact *f =
        mgi_ev_match(p->ev, ev->s->pred.rivals, lost->tool->value, &count);
    for (size_t i = 0; i < count && broken < MAX_FACTS; i++) {
        const struct root *rival = mgi_why_root(ev, mgi_snapshot_tool_of(ev->s, f[i].args[1]));
        if (!rival || !rival->kept)
            continue;
        broken++;
        break_all(p, ev->s->pred.contender, rival->tool->value);
        break_(p, &f[i], 0);
    }
    want_candidate(p, lost->tool->value);
}

/* There is room for so many, and these rank higher. */
static void make_room(struct proposing *p, const struct root *lost)
{
    const struct evaluation *ev = p->ev;
    size_t broken = 0;
    for (size_t i = ev->root_count; i > 0 && broken < MAX_FACTS; i--)
        if (ev->roots[i - 1].kept) {
            broken++;
            break_all(p, ev->s->pred.contender, ev->roots[i - 1].tool->value);
        }
    want_candidate(p, lost->tool->value);
}

static void help_root(struct proposing *p, const struct root *root)
{
    switch (root->lost) {
    case LOST_CONFLICT:
        oppose_winners(p, root);
        break;
    case LOST_CUTOFF:
        want_candidate(p, root->tool->value);
        break;
    case LOST_CAP:
    case LOST_BUDGET:
        make_room(p, root);
        break;
    case LOST_NOT:
        break;
    }
}

void mgi_why_propose(struct why_search *s, struct evaluation *node, const struct why_set *made,
                     struct why_proposals *out)
{
    struct proposing p = {
        .search = s, .ev = node, .made = made, .out = out, .goals.most = MAX_GOALS
    };
    mangle_value tool = s->tool->value;
    const struct root *root = mgi_why_root(node, s->tool);
    out->count = 0;
    mgi_strmap_init(&p.seen);
    mgi_strmap_init(&p.goals.seen);
    if (root)
        help_root(&p, root);
    else if (!is_candidate(&p, tool))
        want_candidate(&p, tool);
    else {
        break_all(&p, pred_of(&p, "unusable", 1), tool);
        break_all(&p, pred_of(&p, "torn", 1), tool);
    }
    want_roots_of(&p, tool);
    mgi_strmap_fini(&p.seen);
    mgi_strmap_fini(&p.goals.seen);
    s->ev->nomem |= node->nomem;
}
