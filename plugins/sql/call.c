/* What a call was given, what time it has, and the rows that it answers. */
#include "plugins/sql/sql_plugin.h"

#include <math.h>
#include <time.h>

#include "base/time.h"
#include "base/utf8.h"

/* Room that is left for what follows the rows. */
#define TAIL_BYTES 100000

static int64_t clock_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * NS_PER_SEC + t.tv_nsec;
}

int64_t mgi_sql_left_ms(const struct sql_call *c)
{
    int64_t own = (c->until_ns - clock_now_ns()) / NS_PER_MS;
    int64_t host = c->a->host->remaining_ms(c->a->call);
    return own < host ? own : host;
}

bool mgi_sql_stops(struct sql_call *c)
{
    if (mgi_action_stops(c->a))
        return true;
    if (clock_now_ns() < c->until_ns)
        return false;
    c->a->stopped = true;
    mgi_action_fail(c->a, "the statement took longer than %lld ms (timeout_ms)",
                    (long long)mgi_sql_settings(c->a)->timeout_ms);
    return true;
}

/* ---- parameters ----------------------------------------------------------------------------- */

/* {"base64": "..."} */
static bool read_blob(struct action *a, th_str raw, struct sql_param *p)
{
    th_str coded;
    if (!th_json_member(raw, "base64", &coded) || coded.ptr[0] != '"')
        return false;
    struct str text = mgi_arg_string(&a->arena, coded);
    p->kind = SQL_BLOB;
    return text.ptr && mgi_base64_read(&a->arena, text, &p->text);
}

static bool read_number(struct action *a, th_str raw, struct sql_param *p)
{
    p->text = mgi_arena_str(&a->arena, (struct str){ raw.ptr, raw.len });
    if (th_json_int(raw, &p->integer)) {
        p->kind = SQL_INT;
        return true;
    }
    p->kind = SQL_FLOAT;
    return (memchr(raw.ptr, '.', raw.len) || memchr(raw.ptr, 'e', raw.len) ||
            memchr(raw.ptr, 'E', raw.len)) &&
           mgi_double_parse((struct str){ raw.ptr, raw.len }, &p->number);
}

static bool read_param(struct action *a, th_str raw, struct sql_param *p)
{
    switch (raw.ptr[0]) {
    case 'n':
        p->kind = SQL_NULL;
        return true;
    case 't':
    case 'f':
        p->kind = SQL_BOOL;
        p->boolean = raw.ptr[0] == 't';
        return true;
    case '"':
        p->kind = SQL_TEXT;
        p->text = mgi_arg_string(&a->arena, raw);
        return p->text.ptr != NULL;
    case '{':
        return read_blob(a, raw, p);
    case '[':
        return false;
    default:
        return read_number(a, raw, p);
    }
}

static void read_params(struct sql_call *c)
{
    th_str list, name, value;
    size_t cap = 0;
    struct action *a = c->a;
    if (!mgi_arg_raw(a, "params", &list))
        return;
    if (list.ptr[0] != '[' && list.ptr[0] != '{') {
        mgi_action_fail(a, "params: neither a list nor an object");
        return;
    }
    c->named = list.ptr[0] == '{';
    for (size_t at = 0; mgi_arg_each(list, &at, &name, &value);) {
        if (c->param_count >= SQL_PARAMS_MOST) {
            mgi_action_fail(a, "params: more than %d", SQL_PARAMS_MOST);
            return;
        }
        if (!mgi_arena_grow(&a->arena, &c->params, &cap, c->param_count + 1, sizeof *c->params)) {
            mgi_action_nomem(a);
            return;
        }
        struct sql_param *p = &c->params[c->param_count++];
        *p = (struct sql_param){ .text = { "", 0 } };
        if (c->named)
            p->name = mgi_arg_string(&a->arena, name);
        if (!read_param(a, value, p))
            mgi_action_fail(
                a,
                "params: %zu is no value: null, true, false, a number of 64 bits, a text "
                "or {\"base64\": ...}",
                c->param_count);
    }
}

static void read_sql(struct sql_call *c)
{
    struct action *a = c->a;
    if (!mgi_arg_need(a, "sql") || !mgi_arg_text(a, "sql", SQL_MOST_BYTES, &c->sql))
        return;
    if (memchr(c->sql.ptr, '\0', c->sql.len))
        mgi_action_fail(a, "sql: has a NUL in it");
    else if (mgi_sql_first_word(c->sql).len == 0)
        mgi_action_fail(a, "sql: has no statement in it");
}

static bool call_init(struct sql_call *c, struct action *a)
{
    const struct sql_settings *s = mgi_sql_settings(a);
    *c = (struct sql_call){ .a = a,
                            .max_rows = s->max_rows,
                            .max_value_bytes = SQL_VALUE_DEFAULT,
                            .max_changes = -1,
                            .until_ns = clock_now_ns() + s->timeout_ms * NS_PER_MS };
    return true;
}

/* ---- rows ----------------------------------------------------------------------------------- */

void mgi_sql_rows_begin(struct sql_call *c)
{
    mgi_jw_key(&c->a->out, "rows");
    mgi_jw_begin_array(&c->a->out);
}

bool mgi_sql_row_begin(struct sql_call *c)
{
    if (c->rows >= c->max_rows || mgi_action_room(c->a) < TAIL_BYTES) {
        c->truncated = true;
        return false;
    }
    mgi_jw_begin_array(&c->a->out);
    c->rows++;
    return true;
}

void mgi_sql_row_end(struct sql_call *c)
{
    mgi_jw_end_array(&c->a->out);
}

void mgi_sql_rows_end(struct sql_call *c)
{
    mgi_jw_end_array(&c->a->out);
    mgi_jw_member_int(&c->a->out, "row_count", c->rows);
    mgi_jw_member_bool(&c->a->out, "truncated", c->truncated);
    mgi_jw_member_int(&c->a->out, "cut_values", c->cut);
}

/* What a value may take: its limit, and of the answer's room what leaves some for the rest. */
static size_t value_room(const struct sql_call *c)
{
    size_t room = mgi_action_room(c->a);
    room = room > TAIL_BYTES / 2 ? room - TAIL_BYTES / 2 : 0;
    return room;
}

void mgi_sql_put_text(struct sql_call *c, struct str text)
{
    struct str cut = text;
    if (cut.len > (size_t)c->max_value_bytes)
        cut = mgi_utf8_prefix(cut, (size_t)c->max_value_bytes);
    cut.len = mgi_json_fit(cut, value_room(c));
    c->cut += cut.len < text.len;
    mgi_jw_string(&c->a->out, cut); /* what is no UTF-8 is shown as U+FFFD */
}

void mgi_sql_put_blob(struct sql_call *c, struct str bytes)
{
    struct buf coded;
    size_t most = value_room(c) / 4 * 3;
    struct str cut = bytes;
    if (cut.len > (size_t)c->max_value_bytes)
        cut.len = (size_t)c->max_value_bytes;
    cut.len = cut.len < most ? cut.len : most;
    c->cut += cut.len < bytes.len;
    mgi_buf_init(&coded);
    mgi_base64_put(&coded, cut);
    mgi_jw_begin_object(&c->a->out);
    mgi_jw_member_str(&c->a->out, "base64", mgi_buf_view(&coded));
    mgi_jw_end_object(&c->a->out);
    if (coded.oom)
        mgi_action_nomem(c->a);
    mgi_buf_fini(&coded);
}

void mgi_sql_put_float(struct sql_call *c, double d)
{
    if (isfinite(d))
        mgi_jw_float(&c->a->out, d);
    else
        mgi_jw_cstring(&c->a->out, isnan(d) ? "NaN" : d > 0 ? "Infinity" : "-Infinity");
}

void mgi_sql_put_column(struct sql_call *c, const char *name, const char *type)
{
    mgi_jw_begin_object(&c->a->out);
    mgi_jw_member_cstr(&c->a->out, "name", name);
    mgi_jw_member_cstr(&c->a->out, "type", type);
    mgi_jw_end_object(&c->a->out);
}

/* ---- the actions ---------------------------------------------------------------------------- */

static void row_limits(struct sql_call *c)
{
    int64_t most = mgi_sql_settings(c->a)->max_rows;
    mgi_arg_int(c->a, "max_rows", 1, most, &c->max_rows);
    mgi_arg_int(c->a, "max_value_bytes", 1, SQL_VALUE_MOST, &c->max_value_bytes);
}

bool mgi_sql_query(struct action *a)
{
    static const char *const known[] = { "sql", "params", "max_rows", "max_value_bytes", NULL };
    struct sql_call c;
    call_init(&c, a);
    mgi_arg_known(a, known);
    read_sql(&c);
    read_params(&c);
    row_limits(&c);
    return a->faults == 0 && mgi_sql_settings(a)->driver->query(&c);
}

bool mgi_sql_execute(struct action *a)
{
    static const char *const known[] = { "sql",      "params",          "max_changes", "dry_run",
                                         "max_rows", "max_value_bytes", NULL };
    struct sql_call c;
    call_init(&c, a);
    mgi_arg_known(a, known);
    read_sql(&c);
    read_params(&c);
    row_limits(&c);
    mgi_arg_int(a, "max_changes", 0, INT64_MAX, &c.max_changes);
    mgi_arg_bool(a, "dry_run", &c.dry_run);
    return a->faults == 0 && mgi_sql_settings(a)->driver->execute(&c);
}

bool mgi_sql_explain(struct action *a)
{
    static const char *const known[] = { "sql", "params", NULL };
    struct sql_call c;
    call_init(&c, a);
    mgi_arg_known(a, known);
    read_sql(&c);
    read_params(&c);
    return a->faults == 0 && mgi_sql_settings(a)->driver->explain(&c);
}

bool mgi_sql_schema(struct action *a)
{
    static const char *const known[] = { "table", "limit", NULL };
    struct sql_call c;
    struct str table = { NULL, 0 };
    int64_t limit = 200;
    call_init(&c, a);
    mgi_arg_known(a, known);
    mgi_arg_text(a, "table", 1000, &table);
    mgi_arg_int(a, "limit", 1, 2000, &limit);
    return a->faults == 0 && mgi_sql_settings(a)->driver->schema(&c, table, limit);
}
