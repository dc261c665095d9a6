/* Facts from Mangle text, JSON lines (one fact object of the protocol per line, M-IO-70, M-IO-71)
 * and from CSV (a row is a fact; the Decl's bound says what a column holds). */
#include "cli/mangle_facts.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/utf8.h"
#include "cli/cli_options.h"
#include "protocol/fact.h"
#include "protocol/wire_time.h"

#define FACT_ERRORS_SHOWN 20 /* of one file; the rest is counted */

/* ---- names of files ---------------------------------------------------------------------- */

static bool pred_name_ok(struct str s)
{
    if (s.len == 0 || s.ptr[0] < 'a' || s.ptr[0] > 'z')
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '.' || c == ':'))
            return false;
    }
    return true;
}

/* The file's name without folder and ending. */
static struct str stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct str stem = str_of(slash ? slash + 1 : path);
    const char *dot = memrchr(stem.ptr, '.', stem.len);
    if (dot)
        stem.len = (size_t)(dot - stem.ptr);
    return stem;
}

static bool form_named(struct fact_file *out)
{
    static const struct {
        const char *end;
        enum fact_form form;
    } known[] = {
        { ".mg", FACTS_MANGLE },  { ".jsonl", FACTS_JSON_LINES }, { ".csv", FACTS_CSV },
        { ".sc", FACTS_COLUMNS }, { ".json", FACTS_JSON },        { ".pb", FACTS_PROTOBUF },
    };
    struct str path = str_of(out->path), stem;
    out->compression = mgi_compression_named(path, &stem);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        out->form = known[i].form;
        bool packable = out->form == FACTS_COLUMNS;
        if (mgi_str_ends(packable ? stem : path, str_of(known[i].end)))
            return true;
    }
    return false;
}

bool mgi_fact_file_named(const char *argument, struct fact_file *out, const char **why,
                         const char **hint)
{
    *out = (struct fact_file){ .path = argument };
    *why = *hint = NULL;
    const char *equals = strchr(argument, '='), *slash = strchr(argument, '/');
    if (equals && (!slash || equals < slash)) {
        out->pred = (struct str){ argument, (size_t)(equals - argument) };
        out->path = equals + 1;
    }
    if (!form_named(out))
        *why = "the name does not end in .mg, .jsonl, .csv, .sc, .sc.gz, .sc.zst, .json or .pb";
    bool needs_pred =
        out->form == FACTS_CSV || out->form == FACTS_JSON || out->form == FACTS_PROTOBUF;
    if (!*why && out->pred.len && !needs_pred)
        *why = "only .csv, .json and .pb files need a predicate";
    if (!*why && needs_pred) {
        if (!out->pred.len)
            out->pred = stem_of(out->path);
        if (!pred_name_ok(out->pred)) {
            *why = "the file's name is no predicate";
            *hint = "Write --facts PREDICATE=FILE.";
        }
    }
    return !*why;
}

/* ---- lines ------------------------------------------------------------------------------- */

struct fact_lines {
    const struct fact_file *file;
    struct str rest;
    uint32_t line;      /* of what was taken last, from 1 */
    struct arena arena; /* of the line at hand */
    size_t errors;
};

static void lines_begin(struct fact_lines *l, const struct fact_file *file)
{
    *l = (struct fact_lines){ .file = file, .rest = mgi_buf_view(&file->text) };
    if (mgi_str_starts(l->rest, STR_LIT("\xEF\xBB\xBF"))) {
        l->rest.ptr += 3;
        l->rest.len -= 3;
    }
    mgi_arena_init(&l->arena, 0);
}

static void line_error(struct fact_lines *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void line_error(struct fact_lines *l, const char *format, ...)
{
    const struct cli_style *s = mgi_cli_style(stderr);
    va_list args;
    if (l->errors++ >= FACT_ERRORS_SHOWN)
        return;
    fprintf(stderr, "%s:%u: %serror:%s ", l->file->path, l->line, s->red, s->reset);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static int lines_end(struct fact_lines *l, bool oom)
{
    mgi_arena_fini(&l->arena);
    if (oom) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    if (l->errors > FACT_ERRORS_SHOWN)
        fprintf(stderr, "%s: and %zu more\n", l->file->path, l->errors - FACT_ERRORS_SHOWN);
    return l->errors ? EXIT_WRONG : EXIT_ANSWERED;
}

/* The next line that is not blank; false at the end. */
static bool next_line(struct fact_lines *l, struct str *line)
{
    while (l->rest.len) {
        const char *end = memchr(l->rest.ptr, '\n', l->rest.len);
        size_t len = end ? (size_t)(end - l->rest.ptr) : l->rest.len;
        *line = (struct str){ l->rest.ptr, len };
        l->rest.ptr += len + (end != NULL);
        l->rest.len -= len + (end != NULL);
        l->line++;
        for (size_t i = 0; i < len; i++)
            if (line->ptr[i] != ' ' && line->ptr[i] != '\t' && line->ptr[i] != '\r')
                return true;
    }
    return false;
}

/* ---- JSON lines -------------------------------------------------------------------------- */

struct json_fact {
    struct str pred;
    const struct json *args, *t; /* t NULL: none */
};

/* A line as a fact object; false after saying what is wrong (if `tell`). */
static bool read_object(struct fact_lines *l, struct str line, bool tell, struct json *root,
                        struct json_fact *out)
{
    struct json_error error;
    const char *wrong = NULL;
    if (mgi_json_parse(&l->arena, line, NULL, root, &error) != JSON_OK)
        wrong = mgi_arena_strdup(&l->arena, error.message);
    else if (root->type != JSON_OBJECT)
        wrong = "expected a fact object such as {\"pred\":\"p\",\"args\":[1]}";
    const struct json *pred = wrong ? NULL : mgi_json_get(root, "pred");
    out->args = wrong ? NULL : mgi_json_get(root, "args");
    out->t = wrong ? NULL : mgi_json_get(root, "t");
    if (out->t && out->t->type == JSON_NULL)
        out->t = NULL;
    if (!wrong && (!pred || pred->type != JSON_STRING || !pred_name_ok(pred->string)))
        wrong = "\"pred\" must be the name of a predicate";
    if (!wrong && out->args && out->args->type != JSON_ARRAY)
        wrong = "\"args\" must be an array";
    if (wrong) {
        if (tell)
            line_error(l, "%s", wrong);
        return false;
    }
    out->pred = pred->string;
    return true;
}

bool mgi_host_pred_add(struct host_pred_list *out, struct str name, size_t arity, bool temporal)
{
    for (size_t i = 0; i < out->count; i++) {
        if (out->items[i].arity == arity && str_eq(str_of(out->items[i].name), name)) {
            out->items[i].temporal |= temporal;
            return true;
        }
    }
    const char *kept = mgi_arena_str(out->arena, name).ptr;
    if (!kept || !mgi_grow(&out->items, &out->cap, out->count + 1, sizeof *out->items))
        return false;
    out->items[out->count++] = (struct mangle_host_pred){ kept, (uint32_t)arity, temporal };
    return true;
}

static bool json_preds(const struct fact_file *file, struct host_pred_list *out)
{
    struct fact_lines l;
    struct str line;
    struct json root;
    struct json_fact fact;
    bool ok = true;
    lines_begin(&l, file);
    while (ok && next_line(&l, &line)) {
        if (read_object(&l, line, false, &root, &fact))
            ok =
                mgi_host_pred_add(out, fact.pred, fact.args ? fact.args->count : 0, fact.t != NULL);
        mgi_arena_reset(&l.arena);
    }
    mgi_arena_fini(&l.arena);
    return ok;
}

/* Put one fact into the base; false when memory is short. */
static bool add_to_base(struct fact_lines *l, mangle_base *base, struct str name,
                        const mangle_value *args, uint32_t count, const struct mangle_interval *t)
{
    char *z = mgi_arena_printf(&l->arena, "%.*s", STR_ARG(name));
    if (!z)
        return false;
    mangle_pred pred = mangle_pred_find(mangle_base_program(base), z, count);
    if (pred == MANGLE_NO_PRED) {
        line_error(l, "the program does not know \"%s\" with %u argument%s", z, count,
                   count == 1 ? "" : "s");
        return true;
    }
    struct mangle_error error;
    enum mangle_status st = mangle_base_add(base, pred, args, count, t, &error);
    if (st == MANGLE_ERR_INPUT)
        line_error(l, "%s", error.message);
    return st == MANGLE_OK || st == MANGLE_ERR_INPUT;
}

static bool add_object(struct fact_lines *l, mangle_base *base, const struct json_fact *fact,
                       int64_t now_ns)
{
    uint32_t count = fact->args ? fact->args->count : 0;
    mangle_value *args = mgi_arena_calloc(&l->arena, (size_t)count + 1, sizeof *args);
    const char *issue = NULL, *why = NULL;
    if (!args)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        args[i] = mgi_value_from_json(mangle_base_values(base), &fact->args->items[i], false, false,
                                      &l->arena, &issue, &why);
        if (issue == mgi_issue_nomem)
            return false;
        if (args[i] == MANGLE_NONE) {
            line_error(l, "argument %u: %s", i + 1, why ? why : issue);
            return true;
        }
    }
    struct mangle_interval t = MANGLE_ALWAYS;
    int formats = WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS;
    if (fact->t && !mgi_wire_interval(fact->t, formats, now_ns, &t, &issue, &why)) {
        line_error(l, "\"t\": %s", why ? why : issue);
        return true;
    }
    return add_to_base(l, base, fact->pred, args, count, fact->t ? &t : NULL);
}

static int add_json_lines(const struct fact_file *file, mangle_base *base, int64_t now_ns)
{
    struct fact_lines l;
    struct str line;
    struct json root;
    struct json_fact fact;
    bool ok = true;
    lines_begin(&l, file);
    while (ok && next_line(&l, &line)) {
        if (read_object(&l, line, true, &root, &fact))
            ok = add_object(&l, base, &fact, now_ns);
        mgi_arena_reset(&l.arena);
    }
    return lines_end(&l, !ok);
}

/* ---- CSV --------------------------------------------------------------------------------- */

static bool csv_preds(const struct fact_file *file, struct host_pred_list *out)
{
    struct fact_lines l;
    struct str *fields;
    size_t count;
    uint32_t lines;
    lines_begin(&l, file);
    enum csv_status status = mgi_csv_next(&l.arena, &l.rest, &fields, &count, &lines);
    bool ok = status != CSV_NOMEM &&
              (status != CSV_RECORD || mgi_host_pred_add(out, file->pred, count, false));
    mgi_arena_fini(&l.arena);
    return ok;
}

static bool is_base_type(const char *bound)
{
    static const char *const types[] = { "/any",    "/bot",   "/number", "/float64",
                                         "/string", "/bytes", "/time",   "/duration" };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(bound, types[i]) == 0)
            return true;
    return false;
}

static bool is_digit_char(char c)
{
    return c >= '0' && c <= '9';
}

static bool whole_number(struct str s, int64_t *n)
{
    char text[24], *end;
    if (s.len == 0 || s.len >= sizeof text || (s.ptr[0] != '-' && !is_digit_char(s.ptr[0])))
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
        if (!is_digit_char(s.ptr[i]) && (s.ptr[i] == 0 || !strchr("+-.eE", s.ptr[i])))
            return false;
    *d = strtod(text, &end);
    return s.ptr[0] != '+' && *end == 0 && isfinite(*d);
}

/* A field by the bound of its column: without one, integers are numbers and all else is text.
 * MANGLE_NONE: not of that type, or memory is short. */
static mangle_value csv_field_value(struct fact_lines *l, mangle_values *values, const char *bound,
                                    struct str s)
{
    int64_t n;
    double d;
    if (strcmp(bound, "/string") == 0)
        return mangle_string(values, s.ptr, s.len);
    if (strcmp(bound, "/float64") == 0)
        return decimal(&l->arena, s, &d) ? mangle_float(values, d) : MANGLE_NONE;
    if (bound[0] == '/' && !is_base_type(bound) && !strchr(bound, ' '))
        return mangle_name(values, s.ptr, s.len);
    if (whole_number(s, &n))
        return mangle_number(values, n);
    return strcmp(bound, "/number") == 0 ? MANGLE_NONE : mangle_string(values, s.ptr, s.len);
}

/* A first row that repeats the argument names of the Decl is a heading. */
static bool is_csv_heading(const mangle_program *p, mangle_pred pred, const struct str *fields)
{
    struct mangle_pred_view view = mangle_program_pred(p, pred);
    for (uint32_t i = 0; i < view.arity; i++)
        if (!view.arg_names || !str_is(fields[i], view.arg_names[i]))
            return false;
    return view.arity > 0;
}

static bool add_csv_row(struct fact_lines *l, mangle_base *base, mangle_pred pred,
                        const struct str *fields, uint32_t count)
{
    const mangle_program *p = mangle_base_program(base);
    mangle_value *args = mgi_arena_calloc(&l->arena, (size_t)count + 1, sizeof *args);
    if (!args)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const char *bound = mangle_pred_bound(p, pred, i);
        if (!mgi_utf8_valid(fields[i], NULL)) {
            line_error(l, "column %u is not UTF-8", i + 1);
            return true;
        }
        args[i] = csv_field_value(l, mangle_base_values(base), bound, fields[i]);
        if (args[i] == MANGLE_NONE) {
            line_error(l, "column %u: \"%.*s\" is not of type %s", i + 1, STR_ARG(fields[i]),
                       bound);
            return true;
        }
    }
    return add_to_base(l, base, l->file->pred, args, count, NULL);
}

static int add_csv(const struct fact_file *file, mangle_base *base)
{
    struct fact_lines l;
    size_t width = 0;
    bool first = true, ok = true;
    mangle_pred pred = MANGLE_NO_PRED;
    lines_begin(&l, file);
    while (ok) {
        struct str *fields;
        size_t count;
        uint32_t lines, line = l.line;
        enum csv_status status = mgi_csv_next(&l.arena, &l.rest, &fields, &count, &lines);
        if (status == CSV_END)
            break;
        l.line = line + (lines ? lines : 1);
        ok = status != CSV_NOMEM;
        if (status != CSV_RECORD) {
            line_error(&l, "%s", mgi_csv_fault(status));
            break;
        }
        if (first) {
            char *name = mgi_arena_printf(&l.arena, "%.*s", STR_ARG(file->pred));
            ok = name != NULL;
            width = count;
            pred = ok ? mangle_pred_find(mangle_base_program(base), name, (uint32_t)count)
                      : MANGLE_NO_PRED;
        }
        if (pred == MANGLE_NO_PRED) {
            line_error(&l, "the program does not know \"%.*s\" with %zu columns",
                       STR_ARG(file->pred), count);
            break;
        }
        if (count != width)
            line_error(&l, "this row has %zu fields, the first has %zu", count, width);
        else if (!first || !is_csv_heading(mangle_base_program(base), pred, fields))
            ok = ok && add_csv_row(&l, base, pred, fields, (uint32_t)count);
        first = false;
        mgi_arena_reset(&l.arena);
    }
    return lines_end(&l, !ok);
}

/* ---- any form ---------------------------------------------------------------------------- */

static bool mangle_text_preds(const struct fact_file *file, struct host_pred_list *out)
{
    struct mangle_source source = { file->path, file->text.ptr ? file->text.ptr : "",
                                    file->text.len };
    struct mangle_host_pred *preds;
    size_t count;
    bool ok = mangle_facts_preds(&source, &preds, &count) == MANGLE_OK;
    for (size_t i = 0; ok && i < count; i++)
        ok = mgi_host_pred_add(out, str_of(preds[i].name), preds[i].arity, preds[i].temporal);
    mangle_free(preds);
    return ok;
}

bool mgi_fact_file_preds(const struct fact_file *file, struct host_pred_list *out)
{
    switch (file->form) {
    case FACTS_COLUMNS:
        return mgi_column_file_preds(file, out);
    case FACTS_JSON:
    case FACTS_PROTOBUF:
        return mgi_struct_file_preds(file, out);
    case FACTS_JSON_LINES:
        return json_preds(file, out);
    case FACTS_CSV:
        return csv_preds(file, out);
    default:
        return mangle_text_preds(file, out);
    }
}

int mgi_fact_diags_end(mangle_diags *diags, enum mangle_status st)
{
    for (size_t i = 0; diags && i < mangle_diags_count(diags); i++) {
        char *text = mangle_diag_print(mangle_diags_get(diags, i));
        fputs(text ? text : "", stderr);
        mangle_free(text);
    }
    mangle_diags_free(diags);
    if (st == MANGLE_ERR_NOMEM) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    return st ? EXIT_WRONG : EXIT_ANSWERED;
}

static int add_mangle_text(const struct fact_file *file, mangle_base *base)
{
    struct mangle_source source = { file->path, file->text.ptr ? file->text.ptr : "",
                                    file->text.len };
    mangle_diags *diags = mangle_diags_new();
    return mgi_fact_diags_end(diags, diags ? mangle_base_add_text(base, &source, diags)
                                           : MANGLE_ERR_NOMEM);
}

int mgi_fact_file_add(const struct fact_file *file, mangle_base *base, int64_t now_ns)
{
    switch (file->form) {
    case FACTS_COLUMNS:
        return mgi_column_file_add(file, base);
    case FACTS_JSON:
    case FACTS_PROTOBUF:
        return mgi_struct_file_add(file, base);
    case FACTS_JSON_LINES:
        return add_json_lines(file, base, now_ns);
    case FACTS_CSV:
        return add_csv(file, base);
    default:
        return add_mangle_text(file, base);
    }
}

void mgi_fact_file_fini(struct fact_file *file)
{
    mgi_buf_fini(&file->text);
    mgi_buf_fini(&file->set);
}
