/* The list of built-ins, and what their families share. A row is all there is to a built-in:
 * nothing else here or elsewhere knows its name. */
#include "mangle/builtin_int.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "mangle/near.h"

/* ---- the list ------------------------------------------------------------------------------ */

static const struct function *const function_families[] = {
    mgi_functions_number, mgi_functions_string,   mgi_functions_structure, mgi_functions_time,
    mgi_functions_civil,  mgi_functions_duration, mgi_functions_reduce,
};

static const struct builtin_pred *const pred_families[] = {
    mgi_preds_compare,
    mgi_preds_match,
    mgi_preds_interval,
};

#define FAMILY_COUNT(families) (sizeof(families) / sizeof *(families))

const struct function *mgi_function_at(size_t index)
{
    for (size_t i = 0; i < FAMILY_COUNT(function_families); i++)
        for (const struct function *f = function_families[i]; f->name; f++)
            if (index-- == 0)
                return f;
    return NULL;
}

const struct builtin_pred *mgi_builtin_pred_at(size_t index)
{
    for (size_t i = 0; i < FAMILY_COUNT(pred_families); i++)
        for (const struct builtin_pred *p = pred_families[i]; p->name; p++)
            if (index-- == 0)
                return p;
    return NULL;
}

/* A hundred names, asked for once per call in a source: walking them is quick enough. */
const struct function *mgi_function_find(struct str name)
{
    for (size_t i = 0; i < FAMILY_COUNT(function_families); i++)
        for (const struct function *f = function_families[i]; f->name; f++)
            if (str_is(name, f->name))
                return f;
    return NULL;
}

const struct builtin_pred *mgi_builtin_pred_find(struct str name)
{
    for (size_t i = 0; i < FAMILY_COUNT(pred_families); i++)
        for (const struct builtin_pred *p = pred_families[i]; p->name; p++)
            if (str_is(name, p->name))
                return p;
    return NULL;
}

/* ---- did you mean -------------------------------------------------------------------------- */

/* Words that others use for what is here. */
static const char *renamed_function(struct str name)
{
    static const char *const names[][2] = {
        { "add", "fn:plus" },           { "sub", "fn:minus" },       { "subtract", "fn:minus" },
        { "mul", "fn:mult" },           { "multiply", "fn:mult" },   { "times", "fn:mult" },
        { "divide", "fn:div" },         { "remainder", "fn:mod" },   { "average", "fn:avg" },
        { "mean", "fn:avg" },           { "length", "fn:list:len" }, { "size", "fn:list:len" },
        { "head", "fn:list:get" },      { "nth", "fn:list:get" },    { "now", "fn:time:now" },
        { "join", "fn:string:concat" },
    };
    size_t at = name.len;
    while (at > 0 && name.ptr[at - 1] != ':')
        at--;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is((struct str){ name.ptr + at, name.len - at }, names[i][0]))
            return names[i][1];
    return NULL;
}

const char *mgi_function_suggest(struct str name)
{
    const char *renamed = renamed_function(name);
    if (renamed && !str_is(name, renamed))
        return renamed;
    struct near near = mgi_near(name);
    const struct function *f;
    for (size_t i = 0; (f = mgi_function_at(i)) != NULL; i++)
        mgi_near_try(&near, str_of(f->name));
    return near.best.ptr;
}

const char *mgi_builtin_pred_suggest(struct str name)
{
    struct near near = mgi_near(name);
    const struct builtin_pred *p;
    for (size_t i = 0; (p = mgi_builtin_pred_at(i)) != NULL; i++)
        mgi_near_try(&near, str_of(p->name));
    return near.best.ptr;
}

/* ---- errors -------------------------------------------------------------------------------- */

enum call_status mgi_call_error(struct call *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(c->error, sizeof c->error, format, args);
    va_end(args);
    return CALL_ERROR;
}

static const char *kind_phrase(enum mangle_kind kind)
{
    static const char *const phrases[] = {
        [MANGLE_NAME] = "a name",         [MANGLE_STRING] = "a string", [MANGLE_BYTES] = "bytes",
        [MANGLE_NUMBER] = "a number",     [MANGLE_FLOAT] = "a float",   [MANGLE_TIME] = "a time",
        [MANGLE_DURATION] = "a duration", [MANGLE_PAIR] = "a pair",     [MANGLE_LIST] = "a list",
        [MANGLE_MAP] = "a map",           [MANGLE_STRUCT] = "a struct",
    };
    return phrases[kind];
}

#define SHOWN_BYTES 60 /* of a value in a message */

enum call_status mgi_call_mismatch(struct call *c, const char *function, const char *wanted,
                                   mangle_value v)
{
    struct buf text = { .limit = 4 * SHOWN_BYTES }, shown = { 0 };
    mgi_value_print(&text, c->values, v, MANGLE_CANONICAL);
    struct str all = mgi_buf_view(&text);
    struct str some = mgi_utf8_prefix(all, SHOWN_BYTES);
    mgi_utf8_show(&shown, some);
    mgi_call_error(c, "%s: expected %s, got %s %.*s%s", function, wanted,
                   kind_phrase(mangle_kind_of(c->values, v)), STR_ARG(mgi_buf_view(&shown)),
                   some.len < all.len || text.oom ? "..." : "");
    mgi_buf_fini(&text);
    mgi_buf_fini(&shown);
    return CALL_ERROR;
}

/* ---- arguments ----------------------------------------------------------------------------- */

enum call_status mgi_call_expect(struct call *c, const char *function, mangle_value v,
                                 enum mangle_kind kind)
{
    return call_is(c, v, kind) ? CALL_OK : mgi_call_mismatch(c, function, kind_phrase(kind), v);
}

enum call_status mgi_call_int(struct call *c, const char *function, mangle_value v,
                              enum mangle_kind kind, int64_t *n)
{
    enum call_status st = mgi_call_expect(c, function, v, kind);
    if (!st)
        *n = mangle_int_of(c->values, v);
    return st;
}

enum call_status mgi_call_double(struct call *c, const char *function, mangle_value v, double *d)
{
    if (call_is(c, v, MANGLE_NUMBER))
        *d = (double)mangle_int_of(c->values, v);
    else if (call_is(c, v, MANGLE_FLOAT))
        *d = mangle_float_of(c->values, v);
    else
        return mgi_call_mismatch(c, function, "a number or a float", v);
    return CALL_OK;
}

const mangle_value *mgi_call_items(struct call *c, mangle_value list)
{
    size_t count = mangle_count_of(c->values, list), i = 0;
    mangle_value *items = mgi_arena_alloc(c->scratch, count * sizeof *items);
    if (!items)
        return NULL;
    mangle_value key;
    while (i < count && mangle_next(c->values, &list, &key, &items[i]))
        i++;
    return items;
}

/* ---- results ------------------------------------------------------------------------------- */

enum call_status mgi_call_return(struct call *c, const char *function, mangle_value v,
                                 mangle_value *out)
{
    if (v == MANGLE_NONE) {
        if (mgi_values_fault(c->values) != VALUES_TOO_DEEP)
            return CALL_NOMEM;
        return mgi_call_error(c, "%s: the value would be nested deeper than %d", function,
                              VALUE_MAX_DEPTH);
    }
    *out = v;
    return CALL_OK;
}

enum call_status mgi_call_return_number(struct call *c, uint64_t n, mangle_value *out)
{
    *out = mangle_number(c->values, (int64_t)n);
    return *out == MANGLE_NONE ? CALL_NOMEM : CALL_OK;
}

enum call_status mgi_call_return_double(struct call *c, double d, mangle_value *out)
{
    /* Processors differ in the NaN that they make; answers must not (M-VAL-21 compares the bits).
     */
    *out = mangle_float(c->values, isnan(d) ? (double)NAN : d);
    return *out == MANGLE_NONE ? CALL_NOMEM : CALL_OK;
}

enum call_status mgi_call_return_string(struct call *c, struct buf *b, mangle_value *out)
{
    struct str s = mgi_buf_view(b);
    if (b->full) {
        size_t limit = b->limit;
        mgi_buf_fini(b);
        return mgi_call_error(c, "the string would be longer than %zu MiB", limit >> 20);
    }
    *out = b->oom ? MANGLE_NONE : mangle_string(c->values, s.ptr, s.len);
    mgi_buf_fini(b);
    return *out == MANGLE_NONE ? CALL_NOMEM : CALL_OK;
}
