/* Argument values: JSON <-> values of the engine (protocol.md §2.6, D-7, D-10, D-11, D-14).
 *
 * Kinds stay apart: 1, 1.0, "1" and true are four values. Both directions keep their own stack, so
 * that neither a client's nesting nor a rule's can use up ours. */
#include "protocol/fact.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/time.h"
#include "protocol/wire_time.h"
#include "base/encode.h"

#define SAFE_INTEGER INT64_C(9007199254740991) /* 2^53 - 1: beyond it integers are wrapped */

const char mgi_issue_nomem[] = "out_of_memory";

/* ---- JSON to values ------------------------------------------------------------------------ */

static mangle_value value_fault(const char **issue, const char **why, const char *word,
                                const char *text)
{
    *issue = word;
    *why = text;
    return MANGLE_NONE;
}

static mangle_value made(mangle_value v, const char **issue, const char **why)
{
    return v != MANGLE_NONE
               ? v
               : value_fault(issue, why, mgi_issue_nomem, "the server is short of memory");
}

/* What stands for a value that was checked and, for want of a table, not made. */
#define CHECKED ((mangle_value)1)

static mangle_value name_from_text(mangle_values *t, struct str s, const char **issue,
                                   const char **why)
{
    mangle_value v = t ? mangle_name(t, s.ptr, s.len) : CHECKED;
    if (v != MANGLE_NONE)
        return v;
    return value_fault(issue, why, "type_mismatch",
                       "must be a name, which begins with a slash: \"/word\"");
}

static mangle_value typed_from_object(mangle_values *t, const struct json *v, const char **issue,
                                      const char **why)
{
    int64_t n;
    if (mgi_json_get(v, "_var"))
        return value_fault(issue, why, "non_ground_argument", "variables are not allowed in facts");
    if (!mgi_wire_int64(v, &n))
        return value_fault(
            issue, why, "bad_typed_value",
            "a typed value is {\"_type\":\"int64\",\"value\":\"<decimal>\"}, within 64 bits");
    return made(t ? mangle_number(t, n) : CHECKED, issue, why);
}

static bool is_typed(const struct json *v)
{
    return v->type == JSON_OBJECT && (mgi_json_get(v, "_type") || mgi_json_get(v, "_var"));
}

static bool is_container(const struct json *v)
{
    return v->type == JSON_ARRAY || (v->type == JSON_OBJECT && !is_typed(v));
}

static mangle_value scalar_from_json(mangle_values *t, const struct json *v, bool as_name,
                                     const char **issue, const char **why)
{
    switch (v->type) {
    case JSON_STRING:
        if (as_name)
            return name_from_text(t, v->string, issue, why);
        return made(t ? mangle_string(t, v->string.ptr ? v->string.ptr : "", v->string.len)
                      : CHECKED,
                    issue, why);
    case JSON_BOOL:
        return made(t ? mangle_bool(t, v->boolean) : CHECKED, issue, why);
    case JSON_INT:
        if (v->integer > SAFE_INTEGER || v->integer < -SAFE_INTEGER)
            return value_fault(
                issue, why, "integer_out_of_range",
                "integers beyond 2^53 - 1 travel as {\"_type\":\"int64\",\"value\":\"...\"}");
        return made(t ? mangle_number(t, v->integer) : CHECKED, issue, why);
    case JSON_FLOAT:
        return made(t ? mangle_float(t, v->number) : CHECKED, issue, why);
    case JSON_HUGE:
        for (size_t i = 0; i < v->text.len; i++)
            if (v->text.ptr[i] == '.' || (v->text.ptr[i] | 0x20) == 'e')
                return value_fault(issue, why, "number_out_of_range", "does not fit a double");
        return value_fault(issue, why, "integer_out_of_range", "does not fit 64 bits");
    case JSON_OBJECT:
        return typed_from_object(t, v, issue, why);
    default:
        return value_fault(issue, why, "non_ground_argument",
                           "null matches anything and belongs in retract patterns only");
    }
}

/* A list or map under construction: values[0..next) are done. */
struct building {
    const struct json *v;
    uint32_t next;
    mangle_value *values;
    mangle_value *keys; /* of a map */
};

static bool begin_container(struct arena *arena, struct building **stack, size_t *cap,
                            size_t *depth, const struct json *v)
{
    if (!mgi_arena_grow(arena, stack, cap, *depth + 1, sizeof **stack))
        return false;
    struct building *b = &(*stack)[*depth];
    *b = (struct building){ .v = v };
    b->values = mgi_arena_calloc(arena, (size_t)v->count + 1, sizeof *b->values);
    if (v->type == JSON_OBJECT)
        b->keys = mgi_arena_calloc(arena, (size_t)v->count + 1, sizeof *b->keys);
    if (!b->values || (v->type == JSON_OBJECT && !b->keys))
        return false;
    ++*depth;
    return true;
}

static mangle_value end_container(mangle_values *t, struct building *b)
{
    if (!t)
        return CHECKED;
    if (b->v->type == JSON_ARRAY)
        return mangle_list(t, b->values, b->v->count);
    for (uint32_t i = 0; i < b->v->count; i++) {
        struct str key = b->v->members[i].name;
        b->keys[i] = mangle_string(t, key.ptr ? key.ptr : "", key.len);
        if (b->keys[i] == MANGLE_NONE)
            return MANGLE_NONE;
    }
    return mangle_map(t, b->keys, b->values, b->v->count);
}

static mangle_value container_from_json(mangle_values *t, const struct json *v, struct arena *arena,
                                        const char **issue, const char **why)
{
    struct building *stack = NULL;
    size_t cap = 0, depth = 0;
    if (!begin_container(arena, &stack, &cap, &depth, v))
        return made(MANGLE_NONE, issue, why);
    for (;;) {
        struct building *b = &stack[depth - 1];
        mangle_value done;
        if (b->next < b->v->count) {
            const struct json *child =
                b->v->type == JSON_ARRAY ? &b->v->items[b->next] : &b->v->members[b->next].value;
            if (is_container(child)) {
                if (!begin_container(arena, &stack, &cap, &depth, child))
                    return made(MANGLE_NONE, issue, why);
                continue;
            }
            done = scalar_from_json(t, child, false, issue, why);
            if (done == MANGLE_NONE)
                return MANGLE_NONE;
        } else {
            done = end_container(t, b);
            if (done == MANGLE_NONE)
                return made(MANGLE_NONE, issue, why);
            if (--depth == 0)
                return done;
            b = &stack[depth - 1];
        }
        b->values[b->next++] = done;
    }
}

mangle_value mgi_value_from_json(mangle_values *t, const struct json *v, bool as_name,
                                 bool wildcard, struct arena *arena, const char **issue,
                                 const char **why)
{
    *issue = *why = NULL;
    if (v->type == JSON_NULL && wildcard)
        return MANGLE_NONE;
    if (!is_container(v))
        return scalar_from_json(t, v, as_name, issue, why);
    struct arena_mark mark = mgi_arena_mark(arena);
    mangle_value value = container_from_json(t, v, arena, issue, why);
    mgi_arena_rewind(arena, mark);
    return value;
}

/* ---- values to JSON ------------------------------------------------------------------------ */

static void write_int(struct json_writer *w, int64_t n)
{
    if (n <= SAFE_INTEGER && n >= -SAFE_INTEGER) {
        mgi_jw_int(w, n);
        return;
    }
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, n);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "_type", "int64");
    mgi_jw_member_cstr(w, "value", digits);
    mgi_jw_end_object(w);
}

/* JSON has no word for these; a null would read as "matches anything". */
static void write_float(struct json_writer *w, double d)
{
    if (isfinite(d))
        mgi_jw_float(w, d);
    else
        mgi_jw_cstring(w, isnan(d) ? "NaN" : d > 0 ? "+Inf" : "-Inf");
}

static void write_bytes(struct json_writer *w, struct str bytes)
{
    char *text = mgi_alloc((bytes.len + 2) / 3 * 4 + 1);
    if (!text) {
        w->out->oom = true;
        mgi_jw_null(w);
        return;
    }
    size_t len = mgi_base64url_encode((const uint8_t *)bytes.ptr, bytes.len, text);
    mgi_jw_string(w, (struct str){ text, len });
    mgi_free(text);
}

static struct str text_of(const mangle_values *t, mangle_value v)
{
    struct str s;
    s.ptr = mangle_text_of(t, v, &s.len);
    return s;
}

/* Everything but lists, maps and structs. */
static void write_scalar(struct json_writer *w, const mangle_values *t, mangle_value v)
{
    struct buf text = { 0 };
    switch (mangle_kind_of(t, v)) {
    case MANGLE_NAME: {
        struct str name = text_of(t, v);
        if (str_is(name, "/true") || str_is(name, "/false"))
            mgi_jw_bool(w, str_is(name, "/true"));
        else
            mgi_jw_string(w, name);
        break;
    }
    case MANGLE_STRING:
        mgi_jw_string(w, text_of(t, v));
        break;
    case MANGLE_BYTES:
        write_bytes(w, text_of(t, v));
        break;
    case MANGLE_NUMBER:
        write_int(w, mangle_int_of(t, v));
        break;
    case MANGLE_FLOAT:
        write_float(w, mangle_float_of(t, v));
        break;
    case MANGLE_TIME:
        mgi_wire_time_write(w, mangle_int_of(t, v));
        break;
    default: /* MANGLE_DURATION */
        mgi_duration_print(&text, mangle_int_of(t, v));
        w->out->oom |= text.oom;
        mgi_jw_string(w, mgi_buf_view(&text));
        break;
    }
    mgi_buf_fini(&text);
}

static void write_key(struct json_writer *w, const mangle_values *t, mangle_value key,
                      bool of_struct)
{
    enum mangle_kind kind = mangle_kind_of(t, key);
    if (kind == MANGLE_NAME || kind == MANGLE_STRING) {
        struct str s = text_of(t, key);
        if (of_struct && kind == MANGLE_NAME && s.len > 1) /* {/k: 1} is {"k":1}, as M-IO-60 */
            s = (struct str){ s.ptr + 1, s.len - 1 };
        mgi_jw_key_str(w, s);
        return;
    }
    size_t len = 0;
    char *printed = mangle_value_print(t, key, MANGLE_CANONICAL, &len);
    w->out->oom |= !printed;
    mgi_jw_key_str(w, (struct str){ printed ? printed : "", printed ? len : 0 });
    mangle_free(printed);
}

/* A list, map, struct or pair that is being written. */
struct open_value {
    enum mangle_kind kind;
    mangle_value cursor; /* mangle_next(); for pairs: the value itself */
    int taken;           /* elements of a pair that are written */
};

static bool next_child(struct json_writer *w, const mangle_values *t, struct open_value *o,
                       mangle_value *child)
{
    if (o->kind == MANGLE_PAIR) {
        mangle_value first, second;
        if (o->taken == 2)
            return false;
        mangle_pair_of(t, o->cursor, &first, &second);
        *child = o->taken++ == 0 ? first : second;
        return true;
    }
    mangle_value key;
    if (!mangle_next(t, &o->cursor, &key, child))
        return false;
    if (o->kind != MANGLE_LIST)
        write_key(w, t, key, o->kind == MANGLE_STRUCT);
    return true;
}

void mgi_value_to_json(struct json_writer *w, const mangle_values *t, mangle_value v)
{
    struct open_value *stack = NULL;
    size_t cap = 0, depth = 0;
    do {
        enum mangle_kind kind = mangle_kind_of(t, v);
        if (kind < MANGLE_PAIR) {
            write_scalar(w, t, v);
        } else if (w->out->oom || !mgi_grow(&stack, &cap, depth + 1, sizeof *stack)) {
            w->out->oom = true; /* and nothing deeper is looked at: shared parts have no end */
            mgi_jw_null(w);
        } else {
            stack[depth++] = (struct open_value){ .kind = kind, .cursor = v };
            if (kind == MANGLE_LIST || kind == MANGLE_PAIR)
                mgi_jw_begin_array(w);
            else
                mgi_jw_begin_object(w);
        }
        while (depth > 0 && !next_child(w, t, &stack[depth - 1], &v)) {
            kind = stack[--depth].kind;
            if (kind == MANGLE_LIST || kind == MANGLE_PAIR)
                mgi_jw_end_array(w);
            else
                mgi_jw_end_object(w);
        }
    } while (depth > 0);
    mgi_free(stack);
}

static void write_source(struct json_writer *w, const struct fact_source *source)
{
    mgi_jw_key(w, "source");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "source_type", source->type);
    if (source->dated) {
        mgi_jw_key(w, "asserted_at");
        mgi_wire_time_write(w, source->asserted_at_ns);
    }
    if (source->signature)
        mgi_jw_member_cstr(w, "signature", source->signature);
    mgi_jw_end_object(w);
}

void mgi_fact_write(struct json_writer *w, const mangle_values *t, struct str pred,
                    const mangle_value *args, uint32_t count, const struct mangle_interval *at,
                    const char *category, const char *source_type)
{
    const struct fact_source source = { .type = source_type };
    mgi_fact_write_said(w, t, pred, args, count, at, category, source_type ? &source : NULL);
}

void mgi_fact_write_said(struct json_writer *w, const mangle_values *t, struct str pred,
                         const mangle_value *args, uint32_t count, const struct mangle_interval *at,
                         const char *category, const struct fact_source *source)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "pred", pred);
    mgi_jw_key(w, "args");
    mgi_jw_begin_array(w);
    for (uint32_t i = 0; i < count; i++)
        if (args[i] == MANGLE_NONE)
            mgi_jw_null(w);
        else
            mgi_value_to_json(w, t, args[i]);
    mgi_jw_end_array(w);
    if (at && (at->start_ns != MANGLE_MIN_TIME || at->end_ns != MANGLE_MAX_TIME)) {
        mgi_jw_key(w, "t");
        mgi_wire_interval_write(w, *at);
    }
    if (category)
        mgi_jw_member_cstr(w, "category", category);
    if (source)
        write_source(w, source);
    mgi_jw_end_object(w);
}
