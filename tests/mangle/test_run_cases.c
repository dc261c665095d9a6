/* Runs every tests/mangle/cases/run/<feature>/<what_it_shows>.mg and compares what it derives, byte
 * for byte, with the .out beside it: facts of all derived predicates in file text, in which 1.0 is
 * not 1, or `error: CLASS`. Each is run with nothing open to requests and with everything. The
 * first line of a case names requirements. UPDATE_CASES=1 rewrites the .out files: review the
 * difference like code. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/each_case.h"
#include "support/mangle_run.h"

#define CASES MGI_SOURCE_DIR "/tests/mangle/cases/run"

/* The content, ended by NUL, in a buffer of the caller; empty if there is no such file. */
static void read_case(const char *path, struct buf *text)
{
    char chunk[4096];
    size_t got;
    mgi_buf_clear(text);
    mgi_buf_puts(text, "");
    FILE *f = fopen(path, "rb");
    if (!f)
        return;
    while ((got = fread(chunk, 1, sizeof chunk, f)) > 0)
        mgi_buf_append(text, chunk, got);
    fclose(f);
}

static void rewrite(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

static bool run_case(const char *path, const char *program, const char *expected, bool all)
{
    struct run_options options = { .changeable = all ? run_changes_all : NULL, .file_text = true };
    char *got = run_text(program, &options);
    bool same = strcmp(got, expected) == 0;
    if (!same)
        print_error("%s (%s changeable)\nexpected\n%sgot\n%s\n", path, all ? "all" : "nothing",
                    expected, got);
    mangle_free(got);
    return same;
}

static void update_case(const char *out_path, const char *program)
{
    struct run_options options = { .file_text = true };
    char *got = run_text(program, &options);
    rewrite(out_path, got);
    mangle_free(got);
}

static void test_case(void **state)
{
    const char *path = *state;
    char out_path[512];
    struct buf program = { 0 }, expected = { 0 };
    snprintf(out_path, sizeof out_path, "%.*s.out", (int)(strlen(path) - 3), path);
    read_case(path, &program);
    if (getenv("UPDATE_CASES"))
        update_case(out_path, program.ptr);
    read_case(out_path, &expected);
    bool right = program.len > 4 && memcmp(program.ptr, "# M-", 4) == 0;
    right = run_case(path, program.ptr, expected.ptr, false) && right;
    right = run_case(path, program.ptr, expected.ptr, true) && right;
    mgi_buf_fini(&program);
    mgi_buf_fini(&expected);
    assert_true(right);
}

int main(void)
{
    return run_each_case(CASES, 20, test_case);
}
