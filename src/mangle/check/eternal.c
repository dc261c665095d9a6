/* `p(X)@[_]` in a body: it looks like "at any time" and asks for a fact that holds always
 * (M-TEMP-31). Of a predicate that has such facts it is taken for meant; of any other it is a
 * warning, for then it matches what comes from outside without a time, or nothing at all. */
#include "base/alloc.h"
#include "mangle/check/check.h"
#include "mangle/program/diag.h"

static bool may_be_open(const struct time_bound *b)
{
    return b->kind == BOUND_OPEN || b->kind == BOUND_VAR;
}

/* May a clause with this head make a fact that holds always? */
static bool may_be_eternal(const struct annotation *a)
{
    return a->present && may_be_open(&a->start) && may_be_open(&a->end);
}

static void mark(bool *eternal, mangle_pred pred, const struct annotation *a)
{
    if (pred != MANGLE_NO_PRED)
        eternal[pred] |= may_be_eternal(a);
}

static void warn(const mangle_program *p, const struct premise *m, mangle_diags *diags)
{
    struct str name = m->atom.name;
    const char *hint =
        m->window != WINDOW_NONE ? "Leave @[_] out: the window says when."
        : m->negated
            ? mgi_diag_text(diags, "Write !<-[_, _] %.*s(...) for \"at no time\".", STR_ARG(name))
            : mgi_diag_text(diags, "Write %.*s(...)@[Start, _] for any time, or @[now].",
                            STR_ARG(name));
    mgi_diag(diags, p, MANGLE_WARNING, "TEMP_ETERNAL", m->annotation.span, hint,
             "this asks for facts of \"%.*s\" that hold always, and nothing here makes one",
             STR_ARG(name));
}

enum mangle_status mgi_check_eternal(const mangle_program *p, mangle_diags *diags)
{
    bool *eternal = mgi_calloc(p->pred_count + 1, sizeof *eternal);
    if (!eternal)
        return MANGLE_ERR_NOMEM;
    for (size_t i = 0; i < p->fact_count; i++)
        mark(eternal, p->facts[i].pred, &p->facts[i].annotation);
    for (size_t i = 0; i < p->rule_count; i++)
        mark(eternal, p->rules[i]->head.pred, &p->rules[i]->annotation);
    for (size_t i = 0; i < p->rule_count; i++) {
        const struct clause *c = p->rules[i];
        mgi_diags_anchor(diags, &c->span);
        for (uint32_t j = 0; j < c->premise_count && !c->faulty; j++) {
            const struct premise *m = &c->premises[j];
            if (m->kind == PREMISE_TEMPORAL && m->annotation.present &&
                mgi_annotation_eternal(&m->annotation) && m->atom.pred != MANGLE_NO_PRED &&
                !eternal[m->atom.pred])
                warn(p, m, diags);
        }
    }
    mgi_diags_anchor(diags, NULL);
    mgi_free(eternal);
    return MANGLE_OK;
}
