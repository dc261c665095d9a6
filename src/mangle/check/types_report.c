/* What the bounds check says: which argument, what it is, and what it has to be. */
#include "base/buf.h"
#include "mangle/check/suggest.h"
#include "mangle/check/types_int.h"

/* A term or type as it would be written, for a message. */
static const char *shown(const struct type_report *r, const struct term *t)
{
    struct buf text = { 0 };
    if (t->kind == TERM_CONST)
        mgi_value_show(&text, r->k->values, t->value);
    else
        mgi_term_print(&text, r->k->values, r->vars, t);
    if (text.oom)
        mgi_diags_nomem(r->diags);
    const char *copy = mgi_diag_text(r->diags, "%.*s", STR_ARG(mgi_buf_view(&text)));
    mgi_buf_fini(&text);
    return copy ? copy : "";
}

static bool is_type_any(const struct types *k, const struct term *t)
{
    return t && t->kind == TERM_CONST && t->value == k->any;
}

/* /int and the like are prefixes of names, though not meant so. */
static const char *named_type_hint(const struct type_report *r, const struct term *wanted,
                                   const struct term *arg)
{
    const mangle_values *values = r->k->values;
    if (wanted->kind != TERM_CONST || mangle_kind_of(values, wanted->value) != MANGLE_NAME)
        return NULL;
    struct str name;
    name.ptr = mangle_text_of(values, wanted->value, &name.len);
    if (mgi_type_is_base(r->k, wanted->value))
        return NULL;
    if (arg->kind == TERM_CONST && arg->value == wanted->value)
        return mgi_diag_text(r->diags,
                             "The type %.*s holds the names below it, such as %.*s/x; for the name "
                             "itself write .Singleton<%.*s>.",
                             STR_ARG(name), STR_ARG(name), STR_ARG(name));
    const char *meant = mgi_base_type_meant(name);
    return meant ? mgi_diag_text(r->diags, "%.*s holds names such as %.*s/x; perhaps %s is meant.",
                                 STR_ARG(name), STR_ARG(name), meant)
                 : NULL;
}

/* NULL where the bounds are not to blame. */
static const char *type_hint(const struct type_report *r, const struct mismatch *why)
{
    if (is_type_any(r->k, why->given) && why->arg->kind == TERM_VAR)
        return mgi_diag_text(
            r->diags, "Give the predicate that binds %s a bound: /any fits no narrower type.",
            shown(r, why->arg));
    const char *hint = named_type_hint(r, why->wanted, why->arg);
    if (!hint && why->arg->kind == TERM_VAR)
        hint = mgi_diag_text(r->diags, "Compare the bounds of the predicates that read %s.",
                             shown(r, why->arg));
    return hint;
}

void mgi_report_fact(const struct type_report *r, const struct atom *head, uint32_t column,
                     const struct mismatch *why)
{
    if (why->several || !why->arg) {
        mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_FACT", head->span,
                 "Correct the fact, or add a bound row that it fits.",
                 "the fact fits no bound row of \"%.*s\"", STR_ARG(head->name));
        return;
    }
    const char *hint = named_type_hint(r, why->wanted, why->arg);
    mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_FACT", head->args[column].span,
             hint ? hint : "Correct the fact, or the bound in the Decl.",
             "argument %u of \"%.*s\" has to be %s, but is %s", column + 1, STR_ARG(head->name),
             shown(r, why->wanted), shown(r, why->arg));
}

void mgi_report_premise(const struct type_report *r, const struct premise *premise,
                        const struct mismatch *why)
{
    if (premise->kind == PREMISE_NE && why->given) {
        mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_PREMISE", premise->span,
                 "Take the premise away, or compare what can be equal.",
                 "%s is %s and %s is %s: they always differ", shown(r, &premise->left),
                 shown(r, why->given), shown(r, &premise->right), shown(r, why->wanted));
        return;
    }
    bool atom = premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL;
    const char *verdict = why->unproven ? "this is not known to hold" : "this can never hold";
    if (why->field) {
        mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_PREMISE", why->field->span,
                 "Read a field of its type, or add this one to the bound.",
                 "this can never hold: %s is %s, which has no field %s", shown(r, why->arg),
                 shown(r, why->given), shown(r, why->field));
        return;
    }
    /* Each row may demand another type: all in all they demand what the argument is. */
    bool circular = why->given && why->wanted && mgi_type_conforms(r->k, why->given, why->wanted);
    if (!why->arg || why->several || circular) {
        mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_PREMISE", premise->span,
                 "Compare the bounds of the predicates that bind its variables.", "%s: %s", verdict,
                 atom ? mgi_diag_text(r->diags, "no bound row of \"%.*s\" fits its arguments",
                                      STR_ARG(premise->atom.name))
                      : "its values are of other types");
        return;
    }
    struct span span = why->arg->span.end ? why->arg->span : premise->span;
    if (!why->given)
        mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_PREMISE", span, type_hint(r, why),
                 "%s: %s has to be %s here", verdict, shown(r, why->arg), shown(r, why->wanted));
    else
        mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_PREMISE", span, type_hint(r, why),
                 "%s: %s is %s, but has to be %s here", verdict, shown(r, why->arg),
                 shown(r, why->given), shown(r, why->wanted));
}

void mgi_report_head(const struct type_report *r, const struct atom *head, uint32_t column,
                     const struct mismatch *why, struct infer *f)
{
    if (why->arg && !why->several) {
        const char *hint = is_type_any(r->k, why->given)
                               ? type_hint(r, why)
                               : named_type_hint(r, why->wanted, why->arg);
        if (!hint)
            hint = "Bind it in premises whose bounds are narrow enough, or widen the bound.";
        if (!why->given)
            mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_RULE", head->args[column].span, hint,
                     "argument %u of \"%.*s\" has to be %s, but is %s", column + 1,
                     STR_ARG(head->name), shown(r, why->wanted), shown(r, why->arg));
        else
            mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_RULE", head->args[column].span, hint,
                     "argument %u of \"%.*s\" has to be %s, but %s is %s", column + 1,
                     STR_ARG(head->name), shown(r, why->wanted), shown(r, why->arg),
                     shown(r, why->given));
        return;
    }
    const char *types = "";
    for (uint32_t j = 0; j < head->count && types; j++) {
        const struct term *type = mgi_infer(f, &head->args[j]);
        types = mgi_diag_text(r->diags, "%s%s%s", types, j ? ", " : "",
                              shown(r, type ? type : r->k->bot_type));
    }
    mgi_diag(r->diags, r->k->p, MANGLE_ERROR, "BOUNDS_RULE", head->span,
             "Bind the variables in premises whose bounds are narrow enough.",
             "this rule derives (%s), which no bound row of \"%.*s\" allows", types ? types : "",
             STR_ARG(head->name));
}
