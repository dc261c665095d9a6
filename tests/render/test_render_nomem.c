/* No allocation of the renderer may fail in silence: the status says so, nothing is left alive, and
 * nothing counts as shown. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "render_case.h"
#include "support/nomem.h"

static void fail_each(const char *what, const char *file, const char *about)
{
    char path[128], *json, *want, *out;
    size_t len, want_len, out_len;
    snprintf(path, sizeof path, RENDER_FOLDER "wire/%s", file);
    json = render_read(path, &len);
    struct render_step s = { .how = { .about = about } };
    snprintf(s.what, sizeof s.what, "%s", what);
    manglecp_shown *fresh = manglecp_shown_new();
    assert_int_equal(render_show(fresh, &s, (struct str){ json, len }, &want, &want_len), 0);
    manglecp_shown_free(fresh);
    manglecp_shown *shown = manglecp_shown_new();
    size_t n = 1;
    for (;; n++) {
        nomem_fail_at(n);
        enum manglecp_status status =
            render_show(shown, &s, (struct str){ json, len }, &out, &out_len);
        if (!nomem_failed()) {
            nomem_fail_at(0);
            assert_int_equal(status, MANGLECP_OK);
            break;
        }
        nomem_fail_at(0);
        assert_int_equal(status, MANGLECP_ERR_NOMEM);
        assert_null(out);
    }
    assert_true(n > 3);
    assert_string_equal(out, want); /* nothing counted as shown */
    manglecp_free(out);
    manglecp_free(want);
    manglecp_shown_free(shown);
    free(json);
}

static void test_every_text_survives_every_failure(void **state)
{
    (void)state;
    fail_each("manifest", "manifest.json", NULL);
    fail_each("tools", "diagnose_tools.json", "diagnose_error");
    fail_each("tools", "imported_tools.json", "use");
    fail_each("result", "observe_result.json", "observe_page");
    fail_each("why", "why.json", NULL);
    fail_each("why", "why_not.json", NULL);
    fail_each("facts", "facts.json", NULL);
}

static void test_a_skill_survives_every_failure(void **state)
{
    (void)state;
    size_t len;
    char *json = render_read(RENDER_FOLDER "wire/diagnose_tools.json", &len), *out;
    manglecp_shown *shown = manglecp_shown_new();
    assert_int_equal(manglecp_show_tools(shown, json, len, NULL, &out, NULL), 0);
    manglecp_free(out);
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        enum manglecp_status status =
            manglecp_show_skill(shown, "react-null-data", NULL, &out, NULL);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(status, failed ? MANGLECP_ERR_NOMEM : MANGLECP_OK);
        manglecp_free(out);
        if (!failed)
            break;
    }
    manglecp_shown_free(shown);
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_text_survives_every_failure),
        cmocka_unit_test(test_a_skill_survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
