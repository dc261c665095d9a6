/* OpenAPI documents become requests: every tests/actions/openapi/NAME.case (openapi_case.h), byte
 * for byte. UPDATE_CASES=1 writes what comes out: review the difference like code. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>

#include "actions/openapi_case.h"

#define CASES MGI_SOURCE_DIR "/tests/actions/openapi"
#define LEAST 12 /* fewer: the folder was not found */

static void update(const char *path, const struct openapi_case *c, const struct buf *requests,
                   const struct buf *findings)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fprintf(f, "%.*s", STR_ARG(c->head));
    if (c->entry.len > 0)
        fprintf(f, "=== entry\n%.*s\n", STR_ARG(c->entry));
    fprintf(f, "=== document%s\n%.*s", c->json ? ".json" : "", STR_ARG(c->document));
    fprintf(f, "=== requests\n%.*s", STR_ARG(mgi_buf_view(requests)));
    fprintf(f, "=== findings\n%.*s", STR_ARG(mgi_buf_view(findings)));
    fclose(f);
}

static void compare(const char *path, const char *what, struct str want, const struct buf *got)
{
    if (str_eq(want, mgi_buf_view(got)))
        return;
    fail_msg("%s: %s\nexpected\n%.*sgot\n%.*s", path, what, STR_ARG(want),
             STR_ARG(mgi_buf_view(got)));
}

static void test_case(void **state)
{
    const char *path = *state;
    struct openapi_case c;
    struct buf requests = { 0 }, told = { 0 };
    struct findings *findings = mgi_findings_new();
    case_open(path, &c);
    struct snapshot *s = case_load(&c, &requests, findings);
    case_show_findings(&told, findings);
    if (getenv("UPDATE_CASES")) {
        update(path, &c, &requests, &told);
    } else {
        compare(path, "findings", c.findings, &told);
        compare(path, "requests", c.requests, &requests);
    }
    mgi_snapshot_unref(s);
    mgi_findings_free(findings);
    case_close(&c);
    mgi_buf_fini(&requests);
    mgi_buf_fini(&told);
}

int main(void)
{
    glob_t found;
    static struct CMUnitTest tests[256];
    size_t count = 0;
    setenv("SHOP_TOKEN", "t0ken", 1);
    setenv("SHOP_PASSWORD", "passw0rd", 1);
    if (glob(CASES "/*.case", 0, NULL, &found) != 0)
        return 1;
    for (; count < found.gl_pathc && count < 256; count++)
        tests[count] = (struct CMUnitTest){ .name = strrchr(found.gl_pathv[count], '/') + 1,
                                            .test_func = test_case,
                                            .initial_state = found.gl_pathv[count] };
    if (count < LEAST) {
        fprintf(stderr, "%zu cases in " CASES "\n", count);
        return 1;
    }
    int failed = _cmocka_run_group_tests("openapi", tests, count, NULL, NULL);
    globfree(&found);
    return failed;
}
