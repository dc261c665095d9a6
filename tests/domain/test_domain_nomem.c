/* Loading survives the failure of an allocation: no snapshot and an error, or all of it; nothing
 * left alive. A load makes thousands of allocations, so most failures are sampled, the first ones
 * not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"
#include "support/nomem.h"

static void check_whole(const struct snapshot *s)
{
    assert_non_null(s->base);
    assert_int_equal(s->tool_count, 1);
    assert_int_equal(s->skill_count, 1);
    assert_non_null(mgi_profile_find(&s->profile, STR_LIT("seen")));
    assert_true(str_is(s->tools[0].name, "one"));
    assert_true(str_is(s->skills[0].content, "Text."));
}

static void survive(const char *const *set)
{
    static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };
    struct domain_options options = { .actions = &unit_actions,
                                      .plugin_paths = plugin_paths,
                                      .plugin_path_count = 1,
                                      .set = set,
                                      .set_count = set ? 2 : 0 };
    struct temp_domain d;
    temp_make(&d);
    temp_write(&d, "skills/a/SKILL.md", "---\nname: N\ndescription: D\n---\nText.\n");
    temp_write(&d, "facts/told.csv", "What\none\ntwo\n");
    temp_write(&d, "facts/more.jsonl", "{\"pred\":\"told\",\"args\":[\"three\"]}\n");
    for (size_t n = 1;; n += n < 100 ? 1 : n / 12) {
        nomem_fail_at(n);
        struct findings *f = mgi_findings_new();
        struct snapshot *s = f ? mgi_domain_load(d.folder, &options, f) : NULL;
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (s)
            check_whole(s);
        else if (f)
            assert_true(mgi_findings_errors(f) > 0);
        if (!s && f && failed && !set && !mgi_findings_nomem(f)) /* nobody else is blamed */
            fail_msg("allocation %zu: %s", n, mgi_findings_get(f, 0)->message);
        mgi_snapshot_unref(s);
        mgi_findings_free(f);
        if (!failed)
            break;
    }
    temp_remove(&d);
}

static void test_loading_survives(void **state)
{
    (void)state;
    survive(NULL);
}

static void test_reporting_survives(void **state)
{
    static const char *const set[] = { "disclosure.full=lots", "no.such=1" };
    (void)state;
    survive(set);
}

/* A domain with errors never looks good because memory was short when they were looked for. */
static void test_linting_survives(void **state)
{
    static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };
    struct domain_options options = { .actions = &unit_actions,
                                      .plugin_paths = plugin_paths,
                                      .plugin_path_count = 1 };
    struct temp_domain d;
    (void)state;
    temp_make(&d);
    temp_write(&d, "rules/domain/x.mg",
               "tool_relevant_to_intent(\"one\", \"go\", \"high\") :- seen(_).\n"
               "prohibited(\"oen\", \"r\") :- intent_type(_, \"goo\"), setting(\"plase\", _).\n"
               "delta_assert(\"sean\", [1], \"server\") :- invoked(_).\n"
               "suggest_intent(\"nowhere\", \"d\") :- invoked(_).\n");
    struct findings *loading = mgi_findings_new();
    struct snapshot *s = mgi_domain_load(d.folder, &options, loading);
    assert_non_null(s);
    for (size_t n = 1;; n += n < 100 ? 1 : n / 12) {
        struct findings *f = mgi_findings_new();
        assert_non_null(f);
        nomem_fail_at(n);
        mgi_domain_lint(s, f);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (mgi_findings_errors(f) == 0)
            fail_msg("allocation %zu: no error is left", n);
        mgi_findings_free(f);
        if (!failed)
            break;
    }
    mgi_snapshot_unref(s);
    mgi_findings_free(loading);
    temp_remove(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loading_survives),
        cmocka_unit_test(test_reporting_survives),
        cmocka_unit_test(test_linting_survives),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("domain/nomem", tests, NULL, NULL);
}
