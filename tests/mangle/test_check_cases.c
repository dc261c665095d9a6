/* Compiles every tests/mangle/cases/errors/<feature>/<case>.mg and compares all it reports, byte
 * for byte, with the .err beside it. The first line of a case names the requirements and the class
 * that must come first: `# M-ANA-30 VAR_UNBOUND`; `ok` means that it compiles, perhaps with
 * warnings. Cases in bounds/ and types/ are held against their bounds.
 *
 * A line that begins with %% ends a unit. What follows it: nothing, another unit of the program;
 * `facts`, facts for its base; `columns`, a column file for it; `goal`, a goal to be proved; `host
 * p/2 q/1@`, predicates that the host brings (@: temporal); `external p/2`, predicates that the
 * host answers. UPDATE_CASES=1 rewrites the .err files: review the difference like code. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "mangle.h"
#include "support/each_case.h"

#define CASES MGI_SOURCE_DIR "/tests/mangle/cases/errors"

static char *read_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    struct buf text = { 0 };
    char chunk[4096];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, f)) > 0)
        mgi_buf_append(&text, chunk, got);
    fclose(f);
    return mgi_buf_take(&text, len);
}

#define MAX_PARTS 8

/* A case taken apart. Names of sources: that of the case, of further units with their number. */
struct parts {
    struct mangle_source units[MAX_PARTS], facts, columns, goal;
    size_t unit_count;
    struct mangle_host_pred host[MAX_PARTS];
    size_t host_count;
    struct mangle_external externals[MAX_PARTS];
    size_t external_count;
    char names[MAX_PARTS + 1][128];
    char host_names[MAX_PARTS][64];
};

static void read_host_preds(struct parts *parts, const char *line)
{
    char name[64], mark;
    unsigned arity;
    int len;
    while (parts->host_count < MAX_PARTS &&
           sscanf(line, " %63[^/ \n]/%u%n", name, &arity, &len) == 2) {
        line += len;
        mark = *line;
        snprintf(parts->host_names[parts->host_count], sizeof name, "%s", name);
        parts->host[parts->host_count] =
            (struct mangle_host_pred){ parts->host_names[parts->host_count], arity, mark == '@' };
        parts->host_count++;
        line += mark == '@';
    }
}

static bool answers_nothing(struct mangle_query *query)
{
    (void)query;
    return true;
}

/* `p/2 q/1`: taken from the list of host predicates, where the names are kept. */
static void read_externals(struct parts *parts, const char *line)
{
    read_host_preds(parts, line);
    for (size_t i = 0; i < parts->host_count; i++)
        parts->externals[i] = (struct mangle_external){ .name = parts->host[i].name,
                                                        .arity = parts->host[i].arity,
                                                        .query = answers_nothing };
    parts->external_count = parts->host_count;
    parts->host_count = 0;
}

static void add_unit(struct parts *parts, const char *name, const char *text, size_t len)
{
    size_t i = parts->unit_count;
    assert_true(i < MAX_PARTS);
    if (i == 0)
        snprintf(parts->names[i], sizeof parts->names[i], "%s", name);
    else
        snprintf(parts->names[i], sizeof parts->names[i], "%.*s%zu.mg", (int)strlen(name) - 3, name,
                 i + 1);
    parts->units[parts->unit_count++] = (struct mangle_source){ parts->names[i], text, len };
}

static void take_apart(struct parts *parts, const char *name, const char *text, size_t len)
{
    const char *end = text + len;
    bool facts = false, columns = false, goal = false;
    *parts = (struct parts){ 0 };
    while (text < end) {
        const char *mark = strncmp(text, "%%", 2) == 0 ? text : strstr(text, "\n%%");
        const char *stop = !mark ? end : mark == text ? text : mark + 1;
        if (facts)
            parts->facts = (struct mangle_source){ "facts.mg", text, (size_t)(stop - text) };
        else if (columns)
            parts->columns = (struct mangle_source){ "facts.sc", text, (size_t)(stop - text) };
        else if (goal)
            parts->goal = (struct mangle_source){ "goal", text, (size_t)(stop - text) };
        else if (stop > text)
            add_unit(parts, name, text, (size_t)(stop - text));
        if (!mark)
            return;
        const char *line = stop + 2;
        facts = strncmp(line, " facts", 6) == 0;
        columns = strncmp(line, " columns", 8) == 0;
        goal = strncmp(line, " goal", 5) == 0;
        if (strncmp(line, " external", 9) == 0)
            read_externals(parts, line + 9);
        if (strncmp(line, " host", 5) == 0)
            read_host_preds(parts, line + 5);
        text = line + strcspn(line, "\n");
        text += *text == '\n';
    }
}

/* The facts are read by a base over the program. */
static enum mangle_status read_facts(const struct parts *parts, mangle_program *program,
                                     mangle_diags *diags)
{
    mangle_base *base;
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    enum mangle_status status = parts->facts.text
                                    ? mangle_base_add_text(base, &parts->facts, diags)
                                    : mangle_base_add_columns(base, &parts->columns, diags);
    mangle_base_unref(base);
    return status;
}

/* The goal is to be proved from the program's own facts. */
static enum mangle_status prove_goal(const struct parts *parts, mangle_program *program,
                                     mangle_diags *diags)
{
    mangle_base *base;
    mangle_overlay *o;
    const struct mangle_proof *const *proofs;
    size_t count;
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(o, 0, NULL, NULL, NULL), MANGLE_OK);
    size_t len = strcspn(parts->goal.text, "\n");
    enum mangle_status status =
        mangle_overlay_prove(o, parts->goal.text, len, NULL, &proofs, &count, diags);
    mangle_overlay_free(o);
    mangle_base_unref(base);
    return status;
}

/* Each finding as "[CLASS] " and its printed form. */
static char *report(const struct mangle_source *source, enum mangle_status *status)
{
    mangle_diags *diags = mangle_diags_new();
    mangle_program *program;
    struct buf out = { 0 };
    struct parts parts;
    take_apart(&parts, source->name, source->text, source->len);
    struct mangle_compile_options options = {
        .check_bounds =
            strncmp(source->name, "bounds/", 7) == 0 || strncmp(source->name, "types/", 6) == 0,
        .host_preds = parts.host,
        .host_pred_count = parts.host_count,
        .externals = parts.externals,
        .external_count = parts.external_count,
    };
    *status = mangle_compile(parts.units, parts.unit_count, &options, &program, diags);
    if (!*status && (parts.facts.text || parts.columns.text))
        *status = read_facts(&parts, program, diags);
    if (!*status && parts.goal.text)
        *status = prove_goal(&parts, program, diags);
    for (size_t i = 0; i < mangle_diags_count(diags); i++) {
        const struct mangle_diag *diag = mangle_diags_get(diags, i);
        char *text = mangle_diag_print(diag);
        mgi_buf_printf(&out, "[%s] %s", diag->code, text);
        mangle_free(text);
    }
    mangle_program_unref(program);
    mangle_diags_free(diags);
    mgi_buf_puts(&out, "");
    return mgi_buf_take(&out, NULL);
}

/* The class that the first line of the case promises. */
static void expected_class(const char *text, char *out, size_t cap)
{
    const char *end = strchr(text, '\n'), *last = end;
    while (last && last > text && last[-1] != ' ')
        last--;
    snprintf(out, cap, "%.*s", end ? (int)(end - last) : 0, last ? last : "");
}

static bool check_case(const char *path)
{
    char err_path[512], class[64], first[64] = "ok";
    const char *name = path + strlen(CASES) + 1;
    size_t len;
    char *text = read_file(path, &len);
    assert_non_null(text);
    struct mangle_source source = { name, text, len };
    enum mangle_status status;
    char *got = report(&source, &status);
    if (got[0] == '[' && status)
        snprintf(first, sizeof first, "%.*s", (int)strcspn(got + 1, "]"), got + 1);
    snprintf(err_path, sizeof err_path, "%.*serr", (int)strlen(path) - 2, path);
    if (getenv("UPDATE_CASES")) {
        FILE *f = fopen(err_path, "wb");
        assert_non_null(f);
        fputs(got, f);
        fclose(f);
    }
    char *want = read_file(err_path, &len);
    expected_class(text, class, sizeof class);
    bool same = want && strcmp(want, got) == 0 && strcmp(class, first) == 0;
    if (!same)
        print_error("%s\n--- expected (first: %s)\n%s--- got\n%s", name, class, want ? want : "",
                    got);
    mgi_free(text);
    mgi_free(got);
    mgi_free(want);
    return same;
}

static void test_case(void **state)
{
    assert_true(check_case(*state));
}

int main(void)
{
    return run_each_case(CASES, 50, test_case);
}
