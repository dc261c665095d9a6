/* Any allocation may fail: the status says so, and nothing is left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "splice/splice.h"
#include "support/nomem.h"

static void each(enum splice_form form, const char *section, const char *text)
{
    const struct splice_place place = { str_of(section), STR_LIT("x") };
    struct arena arena;
    struct json v;
    struct splice_fault fault;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, STR_LIT("{\"command\":\"m\"}"), NULL, &v, NULL),
                     JSON_OK);
    for (size_t n = 1;; n++) {
        struct buf with = { 0 }, without = { 0 };
        nomem_fail_at(n);
        enum splice_status st = mgi_splice_put(form, str_of(text), &place, &v, &with, NULL, &fault);
        if (!st)
            st = mgi_splice_take(form, mgi_buf_view(&with), &place, true, &without, &fault);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(st, failed ? SPLICE_NOMEM : SPLICE_DONE);
        mgi_buf_fini(&with);
        mgi_buf_fini(&without);
        if (!failed)
            break;
    }
    mgi_arena_fini(&arena);
}

static void test_nothing_is_left_behind(void **state)
{
    (void)state;
    each(SPLICE_JSON_COMMENTS, "s", "{ // c\n \"s\": {\"y\": {}},\n}\n");
    each(SPLICE_TOML, "s", "a = \"b\\n\"\n[s.y]\nc = [1, {d.e = '''f'''}]\n\"g h\" = 0x1f\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing_is_left_behind) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
