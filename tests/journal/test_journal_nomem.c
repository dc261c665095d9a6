/* Any allocation of ours may fail: an open journal that could not be is none, a step that could not
 * begin is not sent, and what has begun always ends. */
#include "journal/journal_fixture.h"

#include "support/nomem.h"

static void test_opening_survives_any_failure(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, 1, (const uint8_t[JOURNAL_KEY_BYTES]){ 1 }, 1);
    scene_close(&s);
    for (size_t at = 1;; at++) {
        nomem_fail_at(at);
        (void)scene_try(&s);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (s.journal && !failed)
            break;
        if (s.journal) /* it was a line of the log */
            scene_close(&s);
        assert_true(at < 1000);
    }
    scene_end(&s);
}

/* False: something of it found no memory. */
static bool one_run(struct scene *s, unsigned n)
{
    struct answer a = { 0 };
    bool good = true;
    struct journal_run *run = begin_run(s, n, NULL);
    struct journal_step *reads = begin_step(run, 0, 0, NULL);
    struct journal_step *acts = begin_step(run, 1, 1, &a);
    good = run && reads && acts;
    if (acts) {
        until_told(s, &a);
        assert_string_equal(a.why, "");
    }
    const struct journal_pick pick = { .turn = 1, .kind = STR_LIT("NOOP") };
    mgi_journal_picks(run, &pick); /* what there is no memory for is counted */
    struct journal_step_end e = { .outcome = JOURNAL_OK, .patch = STR_LIT("[1]") };
    mgi_journal_step_ends(reads, &e);
    mgi_journal_step_ends(acts, &e);
    mgi_journal_run_ends(run, JOURNAL_OK);
    return good;
}

static void test_what_begins_survives_any_failure(void **state)
{
    struct scene s;
    unsigned n = 0;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    for (size_t at = 1;; at++) {
        nomem_fail_at(at);
        bool good = one_run(&s, n++), failed = nomem_failed();
        nomem_fail_at(0);
        if (good && !failed)
            break;
        assert_true(failed && at < 1000);
    }
    scene_reopen(&s);
    struct found f = read_file(&s, NULL);
    assert_int_equal(f.interrupted, 0);
    assert_int_equal(f.indeterminate, 0);
    assert_non_null(strstr(f.text, "\"tx_patch_bytes\":3"));
    scene_end(&s);
}

static void test_lookups_survive_any_failure(void **state)
{
    static const uint8_t key[JOURNAL_KEY_BYTES] = { 7 };
    struct scene s;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, 1, key, 2);
    scene_reopen(&s);
    for (size_t at = 1;; at++) {
        struct journal_record r;
        struct arena arena;
        mgi_arena_init(&arena, 0);
        nomem_fail_at(at);
        enum journal_find found = mgi_journal_find_key(s.journal, key, DAY_NS, &arena, &r);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_arena_fini(&arena);
        if (!failed) {
            assert_int_equal(found, JOURNAL_FOUND);
            break;
        }
        assert_int_equal(found, JOURNAL_UNKNOWN); /* never NONE: it would run again */
    }
    for (size_t at = 1;; at++) {
        uint8_t digest[JOURNAL_KEY_BYTES];
        nomem_fail_at(at);
        bool ok = mgi_journal_key(STR_LIT("ann"), STR_LIT("k"), digest), failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(ok, !failed);
        if (ok)
            break;
    }
    scene_end(&s);
}

static void test_reading_survives_any_failure(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, 1, NULL, 2);
    scene_close(&s);
    for (size_t at = 1;; at++) {
        struct journal_filter all = { 0 };
        struct found f = { 0 };
        struct buf why = { 0 };
        struct arena arena;
        mgi_arena_init(&arena, 0);
        nomem_fail_at(at);
        struct journal_file *file = mgi_journal_file_open(s.path, &why);
        bool ok = file && mgi_journal_file_walk(file, &all, &arena, count_run, &f, &why);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_journal_file_close(file);
        mgi_buf_fini(&why);
        mgi_arena_fini(&arena);
        assert_true(failed || (ok && f.runs == 1));
        if (!failed)
            break;
    }
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opening_survives_any_failure),
        cmocka_unit_test(test_what_begins_survives_any_failure),
        cmocka_unit_test(test_lookups_survive_any_failure),
        cmocka_unit_test(test_reading_survives_any_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
