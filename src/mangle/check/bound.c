/* The types of `bound` rows: are they well-formed (mangle.md section 5.2), and do string bounds
 * lead to declared predicates without going round in a circle (M-DECL-30, M-DECL-31)? */
#include "base/alloc.h"
#include "mangle/check/check_int.h"
#include "base/near.h"
#include "mangle/check/suggest.h"

struct bound_check {
    mangle_program *p;
    mangle_diags *diags;
};

static bool ill_formed(struct bound_check *k, const struct term *t, const char *why)
{
    mgi_diag(k->diags, k->p, MANGLE_ERROR, "DECL_BOUND_ILLFORMED", t->span, NULL, "%s", why);
    return false;
}

static bool is_name(const struct bound_check *k, const struct term *t)
{
    return t->kind == TERM_CONST && mangle_kind_of(k->p->values, t->value) == MANGLE_NAME;
}

static bool is_call(const struct term *t, const char *name)
{
    return t->kind == TERM_APPLY && str_is(t->apply.name, name);
}

static bool check_type(struct bound_check *k, const struct term *t);

static bool check_types(struct bound_check *k, const struct term *args, uint32_t count)
{
    bool ok = true;
    for (uint32_t i = 0; i < count; i++)
        ok &= check_type(k, &args[i]);
    return ok;
}

static bool check_field(struct bound_check *k, const struct term *label, const struct term *type)
{
    if (!is_name(k, label))
        return ill_formed(k, label, "a struct label must be a name such as /x");
    return check_type(k, type);
}

static bool check_struct(struct bound_check *k, const struct term *t)
{
    bool ok = true;
    for (uint32_t i = 0; i < t->apply.count; i++) {
        const struct term *arg = &t->apply.args[i];
        if (is_call(arg, "fn:opt")) {
            if (arg->apply.count != 2)
                return ill_formed(k, arg, "an optional field is a label and a type");
            ok &= check_field(k, &arg->apply.args[0], &arg->apply.args[1]);
        } else if (i + 1 == t->apply.count || is_call(&t->apply.args[i + 1], "fn:opt")) {
            return ill_formed(k, arg, "a struct field is a label and a type");
        } else {
            ok &= check_field(k, arg, &t->apply.args[i + 1]);
            i++;
        }
    }
    return ok;
}

static bool has_label(const struct term *type, mangle_value label)
{
    for (uint32_t i = 0; i < type->apply.count; i++) {
        const struct term *arg = &type->apply.args[i];
        if (is_call(arg, "fn:opt"))
            arg = arg->apply.count ? &arg->apply.args[0] : arg;
        else
            i++;
        if (arg->kind == TERM_CONST && arg->value == label)
            return true;
    }
    return false;
}

/* fn:TaggedUnion(tag, v1, S1, v2, S2, …), M-TYPE-23 */
static bool check_tagged_union(struct bound_check *k, const struct term *t)
{
    const struct term *args = t->apply.args;
    if (t->apply.count < 3 || t->apply.count % 2 == 0)
        return ill_formed(k, t, "a tagged union is a tag, then variants with their struct types");
    if (!is_name(k, &args[0]))
        return ill_formed(k, &args[0], "the tag of a tagged union must be a name");
    bool ok = true;
    for (uint32_t i = 1; i < t->apply.count; i += 2) {
        if (!is_name(k, &args[i]))
            return ill_formed(k, &args[i], "a variant of a tagged union must be a name");
        for (uint32_t j = 1; j < i; j += 2)
            if (args[j].value == args[i].value)
                return ill_formed(k, &args[i], "this variant occurs twice");
        if (!is_call(&args[i + 1], "fn:Struct"))
            return ill_formed(k, &args[i + 1], "a variant of a tagged union must be a struct type");
        if (has_label(&args[i + 1], args[0].value))
            return ill_formed(k, &args[i + 1], "the tag cannot be a field of a variant");
        ok &= check_struct(k, &args[i + 1]);
    }
    return ok;
}

static bool mentions(const struct term *t, uint32_t var)
{
    if (t->kind == TERM_VAR)
        return t->var == var;
    bool found = false;
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        found |= mentions(&t->apply.args[i], var);
    return found;
}

/* Every variable of a function's result occurs in an argument (M-TYPE-24). */
static bool result_determined(const struct term *fun, const struct term *t)
{
    if (t->kind == TERM_VAR) {
        for (uint32_t i = 1; i < fun->apply.count; i++)
            if (mentions(&fun->apply.args[i], t->var))
                return true;
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        ok &= result_determined(fun, &t->apply.args[i]);
    return ok;
}

static const struct {
    const char *name;
    uint32_t min, max;
} constructors[] = {
    { "fn:Singleton", 1, 1 },
    { "fn:List", 1, 1 },
    { "fn:Option", 1, 1 },
    { "fn:Pair", 2, 2 },
    { "fn:Map", 2, 2 },
    { "fn:Tuple", 3, UINT32_MAX },
    { "fn:Fun", 1, UINT32_MAX },
    { "fn:Union", 1, UINT32_MAX },
    { "fn:Rel", 0, UINT32_MAX },
    { "fn:Struct", 0, UINT32_MAX },
    { "fn:TaggedUnion", 0, UINT32_MAX },
};

static bool wrong_count(struct bound_check *k, const struct term *t, uint32_t min, uint32_t max)
{
    mgi_diag(k->diags, k->p, MANGLE_ERROR, "DECL_BOUND_ILLFORMED", t->span,
             mgi_diag_text(k->diags, "Write for example %s.",
                           min == 1 && str_is(t->apply.name, "fn:Singleton") ? ".Singleton</red>"
                           : min == 1 && max == 1                            ? ".List</string>"
                           : max == 2 ? ".Map</string, /number>"
                           : min == 3 ? ".Tuple</string, /number, /number>"
                                      : ".Union</string, /number>"),
             "%.*s takes %s%u argument%s, not %u", STR_ARG(t->apply.name),
             max == min ? "" : "at least ", min, min == 1 ? "" : "s", t->apply.count);
    return false;
}

static bool check_constructor(struct bound_check *k, const struct term *t)
{
    for (size_t i = 0; i < sizeof constructors / sizeof *constructors; i++) {
        if (!str_is(t->apply.name, constructors[i].name))
            continue;
        if (t->apply.count < constructors[i].min || t->apply.count > constructors[i].max)
            return wrong_count(k, t, constructors[i].min, constructors[i].max);
        if (is_call(t, "fn:Struct"))
            return check_struct(k, t);
        if (is_call(t, "fn:TaggedUnion"))
            return check_tagged_union(k, t);
        if (is_call(t, "fn:Singleton"))
            return t->apply.args[0].kind == TERM_CONST ||
                   ill_formed(k, &t->apply.args[0], "a singleton type needs a constant");
        if (is_call(t, "fn:Fun") && !result_determined(t, &t->apply.args[0]))
            return ill_formed(k, &t->apply.args[0],
                              "a type variable of the result occurs in no argument");
        return check_types(k, t->apply.args, t->apply.count);
    }
    struct near near = mgi_near(t->apply.name);
    for (size_t i = 0; i < sizeof constructors / sizeof *constructors; i++)
        mgi_near_try(&near, str_of(constructors[i].name));
    mgi_diag(k->diags, k->p, MANGLE_ERROR, "DECL_BOUND_ILLFORMED", t->span,
             near.best.len ? mgi_diag_text(k->diags, "Did you mean %.*s?", STR_ARG(near.best))
                           : "The constructors are Singleton, Pair, Tuple, List, Map, Struct, "
                             "Union, TaggedUnion, Option, Fun and Rel.",
             "there is no type constructor \"%.*s\"", STR_ARG(t->apply.name));
    return false;
}

static bool check_type(struct bound_check *k, const struct term *t)
{
    switch (t->kind) {
    case TERM_VAR:
        return true;
    case TERM_CONST:
        return is_name(k, t) || ill_formed(k, t, "a type must be a name such as /string");
    default:
        return check_constructor(k, t);
    }
}

static bool is_reference(const mangle_program *p, const struct term *t)
{
    return t->kind == TERM_CONST && mangle_kind_of(p->values, t->value) == MANGLE_STRING;
}

void mgi_check_bound_terms(mangle_program *p, const struct decl *d, mangle_diags *diags)
{
    struct bound_check k = { p, diags };
    for (uint32_t i = 0; i < d->bound_row_count; i++)
        for (uint32_t j = 0; j < d->bound_counts[i]; j++)
            if (!is_reference(p, &d->bounds[i][j]))
                check_type(&k, &d->bounds[i][j]);
}

/* ---- references -------------------------------------------------------------------------- */

/* The declared unary predicate that a string bound names, or NULL. */
static const struct decl *referred(const mangle_program *p, const struct term *t)
{
    struct str name;
    name.ptr = mangle_text_of(p->values, t->value, &name.len);
    mangle_pred pred = mgi_pred_find(p, name, 1);
    return pred == MANGLE_NO_PRED ? NULL : p->preds[pred].decl;
}

/* A search from one declaration: who was reached from whom, and which are still to be followed. */
struct bound_walk {
    const struct decl **from;  /* per declaration: by whom it was reached; NULL: not yet */
    const struct decl **stack; /* still to follow */
};

static void follow(const mangle_program *p, struct bound_walk *w, size_t *depth,
                   const struct decl *d)
{
    for (uint32_t i = 0; i < d->bound_row_count; i++) {
        for (uint32_t j = 0; j < d->bound_counts[i]; j++) {
            const struct decl *next =
                is_reference(p, &d->bounds[i][j]) ? referred(p, &d->bounds[i][j]) : NULL;
            if (!next || w->from[next - p->decls])
                continue;
            w->from[next - p->decls] = d;
            w->stack[(*depth)++] = next;
        }
    }
}

/* Does following string bounds from `d` come back to it? Then w->from leads backwards round. */
static bool comes_back(const mangle_program *p, struct bound_walk *w, const struct decl *d)
{
    size_t depth = 0;
    memset(w->from, 0, p->decl_count * sizeof *w->from);
    follow(p, w, &depth, d);
    while (depth && !w->from[d - p->decls])
        follow(p, w, &depth, w->stack[--depth]);
    return w->from[d - p->decls] != NULL;
}

/* "a -> b -> a"; each circle is told once, at its first declaration. */
static void report_circle(const mangle_program *p, const struct bound_walk *w, const struct decl *d,
                          mangle_diags *diags)
{
    const char *path = mgi_diag_text(diags, "%.*s", STR_ARG(d->atom.name));
    const struct decl *at = d;
    do {
        at = w->from[at - p->decls];
        path = path ? mgi_diag_text(diags, "%.*s -> %s", STR_ARG(at->atom.name), path) : NULL;
        if (at < d)
            return;
    } while (at != d && path);
    mgi_diag(diags, p, MANGLE_ERROR, "DECL_CYCLE", d->atom.span,
             "Give one of them a type such as /string.",
             "the bounds refer to each other in a circle: %s", path ? path : "");
}

static void check_references(mangle_program *p, const struct decl *d, struct bound_walk *w,
                             mangle_diags *diags)
{
    for (uint32_t i = 0; i < d->bound_row_count; i++) {
        for (uint32_t j = 0; j < d->bound_counts[i]; j++) {
            const struct term *t = &d->bounds[i][j];
            if (!is_reference(p, t) || referred(p, t))
                continue;
            struct str name;
            name.ptr = mangle_text_of(p->values, t->value, &name.len);
            const char *near = mgi_hint_pred(p, name, 1, diags);
            mgi_diag(diags, p, MANGLE_ERROR, "DECL_BOUND_ILLFORMED", t->span,
                     near ? near
                          : "A string bound names a declared predicate with one argument; the "
                            "type of strings is /string.",
                     "no predicate \"%.*s\" with one argument is declared", STR_ARG(name));
        }
    }
    if (comes_back(p, w, d))
        report_circle(p, w, d, diags);
}

bool mgi_check_bound_references(mangle_program *p, mangle_diags *diags)
{
    struct bound_walk w = { mgi_calloc(p->decl_count + 1, sizeof *w.from),
                            mgi_calloc(p->decl_count + 1, sizeof *w.stack) };
    bool ok = w.from && w.stack;
    for (size_t i = 0; ok && i < p->decl_count; i++) {
        mgi_diags_anchor(diags, &p->decls[i].span);
        check_references(p, &p->decls[i], &w, diags);
    }
    mgi_diags_anchor(diags, NULL);
    mgi_free(w.from);
    mgi_free(w.stack);
    return ok;
}
