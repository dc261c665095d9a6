/* The marker `__now`: evaluations end by saying when they were, for later ones to read. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "mangle.h"

#define MINUTE INT64_C(60000000000)

struct session {
    mangle_program *program;
    mangle_base *base;
    mangle_overlay *overlay;
};

static void begin(struct session *s, const char *text, bool marker)
{
    struct mangle_source source = { "p.mg", text, strlen(text) };
    struct mangle_compile_options options = { .now_marker = marker };
    assert_int_equal(mangle_compile(&source, 1, &options, &s->program, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(s->program, &s->base), MANGLE_OK);
    assert_int_equal(mangle_base_close(s->base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(s->base, &s->overlay), MANGLE_OK);
}

static void end(struct session *s)
{
    mangle_overlay_free(s->overlay);
    mangle_base_unref(s->base);
    mangle_program_unref(s->program);
}

/* The facts of one query, a line each. */
static void expect(struct session *s, const char *query, const char *expected)
{
    const struct mangle_fact *facts;
    size_t count;
    char all[512] = "";
    assert_int_equal(mangle_overlay_query(s->overlay, query, strlen(query), &facts, &count, NULL),
                     MANGLE_OK);
    for (size_t i = 0; i < count; i++) {
        char *text = mangle_fact_print(s->program, mangle_overlay_values(s->overlay), &facts[i],
                                       MANGLE_CANONICAL, NULL);
        strncat(all, text, sizeof all - strlen(all) - 2);
        strcat(all, "\n");
        mangle_free(text);
    }
    assert_string_equal(all, expected);
}

static void give_marker(struct session *s, int64_t at)
{
    mangle_value t = mangle_time(mangle_overlay_values(s->overlay), at);
    struct mangle_interval when = { at, at };
    mangle_pred pred = mangle_pred_find(s->program, "__now", 1);
    assert_int_equal(mangle_overlay_add(s->overlay, pred, &t, 1, &when, NULL), MANGLE_OK);
}

/* M-TEMP-90 */
static void test_an_evaluation_says_when_it_was(void **state)
{
    (void)state;
    struct session s;
    begin(&s, "seen(T) :- __now(T)@[_, now].", true);
    assert_int_equal(mangle_overlay_eval(s.overlay, 5 * MINUTE, NULL, NULL, NULL), MANGLE_OK);
    expect(&s, "__now(T)",
           "__now(fn:time:parse_rfc3339(\"1970-01-01T00:05:00Z\"))@[1970-01-01T00:05:00Z]\n");
    expect(&s, "seen(T)", ""); /* it comes after the rules */
    mangle_overlay_reset(s.overlay);
    assert_int_equal(mangle_overlay_eval(s.overlay, 6 * MINUTE, NULL, NULL, NULL), MANGLE_OK);
    expect(&s, "__now(T)",
           "__now(fn:time:parse_rfc3339(\"1970-01-01T00:06:00Z\"))@[1970-01-01T00:06:00Z]\n");
    end(&s);
}

/* M-TEMP-90 */
static void test_a_later_evaluation_reads_it(void **state)
{
    (void)state;
    struct session s;
    begin(&s, "since(D) :- __now(T)@[T], D = fn:time:sub(fn:time:now(), T).", true);
    give_marker(&s, 5 * MINUTE);
    assert_int_equal(mangle_overlay_eval(s.overlay, 7 * MINUTE, NULL, NULL, NULL), MANGLE_OK);
    expect(&s, "since(D)", "since(fn:duration:parse(\"2m0s\"))\n");
    expect(&s, "__now(T)",
           "__now(fn:time:parse_rfc3339(\"1970-01-01T00:05:00Z\"))@[1970-01-01T00:05:00Z]\n"
           "__now(fn:time:parse_rfc3339(\"1970-01-01T00:07:00Z\"))@[1970-01-01T00:07:00Z]\n");
    mangle_overlay_reset(s.overlay);
    give_marker(&s, 7 * MINUTE); /* the same instant again: one fact */
    assert_int_equal(mangle_overlay_eval(s.overlay, 7 * MINUTE, NULL, NULL, NULL), MANGLE_OK);
    expect(&s, "__now(T)",
           "__now(fn:time:parse_rfc3339(\"1970-01-01T00:07:00Z\"))@[1970-01-01T00:07:00Z]\n");
    end(&s);
}

static const char *first_code(const char *text, bool marker)
{
    static char code[40];
    struct mangle_source source = { "p.mg", text, strlen(text) };
    struct mangle_compile_options options = { .now_marker = marker };
    mangle_diags *diags = mangle_diags_new();
    mangle_program *program;
    enum mangle_status st = mangle_compile(&source, 1, &options, &program, diags);
    strcpy(code, st ? mangle_diags_get(diags, 0)->code : "");
    mangle_program_unref(program);
    mangle_diags_free(diags);
    return code;
}

/* M-TEMP-90, M-LEX-9 */
static void test_programs_can_only_read_it(void **state)
{
    (void)state;
    assert_string_equal(first_code("r(T) :- __now(T)@[_, now].", true), "");
    assert_string_equal(first_code("r(T) :- __now(T)@[_, now].", false), "PRED_UNKNOWN");
    for (int marker = 0; marker < 2; marker++) {
        assert_string_equal(first_code("__now(1).", marker), "SYNTAX");
        assert_string_equal(first_code("s(1). __now(X) :- s(X).", marker), "SYNTAX");
        assert_string_equal(first_code("Decl __now(X).", marker), "SYNTAX");
    }
    assert_string_equal(first_code("r(T) :- __then(T).", true), "SYNTAX");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_evaluation_says_when_it_was),
        cmocka_unit_test(test_a_later_evaluation_reads_it),
        cmocka_unit_test(test_programs_can_only_read_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
