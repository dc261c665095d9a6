/* The order of a rule's premises (M-EVAL-14): premises that may fail (they have a function call, a
 * comparison, or interval variables, whose meaning depends on what is bound before) are barriers
 * and stay where they are written. Between two barriers: filters as soon as they can be tested,
 * then atoms that share a variable with what stands before (any other makes a product of the two,
 * however many of its columns are constants), of these the one with the most known columns, then as
 * written. Where the sizes of relations are known, it is instead the atom that the fewest rows are
 * expected of. The delta premise goes first if nothing before it would read another meaning into an
 * interval variable.
 *
 * What is ready stands in a heap, the best on top. The score of a premise only rises, when one of
 * its variables gets a value; then it is put in again, and what is left of it is passed over later.
 * So a body of n premises is put in order in about n steps times the logarithm, not n squared:
 * there may be n codes of such a rule. */
#include <string.h>

#include "mangle/plan/plan_int.h"

struct ready {
    int64_t score;
    uint32_t premise;
};

struct order {
    struct ready *heap;
    size_t count;
    uint32_t window;     /* premises below it may be chosen: up to the first barrier to come */
    uint32_t first;      /* those below it are placed */
    bool *seen;          /* per variable: had a value when scores were last looked at */
    uint32_t *users;     /* premises, variable by variable */
    uint32_t *users_end; /* per variable: where its users end */
};

/* ---- the order ------------------------------------------------------------------------------ */

bool mgi_premise_calls(const struct premise *m)
{
    if (m->kind == PREMISE_EQ || m->kind == PREMISE_NE)
        return mgi_term_has_call(&m->left) || mgi_term_has_call(&m->right);
    for (uint32_t i = 0; i < m->atom.count; i++)
        if (mgi_term_has_call(&m->atom.args[i]))
            return true;
    return false;
}

bool mgi_premise_has_interval_vars(const struct premise *m)
{
    if (m->kind != PREMISE_TEMPORAL)
        return false;
    if (m->annotation.present &&
        (m->annotation.start.kind == BOUND_VAR || m->annotation.end.kind == BOUND_VAR))
        return true;
    return m->window != WINDOW_NONE && (m->near.kind == BOUND_VAR || m->far.kind == BOUND_VAR);
}

static const struct pred *atom_pred(const struct planner *pl, const struct premise *m)
{
    bool atom = m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL;
    return atom ? &pl->p->preds[m->atom.pred] : NULL;
}

/* What is asked of others may fail. */
bool mgi_premise_is_deferred(const struct planner *pl, const struct premise *m)
{
    const struct pred *pred = atom_pred(pl, m);
    return pred && pred->deferred;
}

bool mgi_premise_is_external(const struct planner *pl, const struct premise *m)
{
    const struct pred *pred = atom_pred(pl, m);
    return pred && pred->external;
}

static bool is_barrier(const struct planner *pl, const struct premise *m)
{
    if (mgi_premise_calls(m) || mgi_premise_has_interval_vars(m) ||
        mgi_premise_is_deferred(pl, m) || mgi_premise_is_external(pl, m))
        return true;
    if (m->kind != PREMISE_BUILTIN)
        return false;
    return !m->atom.builtin->cannot_fail_on_kind ||
           (m->negated && m->atom.builtin->negation_fails_on_kind);
}

static bool all_known(const struct planner *pl, const struct premise *m, bool inputs_only)
{
    for (uint32_t i = 0; i < m->atom.count; i++) {
        const struct term *t = &m->atom.args[i];
        if (inputs_only && m->atom.builtin->modes[i] == MODE_OUT)
            continue;
        if (!mgi_planner_known(pl, t) && !mgi_planner_wildcard(pl, t))
            return false;
    }
    return true;
}

#define SCORE_FILTER    (INT64_C(1) << 40)
#define SCORE_LOOKUP    (INT64_C(1) << 39)
#define SCORE_JOINED    (INT64_C(1) << 38)
#define SCORE_NOT_READY (-1)

#define REQUEST_ROWS 16.0 /* what an overlay is thought to add to a relation */
#define APART_COST   4.0  /* of rows that have nothing in common with what stands before */
#define SCORE_SCALE  16.0
#define OTHERS_MAX   16 /* atoms that are looked at, to see what follows one */

/* How many rows of an atom are expected where the variables of `before`, too, have a value (NULL:
 * no other). *joined: one of its variables has. */
static double rows_expected(const struct planner *pl, const struct premise *m,
                            const struct premise *before, bool *joined)
{
    uint32_t columns[SEARCH_MAX_COLUMNS] = { 0 }, count = 0;
    *joined = false;
    for (uint32_t i = 0; i < m->atom.count && count < SEARCH_MAX_COLUMNS; i++) {
        const struct term *t = &m->atom.args[i];
        bool known = mgi_planner_known(pl, t);
        for (uint32_t j = 0; before && !known && j < before->atom.count; j++)
            known = t->kind == TERM_VAR && before->atom.args[j].kind == TERM_VAR &&
                    before->atom.args[j].var == t->var && !mgi_planner_wildcard(pl, t);
        if (known)
            columns[count++] = i;
        *joined |= known && t->kind == TERM_VAR;
    }
    const struct sizes *sizes = pl->plan->sizes;
    double rows = sizes->matching(sizes->context, m->atom.pred, columns, count);
    return pl->p->preds[m->atom.pred].changeable ? rows + (count ? 1.0 : REQUEST_ROWS) : rows;
}

static bool is_plain_atom(const struct premise *m)
{
    return (m->kind == PREMISE_ATOM || m->kind == PREMISE_TEMPORAL) && !m->negated;
}

/* What is read of the next atom, for each row of this one: of the atom that shares a variable and
 * has the fewest. */
static double rows_behind(const struct planner *pl, const struct premise *m)
{
    double fewest = -1.0;
    uint32_t end = pl->c->premise_count < OTHERS_MAX ? pl->c->premise_count : OTHERS_MAX;
    for (uint32_t i = 0; i < end; i++) {
        const struct premise *other = &pl->c->premises[i];
        bool joined;
        if (other == m || pl->placed[i] || !is_plain_atom(other) || is_barrier(pl, other))
            continue;
        double rows = rows_expected(pl, other, m, &joined);
        if (joined && (fewest < 0.0 || rows < fewest))
            fewest = rows;
    }
    return fewest < 0.0 ? 0.0 : fewest;
}

/* Fewer rows are better, and rows that are found by what is known. */
static int64_t score_by_size(const struct planner *pl, const struct premise *m)
{
    bool joined;
    double cost = rows_expected(pl, m, NULL, &joined);
    if (!joined)
        cost *= APART_COST * (1.0 + rows_behind(pl, m));
    cost *= SCORE_SCALE;
    return cost < (double)SCORE_JOINED ? SCORE_JOINED - (int64_t)cost : 0;
}

/* How soon a premise that is no barrier should be placed. */
static int64_t score(const struct planner *pl, const struct premise *m)
{
    if (m->kind == PREMISE_EQ)
        return mgi_planner_known(pl, &m->left) || mgi_planner_known(pl, &m->right)
                   ? SCORE_FILTER
                   : SCORE_NOT_READY;
    if (m->kind == PREMISE_NE)
        return mgi_planner_known(pl, &m->left) && mgi_planner_known(pl, &m->right)
                   ? SCORE_FILTER
                   : SCORE_NOT_READY;
    if (m->kind == PREMISE_BUILTIN)
        return all_known(pl, m, !m->negated) ? SCORE_FILTER : SCORE_NOT_READY;
    if (m->negated)
        return all_known(pl, m, false) ? SCORE_FILTER : SCORE_NOT_READY;
    int64_t count = 0, joined = 0;
    for (uint32_t i = 0; i < m->atom.count; i++) {
        bool known = mgi_planner_known(pl, &m->atom.args[i]);
        count += known;
        joined |= known && m->atom.args[i].kind == TERM_VAR ? SCORE_JOINED : 0;
    }
    if (count == m->atom.count)
        return SCORE_LOOKUP;
    if (pl->plan->sizes)
        return score_by_size(pl, m);
    /* In an overlay what requests bring is small, what the base has may be large. */
    const struct pred *pred = &pl->p->preds[m->atom.pred];
    int64_t small = pl->rule->per_request ? pred->assertable * 2 + pred->changeable : 0;
    return joined + count * 4 + small;
}

/* ---- what is ready --------------------------------------------------------------------------- */

static bool is_better(struct ready a, struct ready b)
{
    return a.score != b.score ? a.score > b.score : a.premise < b.premise;
}

static void put_ready(struct planner *pl, uint32_t premise)
{
    struct order *o = pl->order;
    struct ready item = { score(pl, &pl->c->premises[premise]), premise };
    if (item.score == SCORE_NOT_READY)
        return;
    size_t at = o->count++;
    for (; at > 0 && is_better(item, o->heap[(at - 1) / 2]); at = (at - 1) / 2)
        o->heap[at] = o->heap[(at - 1) / 2];
    o->heap[at] = item;
}

static struct ready take_ready(struct order *o)
{
    struct ready top = o->heap[0], last = o->heap[--o->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < o->count; at = child) {
        if (child + 1 < o->count && is_better(o->heap[child + 1], o->heap[child]))
            child++;
        if (!is_better(o->heap[child], last))
            break;
        o->heap[at] = o->heap[child];
    }
    o->heap[at] = last;
    return top;
}

/* Up to the next barrier that is not placed. */
static void widen(struct planner *pl)
{
    struct order *o = pl->order;
    for (; o->window < pl->c->premise_count; o->window++) {
        if (pl->placed[o->window])
            continue;
        if (is_barrier(pl, &pl->c->premises[o->window]))
            return;
        put_ready(pl, o->window);
    }
}

/* ---- variables ------------------------------------------------------------------------------- */

typedef void visit_var(struct planner *pl, uint32_t var, uint32_t premise);

/* The variables that a score looks at, and those that may get a value from the premise's interval.
 */
static void each_var(struct planner *pl, uint32_t premise, bool intervals, visit_var *visit)
{
    const struct premise *m = &pl->c->premises[premise];
    if (m->kind == PREMISE_EQ || m->kind == PREMISE_NE) {
        if (m->left.kind == TERM_VAR)
            visit(pl, m->left.var, premise);
        if (m->right.kind == TERM_VAR)
            visit(pl, m->right.var, premise);
        return;
    }
    for (uint32_t i = 0; i < m->atom.count; i++)
        if (m->atom.args[i].kind == TERM_VAR)
            visit(pl, m->atom.args[i].var, premise);
    if (!intervals || m->kind != PREMISE_TEMPORAL || !m->annotation.present)
        return;
    if (m->annotation.start.kind == BOUND_VAR)
        visit(pl, m->annotation.start.var, premise);
    if (m->annotation.end.kind == BOUND_VAR)
        visit(pl, m->annotation.end.var, premise);
}

static void count_user(struct planner *pl, uint32_t var, uint32_t premise)
{
    (void)premise;
    pl->order->users_end[var + 1]++;
}

static void add_user(struct planner *pl, uint32_t var, uint32_t premise)
{
    pl->order->users[pl->order->users_end[var]++] = premise;
}

static void look_again(struct planner *pl, uint32_t var, uint32_t premise)
{
    struct order *o = pl->order;
    (void)premise;
    if (!pl->bound[var] || o->seen[var])
        return;
    o->seen[var] = true;
    for (uint32_t i = var ? o->users_end[var - 1] : 0; i < o->users_end[var]; i++)
        if (o->users[i] < o->window && !pl->placed[o->users[i]])
            put_ready(pl, o->users[i]);
}

/* ---- for plan_rule.c ------------------------------------------------------------------------- */

void mgi_order_begin(struct planner *pl)
{
    const struct clause *c = pl->c;
    struct order *o = pl->order = mgi_planner_take(pl, 1, sizeof *o);
    if (!o || pl->kind == CODE_WHY)
        return;
    o->users_end = mgi_planner_take(pl, (size_t)c->var_count + 1, sizeof *o->users_end);
    o->seen = mgi_planner_take(pl, c->var_count, sizeof *o->seen);
    if (pl->oom)
        return;
    for (uint32_t i = 0; i < c->premise_count; i++)
        each_var(pl, i, false, count_user);
    for (uint32_t v = 0; v < c->var_count; v++)
        o->users_end[v + 1] += o->users_end[v];
    size_t uses = o->users_end[c->var_count];
    o->users = mgi_planner_take(pl, uses, sizeof *o->users);
    o->heap = mgi_planner_take(pl, uses + c->premise_count, sizeof *o->heap);
    if (pl->oom)
        return;
    for (uint32_t i = 0; i < c->premise_count; i++) /* users_end moves from starts to ends */
        each_var(pl, i, false, add_user);
    memcpy(o->seen, pl->bound, c->var_count * sizeof *o->seen);
    widen(pl);
}

uint32_t mgi_order_next(struct planner *pl)
{
    struct order *o = pl->order;
    uint32_t count = pl->c->premise_count;
    while (o->first < count && pl->placed[o->first])
        o->first++;
    if (o->first == count)
        return UINT32_MAX;
    if (pl->kind == CODE_WHY)
        return o->first;
    widen(pl);
    while (o->count) {
        uint32_t best = take_ready(o).premise;
        if (!pl->placed[best])
            return best;
    }
    return o->window < count ? o->window : o->first;
}

void mgi_order_placed(struct planner *pl, uint32_t premise)
{
    if (pl->kind != CODE_WHY && !pl->oom)
        each_var(pl, premise, true, look_again);
}
