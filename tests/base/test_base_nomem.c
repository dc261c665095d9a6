/* Everything in base survives the failure of any one allocation: it says so, and nothing leaks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/strmap.h"
#include "support/nomem.h"
#include "sys/digest.h"

static void test_helpers_report_that_memory_is_short(void **state)
{
    (void)state;
    int *items = NULL;
    size_t cap = 0;
    nomem_fail_at(1);
    assert_null(mgi_calloc(2, 2));
    nomem_fail_at(1);
    assert_false(mgi_grow(&items, &cap, 1, sizeof *items));
    assert_null(items);
    assert_int_equal(cap, 0);
    nomem_fail_at(1);
    assert_null(mgi_sha256_new());
    nomem_fail_at(0);
}

static void test_buffer_remembers_and_keeps_its_content(void **state)
{
    (void)state;
    struct buf b = { 0 };
    mgi_buf_puts(&b, "kept");
    nomem_fail_at(1);
    for (int i = 0; i < 100; i++)
        mgi_buf_puts(&b, "0123456789");
    assert_true(nomem_failed());
    assert_true(b.oom);
    nomem_fail_at(0);
    mgi_buf_puts(&b, "x"); /* sticky */
    assert_memory_equal(b.ptr, "kept", 4);
    assert_null(mgi_buf_take(&b, NULL));
    assert_null(b.ptr);
}

static void test_arena_remembers(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    nomem_fail_at(1);
    assert_null(mgi_arena_alloc(&a, 10));
    assert_true(a.oom);
    nomem_fail_at(0);
    assert_non_null(mgi_arena_alloc(&a, 10));
    assert_true(a.oom);
    mgi_arena_reset(&a);
    assert_false(a.oom);
    mgi_arena_fini(&a);
}

static void test_map_put_changes_nothing_when_it_fails(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct strmap m;
        mgi_strmap_init(&m);
        nomem_fail_at(n);
        char key[16];
        uint32_t value, added = 0;
        bool failed = false;
        for (uint32_t i = 0; i < 40; i++) {
            size_t len = (size_t)snprintf(key, sizeof key, "k%u", i);
            bool ok = mgi_strmap_put(&m, (struct str){ key, len }, i);
            added += ok;
            failed |= !ok;
            assert_int_equal(mgi_strmap_get(&m, (struct str){ key, len }, &value), ok);
        }
        assert_int_equal(failed, nomem_failed());
        assert_int_equal(m.count, added);
        mgi_strmap_fini(&m);
        if (!failed)
            break;
    }
    nomem_fail_at(0);
}

/* More values than the parser's own stack holds, more names than are compared pairwise, escapes. */
static void write_large(struct buf *text)
{
    struct json_writer w;
    mgi_json_writer_init(&w, text, 0);
    mgi_jw_begin_array(&w);
    for (int k = 0; k < 20; k++) {
        mgi_jw_begin_object(&w);
        for (int i = 0; i < 30; i++) {
            char name[16];
            (void)snprintf(name, sizeof name, "n\n%d", 29 - i);
            mgi_jw_member_cstr(&w, name, "escaped\ttext of some length, to fill more than a chunk");
        }
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    assert_false(text->oom);
}

static void test_json_parse_fails_cleanly_at_every_allocation(void **state)
{
    (void)state;
    struct buf text = { 0 };
    write_large(&text);
    size_t n = 1;
    for (;; n++) {
        struct arena a;
        mgi_arena_init(&a, 0);
        struct json v = { .type = JSON_BOOL };
        struct json_error error = { 0 };
        nomem_fail_at(n);
        enum json_fault fault = mgi_json_parse(&a, mgi_buf_view(&text), NULL, &v, &error);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(fault, failed ? JSON_NOMEM : JSON_OK);
        assert_int_equal(v.type, failed ? JSON_BOOL : JSON_ARRAY);
        assert_int_equal(a.used == 0, failed);
        mgi_arena_fini(&a);
        if (!failed)
            break;
    }
    assert_in_range(n, 5, 100); /* a few allocations, however many values */
    mgi_buf_fini(&text);
}

static void test_canonical_text_fails_cleanly_at_every_allocation(void **state)
{
    (void)state;
    struct buf text = { 0 };
    write_large(&text);
    struct arena a;
    mgi_arena_init(&a, 0);
    struct json v;
    assert_int_equal(mgi_json_parse(&a, mgi_buf_view(&text), NULL, &v, NULL), JSON_OK);
    for (size_t n = 1;; n++) {
        struct buf out = { 0 };
        nomem_fail_at(n);
        mgi_json_canonical(&out, &v);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(out.oom, failed);
        mgi_buf_fini(&out);
        if (!failed)
            break;
    }
    mgi_arena_fini(&a);
    mgi_buf_fini(&text);
}

static void test_reader_string_says_that_memory_is_short(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct json_reader r;
    mgi_json_reader_init(&r, STR_LIT("\"a\\n\""), 0);
    assert_int_equal(mgi_json_reader_next(&r), JSON_EV_STRING);
    nomem_fail_at(1);
    assert_null(mgi_json_reader_string(&r, &a).ptr);
    nomem_fail_at(0);
    assert_true(str_is(mgi_json_reader_string(&r, &a), "a\n"));
    mgi_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_helpers_report_that_memory_is_short),
        cmocka_unit_test(test_buffer_remembers_and_keeps_its_content),
        cmocka_unit_test(test_arena_remembers),
        cmocka_unit_test(test_map_put_changes_nothing_when_it_fails),
        cmocka_unit_test(test_json_parse_fails_cleanly_at_every_allocation),
        cmocka_unit_test(test_canonical_text_fails_cleanly_at_every_allocation),
        cmocka_unit_test(test_reader_string_says_that_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
