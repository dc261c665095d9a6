/* The suite without memory: no report, or the whole one; nothing is left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "conformance/conformance_int.h"
#include "conformance/frames_told.h"
#include "support/nomem.h"

static void test_frames_without_memory_are_broken_or_not_taken(void **state)
{
    (void)state;
    static const char whole[] = "message ab\nping p\n";
    for (size_t n = 1;; n++) {
        struct frames f = { 0 };
        struct buf out = { 0 };
        mgi_buf_reserve(&out, 4096);
        nomem_fail_at(n);
        tell_frames(&f,
                    STR_LIT("\x01\x01"
                            "a\x80\x01"
                            "b\x89\x01p"),
                    3, &out);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_frames_fini(&f);
        if (!failed)
            assert_string_equal(out.ptr, whole);
        else
            assert_string_not_equal(out.ptr, whole);
        mgi_buf_fini(&out);
        if (!failed) {
            assert_true(n > 1);
            break;
        }
    }
}

/* A report of one case of each outcome. */
static bool make_report(struct arena *arena, struct conformance_report *r)
{
    static const struct conformance_options options = { .level = 3 };
    *r = (struct conformance_report){ .carrier = OVER_HTTP, .level = 3, .arena = arena };
    return mgi_report_keep(r, &options, "P-ENV-1 P-ENV-3", "a", OUTCOME_PASS, "", 1) &&
           mgi_report_keep(r, &options, "P-ENV-3", "b", OUTCOME_FAIL, "\x1b[31m\xff <&\"", 2) &&
           mgi_report_keep(r, &options, "P-WS-1", "c", OUTCOME_SKIPPED, "why", 3) &&
           mgi_report_conclude(r);
}

static void test_a_report_without_memory_is_none(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct arena arena;
        struct conformance_report r;
        struct buf text = { 0 };
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        bool made = make_report(&arena, &r);
        if (made) {
            mgi_conformance_print_json(&text, &r);
            mgi_conformance_print_junit(&text, &r);
            mgi_conformance_print_markdown(&text, &r);
        }
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(!failed || !made || text.oom);
        if (!failed) {
            assert_true(made && !text.oom && r.musts_failed == 1);
            assert_string_equal(r.results[1].detail, "\\u{1b}[31m\\xff <&\"");
        }
        mgi_buf_fini(&text);
        mgi_arena_fini(&arena);
        if (!failed)
            break;
    }
}

static void test_a_run_without_memory_is_none(void **state)
{
    (void)state;
    static const char *const command[] = { "/bin/cat", "/dev/null", NULL };
    size_t step = 1;
    for (size_t n = 1;; n += step, step += step / 8) { /* the judge alone makes thousands */
        struct arena arena;
        struct conformance_report r;
        struct conformance_options options = { .command = command, .timeout_ms = 2000 };
        struct buf why = { 0 };
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        bool good = mgi_conformance_run(&options, &arena, &r, &why);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_false(good);
        mgi_buf_fini(&why);
        mgi_arena_fini(&arena);
        if (!failed)
            break;
        step += n < 8 ? 0 : 1;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_without_memory_are_broken_or_not_taken),
        cmocka_unit_test(test_a_report_without_memory_is_none),
        cmocka_unit_test(test_a_run_without_memory_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
