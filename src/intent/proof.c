/* Proof hints: why each returned tool was chosen, which relevant ones lost, which facts did nothing
 * (protocol.md 2.15, D-35, D-62).
 *
 * What is shown is decided by one question per predicate, mgi_snapshot_shows(): the domain's own
 * predicates and the ones the pipeline invites it to define. The pipeline's inner steps are left
 * out and their children lifted; what policy says is left out with everything below it. Values are
 * printed only if the client knows them already (a fact of its own in the same proof has them, or
 * they are names in this answer), so that facts of the server cannot leak through a proof. */
#include <stdlib.h>

#include "intent/proof_int.h"

#define MAX_EXCLUSIONS 256 /* tools whose exclusion is looked into */

static void write_tree(struct proof_walk *walk, struct json_writer *w, const struct choice *c,
                       const struct mangle_proof *p)
{
    struct buf text = { 0 };
    mgi_buf_printf(&text, "selected_tool(\"%.*s\")", STR_ARG(c->tool->name));
    mgi_jw_key(w, "tree");
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "fact", mgi_buf_view(&text));
    mgi_jw_member_cstr(w, "type", "derived");
    mgi_jw_key(w, "children");
    mgi_jw_begin_array(w);
    mgi_proof_children_write(walk, w, p);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
    walk->ev->nomem |= text.oom;
    mgi_buf_fini(&text);
}

/* ---- derivations -------------------------------------------------------------------------- */

/* The candidacy with the root's class and the highest score: the last of the class, facts are
 * sorted. */
static const struct mangle_fact *candidacy(struct evaluation *ev, const struct root *r)
{
    size_t count;
    const struct mangle_fact *f = mgi_ev_match(ev, ev->s->pred.candidate, r->tool->value, &count);
    const struct mangle_fact *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (mangle_kind_of(ev->values, f[i].args[1]) == MANGLE_NUMBER &&
            mangle_int_of(ev->values, f[i].args[1]) == r->class_)
            best = &f[i];
    return best;
}

static void collect_skills(struct proof_walk *walk, const struct choice *c)
{
    struct evaluation *ev = walk->ev;
    size_t count;
    const struct mangle_fact *f =
        c->skill_count ? mgi_ev_match(ev, ev->s->pred.tool_skill, c->tool->value, &count) : NULL;
    for (size_t i = 0; f && i < count; i++) {
        const struct mangle_proof *p = mgi_proof_find(ev, &f[i]);
        if (p)
            mgi_proof_collect(walk, p);
    }
}

/* Through all that brought the tool. Its proof, or NULL. */
static const struct mangle_proof *walk_choice(struct proof_walk *walk, const struct choice *c)
{
    struct evaluation *ev = walk->ev;
    const struct root *root = c->behind;
    const struct mangle_fact *fact = root ? candidacy(ev, root) : NULL;
    const struct mangle_proof *proof = fact ? mgi_proof_find(ev, fact) : NULL;
    if (root && root->tool != c->tool) {
        mangle_pred requires = mangle_pred_find(ev->s->program, "tool_requires", 2);
        if (requires != MANGLE_NO_PRED)
            mgi_proof_chain_add(walk, requires);
    }
    if (proof)
        mgi_proof_collect(walk, proof);
    collect_skills(walk, c);
    return proof;
}

static void write_derivation(struct evaluation *ev, struct json_writer *w, const struct choice *c,
                             bool *used)
{
    struct proof_walk walk;
    mgi_proof_walk_init(&walk, ev);
    const struct mangle_proof *proof = walk_choice(&walk, c);

    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "macro_id", c->macro.macro_id);
    mgi_jw_member_str(w, "selected_by", c->phase);
    mgi_jw_member_int(w, "score", c->score);
    mgi_proof_support_write(&walk, w);
    mgi_jw_key(w, "rule_chain");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < walk.chain_count; i++)
        mgi_jw_cstring(w, mangle_program_pred(ev->s->program, walk.chain[i]).name);
    mgi_jw_end_array(w);
    if (proof)
        write_tree(&walk, w, c, proof);
    mgi_jw_end_object(w);
    for (size_t i = 0; i < walk.support_count; i++)
        used[walk.support[i]->pred] = true;
    mgi_proof_walk_fini(&walk);
}

/* ---- what lost, what did nothing ----------------------------------------------------------- */

struct exclusion {
    const struct tool *tool;
    struct str by, reason;
};

static void add_exclusion(struct evaluation *ev, struct exclusion *list, size_t *count,
                          const struct tool *tool, struct str by, struct str reason)
{
    if (!tool)
        return;
    for (size_t i = 0; i < ev->choice_count; i++)
        if (ev->choices[i].tool == tool)
            return; /* lost as a root, and came in with another one */
    for (size_t i = 0; i < *count; i++)
        if (list[i].tool == tool)
            return;
    list[(*count)++] = (struct exclusion){ tool, by, reason };
}

static int compare_exclusions(const void *x, const void *y)
{
    const struct exclusion *a = x, *b = y;
    return (a->tool->rank > b->tool->rank) - (a->tool->rank < b->tool->rank);
}

static void write_excluded(struct evaluation *ev, struct json_writer *w)
{
    static const char *const by[] = { "", "conflict", "disclosure", "disclosure", "disclosure" };
    static const char *const why[] = { "", "a tool that ranks higher serves the same purpose",
                                       "its score is below the lowest level that is shown",
                                       "max_tools_returned left no room for it",
                                       "the token budget left no room for it" };
    struct exclusion *list = mgi_arena_calloc(ev->arena, ev->s->tool_count + 1, sizeof *list);
    size_t count = 0, facts;
    if (!list) {
        ev->nomem = true;
        return;
    }
    for (size_t i = 0; i < ev->root_count; i++)
        if (ev->roots[i].lost > LOST_CONFLICT)
            add_exclusion(ev, list, &count, ev->roots[i].tool, str_of(by[ev->roots[i].lost]),
                          str_of(why[ev->roots[i].lost]));
    const struct mangle_fact *f = mgi_ev_facts(ev, ev->s->pred.excluded, &facts);
    for (size_t i = 0; i < facts; i++)
        add_exclusion(ev, list, &count, mgi_snapshot_tool_of(ev->s, f[i].args[0]),
                      mgi_ev_text(ev, f[i].args[1]), mgi_ev_text(ev, f[i].args[2]));
    for (size_t i = 0; i < ev->root_count; i++)
        if (ev->roots[i].lost == LOST_CONFLICT)
            add_exclusion(ev, list, &count, ev->roots[i].tool, str_of(by[LOST_CONFLICT]),
                          str_of(why[LOST_CONFLICT]));
    if (count > 1)
        qsort(list, count, sizeof *list, compare_exclusions);
    mgi_jw_key(w, "excluded");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "candidate", list[i].tool->name);
        mgi_jw_member_str(w, "excluded_by", list[i].by);
        mgi_jw_member_str(w, "reason", list[i].reason);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

/* What speaks against a tool that other rules speak for rests on these facts of the client. What
 * policy joins them with is none of a stranger's business. */
static void mark_used(struct proof_walk *walk, const struct mangle_proof *p, bool *used)
{
    bool told = mgi_snapshot_shows(walk->ev->s, p->fact.pred) != CUT ||
                mgi_principal_may_ask_why(walk->ev->call->who);
    if (!told || !mgi_proof_first_visit(walk, p))
        return;
    if (p->kind == MANGLE_PROOF_SESSION)
        used[p->fact.pred] = true;
    for (size_t i = 0; i < p->premise_count; i++)
        mark_used(walk, p->premises[i], used);
}

static bool is_choice(const struct evaluation *ev, mangle_value tool)
{
    for (size_t i = 0; i < ev->choice_count; i++)
        if (ev->choices[i].tool->value == tool)
            return true;
    return false;
}

/* May this caller hear of it? Of what is barred only who may ask for reasons. */
static bool is_told_of(struct evaluation *ev, mangle_value tool)
{
    size_t count;
    bool lost = false;
    for (size_t i = 0; i < ev->root_count && !lost; i++)
        lost = ev->roots[i].tool->value == tool;
    return lost || mgi_principal_may_ask_why(ev->call->who) ||
           (mgi_ev_match(ev, ev->s->pred.excluded, tool, &count) && count > 0);
}

/* Facts that took a tool out have been used, too: its own candidacy, and what bars it. */
static void use_in_exclusions(struct evaluation *ev, bool *used)
{
    const mangle_pred against[] = {
        ev->s->pred.candidate,
        mangle_pred_find(ev->s->program, "unusable", 1),
        mangle_pred_find(ev->s->program, "torn", 1),
    };
    struct proof_walk walk;
    mgi_proof_walk_init(&walk, ev);
    size_t count, facts;
    const struct mangle_fact *f = mgi_ev_facts(ev, ev->s->pred.candidate, &count);
    for (size_t i = 0, tools = 0; i < count && tools < MAX_EXCLUSIONS; i++) {
        if (is_choice(ev, f[i].args[0]) || (i > 0 && f[i].args[0] == f[i - 1].args[0]) ||
            !is_told_of(ev, f[i].args[0]))
            continue;
        tools++;
        for (size_t k = 0; k < sizeof against / sizeof *against; k++) {
            const struct mangle_fact *g = mgi_ev_match(ev, against[k], f[i].args[0], &facts);
            const struct mangle_proof *proof = facts > 0 ? mgi_proof_find(ev, &g[0]) : NULL;
            if (proof)
                mark_used(&walk, proof, used);
        }
    }
    mgi_proof_walk_fini(&walk);
}

static bool some_rule_reads(const mangle_program *p, mangle_pred pred)
{
    for (size_t i = 0; i < mangle_program_rule_count(p); i++) {
        struct mangle_rule_view r = mangle_program_rule(p, i);
        for (size_t k = 0; k < r.body_count; k++)
            if (r.body[k] == pred)
                return true;
    }
    return false;
}

static int compare_texts(const void *x, const void *y)
{
    return mgi_str_compare(*(const struct str *)x, *(const struct str *)y);
}

static void write_unmatched(struct evaluation *ev, struct json_writer *w, const bool *used)
{
    struct str *names = mgi_arena_calloc(ev->arena, ev->facts.count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; names && i < ev->facts.count; i++) {
        const struct wire_fact *f = &ev->facts.facts[i];
        if (f->schema ? !used[f->schema->pred] : !str_is(f->pred, "disclosure_upgrade"))
            names[count++] = f->pred;
    }
    if (!names) {
        ev->nomem = true;
        return;
    }
    if (count > 1)
        qsort(names, count, sizeof *names, compare_texts);
    mgi_jw_key(w, "unmatched_facts");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && str_eq(names[i], names[i - 1]))
            continue;
        const struct pred_schema *schema = mgi_profile_find(&ev->s->profile, names[i]);
        bool read = schema && some_rule_reads(ev->s->program, schema->pred);
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "pred", names[i]);
        mgi_jw_member_cstr(w, "reason",
                           read ? "it took part in the choice of no returned tool"
                                : "no rule uses it");
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

void mgi_proof_write(struct evaluation *ev, struct json_writer *w)
{
    bool *used =
        mgi_arena_calloc(ev->arena, mangle_program_pred_count(ev->s->program) + 1, sizeof *used);
    if (!used) {
        ev->nomem = true;
        mgi_jw_null(w);
        return;
    }
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "derivations");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < ev->choice_count; i++)
        write_derivation(ev, w, &ev->choices[i], used);
    mgi_jw_end_array(w);
    use_in_exclusions(ev, used);
    mgi_refused_write(ev, w);
    write_excluded(ev, w);
    write_unmatched(ev, w, used);
    mgi_jw_end_object(w);
}
