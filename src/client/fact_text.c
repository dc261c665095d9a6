/* One fact: its identity and the text that is sent. See facts_int.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/time.h"
#include "client/facts_int.h"
#include "protocol/wire_time.h"

#define SAFE_INTEGER INT64_C(9007199254740991) /* 2^53 - 1: beyond it integers are wrapped */
#define ALL_FORMATS  (WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS)

static const struct json *member_of(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type != JSON_NULL ? v : NULL;
}

const char *mgi_fact_fault(const struct json *v)
{
    if (v->type != JSON_OBJECT)
        return "a fact is an object with pred and args";
    const struct json *pred = member_of(v, "pred");
    const struct json *args = member_of(v, "args"), *named = member_of(v, "named_args");
    if (!pred || pred->type != JSON_STRING)
        return "a fact needs pred, the name of its predicate, as a string";
    if (args && named)
        return "a fact has args or named_args, not both";
    if (!args && !named)
        return "a fact needs args, an array of its arguments (or named_args)";
    if (args && args->type != JSON_ARRAY)
        return "args must be an array";
    if (named && named->type != JSON_OBJECT)
        return "named_args must be an object";
    return NULL;
}

/* ---- identity ---------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct json_member *const *x = a, *const *y = b;
    return mgi_str_compare((*x)->name, (*y)->name);
}

static void spell_string(struct buf *out, struct str s)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_string(&w, s);
}

/* Depth is bounded: no JSON is nested deeper than its parser allows. */
static void spell_object(struct buf *out, const struct json *v)
{
    const struct json_member **sorted = mgi_calloc(v->count ? v->count : 1, sizeof(void *));
    if (!sorted) {
        out->oom = true;
        return;
    }
    for (uint32_t i = 0; i < v->count; i++)
        sorted[i] = &v->members[i];
    if (v->count > 1)
        qsort(sorted, v->count, sizeof *sorted, by_name);
    mgi_buf_putc(out, '{');
    for (uint32_t i = 0; i < v->count; i++) {
        if (i)
            mgi_buf_putc(out, ',');
        spell_string(out, sorted[i]->name);
        mgi_buf_putc(out, ':');
        mgi_fact_spell(out, &sorted[i]->value);
    }
    mgi_buf_putc(out, '}');
    mgi_free(sorted);
}

void mgi_fact_spell(struct buf *out, const struct json *v)
{
    char digits[32];
    int64_t wrapped;
    switch (v->type) {
    case JSON_INT:
        mgi_buf_printf(out, "%" PRId64, v->integer);
        return;
    case JSON_FLOAT:
        mgi_double_print(v->number + 0.0, digits); /* -0.0 is 0.0 */
        mgi_buf_printf(out, "f%s", digits);
        return;
    case JSON_STRING:
        spell_string(out, v->string);
        return;
    case JSON_ARRAY:
        mgi_buf_putc(out, '[');
        for (uint32_t i = 0; i < v->count; i++) {
            if (i)
                mgi_buf_putc(out, ',');
            mgi_fact_spell(out, &v->items[i]);
        }
        mgi_buf_putc(out, ']');
        return;
    case JSON_OBJECT:
        if (mgi_wire_int64(v, &wrapped))
            mgi_buf_printf(out, "%" PRId64, wrapped);
        else
            spell_object(out, v);
        return;
    default: /* null, true, false; a number that fits nothing is its own text */
        mgi_buf_str(out, v->text);
    }
}

/* "now" means another instant in every request: such an annotation is only equal to itself, and so
 * is one that cannot be read. */
static bool mentions_now(const struct json *t)
{
    static const char *const ends[] = { "at", "start", "end" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const struct json *end = mgi_json_get(t, ends[i]);
        if (end && end->type == JSON_STRING && str_is(end->string, "now"))
            return true;
    }
    return false;
}

void mgi_fact_spell_window(struct buf *out, const struct json *t)
{
    struct mangle_interval window;
    const char *issue, *why;
    if (!t || t->type == JSON_NULL)
        return;
    if (t->type != JSON_OBJECT || mentions_now(t) ||
        !mgi_wire_interval(t, ALL_FORMATS, 0, &window, &issue, &why)) {
        mgi_buf_putc(out, '?');
        mgi_fact_spell(out, t);
    } else if (window.start_ns != MANGLE_ALWAYS.start_ns ||
               window.end_ns != MANGLE_ALWAYS.end_ns) { /* D-22 */
        mgi_buf_printf(out, "@%" PRId64 ",%" PRId64, window.start_ns, window.end_ns);
    }
}

/* ---- what is sent ------------------------------------------------------------------------ */

/* As it was written, but integers beyond 2^53 - 1 in their wrapper (P-FACT-19). */
static void write_value(struct json_writer *w, const struct json *v)
{
    switch (v->type) {
    case JSON_INT:
        if (v->integer <= SAFE_INTEGER && v->integer >= -SAFE_INTEGER) {
            mgi_jw_int(w, v->integer);
            return;
        }
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "_type", "int64");
        char digits[24];
        snprintf(digits, sizeof digits, "%" PRId64, v->integer);
        mgi_jw_member_cstr(w, "value", digits);
        mgi_jw_end_object(w);
        return;
    case JSON_ARRAY:
        mgi_jw_begin_array(w);
        for (uint32_t i = 0; i < v->count; i++)
            write_value(w, &v->items[i]);
        mgi_jw_end_array(w);
        return;
    case JSON_OBJECT:
        mgi_jw_begin_object(w);
        for (uint32_t i = 0; i < v->count; i++) {
            mgi_jw_key_str(w, v->members[i].name);
            write_value(w, &v->members[i].value);
        }
        mgi_jw_end_object(w);
        return;
    default:
        mgi_jw_value(w, v);
    }
}

/* The category is left out: whoever sends a fact on sends it as a session fact (P-PROV-10). */
static void write_text(struct buf *out, const struct json *v, const struct json *const *in_order,
                       uint32_t arity)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; i < v->count; i++) {
        const struct json_member *m = &v->members[i];
        bool arguments = str_is(m->name, "args") || str_is(m->name, "named_args");
        if (str_is(m->name, "category") || (arguments && m->value.type == JSON_NULL))
            continue;
        if (in_order && arguments) {
            mgi_jw_key(&w, "args");
            mgi_jw_begin_array(&w);
            for (uint32_t k = 0; k < arity; k++)
                write_value(&w, in_order[k]);
            mgi_jw_end_array(&w);
            continue;
        }
        mgi_jw_key_str(&w, m->name);
        if (arguments)
            write_value(&w, &m->value);
        else
            mgi_jw_value(&w, &m->value);
    }
    mgi_jw_end_object(&w);
}

/* ---- both -------------------------------------------------------------------------------- */

/* The values of named arguments in the declared order; false: they are not just those. */
static bool put_in_order(const struct json *named, const struct str *names, uint32_t arity,
                         const struct json **in_order)
{
    for (uint32_t i = 0; i < arity; i++)
        if (!(in_order[i] = mgi_json_get_str(named, names[i])))
            return false;
    return named->count == arity;
}

/* Where the parts of a key end, while it is written. */
struct spelt {
    struct buf key;
    size_t pred_end, arguments_end;
    size_t *ends; /* of each argument */
    uint32_t arg_count;
};

static void spell_key(struct spelt *s, const struct json *v, const struct json *const *in_order,
                      uint32_t arity)
{
    const struct json *args = member_of(v, "args");
    spell_string(&s->key, mgi_json_get(v, "pred")->string);
    s->pred_end = s->key.len;
    if (!args && !in_order) {
        mgi_fact_spell(&s->key, member_of(v, "named_args"));
    } else {
        s->arg_count = in_order ? arity : args->count;
        mgi_buf_putc(&s->key, '[');
        for (uint32_t i = 0; i < s->arg_count; i++) {
            if (i)
                mgi_buf_putc(&s->key, ',');
            mgi_fact_spell(&s->key, in_order ? in_order[i] : &args->items[i]);
            s->ends[i] = s->key.len;
        }
        mgi_buf_putc(&s->key, ']');
    }
    s->arguments_end = s->key.len;
    mgi_fact_spell_window(&s->key, mgi_json_get(v, "t"));
}

static bool has_signature(const struct json *v)
{
    const struct json *signature = mgi_json_get(mgi_json_get(v, "source"), "signature");
    return signature && signature->type == JSON_STRING && signature->string.len > 0;
}

/* All parts in one block. */
static struct known_fact *in_one_block(const struct spelt *s, struct str text)
{
    size_t args_size = s->arg_count * sizeof(struct str);
    char *block = mgi_alloc(sizeof(struct known_fact) + args_size + text.len + 1 + s->key.len + 1);
    if (!block)
        return NULL;
    struct known_fact *f = (struct known_fact *)(void *)block;
    char *bytes = block + sizeof *f + args_size, *key = bytes + text.len + 1;
    memcpy(bytes, text.ptr, text.len);
    memcpy(key, s->key.ptr, s->key.len);
    bytes[text.len] = key[s->key.len] = '\0';
    *f = (struct known_fact){
        .text = { bytes, text.len },
        .key = { key, s->key.len },
        .pred = { key, s->pred_end },
        .annotation = { key + s->arguments_end, s->key.len - s->arguments_end },
        .arg_count = s->arg_count,
        .args = (struct str *)(void *)(block + sizeof *f),
    };
    size_t at = s->pred_end + 1;
    for (uint32_t i = 0; i < s->arg_count; i++) {
        f->args[i] = (struct str){ key + at, s->ends[i] - at };
        at = s->ends[i] + 1;
    }
    return f;
}

struct known_fact *mgi_fact_keep(const struct json *v, const struct str *arg_names, uint32_t arity)
{
    const struct json *args = member_of(v, "args"), *named = member_of(v, "named_args");
    uint32_t most = arg_names && arity > 0 ? arity : args ? args->count : 0;
    const struct json **in_order = NULL;
    struct known_fact *out = NULL;
    struct buf text = { 0 };
    struct spelt s = { .ends = mgi_calloc(most ? most : 1, sizeof *s.ends) };
    if (!s.ends)
        goto out;
    if (named && arg_names) {
        in_order = mgi_calloc(arity ? arity : 1, sizeof(void *));
        if (!in_order)
            goto out;
        if (!put_in_order(named, arg_names, arity, in_order)) {
            mgi_free(in_order);
            in_order = NULL;
        }
    }
    spell_key(&s, v, in_order, arity);
    write_text(&text, v, in_order, arity);
    if (!s.key.oom && !text.oom)
        out = in_one_block(&s, mgi_buf_view(&text));
    if (out) {
        out->named = !args && !in_order;
        out->is_signed = has_signature(v);
    }
out:
    mgi_free(in_order);
    mgi_free(s.ends);
    mgi_buf_fini(&s.key);
    mgi_buf_fini(&text);
    return out;
}
