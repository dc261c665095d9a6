/* The type of an expression (mangle.md section 5.4), and the signatures of built-ins as types. */
#include "mangle/text/parse.h"
#include "mangle/check/types_int.h"

/* ---- what does not fit ------------------------------------------------------------------- */

void mgi_mismatch(struct infer *f, const struct term *arg, const struct term *given,
                  const struct term *wanted)
{
    struct mismatch *why = f->why;
    if (!why || f->k->oom)
        return;
    why->unproven |= given && mgi_type_meet(f->k, given, wanted);
    if (!why->arg) {
        why->arg = arg;
        why->given = given;
        why->wanted = wanted;
    } else if (why->arg != arg) {
        why->several = true; /* other rows fail at another place */
    } else {
        why->wanted = mgi_type_join(f->k, why->wanted, wanted);
        if (given && why->given)
            why->given = mgi_type_join(f->k, why->given, given);
    }
}

void mgi_mismatch_field(struct infer *f, const struct term *arg, const struct term *given,
                        const struct term *field)
{
    if (f->why && !f->why->arg)
        *f->why = (struct mismatch){ .arg = arg, .given = given, .field = field };
}

/* ---- signatures -------------------------------------------------------------------------- */

#define SIGNATURE_VARS 8

struct signature {
    struct term *args;
    uint32_t count;
    bool variadic;             /* the last argument repeats */
    const struct term *result; /* NULL: a predicate */
    const struct term *bound[SIGNATURE_VARS];
};

/* `text` between brackets, as terms. */
static bool parse_list(struct parser *x, struct source *source, struct types *k, struct str text,
                       struct term **out, uint32_t *count)
{
    char *z = mgi_arena_printf(k->arena, "[%.*s]", STR_ARG(text));
    if (!z)
        return mgi_parser_oom(x);
    *source = (struct source){ .name = "signature", .text = str_of(z) };
    x->lexer = (struct lexer){ .text = source->text, .arena = k->arena };
    mgi_parser_next(x);
    return mgi_parse_terms(x, out, count);
}

/* "fn:List(X), /number -> X", "X... -> fn:List(X)", "/number, /number" */
static bool read_signature(struct types *k, const char *text, struct signature *out)
{
    struct str all = str_of(text), left = all, right = { 0 };
    struct source source = { .name = "signature", .text = { "", 0 } };
    struct parser x;
    struct term *result;
    uint32_t results = 0;
    *out = (struct signature){ 0 };
    size_t arrow = mgi_str_find(all, STR_LIT("->")), dots;
    if (arrow != SIZE_MAX) {
        left.len = arrow;
        right = (struct str){ all.ptr + arrow + 2, all.len - arrow - 2 };
    }
    if ((dots = mgi_str_find(left, STR_LIT("..."))) != SIZE_MAX) {
        out->variadic = true;
        left.len = dots;
    }
    mgi_parser_init(&x, &source, 0, k->arena, k->values, NULL);
    bool ok = parse_list(&x, &source, k, left, &out->args, &out->count) &&
              (!right.len || parse_list(&x, &source, k, right, &result, &results)) &&
              x.var_count <= SIGNATURE_VARS;
    k->oom |= x.oom;
    mgi_parser_fini(&x);
    out->result = results == 1 ? result : NULL;
    return ok;
}

static void bind_any(struct types *k, struct signature *s, const struct term *t)
{
    if (t->kind == TERM_VAR && !s->bound[t->var])
        s->bound[t->var] = k->any_type;
    for (uint32_t i = 0; t->kind == TERM_APPLY && i < t->apply.count; i++)
        bind_any(k, s, &t->apply.args[i]);
}

static const struct term *substitute(struct types *k, const struct signature *s,
                                     const struct term *t)
{
    if (t->kind == TERM_VAR)
        return s->bound[t->var] ? s->bound[t->var] : k->any_type;
    if (t->kind == TERM_CONST || t->apply.count > 4)
        return t;
    const struct term *args[4];
    for (uint32_t i = 0; i < t->apply.count; i++)
        args[i] = substitute(k, s, &t->apply.args[i]);
    char *name = mgi_arena_printf(k->arena, "%.*s", STR_ARG(t->apply.name));
    k->oom |= !name;
    return name ? mgi_type_apply(k, name, args, t->apply.count) : k->any_type;
}

/* Where only what cannot be is wrong, some of the values are enough. */
static bool conforms(struct types *k, const struct term *actual, const struct term *t)
{
    return mgi_type_conforms(k, actual, t) || (k->p->doubt_warns && mgi_type_meet(k, actual, t));
}

/* Does a value of type `actual` fit the signature's `t`? Binds its variables. */
static bool fits_signature(struct types *k, struct signature *s, const struct term *t,
                           const struct term *actual)
{
    bool any = actual->kind == TERM_CONST && actual->value == k->any;
    if (t->kind == TERM_VAR) {
        s->bound[t->var] = s->bound[t->var] ? mgi_type_join(k, s->bound[t->var], actual) : actual;
        return true;
    }
    if (t->kind == TERM_CONST || mgi_type_is(t, "fn:Union"))
        return conforms(k, actual, t);
    if (any) {
        bind_any(k, s, t);
        return true;
    }
    if (mgi_type_is(actual, "fn:Union")) {
        uint32_t fit = 0;
        for (uint32_t i = 0; i < actual->apply.count; i++)
            fit += fits_signature(k, s, t, &actual->apply.args[i]);
        return fit == actual->apply.count || (fit > 0 && k->p->doubt_warns);
    }
    if (actual->kind != TERM_APPLY || !str_eq(actual->apply.name, t->apply.name) ||
        actual->apply.count != t->apply.count)
        return false;
    for (uint32_t i = 0; i < t->apply.count; i++)
        if (!fits_signature(k, s, &t->apply.args[i], &actual->apply.args[i]))
            return false;
    return true;
}

static const struct term *signature_arg(const struct signature *s, uint32_t i)
{
    if (i < s->count)
        return &s->args[i];
    return s->variadic && s->count ? &s->args[s->count - 1] : NULL;
}

/* ---- expressions ------------------------------------------------------------------------- */

static const struct term *infer_elements(struct infer *f, const struct term *e, uint32_t first,
                                         uint32_t step)
{
    const struct term *t = f->k->bot_type;
    for (uint32_t i = first; i < e->apply.count; i += step) {
        const struct term *one = mgi_infer(f, &e->apply.args[i]);
        if (!one)
            return NULL;
        t = mgi_type_join(f->k, t, one);
    }
    return t;
}

static const struct term *infer_container(struct infer *f, const struct term *e, bool map)
{
    const struct term *parts[2] = { infer_elements(f, e, 0, map ? 2 : 1),
                                    map ? infer_elements(f, e, 1, 2) : NULL };
    if (!parts[0] || (map && !parts[1]))
        return NULL;
    return mgi_type_apply(f->k, map ? "fn:Map" : "fn:List", parts, map ? 2 : 1);
}

/* Right-nested pairs; one element is itself (M-VAL-13). */
static const struct term *infer_tuple(struct infer *f, const struct term *e)
{
    const struct term *t = NULL;
    for (uint32_t i = e->apply.count; i > 0; i--) {
        const struct term *pair[2] = { mgi_infer(f, &e->apply.args[i - 1]), t };
        if (!pair[0])
            return NULL;
        t = t ? mgi_type_apply(f->k, "fn:Pair", pair, 2) : pair[0];
    }
    return t ? t : f->k->any_type;
}

static const struct term *infer_struct(struct infer *f, const struct term *e)
{
    const struct term **args =
        mgi_arena_calloc(f->k->arena, (size_t)e->apply.count + 1, sizeof *args);
    if (!args) {
        f->k->oom = true;
        return f->k->any_type;
    }
    for (uint32_t i = 0; i < e->apply.count; i++) {
        const struct term *arg = &e->apply.args[i];
        bool label = i % 2 == 0;
        if (label && arg->kind != TERM_CONST)
            return f->k->any_type; /* a label that only evaluation knows */
        args[i] = label ? arg : mgi_infer(f, arg);
        if (!args[i])
            return NULL;
    }
    return mgi_type_apply(f->k, "fn:Struct", args, e->apply.count);
}

static const struct term *infer_field(struct infer *f, const struct term *e)
{
    const struct term *of = mgi_infer(f, &e->apply.args[0]), *label = &e->apply.args[1];
    if (!of)
        return NULL;
    if (label->kind != TERM_CONST)
        return f->k->any_type;
    const struct term *field = mgi_type_field(f->k, of, label->value);
    if (!field)
        mgi_mismatch_field(f, &e->apply.args[0], of, label);
    return field;
}

/* A reducer may also be given a list of what it reduces (M-TYPE-48). */
static bool argument_fits(struct infer *f, struct signature *s, const struct function *row,
                          const struct term *wanted, const struct term *given)
{
    bool strict = (row->typed_only || row->reduce) && !f->k->p->doubt_warns;
    if (given->kind == TERM_CONST && given->value == f->k->any && !strict) {
        bind_any(f->k, s, wanted);
        return true;
    }
    if (fits_signature(f->k, s, wanted, given))
        return true;
    return row->reduces_list && mgi_type_is(given, "fn:List") &&
           fits_signature(f->k, s, wanted, &given->apply.args[0]);
}

static const struct term *infer_call(struct infer *f, const struct term *e)
{
    struct signature s;
    const struct function *row = e->apply.row;
    if (!row || !row->type || !read_signature(f->k, row->type, &s))
        return f->k->any_type;
    for (uint32_t i = 0; i < e->apply.count; i++) {
        const struct term *wanted = signature_arg(&s, i), *given = mgi_infer(f, &e->apply.args[i]);
        if (!given)
            return NULL;
        if (row->floats_only)
            wanted = mgi_type_name(f->k, f->k->float64);
        if (wanted && !argument_fits(f, &s, row, wanted, given)) {
            mgi_mismatch(f, &e->apply.args[i], given, substitute(f->k, &s, wanted));
            return NULL;
        }
    }
    return s.result ? substitute(f->k, &s, s.result) : f->k->any_type;
}

const struct term *mgi_infer(struct infer *f, const struct term *e)
{
    if (e->kind == TERM_VAR)
        return f->vars[e->var] ? f->vars[e->var] : f->k->any_type;
    if (e->kind == TERM_CONST)
        return mgi_type_of_value(f->k, e->value);
    const struct term *row;
    switch (e->apply.row ? e->apply.row->typing : TYPING_SIGNATURE) {
    case TYPING_LIST:
        return infer_container(f, e, false);
    case TYPING_MAP:
        return infer_container(f, e, true);
    case TYPING_STRUCT:
        return infer_struct(f, e);
    case TYPING_TUPLE:
        return infer_tuple(f, e);
    case TYPING_ROWS:
        row = infer_tuple(f, e);
        return row ? mgi_type_apply(f->k, "fn:List", &row, 1) : NULL;
    case TYPING_FIELD:
        return e->apply.count == 2 ? infer_field(f, e) : infer_call(f, e);
    case TYPING_SIGNATURE:
    case TYPING_PREFIX: /* of predicates */
        break;
    }
    return infer_call(f, e);
}

/* ---- built-in predicates ----------------------------------------------------------------- */

bool mgi_constant_fits(struct infer *f, const struct term *arg, const struct term *type)
{
    if (mgi_type_has(f->k, type, arg->value))
        return true;
    mgi_mismatch(f, arg, NULL, type);
    return false;
}

bool mgi_narrow(struct infer *f, const struct term *arg, const struct term *type)
{
    if (arg->kind == TERM_CONST)
        return mgi_constant_fits(f, arg, type);
    const struct term *given = mgi_infer(f, arg);
    const struct term *both = given ? mgi_type_meet(f->k, given, type) : NULL;
    if (both && arg->kind == TERM_VAR)
        f->vars[arg->var] = both;
    if (given && !both)
        mgi_mismatch(f, arg, given, type);
    return both != NULL;
}

static bool infer_match_field(struct infer *f, const struct atom *a)
{
    const struct term *of = mgi_infer(f, &a->args[0]);
    if (!of || a->args[1].kind != TERM_CONST)
        return of != NULL;
    const struct term *field = mgi_type_field(f->k, of, a->args[1].value);
    if (!field)
        mgi_mismatch_field(f, &a->args[0], of, &a->args[1]);
    return field && mgi_narrow(f, &a->args[2], field);
}

/* A negated prefix takes alternatives of a union away (M-TYPE-67). */
static bool infer_match_prefix(struct infer *f, const struct atom *a, bool negated)
{
    const struct term *prefix = &a->args[1], *given = mgi_infer(f, &a->args[0]);
    if (prefix->kind != TERM_CONST)
        return given != NULL;
    if (!negated)
        return mgi_narrow(f, &a->args[0], prefix);
    if (!given || !mgi_type_is(given, "fn:Union") || a->args[0].kind != TERM_VAR)
        return given != NULL;
    const struct term *left = NULL;
    for (uint32_t i = 0; i < given->apply.count; i++) {
        const struct term *one = &given->apply.args[i];
        if (!mgi_type_conforms(f->k, one, prefix))
            left = left ? mgi_type_join(f->k, left, one) : one;
    }
    f->vars[a->args[0].var] = left;
    return left != NULL;
}

bool mgi_infer_builtin(struct infer *f, const struct atom *a, bool negated)
{
    struct signature s;
    if (a->builtin && a->builtin->typing == TYPING_FIELD)
        return infer_match_field(f, a);
    if (a->builtin && a->builtin->typing == TYPING_PREFIX)
        return infer_match_prefix(f, a, negated);
    if (!a->builtin || !a->builtin->type || !read_signature(f->k, a->builtin->type, &s))
        return true;
    for (int pass = 0; pass < 2; pass++) { /* inputs first: outputs depend on them */
        for (uint32_t i = 0; i < a->count && i < s.count; i++) {
            bool input = a->builtin->modes[i] == MODE_IN;
            if (input != (pass == 0))
                continue;
            bool simple = s.args[i].kind == TERM_CONST || mgi_type_is(&s.args[i], "fn:Union");
            if (!input || simple) {
                if (!mgi_narrow(f, &a->args[i], substitute(f->k, &s, &s.args[i])))
                    return false;
                continue;
            }
            const struct term *given = mgi_infer(f, &a->args[i]);
            if (!given)
                return false;
            if (!fits_signature(f->k, &s, &s.args[i], given)) {
                mgi_mismatch(f, &a->args[i], given, substitute(f->k, &s, &s.args[i]));
                return false;
            }
        }
    }
    return true;
}
