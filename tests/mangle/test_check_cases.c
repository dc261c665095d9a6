/* Compiles every tests/mangle/cases/errors/<feature>/<case>.mg and compares all it reports, byte
 * for byte, with the .err beside it. The first line of a case names the requirement and the class
 * that must come first: `# M-ANA-30 VAR_UNBOUND`; `ok` means that it compiles, perhaps with
 * warnings. UPDATE_CASES=1 rewrites the .err files: review the difference like code. */
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

/* Each finding as "[CLASS] " and its printed form. */
static char *report(const struct mangle_source *source, enum mangle_status *status)
{
    mangle_diags *diags = mangle_diags_new();
    mangle_program *program;
    struct buf out = { 0 };
    struct mangle_compile_options options = { .check_bounds =
                                                  strncmp(source->name, "bounds/", 7) == 0 };
    *status = mangle_compile(source, 1, &options, &program, diags);
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
