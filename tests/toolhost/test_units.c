/* The parts of the host that do no I/O, by themselves: state, leases, cache, lines, frames. They
 * are compiled into this program, because the host is a program and no library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "toolhost/answer.c"
#include "toolhost/frame.c"
#include "toolhost/idem.c"
#include "toolhost/lease.c"
#include "toolhost/line_queue.c"
#include "toolhost/same_value.c"
#include "toolhost/state.c"
#include "sys/digest.h"

/* ---- state -------------------------------------------------------------------------------- */

struct tag_row {
    const char *type, *provenance, *content;
    enum ds_result want;
};

static void test_only_sound_artifacts_get_in(void **state)
{
    (void)state;
    static const struct tag_row tags[] = {
        { "text", "unit:a", "{}", DS_OK },
        { "a:b", "", "", DS_INVALID },
        { "a|b", "", "", DS_INVALID },
        { "", "a|b", "", DS_INVALID },
        { "a\nb", "", "", DS_INVALID },
        { "a\xc2\x9b", "", "", DS_INVALID },
        { "a\xff", "", "", DS_INVALID },
        { "", "\x7f", "", DS_INVALID },
        { "\xc3\xa9", "", "[1]", DS_OK },
        { "", "", "{bad", DS_INVALID },
        { "", "", "{\"a\":1,\"a\":2}", DS_INVALID },
        { "", "", "1 2", DS_INVALID },
    };
    struct arena scratch;
    struct ds_state s = { 0 };
    mgi_arena_init(&scratch, 0);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) { /* T-STATE-17 T-STATE-2 */
        mgi_ds_del(&s, 7);
        assert_int_equal(mgi_ds_put(&s, 7, str_of(tags[i].type), str_of(tags[i].provenance),
                                    str_of(tags[i].content), &scratch, NULL),
                         tags[i].want);
        assert_int_equal(mgi_ds_used(&s), tags[i].want == DS_OK ? 0x80 : 0);
    }
    char type[129];
    memset(type, 't', sizeof type);
    assert_int_equal(
        mgi_ds_put(&s, 0, (struct str){ type, 128 }, STR_LIT(""), STR_LIT(""), &scratch, NULL),
        DS_OK);
    assert_int_equal(
        mgi_ds_put(&s, 0, (struct str){ type, 129 }, STR_LIT(""), STR_LIT(""), &scratch, NULL),
        DS_LIMIT);
    mgi_ds_fini(&s);
    mgi_arena_fini(&scratch);
}

static void test_equal_content_is_no_change(void **state)
{
    (void)state;
    struct arena scratch;
    struct ds_state a = { 0 }, b = { 0 };
    mgi_arena_init(&scratch, 0);
    mgi_ds_put(&a, 1, STR_LIT("t"), STR_LIT("p"), STR_LIT("[1]"), &scratch, NULL);
    mgi_ds_copy(&b, &a);
    assert_int_equal(mgi_ds_changed(&a, &b), 0);
    mgi_ds_put(&b, 1, STR_LIT("t"), STR_LIT("p"), STR_LIT("[1]"), &scratch, NULL);
    assert_int_equal(mgi_ds_changed(&a, &b), 0); /* T-TX-4 */
    mgi_ds_put(&b, 1, STR_LIT("t"), STR_LIT("p"), STR_LIT("[1 ]"), &scratch, NULL);
    mgi_ds_put(&b, 5, STR_LIT(""), STR_LIT(""), STR_LIT(""), &scratch, NULL);
    assert_int_equal(mgi_ds_changed(&a, &b), 0x22);
    mgi_ds_fini(&a);
    mgi_ds_fini(&b);
    mgi_arena_fini(&scratch);
}

/* ---- values ------------------------------------------------------------------------------- */

static void test_numbers_are_compared_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {
        { "1", "1.0", true },
        { "[100,0.5,0]", "[1e2,5E-1,-0.00]", true },
        { "1E400", "10e+399", true },
        { "-12.50", "-1250e-2", true },
        { "1", "-1", false },
        { "0.1", "0.10000000000000001", false },
        { "9007199254740993", "9007199254740992.0", false },
        { "1e99999999999999999999", "1e99999999999999999999", true },
        { "{\"a\":[1,{\"b\":\"\\u0041\"}],\"c\":{}}", "{\"c\":{ },\"a\":[1.0,{\"b\":\"A\"}]}",
          true },
        { "{\"a\":1}", "{\"a\":1,\"b\":1}", false },
        { "[1,2]", "[2,1]", false },
        { "\"1\"", "1", false },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) { /* T-INP-5 */
        struct arena arena;
        struct json a, b;
        bool same;
        mgi_arena_init(&arena, 0);
        assert_int_equal(mgi_json_parse(&arena, str_of(pairs[i].a), NULL, &a, NULL), JSON_OK);
        assert_int_equal(mgi_json_parse(&arena, str_of(pairs[i].b), NULL, &b, NULL), JSON_OK);
        assert_true(mgi_same_value(&arena, &a, &b, &same));
        if (same != pairs[i].same)
            fail_msg("%s and %s", pairs[i].a, pairs[i].b);
        mgi_arena_fini(&arena);
    }
}

/* ---- leases ------------------------------------------------------------------------------- */

struct tier_row {
    const char *aid;
    const char *effects[3];
    int min_tier, want;
};

static void test_tiers_follow_the_table(void **state)
{
    (void)state;
    static const struct tier_row tiers[] = {
        /* C-080 T-LEASE-1 */
        { "AID.A.v1", { "none" }, -1, 0 },
        { "AID.A.v1", { "filesystem_read" }, -1, 0 },
        { "AID.A.v1", { "process_introspection" }, -1, 0 },
        { "AID.A.v1", { "filesystem_write" }, -1, 1 },
        { "AID.A.v1", { "filesystem_write", "proc_exec" }, -1, 2 },
        { "AID.A.v1", { "proc_exec", "filesystem_write" }, -1, 2 },
        { "AID.A.v1", { "payments" }, -1, 3 },
        { "AID.A.v1", { "frobnicate" }, -1, 2 },
        { "AID.GENESIS.A.v1", { "none" }, -1, 3 },
        { "AID.NET.HTTP_GET.v1", { "none" }, -1, 2 },
        { "AID.FILE.WRITE.v1", { "none" }, -1, 1 },
        { "AID.A.v1", { "index_append" }, -1, 1 },
        { "AID.A.v1", { "write_over_network" }, -1, 2 },
        { "AID.A.v1", { "filesystem" }, -1, 1 },
        { "AID.A.v1", { "database_read", "browser_read" }, -1, 0 },
        { "AID.A.v1", { "none" }, 2, 2 },     /* a plugin may raise its tier */
        { "AID.A.v1", { "payments" }, 0, 3 }, /* and never lower it */
    };
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
        struct str effects[3];
        size_t count = 0;
        for (; count < 3 && tiers[i].effects[count]; count++)
            effects[count] = str_of(tiers[i].effects[count]);
        assert_int_equal(mgi_tier_of(str_of(tiers[i].aid), effects, count, tiers[i].min_tier),
                         tiers[i].want);
    }
}

static void test_a_lease_is_good_up_to_its_last_millisecond(void **state)
{
    (void)state;
    const struct lease want = { .tool = 3, .tier = 1, .expires_ms = 2000 };
    const uint8_t token[LEASE_TOKEN_BYTES] = { 0xab, 1 };
    uint8_t input[SHA256_BYTES] = { 0 };
    struct lease_table t = { 0 };
    struct lease *found;
    char text[LEASE_TOKEN_TEXT + 1];
    int64_t ttl;
    assert_int_equal(mgi_lease_issue(&t, &want, token, 10000, text, &ttl), LEASE_ISSUED);
    assert_string_equal(text, "lease_ab010000000000000000000000000000");
    assert_int_equal(mgi_lease_check(&t, str_of(text), 3, 1, input, 12000, &found), LEASE_GOOD);
    assert_non_null(found); /* T-LEASE-12 */
    assert_int_equal(mgi_lease_check(&t, str_of(text), 3, 1, input, 12001, &found), LEASE_EXPIRED);
    assert_int_equal(mgi_lease_check(&t, str_of(text), 3, 1, input, 12001, &found),
                     LEASE_NOT_FOUND); /* T-LEASE-9: it was removed */
    assert_int_equal(t.rejected, 2);
    text[7] = 'G';
    assert_int_equal(mgi_lease_check(&t, str_of(text), 3, 1, input, 0, &found), LEASE_NOT_FOUND);
    mgi_lease_fini(&t);
}

/* ---- cache -------------------------------------------------------------------------------- */

static void key_of(size_t n, uint8_t key[SHA256_BYTES])
{
    assert_true(mgi_sha256(&n, sizeof n, key));
}

static void remember(struct idem_cache *c, size_t n, struct str output, int64_t now_ms)
{
    uint8_t key[SHA256_BYTES];
    const struct outcome o = { TH_OK, OUTCOME_OK, output, STR_LIT("") };
    key_of(n, key);
    struct idem_entry *e = mgi_idem_entry_new(0, key, key);
    assert_non_null(e);
    assert_true(mgi_idem_store_take(c, e, &o, 0, now_ms));
}

static bool knows(struct idem_cache *c, size_t tool, size_t n, int64_t now_ms)
{
    uint8_t key[SHA256_BYTES];
    key_of(n, key);
    return mgi_idem_find(c, tool, key, now_ms) != NULL;
}

static void test_an_outcome_lives_sixty_seconds(void **state)
{
    (void)state;
    struct idem_cache c = { 0 };
    remember(&c, 1, STR_LIT("{}"), 1000);
    assert_true(knows(&c, 0, 1, 60900)); /* C-089 T-IDEMP-5 */
    assert_true(knows(&c, 0, 1, 60999)); /* a hit does not extend it */
    assert_false(knows(&c, 0, 1, 61000));
    assert_false(knows(&c, 1, 1, 2000)); /* T-IDEMP-2 */
    mgi_idem_check(&c);
    assert_int_equal(c.count, 0);
    mgi_idem_fini(&c);
}

static void test_the_least_recently_used_makes_room(void **state)
{
    (void)state;
    struct idem_cache c = { 0 };
    for (size_t n = 0; n < 1024; n++)
        remember(&c, n, STR_LIT("{}"), 5000);
    assert_true(knows(&c, 0, 0, 5001)); /* a hit counts as use */
    remember(&c, 1024, STR_LIT("{}"), 5002);
    assert_int_equal(c.count, 1024); /* C-090 T-IDEMP-6 */
    assert_true(knows(&c, 0, 0, 5003));
    assert_false(knows(&c, 0, 1, 5003));
    assert_true(knows(&c, 0, 1024, 5003));
    mgi_idem_check(&c);
    remember(&c, 2000, STR_LIT("{}"), 65001); /* the expired ones go first */
    assert_int_equal(c.count, 2);
    assert_true(knows(&c, 0, 1024, 65001));
    mgi_idem_check(&c);
    mgi_idem_fini(&c);
}

static void test_the_cache_has_a_size_in_bytes(void **state)
{
    (void)state;
    struct idem_cache c = { 0 };
    char *text = mgi_calloc(1, 1000000);
    assert_non_null(text);
    for (size_t n = 0; n < 70; n++) {
        remember(&c, n, (struct str){ text, 1000000 }, 1);
        mgi_idem_check(&c); /* C-096 T-IDEMP-7: never above 67108864 */
    }
    assert_int_equal(c.count, 67);
    assert_false(knows(&c, 0, 2, 2));
    assert_true(knows(&c, 0, 3, 2));
    mgi_free(text);
    mgi_idem_fini(&c);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Every line of `text`, fed `step` bytes at a time, joined with "/". */
static void split(const char *text, size_t step, struct buf *out)
{
    struct line_queue q;
    size_t len = strlen(text), at = 0;
    struct str line;
    mgi_line_queue_init(&q);
    mgi_buf_clear(out);
    for (;;) {
        while (mgi_line_queue_next(&q, &line) == LINE_TEXT) {
            mgi_buf_str(out, line);
            mgi_buf_putc(out, '/');
        }
        if (q.ended)
            break;
        size_t n = len - at < step ? len - at : step;
        if (n)
            mgi_line_queue_feed(&q, text + at, n);
        else
            mgi_line_queue_end(&q);
        at += n;
    }
    mgi_line_queue_fini(&q);
}

static void test_lines_do_not_depend_on_how_bytes_arrive(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        { "", "" },
        { "a\nb\n", "a/b/" },
        { "a\r\n\r\nb\r", "a//b\r/" }, /* T-CLI-13: only directly before the LF */
        { "a\r\r\n", "a\r/" },
        { "\n\n", "//" },
        { "no end", "no end/" }, /* T-CLI-16 */
    };
    struct buf out = { 0 };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t step = 1; step < 9; step++) {
            split(texts[i][0], step, &out);
            assert_string_equal(mgi_buf_view(&out).ptr, texts[i][1]);
        }
    }
    mgi_buf_fini(&out);
}

static void test_the_length_of_a_line_is_exact(void **state)
{
    (void)state;
    struct str line;
    size_t max = MAX_REQUEST_BYTES;
    char *text = mgi_alloc(max + 3);
    assert_non_null(text);
    memset(text, 'x', max + 3);
    for (size_t extra = 0; extra < 2; extra++) { /* T-CLI-17 T-CLI-19 */
        struct line_queue q;
        mgi_line_queue_init(&q);
        for (size_t at = 0; at < max + extra;) {
            size_t n = max + extra - at < 65536 ? max + extra - at : 65536;
            mgi_line_queue_feed(&q, text, n);
            at += n;
            assert_int_equal(mgi_line_queue_next(&q, &line), LINE_NONE);
        }
        mgi_line_queue_feed(&q, "\r\nnext\n", 7);
        assert_int_equal(mgi_line_queue_next(&q, &line), extra ? LINE_TOO_LONG : LINE_TEXT);
        assert_int_equal(mgi_line_queue_next(&q, &line), LINE_TEXT);
        assert_true(str_is(line, "next"));
        mgi_line_queue_fini(&q);
    }
    mgi_free(text);
}

/* ---- frames ------------------------------------------------------------------------------- */

static void test_a_frame_cut_anywhere_is_partial(void **state)
{
    (void)state;
    struct buf b = { 0 };
    struct frame f;
    size_t size, begun = mgi_frame_begin(&b, FRAME_RESULT);
    mgi_frame_u64(&b, UINT64_MAX);
    mgi_frame_str(&b, STR_LIT("text"));
    mgi_frame_end(&b, begun);
    for (size_t len = 0; len < b.len; len++)
        assert_int_equal(mgi_frame_next((struct str){ b.ptr, len }, 1000, &f, &size),
                         FRAME_PARTIAL);
    assert_int_equal(mgi_frame_next(mgi_buf_view(&b), 1000, &f, &size), FRAME_WHOLE);
    assert_int_equal(size, b.len);
    assert_int_equal(f.type, FRAME_RESULT);
    assert_true(mgi_frame_get_u64(&f) == UINT64_MAX);
    assert_false(mgi_frame_is_done(&f));
    assert_true(str_is(mgi_frame_get_str(&f), "text"));
    assert_true(mgi_frame_is_done(&f));
    assert_int_equal(mgi_frame_get_u32(&f), 0);
    assert_false(mgi_frame_is_done(&f)); /* read beyond its end */
    assert_int_equal(mgi_frame_next(mgi_buf_view(&b), 8, &f, &size), FRAME_BAD);
    mgi_buf_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_sound_artifacts_get_in),
        cmocka_unit_test(test_equal_content_is_no_change),
        cmocka_unit_test(test_numbers_are_compared_exactly),
        cmocka_unit_test(test_tiers_follow_the_table),
        cmocka_unit_test(test_a_lease_is_good_up_to_its_last_millisecond),
        cmocka_unit_test(test_an_outcome_lives_sixty_seconds),
        cmocka_unit_test(test_the_least_recently_used_makes_room),
        cmocka_unit_test(test_the_cache_has_a_size_in_bytes),
        cmocka_unit_test(test_lines_do_not_depend_on_how_bytes_arrive),
        cmocka_unit_test(test_the_length_of_a_line_is_exact),
        cmocka_unit_test(test_a_frame_cut_anywhere_is_partial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
