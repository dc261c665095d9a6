/* Proofs of a goal that comes as text (M-PROV-23). */
#include "mangle/run/base.h"
#include "mangle/program/diag.h"

static bool has_variables(const struct clause *c)
{
    for (uint32_t i = 0; i < c->head.count; i++)
        if (c->head.args[i].kind == TERM_VAR)
            return true;
    return false;
}

static enum mangle_status complain(mangle_diags *diags, struct str goal, struct span span,
                                   const char *code, const char *hint, const char *text)
{
    struct source source = { .name = "goal", .text = goal };
    if (diags)
        mgi_diag_at(diags, &source, MANGLE_ERROR, code, span, hint, "%s", text);
    return MANGLE_ERR_PROGRAM;
}

enum mangle_status mangle_overlay_prove(mangle_overlay *o, const char *goal, size_t len,
                                        const struct mangle_explain_options *options,
                                        const struct mangle_proof *const **out, size_t *count,
                                        mangle_diags *diags)
{
    struct clause c;
    mangle_value *pattern;
    struct str text = { goal, len };
    const struct mangle_fact *facts = NULL;
    size_t found = 0;
    *out = NULL;
    *count = 0;
    if (!o->evaluated || o->failed)
        return MANGLE_ERR_INPUT;
    enum mangle_status st = mgi_query_atom(o, text, &c, &pattern, diags);
    if (st)
        return st;
    if (has_variables(&c))
        return complain(diags, text, c.head.span, "GOAL_NOT_GROUND",
                        "Give every argument a value, or ask for each answer of a query.",
                        "the goal has variables: only a fact has a proof");
    if (c.head.pred != MANGLE_NO_PRED)
        st = mangle_overlay_match(o, c.head.pred, pattern, &facts, &found);
    if (!st && found)
        st = mangle_overlay_proofs(o, facts, options, out, count, NULL);
    if (!st && !*count)
        return complain(diags, text, c.head.span, "NO_PROOF", NULL,
                        found ? "the fact holds, but only through rules with a transform"
                              : "the fact does not hold");
    return st;
}
