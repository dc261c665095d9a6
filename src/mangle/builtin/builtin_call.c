/* What the families of built-ins share: their errors, reading arguments, returning values. */
#include "mangle/builtin/builtin_int.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

#define SHOWN_BYTES 60 /* of a value in a message */

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

enum call_status mgi_call_mismatch(struct call *c, const char *function, const char *wanted,
                                   mangle_value v)
{
    struct buf text = { .limit = 4 * SHOWN_BYTES }, shown = { 0 };
    mgi_value_show(&text, c->values, v);
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
