/* JSON lines and CSV into a base. What a row needs lives in scratch memory that the next one uses
 * again. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "formats/csv.h"
#include "formats/fact_int.h"
#include "protocol/fact.h"
#include "protocol/wire_time.h"

struct rows {
    const struct fact_taker *taker;
    const mangle_program *program;
    mangle_values *values;
    struct fact_text text;
    struct arena scratch; /* of the row at hand */
    enum mangle_status status;
};

static void row_fault(struct rows *r, enum fact_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void row_fault(struct rows *r, enum fact_fault fault, const char *format, ...)
{
    struct buf text = { 0 };
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    if (text.oom)
        r->status = MANGLE_ERR_NOMEM;
    else
        r->taker->fault(r->taker->context, r->text.line, fault, text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
}

/* The next row begins with empty scratch; that the last one ran out of it is not forgotten. */
static void row_end(struct rows *r)
{
    if (r->scratch.oom && !r->status)
        r->status = MANGLE_ERR_NOMEM;
    mgi_arena_reset(&r->scratch);
}

static mangle_pred row_pred(struct rows *r, struct str name, size_t count)
{
    char *z = mgi_arena_printf(&r->scratch, "%.*s", STR_ARG(name));
    return z ? r->taker->find(r->taker->context, r->text.line, z, (uint32_t)count) : MANGLE_NO_PRED;
}

static void add_row(struct rows *r, mangle_pred pred, const mangle_value *args, uint32_t count,
                    const struct mangle_interval *t)
{
    struct mangle_error error = { 0 };
    enum mangle_status st = mangle_base_add(r->taker->base, pred, args, count, t, &error);
    if (st == MANGLE_ERR_INPUT)
        row_fault(r, FACT_REFUSED, "%s", error.message);
    else if (st)
        r->status = st;
}

/* A type whose members are names, such as /person, but no alternatives of several. */
static bool is_name_bound(const char *bound)
{
    static const char *const others[] = { "/any",    "/bot",   "/number", "/float64",
                                          "/string", "/bytes", "/time",   "/duration" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(bound, others[i]) == 0)
            return false;
    return bound[0] == '/' && !strchr(bound, ' ');
}

/* ---- JSON lines ------------------------------------------------------------------------------ */

static void add_object(struct rows *r, const struct fact_object *fact)
{
    uint32_t count = fact->args ? fact->args->count : 0;
    mangle_pred pred = row_pred(r, fact->pred, count);
    mangle_value *args = mgi_arena_calloc(&r->scratch, (size_t)count + 1, sizeof *args);
    const char *issue = NULL, *why = NULL;
    if (pred == MANGLE_NO_PRED || !args)
        return;
    for (uint32_t i = 0; i < count; i++) {
        bool as_name = r->taker->names && is_name_bound(mangle_pred_bound(r->program, pred, i));
        args[i] = mgi_value_from_json(r->values, &fact->args->items[i], as_name, false, &r->scratch,
                                      &issue, &why);
        if (issue == mgi_issue_nomem) {
            r->status = MANGLE_ERR_NOMEM;
            return;
        }
        if (args[i] == MANGLE_NONE) {
            row_fault(r, FACT_BAD_VALUE, "argument %u: %s", i + 1, why ? why : issue);
            return;
        }
    }
    struct mangle_interval t = MANGLE_ALWAYS;
    int formats = WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS;
    if (fact->t && !mgi_wire_interval(fact->t, formats, r->taker->now_ns, &t, &issue, &why))
        row_fault(r, FACT_BAD_VALUE, "\"t\": %s", why ? why : issue);
    else
        add_row(r, pred, args, count, fact->t ? &t : NULL);
}

static void read_json_lines(struct rows *r)
{
    struct str line;
    while (!r->status && mgi_fact_line(&r->text, &line)) {
        struct fact_object fact;
        enum fact_fault fault;
        const char *wrong = mgi_fact_object(&r->scratch, line, &fact, &fault);
        if (!wrong)
            add_object(r, &fact);
        else if (!r->scratch.oom)
            row_fault(r, fault, "%s", wrong);
        row_end(r);
    }
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool whole_number(struct str s, int64_t *n)
{
    char text[24], *end;
    if (s.len == 0 || s.len >= sizeof text || (s.ptr[0] != '-' && !is_digit(s.ptr[0])))
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = 0;
    errno = 0;
    *n = strtoll(text, &end, 10);
    return errno == 0 && end == text + s.len; /* not at a zero byte before */
}

static bool decimal(struct arena *a, struct str s, double *d)
{
    char *text = mgi_arena_printf(a, "%.*s", STR_ARG(s)), *end;
    if (!text || s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) /* strtod() also knows inf, nan and hexadecimal */
        if (!is_digit(s.ptr[i]) && (s.ptr[i] == 0 || !strchr("+-.eE", s.ptr[i])))
            return false;
    *d = strtod(text, &end);
    return s.ptr[0] != '+' && *end == 0 && isfinite(*d);
}

/* A field by the bound of its column. False: it is not of that type. *out MANGLE_NONE: memory. */
static bool field_value(struct rows *r, const char *bound, struct str s, mangle_value *out)
{
    int64_t n;
    double d;
    *out = MANGLE_NONE;
    if (strcmp(bound, "/float64") == 0) {
        if (!decimal(&r->scratch, s, &d))
            return r->scratch.oom;
        *out = mangle_float(r->values, d);
    } else if (is_name_bound(bound)) {
        *out = mangle_name(r->values, s.ptr, s.len);
        return *out != MANGLE_NONE;
    } else if (strcmp(bound, "/string") != 0 && whole_number(s, &n)) {
        *out = mangle_number(r->values, n);
    } else if (strcmp(bound, "/number") == 0) {
        return false;
    } else {
        *out = mangle_string(r->values, s.ptr, s.len);
    }
    return true;
}

static bool is_heading(const struct rows *r, mangle_pred pred, const struct str *fields)
{
    const struct fact_taker *taker = r->taker;
    struct mangle_pred_view view = mangle_program_pred(r->program, pred);
    for (uint32_t i = 0; i < view.arity; i++) {
        bool named = view.arg_names && str_is(fields[i], view.arg_names[i]);
        if (!named && !(taker->is_title && taker->is_title(taker->context, pred, i, fields[i])))
            return false;
    }
    return view.arity > 0;
}

static void add_record(struct rows *r, mangle_pred pred, const struct str *fields, uint32_t count)
{
    mangle_value *args = mgi_arena_calloc(&r->scratch, (size_t)count + 1, sizeof *args);
    for (uint32_t i = 0; args && i < count; i++) {
        const char *bound = mangle_pred_bound(r->program, pred, i);
        if (!mgi_utf8_valid(fields[i], NULL)) {
            row_fault(r, FACT_BAD_VALUE, "column %u is not UTF-8", i + 1);
            return;
        }
        if (!field_value(r, bound, fields[i], &args[i])) {
            row_fault(r, FACT_BAD_VALUE, "column %u: \"%.*s\" is not of type %s", i + 1,
                      STR_ARG(fields[i]), bound);
            return;
        }
        if (args[i] == MANGLE_NONE) {
            r->status = MANGLE_ERR_NOMEM;
            return;
        }
    }
    if (args)
        add_row(r, pred, args, count, NULL);
}

static void read_csv(struct rows *r, struct str name)
{
    mangle_pred pred = MANGLE_NO_PRED;
    size_t width = 0;
    uint32_t begins = 1, lines = 0; /* the record at hand, and how many lines it takes */
    for (bool first = true; !r->status; first = false, begins += lines) {
        struct str *fields;
        size_t count;
        r->text.line = begins;
        if (!mgi_fact_skip_empty(&r->text))
            break;
        begins = r->text.line;
        enum csv_status status = mgi_csv_next(&r->scratch, &r->text.rest, &fields, &count, &lines);
        if (status != CSV_RECORD) {
            if (status == CSV_NOMEM)
                r->status = MANGLE_ERR_NOMEM;
            else
                row_fault(r, FACT_BAD_QUOTES, "%s", mgi_csv_fault(status));
            break;
        }
        if (first) {
            width = count;
            pred = row_pred(r, name, count);
            if (pred == MANGLE_NO_PRED)
                break;
        }
        if (count != width)
            row_fault(r, FACT_RAGGED, "this row has %zu fields, the first has %zu", count, width);
        else if (!first || !is_heading(r, pred, fields))
            add_record(r, pred, fields, (uint32_t)count);
        row_end(r);
    }
    row_end(r);
}

enum mangle_status mgi_fact_rows(enum fact_form form, struct str text, struct str pred,
                                 const struct fact_taker *taker)
{
    struct rows r = { .taker = taker,
                      .program = mangle_base_program(taker->base),
                      .values = mangle_base_values(taker->base),
                      .text = mgi_fact_text(text) };
    mgi_arena_init(&r.scratch, 0);
    if (form == FACTS_CSV)
        read_csv(&r, pred);
    else
        read_json_lines(&r);
    mgi_arena_fini(&r.scratch);
    return r.status;
}
