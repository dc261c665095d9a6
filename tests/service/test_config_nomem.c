/* Reading a configuration survives the failure of any allocation: it says so, and leaves nothing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "service/config.h"
#include "support/nomem.h"

static const char text[] = "domain: shop\n"
                           "set: {a: 1, b: x}\n"
                           "plugins: [more]\n"
                           "listen: [127.0.0.1:1, {address: 127.0.0.1:2, hosts: [a]}]\n"
                           "auth: {file: tokens}\n";

static bool read_once(struct arena *arena, struct findings *findings, struct service_config *out)
{
    static const char *const environment[] = { "MANGLECP_SERVE_LOG=debug",
                                               "MANGLECP_SERVE_ALLOW_HOST=a b", NULL };
    static const struct config_flag flags[] = { { "--listen", ":3" },
                                                { "--set", "c=d" },
                                                { "--operations-listen", ":4" },
                                                { "--cors-origin", "http://o" } };
    return mgi_config_read(&(struct config_sources){ .file = "f",
                                                     .text = STR_LIT(text),
                                                     .file_folder = "/a",
                                                     .folder = "/b",
                                                     .environment = environment,
                                                     .flags = flags,
                                                     .flag_count = 4 },
                           arena, findings, out);
}

static void test_reading_survives_any_failure(void **state)
{
    (void)state;
    size_t n = 1;
    for (bool done = false; !done; n++) {
        struct arena arena;
        struct service_config config;
        struct buf printed = { 0 };
        struct findings *findings = mgi_findings_new();
        assert_non_null(findings);
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        bool ok = read_once(&arena, findings, &config);
        done = !nomem_failed();
        nomem_fail_at(0);
        if (ok) { /* nothing that was said may be missing */
            mgi_config_print(&printed, &config);
            assert_int_equal(config.listener_count, 2);
            assert_int_equal(config.set.count, 3);
            assert_int_equal(config.log_level, LOG_DEBUG);
            assert_int_equal(config.listeners[0].hosts.count, 2);
            assert_string_equal(config.listeners[0].origins.items[0], "http://o");
        } else {
            assert_false(done);
            assert_true(mgi_findings_errors(findings) > 0);
        }
        mgi_buf_fini(&printed);
        mgi_findings_free(findings);
        mgi_arena_fini(&arena);
    }
    assert_true(n > 20);
}

static void test_printing_survives_any_failure(void **state)
{
    (void)state;
    struct arena arena;
    struct service_config config;
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    assert_true(read_once(&arena, findings, &config));
    for (size_t n = 1;; n++) {
        struct buf yaml = { 0 }, schema = { 0 };
        nomem_fail_at(n);
        mgi_config_print(&yaml, &config);
        mgi_config_schema(&schema);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(failed, yaml.oom || schema.oom);
        mgi_buf_fini(&yaml);
        mgi_buf_fini(&schema);
        if (!failed)
            break;
    }
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_survives_any_failure),
        cmocka_unit_test(test_printing_survives_any_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
