/* Recursion through time that may run away (mangle.md section 8.5). The strata are the strongly
 * connected components already; what is dangerous is a temporal predicate in a circle. A finding
 * shows the circle and where each of its steps is written. */
#include "base/alloc.h"
#include "base/buf.h"
#include "mangle/check/check.h"
#include "mangle/program/diag.h"

#define NOT_REACHED UINT32_MAX

struct step { /* how the search came to a predicate */
    mangle_pred from;
    uint32_t rule, premise;
};

struct search_of_circles {
    const mangle_program *p;
    mangle_diags *diags;
    uint32_t *first; /* pred -> its first rule, or NOT_REACHED */
    uint32_t *next;  /* rule -> the next one of the same head */
    struct step *came;
    mangle_pred *queue, *path;
};

static bool in_stratum(const mangle_program *p, const struct premise *premise, uint32_t stratum)
{
    return (premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL) &&
           premise->atom.pred != MANGLE_NO_PRED && p->preds[premise->atom.pred].derived &&
           p->preds[premise->atom.pred].stratum == stratum;
}

/* ---- the way back ---------------------------------------------------------------------------- */

static void visit_body(struct search_of_circles *s, mangle_pred at, size_t *tail)
{
    for (uint32_t r = s->first[at]; r != NOT_REACHED; r = s->next[r]) {
        const struct clause *rule = s->p->rules[r];
        for (uint32_t i = 0; i < rule->premise_count; i++) {
            const struct premise *m = &rule->premises[i];
            if (!in_stratum(s->p, m, s->p->preds[at].stratum) ||
                s->came[m->atom.pred].rule != NOT_REACHED)
                continue;
            s->came[m->atom.pred] = (struct step){ at, r, i };
            s->queue[(*tail)++] = m->atom.pred;
        }
    }
}

/* Breadth first from `from` until `to` is found: s->came leads back. */
static void find_way(struct search_of_circles *s, mangle_pred from, mangle_pred to)
{
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < s->p->pred_count; i++)
        s->came[i].rule = NOT_REACHED;
    s->queue[tail++] = from;
    while (head < tail && s->came[to].rule == NOT_REACHED)
        visit_body(s, s->queue[head++], &tail);
}

static void print_step(const struct search_of_circles *s, struct buf *out, uint32_t rule,
                       const struct premise *premise)
{
    const struct source *source = &s->p->sources[s->p->rules[rule]->span.source];
    mgi_buf_printf(out, " -> %.*s (%s:%u)", STR_ARG(s->p->preds[premise->atom.pred].name),
                   source->name, mgi_line_at(s->p, premise->span));
}

/* "a -> b (file:3) -> a (file:7)": each predicate with the place where the one before reads it. */
static void print_circle(struct search_of_circles *s, struct buf *out, uint32_t rule,
                         const struct premise *premise)
{
    mangle_pred head = s->p->rules[rule]->head.pred, to = premise->atom.pred;
    mgi_buf_printf(out, "%.*s", STR_ARG(s->p->preds[head].name));
    print_step(s, out, rule, premise);
    if (to == head)
        return;
    find_way(s, to, head);
    size_t steps = 0;
    for (mangle_pred at = head; at != to; at = s->came[at].from)
        s->path[steps++] = at;
    while (steps) {
        const struct step *step = &s->came[s->path[--steps]];
        print_step(s, out, step->rule, &s->p->rules[step->rule]->premises[step->premise]);
    }
}

/* ---- what is told ---------------------------------------------------------------------------- */

struct finding {
    const char *code, *what, *hint;
    enum mangle_severity severity;
};

static void tell(struct search_of_circles *s, const struct finding *f, uint32_t rule,
                 const struct premise *premise)
{
    const struct clause *c = s->p->rules[rule];
    struct buf circle = { 0 };
    print_circle(s, &circle, rule, premise);
    if (circle.oom)
        mgi_diags_nomem(s->diags);
    mgi_diags_anchor(s->diags, &c->span);
    mgi_diag(s->diags, s->p, f->severity, f->code, premise->span, f->hint, "\"%.*s\" %s: %.*s",
             STR_ARG(s->p->preds[c->head.pred].name), f->what, STR_ARG(mgi_buf_view(&circle)));
    mgi_diags_anchor(s->diags, NULL);
    mgi_buf_fini(&circle);
}

/* The first premise, in program order, that goes round in this stratum; NULL if none does. */
static const struct premise *circular(const mangle_program *p, uint32_t stratum, uint32_t *rule)
{
    const struct stratum *s = &p->strata[stratum];
    for (uint32_t r = 0; r < s->rule_count; r++) {
        const struct clause *c = p->rules[s->rules[r]];
        *rule = s->rules[r];
        for (uint32_t i = 0; i < c->premise_count; i++)
            if (in_stratum(p, &c->premises[i], stratum))
                return &c->premises[i];
    }
    return NULL;
}

static bool is_temporal(const mangle_program *p, const struct stratum *s)
{
    for (uint32_t i = 0; i < s->pred_count; i++)
        if (p->preds[s->preds[i]].temporal)
            return true;
    return false;
}

static bool computes(const struct clause *c)
{
    bool any = c->transform && c->transform->let_count > 0;
    for (uint32_t i = 0; i < c->head.count; i++)
        any |= c->head.args[i].kind == TERM_APPLY;
    for (uint32_t i = 0; i < c->premise_count; i++)
        if (c->premises[i].kind == PREMISE_EQ)
            any |=
                c->premises[i].left.kind == TERM_APPLY || c->premises[i].right.kind == TERM_APPLY;
    return any;
}

/* Without functions there are only so many values and instants, and so there is an end. */
static bool makes_values(const mangle_program *p, const struct stratum *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->rule_count; i++)
        any |= computes(p->rules[s->rules[i]]);
    return any;
}

static enum mangle_severity severity_of(const mangle_program *p)
{
    return p->allow_dangerous ? MANGLE_WARNING : MANGLE_ERROR;
}

static void check_circle(struct search_of_circles *s, uint32_t stratum)
{
    const struct stratum *st = &s->p->strata[stratum];
    uint32_t rule = 0;
    const struct premise *premise = is_temporal(s->p, st) ? circular(s->p, stratum, &rule) : NULL;
    if (!premise)
        return;
    struct finding f = { .severity = severity_of(s->p) };
    if (st->pred_count > 1) {
        f.code = "TEMP_MUTUAL_REC";
        f.what = "depends on itself through time and other predicates, and may derive without end";
        f.hint = "Make one predicate of them, with an argument that tells them apart, or allow "
                 "dangerous recursion.";
    } else if (makes_values(s->p, st)) {
        f = (struct finding){ "TEMP_SELF_REC",
                              "reads itself through time and may derive without end",
                              "Its rules compute values: give them an end, for example with "
                              ":time:lt(T, ...) on a time that grows.",
                              MANGLE_WARNING };
    } else {
        f = (struct finding){ "TEMP_SELF_REC", "reads itself through time",
                              "Its rules compute no values, so there is an end; each round should "
                              "yield fewer or shorter intervals.",
                              MANGLE_WARNING };
    }
    tell(s, &f, rule, premise);
}

static void check_future(struct search_of_circles *s, uint32_t rule)
{
    const struct clause *c = s->p->rules[rule];
    const struct pred *head = &s->p->preds[c->head.pred];
    const struct finding f = {
        "TEMP_FUTURE_REC", "depends on its own future",
        "Look back with <- or [-, read a predicate that does not depend on this one, or allow "
        "dangerous recursion.",
        severity_of(s->p)
    };
    for (uint32_t i = 0; head->temporal && i < c->premise_count; i++) {
        const struct premise *premise = &c->premises[i];
        if ((premise->window == WINDOW_SOME_FUTURE || premise->window == WINDOW_ALL_FUTURE) &&
            in_stratum(s->p, premise, head->stratum))
            tell(s, &f, rule, premise);
    }
}

static void chain_rules(struct search_of_circles *s)
{
    for (size_t i = 0; i < s->p->pred_count; i++)
        s->first[i] = NOT_REACHED;
    for (uint32_t r = (uint32_t)s->p->rule_count; r-- > 0;) {
        s->next[r] = s->first[s->p->rules[r]->head.pred];
        s->first[s->p->rules[r]->head.pred] = r;
    }
}

enum mangle_status mgi_check_time(mangle_program *p, mangle_diags *diags)
{
    struct search_of_circles s = { .p = p, .diags = diags };
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    s.first = mgi_arena_calloc(&scratch, p->pred_count + 1, sizeof *s.first);
    s.next = mgi_arena_calloc(&scratch, p->rule_count + 1, sizeof *s.next);
    s.came = mgi_arena_calloc(&scratch, p->pred_count + 1, sizeof *s.came);
    s.queue = mgi_arena_calloc(&scratch, p->pred_count + 1, sizeof *s.queue);
    s.path = mgi_arena_calloc(&scratch, p->pred_count + 1, sizeof *s.path);
    bool ok = !scratch.oom;
    if (ok) {
        chain_rules(&s);
        for (uint32_t r = 0; r < p->rule_count; r++)
            check_future(&s, r);
        for (uint32_t i = 0; i < p->stratum_count; i++)
            check_circle(&s, i);
    }
    mgi_arena_fini(&scratch);
    return ok ? MANGLE_OK : MANGLE_ERR_NOMEM;
}
