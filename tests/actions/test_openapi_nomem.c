/* OpenAPI documents survive the failure of an allocation while they are read: no snapshot and an
 * error, or all of their operations; and whoever wrote them is not blamed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "actions/openapi_case.h"
#include "support/nomem.h"

#define CASES MGI_SOURCE_DIR "/tests/actions/openapi/"

/* Everything fails once at each place that is left when the first hundred did. */
static void load_often(const char *name, bool good)
{
    char path[512];
    struct openapi_case c;
    snprintf(path, sizeof path, CASES "%s.case", name);
    size_t actions = 0;
    case_open(path, &c);
    struct findings *whole = mgi_findings_new();
    struct snapshot *all = case_load(&c, NULL, whole);
    if (all)
        actions = all->action_count;
    mgi_snapshot_unref(all);
    mgi_findings_free(whole);
    assert_int_equal(actions > 0, good);
    for (size_t n = 1;; n += n < 100 ? 1 : n / 48) {
        nomem_fail_at(n);
        struct findings *f = mgi_findings_new();
        struct snapshot *s = f ? case_load(&c, NULL, f) : NULL;
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed && (s != NULL) != good)
            fail_msg("%s: %s", name,
                     f && mgi_findings_count(f) ? mgi_findings_get(f, 0)->message : "?");
        if (f && failed && good && !s && !mgi_findings_nomem(f))
            fail_msg("%s, allocation %zu: nobody says that memory was short", name, n);
        if (s && !good)
            fail_msg("%s, allocation %zu: it loads", name, n);
        if (s)
            assert_int_equal(s->action_count, actions);
        mgi_snapshot_unref(s);
        mgi_findings_free(f);
        if (!failed)
            break;
    }
    case_close(&c);
}

static void test_documents_are_read_or_not(void **state)
{
    static const char *const good[] = { "parameters", "bodies",  "schemas_30",
                                        "schemas_31", "answers", "security",
                                        "servers",    "chosen",  "names" };
    static const char *const bad[] = { "chosen_wrong", "security_wrong", "security_missing",
                                       "twins", "clear_text" };
    (void)state;
    setenv("SHOP_TOKEN", "t0ken", 1);
    setenv("SHOP_PASSWORD", "passw0rd", 1);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        load_often(good[i], true);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        load_often(bad[i], false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents_are_read_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
