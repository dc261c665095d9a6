/* A definition that is kept again: evidence of both, whether the older text is looked into whole or
 * where it begins. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "macro/macro.h"

static struct arena arena;

static int set_up(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_arena_fini(&arena);
    return 0;
}

static struct macro some_macro(const struct evidence *evidence, size_t count)
{
    static const uint32_t steps[] = { 0, 2 };
    static const struct str effects[] = { { "network", 7 } };
    static struct json schema = { .type = JSON_OBJECT };
    schema.text = STR_LIT("{\"type\":\"object\",\"evidence\":[\"not_before\"]}");
    return (struct macro){ .macro_id = STR_LIT("one-0123456789ab"),
                           .digest = STR_LIT("0123456789abcdef"),
                           .tool = STR_LIT("one"),
                           .intent = STR_LIT("a \"quoted\" intent"),
                           .rules_version = STR_LIT("v"),
                           .input_schema = schema,
                           .steps = steps,
                           .step_count = 2,
                           .effects = effects,
                           .effect_count = 1,
                           .not_before_ns = 5 * (int64_t)count,
                           .expires_ns = INT64_MAX,
                           .evidence = evidence,
                           .evidence_count = count };
}

static struct str written(const struct macro *m)
{
    struct buf text = { 0 };
    mgi_macro_write(&text, m);
    assert_false(text.oom);
    struct str s = mgi_arena_str(&arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return s;
}

/* The same with white space that no writer of ours makes. */
static struct str spaced(struct str text)
{
    return str_of(mgi_arena_printf(&arena, "{ %.*s", (int)text.len - 1, text.ptr + 1));
}

static struct evidence made_at(int64_t when, bool live)
{
    return (struct evidence){ str_of(mgi_arena_printf(&arena, "told:%lld", (long long)when)),
                              when,
                              when,
                              when + 100,
                              live,
                              { 0 } };
}

static struct str merged(struct str older, struct str newer)
{
    assert_true(mgi_macro_merge(&arena, older, &newer));
    return newer;
}

static void test_both_ways_come_to_the_same(void **state)
{
    struct str kept = { 0 };
    (void)state;
    for (int64_t when = 1; when < 200;
         when += 7) { /* some are over, and there are more than have room */
        struct evidence one = made_at(when, when % 3 != 0);
        struct macro m = some_macro(&one, 1);
        struct str definition = written(&m);
        if (kept.ptr) {
            struct str quick = merged(kept, definition), whole = merged(spaced(kept), definition);
            assert_true(str_eq(quick, whole));
            definition = quick;
        }
        struct macro back;
        assert_true(mgi_macro_read(&arena, definition, &back));
        assert_int_equal(back.evidence[0].made_ns, when);
        assert_in_range(back.evidence_count, 1, EVIDENCE_MAX);
        for (size_t i = 1; i < back.evidence_count; i++)
            assert_true(back.evidence[i].expires_ns > when);
        assert_true(str_eq(back.intent, m.intent));
        kept = definition;
    }
    struct macro last;
    assert_true(mgi_macro_read(&arena, kept, &last));
    assert_int_equal(last.evidence_count, EVIDENCE_MAX);
}

/* What follows evidence and window is compared, not read: that is what keeping a tool again costs.
 */
static void test_what_is_the_same_is_not_looked_into(void **state)
{
    struct evidence one = made_at(1, true), two = made_at(2, true), both[] = { two, one };
    struct macro a = some_macro(&one, 1), b = some_macro(&two, 1), all = some_macro(both, 2);
    (void)state;
    a.input_schema.text = b.input_schema.text = all.input_schema.text = STR_LIT("{no JSON]");
    all.not_before_ns = b.not_before_ns;
    assert_true(str_eq(merged(written(&a), written(&b)), written(&all)));
}

static void test_another_composition_is_passed_over(void **state)
{
    struct evidence one = made_at(1, true), two = made_at(2, true);
    struct macro a = some_macro(&one, 1), b = some_macro(&two, 1);
    (void)state;
    a.digest = STR_LIT("another");
    struct str newer = written(&b);
    assert_true(str_eq(merged(written(&a), newer), newer));
    assert_true(str_eq(merged(spaced(written(&a)), newer), newer));
}

/* What differs besides the digest does not keep evidence from being merged, and the newer text
 * stands. */
static void test_the_newer_text_stands(void **state)
{
    struct evidence one = made_at(1, true), two = made_at(2, true);
    struct macro a = some_macro(&one, 1), b = some_macro(&two, 1), back;
    (void)state;
    a.macro_id = STR_LIT("one-signed-otherwise");
    assert_true(mgi_macro_read(&arena, merged(written(&a), written(&b)), &back));
    assert_int_equal(back.evidence_count, 2);
    assert_true(str_eq(back.macro_id, b.macro_id));
}

static void test_what_is_not_ours_is_passed_over(void **state)
{
    static const char *const texts[] = { "",
                                         "{",
                                         "{}",
                                         "[1]",
                                         "{\"evidence\":[]}",
                                         "{\"evidence\":7,\"not_before\":1,",
                                         "{\"evidence\":[{}],\"not_before\":1,\"expires\":2}" };
    struct evidence one = made_at(1, true);
    struct macro m = some_macro(&one, 1);
    struct str newer = written(&m);
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(str_eq(merged(str_of(texts[i]), newer), newer));
    for (size_t len = 0; len < newer.len; len++) /* cut anywhere, and what its end alone would be */
        assert_true(str_eq(merged((struct str){ newer.ptr, len }, newer), newer));
    for (size_t at = 1; at < newer.len; at++)
        assert_true(str_eq(merged((struct str){ newer.ptr + at, newer.len - at }, newer), newer));
}

/* The fuzz target's finding: a byte that is no text went from the older one into what is kept. */
static void test_a_broken_text_breaks_nothing(void **state)
{
    struct evidence one = made_at(1, true), two = made_at(2, true);
    struct macro a = some_macro(&one, 1), b = some_macro(&two, 1);
    struct str older = written(&a), newer = written(&b);
    (void)state;
    char *broken = mgi_arena_printf(&arena, "%.*s", STR_ARG(older));
    broken[strlen("{\"evidence\":[{\"told\":\"t")] = '\xc8';
    assert_true(str_eq(merged(str_of(broken), newer), newer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways_come_to_the_same),
        cmocka_unit_test(test_what_is_the_same_is_not_looked_into),
        cmocka_unit_test(test_another_composition_is_passed_over),
        cmocka_unit_test(test_the_newer_text_stands),
        cmocka_unit_test(test_what_is_not_ours_is_passed_over),
        cmocka_unit_test(test_a_broken_text_breaks_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
