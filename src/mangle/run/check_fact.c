/* What a Decl promises of a fact, on a host's request (M-TYPE-73, M-DECL-34). The declaration is
 * desugared as it is read: a string bound "q" is the type of q's column and the inclusion atom
 * q(argument) (M-DECL-31). */
#include <stdarg.h>
#include <stdio.h>

#include "mangle/run/base.h"
#include "mangle/run/promise.h"

struct fact_check {
    mangle_overlay *o;
    const mangle_program *p;
    const struct mangle_fact *fact;
    const struct decl *decl;
    struct types types;
    struct buf why;    /* of the row that came furthest */
    uint32_t progress; /* how far that was, from 1 */
    bool impossible;   /* a constraint that cannot be checked: no other row helps */
};

/* Steps of a row: its types, its string bounds, its inclusion atoms. */
#define STEP_REFERENCES 2048 /* more than a predicate has arguments */
#define STEP_INCLUSIONS 4096

static bool fails(struct fact_check *k, uint32_t step, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fails(struct fact_check *k, uint32_t step, const char *format, ...)
{
    va_list args;
    if (step + 1 <= k->progress && !k->impossible)
        return false;
    k->progress = step + 1;
    va_start(args, format);
    mgi_buf_clear(&k->why);
    mgi_buf_vprintf(&k->why, format, args);
    va_end(args);
    return false;
}

/* ---- types ------------------------------------------------------------------------------- */

static bool argument_has_type(struct fact_check *k, uint32_t column, const struct term *bound)
{
    const struct term *type = mgi_type_of_bound(&k->types, bound);
    struct buf why = { 0 };
    bool has = mgi_promise_kept(&k->types, k->decl, column, type, k->fact->args[column], &why);
    if (!has)
        fails(k, column, "%.*s", STR_ARG(mgi_buf_view(&why)));
    mgi_buf_fini(&why);
    return has;
}

/* ---- inclusion --------------------------------------------------------------------------- */

static bool must_hold(struct fact_check *k, uint32_t step, struct str name,
                      const mangle_value *args, uint32_t count)
{
    mangle_pred pred = mgi_pred_find(k->p, name, count);
    if (pred == MANGLE_NO_PRED) {
        k->impossible = true;
        return fails(k, step, "its inclusion constraint reads \"%.*s\", which is not defined",
                     STR_ARG(name));
    }
    if (mangle_overlay_holds(k->o, pred, args))
        return true;
    struct mangle_fact missing = { .pred = pred, .count = count, .args = args };
    char *text = mangle_fact_print(k->p, k->o->values, &missing, MANGLE_CANONICAL, NULL);
    k->types.oom |= !text;
    fails(k, step, "%s has to hold too, but does not", text ? text : "");
    mangle_free(text);
    return false;
}

/* The fact's argument that a variable of the declaration stands for. */
static mangle_value argument_of(const struct fact_check *k, uint32_t var)
{
    for (uint32_t i = 0; i < k->decl->atom.count; i++)
        if (k->decl->atom.args[i].var == var)
            return k->fact->args[i];
    return MANGLE_NONE;
}

static bool inclusion_holds(struct fact_check *k, uint32_t step, const struct atom *a)
{
    mangle_value *args = mgi_arena_calloc(k->types.arena, (size_t)a->count + 1, sizeof *args);
    if (!args) {
        k->types.oom = true;
        return true;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        const struct term *t = &a->args[i];
        if (t->kind == TERM_CONST)
            args[i] = t->value;
        else if (t->kind == TERM_VAR)
            args[i] = argument_of(k, t->var);
        if (args[i] == MANGLE_NONE) {
            k->impossible = true;
            return fails(k, step,
                         "argument %u of its inclusion constraint \"%.*s\" is neither an argument "
                         "of the declaration nor a value",
                         i + 1, STR_ARG(a->name));
        }
    }
    return must_hold(k, step, a->name, args, a->count);
}

static bool inclusions_hold(struct fact_check *k)
{
    for (uint32_t i = 0; i < k->decl->inclusion_count; i++)
        if (!inclusion_holds(k, STEP_INCLUSIONS + i, &k->decl->inclusion[i]))
            return false;
    return true;
}

/* ---- rows -------------------------------------------------------------------------------- */

static bool row_fits(struct fact_check *k, const struct term *row)
{
    for (uint32_t j = 0; j < k->fact->count; j++)
        if (!argument_has_type(k, j, &row[j]))
            return false;
    for (uint32_t j = 0; j < k->fact->count; j++) {
        if (row[j].kind != TERM_CONST ||
            mangle_kind_of(k->o->values, row[j].value) != MANGLE_STRING)
            continue;
        struct str name;
        name.ptr = mangle_text_of(k->o->values, row[j].value, &name.len);
        if (!must_hold(k, STEP_REFERENCES + j, name, &k->fact->args[j], 1))
            return false;
    }
    return inclusions_hold(k);
}

static bool some_row_fits(struct fact_check *k)
{
    const struct decl *d = k->decl;
    for (uint32_t i = 0; i < d->bound_row_count && !k->impossible && !k->types.oom; i++)
        if (row_fits(k, d->bounds[i]))
            return true;
    return d->bound_row_count == 0 && inclusions_hold(k);
}

static enum mangle_status refuse_promise(struct mangle_error *err, struct str name, struct str why,
                                         uint32_t argument)
{
    if (!err)
        return MANGLE_ERR_INPUT;
    snprintf(err->message, sizeof err->message, "%.*s: %.*s", name.len > 130 ? 130 : (int)name.len,
             name.ptr, why.len > 350 ? 350 : (int)why.len, why.ptr);
    err->argument = argument;
    return MANGLE_ERR_INPUT;
}

enum mangle_status mangle_overlay_check_fact(mangle_overlay *o, const struct mangle_fact *fact,
                                             struct mangle_error *err)
{
    const mangle_program *p = o->base->program;
    struct fact_check k = { .o = o, .p = p, .fact = fact };
    struct arena arena;
    if (err)
        err->argument = 0;
    enum mangle_status st = mgi_fact_check(p, fact->pred, fact->args, fact->count, NULL, err);
    if (!st)
        st = mgi_overlay_complete(o, MANGLE_NO_PRED);
    if (st)
        return st;
    k.decl = p->preds[fact->pred].decl;
    if (!k.decl)
        return refuse_promise(err, p->preds[fact->pred].name, STR_LIT("it has no Decl"), 0);
    mgi_arena_init(&arena, 0);
    bool open = mgi_types_open(&k.types, p, o->values, &arena);
    k.types.exact = true;
    bool fits = open && some_row_fits(&k);
    if (k.types.oom || k.why.oom)
        st = MANGLE_ERR_NOMEM;
    else if (!fits)
        st = refuse_promise(err, p->preds[fact->pred].name, mgi_buf_view(&k.why),
                            k.progress <= STEP_REFERENCES ? k.progress : 0);
    mgi_buf_fini(&k.why);
    mgi_arena_fini(&arena);
    return st;
}
