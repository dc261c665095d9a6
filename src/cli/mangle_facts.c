/* Files of facts: what `--facts` names, and their facts into a base. The forms are read by formats/
 * and by mangle.h; here faults get their place and colour. */
#include "cli/mangle_facts.h"

#include <string.h>

#include "cli/cli_files.h"
#include "cli/cli_options.h"
#include "cli/mangle_diags.h"
#include "formats/json_struct.h"
#include "formats/protobuf.h"

#define FACT_ERRORS_SHOWN 20 /* of one file; the rest is counted */

/* ---- names of files ---------------------------------------------------------------------- */

static bool form_named(struct fact_file *out)
{
    struct str path = str_of(out->path), stem;
    out->compression = mgi_compression_named(path, &stem);
    if (mgi_fact_form_named(stem, &out->form) && out->form == FACTS_COLUMNS)
        return true; /* no other form may be packed */
    return mgi_fact_form_named(path, &out->form) && out->form != FACTS_COLUMNS;
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
        *why =
            "the name does not end in .mg, .jsonl, .csv, .tsv, .sc, .sc.gz, .sc.zst, .json or .pb";
    bool needs_pred = mgi_fact_form_needs_pred(out->form);
    if (!*why && out->pred.len && !needs_pred)
        *why = "only .csv, .tsv, .json and .pb files need a predicate";
    if (!*why && needs_pred) {
        if (!out->pred.len)
            out->pred = mgi_fact_stem(str_of(out->path));
        if (!mgi_fact_pred_name_ok(out->pred)) {
            *why = "the file's name is no predicate";
            *hint = "Write --facts PREDICATE=FILE.";
        }
    }
    return !*why;
}

bool mgi_fact_file_unpack(struct fact_file *file, char why[80])
{
    if (file->form != FACTS_COLUMNS || file->compression == COMPRESSION_NONE)
        return true;
    struct buf plain = { 0 };
    bool good =
        mgi_decompress(file->compression, mgi_buf_view(&file->text), FACTS_MAX_BYTES, &plain, why);
    mgi_buf_fini(&file->text);
    file->text = plain;
    return good;
}

bool mgi_fact_file_typed(struct fact_file *file, const char *argument, const char **why,
                         const char **hint)
{
    const char *colon = argument ? strrchr(argument, ':') : NULL;
    *why = *hint = NULL;
    if (!colon || colon == argument || !colon[1]) {
        *why = argument ? "--proto says no message type" : "--proto is missing";
        *hint = "Write --proto SET.pb:package.Message; protoc --descriptor_set_out makes SET.pb.";
        return false;
    }
    file->message = str_of(colon + 1);
    struct buf path = { 0 };
    mgi_buf_append(&path, argument, (size_t)(colon - argument));
    bool read = !path.oom && mgi_cli_read_file(path.ptr, FACTS_MAX_BYTES, &file->set, why);
    if (path.oom)
        *why = "out of memory";
    if (!read)
        *hint = "--proto names a descriptor set that can be read: SET.pb:package.Message.";
    file->set_path = argument;
    mgi_buf_fini(&path);
    return read;
}

bool mgi_fact_file_is_of(const struct fact_file *file, const char *path)
{
    char set[PATH_MAX] = "";
    const char *colon = file->set_path ? strrchr(file->set_path, ':') : NULL;
    if (colon)
        snprintf(set, sizeof set, "%.*s", (int)(colon - file->set_path), file->set_path);
    return mgi_cli_same_file(path, file->path) || (colon && mgi_cli_same_file(path, set));
}

void mgi_fact_file_fini(struct fact_file *file)
{
    mgi_buf_fini(&file->text);
    mgi_buf_fini(&file->set);
}

static struct mangle_source source_of(const struct fact_file *file)
{
    return (struct mangle_source){ file->path, file->text.ptr ? file->text.ptr : "",
                                   file->text.len };
}

bool mgi_fact_file_preds(const struct fact_file *file, struct host_pred_list *out)
{
    struct mangle_source source = source_of(file);
    return mgi_fact_preds(file->form, &source, file->pred, out);
}

/* ---- rows: JSON lines, CSV, TSV ---------------------------------------------------------- */

struct row_report {
    const struct fact_file *file;
    mangle_base *base;
    size_t errors;
};

static void tell_row(void *context, uint32_t line, enum fact_fault fault, const char *message)
{
    struct row_report *r = context;
    const struct cli_style *s = mgi_cli_style(stderr);
    (void)fault;
    if (r->errors++ < FACT_ERRORS_SHOWN)
        fprintf(stderr, "%s:%u: %serror:%s %s\n", r->file->path, line, s->red, s->reset, message);
}

static mangle_pred find_row_pred(void *context, uint32_t line, const char *name, uint32_t count)
{
    struct row_report *r = context;
    mangle_pred pred = mangle_pred_find(mangle_base_program(r->base), name, count);
    const char *what =
        r->file->form == FACTS_CSV || r->file->form == FACTS_TSV ? "column" : "argument";
    struct buf text = { 0 };
    if (pred != MANGLE_NO_PRED)
        return pred;
    mgi_buf_printf(&text, "the program does not know \"%s\" with %u %s%s", name, count, what,
                   count == 1 ? "" : "s");
    tell_row(r, line, FACT_REFUSED, text.oom ? "the program does not know it" : text.ptr);
    mgi_buf_fini(&text);
    return MANGLE_NO_PRED;
}

static int add_rows(const struct fact_file *file, mangle_base *base, const int64_t *now_ns)
{
    struct row_report r = { .file = file, .base = base };
    struct fact_taker taker = { .base = base,
                                .now_ns = now_ns ? *now_ns : 0,
                                .refuses_now = !now_ns,
                                .find = find_row_pred,
                                .fault = tell_row,
                                .context = &r };
    enum mangle_status st =
        mgi_fact_rows(file->form, mgi_buf_view(&file->text), file->pred, &taker);
    if (st) {
        mgi_cli_error("%s", mangle_status_text(st));
        return EXIT_USAGE;
    }
    if (r.errors > FACT_ERRORS_SHOWN)
        fprintf(stderr, "%s: and %zu more\n", file->path, r.errors - FACT_ERRORS_SHOWN);
    return r.errors ? EXIT_WRONG : EXIT_ANSWERED;
}

/* ---- documents --------------------------------------------------------------------------- */

static mangle_value json_struct(const struct fact_file *file, mangle_values *values)
{
    struct json_struct_error e;
    mangle_value v = mgi_struct_from_json(values, mgi_buf_view(&file->text), &e);
    const struct cli_style *s = mgi_cli_style(stderr);
    if (v == MANGLE_NONE && e.oom)
        mgi_cli_error("out of memory");
    else if (v == MANGLE_NONE)
        fprintf(stderr, "%s:%u:%u: %serror:%s %s%s%s\n", file->path, e.line, e.column, s->red,
                s->reset, e.path, e.path[0] ? ": " : "", e.message);
    return v;
}

static void tell_proto_error(const char *path, const struct proto_error *e)
{
    const struct cli_style *s = mgi_cli_style(stderr);
    if (e->oom)
        mgi_cli_error("out of memory");
    else
        fprintf(stderr, "%s: byte %zu: %serror:%s %s%s%s\n", path, e->offset, s->red, s->reset,
                e->path, e->path[0] ? ": " : "", e->message);
}

static mangle_value proto_struct(const struct fact_file *file, mangle_values *values)
{
    struct proto_error e;
    struct proto_set *set = mgi_proto_set_read(mgi_buf_view(&file->set), &e);
    mangle_value v = MANGLE_NONE;
    if (!set) {
        tell_proto_error(file->set_path, &e);
        return v;
    }
    v = mgi_struct_from_proto(set, file->message, values, mgi_buf_view(&file->text), &e);
    if (v == MANGLE_NONE)
        tell_proto_error(file->path, &e);
    mgi_proto_set_free(set);
    return v;
}

static int add_document(const struct fact_file *file, mangle_base *base)
{
    char name[256];
    snprintf(name, sizeof name, "%.*s", STR_ARG(file->pred));
    mangle_pred pred = mangle_pred_find(mangle_base_program(base), name, 1);
    if (pred == MANGLE_NO_PRED) {
        mgi_cli_error("%s: the program does not know \"%s\" with 1 argument", file->path, name);
        return EXIT_WRONG;
    }
    mangle_values *values = mangle_base_values(base);
    mangle_value v =
        file->form == FACTS_JSON ? json_struct(file, values) : proto_struct(file, values);
    struct mangle_error error = { 0 };
    if (v == MANGLE_NONE)
        return EXIT_WRONG;
    enum mangle_status st = mangle_base_add(base, pred, &v, 1, NULL, &error);
    if (st)
        mgi_cli_error("%s: %s", file->path,
                      error.message[0] ? error.message : mangle_status_text(st));
    return st == MANGLE_OK ? EXIT_ANSWERED : st == MANGLE_ERR_NOMEM ? EXIT_USAGE : EXIT_WRONG;
}

/* ---- what mangle.h reads itself ---------------------------------------------------------- */

int mgi_fact_diags_end(mangle_diags *diags, enum mangle_status st)
{
    for (size_t i = 0; diags && i < mangle_diags_count(diags); i++)
        mgi_print_diag(stderr, mangle_diags_get(diags, i));
    mangle_diags_free(diags);
    if (st == MANGLE_ERR_NOMEM) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    return st ? EXIT_WRONG : EXIT_ANSWERED;
}

static int add_text(const struct fact_file *file, mangle_base *base)
{
    struct mangle_source source = source_of(file);
    mangle_diags *diags = mangle_diags_new();
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (diags)
        st = file->form == FACTS_COLUMNS ? mangle_base_add_columns(base, &source, diags)
                                         : mangle_base_add_text(base, &source, diags);
    return mgi_fact_diags_end(diags, st);
}

int mgi_fact_file_add(const struct fact_file *file, mangle_base *base, const int64_t *now_ns)
{
    switch (file->form) {
    case FACTS_JSON:
    case FACTS_PROTOBUF:
        return add_document(file, base);
    case FACTS_JSON_LINES:
    case FACTS_CSV:
    case FACTS_TSV:
        return add_rows(file, base, now_ns);
    case FACTS_MANGLE:
    case FACTS_COLUMNS:
        break;
    }
    return add_text(file, base);
}
