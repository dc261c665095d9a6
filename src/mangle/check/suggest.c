/* Hints that need the program: which predicate, function, variable or declared word was meant. All
 * of them look through what exists once, only after something was not found. */
#include "mangle/check/suggest.h"

#include "mangle/check/check_int.h"
#include "base/near.h"
#include "mangle/text/parse.h"

/* ---- predicates -------------------------------------------------------------------------- */

static void try_predicates(struct near *near, const mangle_program *p)
{
    for (size_t i = 0; i < p->pred_count; i++)
        mgi_near_try(near, p->preds[i].name);
    const struct builtin_pred *row;
    for (size_t i = 0; (row = mgi_builtin_pred_at(i)) != NULL; i++)
        mgi_near_try(near, str_of(row->name));
}

/* Of the predicates of one name: the one with this arity, else the first. */
static uint32_t nearest_arity(const mangle_program *p, struct str name, uint32_t arity)
{
    const struct pred *first = NULL;
    for (size_t i = 0; i < p->pred_count; i++) {
        if (!str_eq(p->preds[i].name, name))
            continue;
        if (p->preds[i].arity == arity)
            return arity;
        if (!first)
            first = &p->preds[i];
    }
    if (first)
        return first->arity;
    const struct builtin_pred *row = mgi_builtin_pred_find(name);
    return row ? row->arity : arity;
}

const char *mgi_hint_pred(const mangle_program *p, struct str name, uint32_t arity,
                          mangle_diags *diags)
{
    if (mgi_diags_full(diags))
        return NULL;
    const char *habit = mgi_habit_of_word(name);
    if (habit)
        return habit;
    struct near near = mgi_near(name);
    try_predicates(&near, p);
    if (!near.best.len)
        return NULL;
    return mgi_diag_text(diags, "Did you mean \"%.*s/%u\"?", STR_ARG(near.best),
                         nearest_arity(p, near.best, arity));
}

const char *mgi_hint_builtin(const char *doc, const char *example, mangle_diags *diags)
{
    return example ? mgi_diag_text(diags, "%s For example %s", doc, example) : doc;
}

/* "1", "1 or 3": the arities that are defined, for a message. */
const char *mgi_known_arities(const mangle_program *p, struct str name, mangle_diags *diags)
{
    const char *text = NULL;
    for (size_t i = 0; i < p->pred_count && !mgi_diags_full(diags); i++)
        if (str_eq(p->preds[i].name, name))
            text = text ? mgi_diag_text(diags, "%s or %u", text, p->preds[i].arity)
                        : mgi_diag_text(diags, "%u", p->preds[i].arity);
    return text ? text : "none";
}

/* How a predicate is written: edge(From, To), or edge(_, _) where no Decl names the arguments. */
const char *mgi_hint_call(const struct pred *pred, mangle_diags *diags)
{
    const char *text =
        mgi_diags_full(diags) ? NULL : mgi_diag_text(diags, "%.*s(", STR_ARG(pred->name));
    for (uint32_t i = 0; text && i < pred->arity && i < 8; i++) {
        const struct decl *d = pred->decl;
        struct str arg = d ? d->vars[d->atom.args[i].var].name : STR_LIT("_");
        text = mgi_diag_text(diags, "%s%s%.*s", text, i ? ", " : "", STR_ARG(arg));
    }
    return text ? mgi_diag_text(diags, "Write %s%s).", text, pred->arity > 8 ? ", ..." : "") : NULL;
}

const char *mgi_where(const mangle_program *p, struct span here, struct span there,
                      mangle_diags *diags)
{
    uint32_t line = mgi_line_at(p, there);
    const char *text = here.source == there.source
                           ? mgi_diag_text(diags, "in line %u", line)
                           : mgi_diag_text(diags, "in %s:%u", p->sources[there.source].name, line);
    return text ? text : "before";
}

/* ---- variables --------------------------------------------------------------------------- */

const char *mgi_hint_var(struct check *k, uint32_t var)
{
    if (mgi_diags_full(k->diags))
        return NULL;
    struct near near = mgi_near(k->c->vars[var].name);
    for (uint32_t i = 0; i < k->c->var_count; i++)
        if (i != var && !k->c->vars[i].wildcard && k->bound[i])
            mgi_near_try(&near, k->c->vars[i].name);
    return near.best.len ? mgi_diag_text(k->diags, "Did you mean \"%.*s\"?", STR_ARG(near.best))
                         : NULL;
}

/* ---- packages ---------------------------------------------------------------------------- */

const char *mgi_hint_package(const mangle_program *p, struct str name, mangle_diags *diags)
{
    if (mgi_diags_full(diags))
        return NULL;
    struct near near = mgi_near(name);
    for (uint32_t u = 0; u < p->source_count; u++) {
        mgi_near_try(&near, p->units[u].package.name);
        for (uint32_t i = 0; i < p->units[u].use_count; i++)
            mgi_near_try(&near, p->units[u].uses[i].name);
    }
    return near.best.len ? mgi_diag_text(diags, "Did you mean \"%.*s\"?", STR_ARG(near.best))
                         : NULL;
}

/* ---- words of declarations --------------------------------------------------------------- */

const char *mgi_near_descriptor(struct str name)
{
    static const char *const known[] = { "doc",      "arg",      "extensional", "mode",
                                         "external", "deferred", "reflects",    "fundep",
                                         "merge",    "private",  "synthetic",   "name",
                                         "public",   "desugared" };
    struct near near = mgi_near(name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (str_is(name, known[i]))
            return NULL;
        mgi_near_try(&near, str_of(known[i]));
    }
    return near.best.ptr;
}

/* Names that other languages have for the base types. */
const char *mgi_base_type_meant(struct str name)
{
    static const char *const meant[][2] = {
        { "/int", "/number" },     { "/integer", "/number" }, { "/num", "/number" },
        { "/long", "/number" },    { "/int64", "/number" },   { "/float", "/float64" },
        { "/double", "/float64" }, { "/real", "/float64" },   { "/decimal", "/float64" },
        { "/str", "/string" },     { "/text", "/string" },    { "/varchar", "/string" },
        { "/bool", "/name" },      { "/boolean", "/name" },   { "/atom", "/name" },
        { "/symbol", "/name" },    { "/byte", "/bytes" },     { "/date", "/time" },
        { "/datetime", "/time" },  { "/timestamp", "/time" }, { "/interval", "/duration" },
        { "/object", "/any" },
    };
    static const char *const base[] = { "/any",   "/number", "/float64", "/string",
                                        "/bytes", "/name",   "/time",    "/duration" };
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (mgi_edit_distance(name, str_of(meant[i][0]), 0) == 0)
            return meant[i][1];
    struct near near = mgi_near(name);
    for (size_t i = 0; i < sizeof base / sizeof *base; i++)
        mgi_near_try(&near, str_of(base[i]));
    return near.best.ptr;
}
