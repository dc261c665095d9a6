/* Privileged predicates hold only on grounds that the host vouches for.
 *
 * What overlays are given may be hearsay: whoever asks says so, and nobody else does. A predicate
 * is *tainted* if facts of it may rest on hearsay, by any rule and however far away. The rules of a
 * privileged predicate are changed so that hearsay is not there for them: each tainted predicate
 * that they read gets a copy, filled from facts that are vouched for by copies of its rules, and
 * they read the copy. So whether a privileged fact holds is decided by ordinary evaluation, on all
 * derivations at once; no proof has to be searched, none can be missed, and proofs, windows and
 * "why not" need to know nothing of it.
 *
 *     approved(X) :- reviewed(X), known(X).         approved(X) :- reviewed'(X), known(X).
 *     reviewed(X) :- signed(X, _).                  reviewed(X) :- signed(X, _).
 *                                                   reviewed'(X) :- signed'(X, _).
 *
 * Silence grants nothing: a rule that negates or groups what is tainted, binds the ends of its
 * intervals or reads its best value (M-EVAL-40) could be made to derive by leaving something out,
 * so it has no copy; as a rule of the privileged predicate itself it is an error.
 *
 * And each privileged predicate gets a second copy, its *claims*: the same rules over everything
 * that was said. What is claimed and does not hold is what was refused.
 *
 * Copies have the name of their original, so that whatever is printed reads as it was written; they
 * stand behind all predicates and rules of the sources and are not counted among them. A program
 * without privileged predicates has none, and nothing of this costs it anything. */
#include "base/alloc.h"
#include "mangle/check/check.h"
#include "mangle/program/diag.h"

struct trust {
    mangle_program *p;
    mangle_diags *diags;
    enum mangle_trust *kinds; /* of the host, per predicate */
    bool *tainted;            /* per predicate */
    size_t preds, rules;      /* of the sources */
    bool *rule_barred;        /* per rule: it reads silence; in the program's arena */
    mangle_pred *wanted;      /* predicates that get a copy, in the order of finding */
    size_t wanted_count;
};

static bool reads_facts(const struct premise *m)
{
    return (m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) &&
           m->atom.pred != MANGLE_NO_PRED;
}

/* ---- what hearsay reaches -------------------------------------------------------------------- */

static bool rule_is_tainted(const struct trust *t, const struct clause *c)
{
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (reads_facts(&c->premises[i]) && t->tainted[c->premises[i].atom.pred])
            return true;
    return false;
}

/* Overlays are given its facts, or the host is asked for them: whether or not it is known yet who
 * answers. */
static bool comes_from_outside(const mangle_program *p, mangle_pred pred)
{
    return p->preds[pred].assertable || p->preds[pred].external ||
           mangle_pred_descriptor(p, pred, "external", NULL, 0) != SIZE_MAX;
}

static void find_tainted(struct trust *t)
{
    const mangle_program *p = t->p;
    for (size_t i = 0; i < p->pred_count; i++)
        t->tainted[i] = t->kinds[i] == MANGLE_HEARSAY && comes_from_outside(p, (mangle_pred)i);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t r = 0; r < p->rule_count; r++) {
            mangle_pred head = p->rules[r]->head.pred;
            if (t->kinds[head] == MANGLE_PRIVILEGED || t->tainted[head] ||
                !rule_is_tainted(t, p->rules[r]))
                continue;
            t->tainted[head] = changed = true;
        }
    }
}

/* ---- silence --------------------------------------------------------------------------------- */

static bool binds_ends(const struct premise *m)
{
    return m->kind == PREMISE_TEMPORAL && m->annotation.present &&
           (m->annotation.start.kind == BOUND_VAR || m->annotation.end.kind == BOUND_VAR);
}

/* What of a tainted premise may come out by leaving something unsaid; NULL: nothing. */
static const char *silence_read(const struct trust *t, const struct clause *c,
                                const struct premise *m)
{
    if (!reads_facts(m) || !t->tainted[m->atom.pred])
        return NULL;
    if (m->negated)
        return "the absence of";
    if (c->transform && c->transform->is_do)
        return "a group of";
    if (binds_ends(m))
        return "the bounds of";
    return t->p->preds[m->atom.pred].lattice ? "the best value of" : NULL;
}

static void report_silence(struct trust *t, const struct clause *c, const struct premise *m,
                           const char *what)
{
    const struct pred *pred = &t->p->preds[c->head.pred];
    mgi_diags_anchor(t->diags, &c->span);
    mgi_diag(t->diags, t->p, MANGLE_ERROR, "PRIVILEGED", m->span,
             "Rest it on what the host vouches for, or decide in a rule that reads this predicate.",
             "\"%.*s\" is privileged: it cannot rest on %s \"%.*s\", which whoever asks decides by "
             "what they leave out",
             STR_ARG(pred->name), what, STR_ARG(m->atom.name));
    mgi_diags_anchor(t->diags, NULL);
}

static void find_silence(struct trust *t)
{
    for (size_t r = 0; r < t->p->rule_count; r++) {
        const struct clause *c = t->p->rules[r];
        for (uint32_t i = 0; i < c->premise_count; i++) {
            const char *what = silence_read(t, c, &c->premises[i]);
            if (!what)
                continue;
            t->rule_barred[r] = true;
            if (t->kinds[c->head.pred] == MANGLE_PRIVILEGED)
                report_silence(t, c, &c->premises[i], what);
        }
    }
}

/* ---- copies of predicates -------------------------------------------------------------------- */

static void want_premises(struct trust *t, bool *seen, const struct clause *c)
{
    for (uint32_t i = 0; i < c->premise_count; i++) {
        mangle_pred pred = c->premises[i].atom.pred;
        if (!reads_facts(&c->premises[i]) || !t->tainted[pred] || seen[pred])
            continue;
        seen[pred] = true;
        t->wanted[t->wanted_count++] = pred;
    }
}

/* Whatever privileged rules read, directly or through rules that may vouch. */
static void find_wanted(struct trust *t, bool *seen)
{
    const mangle_program *p = t->p;
    for (size_t r = 0; r < p->rule_count; r++)
        if (t->kinds[p->rules[r]->head.pred] == MANGLE_PRIVILEGED)
            want_premises(t, seen, p->rules[r]);
    for (size_t done = 0; done < t->wanted_count; done++)
        for (size_t r = 0; r < p->rule_count; r++)
            if (p->rules[r]->head.pred == t->wanted[done] && !t->rule_barred[r])
                want_premises(t, seen, p->rules[r]);
}

/* Can anything of it be refused? What is called on demand has no list of facts to look at. */
static bool may_be_claimed(const struct trust *t, mangle_pred pred)
{
    const mangle_program *p = t->p;
    if (t->kinds[pred] != MANGLE_PRIVILEGED || p->preds[pred].deferred)
        return false;
    if (p->preds[pred].assertable)
        return true;
    for (size_t r = 0; r < p->rule_count; r++)
        if (p->rules[r]->head.pred == pred && rule_is_tainted(t, p->rules[r]))
            return true;
    return false;
}

/* It is derived as soon as it has a rule; see copy_rule(). The host is not asked for it: what it
 * answers is the hearsay. */
static mangle_pred copy_pred(mangle_program *p, mangle_pred pred)
{
    if (!mgi_grow(&p->preds, &p->pred_cap, p->pred_count + 1, sizeof *p->preds))
        return MANGLE_NO_PRED;
    mangle_pred copy = (mangle_pred)p->pred_count++;
    p->copied_preds++;
    p->preds[copy] = p->preds[pred];
    p->preds[copy].derived = false;
    p->preds[copy].external = NULL;
    p->preds[copy].original = pred;
    return copy;
}

static bool copy_preds(struct trust *t)
{
    mangle_program *p = t->p;
    for (size_t i = 0; i < t->wanted_count; i++) {
        mangle_pred copy = copy_pred(p, t->wanted[i]);
        if (copy == MANGLE_NO_PRED)
            return false;
        p->preds[t->wanted[i]].vouched = copy;
    }
    for (mangle_pred i = 0; i < t->preds; i++) {
        if (!may_be_claimed(t, i))
            continue;
        mangle_pred copy = copy_pred(p, i);
        if (copy == MANGLE_NO_PRED)
            return false;
        p->preds[i].claimed = copy;
    }
    return true;
}

/* ---- copies of rules ------------------------------------------------------------------------- */

/* Its premises where hearsay is not there. False: memory. */
static bool vouch_premises(const struct trust *t, struct clause *c)
{
    mangle_program *p = t->p;
    struct premise *premises =
        mgi_arena_calloc(&p->arena, (size_t)c->premise_count + 1, sizeof *premises);
    if (!premises)
        return false;
    for (uint32_t i = 0; i < c->premise_count; i++) {
        premises[i] = c->premises[i];
        if (reads_facts(&premises[i]) && t->tainted[premises[i].atom.pred])
            premises[i].atom.pred = p->preds[premises[i].atom.pred].vouched;
    }
    c->premises = premises;
    return true;
}

/* Rule `r` again, for `head`, from what is vouched for or from everything. */
static bool copy_rule(const struct trust *t, size_t r, mangle_pred head, bool vouched)
{
    mangle_program *p = t->p;
    struct clause *c = mgi_arena_calloc(&p->arena, 1, sizeof *c);
    if (!c)
        return false;
    *c = *p->rules[r];
    c->head.pred = head;
    if (vouched && !vouch_premises(t, c))
        return false;
    p->preds[head].derived = true;
    p->rules[p->rule_count] = c;
    p->rule_texts[p->rule_count] = p->rule_texts[r];
    p->rule_bodies[p->rule_count] = p->rule_bodies[r];
    p->rule_body_counts[p->rule_count] = p->rule_body_counts[r];
    p->rule_origins[p->rule_count] = (uint32_t)r;
    p->rule_count++;
    p->copied_rules++;
    return true;
}

/* At most one copy for each rule: a head is privileged, or tainted, or neither. */
static bool room_for_copies(mangle_program *p)
{
    size_t old = p->rule_count, count = 2 * old + 1;
    const struct clause **rules = mgi_arena_calloc(&p->arena, count, sizeof *rules);
    const char **texts = mgi_arena_calloc(&p->arena, count, sizeof *texts);
    mangle_pred **bodies = mgi_arena_calloc(&p->arena, count, sizeof *bodies);
    uint32_t *body_counts = mgi_arena_calloc(&p->arena, count, sizeof *body_counts);
    p->rule_origins = mgi_arena_calloc(&p->arena, count, sizeof *p->rule_origins);
    if (!rules || !texts || !bodies || !body_counts || !p->rule_origins)
        return false;
    for (size_t r = 0; r < old; r++) {
        rules[r] = p->rules[r];
        texts[r] = p->rule_texts[r];
        bodies[r] = p->rule_bodies[r];
        body_counts[r] = p->rule_body_counts[r];
        p->rule_origins[r] = (uint32_t)r;
    }
    p->rules = rules;
    p->rule_texts = texts;
    p->rule_bodies = bodies;
    p->rule_body_counts = body_counts;
    return true;
}

/* Claims are copied first: after that the rules of privileged predicates read no hearsay. */
static bool copy_rules(struct trust *t)
{
    mangle_program *p = t->p;
    if (!room_for_copies(p))
        return false;
    for (size_t r = 0; r < t->rules; r++) {
        const struct pred *head = &p->preds[p->rules[r]->head.pred];
        if (head->claimed != MANGLE_NO_PRED && !copy_rule(t, r, head->claimed, false))
            return false;
        head = &p->preds[p->rules[r]->head.pred];
        if (head->vouched != MANGLE_NO_PRED && !t->rule_barred[r] &&
            !copy_rule(t, r, head->vouched, true))
            return false;
    }
    for (size_t r = 0; r < t->rules; r++)
        if (t->kinds[p->rules[r]->head.pred] == MANGLE_PRIVILEGED &&
            !vouch_premises(t, &p->clauses[p->rules[r] - p->clauses]))
            return false;
    return true;
}

/* What the program itself says is vouched for. A base gives its facts to copies; those that read
 * `now` are given by each overlay, from here. */
static bool copy_facts(mangle_program *p)
{
    size_t count = p->fact_count;
    for (size_t i = 0; i < count; i++) {
        mangle_pred copy = p->preds[p->facts[i].pred].vouched;
        if (copy == MANGLE_NO_PRED || !p->facts[i].reads_now)
            continue;
        if (!mgi_grow(&p->facts, &p->fact_cap, p->fact_count + 1, sizeof *p->facts))
            return false;
        p->facts[p->fact_count] = p->facts[i];
        p->facts[p->fact_count++].pred = copy;
    }
    return true;
}

/* ---- the stage ------------------------------------------------------------------------------- */

static bool ask_host(struct trust *t, const struct mangle_compile_options *options)
{
    bool any = false;
    for (size_t i = 0; i < t->p->pred_count; i++) {
        t->kinds[i] = options->trust(options->trust_context, t->p, (mangle_pred)i);
        any |= t->kinds[i] == MANGLE_PRIVILEGED;
    }
    return any;
}

static void keep_verdicts(const struct trust *t)
{
    for (size_t i = 0; i < t->preds; i++) {
        t->p->preds[i].tainted = t->tainted[i];
        t->p->preds[i].privileged = t->kinds[i] == MANGLE_PRIVILEGED;
    }
    t->p->rule_barred = t->rule_barred;
}

static enum mangle_status separate(struct trust *t, bool *seen)
{
    mangle_program *p = t->p;
    find_tainted(t);
    find_silence(t);
    if (mgi_diags_status(t->diags)) /* nothing will run */
        return MANGLE_OK;
    find_wanted(t, seen);
    keep_verdicts(t);
    if (!copy_preds(t) || !copy_rules(t) || !copy_facts(p))
        return MANGLE_ERR_NOMEM;
    return mgi_stratify_again(p);
}

enum mangle_status mgi_separate_trust(mangle_program *p,
                                      const struct mangle_compile_options *options,
                                      mangle_diags *diags)
{
    struct trust t = { .p = p, .diags = diags, .preds = p->pred_count, .rules = p->rule_count };
    struct arena scratch;
    if (!options || !options->trust)
        return MANGLE_OK;
    mgi_arena_init(&scratch, 0);
    t.kinds = mgi_arena_calloc(&scratch, p->pred_count + 1, sizeof *t.kinds);
    t.tainted = mgi_arena_calloc(&scratch, p->pred_count + 1, sizeof *t.tainted);
    t.wanted = mgi_arena_calloc(&scratch, p->pred_count + 1, sizeof *t.wanted);
    t.rule_barred = mgi_arena_calloc(&p->arena, p->rule_count + 1, sizeof *t.rule_barred);
    bool *seen = mgi_arena_calloc(&scratch, p->pred_count + 1, sizeof *seen);
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (!scratch.oom && seen && t.rule_barred)
        st = ask_host(&t, options) ? separate(&t, seen) : MANGLE_OK;
    mgi_arena_fini(&scratch);
    return st;
}
