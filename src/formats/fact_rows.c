/* JSON lines, CSV and TSV into a base. What a row needs lives in scratch memory that the next one
 * uses again. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "formats/csv.h"
#include "formats/fact_int.h"
#include "formats/tsv.h"
#include "protocol/fact.h"
#include "protocol/wire_time.h"

struct rows {
    const struct fact_taker *taker;
    const mangle_program *program;
    mangle_values *values;
    struct fact_text text;
    struct arena scratch;      /* of the row at hand */
    struct mangle_text *texts; /* of facts that go in together, each before it is a value; heap */
    size_t text_count;
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

/* ---- facts that go in together --------------------------------------------------------------- */

#define BATCH_WORDS 4096

/* What one text or fact needs is fetched while others are looked up. */
static void add_text(struct rows *r, struct str text, mangle_value *out)
{
    r->texts[r->text_count++] = (struct mangle_text){ MANGLE_STRING, text.ptr, text.len, out };
}

static void end_texts(struct rows *r)
{
    mangle_texts(r->values, r->texts, r->text_count);
    for (size_t i = 0; i < r->text_count; i++)
        if (*r->texts[i].out == MANGLE_NONE)
            r->status = MANGLE_ERR_NOMEM;
    r->text_count = 0;
}

static void give_batch(struct rows *r, mangle_pred pred, const mangle_value *batch, size_t *count)
{
    struct mangle_error error = { 0 };
    end_texts(r);
    if (*count == 0 || r->status)
        return;
    enum mangle_status st = mangle_base_add_rows(r->taker->base, pred, batch, *count, &error);
    *count = 0;
    if (st == MANGLE_ERR_INPUT)
        row_fault(r, FACT_REFUSED, "%s", error.message);
    else if (st)
        r->status = st;
}

/* ---- JSON lines ------------------------------------------------------------------------------ */

static bool reads_now(const struct json *t)
{
    static const char *const ends[] = { "at", "start", "end" };
    bool found = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const struct json *end = mgi_json_get(t, ends[i]);
        found |= end && mgi_wire_is_now(end);
    }
    return found;
}

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
    else if (fact->t && r->taker->refuses_now && reads_now(fact->t))
        row_fault(r, FACT_BAD_VALUE,
                  "\"t\": \"now\" cannot be kept for later: write an instant, or the fact into the "
                  "program, @[now]");
    else
        add_row(r, pred, args, count, fact->t ? &t : NULL);
}

/* Plain facts of one predicate. */
struct plain_facts {
    struct buf name; /* of `pred`, whose facts have `width` arguments */
    mangle_pred pred;
    uint32_t width;
    mangle_value batch[BATCH_WORDS];
    size_t count;
};

static void flush_plain(struct rows *r, struct plain_facts *p)
{
    give_batch(r, p->pred, p->batch, &p->count);
}

/* False: it has none, which is told on the way that all others go. */
static bool plain_pred(struct rows *r, struct plain_facts *p, const struct plain_object *fact)
{
    if (p->pred != MANGLE_NO_PRED && fact->count == p->width &&
        str_eq(fact->pred, mgi_buf_view(&p->name)))
        return true;
    flush_plain(r, p);
    p->pred = MANGLE_NO_PRED;
    if (!mgi_fact_pred_name_ok(fact->pred))
        return false;
    mgi_buf_clear(&p->name);
    mgi_buf_str(&p->name, fact->pred);
    mgi_buf_append(&p->name, "", 1);
    if (p->name.oom) {
        r->status = MANGLE_ERR_NOMEM;
        return false;
    }
    p->name.len--;
    p->pred = mangle_pred_find(r->program, p->name.ptr, fact->count);
    /* Who takes the facts may know it by another name, or refuse it. */
    if (p->pred != MANGLE_NO_PRED &&
        r->taker->find(r->taker->context, r->text.line, p->name.ptr, fact->count) != p->pred)
        p->pred = MANGLE_NO_PRED;
    p->width = fact->count;
    return p->pred != MANGLE_NO_PRED;
}

static bool add_plain(struct rows *r, struct plain_facts *p, struct str line)
{
    struct plain_object fact;
    if (r->taker->names || !mgi_plain_object(line, &fact) || !plain_pred(r, p, &fact))
        return false;
    mangle_value *args = p->batch + p->count * p->width;
    for (uint32_t i = 0; i < fact.count; i++) {
        const struct plain_json *a = &fact.args[i];
        args[i] = a->is_text ? MANGLE_NONE : mangle_number(r->values, a->integer);
        if (a->is_text)
            add_text(r, a->text, &args[i]);
        else if (args[i] == MANGLE_NONE)
            r->status = MANGLE_ERR_NOMEM;
    }
    if ((++p->count + 1) * p->width > BATCH_WORDS)
        flush_plain(r, p);
    return true;
}

static void add_line(struct rows *r, struct str line)
{
    struct fact_object fact;
    enum fact_fault fault;
    const char *wrong = mgi_fact_object(&r->scratch, line, &fact, &fault);
    if (!wrong)
        add_object(r, &fact);
    else if (!r->scratch.oom)
        row_fault(r, fault, "%s", wrong);
    row_end(r);
}

static void read_json_lines(struct rows *r)
{
    struct plain_facts *plain = mgi_alloc(sizeof *plain);
    struct str line;
    if (!plain) {
        r->status = MANGLE_ERR_NOMEM;
        return;
    }
    plain->name = (struct buf){ 0 };
    plain->pred = MANGLE_NO_PRED;
    plain->count = 0;
    while (!r->status && mgi_fact_line(&r->text, &line)) {
        if (add_plain(r, plain, line) || r->status)
            continue;
        flush_plain(r, plain); /* facts stay in their order */
        if (!r->status)
            add_line(r, line);
    }
    flush_plain(r, plain);
    mgi_buf_fini(&plain->name);
    mgi_free(plain);
}

/* ---- fields ---------------------------------------------------------------------------------- */

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

/* ---- tables: CSV and TSV --------------------------------------------------------------------- */

enum column_kind { COLUMN_ANY, COLUMN_NUMBER, COLUMN_FLOAT, COLUMN_NAME, COLUMN_STRING };

struct table {
    struct rows *rows;
    bool tabs; /* TSV */
    mangle_pred pred;
    uint32_t width;    /* fields of the first record, all others have to have as many */
    struct arena kept; /* the three below */
    const char **bounds;
    enum column_kind *kinds;
    mangle_value *batch; /* `count` facts, room for `room` */
    size_t count, room;
};

static enum column_kind kind_of_bound(const char *bound)
{
    if (strcmp(bound, "/float64") == 0)
        return COLUMN_FLOAT;
    if (strcmp(bound, "/string") == 0)
        return COLUMN_STRING;
    if (strcmp(bound, "/number") == 0)
        return COLUMN_NUMBER;
    return is_name_bound(bound) ? COLUMN_NAME : COLUMN_ANY;
}

static bool table_begin(struct table *t, mangle_pred pred, size_t width)
{
    t->pred = pred;
    t->width = (uint32_t)width;
    t->room = width < BATCH_WORDS ? BATCH_WORDS / width : 1;
    t->bounds = mgi_arena_alloc(&t->kept, width * sizeof *t->bounds);
    t->kinds = mgi_arena_alloc(&t->kept, width * sizeof *t->kinds);
    t->batch = mgi_arena_alloc(&t->kept, t->room * width * sizeof *t->batch);
    if (!t->bounds || !t->kinds || !t->batch) {
        t->rows->status = MANGLE_ERR_NOMEM;
        return false;
    }
    for (uint32_t i = 0; i < t->width; i++) {
        t->bounds[i] = mangle_pred_bound(t->rows->program, pred, i);
        t->kinds[i] = kind_of_bound(t->bounds[i]);
    }
    return true;
}

static void table_flush(struct table *t)
{
    give_batch(t->rows, t->pred, t->batch, &t->count);
}

static void table_took(struct table *t)
{
    if (++t->count == t->room)
        table_flush(t);
}

/* A field by the kind of its column. False: it is not of that type. *out MANGLE_NONE: memory. */
static bool field_value(struct rows *r, enum column_kind kind, struct str s, mangle_value *out)
{
    int64_t n;
    double d;
    *out = MANGLE_NONE;
    if (kind == COLUMN_FLOAT) {
        if (!decimal(&r->scratch, s, &d))
            return r->scratch.oom;
        *out = mangle_float(r->values, d);
    } else if (kind == COLUMN_NAME) {
        *out = mangle_name(r->values, s.ptr, s.len);
        return *out != MANGLE_NONE;
    } else if (kind != COLUMN_STRING && whole_number(s, &n)) {
        *out = mangle_number(r->values, n);
    } else if (kind == COLUMN_NUMBER) {
        return false;
    } else {
        *out = mangle_string(r->values, s.ptr, s.len);
    }
    return true;
}

/* ---- plain records: no quotes, no escapes, nothing wrong ------------------------------------- */

/* The end of a field that is to be taken as it stands; *high if it is more than ASCII. */
static const char *plain_end(const char *at, const char *end, bool tabs, bool *high)
{
    const char separator = tabs ? '\t' : ',', special = tabs ? '\\' : '"';
    unsigned char all = 0;
    while (at < end && *at != separator && *at != '\n' && *at != '\r' && *at != special)
        all |= (unsigned char)*at++;
    *high = all & 0x80;
    return at;
}

#define PLAIN_DIGITS 18 /* that fit without looking */

/* Digits, perhaps behind a minus, up to what is none; NULL: there are none, or very many. */
static const char *plain_number(const char *at, const char *end, int64_t *n)
{
    bool negative = at < end && *at == '-';
    const char *first = at + negative;
    int64_t sum = 0;
    for (at = first; at < end && is_digit(*at) && at - first < PLAIN_DIGITS; at++)
        sum = sum * 10 + (*at - '0');
    *n = negative ? -sum : sum;
    return at == first || (at < end && is_digit(*at)) ? NULL : at;
}

static bool ends_field(const char *at, const char *end, bool tabs)
{
    return at < end && (*at == '\n' || *at == '\r' || *at == (tabs ? '\t' : ','));
}

static bool kept_value(struct rows *r, mangle_value v)
{
    if (v == MANGLE_NONE)
        r->status = MANGLE_ERR_NOMEM;
    return v != MANGLE_NONE;
}

/* One field as a value, or a text that will be one, and *at behind it. False: not this way, or
 * memory (the status). */
static bool plain_value(struct table *t, uint32_t column, const char **at, const char *end,
                        mangle_value *out)
{
    enum column_kind kind = t->kinds[column];
    bool high;
    int64_t n;
    if (kind == COLUMN_ANY || kind == COLUMN_NUMBER) {
        const char *behind = plain_number(*at, end, &n);
        if (behind && ends_field(behind, end, t->tabs)) {
            *at = behind;
            return kept_value(t->rows, *out = mangle_number(t->rows->values, n));
        }
    }
    struct str s = { *at, 0 };
    *at = plain_end(*at, end, t->tabs, &high);
    s.len = (size_t)(*at - s.ptr);
    if (!ends_field(*at, end, t->tabs) || (high && !mgi_utf8_valid(s, NULL)))
        return false;
    if (kind == COLUMN_STRING || (kind == COLUMN_ANY && !whole_number(s, &n))) {
        if (t->rows->text_count == BATCH_WORDS) /* a record of very many fields */
            return false;
        add_text(t->rows, s, out);
        return true;
    }
    return field_value(t->rows, kind, s, out) && kept_value(t->rows, *out);
}

/* Most records. False, and nothing is taken, where there is more to see or to say. */
static bool plain_record(struct table *t)
{
    struct str *rest = &t->rows->text.rest;
    const char *at = rest->ptr, *end = at + rest->len;
    mangle_value *args = t->batch + t->count * t->width;
    size_t texts = t->rows->text_count;
    for (uint32_t i = 0; i < t->width; i++) {
        bool last = i + 1 == t->width, good = plain_value(t, i, &at, end, &args[i]);
        at += good && last && *at == '\r' && end - at > 1;
        if (!good || *at != (last ? '\n' : t->tabs ? '\t' : ',')) {
            t->rows->text_count = texts;
            return false;
        }
        at++;
    }
    *rest = (struct str){ at, (size_t)(end - at) };
    table_took(t);
    return true;
}

/* ---- all others ------------------------------------------------------------------------------ */

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

static void add_record(struct table *t, const struct str *fields)
{
    struct rows *r = t->rows;
    mangle_value *args = t->batch + t->count * t->width;
    for (uint32_t i = 0; i < t->width; i++) {
        if (!mgi_utf8_valid(fields[i], NULL)) {
            row_fault(r, FACT_BAD_VALUE, "column %u is not UTF-8", i + 1);
            return;
        }
        if (!field_value(r, t->kinds[i], fields[i], &args[i])) {
            row_fault(r, FACT_BAD_VALUE, "column %u: \"%.*s\" is not of type %s", i + 1,
                      STR_ARG(fields[i]), t->bounds[i]);
            return;
        }
        if (args[i] == MANGLE_NONE) {
            r->status = MANGLE_ERR_NOMEM;
            return;
        }
    }
    table_took(t);
}

/* A record that cannot be cut. False: nor can what follows. */
static bool tell_record(struct rows *r, enum csv_status status)
{
    if (status == CSV_NOMEM)
        r->status = MANGLE_ERR_NOMEM;
    else
        row_fault(r, FACT_BAD_QUOTES, "%s", mgi_csv_fault(status));
    return status == CSV_BAD_ESCAPE;
}

/* One record, and how many lines it took. False: that was the last that can be read. */
static bool any_record(struct table *t, struct str name, bool first, uint32_t *lines)
{
    struct rows *r = t->rows;
    struct str *fields;
    size_t count;
    enum csv_status status =
        (t->tabs ? mgi_tsv_next : mgi_csv_next)(&r->scratch, &r->text.rest, &fields, &count, lines);
    if (first && (status == CSV_RECORD || status == CSV_BAD_ESCAPE)) {
        mangle_pred pred = row_pred(r, name, count);
        if (pred == MANGLE_NO_PRED || !table_begin(t, pred, count))
            return false;
    }
    if (status != CSV_RECORD)
        return tell_record(r, status);
    if (count != t->width)
        row_fault(r, FACT_RAGGED, "this row has %zu fields, the first has %u", count, t->width);
    else if (!first || !is_heading(r, t->pred, fields))
        add_record(t, fields);
    return true;
}

static void read_table(struct rows *r, struct str name, bool tabs)
{
    struct table t = { .rows = r, .tabs = tabs };
    uint32_t begins = 1; /* the line of the record at hand */
    mgi_arena_init(&t.kept, 0);
    for (bool first = true; !r->status; first = false) {
        uint32_t lines = 1; /* that it takes */
        r->text.line = begins;
        if (!mgi_fact_skip_empty(&r->text))
            break;
        begins = r->text.line;
        bool plain = !first && plain_record(&t);
        if (!plain && (r->status || !any_record(&t, name, first, &lines)))
            break;
        begins += lines;
        if (r->scratch.used)
            row_end(r);
    }
    row_end(r);
    table_flush(&t);
    mgi_arena_fini(&t.kept);
}

enum mangle_status mgi_fact_rows(enum fact_form form, struct str text, struct str pred,
                                 const struct fact_taker *taker)
{
    struct rows r = { .taker = taker,
                      .program = mangle_base_program(taker->base),
                      .values = mangle_base_values(taker->base),
                      .text = mgi_fact_text(text) };
    r.texts = mgi_alloc(BATCH_WORDS * sizeof *r.texts);
    if (!r.texts)
        return MANGLE_ERR_NOMEM;
    mgi_arena_init(&r.scratch, 0);
    if (form == FACTS_CSV || form == FACTS_TSV)
        read_table(&r, pred, form == FACTS_TSV);
    else
        read_json_lines(&r);
    mgi_arena_fini(&r.scratch);
    mgi_free(r.texts);
    return r.status;
}
