/* Why a tool was lost, told: the rules that say so with their places, and the facts of the client
 * that made them. */
#include <string.h>

#include "base/strmap.h"
#include "intent/proof_int.h"
#include "intent/why_not.h"

#define MAX_DEPTH   4 /* of rules below rules */
#define MAX_REASONS 8
#define MAX_NODES   256 /* of a proof */

static const struct mangle_proof *prove(struct evaluation *ev, const struct mangle_fact *fact)
{
    return fact ? mgi_proof_in_time(ev, fact) : NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

struct telling {
    struct why_search *s;
    struct evaluation *ev; /* s->ev */
    struct json_writer *w;
    const char *phase;
    bool in_full;
    size_t count;
    size_t nodes;
    struct why_goals goals;
    struct strmap seen;        /* proofs whose facts are listed */
    size_t rules[MAX_REASONS]; /* that are told */
};

/* Where the domain says it: a rule of its own, or a fact that stands in its rules. */
struct place {
    mangle_pred pred;
    const char *name, *file;
    uint32_t line;
};

static bool is_of_domain(const char *file)
{
    static const char *const folders[] = { "rules/policy/", "rules/domain/", "rules/schema/",
                                           "rules/effects/", "facts/" };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (file && strncmp(file, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

static bool place_of_rule(const struct evaluation *ev, size_t rule, struct place *out)
{
    if (rule == SIZE_MAX)
        return false;
    struct mangle_rule_view r = mangle_program_rule(ev->s->program, rule);
    *out =
        (struct place){ r.head, mangle_program_pred(ev->s->program, r.head).name, r.file, r.line };
    return is_of_domain(r.file);
}

/* A fact that is written in the rules' files: the clause with these very constants. */
static bool place_of_fact(const struct evaluation *ev, const struct mangle_fact *fact,
                          struct place *out)
{
    const mangle_program *p = ev->s->program;
    for (size_t i = 0; i < mangle_program_clause_count(p); i++) {
        struct mangle_clause_view c = mangle_program_clause(p, i);
        bool same = !c.declaration && c.rule == SIZE_MAX && c.head == fact->pred;
        for (uint32_t k = 0; same && k < fact->count; k++)
            same = mangle_program_argument(p, i, k).value == fact->args[k];
        if (!same)
            continue;
        *out = (struct place){ fact->pred, mangle_program_pred(p, fact->pred).name,
                               mangle_program_source(p, c.source).name, c.line };
        return is_of_domain(out->file);
    }
    return false;
}

/* The first place in the proof, from above, where the domain says something. */
static bool find_place(struct telling *t, const struct mangle_proof *proof, struct place *out)
{
    if (t->nodes++ >= MAX_NODES || proof->kind == MANGLE_PROOF_ABSENT)
        return false;
    if (place_of_rule(t->ev, proof->rule, out) ||
        (proof->kind == MANGLE_PROOF_GIVEN && place_of_fact(t->ev, &proof->fact, out)))
        return true;
    for (size_t i = 0; i < proof->premise_count; i++)
        if (find_place(t, proof->premises[i], out))
            return true;
    return false;
}

static void begin_reason(struct telling *t, const char *message)
{
    t->count++;
    mgi_jw_begin_object(t->w);
    mgi_jw_member_cstr(t->w, "phase", t->phase);
    mgi_jw_member_cstr(t->w, "message", message);
}

/* Others than authors do not learn what stands behind the policy's own predicates. */
static bool may_place(const struct telling *t, mangle_pred pred)
{
    return t->in_full || mgi_snapshot_shows(t->ev->s, pred) == SHOWN;
}

/* Does the premise have the name of one of them, which other rules may read? */
static bool names_policy(const struct evaluation *ev, const struct mangle_failed_rule *r)
{
    struct mangle_rule_view rule = mangle_program_rule(ev->s->program, r->rule);
    for (size_t i = 0; i < rule.body_count; i++)
        if (mgi_snapshot_shows(ev->s, rule.body[i]) == CUT &&
            strstr(r->premise_text, mangle_program_pred(ev->s->program, rule.body[i]).name))
            return true;
    return false;
}

static void write_place(struct telling *t, const struct place *at)
{
    if (!may_place(t, at->pred))
        return;
    mgi_jw_key(t->w, "rule");
    mgi_jw_begin_object(t->w);
    mgi_jw_member_cstr(t->w, "name", at->name);
    mgi_jw_member_cstr(t->w, "file", at->file);
    mgi_jw_member_int(t->w, "line", at->line);
    mgi_jw_end_object(t->w);
}

/* The client's facts that it rests on. */
static void write_client_facts(struct telling *t, const struct mangle_proof *proof)
{
    struct evaluation *ev = t->ev;
    const struct mangle_fact *f = &proof->fact;
    if (mgi_strmap_get(&t->seen, str_of(proof->id), NULL) || t->nodes++ >= MAX_NODES)
        return;
    ev->nomem |= !mgi_strmap_put(&t->seen, str_of(proof->id), 0);
    if (proof->kind == MANGLE_PROOF_SESSION && mgi_ev_was_sent(ev, f)) {
        bool always = f->t.start_ns == MANGLE_MIN_TIME && f->t.end_ns == MANGLE_MAX_TIME;
        mgi_fact_write(t->w, ev->values, str_of(mangle_program_pred(ev->s->program, f->pred).name),
                       f->args, f->count, f->temporal && !always ? &f->t : NULL, NULL, NULL);
    }
    for (size_t i = 0; i < proof->premise_count; i++)
        write_client_facts(t, proof->premises[i]);
}

/* Rule and facts of what speaks against it. */
static void write_proof(struct telling *t, const struct mangle_proof *proof)
{
    struct place at;
    t->nodes = 0;
    if (proof && find_place(t, proof, &at))
        write_place(t, &at);
    mgi_jw_key(t->w, "facts");
    mgi_jw_begin_array(t->w);
    t->nodes = 0;
    mgi_strmap_init(&t->seen);
    if (proof)
        write_client_facts(t, proof);
    mgi_strmap_fini(&t->seen);
    mgi_jw_end_array(t->w);
}

static void write_against(struct telling *t, const char *message, const struct mangle_fact *fact)
{
    begin_reason(t, message);
    write_proof(t, prove(t->ev, fact));
    mgi_jw_end_object(t->w);
}

/* ---- no rule speaks for it ------------------------------------------------------------------- */

static bool is_told(const struct telling *t, size_t rule)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->rules[i] == rule)
            return true;
    return false;
}

static void write_failed_rule(struct telling *t, const struct mangle_failed_rule *r,
                              const struct place *at)
{
    t->rules[t->count] = r->rule;
    /* the engine's words may have values of the server's */
    begin_reason(t, t->in_full && r->why ? r->why : "a premise of the rule does not hold");
    write_place(t, at);
    if (r->premise_text && /* values may be the server's */
        (t->in_full ||
         (may_place(t, at->pred) && mgi_why_may_quote(t->ev, r->rule) && !names_policy(t->ev, r))))
        mgi_jw_member_cstr(t->w, "premise", t->in_full ? r->premise_with : r->premise_text);
    mgi_jw_end_object(t->w);
}

static void write_failed(struct telling *t, mangle_pred pred, const mangle_value *pattern,
                         unsigned depth)
{
    struct evaluation *ev = t->ev;
    const struct mangle_why_not *why = NULL;
    struct place at;
    if (depth > MAX_DEPTH || !mangle_program_pred(ev->s->program, pred).derived ||
        (!t->in_full && mgi_snapshot_shows(ev->s, pred) == CUT) ||
        !mgi_why_may_follow(t->s, &t->goals, pred, pattern))
        return;
    ev->nomem |= mangle_overlay_why_not_match(ev->overlay, pred, pattern, &why) == MANGLE_ERR_NOMEM;
    for (size_t i = 0; why && i < why->rule_count && t->count < MAX_REASONS; i++) {
        const struct mangle_failed_rule *r = &why->rules[i];
        if (is_told(t, r->rule))
            continue;
        if (place_of_rule(ev, r->rule, &at))
            write_failed_rule(t, r, &at);
        for (size_t k = 0; k < r->wanted_count && r->kind == MANGLE_FAILED_NO_FACT; k++)
            write_failed(t, r->wanted[k].pred, r->wanted[k].args, depth + 1);
    }
}

static void write_no_candidate(struct telling *t, const struct tool *tool)
{
    const mangle_value pattern[] = { tool->value, MANGLE_NONE, MANGLE_NONE };
    if (t->ev->s->pred.candidate != MANGLE_NO_PRED)
        write_failed(t, t->ev->s->pred.candidate, pattern, 0);
    if (t->count > 0)
        return;
    begin_reason(t, "no rule speaks for it under this intent");
    mgi_jw_end_object(t->w);
}

/* ---- it lost --------------------------------------------------------------------------------- */

static void write_conflict(struct telling *t, const struct tool *tool)
{
    struct evaluation *ev = t->ev;
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.rivals, tool->value, &count);
    for (size_t i = 0; i < count && t->count < MAX_REASONS; i++) {
        const struct tool *by = mgi_snapshot_tool_of(ev->s, f[i].args[1]);
        const struct root *rival = by ? mgi_why_root(ev, by) : NULL;
        bool shown = rival && mgi_why_is_chosen(ev, by);
        /* who beat it and was cut later is not named to who cannot see it */
        if (!rival || rival->lost == LOST_CONFLICT || !(shown || t->in_full))
            continue;
        begin_reason(t, "a tool that ranks higher serves the same purpose");
        mgi_jw_member_str(t->w, "by", by->name);
        write_proof(t, prove(ev, &f[i]));
        mgi_jw_end_object(t->w);
    }
    const struct mangle_fact *torn = mgi_why_about(ev, "torn", 1, tool);
    if (torn)
        write_against(t, "what it needs contradicts itself", torn);
    if (t->count > 0)
        return;
    begin_reason(t, "a tool that ranks higher serves the same purpose");
    mgi_jw_end_object(t->w);
}

static void write_number(struct telling *t, const char *message, const char *name, int64_t is,
                         const char *limit_name, int64_t limit)
{
    begin_reason(t, message);
    if (name)
        mgi_jw_member_int(t->w, name, is);
    mgi_jw_member_int(t->w, limit_name, limit);
    mgi_jw_end_object(t->w);
}

/* What it needs is unusable, or what needs it was lost. */
static void write_dependency(struct telling *t, const struct tool *tool)
{
    struct evaluation *ev = t->ev;
    const struct mangle_fact *unusable = mgi_why_about(ev, "unusable", 1, tool);
    const struct tool *needed_by = mgi_why_lost_with(ev, tool);
    size_t count;
    if (!unusable && needed_by) {
        begin_reason(t, "what needs it was lost itself");
        if (t->in_full)
            mgi_jw_member_str(t->w, "by", needed_by->name);
        mgi_jw_end_object(t->w);
        return;
    }
    begin_reason(t, "something it needs is not available");
    mangle_pred requires = mangle_pred_find(ev->s->program, "tool_requires", 2);
    const struct mangle_fact *f = mgi_ev_match(ev, requires, tool->value, &count);
    for (size_t i = 0; i < count && t->in_full; i++) {
        const struct tool *other = mgi_snapshot_tool_of(ev->s, f[i].args[1]);
        if (other && !mgi_why_about(ev, "unusable", 1, other))
            continue;
        mgi_jw_member_str(t->w, "by", mgi_ev_text(ev, f[i].args[1]));
        break;
    }
    if (t->in_full)
        write_proof(t, prove(ev, unusable));
    mgi_jw_end_object(t->w);
}

static void write_phase(struct telling *t, const struct tool *tool, enum why_phase phase)
{
    struct evaluation *ev = t->ev;
    const struct root *root = mgi_why_root(ev, tool);
    switch (phase) {
    case WHY_SELECTED:
        break;
    case WHY_INTENT:
        begin_reason(t, "the caller may not use this intent");
        mgi_jw_end_object(t->w);
        break;
    case WHY_CANDIDATE:
        write_no_candidate(t, tool);
        break;
    case WHY_PERMISSION:
        if (mgi_why_about(ev, "candidate", 3, tool) || mgi_why_lost_with(ev, tool))
            write_against(t, "it is not for this caller", mgi_why_about(ev, "barred", 1, tool));
        else
            write_no_candidate(t, tool);
        break;
    case WHY_PROHIBITION:
        write_against(t, "a rule prohibits it", mgi_why_about(ev, "barred", 1, tool));
        break;
    case WHY_DEPENDENCY:
        write_dependency(t, tool);
        break;
    case WHY_CONFLICT:
        write_conflict(t, tool);
        break;
    case WHY_CUTOFF:
        write_number(t, "its score is below the lowest level that is shown", "score",
                     root ? root->score : 0, "least", ev->s->settings.disclosure.minimal);
        break;
    case WHY_CAP:
        write_number(t, "max_tools_returned left no room for it", NULL, 0, "most",
                     ev->request.max_tools);
        break;
    case WHY_BUDGET:
        write_number(t, "the token budget left no room for it", NULL, 0, "most",
                     ev->request.max_tokens);
        break;
    }
}

void mgi_why_reasons_write(struct why_search *s, struct json_writer *w, enum why_phase phase)
{
    static const char *const names[] = { "selected",    "intent",     "candidate", "permission",
                                         "prohibition", "dependency", "conflict",  "cutoff",
                                         "cap",         "budget" };
    struct telling t = { .s = s,
                         .ev = s->ev,
                         .w = w,
                         .phase = names[phase],
                         .in_full = s->ev->call->why_not->in_full,
                         .goals.most = WHY_NOT_GOALS };
    mgi_strmap_init(&t.goals.seen);
    mgi_jw_begin_array(w);
    write_phase(&t, s->tool, phase);
    mgi_jw_end_array(w);
    mgi_strmap_fini(&t.goals.seen);
}
