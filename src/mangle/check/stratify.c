/* Strata (mangle.md section 9): the strongly connected components of "head reads body", found with
 * Tarjan's algorithm, iteratively. Edges point from a head to what it reads, so components come out
 * dependencies first, which is the order of evaluation. A component with a negative edge inside
 * (negation, or a group) has no stratified meaning. */
#include "base/alloc.h"
#include "base/buf.h"
#include "mangle/check/check.h"
#include "mangle/program/diag.h"

struct edge {
    mangle_pred from, to;
    bool negative;
    uint32_t rule, premise; /* rule UINT32_MAX: a lattice relation and its merge predicate */
};

struct graph {
    mangle_program *p;
    struct edge *edges; /* sorted by head: those of pred i are [first[i], first[i + 1]) */
    size_t *first;
    /* Tarjan */
    uint32_t *index, *low; /* 0: not visited */
    bool *on_stack;
    mangle_pred *stack;
    size_t stack_count;
    struct frame {
        mangle_pred pred;
        size_t edge;
    } * frames;
    uint32_t next_index;
    /* components */
    uint32_t *members; /* preds, component after component */
    size_t member_count;
};

static bool is_node(const mangle_program *p, mangle_pred pred)
{
    return pred != MANGLE_NO_PRED && (p->preds[pred].derived || p->preds[pred].lattice);
}

static bool reads(const struct premise *premise)
{
    return premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL;
}

/* ---- edges ------------------------------------------------------------------------------- */

/* Does the relation read a merge predicate that is derived (M-STR-6)? */
static bool merges(const mangle_program *p, mangle_pred pred)
{
    return p->preds[pred].lattice && is_node(p, p->preds[pred].lattice->merge);
}

static void count_edges(struct graph *g)
{
    for (size_t r = 0; r < g->p->rule_count; r++) {
        const struct clause *c = g->p->rules[r];
        for (uint32_t i = 0; i < c->premise_count; i++)
            if (reads(&c->premises[i]) && is_node(g->p, c->premises[i].atom.pred))
                g->first[c->head.pred + 1]++;
    }
    for (size_t i = 0; i < g->p->pred_count; i++)
        if (merges(g->p, (mangle_pred)i))
            g->first[i + 1]++;
    for (size_t i = 0; i < g->p->pred_count; i++)
        g->first[i + 1] += g->first[i];
}

static void fill_edges(struct graph *g, size_t *at)
{
    memcpy(at, g->first, g->p->pred_count * sizeof *at);
    for (size_t r = 0; r < g->p->rule_count; r++) {
        const struct clause *c = g->p->rules[r];
        for (uint32_t i = 0; i < c->premise_count; i++) {
            const struct premise *premise = &c->premises[i];
            if (!reads(premise) || !is_node(g->p, premise->atom.pred))
                continue;
            g->edges[at[c->head.pred]++] =
                (struct edge){ .from = c->head.pred,
                               .to = premise->atom.pred,
                               .negative =
                                   premise->negated || (c->transform && c->transform->is_do),
                               .rule = (uint32_t)r,
                               .premise = i };
        }
    }
    for (size_t i = 0; i < g->p->pred_count; i++)
        if (merges(g->p, (mangle_pred)i))
            g->edges[at[i]++] = (struct edge){ .from = (mangle_pred)i,
                                               .to = g->p->preds[i].lattice->merge,
                                               .rule = UINT32_MAX };
}

/* ---- components -------------------------------------------------------------------------- */

static void enter_pred(struct graph *g, size_t *depth, mangle_pred pred)
{
    g->index[pred] = g->low[pred] = ++g->next_index;
    g->stack[g->stack_count++] = pred;
    g->on_stack[pred] = true;
    g->frames[(*depth)++] = (struct frame){ pred, g->first[pred] };
}

static void close_component(struct graph *g, mangle_pred root)
{
    struct stratum *s = &g->p->strata[g->p->stratum_count];
    mangle_pred pred;
    s->preds = g->members + g->member_count;
    do {
        pred = g->stack[--g->stack_count];
        g->on_stack[pred] = false;
        g->p->preds[pred].stratum = (uint32_t)g->p->stratum_count;
        g->members[g->member_count++] = pred;
        s->pred_count++;
    } while (pred != root);
    g->p->stratum_count++;
}

static void visit(struct graph *g, mangle_pred start)
{
    size_t depth = 0;
    enter_pred(g, &depth, start);
    while (depth) {
        struct frame *f = &g->frames[depth - 1];
        if (f->edge < g->first[f->pred + 1]) {
            mangle_pred to = g->edges[f->edge++].to;
            if (!g->index[to])
                enter_pred(g, &depth, to);
            else if (g->on_stack[to] && g->index[to] < g->low[f->pred])
                g->low[f->pred] = g->index[to];
            continue;
        }
        mangle_pred done = f->pred;
        if (g->low[done] == g->index[done])
            close_component(g, done);
        depth--;
        if (depth && g->low[done] < g->low[g->frames[depth - 1].pred])
            g->low[g->frames[depth - 1].pred] = g->low[done];
    }
}

static bool same_stratum(const mangle_program *p, mangle_pred a, mangle_pred b)
{
    return p->preds[a].stratum == p->preds[b].stratum;
}

/* Rules of each stratum, in program order. A lattice relation may have none. */
static bool fill_rules(mangle_program *p)
{
    for (size_t r = 0; r < p->rule_count; r++)
        p->strata[p->preds[p->rules[r]->head.pred].stratum].rule_count++;
    for (size_t s = 0; s < p->stratum_count; s++) {
        p->strata[s].rules =
            mgi_arena_calloc(&p->arena, p->strata[s].rule_count, sizeof *p->strata[s].rules);
        if (!p->strata[s].rules)
            return false;
        p->strata[s].rule_count = 0;
    }
    for (size_t r = 0; r < p->rule_count; r++) {
        const struct clause *c = p->rules[r];
        struct stratum *s = &p->strata[p->preds[c->head.pred].stratum];
        s->rules[s->rule_count++] = (uint32_t)r;
        for (uint32_t i = 0; i < c->premise_count; i++)
            if (reads(&c->premises[i]) && is_node(p, c->premises[i].atom.pred) &&
                same_stratum(p, c->premises[i].atom.pred, c->head.pred))
                s->recursive = true;
    }
    return true;
}

/* ---- cycles through negation ------------------------------------------------------------- */

/* Does the edge stand for a negated premise, not for a group? */
static bool negates(const struct graph *g, const struct edge *e)
{
    return e->rule != UINT32_MAX && g->p->rules[e->rule]->premises[e->premise].negated;
}

/* The shortest way from `from` to `to` inside their stratum, as "a -> b -> c". `came` is per
 * predicate: the edge that led there, SIZE_MAX if none. Breadth first, with g->stack as the queue.
 */
static void print_path(struct graph *g, struct buf *out, mangle_pred from, mangle_pred to,
                       size_t *came)
{
    const mangle_program *p = g->p;
    for (size_t i = 0; i < p->pred_count; i++)
        came[i] = SIZE_MAX;
    size_t head = 0, tail = 0;
    g->stack[tail++] = from;
    while (head < tail && g->stack[head] != to) {
        mangle_pred at = g->stack[head++];
        for (size_t e = g->first[at]; e < g->first[at + 1]; e++) {
            mangle_pred next = g->edges[e].to;
            if (!same_stratum(p, next, at) || next == from || came[next] != SIZE_MAX)
                continue;
            came[next] = e;
            g->stack[tail++] = next;
        }
    }
    /* Back from `to`, then printed forth: the frames are free by now and serve as the list. */
    size_t steps = 0;
    for (mangle_pred at = to; at != from && came[at] != SIZE_MAX;) {
        g->frames[steps++].edge = came[at];
        at = g->edges[came[at]].from;
    }
    while (steps) {
        const struct edge *e = &g->edges[g->frames[--steps].edge];
        mgi_buf_printf(out, " -> %s%.*s", e->negative ? "!" : "", STR_ARG(p->preds[e->to].name));
    }
}

static void print_edge(const struct graph *g, struct buf *out, const struct edge *e)
{
    mgi_buf_printf(out, " -> %s%.*s", negates(g, e) ? "!" : "", STR_ARG(g->p->preds[e->to].name));
}

/* The cycle from the head of `via` back to it, by way of `negative`, which may be `via`. */
static void print_cycle(struct graph *g, struct buf *out, const struct edge *via,
                        const struct edge *negative, size_t *came)
{
    mgi_buf_str(out, g->p->preds[via->from].name);
    print_edge(g, out, via);
    if (via != negative) {
        if (via->to != negative->from)
            print_path(g, out, via->to, negative->from, came);
        print_edge(g, out, negative);
    }
    if (negative->to != via->from)
        print_path(g, out, negative->to, via->from, came);
}

/* Reported at the premise of `via`. */
static void report_cycle(struct graph *g, const struct edge *via, const struct edge *negative,
                         size_t *came, mangle_diags *diags)
{
    const mangle_program *p = g->p;
    const struct clause *c = p->rules[via->rule];
    bool negated = negates(g, negative);
    struct buf cycle = { 0 };
    print_cycle(g, &cycle, via, negative, came);
    if (cycle.oom)
        mgi_diags_nomem(diags);
    mgi_diags_anchor(diags, &c->span);
    mgi_diag(
        diags, p, MANGLE_ERROR, "STRATIFY", c->premises[via->premise].span,
        negated ? "Whether it holds would depend on its not holding; break the cycle with a "
                  "predicate that does not read it."
                : "A group is complete only when all it reads is; break the cycle with a predicate "
                  "that does not read it.",
        "\"%.*s\" depends on %s: %.*s", STR_ARG(p->preds[via->from].name),
        negated ? "its own negation" : "a group of itself", STR_ARG(mgi_buf_view(&cycle)));
    mgi_diags_anchor(diags, NULL);
    mgi_buf_fini(&cycle);
}

static bool is_of_host(const struct graph *g, const struct edge *e)
{
    return g->p->rules[e->rule]->span.source < g->p->host_source_count;
}

/* Of the stratum of `negative`: its first edge that a rule of no host source makes, if `negative`
 * is not such a one itself. */
static const struct edge *blamed_edge(const struct graph *g, const struct edge *negative)
{
    const mangle_program *p = g->p;
    if (!is_of_host(g, negative))
        return negative;
    for (size_t r = 0; r < p->rule_count; r++) {
        mangle_pred head = p->rules[r]->head.pred;
        for (size_t e = g->first[head]; e < g->first[head + 1]; e++)
            if (g->edges[e].rule == r && !is_of_host(g, &g->edges[e]) &&
                same_stratum(p, head, g->edges[e].to) && same_stratum(p, head, negative->from))
                return &g->edges[e];
    }
    return negative;
}

/* One report for each stratum, at its first negative edge. */
static void report_cycles(struct graph *g, size_t *came, bool *told, mangle_diags *diags)
{
    const mangle_program *p = g->p;
    for (size_t r = 0; r < p->rule_count; r++) {
        mangle_pred head = p->rules[r]->head.pred;
        for (size_t e = g->first[head]; e < g->first[head + 1]; e++) {
            const struct edge *edge = &g->edges[e];
            if (edge->rule != r || !edge->negative || !same_stratum(p, head, edge->to) ||
                told[p->preds[head].stratum])
                continue;
            told[p->preds[head].stratum] = true;
            report_cycle(g, blamed_edge(g, edge), edge, came, diags);
        }
    }
}

/* ---- lattice relations in company --------------------------------------------------------- */

static const struct pred *first_lattice(const mangle_program *p, const struct stratum *s)
{
    const struct pred *first = NULL;
    for (uint32_t i = 0; i < s->pred_count; i++) {
        const struct pred *pred = &p->preds[s->preds[i]];
        if (pred->lattice && (!first || pred < first))
            first = pred;
    }
    return first;
}

/* M-EVAL-44; one warning for each predicate, at its first rule. */
static void warn_of_company(const mangle_program *p, const struct stratum *s, bool *told,
                            mangle_diags *diags)
{
    const struct pred *lattice = first_lattice(p, s);
    for (uint32_t r = 0; lattice && r < s->rule_count; r++) {
        const struct clause *c = p->rules[s->rules[r]];
        const struct pred *head = &p->preds[c->head.pred];
        if (head->lattice || head->deferred || told[c->head.pred])
            continue;
        told[c->head.pred] = true;
        mgi_diags_anchor(diags, &c->span);
        mgi_diag(diags, p, MANGLE_WARNING, "LATTICE_REC", c->head.span,
                 mgi_diag_text(diags,
                               "Count on \"%.*s\" alone, or take this predicate out of the circle.",
                               STR_ARG(lattice->name)),
                 "\"%.*s\" may keep what follows from values of \"%.*s\" that were replaced",
                 STR_ARG(head->name), STR_ARG(lattice->name));
        mgi_diags_anchor(diags, NULL);
    }
}

enum mangle_status mgi_stratify(mangle_program *p, mangle_diags *diags)
{
    size_t count = p->pred_count + 1;
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    struct graph g = { .p = p };
    p->stratum_count = 0;
    p->strata = mgi_arena_calloc(&p->arena, count, sizeof *p->strata);
    g.members = mgi_arena_calloc(&p->arena, count, sizeof *g.members);
    g.first = mgi_arena_calloc(&scratch, count + 1, sizeof *g.first);
    g.index = mgi_arena_calloc(&scratch, count, sizeof *g.index);
    g.low = mgi_arena_calloc(&scratch, count, sizeof *g.low);
    g.on_stack = mgi_arena_calloc(&scratch, count, sizeof *g.on_stack);
    g.stack = mgi_arena_calloc(&scratch, count, sizeof *g.stack);
    g.frames = mgi_arena_calloc(&scratch, count, sizeof *g.frames);
    size_t *came = mgi_arena_calloc(&scratch, count, sizeof *came);
    bool *told = mgi_arena_calloc(&scratch, count, sizeof *told);
    bool ok = p->strata && g.members && !scratch.oom;
    if (ok) {
        count_edges(&g);
        g.edges = mgi_arena_calloc(&scratch, g.first[p->pred_count] + 1, sizeof *g.edges);
        ok = g.edges != NULL;
    }
    if (ok) {
        fill_edges(&g, came);
        for (size_t i = 0; i < p->pred_count; i++)
            if (is_node(p, (mangle_pred)i) && !g.index[i])
                visit(&g, (mangle_pred)i);
        ok = fill_rules(p);
        report_cycles(&g, came, told, diags);
        memset(told, 0, count * sizeof *told);
        for (size_t i = 0; i < p->stratum_count; i++)
            warn_of_company(p, &p->strata[i], told, diags);
    }
    mgi_arena_fini(&scratch);
    return ok ? MANGLE_OK : MANGLE_ERR_NOMEM;
}

enum mangle_status mgi_stratify_again(mangle_program *p)
{
    mangle_diags *unread = mangle_diags_new();
    enum mangle_status st = unread ? mgi_stratify(p, unread) : MANGLE_ERR_NOMEM;
    mangle_diags_free(unread);
    return st;
}
