/* Where the pipeline lost a tool. */
#include <string.h>

#include "intent/proof_int.h"
#include "intent/why_not.h"

#define MAX_DEPTH 4   /* of rules below rules */
#define MAX_NODES 256 /* of a proof */

/* ---- whose fault ----------------------------------------------------------------------------- */

/* Is it something that the server says of the caller? */
static bool is_about_caller(const struct evaluation *ev, mangle_pred pred)
{
    static const char *const names[] = { "client_kind", "client_identity", "client_permission",
                                         "client_trust_level" };
    const char *name = mangle_program_pred(ev->s->program, pred).name;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

struct phase_search {
    struct why_search *s;
    struct evaluation *ev; /* s->ev */
    struct why_goals goals;
};

/* Would it hold for another caller? Follows the rules that could have made a fact. */
static bool lacks_caller(struct phase_search *p, mangle_pred pred, const mangle_value *pattern,
                         unsigned depth)
{
    struct evaluation *ev = p->ev;
    const struct mangle_why_not *why = NULL;
    if (is_about_caller(ev, pred))
        return true;
    if (depth > MAX_DEPTH || !mangle_program_pred(ev->s->program, pred).derived ||
        !mgi_why_may_follow(p->s, &p->goals, pred, pattern))
        return false;
    ev->nomem |= mangle_overlay_why_not_match(ev->overlay, pred, pattern, &why) == MANGLE_ERR_NOMEM;
    for (size_t i = 0; why && i < why->rule_count; i++)
        for (size_t k = 0; k < why->rules[i].wanted_count; k++)
            if (lacks_caller(p, why->rules[i].wanted[k].pred, why->rules[i].wanted[k].args,
                             depth + 1))
                return true;
    return false;
}

static bool rests_on_caller(struct phase_search *p, const struct mangle_proof *proof, size_t *nodes)
{
    if ((*nodes)++ >= MAX_NODES)
        return false;
    if (proof->kind == MANGLE_PROOF_ABSENT)
        return proof->fact.args && lacks_caller(p, proof->fact.pred, proof->fact.args, 0);
    if (is_about_caller(p->ev, proof->fact.pred))
        return true;
    for (size_t i = 0; i < proof->premise_count; i++)
        if (rests_on_caller(p, proof->premises[i], nodes))
            return true;
    return false;
}

/* ---- the phase ------------------------------------------------------------------------------- */

/* The first fact of `pred` whose first column is this tool, or NULL. */
const struct mangle_fact *mgi_why_about(struct evaluation *ev, const char *pred, uint32_t arity,
                                        const struct tool *tool)
{
    size_t count;
    mangle_pred p = mangle_pred_find(ev->s->program, pred, arity);
    const struct mangle_fact *f = mgi_ev_match(ev, p, tool->value, &count);
    return count > 0 ? f : NULL;
}

const struct root *mgi_why_root(const struct evaluation *ev, const struct tool *tool)
{
    for (size_t i = 0; i < ev->root_count; i++)
        if (ev->roots[i].tool == tool)
            return &ev->roots[i];
    return NULL;
}

static bool intent_is_permitted(struct evaluation *ev)
{
    mangle_value name = mangle_string(ev->values, ev->request.name.ptr, ev->request.name.len);
    return name != MANGLE_NONE && ev->s->pred.intent_permitted != MANGLE_NO_PRED &&
           mangle_overlay_holds(ev->overlay, ev->s->pred.intent_permitted, &name);
}

/* A tool that needs it, for which rules speak: it was lost itself. NULL: there is none. */
const struct tool *mgi_why_lost_with(struct evaluation *ev, const struct tool *tool)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_facts(ev, ev->s->pred.needs, &count);
    for (size_t i = 0; i < count; i++) {
        const struct tool *by =
            f[i].args[1] == tool->value ? mgi_snapshot_tool_of(ev->s, f[i].args[0]) : NULL;
        if (by && by != tool && mgi_why_about(ev, "candidate", 3, by))
            return by;
    }
    return NULL;
}

static enum why_phase phase_of_barred(struct phase_search *p, const struct mangle_fact *barred)
{
    const struct mangle_proof *proof = mgi_proof_in_time(p->ev, barred);
    size_t nodes = 0;
    if (!proof) /* there was no time for it: what may not be told is not */
        return WHY_PERMISSION;
    return rests_on_caller(p, proof, &nodes) ? WHY_PERMISSION : WHY_PROHIBITION;
}

static enum why_phase phase_of_no_candidate(struct phase_search *p, const struct tool *tool)
{
    struct evaluation *ev = p->ev;
    const mangle_value pattern[] = { tool->value, MANGLE_NONE, MANGLE_NONE };
    const struct mangle_fact *barred = mgi_why_about(ev, "barred", 1, tool);
    if (mgi_why_lost_with(ev, tool))
        return barred ? phase_of_barred(p, barred) : WHY_DEPENDENCY;
    return ev->s->pred.candidate != MANGLE_NO_PRED &&
                   lacks_caller(p, ev->s->pred.candidate, pattern, 0)
               ? WHY_PERMISSION
               : WHY_CANDIDATE;
}

static enum why_phase find_phase(struct phase_search *p)
{
    struct evaluation *ev = p->ev;
    const struct tool *tool = p->s->tool;
    static const enum why_phase of_lost[] = { WHY_BUDGET, WHY_CONFLICT, WHY_CUTOFF, WHY_CAP,
                                              WHY_BUDGET };
    if (mgi_why_is_chosen(ev, tool))
        return WHY_SELECTED;
    if (!intent_is_permitted(ev))
        return WHY_INTENT;
    const struct root *root = mgi_why_root(ev, tool);
    if (root)
        return of_lost[root->lost];
    const struct mangle_fact *barred = mgi_why_about(ev, "barred", 1, tool);
    if (!mgi_why_about(ev, "candidate", 3, tool))
        return phase_of_no_candidate(p, tool);
    if (barred)
        return phase_of_barred(p, barred);
    return mgi_why_about(ev, "torn", 1, tool) ? WHY_CONFLICT : WHY_DEPENDENCY;
}

enum why_phase mgi_why_phase(struct why_search *s)
{
    struct phase_search p = { .s = s, .ev = s->ev, .goals.most = WHY_NOT_GOALS };
    mgi_strmap_init(&p.goals.seen);
    enum why_phase phase = find_phase(&p);
    mgi_strmap_fini(&p.goals.seen);
    return phase;
}
