/* Proof hints: why each returned tool was chosen, which relevant ones lost, which facts did nothing
 * (protocol.md 2.15, D-35, D-62).
 *
 * What is shown is decided by one question per predicate, mgi_pred_visible(): the domain's own
 * predicates and the ones the pipeline invites it to define. The pipeline's inner steps are left
 * out and their children lifted; what policy says is left out with everything below it. Values are
 * printed only if the client knows them already (it sent them, or they are names in this answer),
 * so that facts of the server cannot leak through a proof. */
#include <stdlib.h>

#include "intent/proof_int.h"

#define MAX_NODES      256 /* of one tree */
#define MAX_EXCLUSIONS 256 /* tools whose exclusion is looked into */

enum shown mgi_pred_visible(const struct evaluation *ev, mangle_pred pred)
{
    mangle_value none[1];
    switch (ev->s->pred_layers[pred]) {
    case LAYER_POLICY:
        return CUT;
    case LAYER_PIPELINE:
        return mangle_pred_descriptor(ev->s->program, pred, "open_to", none, 1) == SIZE_MAX ? LIFTED
                                                                                            : SHOWN;
    default:
        return SHOWN;
    }
}

static bool is_client_fact(const struct evaluation *ev, const struct mangle_proof *p)
{
    return p->kind == MANGLE_PROOF_SESSION && mgi_pred_visible(ev, p->fact.pred) == SHOWN;
}

bool mgi_proof_first_visit(struct proof_walk *w, const struct mangle_proof *p)
{
    if (mgi_strmap_get(&w->seen, str_of(p->id), NULL))
        return false;
    bool ok = mgi_strmap_put(&w->seen, str_of(p->id), 0);
    w->ev->nomem |= !ok;
    return ok;
}

static void add_to_chain(struct proof_walk *w, mangle_pred pred)
{
    for (size_t i = 0; i < w->chain_count; i++)
        if (w->chain[i] == pred)
            return;
    if (w->chain_count < MAX_CHAIN)
        w->chain[w->chain_count++] = pred;
}

static void add_support(struct proof_walk *w, const struct mangle_fact *f)
{
    if (mgi_arena_grow(w->ev->arena, &w->support, &w->support_cap, w->support_count + 1,
                       sizeof(struct mangle_fact *)))
        w->support[w->support_count++] = f;
    else
        w->ev->nomem = true;
}

/* Depth is bounded by the explanation's own (64). */
void mgi_proof_collect(struct proof_walk *w, const struct mangle_proof *p)
{
    if (p->kind == MANGLE_PROOF_ABSENT || !mgi_proof_first_visit(w, p))
        return;
    enum shown shown = mgi_pred_visible(w->ev, p->fact.pred);
    if (shown == CUT)
        return;
    bool derived = p->kind == MANGLE_PROOF_DERIVED || p->kind == MANGLE_PROOF_AGGREGATE ||
                   p->kind == MANGLE_PROOF_LET;
    bool decision = w->ev->s->pred_layers[p->fact.pred] == LAYER_PIPELINE;
    if (shown == SHOWN && (derived || decision))
        add_to_chain(w, p->fact.pred);
    if (is_client_fact(w->ev, p))
        add_support(w, &p->fact);
    for (size_t i = 0; i < p->premise_count; i++)
        mgi_proof_collect(w, p->premises[i]);
}

/* ---- printing values ---------------------------------------------------------------------- */

static struct str key_of(const mangle_value *v)
{
    return (struct str){ (const char *)v, sizeof *v };
}

static void read_known(struct evaluation *ev, struct strmap *known)
{
    for (size_t i = 0; i < ev->facts.count; i++)
        for (uint32_t k = 0; k < ev->facts.facts[i].count && !ev->nomem; k++)
            ev->nomem |= !mgi_strmap_put(known, key_of(&ev->facts.facts[i].args[k]), 0);
}

static bool client_knows(const struct proof_walk *walk, mangle_value v)
{
    const struct evaluation *ev = walk->ev;
    if (mangle_kind_of(ev->values, v) == MANGLE_NUMBER ||
        mgi_strmap_get(walk->known, key_of(&v), NULL))
        return true;
    if (str_eq(mgi_ev_text(ev, v), ev->request.name))
        return true;
    for (size_t i = 0; i < ev->choice_count; i++)
        if (ev->choices[i].tool->value == v)
            return true;
    return false;
}

static void write_atom(const struct proof_walk *walk, struct json_writer *w,
                       const struct mangle_fact *f)
{
    struct evaluation *ev = walk->ev;
    struct buf text = { 0 };
    mgi_buf_puts(&text, mangle_program_pred(ev->s->program, f->pred).name);
    mgi_buf_putc(&text, '(');
    for (uint32_t i = 0; i < f->count; i++) {
        if (i > 0)
            mgi_buf_putc(&text, ',');
        if (!client_knows(walk, f->args[i])) {
            mgi_buf_putc(&text, '_');
            continue;
        }
        size_t len;
        char *value = mangle_value_print(ev->values, f->args[i], MANGLE_CANONICAL, &len);
        ev->nomem |= !value;
        mgi_buf_puts(&text, value ? value : "_");
        mangle_free(value);
    }
    mgi_buf_putc(&text, ')');
    mgi_jw_member_str(w, "fact", mgi_buf_view(&text));
    ev->nomem |= text.oom;
    mgi_buf_fini(&text);
}

/* ---- tree --------------------------------------------------------------------------------- */

static bool has_shown_child(const struct evaluation *ev, const struct mangle_proof *p)
{
    for (size_t i = 0; i < p->premise_count; i++) {
        const struct mangle_proof *c = p->premises[i];
        enum shown shown = mgi_pred_visible(ev, c->fact.pred);
        if (c->kind != MANGLE_PROOF_ABSENT &&
            (shown == SHOWN || (shown == LIFTED && has_shown_child(ev, c))))
            return true;
    }
    return false;
}

static void write_children(struct proof_walk *walk, struct json_writer *w,
                           const struct mangle_proof *p)
{
    for (size_t i = 0; i < p->premise_count && walk->nodes < MAX_NODES; i++) {
        const struct mangle_proof *c = p->premises[i];
        if (c->kind == MANGLE_PROOF_ABSENT)
            continue;
        switch (mgi_pred_visible(walk->ev, c->fact.pred)) {
        case SHOWN:
            mgi_proof_node_write(walk, w, c);
            break;
        case LIFTED:
            write_children(walk, w, c);
            break;
        case CUT:
            break;
        }
    }
}

void mgi_proof_node_write(struct proof_walk *walk, struct json_writer *w,
                          const struct mangle_proof *p)
{
    const char *type = p->kind == MANGLE_PROOF_GIVEN     ? "server"
                       : p->kind == MANGLE_PROOF_SESSION ? "session"
                                                         : "derived";
    walk->nodes++;
    mgi_jw_begin_object(w);
    write_atom(walk, w, &p->fact);
    mgi_jw_member_cstr(w, "type", type);
    if (has_shown_child(walk->ev, p)) {
        mgi_jw_key(w, "children");
        mgi_jw_begin_array(w);
        write_children(walk, w, p);
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

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
    write_children(walk, w, p);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
    walk->ev->nomem |= text.oom;
    mgi_buf_fini(&text);
}

/* ---- derivations -------------------------------------------------------------------------- */

const struct mangle_proof *mgi_proof_find(struct evaluation *ev, const struct mangle_fact *f)
{
    const struct mangle_proof *proof = NULL;
    struct mangle_error error;
    if (mangle_overlay_explain(ev->overlay, f, 0, &proof, &error) == MANGLE_ERR_NOMEM)
        ev->nomem = true;
    return proof;
}

/* The root that lends the tool its score; its own, if it is one. */
static const struct root *root_behind(const struct evaluation *ev, const struct choice *c)
{
    const struct root *best = NULL;
    for (size_t i = 0; i < ev->root_count; i++) {
        const struct root *r = &ev->roots[i];
        for (size_t k = 0; r->kept && k < r->bundle_count; k++)
            if (r->bundle[k].tool == c->tool && (r->tool == c->tool || !best))
                best = r;
    }
    return best;
}

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

void mgi_proof_support_write(struct proof_walk *walk, struct json_writer *w)
{
    struct evaluation *ev = walk->ev;
    mgi_jw_key(w, "supporting_facts");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < walk->support_count; i++) {
        const struct mangle_fact *f = walk->support[i];
        bool always = f->t.start_ns == MANGLE_MIN_TIME && f->t.end_ns == MANGLE_MAX_TIME;
        mgi_fact_write(w, ev->values, str_of(mangle_program_pred(ev->s->program, f->pred).name),
                       f->args, f->count, f->temporal && !always ? &f->t : NULL, NULL, NULL);
    }
    mgi_jw_end_array(w);
}

/* Through all that brought the tool. Its proof, or NULL. */
static const struct mangle_proof *walk_choice(struct proof_walk *walk, const struct choice *c)
{
    struct evaluation *ev = walk->ev;
    const struct root *root = root_behind(ev, c);
    const struct mangle_fact *fact = root ? candidacy(ev, root) : NULL;
    const struct mangle_proof *proof = fact ? mgi_proof_find(ev, fact) : NULL;
    if (root && root->tool != c->tool) {
        mangle_pred requires = mangle_pred_find(ev->s->program, "tool_requires", 2);
        if (requires != MANGLE_NO_PRED)
            add_to_chain(walk, requires);
    }
    if (proof)
        mgi_proof_collect(walk, proof);
    collect_skills(walk, c);
    return proof;
}

void mgi_source_rules_find(struct evaluation *ev, struct choice *c)
{
    struct proof_walk walk = { .ev = ev };
    mgi_strmap_init(&walk.seen);
    walk_choice(&walk, c);
    const char **names = mgi_arena_calloc(ev->arena, walk.chain_count + 1, sizeof *names);
    for (size_t i = 0; names && i < walk.chain_count; i++)
        names[i] = mangle_program_pred(ev->s->program, walk.chain[i]).name;
    ev->nomem |= !names;
    c->source_rules = names;
    c->source_rule_count = names ? walk.chain_count : 0;
    mgi_strmap_fini(&walk.seen);
}

static void write_derivation(struct evaluation *ev, struct json_writer *w, const struct choice *c,
                             const struct strmap *known, bool *used)
{
    struct proof_walk walk = { .ev = ev, .known = known };
    mgi_strmap_init(&walk.seen);
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
    mgi_strmap_fini(&walk.seen);
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

/* What speaks against a tool that other rules speak for rests on these facts of the client. */
static void mark_used(struct proof_walk *walk, const struct mangle_proof *p, bool *used)
{
    if (!mgi_proof_first_visit(walk, p))
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

/* Facts that took a tool out have been used, too: its own candidacy, and what bars it. */
static void use_in_exclusions(struct evaluation *ev, const struct strmap *known, bool *used)
{
    const mangle_pred against[] = {
        ev->s->pred.candidate,
        mangle_pred_find(ev->s->program, "unusable", 1),
        mangle_pred_find(ev->s->program, "torn", 1),
    };
    struct proof_walk walk = { .ev = ev, .known = known };
    mgi_strmap_init(&walk.seen);
    size_t count, facts;
    const struct mangle_fact *f = mgi_ev_facts(ev, ev->s->pred.candidate, &count);
    for (size_t i = 0, tools = 0; i < count && tools < MAX_EXCLUSIONS; i++) {
        if (is_choice(ev, f[i].args[0]) || (i > 0 && f[i].args[0] == f[i - 1].args[0]))
            continue;
        tools++;
        for (size_t k = 0; k < sizeof against / sizeof *against; k++) {
            const struct mangle_fact *g = mgi_ev_match(ev, against[k], f[i].args[0], &facts);
            const struct mangle_proof *proof = facts > 0 ? mgi_proof_find(ev, &g[0]) : NULL;
            if (proof)
                mark_used(&walk, proof, used);
        }
    }
    mgi_strmap_fini(&walk.seen);
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
    struct strmap known;
    mgi_strmap_init(&known);
    read_known(ev, &known);
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "derivations");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < ev->choice_count; i++)
        write_derivation(ev, w, &ev->choices[i], &known, used);
    mgi_jw_end_array(w);
    use_in_exclusions(ev, &known, used);
    mgi_refused_write(ev, w, &known);
    mgi_strmap_fini(&known);
    write_excluded(ev, w);
    write_unmatched(ev, w, used);
    mgi_jw_end_object(w);
}
