/* A base that was saved and opened is the one that was closed: the same rows under the same
 * numbers, born in the same rounds, the same answers of overlays. What is not whole, not of this
 * version or not of this program is refused, and what was forged with a good checksum does no harm.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mangle/run/base_saved.h"
#include "support/base_dump.h"
#include "support/mangle_run.h"

static const char rules[] =
    "Decl edge(X, Y). Decl note(X, Y). Decl up(X) temporal. Decl more(X). Decl flag().\n"
    "edge(/a, /b). edge(/b, /c). up(/a)@[2024-01-01, 2024-01-05]. up(/a)@[2024-03-01, _]. flag().\n"
    "note(1, \"text\"). note(-7000000000, b\"\\xff\"). note(1.5, [1, \"two\", [/three]]).\n"
    "note({/k: 1, /l: [2]}, [/x: 1, /y: {}]). note(fn:pair(1, \"\"), []).\n"
    "path(X, Y) :- edge(X, Y). path(X, Z) :- path(X, Y), edge(Y, Z).\n"
    "late(X)@[S, E] :- up(X)@[S, E], edge(X, _).\n"
    "count(N) :- path(_, _) |> do fn:group_by(), let N = fn:count().\n"
    "asked(X, Y) :- more(X), path(X, Y).\n";

static bool is_more(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strcmp(mangle_program_pred(program, pred).name, "more") == 0;
}

static mangle_program *program_of(const char *text)
{
    struct mangle_source source = { "rules.mg", text, strlen(text) };
    struct mangle_compile_options options = { .changeable = is_more };
    mangle_program *program;
    assert_int_equal(mangle_compile(&source, 1, &options, &program, NULL), MANGLE_OK);
    return program;
}

static mangle_base *base_of(mangle_program *program, struct mangle_stats *stats)
{
    mangle_base *base;
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    mangle_values *t = mangle_base_values(base);
    mangle_pred edge = mangle_pred_find(program, "edge", 2),
                note = mangle_pred_find(program, "note", 2);
    const mangle_value rows[] = { mangle_name(t, "/c", 2), mangle_name(t, "/d", 2),
                                  mangle_name(t, "/d", 2), mangle_name(t, "/a", 2) };
    assert_int_equal(mangle_base_add_rows(base, edge, rows, 2, NULL), MANGLE_OK);
    const mangle_value times[] = { mangle_time(t, 5), mangle_duration(t, 6) };
    assert_int_equal(mangle_base_add(base, note, times, 2, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_close(base, NULL, stats, NULL), MANGLE_OK);
    return base;
}

static char *answers_of(mangle_base *base)
{
    struct buf out = { 0 };
    mangle_overlay *overlay;
    const mangle_program *program = mangle_base_program(base);
    assert_int_equal(mangle_overlay_new(base, &overlay), MANGLE_OK);
    mangle_values *t = mangle_overlay_values(overlay);
    mangle_value who = mangle_name(t, "/b", 2);
    assert_int_equal(
        mangle_overlay_add(overlay, mangle_pred_find(program, "more", 1), &who, 1, NULL, NULL),
        MANGLE_OK);
    assert_int_equal(mangle_overlay_eval(overlay, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
    for (size_t i = 0; i < mangle_program_pred_count(program); i++) {
        const struct mangle_fact *facts;
        size_t count;
        assert_int_equal(mangle_overlay_facts(overlay, (mangle_pred)i, &facts, &count), MANGLE_OK);
        for (size_t f = 0; f < count; f++) {
            char *text = mangle_fact_print(program, t, &facts[f], MANGLE_CANONICAL, NULL);
            mgi_buf_printf(&out, "%s\n", text);
            mangle_free(text);
        }
    }
    mangle_overlay_free(overlay);
    return mgi_buf_take(&out, NULL);
}

struct saved {
    mangle_program *program;
    char *bytes, *dump, *answers;
    size_t len;
};

static struct saved saved_of(const char *text)
{
    struct saved s = { .program = program_of(text) };
    struct mangle_stats stats;
    mangle_base *base = base_of(s.program, &stats);
    assert_int_equal(mangle_base_save(base, "note", 4, &s.bytes, &s.len, NULL), MANGLE_OK);
    s.dump = mangle_base_dump(base, &stats);
    s.answers = answers_of(base);
    mangle_base_unref(base);
    return s;
}

static void saved_end(struct saved *s)
{
    mangle_program_unref(s->program);
    mangle_free(s->bytes);
    mangle_free(s->dump);
    mangle_free(s->answers);
}

static enum mangle_status open_with(const struct saved *s, mangle_program *program,
                                    const struct mangle_limits *limits, struct mangle_error *err)
{
    mangle_base *base;
    enum mangle_status st = mangle_base_open(program, s->bytes, s->len, limits, &base, NULL, err);
    assert_true((base != NULL) == (st == MANGLE_OK));
    mangle_base_unref(base);
    return st;
}

static void what_is_opened_is_what_was_saved(void **state)
{
    (void)state; /* M-EVAL-1 */
    struct saved s = saved_of(rules);
    struct mangle_stats stats;
    mangle_program *again = program_of(rules); /* as another process has it */
    mangle_base *base;
    assert_int_equal(mangle_base_open(again, s.bytes, s.len, NULL, &base, &stats, NULL), MANGLE_OK);
    char *dump = mangle_base_dump(base, &stats), *answers = answers_of(base);
    assert_string_equal(dump, s.dump);
    assert_string_equal(answers, s.answers);
    char *bytes;
    size_t len;
    assert_int_equal(mangle_base_save(base, "note", 4, &bytes, &len, NULL), MANGLE_OK);
    assert_int_equal(len, s.len);
    assert_memory_equal(bytes, s.bytes, len);
    mangle_free(bytes);
    mangle_free(dump);
    mangle_free(answers);
    mangle_base_unref(base);
    mangle_program_unref(again);
    saved_end(&s);
}

static void the_note_comes_back(void **state)
{
    (void)state;
    struct saved s = saved_of("Decl edge(X, Y). Decl note(X, Y). Decl more(X).");
    const char *note;
    size_t len;
    assert_int_equal(mangle_saved_note(s.bytes, s.len, &note, &len, NULL), MANGLE_OK);
    assert_int_equal(len, 4);
    assert_memory_equal(note, "note", 4);
    saved_end(&s);
}

static void another_program_is_refused(void **state)
{
    (void)state;
    struct saved s = saved_of(rules);
    struct buf text = { 0 };
    struct mangle_error err = { 0 };
    mgi_buf_printf(&text, "%s# changed\n", rules);
    mangle_program *changed = program_of(text.ptr);
    assert_int_equal(open_with(&s, changed, NULL, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "it is of another program");
    mangle_program_unref(changed);
    struct mangle_source source = { "rules.mg", rules, sizeof rules - 1 };
    assert_int_equal(mangle_compile(&source, 1, NULL, &changed, NULL), MANGLE_OK);
    assert_int_equal(open_with(&s, changed, NULL, &err), MANGLE_ERR_INPUT); /* other options */
    mangle_program_unref(changed);
    mgi_buf_fini(&text);
    saved_end(&s);
}

static void another_version_is_refused(void **state)
{
    (void)state;
    struct saved s = saved_of(rules);
    struct mangle_error err = { 0 };
    char *maker = memmem(s.bytes, s.len, SAVED_MAKER, sizeof SAVED_MAKER - 1);
    assert_non_null(maker);
    maker[sizeof SAVED_MAKER - 2]++;
    assert_int_equal(open_with(&s, s.program, NULL, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "another version of the program made it");
    saved_end(&s);
}

static void damage_is_found_wherever_it_is(void **state)
{
    (void)state;
    struct saved s = saved_of(rules);
    for (size_t i = 0; i < s.len; i++) {
        struct mangle_error err = { 0 };
        s.bytes[i] ^= (char)(1 << i % 8);
        assert_int_equal(open_with(&s, s.program, NULL, &err), MANGLE_ERR_INPUT);
        assert_true(err.message[0] != '\0');
        s.bytes[i] ^= (char)(1 << i % 8);
    }
    size_t len = s.len;
    for (s.len = 0; s.len < len; s.len++)
        assert_int_equal(open_with(&s, s.program, NULL, NULL), MANGLE_ERR_INPUT);
    assert_int_equal(open_with(&s, s.program, NULL, NULL), MANGLE_OK);
    saved_end(&s);
}

static void seal(struct saved *s)
{
    uint64_t sum = mgi_sealed_checksum((struct str){ s->bytes, s->len });
    memcpy(s->bytes + SEALED_CHECKSUM_AT, &sum, sizeof sum);
}

/* Each word of the base, to each of a few values, under a checksum that fits. Refused, or a base
 * that works. */
static void forged_bases_do_no_harm(void **state)
{
    (void)state;
    static const uint32_t forged[] = { 0,          1,          5,          15,        100,
                                       0x3fffffff, 0x40000001, 0x80000000, UINT32_MAX };
    struct saved s = saved_of(rules);
    size_t refused = 0, opened = 0;
    for (size_t at = 96; at + 4 <= s.len; at += 4) {
        uint32_t before;
        memcpy(&before, s.bytes + at, sizeof before);
        for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
            mangle_base *base;
            memcpy(s.bytes + at, &forged[i], sizeof forged[i]);
            seal(&s);
            if (mangle_base_open(s.program, s.bytes, s.len, NULL, &base, NULL, NULL) == MANGLE_OK) {
                mangle_free(answers_of(base));
                mangle_base_unref(base);
                opened++;
            } else {
                assert_null(base);
                refused++;
            }
        }
        memcpy(s.bytes + at, &before, sizeof before);
    }
    assert_true(refused > 100 && opened > 100); /* counts of firings, say, may be anything */
    saved_end(&s);
}

static bool at_once(void *context)
{
    (void)context;
    return true;
}

static int64_t late(void *context)
{
    return *(int64_t *)context += 1000;
}

static void limits_hold_while_opening(void **state)
{
    (void)state; /* M-LIM-1 */
    struct saved s = saved_of(rules);
    struct mangle_error err = { 0 };
    int64_t now = 0;
    struct mangle_limits cancelled = { .cancelled = at_once }, small = { .max_bytes = 1 };
    struct mangle_limits slow = { .timeout_ns = 1, .clock = late, .clock_context = &now };
    assert_int_equal(open_with(&s, s.program, &cancelled, &err), MANGLE_ERR_CANCELLED);
    assert_int_equal(open_with(&s, s.program, &small, &err), MANGLE_ERR_LIMIT);
    assert_int_equal(err.limit.kind, MANGLE_LIMIT_MEMORY);
    assert_int_equal(open_with(&s, s.program, &slow, &err), MANGLE_ERR_LIMIT);
    assert_int_equal(err.limit.kind, MANGLE_LIMIT_TIME);
    saved_end(&s);
}

static void what_cannot_be_saved_is_refused(void **state)
{
    (void)state;
    static const char merged[] = "Decl first(X, Y) descr [fundep([X], [Y]), merge([Y], \"low\")].\n"
                                 "Decl low(A, B, C) descr [mode('+', '+', '-'), deferred()].\n"
                                 "low(A, B, A) :- A <= B. low(A, B, B) :- B < A. first(1, 2).\n";
    mangle_program *program = program_of(merged);
    struct mangle_error err = { 0 };
    mangle_base *base;
    char *bytes;
    size_t len;
    assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
    assert_int_equal(mangle_base_save(base, NULL, 0, &bytes, &len, &err), MANGLE_ERR_INPUT);
    assert_string_equal(err.message, "the base is not closed");
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_save(base, NULL, 0, &bytes, &len, &err), MANGLE_ERR_INPUT);
    assert_non_null(strstr(err.message, "fundep"));
    assert_null(bytes);
    mangle_base_unref(base);
    mangle_program_unref(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_opened_is_what_was_saved),
        cmocka_unit_test(the_note_comes_back),
        cmocka_unit_test(another_program_is_refused),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(damage_is_found_wherever_it_is),
        cmocka_unit_test(forged_bases_do_no_harm),
        cmocka_unit_test(limits_hold_while_opening),
        cmocka_unit_test(what_cannot_be_saved_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
