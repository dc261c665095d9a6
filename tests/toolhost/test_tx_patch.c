/* What a step changed, as a patch for logs and replay, and the digests that tell states apart
 * (toolhost.md 4.5, 4.6). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "toolhost/state.c"
#include "toolhost/tx_patch.c"

static void put(struct ds_state *s, struct arena *scratch, unsigned n, const char *type,
                const char *provenance, const char *content)
{
    assert_int_equal(
        mgi_ds_put(s, n, str_of(type), str_of(provenance), str_of(content), scratch, NULL), DS_OK);
}

static void test_the_digests_of_the_table(void **state)
{
    (void)state;
    static const struct {
        struct {
            unsigned slot;
            const char *type, *provenance, *content;
        } slots[2];
        const char *fast;
    } rows[] = {
        { .fast = "14650fb0739d0383" },
        { { { 0, "text", "unit", "{\"v\":1}" } }, "ee5929c976950bfc" },
        { { { 0, "text", "unit", "{\"v\":1}" }, { 6, "text", "p", "{}" } }, "7304614647223edf" },
        { { { 3, "note", "unit:a", "{\"t\":\"\xc3\xa9\"}" } }, "c6a626dab3d0d5a0" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ds_state s = { 0 };
        struct arena scratch;
        char fast[17];
        mgi_arena_init(&scratch, 0);
        for (size_t n = 0; n < 2; n++)
            if (rows[i].slots[n].type)
                put(&s, &scratch, rows[i].slots[n].slot, rows[i].slots[n].type,
                    rows[i].slots[n].provenance, rows[i].slots[n].content);
        assert_true(mgi_ds_digest_fast(&s, fast));
        assert_string_equal(fast, rows[i].fast); /* C-058 T-STATE-16 */
        mgi_ds_fini(&s);
        mgi_arena_fini(&scratch);
    }
}

/* The state of C-060 before and after. */
static void make_states(struct arena *scratch, struct ds_state *before, struct ds_state *after)
{
    put(before, scratch, 0, "a", "", "[0]");
    put(before, scratch, 6, "b", "p", "[6]");
    mgi_ds_copy(after, before);
    mgi_ds_del(after, 0);
    put(after, scratch, 2, "c", "q", "{\"new\":\"\xc3\xa9\"}");
    put(after, scratch, 6, "b", "p", "[7]");
}

static struct str write_patch(struct buf *out, const struct ds_state *before,
                              const struct ds_state *after, bool reduced)
{
    struct json_writer w;
    mgi_buf_clear(out);
    mgi_json_writer_init(&w, out, 0);
    assert_true(mgi_tx_patch_write(&w, before, after, reduced));
    return mgi_buf_view(out);
}

static void test_a_patch_says_what_changed(void **state)
{
    (void)state;
    struct arena scratch;
    struct ds_state before = { 0 }, after = { 0 };
    struct buf out = { 0 };
    mgi_arena_init(&scratch, 0);
    make_states(&scratch, &before, &after);
    write_patch(&out, &before, &after, false);
    assert_string_equal(out.ptr, /* C-060 T-TX-5 T-TX-6 */
                        "[{\"op\":\"remove\",\"path\":\"/slots/0\"},"
                        "{\"op\":\"add\",\"path\":\"/slots/2\",\"value\":{\"type\":\"c\","
                        "\"provenance\":\"q\",\"content_json\":\"{\\\"new\\\":\\\"\xc3\xa9\\\"}\","
                        "\"size_bytes\":12}},"
                        "{\"op\":\"replace\",\"path\":\"/slots/6\",\"value\":{\"type\":\"b\","
                        "\"provenance\":\"p\",\"content_json\":\"[7]\",\"size_bytes\":3}}]");
    write_patch(&out, &before, &after, true);
    assert_null(strstr(out.ptr, "new")); /* T-TX-9 T-AUD-6 */
    assert_non_null(strstr(out.ptr, "{\"op\":\"remove\",\"path\":\"/slots/0\"}"));
    assert_non_null(strstr(out.ptr, "\"op\":\"add\",\"path\":\"/slots/2\",\"size_bytes\":12}"));
    write_patch(&out, &after, &after, false);
    assert_string_equal(out.ptr, "[]"); /* T-TX-4 */
    mgi_buf_fini(&out);
    mgi_ds_fini(&before);
    mgi_ds_fini(&after);
    mgi_arena_fini(&scratch);
}

static enum ds_result apply(struct ds_state *s, const char *text)
{
    struct arena arena;
    struct json v;
    struct ds_patch patch;
    struct str why = STR_LIT("");
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, str_of(text), NULL, &v, NULL), JSON_OK);
    enum ds_result rc = mgi_tx_patch_read(&arena, &v, &patch, &why);
    assert_int_equal(why.len > 0, rc != DS_OK);
    if (rc == DS_OK)
        mgi_ds_patch_apply(s, &patch);
    mgi_ds_patch_fini(&patch);
    mgi_arena_fini(&arena);
    return rc;
}

static void test_a_step_is_replayed_from_its_patch(void **state)
{
    (void)state;
    struct arena scratch;
    struct ds_state before = { 0 }, after = { 0 };
    struct buf out = { 0 };
    char want[65], got[65];
    mgi_arena_init(&scratch, 0);
    make_states(&scratch, &before, &after);
    write_patch(&out, &before, &after, false);
    assert_true(mgi_ds_digest(&after, want));
    assert_int_equal(apply(&before, out.ptr), DS_OK);
    assert_true(mgi_ds_digest(&before, got));
    assert_string_equal(got, want); /* C-233 T-TX-9: no tool runs */
    assert_int_equal(apply(&before, "[{\"op\":\"remove\",\"path\":\"/slots/1\"}]"), DS_OK);
    assert_int_equal(apply(&before, "[{\"op\":\"replace\",\"path\":\"/slots/1\",\"value\":{}},"
                                    "{\"op\":\"add\",\"path\":\"/slots/2\",\"value\":{}}]"),
                     DS_OK);
    assert_int_equal(mgi_ds_used(&before), 0x46); /* T-TX-8 */
    mgi_buf_fini(&out);
    mgi_ds_fini(&before);
    mgi_ds_fini(&after);
    mgi_arena_fini(&scratch);
}

static const char *const bad_patches[] = {
    /* C-061 T-TX-7 */
    "[{\"op\":\"add\",\"path\":\"/slots/2\",\"value\":{}},{\"op\":\"move\",\"path\":\"/slots/1\"}]",
    /* C-062 T-TX-7 */
    "[{\"op\":\"remove\",\"path\":\"/slots/1abc\"}]",
    "[{\"op\":\"remove\",\"path\":\"/slots/8\"}]",
    "[{\"op\":\"remove\",\"path\":\"/slot/1\"}]",
    "[{\"op\":\"remove\",\"path\":\"/slots/\"}]",
    "[{\"op\":\"remove\",\"path\":1}]",
    "[{\"op\":\"remove\"}]",
    "[{\"path\":\"/slots/1\"}]",
    "[{\"op\":\"remove\",\"path\":\"/slots/1\",\"value\":{}}]",
    "[{\"op\":\"add\",\"path\":\"/slots/2\",\"value\":{}},{\"op\":\"add\",\"path\":\"/slots/3\"}]",
    "[{\"op\":\"add\",\"path\":\"/slots/2\",\"value\":[]}]",
    "[{\"op\":\"add\",\"path\":\"/slots/2\",\"value\":{\"type\":1}}]",
    "[{\"op\":\"add\",\"path\":\"/slots/2\",\"value\":{\"type\":\"a|b\"}}]",
    "[{\"op\":\"add\",\"path\":\"/slots/2\",\"value\":{\"content_json\":\"{bad\"}}]",
    /* T-TX-5: ascending, one entry a slot */
    "[{\"op\":\"add\",\"path\":\"/slots/3\",\"value\":{}},{\"op\":\"remove\",\"path\":\"/slots/"
    "2\"}]",
    "[{\"op\":\"add\",\"path\":\"/slots/3\",\"value\":{}},{\"op\":\"remove\",\"path\":\"/slots/"
    "3\"}]",
    "[5]",
    "{}",
};

static void test_a_bad_patch_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_patches / sizeof *bad_patches; i++) {
        struct ds_state s = { 0 };
        if (apply(&s, bad_patches[i]) != DS_INVALID)
            fail_msg("%s", bad_patches[i]);
        assert_int_equal(mgi_ds_used(&s), 0); /* T-TX-7 */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_digests_of_the_table),
        cmocka_unit_test(test_a_patch_says_what_changed),
        cmocka_unit_test(test_a_step_is_replayed_from_its_patch),
        cmocka_unit_test(test_a_bad_patch_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
