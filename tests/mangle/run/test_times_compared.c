/* Comparisons of times narrow what is looked for (plan_time.c). Written the other way round, as
 * what must not be, they stay tests of their own: both have the same answers, whatever is in the
 * base, and however often a predicate is in its own rules. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "support/mangle_run.h"
#include "support/rounds.h"

#define CASES test_rounds(400)

static uint64_t seed;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

static const char *const times[] = { "S", "E", "T", "F", "U", "G" };

struct comparison {
    uint32_t left, right, how;
};

/* `plain`: as it is meant; else the opposite, negated. */
static void put_comparison(struct buf *out, const struct comparison *c, bool plain)
{
    static const char *const hows[] = { "lt", "le", "gt", "ge" };
    static const char *const opposites[] = { "ge", "gt", "le", "lt" };
    mgi_buf_printf(out, ", %s:time:%s(%s, %s)", plain ? "" : "!",
                   plain ? hows[c->how] : opposites[c->how], times[c->left], times[c->right]);
}

static void put_comparisons(struct buf *both, uint32_t known)
{
    for (uint32_t n = 1 + roll(3); n > 0; n--) {
        struct comparison c = { roll(known), roll(known), roll(4) };
        put_comparison(&both[0], &c, true);
        put_comparison(&both[1], &c, false);
    }
}

static void put_both(struct buf *both, const char *text)
{
    mgi_buf_puts(&both[0], text);
    mgi_buf_puts(&both[1], text);
}

/* A body of two or three intervals; heads with times in them or without, and one that recurs. */
static void put_rules(struct buf *both)
{
    static const char *const heads[] = { "h(X)",       "i(X, Y)",     "j(X, S)", "k(Y, F)",
                                         "l(X, E, T)", "r(Y)@[T, F]", "m()",     "r(X)@[S, F]" };
    static const char *const second[] = { "f(Y)@[T, F]", "e(Y)@[T, F]", "r(Y)@[T, F]",
                                          "f(X)@[T, F], w(X, Y)" };
    static const char *const third[] = { "", ", e(Z)@[U, G]", ", <-[0s, 5s] r(Z)@[U, G]" };
    put_both(both, "Decl e(X) temporal. Decl f(X) temporal. Decl w(X, Y). Decl r(X) temporal.\n"
                   "r(X)@[S, E] :- e(X)@[S, E], w(X, _).\n");
    for (uint32_t n = 2 + roll(3); n > 0; n--) {
        uint32_t more = roll(3);
        mgi_buf_printf(&both[0], "%s :- e(X)@[S, E]", heads[roll(8)]);
        mgi_buf_clear(&both[2]);
        mgi_buf_printf(&both[2], ", %s", second[roll(4)]);
        mgi_buf_puts(&both[1], strrchr(mgi_buf_view(&both[0]).ptr, '\n') + 1);
        put_both(both, mgi_buf_view(&both[2]).ptr);
        if (roll(2))
            put_comparisons(both, 4);
        put_both(both, third[more]);
        put_comparisons(both, more ? 6 : 4);
        put_both(both, ".\n");
    }
}

static void put_facts(struct buf *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = roll(12), len = roll(5);
        static const char names[] = "effw";
        char name = names[roll(4)];
        if (name == 'w')
            mgi_buf_printf(out, "w(%u, %u).\n", roll(4), roll(4));
        else if (roll(10) == 0)
            mgi_buf_printf(out, "%c(%u)@[_, _].\n", name, roll(4));
        else if (roll(10) == 0)
            mgi_buf_printf(out, "%c(%u)@[2024-06-10T12:00:%02u, _].\n", name, roll(4), from);
        else
            mgi_buf_printf(out, "%c(%u)@[2024-06-10T12:00:%02u, 2024-06-10T12:00:%02u].\n", name,
                           roll(4), from, from + len);
    }
}

static bool opens(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    return (*(uint32_t *)context >> (name[0] % 3) & 1) != 0;
}

static void check(uint32_t number, uint32_t *found)
{
    struct buf both[3] = { { 0 }, { 0 }, { 0 } }, facts[2] = { { 0 }, { 0 } };
    seed = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    put_rules(both);
    put_facts(&facts[0], 2 + roll(20));
    put_facts(&facts[1], roll(12));
    uint32_t open = roll(8);
    char *texts[2];
    for (int i = 0; i < 2; i++) {
        struct run_options options = { .changeable = opens, .context = &open };
        options.limits = (struct mangle_limits){ .max_facts = 20000 };
        mgi_buf_puts(&both[i], mgi_buf_view(&facts[0]).ptr);
        if (open == 7)
            options.request = facts[1].len ? mgi_buf_view(&facts[1]).ptr : NULL;
        else
            mgi_buf_puts(&both[i], facts[1].len ? mgi_buf_view(&facts[1]).ptr : "");
        texts[i] = run_text(mgi_buf_view(&both[i]).ptr, &options);
    }
    if (strcmp(texts[0], texts[1]) != 0)
        print_error("case %u\n%s--- request\n%s", number, mgi_buf_view(&both[0]).ptr,
                    facts[1].len ? mgi_buf_view(&facts[1]).ptr : "");
    assert_string_equal(texts[0], texts[1]);
    *found += strpbrk(texts[0], "hijklm") != NULL;
    assert_int_not_equal(strncmp(texts[0], "error", 5), 0);
    for (int i = 0; i < 2; i++) {
        mangle_free(texts[i]);
        mgi_buf_fini(&facts[i]);
    }
    for (int i = 0; i < 3; i++)
        mgi_buf_fini(&both[i]);
}

static void test_narrowed_or_tested_the_answers_are_the_same(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    uint32_t found = 0;
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < CASES; i++) {
        check(i, &found); /* M-TEMP-33, M-EVAL-14 */
        if (only)
            return;
    }
    assert_true(found > CASES / 4); /* or the test tests little */
}

static void expect(const char *rule, const char *facts)
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, "Decl e(X) temporal. Decl f(X) temporal.\n"
                        "e(1)@[2024-06-10T12:00:01, 2024-06-10T12:00:02]."
                        "e(1)@[2024-06-10T12:00:05, 2024-06-10T12:00:06]."
                        "e(2)@[_, 2024-06-10T12:00:03]."
                        "f(1)@[2024-06-10T12:00:02, 2024-06-10T12:00:03]."
                        "f(2)@[2024-06-10T12:00:04, 2024-06-10T12:00:05]."
                        "f(3)@[2024-06-10T12:00:07, _].\n");
    mgi_buf_puts(&text, rule);
    char *out = run_text(mgi_buf_view(&text).ptr, NULL);
    assert_string_equal(out, facts);
    mangle_free(out);
    mgi_buf_fini(&text);
}

/* M-PRED-3: each side, each comparison, at its very bound and at both ends of time. */
static void test_bounds_belong_or_not(void **state)
{
    (void)state;
    expect("p(X, Y) :- e(X)@[S, E], f(Y)@[T, _], :time:lt(E, T).",
           "p(1,2).\np(1,3).\np(2,2).\np(2,3).\n");
    expect("p(X, Y) :- e(X)@[S, E], f(Y)@[T, _], :time:le(E, T).",
           "p(1,1).\np(1,2).\np(1,3).\np(2,2).\np(2,3).\n");
    expect("p(X, Y) :- e(X)@[S, E], f(Y)@[_, F], :time:ge(S, F).", "p(1,1).\np(1,2).\n");
    expect("p(Y) :- e(1)@[S, E], f(Y)@[_, F], :time:gt(S, F).", "p(1).\n");
    expect("p(Y) :- e(2)@[S, E], f(Y)@[T, _], :time:lt(T, S).", "");
    expect("p(Y) :- f(3)@[T, F], f(Y)@[_, G], :time:gt(G, F).", "");
    expect("p(Y) :- f(3)@[T, F], f(Y)@[_, G], :time:ge(G, F).", "p(3).\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_narrowed_or_tested_the_answers_are_the_same),
        cmocka_unit_test(test_bounds_belong_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
